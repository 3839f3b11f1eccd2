// What else may be done at the table now, each in words, one at a time.

import { command } from "../api.js";
import { html } from "../dom.js";
import { table } from "../state.js";
import { betName } from "../words.js";
import { desk, refresh } from "./desk.js";
import { attempt, hand, money, select, t } from "./say.js";

// What has a place of its own elsewhere on the page.
const ELSEWHERE = new Set([
  "draw",
  "report",
  "rule",
  "void",
  "correct",
  "change-setup",
  "choose",
  "place",
  "take-back",
  "record-chips",
  "insure",
  "remove",
  "assign",
]);
let shown = "";

export function showAlso(place) {
  const main = JSON.stringify(desk.seen.next.command);
  const found = desk.options
    .map(({ command: { by, ...one } }) => one)
    .filter((one) => !ELSEWHERE.has(one.command) && JSON.stringify(one) !== main);
  const key = JSON.stringify(found);
  if (key === shown) return;
  shown = key;
  if (!found.length) {
    place.replaceChildren(html("p", { class: "muted" }, t("nothing_else")));
    return;
  }
  const which = select(
    found.map((one, number) => [number, words(one)]),
    { name: "what", "aria-label": t("what_else") },
  );
  const go = html("button", { class: "btn", type: "submit" }, t("do_it"));
  const made = html("form", { class: "row" }, html("div", { class: "field" }, which), go);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = true;
    await attempt(() => command(table.id, found[Number(which.value)]), table.seen.rulebook, t("done"));
    go.disabled = false;
    refresh();
  });
  place.replaceChildren(made);
}

const SHORT = new Set(["new-shoe", "open", "close", "settle", "expose", "hand-over"]);

/** As a button says it. */
export const shortly = (one) =>
  SHORT.has(one.command) ? t(`go_${one.command.replaceAll("-", "_")}`) : t("do_it");

/** A command as one would say it. */
export function words(one) {
  const facts = { ...one, cards: (one.cards ?? []).join(", ") };
  if (one.hand) facts.hand = hand(one.hand);
  if (one.bet) facts.bet = betName(one.bet);
  if (one.cents) facts.cents = money(one.cents);
  return t(`do_${one.command.replaceAll("-", "_")}`, facts);
}
