// What is told of the bets: asked for once, and how figures and examples of them look.

import { get } from "./api.js";
import { html, svg } from "./dom.js";
import { table } from "./state.js";
import { cardName, hand, language, percent, t } from "./words.js";

/** @type {Promise<Record<string, SpotHelp>>} */
let told = null;

/** What every spot of this table is, by bet. */
export function lessons() {
  told ??= get(`/api/tables/${table.id}/help?lang=${language}`).catch((error) => {
    told = null; // to be asked again
    throw error;
  });
  return told;
}

const SELDOM = 0.1; // what comes less often is told as one in so many

export const chance = (part) =>
  part >= SELDOM ? percent(part, 1) : part > 0 ? t("help_one_in", { n: Math.round(1 / part).toLocaleString("en") }) : "0";

/** A house edge: with two figures that tell something. */
export const edge = (part) => percent(part, Math.abs(part) < SELDOM ? 2 : 1);

/** A round that shows a result: both hands with their points, the one that wins in gold. */
export const example = ({ hands, winner }) =>
  html(
    "div",
    { class: "example" },
    hands.map((one, side) => exampleHand(one, ["player", "banker"][side], winner)),
  );

function exampleHand({ cards, points }, name, winner) {
  const said = t("help_hand", { hand: hand(name), cards: cards.map((card) => cardName(card)).join(", "), points });
  return html(
    "div",
    { class: `of ${name}${name === winner ? " won" : ""}`, role: "img", "aria-label": said },
    html("b", {}, hand(name)),
    html("span", { class: "cards" }, cards.map(picture)),
    html("em", {}, String(points)),
  );
}

const picture = (card) =>
  svg("svg", { viewBox: "0 0 100 140", "aria-hidden": "true" }, svg("use", { href: `#small-${card}` }));
