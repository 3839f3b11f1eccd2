// What lies on the layout, person by person, insurance with it.

import { html } from "../draw.js";
import { table } from "../state.js";
import { panel, rows, who } from "./parts.js";
import { glyph, money, t } from "./say.js";
import { stakes } from "./seats.js";

/** Everybody's chips of this round, box by box. */
function people() {
  const { purchases } = table.seen;
  const found = new Map();
  const add = (one, standing, name, window) => {
    const key = `${one.box}/${one.player}`;
    if (!found.has(key)) found.set(key, { box: one.box, player: one.player, standing, lines: [] });
    found.get(key).lines.push({ name, window, cents: one.cents });
  };
  for (const one of stakes()) add(one, !one.seated, one.bet);
  for (const one of purchases) add(one, table.seen.seats[one.box] !== one.player, one.hand, one.window);
  return [...found.values()].sort((a, b) => a.box - b.box || Number(a.standing) - Number(b.standing));
}

const sum = (lines) => lines.reduce((total, one) => total + one.cents, 0);

export function stakesPanel() {
  const found = people();
  const line = (one) =>
    html`<tr>
      <td><b class="bn">${one.box}</b></td>
      <td>
        ${who(one)}
        <small>${one.lines.flatMap((bet) => [glyph(bet.name, bet.window), ` ${money(bet.cents)} `])}</small>
      </td>
      <td class="r net">${money(sum(one.lines))}</td>
    </tr>`;
  return panel(
    "grow",
    t("stakes_title"),
    t("stakes_sum", { cents: money(sum(found.flatMap((one) => one.lines))) }),
    found.length
      ? html`<div class="scrolls" role="region" tabindex="0" aria-label=${t("stakes_title")}>
        ${rows("sm7", [t("box"), t("who"), [t("total"), "r"]], ...found.map(line))}
      </div>`
      : html`<p class="hint padx">${t("no_stakes")}</p>`,
  );
}
