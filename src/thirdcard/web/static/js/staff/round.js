// How the round lies: its hands, who has what, what it comes to.

import { html } from "../dom.js";
import { table } from "../state.js";
import { desk } from "./desk.js";
import { bet, odds } from "../words.js";
import { badge, cardRow, cites, glyph, money, signed, stakeText, t } from "./say.js";

const SIDES = ["player", "banker"];

/** Both hands on felt. */
export function hands() {
  const { cards, points } = table.seen;
  return SIDES.map((side) => {
    const mine = cards.filter((one) => one.hand === side);
    const holder = mine.find((one) => one.held_by && !one.exposed)?.held_by;
    return html(
      "div",
      { class: "hh" },
      html(
        "h2",
        { class: "hl" },
        html("span", { class: `zh ${side}`, lang: "zh-Hant" }, bet(side).zh),
        html("span", {}, bet(side).en),
        html("b", {}, points[side] ?? (mine.length ? "?" : "–")),
        holder && html("small", {}, t("held_by", { player: holder })),
      ),
      cardRow(mine.map((one) => one.card)),
    );
  });
}

const head = (...names) =>
  html(
    "thead",
    {},
    html("tr", {}, ...names.map(([name, kind]) => html("th", { class: kind, scope: "col" }, name))),
  );

const who = (player, standing) => (standing ? t("standing", { player }) : player);

/** Chips as they lie, box by box. */
export function stakes() {
  const people = new Map();
  for (const stake of table.seen.stakes) {
    const key = `${stake.box}/${stake.player}`;
    if (!people.has(key))
      people.set(key, { box: stake.box, player: stake.player, standing: !stake.seated, lines: [] });
    people.get(key).lines.push(stake);
  }
  const rows = [...people.values()].sort((a, b) => a.box - b.box || a.standing - b.standing);
  if (!rows.length) return html("p", { class: "muted" }, t("no_stakes"));
  return html(
    "table",
    { class: "pays" },
    head([t("box")], [t("who")], [t("stakes")], [t("total"), "r"]),
    html(
      "tbody",
      {},
      ...rows.map((row) =>
        html(
          "tr",
          {},
          html("td", { class: "pos" }, row.box),
          html("td", {}, who(row.player, row.standing)),
          html("td", { class: "ls" }, ...row.lines.map(stakeText)),
          html("td", { class: "r net" }, money(row.lines.reduce((sum, one) => sum + one.cents, 0))),
        ),
      ),
    ),
  );
}

function line(one, slug) {
  const moved = one.net === 0 && one.result !== "win" ? t(`result_${one.result}`) : signed(one.net);
  return html(
    "span",
    { class: one.net > 0 ? "w" : "l", title: one.rules.join(", ") },
    glyph(one.bet, one.window),
    ` ${moved}`,
    one.net > 0 && one.odds && html("em", {}, odds(one.odds)),
    ...(one.net > 0 ? cites(one.rules.slice(-1), slug) : []),
  );
}

/** Payouts in the order in which a dealer pays; `sums` for the dealer, not for who rules. */
export function payouts(paid, slug, { sums = true } = {}) {
  return [
    html(
      "table",
      { class: "pays" },
      head([t("box")], [t("who")], [t("lines")], [t("net"), "r"]),
      html(
        "tbody",
        {},
        ...paid.people.map((row) =>
          html(
            "tr",
            {},
            html("td", { class: "pos" }, row.box),
            html("td", {}, who(row.player, row.standing)),
            html("td", { class: "ls" }, ...row.lines.map((one) => line(one, slug))),
            html("td", { class: `r net ${row.net > 0 ? "up" : ""}` }, signed(row.net)),
          ),
        ),
      ),
    ),
    sums &&
      html(
        "p",
        { class: "sum" },
        badge(paid.outcome),
        html("span", {}, t("take"), " ", html("b", {}, money(paid.take))),
        html("span", {}, t("pay"), " ", html("b", { class: "gold" }, money(paid.pay))),
        html("span", {}, t("for_table"), " ", html("b", {}, signed(paid.take - paid.pay))),
      ),
  ];
}

/** The steps of a round and which of them is now. */
export function steps() {
  const { phase, cards, offers, house, settlement, held_up } = table.seen;
  const names = ["bets", "closed", "four", ...(house.insurance ? ["insurance"] : []), "third", "settle"];
  let now = 0;
  if (phase === "dealing") {
    if (cards.length < 4) now = names.indexOf("four");
    else if (offers.length && cards.length === 4) now = names.indexOf("insurance");
    else now = names.indexOf("third");
  }
  if (phase === "adjusting") now = 1;
  if (desk.seen?.next.command.command === "settle") now = names.indexOf("settle");
  if (settlement) now = names.length;
  if (phase === "idle" || phase === "void") now = -1;
  return names.map((name, place) =>
    html(
      "li",
      {
        class: place < now ? "done" : place === now ? "now" : "",
        "aria-current": place === now ? "step" : null,
      },
      html("span", { "aria-hidden": "true" }, place < now ? "✓" : place + 1),
      t(`step_${name}`),
      held_up && place === now && html("em", {}, t("stopped")),
      phase === "void" && place === names.length - 1 && html("em", {}, t("phase_void")),
    ),
  );
}
