// What a spot is, beside it: what wins with cards to look at, what it pays, how often it comes and came in this shoe.

import { get } from "./api.js";
import { $, button, html, svg } from "./dom.js";
import { closing } from "./panels.js";
import { wide } from "./stage.js";
import { table } from "./state.js";
import { alarm, citations } from "./tellers.js";
import { bet as betWords, cardName, hand, language, money, percent, t } from "./words.js";

// What is told of the bets: asked for once, and how figures and examples of them look.

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

const GAP = 12;
let open = null; // { spot, panel, leader }

/** Show the help on a spot, wherever it is and whosever. */
export async function explain(spot) {
  close();
  const name = spot.dataset.bet;
  const panel = html("aside", { class: "spot-help", role: "dialog", "aria-labelledby": "spot-help-name", tabindex: "-1" });
  open = { spot, panel, leader: leaderOver() };
  const mine = open;
  spot.classList.add("helped");
  try {
    const [told, hits] = await Promise.all([lessons(), get(`/api/tables/${table.id}/hits`)]);
    if (open !== mine) return;
    panel.append(...content(name, told[name], hits));
  } catch {
    close();
    alarm(t("lost"));
    return;
  }
  document.body.append(open.leader, panel);
  lay();
  panel.focus();
}

export function close() {
  if (!open) return;
  const { spot, panel, leader } = open;
  open = null;
  spot.classList.remove("helped");
  const had = panel.contains(document.activeElement);
  panel.remove();
  leader.remove();
  if (had && spot.isConnected) spot.focus();
}

document.addEventListener("make-way", close);

// What is said --------------------------------------------------------------------------------------------------

function content(name, told, hits) {
  const { zh, side } = betWords(name);
  return [
    html(
      "header",
      {},
      html("i", { class: `zh ${side}`, lang: "zh-Hant", "aria-hidden": "true" }, zh),
      html("h2", { id: "spot-help-name" }, told.name),
      closing(close),
    ),
    ...(told.offers ? insurance(told) : bet(name, told, hits)),
  ];
}

function bet(name, told, hits) {
  const shown = html("div");
  const show = (tier) => shown.replaceChildren(...way(tier, told));
  const limit = table.seen.limits[name];
  show(told.tiers[0]);
  return [
    told.tiers.length > 1 && ways(told.tiers, show),
    shown,
    figures(told, limit),
    thisShoe(hits, hits.bets[name] ?? []),
    html("p", { class: "fine" }, t("help_fresh", { decks: table.seen.house.decks })),
    html("footer", {}, limit && html("span", {}, limits(limit)), why([...told.rules, ...told.tiers.flatMap((tier) => tier.rules), ...(told.pushes ?? []).flatMap((push) => push.rules)])),
  ].filter(Boolean);
}

const limits = ({ min, max }) => t("help_limits", { min: money(min), max: max === null ? "∞" : money(max) });

/** One way to win with a round that shows it, and when the stake comes back. */
const way = (tier, told) => [
  html("p", { class: "when" }, `${t("help_wins")} `, html("b", {}, tier.when)),
  ...(told.pushes ?? []).map((push) => html("p", { class: "push" }, t("help_push", { when: push.when }))),
  tier.hands.length ? example(tier) : "",
];

/** Where a bet pays in several ways: each, with what it pays and how often it comes. */
function ways(tiers, show) {
  const choose = (chosen) => {
    for (const [n, one] of [...list.children].entries()) one.setAttribute("aria-pressed", String(n === chosen));
    show(tiers[chosen]);
  };
  const list = html(
    "div",
    { class: "ways", role: "group", "aria-label": t("help_ways") },
    tiers.map((tier, n) =>
      button("", () => choose(n), { "aria-pressed": String(n === 0) }, html("b", {}, tier.pays), html("small", {}, chance(tier.chance))),
    ),
  );
  return list;
}

function figures(told, limit) {
  const stake = limit?.min ?? 1000;
  const [first, last] = [told.tiers[0].pays, told.tiers.at(-1).pays];
  const rows = [
    [t("help_pays"), told.tiers.length > 1 && first !== last ? t("help_several") : first],
    [t("help_chance"), chance(told.win)],
    [t("help_edge"), edge(told.edge)],
    [t("help_back", { stake: money(stake) }), money(Math.round(stake * (1 - told.edge)))],
  ];
  return html("dl", { class: "figures" }, rows.map(([label, value]) => html("div", {}, html("dt", {}, label), html("dd", {}, value))));
}

