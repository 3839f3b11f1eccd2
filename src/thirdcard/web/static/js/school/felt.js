// What lies on the felt of a drill: hands, bets, limits, what was established; nothing that gives an answer away.

import { html } from "../dom.js";
import { hand, own, phrase } from "../words.js";
import { card, caseName, glyph, money, t } from "./kit.js";

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
export function bets(lines, { now = 0, given = [], caption = t("bets") } = {}) {
  if (!lines?.length) return null;
  const boxes = new Set(lines.map((one) => one.box ?? 1)).size > 1;
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
          html("td", { class: "bn" }, boxes ? (one.box ?? 1) : place + 1),
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
    ...Object.entries(of.established ?? {}).map(([name, value]) => phrase(`fact_${name}_${value}`.replaceAll("-", "_"))),
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
    options.felt ?? bets(question.facts.wish ? [...question.facts.lines, question.facts.wish] : question.facts.lines, options),
  ].filter(Boolean);
