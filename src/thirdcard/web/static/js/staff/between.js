// What lies on the felt between rounds: the roads, and how the last round came out.

import { get } from "../api.js";
import { draw, html, node } from "../draw.js";
import { watchRoads } from "../roads.js";
import { book, recallRound, table } from "../state.js";
import { outcome } from "../words.js";
import { why } from "./dealing.js";
import { desk, does } from "./desk.js";
import { open as openFloat, wanted } from "./float.js";
import { betLines, byPerson, inert, panel, scrolled } from "./parts.js";
import { badge, cites, money, signed, t } from "./say.js";
import { seatForm, startSeating } from "./seating.js";
import { sideRail } from "./shoe.js";

// Between rounds: payouts are done, and bets may be opened.

const opens = () => desk.seen.next.command?.command === "open";

export const idle = {
  key: "idle",
  now: () => opens() || ["idle", "settled", "void"].includes(table.seen.phase),
  required() {
    const able = opens();
    const count = wanted();
    if (count) return counts(count, able);
    const { closed, last_round: last } = table.seen.house;
    const over = !closed && last > 0 && last <= table.seen.round;
    const shut = closed || over;
    return {
      eyebrow: t(shut ? "closed" : "next_required"),
      title: t(able || !shut ? "open_the_bets" : closed ? "table_is_closed" : "last_round_over"),
      text: able ? [t("open_text"), ...cites(desk.seen.next.rules, book())] : why(),
      button: shut && !able ? inert(t("waiting")) : {
        label: t("go_open"),
        run: () => does({ command: "open" }),
        enabled: able,
        key: "Enter",
      },
    };
  },
  seat: startSeating,
  below,
  rail: () => [seatForm(), sideRail()],
};

/** The float is counted when the table closes, and when it opens again; bets may be opened all the same. */
function counts(why, able) {
  return {
    eyebrow: t("next_required"),
    title: t(`float_count_${why}`),
    text: [t(`float_asked_${why}`)],
    button: { label: t("float_begin"), run: async () => openFloat(why), key: "Enter" },
    second: able && { label: t("go_open"), run: () => does({ command: "open" }), key: "" },
  };
}

// Settle: the result as the cards have it and what everybody will get, before it is made final by a press of its own.

export const settling = {
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
        run: () => does({ command: "settle" }),
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
  const listed = people.length
    ? byPerson(people, t("net"), (one) => html`<small>${betLines(one.lines)}</small>`, (one) => signed(one.net))
    : html`<p class="hint padx">${t("no_stakes")}</p>`;
  return panel("grow", t("payouts_if"), outcome(result), scrolled("scrolls", t("payouts_if"), listed));
}

let roads = null;

/** The bead plate and the big road beside the last result. */
export function below() {
  if (!roads) {
    roads = node(html`<div class="roads"></div>`);
    watchRoads(roads, `/tables/${table.id}/roads`);
    recall();
  }
  draw(row, roads, lastRound());
  return [row];
}

/** The round before this page was opened, if there was one. */
async function recall() {
  const [record] = await get(`/api/tables/${table.id}/rounds?limit=1`);
  if (record) recallRound(record);
}

const row = node(html`<div class="roadrow"></div>`);

function lastRound() {
  const { last } = table;
  if (!last) return html`<div class="lastr"><span class="eyebrow">${t("no_round_yet")}</span></div>`;
  const { settlement, round } = last;
  const tie = settlement.outcome === "tie";
  const facts = {
    outcome: outcome(settlement.outcome),
    high: Math.max(settlement.player, settlement.banker),
    low: Math.min(settlement.player, settlement.banker),
  };
  return html`<div class="lastr">
    <span class="eyebrow">${t("round_of", { round })}</span>
    <span class="serif">${badge(settlement.outcome)}${t(tie ? "last_tie" : "last_result", facts)}</span>
  </div>`;
}
