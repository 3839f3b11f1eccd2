// What lies on the felt of a drill: hands, bets, limits, what was established; nothing that gives an answer away.

import { get } from "../api.js";
import { pieces } from "../chips.js";
import { html, named, svg } from "../dom.js";
import { betName, bet as betWords, hand, money, odds, own, phrase, shortMoney } from "../words.js";
import { card, caseName, glyph, root, t } from "./kit.js";

// The felt of one box: the spots of a layout where they lie. They can be pressed where the winning ones are asked for, and
// chips lie on them where a box is paid. Odds are printed below level 4 and nowhere above.

const NO_ODDS_FROM = 4;
const DRAWN = new Set(["result", "pay"]);
const INSURANCE = "-insurance";
const known = new Map();

/** The spots that a question's felt is drawn of; nothing where it is about no box. */
export async function spotsOf({ kind, rulebook, layout }) {
  if (!DRAWN.has(kind)) return null;
  const address = `/school/felt/${encodeURIComponent(rulebook)}/${layout}`;
  if (!known.has(address)) known.set(address, await get(address));
  return known.get(address);
}

/** Side bets above, pairs and tie below them, then a bar for each hand, the Banker's first. */
function rows(spots) {
  const of = (row) => spots.filter((one) => one.words.row === row);
  return [of("side"), of("middle"), of("main").reverse()];
}

/** The places of bets as the felt is read; insurance lies with its hand. */
export function placesOn(spots) {
  const drawn = rows(spots).flat();
  return (name) => drawn.findIndex((one) => one.bet === name.replace(INSURANCE, ""));
}

/** A chip as it is drawn; one without a face has its value on it. */
export const chipFace = (cents) =>
  pieces(cents)[0] * 100 <= cents
    ? svg("svg", { viewBox: "0 0 104 104", "aria-hidden": "true" }, svg("use", { href: `${root.dataset.cards}#chip-${pieces(cents)[0]}`, width: 104, height: 104 }))
    : html("b", { "aria-hidden": "true" }, money(cents));

/**
 * The rows of spots. `press` makes them buttons, `on` those that are pressed, each with its key; `heaps` are lines with
 * what was settled of them, and `pick` is called with the one that is chosen.
 * @param {any[]} spots
 * @param {{ level: number, press?: (bet: string) => void, on?: string[], keys?: (bet: string) => string, heaps?: any[], pick?: (place: number) => void }} options
 */
export function boxFelt(spots, { level, press = null, on = [], keys = () => "", heaps = [], pick = null }) {
  const spot = (one) => {
    const { zh, en, short, side, row } = one.words;
    const chips = heaps.filter((heap) => heap.line.bet.replace(INSURANCE, "") === one.bet);
    const inside = [
      html("span", { class: `zh ${side}`, lang: "zh-Hant", "aria-hidden": "true" }, zh),
      html("span", { class: "en", lang: "en", "aria-hidden": "true" }, row === "main" ? en : short),
      html("span", { class: "hidden" }, betName(one.bet)),
      level < NO_ODDS_FROM && html("span", { class: "pays" }, odds(one.pays)),
      press && html("kbd", { "aria-hidden": "true" }, keys(one.bet)),
      chips.length > 0 && html("span", { class: "heaps" }, ...chips.map((heap) => chipsOf(heap, pick))),
    ];
    const state = `spot ${row}${on.includes(one.bet) ? " chosen" : ""}`;
    return press
      ? html("button", { type: "button", class: state, "data-bet": one.bet, "aria-pressed": String(on.includes(one.bet)), onclick: () => press(one.bet) }, ...inside)
      : html("div", { class: state, "data-bet": one.bet }, ...inside);
  };
  return rows(spots).map((row) => row.length > 0 && html("div", { class: `frow f${row.length}` }, ...row.map(spot))).filter(Boolean);
}

/** A patron's chips on a spot, to be settled next by pressing them. */
function chipsOf({ line, place, now, number, said }, pick) {
  const name = t(line.window ? "heap_insurance" : "heap", { patron: line.patron, bet: betName(line.bet.replace(INSURANCE, "")), cents: money(line.stake) });
  return html(
    "button",
    { type: "button", class: `heap${now ? " now" : ""}${number ? " done" : ""}`, "aria-current": now ? "true" : null, onclick: () => pick(place) },
    ...named(
      [name, said].filter(Boolean).join(", "),
      chipFace(line.stake),
      html("b", {}, line.window ? html("i", {}, betWords(line.bet).zh) : null, line.patron, " ", shortMoney(line.stake)),
      number ? html("em", {}, number) : null,
    ),
  );
}

