// What the pages of staff share: their words, paragraphs as links, cards, bets, and how an answer is told.

import { saidOf } from "../api.js";
import { $, html as element } from "../dom.js";
import { draw, html } from "../draw.js";
import { isCard, isRed, rankName, SUITS } from "../facts.js";
import "./aside.js";
import { bet, cardName, hand, money, own, phrase, signed } from "../words.js";

const root = $("#staff");
const WINNERS = new Set(["player", "banker", "tie"]);

/** A phrase of the pages of staff: `staff_KEY`. */
export const t = (key, facts = {}) => phrase(`staff_${key}`, facts);

/** Paragraphs as links into the reader. */
export function cites(rules, slug) {
  return (rules ?? []).flatMap((rule) => [
    " ",
    html`<a class="cite" href="/rules/${slug}#p-${rule.split("(")[0]}">${rule}</a>`,
  ]);
}

/** A sentence of the server with its paragraphs. */
export const told = (one, slug) => [one.sentence, ...cites(one.rules, slug)];

/** A card, or the back of one. */
export function card(value, { across = false, down = false } = {}) {
  const kind = `pc${across ? " across" : ""}${down ? " down" : ""}`;
  return html`<svg class=${kind} viewBox="0 0 100 140" role="img" aria-label=${cardName(value)}>
    <use href="${root.dataset.cards}#${value ? `small-${value}` : "card-back"}"></use>
  </svg>`;
}

/** Cards of a hand, the third one across, and what stands behind them. */
export function cardRow(cards, more = null) {
  return html`<div class="pcs">${cards.map((one, place) => card(one, { across: place > 1 }))}${more}</div>`;
}

/** The Chinese name of a bet in the colour of its side; `title` says it in words. */
export function glyph(name, window) {
  const said = bet(window ? `${name.replace("-insurance", "")}-insurance` : name);
  return html`<span class="zh ${said.side}" lang="zh-Hant" title=${said.en}>${said.zh}</span>`;
}

/** The Chinese name of a hand in its colour, where its name stands beside it. */
export const mark = (side) => html`<span class="zh ${side}" lang="zh-Hant">${bet(side).zh}</span>`;

export function badge(outcome) {
  return html`<span class="badge ${outcome}" aria-hidden="true">${WINNERS.has(outcome) ? bet(outcome).zh : "·"}</span>`;
}

export function stakeText(stake) {
  return html`<span class="bet1">${glyph(stake.bet)}${` ${money(stake.cents)}`}</span>`;
}

export { money, signed, hand, cardName, own, phrase };

/** A card within a sentence: `3♦`. */
export function inline(value) {
  const [rank, suit] = value;
  const kind = isRed(suit) ? "inl red" : "inl";
  return html`<b class=${kind} title=${cardName(value)}>${rankName(rank)}${SUITS[suit]}</b>`;
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
  return found.every(isCard) ? found : null;
}

export const clock = (micros) => new Date(micros / 1000).toLocaleTimeString("en-GB");

/** Milliseconds as a clock shows them: `0:38`, `1:02:05`. */
export function lasting(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [minutes, rest] = [Math.floor(seconds / 60), String(seconds % 60).padStart(2, "0")];
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

const line = $("#answer");
let gone = null;

/** Say at the top of the page what came of something; refusals stay longer and are announced at once. */
export function answer(text, { wrong = false, rules = [], slug = "" } = {}) {
  clearTimeout(gone);
  line.className = wrong ? "answer wrong" : "answer notice";
  line.setAttribute("role", wrong ? "alert" : "status");
  draw(line, text, cites(rules, slug));
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
    answer(saidOf(error, t("no_answer")), { wrong: true, rules: error.rules, slug });
    return false;
  }
  line.hidden = true;
  if (done) answer(done);
  return true;
}

/** A form; `send` gets what was filled in, and the form itself. */
export function formOf(send, ...parts) {
  const submit = (event) => {
    event.preventDefault();
    send(new FormData(event.currentTarget), event.currentTarget);
  };
  return html`<form class="stack" @submit=${submit}>${parts}</form>`;
}

/** Fields side by side. */
export const columns = (...fields) => html`<div class="cols">${fields}</div>`;

/** A labelled field of a form. */
export function field(label, control, ...more) {
  return html`<label class="field"><span class="eyebrow">${label}</span>${control}${more}</label>`;
}

/** A list to choose from, which keeps what is chosen: options are `[value, text, chosen]`. */
export function select(options, attributes = {}) {
  const option = ([value, text, on]) => element("option", { value, selected: !!on }, text);
  return element("select", attributes, ...options.map(option));
}

export function check(label, attributes = {}) {
  return html`<label class="chk">${element("input", { type: "checkbox", ...attributes })}<span>${label}</span></label>`;
}
