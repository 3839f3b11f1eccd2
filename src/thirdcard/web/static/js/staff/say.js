// What the pages of staff share: their words, paragraphs as links, cards, bets, and how an answer is told.

import { Refused } from "../api.js";
import { $, html, svg } from "../dom.js";
import "./aside.js";
import { bet, betName, cardName, hand, money, odds, outcome, own, phrase, signed } from "../words.js";

const root = $("#staff");
const WINNERS = new Set(["player", "banker", "tie"]);

/** A phrase of the pages of staff: `staff_KEY`. */
export const t = (key, facts = {}) => phrase(`staff_${key}`, facts);

/** Paragraphs as links into the reader. */
export function cites(rules, slug) {
  return (rules ?? []).flatMap((rule) => [
    " ",
    html("a", { class: "cite", href: `/rules/${slug}#p-${rule.split("(")[0]}` }, rule),
  ]);
}

/** A sentence that the server gave by its key and facts. */
export function told(one, slug) {
  const facts = { ...one.facts };
  if (facts.hand) facts.hand = hand(facts.hand);
  if (facts.card) facts.card = cardName(facts.card);
  if (facts.cards) facts.cards = String(facts.cards).split(" ").map((value) => cardName(value)).join(", ");
  if (facts.cents) facts.cents = money(facts.cents);
  if (facts.case) facts.title = own("cases", facts.case, facts.title);
  if (facts.bet) facts.bet = betName(facts.bet);
  if (facts.odds) facts.odds = odds(facts.odds);
  if (facts.outcome) facts.outcome = outcome(facts.outcome);
  return [t(one.key, facts), ...cites(one.rules, slug)];
}

/** A card, or the back of one. */
export function card(value, { across = false } = {}) {
  const name = cardName(value);
  const use = svg("use", { href: `${root.dataset.cards}#${value ? `small-${value}` : "card-back"}` });
  return svg(
    "svg",
    { class: across ? "pc across" : "pc", viewBox: "0 0 100 140", role: "img", "aria-label": name },
    use,
  );
}

/** Cards of a hand, the third one across. */
export function cardRow(cards) {
  return html("div", { class: "pcs" }, ...cards.map((one, place) => card(one, { across: place > 1 })));
}

/** The Chinese name of a bet in the colour of its side; `title` says it in words. */
export function glyph(name, window) {
  const said = bet(window ? `${name.replace("-insurance", "")}-insurance` : name);
  return html("span", { class: `zh ${said.side}`, lang: "zh-Hant", title: said.en }, said.zh);
}

export function badge(outcome) {
  return html("span", { class: `badge ${outcome}`, "aria-hidden": "true" }, WINNERS.has(outcome) ? bet(outcome).zh : "·");
}

export function stakeText(stake) {
  return html("span", { class: "bet1" }, glyph(stake.bet), ` ${money(stake.cents)}`);
}

export { money, signed, hand, cardName, own, phrase };

/** A card within a sentence: `3♦`. */
export function inline(value) {
  const [rank, suit] = value;
  const mark = { S: "♠", H: "♥", D: "♦", C: "♣" }[suit];
  const kind = "HD".includes(suit) ? "inl red" : "inl";
  return html("b", { class: kind, title: cardName(value) }, rank === "T" ? "10" : rank, mark);
}

/** Amounts as people type them, `1,250.50`, in cents; null if it is no amount. */
export function cents(text) {
  const plain = text.replace(/[,\s]/g, "");
  if (!/^\d+(\.\d{1,2})?$/.test(plain)) return null;
  const [whole, part = ""] = plain.split(".");
  return Number(whole) * 100 + Number(part.padEnd(2, "0"));
}

/** Cards as people type them, `9C KD` or `9c,10d`; null if one of them is no card. */
export function cards(text) {
  const found = text
    .toUpperCase()
    .replaceAll("10", "T")
    .split(/[\s,]+/)
    .filter(Boolean);
  return found.every((one) => /^[A23456789TJQK][SHDC]$/.test(one)) ? found : null;
}

export const clock = (micros) => new Date(micros / 1000).toLocaleTimeString("en-GB");

const line = $("#answer");
let gone = null;

/** Say at the top of the page what came of something; refusals stay longer and are announced at once. */
export function answer(text, { wrong = false, rules = [], slug = "" } = {}) {
  clearTimeout(gone);
  line.className = wrong ? "answer wrong" : "answer notice";
  line.setAttribute("role", wrong ? "alert" : "status");
  line.replaceChildren(...[text].flat(), ...cites(rules, slug));
  line.hidden = false;
  gone = setTimeout(() => (line.hidden = true), wrong ? 8000 : 3000);
}

/** A rulebook to choose from a list; one that no operator brought out also by its slug. */
export const bookName = ({ slug, title, operator, version }) =>
  `${own("books", slug, title)}, ${operator ? `${operator} ` : ""}v${version}${operator ? "" : ` (${slug})`}`;

/** Where a rulebook was found. */
export const originOf = ({ origin, file, where }) =>
  origin === "package" ? t("origin_package") : `${t(`origin_${origin.replaceAll(" ", "_")}`)}: ${file || where}`;

/** Do something that the server may refuse; true if it was done. */
export async function attempt(work, slug, done = "") {
  try {
    await work();
  } catch (error) {
    const known = error instanceof Refused;
    answer(known ? error.said : t("no_answer"), {
      wrong: true,
      rules: known ? error.rules : [],
      slug,
    });
    return false;
  }
  line.hidden = true;
  if (done) answer(done);
  return true;
}

/** A form; `send` gets what was filled in, and the form itself. */
export function formOf(send, ...parts) {
  const made = html("form", { class: "stack" }, ...parts);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    send(new FormData(made), made);
  });
  return made;
}

/** Fields side by side. */
export const columns = (...fields) => html("div", { class: "cols" }, ...fields);

/** A labelled field of a form. */
export function field(label, control, ...more) {
  return html("label", { class: "field" }, html("span", { class: "eyebrow" }, label), control, ...more);
}

export function select(options, attributes = {}) {
  return html(
    "select",
    attributes,
    ...options.map(([value, text, on]) => html("option", { value, selected: !!on }, text)),
  );
}

export function check(label, attributes = {}) {
  return html(
    "label",
    { class: "chk" },
    html("input", { type: "checkbox", ...attributes }),
    html("span", {}, label),
  );
}