/** One mark for every round of the shoe, those that won filled. */
function thisShoe({ rounds }, places) {
  if (!rounds) return html("p", { class: "shoe-hits" }, t("help_no_rounds"));
  const marks = Array.from({ length: rounds }, (_, n) => html("i", { class: places.includes(n + 1) ? "hit" : "" }));
  return html(
    "div",
    { class: "shoe-hits" },
    html("p", {}, t("help_shoe", { hits: places.length, rounds })),
    html("div", { class: "marks", "aria-hidden": "true" }, marks),
  );
}

/** The paragraphs it rests on, when somebody asks for them. */
function why(rules) {
  const cites = html("span", { hidden: true }, citations([...new Set(rules)]));
  const ask = button("quiet", () => {
    cites.hidden = !cites.hidden;
    ask.setAttribute("aria-expanded", String(!cites.hidden));
  }, { class: "btn quiet why", "aria-expanded": "false" }, t("help_why"));
  return html("span", { class: "reasons" }, cites, ask);
}

function insurance(told) {
  const head = ["help_own", "help_other", "help_pays", "help_chance", "help_edge"].map((key) => html("th", { scope: "col" }, t(key)));
  const rows = told.offers.map((offer) =>
    html("tr", {}, [offer.own, offer.other, offer.pays, chance(offer.win), edge(offer.edge)].map((cell) => html("td", {}, String(cell)))),
  );
  return [
    html("p", { class: "when" }, t("help_insurance")),
    html(
      "div",
      { class: "scrolls", tabindex: "0", role: "region", "aria-label": told.name },
      html("table", {}, html("thead", {}, html("tr", {}, head)), html("tbody", {}, rows)),
    ),
    html("p", { class: "fine" }, t("help_fresh", { decks: table.seen.house.decks })),
    html("footer", {}, html("span"), why(told.rules)),
  ];
}

// Where it stands ---------------------------------------------------------------------------------------------

const leaderOver = () => svg("svg", { class: "leader", "aria-hidden": "true" });

function lay() {
  if (!open) return;
  const { spot, panel } = open;
  const at = spot.getBoundingClientRect();
  if (wide.matches) beside(panel, at);
  else sheet(panel, at);
}

/** In the corner of the stage that is farthest from the spot's own place, with a line that leads to it. */
function beside(panel, at) {
  const stage = $(".stage").getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const left = stage.left + GAP;
  const right = stage.right - GAP - width;
  const top = stage.top + GAP;
  const bottom = Math.max(top, stage.bottom - GAP - height);
  const middle = at.left + at.width / 2;
  const [near, far] = middle > stage.left + stage.width * 0.62 ? [left, right] : [right, left];
  const places = [[near, top], [far, top], [near, bottom], [far, bottom]];
  const [x, y] = places.find((place) => apart(place, width, height, at)) ?? places[0];
  panel.style.left = `${x}px`;
  panel.style.top = `${y}px`;
  lead(new DOMRect(x, y, width, height), at);
}

/** @type {(place: number[], width: number, height: number, at: DOMRect) => boolean} */
const apart = ([x, y], width, height, at) =>
  x + width + GAP < at.left || x > at.right + GAP || y + height + GAP < at.top || y > at.bottom + GAP;

/** From the edge of the panel to the nearest point of the spot. */
function lead(panel, at) {
  const into = (value, low, high) => Math.min(Math.max(value, low), high);
  const [cx, cy] = [at.left + at.width / 2, at.top + at.height / 2];
  const [x, y] = [into(cx, panel.left, panel.right), into(cy, panel.top + 24, panel.bottom - 24)];
  const [ex, ey] = [into(x, at.left + 8, at.right - 8), into(y, at.top + 8, at.bottom - 8)];
  open.leader.replaceChildren(
    svg("path", { d: `M${x} ${y}Q${(x + ex) / 2} ${ey < y ? ey : y} ${ex} ${ey}` }),
    svg("circle", { cx: ex, cy: ey, r: 4.5 }),
  );
}

/** On narrow screens a sheet above or below, as high as there is room without covering the spot. */
function sheet(panel, at) {
  const above = at.top - GAP;
  const below = innerHeight - at.bottom - GAP;
  const under = below >= above;
  panel.classList.add("sheet");
  panel.classList.toggle("under", under);
  panel.style.maxHeight = `${Math.max(under ? below : above, 160)}px`;
  open.leader.replaceChildren();
}

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    close();
  },
  true,
);
document.addEventListener("pointerdown", ({ target }) => open && !open.panel.contains(target) && close(), true);
addEventListener("resize", () => open && lay());
