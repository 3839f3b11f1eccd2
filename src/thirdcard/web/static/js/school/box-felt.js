// The felt of one box: the spots of a layout where they lie. They can be pressed where the winning ones are asked for, and
// chips lie on them where a box is paid. Odds are printed below level 4 and nowhere above.

import { get } from "../api.js";
import { pieces } from "../chips.js";
import { html, named, svg } from "../dom.js";
import { betName, bet as betWords, money, odds, shortMoney } from "../words.js";
import { root, t } from "./kit.js";

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
