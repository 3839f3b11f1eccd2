// What the pages of staff share: their words, paragraphs as links, cards, bets, and how an answer is told.

import { Refused } from "../api.js";
import { $, html, svg } from "../dom.js";
import { bet, cardName, chinese, hand, money, odds, signed } from "../words.js";

const root = $("#staff");
const words = JSON.parse(root.dataset.words);
const OUTCOMES = { player: "閒", banker: "庄", tie: "和" };

/** A phrase of `[ui.staff_KEY]` in the page's language. */
export function t(key, facts = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
}

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
  if (facts.bet) facts.bet = chinese ? bet(facts.bet).zh : bet(facts.bet).en;
  if (facts.odds) facts.odds = odds(facts.odds);
  if (facts.outcome) facts.outcome = t(`won_${facts.outcome}`);
  return [t(one.key, facts), ...cites(one.rules, slug)];
}

/** A card, or the back of one. */
export function card(value, { across = false } = {}) {
  const name = value ? cardName(value) : t("face_down");
  const use = svg("use", { href: `${root.dataset.cards}#card-${value ?? "back"}` });
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
  return html("span", { class: `badge ${outcome}`, "aria-hidden": "true" }, OUTCOMES[outcome] ?? "·");
}

export function stakeText(stake) {
  return html("span", { class: "bet1" }, glyph(stake.bet), ` ${money(stake.cents)}`);
}

export { money, signed, hand, cardName };

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

export const clock = (micros) => new Date(micros / 1000).toLocaleTimeString(chinese ? "zh" : "en-GB");

const line = $("#answer");
let gone = null;

/** Say at the top of the page what came of something; refusals stay longer and are announced at once. */
export function answer(text, { wrong = false, rules = [], slug = "" } = {}) {
  clearTimeout(gone);
  line.className = wrong ? "answer wrong" : "answer notice";
  line.setAttribute("role", wrong ? "alert" : "status");
  line.replaceChildren(text, ...cites(rules, slug));
  line.hidden = false;
  gone = setTimeout(() => (line.hidden = true), wrong ? 8000 : 3000);
}

/** Do something that the server may refuse; true if it was done. */
export async function attempt(work, slug, done = "") {
  try {
    await work();
  } catch (error) {
    const refused = error instanceof Refused;
    answer(refused ? error.message : t("no_answer"), {
      wrong: true,
      rules: refused ? error.rules : [],
      slug,
    });
    return false;
  }
  line.hidden = true;
  if (done) answer(done);
  return true;
}

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
