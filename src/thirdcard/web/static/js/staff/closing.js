// Closing a table step by step: last round, close, everybody's chips paid out, archive; and opening it again.

import { ask, get } from "../api.js";
import { draw, html, icon } from "../draw.js";
import { table } from "../state.js";
import { desk, refresh } from "./desk.js";
import { attempt, money, t } from "./say.js";

const PLAYING = ["betting", "adjusting", "dealing"];

/** Chips in front of people, by name, as of which version of the table. */
let racks = {};
let known = 0;

/** A manager reads what everybody has, also one who has done nothing at the table yet. */
export async function lookAtRacks() {
  const { version, powers, players } = desk.seen;
  if (version === known || !(powers["close-table"].may || powers["open-table"].may)) return;
  const found = await get(`/api/tables/${table.id}/statement`);
  known = version;
  racks = Object.fromEntries(players.map((name) => [name, found.racks[name] ?? 0]));
}

const asks = (path, body) => async (event) => {
  event.currentTarget.disabled = true;
  await attempt(() => ask("POST", `/api/tables/${table.id}/${path}`, body), "", t("done"));
  refresh();
};

const button = (label, act, { enabled = true, kind = "" } = {}) =>
  html`<button class=${`btn sm ${kind}`.trim()} type="button" @click=${act} ?disabled=${!enabled}>${label}</button>`;

const step = (done, label, ...acts) =>
  html`<li class=${done ? "done" : null}>
    <span class="tick">${done ? icon("check") : ""}</span>
    <span>${label}</span>
    ${acts}
  </li>`;

/** Everybody with chips in front of them, those who sit first. */
function holders() {
  const { seats } = table.seen;
  const box = (name) => Number(Object.entries(seats).find(([, who]) => who === name)?.[0] ?? 0);
  return Object.entries(racks)
    .filter(([, cents]) => cents > 0)
    .map(([name, cents]) => ({ name, cents, box: box(name) }))
    .toSorted((a, b) => (a.box || 99) - (b.box || 99) || a.name.localeCompare(b.name));
}

export function showClosing(place) {
  const { house, phase, round } = table.seen;
  const power = desk.seen.powers[house.closed ? "open-table" : "close-table"];
  const playing = PLAYING.includes(phase);
  const over = house.closed || (house.last_round > 0 && !playing && house.last_round <= round);
  const left = holders();
  const may = power.may;
  draw(
    place,
    html`<ol class="cl">
      ${step(
        house.closed || house.last_round > 0,
        house.last_round ? t("closing_last_is", { round: house.last_round }) : t("closing_last"),
        !house.closed && !house.last_round && button(t("closing_announce"), asks("last-round"), { enabled: may, kind: "primary" }),
      )}
      ${step(
        house.closed,
        house.closed ? t("is_closed") : playing ? t("closing_round_on") : t("closing_close"),
        !house.closed && button(t("close_table"), asks("close"), { enabled: may, kind: over ? "primary" : "" }),
      )}
      ${step(
        house.closed && !left.length,
        left.length ? t("closing_racks", { amount: money(left.reduce((sum, one) => sum + one.cents, 0)) }) : t("closing_no_racks"),
        left.length > 0 && button(t("closing_all"), asks("cash-out", {}), { enabled: may && over }),
      )}
      ${left.map((one) =>
        html`<li class="holder">
          <span>
            ${one.box ? t("closing_box", { box: one.box, name: one.name }) : one.name} <b>${money(one.cents)}</b>
          </span>
          ${button(t("closing_cash_out", { amount: money(one.cents) }), asks("cash-out", { player: one.name }), { enabled: may && over })}
        </li>`,
      )}
      ${step(
        house.archived,
        house.archived ? t("closing_archived") : t("closing_archive_it"),
        !house.archived && button(t("closing_archive"), asks("archive"), { enabled: may && house.closed && !left.length }),
        house.archived && button(t("closing_unarchive"), asks("unarchive"), { enabled: may }),
      )}
    </ol>`,
    html`<p class="hint padx">
      ${may ? t("closing_hint") : power.why || t("takes_manager")}
    </p>`,
    house.closed && !house.archived ? html`<p class="acts2">${button(t("open_table"), asks("open"), { enabled: may })}</p>` : "",
  );
}
