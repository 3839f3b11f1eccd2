// What else may be done at the table now, each in words, one at a time.

import { html } from "../dom.js";
import { command } from "../socket.js";
import { book } from "../state.js";
import { betName } from "../words.js";
import { desk, refresh } from "./desk.js";
import { attempt, hand, money, select, t } from "./say.js";

// What has a place of its own elsewhere on the page.
const ELSEWHERE = new Set([
  "change-rulebook",
  "draw",
  "report",
  "rule",
  "dismiss",
  "void",
  "correct",
  "amend",
  "confirm-amendment",
  "drop-amendment",
  "change-setup",
  "choose",
  "place",
  "take-back",
  "record-chips",
  "late-chips",
  "insure",
  "remove",
  "assign",
]);
let shown = "";

/** Cards that have to be named are turned where cards are entered. */
const elsewhere = ({ command, free = [] }) => ELSEWHERE.has(command.command) || free.includes("names");

export function showAlso(place) {
  const main = JSON.stringify(desk.seen.next.command);
  const found = desk.options
    .filter((one) => !elsewhere(one))
    .map(({ command: { by, ...body }, free = [] }) => ({ body, asks: free.includes("reason") }))
    .filter(({ body }) => JSON.stringify(body) !== main);
  const key = JSON.stringify(found);
  if (key === shown) return;
  shown = key;
  if (!found.length) {
    place.replaceChildren(html("p", { class: "muted" }, t("nothing_else")));
    return;
  }
  const which = select(
    found.map(({ body }, number) => [number, words(body)]),
    { name: "what", "aria-label": t("what_else") },
  );
  const why = html("input", {
    name: "reason",
    maxlength: 200,
    autocomplete: "off",
    placeholder: t("reason"),
    "aria-label": t("reason"),
  });
  const chosen = () => found[Number(which.value)];
  const fit = () => {
    why.hidden = !chosen().asks;
    why.required = chosen().asks;
  };
  which.addEventListener("change", fit);
  fit();
  const go = html("button", { class: "btn", type: "submit" }, t("do_it"));
  const made = html("form", { class: "row" }, html("div", { class: "field" }, which, why), go);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { body, asks } = chosen();
    go.disabled = true;
    await attempt(
      () => command(asks ? { ...body, reason: why.value } : body),
      book(),
      t("done"),
    );
    go.disabled = false;
    refresh();
  });
  place.replaceChildren(made);
}

const SHORT = new Set(["new-shoe", "open", "close", "draw", "settle", "expose", "hand-over"]);

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
