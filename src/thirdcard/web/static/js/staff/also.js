// What may be done at the table besides the steps of a round, each by a press of its own.

import { draw, html, listed } from "../draw.js";
import { betName } from "../words.js";
import { andRefresh, desk, does } from "./desk.js";
import { field, formOf, hand, money, t } from "./say.js";

// All else has a place of its own on the page.
const HERE = new Set([
  "cut-card",
  "allow-withdrawal",
  "reveal-first",
  "permit-squeeze",
  "banker-third-first",
  "leave",
  "refuse-cards",
]);

/** Keep the list in step with the table; a reason that was typed stays as long as it does. */
export function showAlso(place) {
  const found = desk.options
    .filter(({ command: { command: name } }) => HERE.has(name))
    .map(({ command: { by, ...body }, free = [] }) => ({ body, asks: free.includes("reason") }));
  const none = html`<p class="muted">${t("nothing_else")}</p>`;
  const lines = found.length ? listed(found, ({ body }) => JSON.stringify(body), line) : none;
  draw(place, html`<div class="stack also">${lines}</div>`);
}

function line({ body, asks }) {
  const act = (given) => andRefresh(does({ ...body, ...(given && { reason: given.get("reason") }) }, t("done")));
  if (!asks) return html`<button class="btn" type="button" @click=${() => act()}>${words(body)}</button>`;
  const why = html`<input name="reason" required maxlength="200" autocomplete="off">`;
  return formOf(act, field(t("reason"), why), html`<button class="btn" type="submit">${words(body)}</button>`);
}

const SHORT = new Set(["new-shoe", "open", "close", "draw", "settle", "expose", "hand-over"]);

/** As a button says it. */
export const shortly = (one) =>
  SHORT.has(one.command) ? t(`go_${one.command}`) : t("do_it");

/** A command as one would say it. */
export function words(one) {
  const facts = { ...one, cards: (one.cards ?? []).join(", ") };
  if (one.hand) facts.hand = hand(one.hand);
  if (one.bet) facts.bet = betName(one.bet);
  if (one.cents) facts.cents = money(one.cents);
  return t(`do_${one.command}`, facts);
}
