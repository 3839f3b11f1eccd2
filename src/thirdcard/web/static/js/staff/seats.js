// The boxes as the dealer sees them, box 1 at the right: who sits there, what lies there, how far the two hands are
// apart, what has to be cleared. Beneath them the hands, or what a step puts there.

import { $, html, icon, svg } from "../dom.js";
import { table } from "../state.js";
import { bet, betName } from "../words.js";
import { desk } from "./desk.js";
import { beside } from "./parts.js";
import { cardRow, glyph, hand, money, t } from "./say.js";
import { announcement } from "./spoken.js";
import { below } from "./between.js";
import { lay, redraw } from "./steps.js";
import { pieces } from "../chips.js";

const HANDS = ["player", "banker"];
const SHELF = "boxes-turned"; // remembered by the browser: seen as the players see it
const sheet = $("#staff").dataset.cards;
/** @type {Set<number>} */
const unfolded = new Set(); // boxes whose side bets are shown where there is little room

let turned = localStorage.getItem(SHELF) === "yes";

const sum = (stakes) => stakes.reduce((total, one) => total + one.cents, 0);
/** Chips on the layout: none any more when everybody has been paid. */
export const stakes = () => (desk.seen?.payouts?.done || table.seen.phase === "void" ? [] : table.seen.stakes);
export const stakesIn = (box) => stakes().filter((one) => one.box === box);
const on = (stakes, name) => stakes.filter((one) => one.bet === name);

/** The boxes from left to right. */
export function boxes() {
  const all = Array.from({ length: table.seen.positions }, (_, place) => place + 1);
  return turned ? all : all.reverse();
}

/** The box somebody sits at, or has chips in; 0 if neither. */
export const boxOf = (player) =>
  Number(Object.entries(table.seen.seats).find(([, name]) => name === player)?.[0] ?? 0) ||
  (table.seen.stakes.find((one) => one.player === player)?.box ?? 0);

export const seated = (player) => Object.values(table.seen.seats).includes(player);

/** Names with what a dealer calls a walk-in by. */
export const described = new Map();

/** The felt: heading, boxes, and `below` them. */
export function showFelt(place, step) {
  place.hidden = !!step?.whole;
  if (place.hidden) return;
  const parts = (place.parts ??= {
    head: html("div", { class: "tfh" }),
    boxes: html("div", { class: "boxes" }),
    below: html("div", { class: "below" }),
  });
  lay(parts.head, ...heading(step));
  const shown = boxes();
  const wide = shown.length > 8 ? 8 : shown.length;
  const many = shown.length > 8 ? ` many${table.seen.cards.length ? " compact" : ""}` : "";
  parts.boxes.className = `boxes${wide > 6 ? ` b${wide}` : ""}${many}`;
  lay(parts.boxes, ...shown.map((box) => tile(box, step)));
  if (parts.step !== step) parts.below.replaceChildren();
  parts.step = step;
  if (step?.hands) step.hands(parts.below);
  else lay(parts.below, ...(step?.below?.() ?? lying(step)));
  lay(place, parts.head, parts.boxes, parts.below);
}

/** The hands, or the roads while there are none; and what is said. */
const lying = (step) => [...(table.seen.cards.length ? [hands()] : below()), announcement(step?.says?.())];

function heading(step) {
  const told = step?.head?.() ?? [html("b", {}, t("boxes")), overview()];
  return [
    ...told,
    html(
      "button",
      { class: "link", type: "button", "aria-pressed": String(turned), onclick: turn },
      icon("swap"),
      t(turned ? "seen_by_players" : "seen_by_dealer"),
    ),
  ];
}

function turn() {
  turned = !turned;
  localStorage.setItem(SHELF, turned ? "yes" : "no");
  redraw();
}

function overview() {
  const { seats, positions } = table.seen;
  const standing = new Set(stakes().filter((one) => !one.seated).map((one) => one.player)).size;
  const facts = { taken: Object.keys(seats).length, of: positions, standing, cents: money(sum(stakes())) };
  return html("span", {}, t("boxes_taken", facts));
}

// A box -------------------------------------------------------------------------------------------------------

function tile(box, step) {
  const name = table.seen.seats[box];
  const stakes = stakesIn(box);
  const flags = (desk.seen?.flags ?? []).filter((one) => one.box === box);
  const ring = step?.ring?.() === box;
  if (!name && !stakes.length) return openBox(box, step);
  const state = [flags.length ? "flagged" : "", ring ? "cur" : "", unfolded.has(box) ? "open" : ""];
  return html(
    "article",
    { class: ["bx", ...state].filter(Boolean).join(" "), "data-box": box },
    html(
      "header",
      {},
      html("b", { class: "bn" }, box),
      html("span", {}, name ?? t("box_open"), html("small", {}, name ? kindOf(name) : t("standing_only"))),
      html("button", { class: "pick", type: "button", "aria-label": t("pick_box", { box }), onclick: () => pick(box) }),
    ),
    step?.key === "betting" && stack(stakes),
    html("div", { class: "pb" }, ...HANDS.map((hand) => total(hand, sum(on(stakes, hand))))),
    html("p", { class: "sd" }, ...sides(stakes, name)),
    html("p", { class: "st" }, ...others(stakes, name)),
    html("div", { class: "bxfoot" }, ...foot(box, stakes, step), ...flags.map(flagged)),
  );
}

function openBox(box, step) {
  return html(
    "article",
    { class: "bx empty", "data-box": box },
    html("header", {}, html("b", { class: "bn" }, box), html("span", {}, t("box_open"))),
    step?.seat
      ? html(
          "button",
          { class: "btn sm seatbtn", type: "button", onclick: () => step.seat(box) },
          icon("seat"),
          t("seat_patron"),
        )
      : null,
  );
}