const HIDDEN_FROM = 6;
const split = (cards) => (cards ? cards.split(" ") : []);

/** Beside its character: the hand's name in the other language of the felt. */
const inLetters = (side) => (document.documentElement.lang.startsWith("zh") ? html("span", { lang: "en" }, t(`beside_${side}`)) : html("span", {}, hand(side)));

function oneHand(side, cards, points, extra = "") {
  const disc = html("span", { class: "disc", "aria-hidden": points === "?" ? "true" : null }, points);
  return html(
    "div",
    { class: `hand ${side}` },
    html("p", { class: "hname" }, glyph(side), inLetters(side), extra),
    html("div", { class: "cardsrow" }, ...cards.map((one, place) => card(one, { across: place > 1 })), points !== "" && disc),
  );
}

/** Both hands; points where the level shows them. */
export function hands(facts, { level = 1, points = true, back = false } = {}) {
  const shows = (value) => (value === undefined ? "" : points && level < HIDDEN_FROM ? value : "?");
  const cards = (text) => split(text).map((one) => (back ? "" : one));
  return html(
    "div",
    { class: "hands" },
    oneHand("player", cards(facts.player), shows(facts.player_points)),
    oneHand("banker", cards(facts.banker), shows(facts.banker_points)),
  );
}

/** The card that comes next, where both hands are asked in one go. */
export const coming = (value) =>
  value ? html("p", { class: "coming" }, html("span", {}, t("coming")), card(value)) : null;

/** Bets as they lie. */
export function bets(lines, { now = 0, given = [], caption = t("bets"), inBoxes = false } = {}) {
  if (!lines?.length) return null;
  const boxes = inBoxes || new Set(lines.map((one) => one.box ?? 1)).size > 1;
  return html(
    "table",
    { class: "lines" },
    html("caption", { class: "eyebrow" }, caption),
    html(
      "tbody",
      {},
      ...lines.map((one, place) =>
        html(
          "tr",
          { class: now === place + 1 ? "now" : null },
          html("td", { class: "bn" }, boxes ? t("felt_box", { box: one.box ?? 1 }) : place + 1),
          html("td", {}, t("patron", { patron: one.patron }), one.seated === false && html("small", {}, ` ${t("standing")}`)),
          html("td", {}, glyph(one.bet, one.window), ` ${betText(one)}`),
          html("td", { class: "r" }, money(one.stake)),
          given.length > 0 && html("td", { class: "r" }, given[place] ?? ""),
        ),
      ),
    ),
  );
}

const betText = (one) => own("bets", one.window ? `${one.bet}-insurance` : one.bet, one.bet);

/** Limits and what else is known, as small words. */
export function facts(of) {
  const known = [
    of.minimum && t("fact_minimum", { cents: money(of.minimum) }),
    of.maximum && t("fact_maximum", { cents: money(of.maximum) }),
    of.differential && t("fact_differential", { cents: money(of.differential) }),
    of.closed && t("fact_closed"),
    of.method && t("fact_method", { method: of.method }),
    ...Object.entries(of.established ?? {}).map(([name, value]) => phrase(`fact_${name}_${value}`)),
  ].filter(Boolean);
  return known.length ? html("p", { class: "facts" }, ...known.map((one) => html("span", {}, one))) : null;
}

/** What happened, where something did. */
const caseTitle = (of) => (of.case ? html("p", { class: "case" }, caseName(of.case)) : null);

/** Cards beyond doubt, where they lie in no hand yet. */
export const loose = (of) =>
  of.cards && of.player === undefined
    ? html("div", { class: "cardsrow loose" }, ...split(of.cards).map((one) => card(one)))
    : null;

/** All that an item shows, in the order in which it is looked at; bets on the `felt` of a box where it has one. */
export const laid = (question, options = {}) =>
  [
    caseTitle(question.facts),
    question.facts.player !== undefined && question.facts.player !== "" ? hands(question.facts, { level: question.level, ...options }) : null,
    coming(question.facts.coming),
    loose(question.facts),
    facts(question.facts),
    options.felt ?? bets(question.facts.lines, { ...options, inBoxes: !!question.facts.minimum }),
    question.facts.wish && bets([question.facts.wish], { inBoxes: true, caption: t("wish") }),
  ].filter(Boolean);
