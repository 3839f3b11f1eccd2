// What a board and a table are told by the house: limits as they are and as they come, and its own sentences.

import { $, $$, html } from "./dom.js";
import { on, table } from "./state.js";
import { bet, betName, money, t } from "./words.js";

const MOST_NAMED = 4; // bets of a line of limits; of more it is said how many
const sentences = JSON.parse($("#table").dataset.sentences);

/** What the public is told now: a sentence of the house by its key, or nothing. */
export function saying() {
  const { house } = table.seen;
  if (house.closed) return "closed";
  return house.saying || (house.dealer_there ? "" : "dealer-coming");
}

/** A sentence in the page's language and in the one beside it. */
export const sentence = (key) => sentences[key];

/** Keep the limits as they are, wherever a page shows them. */
export function watchLimits() {
  on("limits differential house", () => {
    for (const place of $$("[data-limits]")) showLimits(place);
    for (const place of $$("[data-comes]")) showComing(place);
    for (const place of $$("[data-notice]")) showNotice(place);
  });
}

const range = ({ min, max }) => `${money(min)} – ${max === null ? "∞" : money(max)}`;

/** Bets that share their limits, in the order of the felt. */
function groups(order, limits) {
  const found = new Map();
  for (const name of order.filter((one) => limits[one])) {
    const key = range(limits[name]);
    found.set(key, [...(found.get(key) ?? []), name]);
  }
  return [...found];
}

function names(group, all) {
  if (group.length === all && all > MOST_NAMED) return [t("every_bet")];
  const more = group.length - MOST_NAMED;
  const glyphs = group.slice(0, MOST_NAMED).flatMap((name) => {
    const { side, zh } = bet(name);
    return [html("span", { class: `zh ${side}`, lang: "zh-Hant" }, zh), " "];
  });
  return [...glyphs, more > 0 && `+${more}`];
}

function showLimits(place) {
  const { limits, differential } = table.seen;
  const order = JSON.parse(place.dataset.limits);
  const key = JSON.stringify([limits, differential]);
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  const lines = groups(order, limits).flatMap(([said, group]) => [
    html("dt", { title: group.map(betName).join(", ") }, ...names(group, order.length)),
    html("dd", {}, said),
  ]);
  if (differential) lines.push(html("dt", {}, t("differential")), html("dd", {}, money(differential)));
  place.replaceChildren(...lines);
}

/** What the limits will be, with the round from which on. */
function showComing(place) {
  const coming = table.seen.house.next_limits;
  place.hidden = !coming;
  if (!coming) return;
  const order = JSON.parse($("[data-limits]").dataset.limits);
  const otherwise = groups(order, coming.limits).filter(([said, group]) => group.some((name) => said !== range(table.seen.limits[name])));
  const lines = otherwise.map(([said, group]) => html("span", {}, ...names(group, order.length), said));
  if (coming.differential !== table.seen.differential) lines.push(html("span", {}, t("differential"), " ", money(coming.differential ?? 0)));
  place.replaceChildren(html("b", {}, t("limits_from", { round: coming.since })), ...lines);
}

/** By which version of the rules the table will be played, and when: in the page's language and the one beside it. */
function showNotice(place) {
  const coming = table.seen.house.next_rules;
  place.hidden = !coming;
  const own = document.documentElement.lang;
  const both = coming ? [own, own === "en" ? "zh-Hant" : "en"] : [];
  place.replaceChildren(...both.map((lang) => html("span", { lang }, coming.notice[lang])));
}