/** What somebody is at the table, in a word or by the description that staff gave. */
export function kindOf(name) {
  if (table.seen.gone.includes(name)) return t("has_left");
  const told = described.get(name);
  if (name.startsWith("W-")) return told ? t("walk_in_as", { text: told }) : t("walk_in");
  return t("seated_here");
}

const total = (hand, cents) =>
  html("span", { class: cents ? "" : "z" }, glyph(hand), html("b", {}, cents ? money(cents) : "–"));

function sides(stakes, name) {
  const rest = stakes.filter((one) => one.player === name && !HANDS.includes(one.bet));
  return rest.flatMap((one) => [html("span", {}, glyph(one.bet), ` ${money(one.cents)}`), " "]);
}

function others(stakes, name) {
  const standing = stakes.filter((one) => one.player !== name);
  return [...new Set(standing.map((one) => one.player))].flatMap((player) => [
    player,
    " ",
    ...standing
      .filter((one) => one.player === player)
      .flatMap((one) => [glyph(one.bet), " ", html("b", {}, money(one.cents)), " "]),
  ]);
}

function foot(box, stakes, step) {
  const told = step?.answers?.(box);
  if (told) return [told].flat();
  const insured = table.seen.purchases.filter((one) => one.box === box);
  if (insured.length) return insured.map(insurance);
  return stakes.length ? [meter(stakes)].filter(Boolean) : [];
}

/** Insurance that somebody has bought. */
export const insurance = ({ player, cents }) =>
  html("div", { class: "ansx yes" }, icon("shield"), `${player} ${money(cents)}`);

/** How far Player and Banker are apart in a box, against what the table allows. */
function meter(stakes) {
  const cap = table.seen.differential;
  if (!cap) return null;
  const [player, banker] = HANDS.map((hand) => sum(on(stakes, hand)));
  const apart = Math.abs(player - banker);
  const wide = Math.min(120, (apart / cap) * 100);
  return html(
    "div",
    { class: apart > cap ? "dm over" : "dm" },
    svg(
      "svg",
      { viewBox: "0 0 120 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "track", width: 120, height: 8, rx: 4 }),
      svg("rect", { class: player > banker ? "player" : "banker", width: wide, height: 8, rx: 4 }),
      svg("path", { class: "lim", d: "M100 0V8" }),
    ),
    html("span", {}, money(apart), html("i", {}, ` ${t("of_most", { cents: money(cap) })}`)),
  );
}

/** Chips on both hands of a box, as stacks. */
function stack(stakes) {
  const towers = HANDS.flatMap((hand, side) => {
    const cents = sum(on(stakes, hand));
    return cents ? tower(28 + side * 62, pieces(cents)) : [];
  });
  return svg("svg", { class: "stk", viewBox: "0 0 120 58", "aria-hidden": "true" }, ...towers);
}

function tower(middle, faces) {
  const size = 38;
  return faces.map((face, level) =>
    svg("use", {
      href: `${sheet}#chip-${face}`,
      x: middle - size / 2,
      y: 18 - level * 3.6,
      width: size,
      height: size,
    }),
  );
}

/** What has to be cleared, in short. */
export const flagged = (flag) => html("div", { class: "fl" }, icon("alert"), html("span", {}, flagWords(flag)));

export function flagWords(flag) {
  const facts = { cents: money(flag.cents), bet: flag.bet ? betName(flag.bet) : "", player: flag.players[0] ?? "" };
  return t(`flag_${flag.kind.replaceAll("-", "_")}`, facts);
}

const picked = [];
/** Call `take` with the number of a box that was tapped. */
export const onPick = (take) => picked.push(take);

function pick(box) {
  if (unfolded.has(box)) unfolded.delete(box);
  else unfolded.add(box);
  for (const take of picked) take(box);
  redraw();
}

// The hands ---------------------------------------------------------------------------------------------------

/** Both hands with what is said of each, an empty place where a third card is due, and cards that came out besides. */
export function hands() {
  const { cards, points, settlement } = table.seen;
  const due = desk.seen?.next;
  return html(
    "div",
    { class: "hands" },
    ...HANDS.map((side) => {
      const mine = cards.filter((one) => one.hand === side);
      const holder = mine.find((one) => one.held_by && !one.exposed)?.held_by;
      const row = cardRow(mine.map((one) => one.card));
      if (due?.place > 4 && due.hand === side) row.append(html("span", { class: "slot" }));
      return html(
        "div",
        { class: settlement?.outcome === side ? "hh wins" : "hh" },
        html(
          "h2",
          { class: "hl" },
          html("span", { class: `zh ${side}`, lang: "zh-Hant" }, bet(side).zh),
          hand(side) !== bet(side).zh && html("span", {}, hand(side)),
          html("b", {}, points[side] ?? (mine.length ? "?" : "–")),
          html("small", {}, holder ? t("held_by", { player: holder }) : stance(side, mine)),
        ),
        row,
      );
    }),
    ...beside(desk.seen?.cases ?? []),
  );
}

/** Whether a hand stands or draws, as far as the points tell. */
function stance(side, mine) {
  const { cards, points, phase } = table.seen;
  if (phase !== "dealing" || cards.length < 4 || points.player === null || points.banker === null) return "";
  const due = desk.seen?.next.hand;
  if (mine.length > 2) return "";
  if (due === side) return t("hand_draws");
  return due && side === "player" ? t("hand_stands") : "";
}
