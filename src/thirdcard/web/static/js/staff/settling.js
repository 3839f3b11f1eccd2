// Settle: the result as the cards have it and what everybody will get, before it is made final by a press of its own.

import { command } from "../socket.js";
import { html } from "../draw.js";
import { book, table } from "../state.js";
import { outcome } from "../words.js";
import { desk } from "./desk.js";
import { betLines, panel, rows, who } from "./parts.js";
import { attempt, money, signed, t } from "./say.js";

export const step = {
  key: "settle",
  now: () => desk.seen?.next.kind === "command" && desk.seen.next.command.command === "settle",
  required() {
    const { points } = table.seen;
    const { payouts } = desk.seen;
    const facts = { high: Math.max(points.player, points.banker), low: Math.min(points.player, points.banker) };
    return {
      eyebrow: t("settle_eyebrow"),
      title: payouts ? t(`settle_${payouts.outcome}`, facts) : t("do_settle"),
      text: payouts ? [t("settle_what", { take: money(payouts.take), pay: money(payouts.pay) })] : [],
      button: {
        label: t("go_settle"),
        run: () => attempt(() => command({ command: "settle" }), book()),
        enabled: true,
        key: "Enter",
      },
      under: t("settle_under"),
    };
  },
  rail: () => desk.seen.payouts && will(desk.seen.payouts),
};

/** What everybody will get. */
export function will({ people, outcome: result }) {
  const line = (one) =>
    html`<tr>
      <td><b class="bn">${one.box}</b></td>
      <td>${who(one)}<small>${betLines(one.lines)}</small></td>
      <td class="r net">${signed(one.net)}</td>
    </tr>`;
  const listed = people.length
    ? rows("sm7", [t("box"), t("who"), [t("net"), "r"]], ...people.map(line))
    : html`<p class="hint padx">${t("no_stakes")}</p>`;
  const inside = html`<div class="scrolls" tabindex="0" role="region" aria-label=${t("payouts_if")}>${listed}</div>`;
  return panel("grow", t("payouts_if"), outcome(result), inside);
}
