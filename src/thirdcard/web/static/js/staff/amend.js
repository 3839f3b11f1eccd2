// The record of the cards put right: one person says what really lies there, another confirms it or drops it.

import { html } from "../dom.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { desk, may, refresh } from "./desk.js";
import { answer, attempt, cardName, cards, field, formOf, t } from "./say.js";

const HIDDEN = "??";
let shown = "";

export function showAmend(place) {
  const { amendment, cards: lying, phase } = table.seen;
  const key = JSON.stringify([amendment, lying, phase, desk.options.map((one) => one.command.command)]);
  if (key === shown) return;
  shown = key;
  if (amendment) place.replaceChildren(...proposed(amendment));
  else if (may("amend").length) place.replaceChildren(form(lying));
  else place.replaceChildren(html("p", { class: "muted" }, t("nothing_to_amend")));
}

const act = async (body) => {
  const done = await attempt(() => command(body), book(), t("done"));
  refresh();
  return done;
};
const reason = () =>
  field(t("reason"), html("input", { name: "reason", required: true, maxlength: 200, autocomplete: "off" }));

/** What waits to be confirmed: by whom, what, and why. */
function proposed(one) {
  const told = one.cards.map((card) => cardName(card)).join(", ");
  const made = [html("p", {}, t("amend_proposed", { player: one.by, cards: told, reason: one.reason }))];
  if (may("confirm-amendment").length) {
    const confirm = html("button", { class: "btn primary", type: "button" }, t("confirm_amendment"));
    confirm.addEventListener("click", () => act({ command: "confirm-amendment" }));
    made.push(confirm);
  } else made.push(html("p", { class: "hint" }, t("amend_another")));
  if (may("drop-amendment").length) {
    const send = (given) => act({ command: "drop-amendment", reason: given.get("reason") });
    const button = html("button", { class: "btn", type: "submit" }, t("drop_amendment"));
    made.push(formOf(send, reason(), button));
  }
  return made;
}

/** All cards of the round, as they are recorded, to be put right; those face down stay as they are. */
function form(lying) {
  const value = lying.map((one) => (one.exposed ? one.card : HIDDEN)).join(" ");
  const send = (given) => {
    const found = String(given.get("cards"))
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((one) => (one === HIDDEN ? null : (cards(one)?.[0] ?? "")));
    if (found.includes("")) answer(t("no_cards"), { wrong: true });
    else act({ command: "amend", cards: found, reason: given.get("reason") });
  };
  return formOf(
    send,
    field(t("cards_really"), html("input", { name: "cards", required: true, value, autocomplete: "off" })),
    reason(),
    html("button", { class: "btn", type: "submit" }, t("amend")),
  );
}
