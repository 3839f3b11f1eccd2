// The boxes as the dealer sees them, box 1 at the right: who sits there, what lies there, how far the two hands are
// apart, what has to be cleared. Beneath them the hands, or what a step puts there.

import { pieces } from "../chips.js";
import { $ } from "../dom.js";
import { draw, html, icon, svg } from "../draw.js";
import { HANDS } from "../facts.js";
import { table } from "../state.js";
import { betName } from "../words.js";
import { below } from "./between.js";
import { desk } from "./desk.js";
import { beside, handOf } from "./parts.js";
import { glyph, hand, money, t } from "./say.js";
import { announcement, redraw } from "./steps.js";

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
  const shown = boxes();
  const wide = shown.length > 8 ? 8 : shown.length;
  const many = shown.length > 8 ? ` many${table.seen.cards.length ? " compact" : ""}` : "";
  draw(
    place,
    html`<div class="tfh">${heading(step)}</div>`,
    html`<div class="boxes${wide > 6 ? ` b${wide}` : ""}${many}">${shown.map((box) => tile(box, step))}</div>`,
    html`<div class="below">${step?.hands?.() ?? step?.below?.() ?? lying(step)}</div>`,
  );
}

/** The hands, or the roads while there are none; and what is said. */
const lying = (step) => [...(table.seen.cards.length ? [hands()] : below()), announcement(step?.says)];

function heading(step) {
  const told = step?.head?.() ?? [html`<b>${t("boxes")}</b>`, overview()];
  return [
    ...told,
    html`<button class="link" type="button" aria-pressed=${String(turned)} @click=${turn}>
      ${icon("swap")}${t(turned ? "seen_by_players" : "seen_by_dealer")}
    </button>`,
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
  return html`<span>${t("boxes_taken", facts)}</span>${ofTable() && stakes().length > 0 && meter(stakes())}`;
}

// A box -------------------------------------------------------------------------------------------------------

function tile(box, step) {
  const name = table.seen.seats[box];
  const stakes = stakesIn(box);
  const flags = (desk.seen?.flags ?? []).filter((one) => one.box === box);
  const ring = step?.ring?.() === box;
  if (!name && !stakes.length) return openBox(box, step);
  const state = [flags.length ? "flagged" : "", ring ? "cur" : "", unfolded.has(box) ? "open" : ""];
  return html`<article class=${["bx", ...state].filter(Boolean).join(" ")} data-box=${box}>
    <header>
      <b class="bn">${box}</b>
      <span>${name ?? t("box_open")}<small>${name ? kindOf(name) : t("standing_only")}</small></span>
      <button class="pick" type="button" aria-label=${t("pick_box", { box })} @click=${() => pick(box)}></button>
    </header>
    ${step?.key === "betting" && stack(stakes)}
    <div class="pb">${HANDS.map((hand) => total(hand, sum(on(stakes, hand))))}</div>
    <p class="sd">${sides(stakes, name)}</p>
    <p class="st">${others(stakes, name)}</p>
    <div class="bxfoot">${foot(box, stakes, step)}${flags.map(flagged)}</div>
  </article>`;
}

function openBox(box, step) {
  return html`<article class="bx empty" data-box=${box}>
    <header><b class="bn">${box}</b><span>${t("box_open")}</span></header>
    ${step?.seat && html`<button class="btn sm seatbtn" type="button" @click=${() => step.seat(box)}>
      ${icon("seat")}${t("seat_patron")}
    </button>`}
  </article>`;
}

/** What somebody is at the table, in a word or by the description that staff gave. */
export function kindOf(name) {
  if (table.seen.gone.includes(name)) return t("has_left");
  const told = described.get(name);
  if (name.startsWith("W-")) return told ? t("walk_in_as", { text: told }) : t("walk_in");
  return t("seated_here");
}

const total = (hand, cents) =>
  html`<span class=${cents ? "" : "z"}>${glyph(hand)}<b>${cents ? money(cents) : "–"}</b></span>`;

function sides(stakes, name) {
  const rest = stakes.filter((one) => one.player === name && !HANDS.includes(one.bet));
  return rest.flatMap((one) => [html`<span>${glyph(one.bet)}${` ${money(one.cents)}`}</span>`, " "]);
}

function others(stakes, name) {
  const standing = stakes.filter((one) => one.player !== name);
  return [...new Set(standing.map((one) => one.player))].flatMap((player) => [
    player,
    " ",
    ...standing
      .filter((one) => one.player === player)
      .flatMap((one) => [glyph(one.bet), " ", html`<b>${money(one.cents)}</b>`, " "]),
  ]);
}

function foot(box, stakes, step) {
  const told = step?.answers?.(box);
  if (told) return [told].flat();
  const insured = table.seen.purchases.filter((one) => one.box === box);
  if (insured.length) return insured.map(insurance);
  return stakes.length && !ofTable() ? [meter(stakes)].filter(Boolean) : [];
}

/** Insurance that somebody has bought. */
export const insurance = ({ player, cents }) =>
  html`<div class="ansx yes">${icon("shield")}${`${player} ${money(cents)}`}</div>`;

/** Whether the differential is that of the whole table, not of each box. */
const ofTable = () => table.seen.house.differential_scope === "table";

/** How far Player and Banker are apart, against what the table allows. */
function meter(stakes) {
  const cap = table.seen.differential;
  if (!cap) return null;
  const [player, banker] = HANDS.map((hand) => sum(on(stakes, hand)));
  const apart = Math.abs(player - banker);
  const wide = Math.min(120, (apart / cap) * 100);
  return html`<div class=${apart > cap ? "dm over" : "dm"}>
    <svg viewBox="0 0 120 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="120" height="8" rx="4"></rect>
      <rect class=${player > banker ? "player" : "banker"} width=${wide} height="8" rx="4"></rect>
      <path class="lim" d="M100 0V8"></path>
    </svg>
    <span>${money(apart)}<i>${` ${t("of_most", { cents: money(cap) })}`}</i></span>
  </div>`;
}

/** Chips on both hands of a box, as stacks. */
function stack(stakes) {
  const towers = HANDS.flatMap((hand, side) => {
    const cents = sum(on(stakes, hand));
    return cents ? tower(28 + side * 62, pieces(cents)) : [];
  });
  return html`<svg class="stk" viewBox="0 0 120 58" aria-hidden="true">${towers}</svg>`;
}

function tower(middle, faces) {
  const size = 38;
  return faces.map((face, level) =>
    svg`<use href="${sheet}#chip-${face}" x=${middle - size / 2} y=${18 - level * 3.6} width=${size} height=${size}></use>`,
  );
}

/** What has to be cleared, in short. */
export const flagged = (flag) => html`<div class="fl">${icon("alert")}<span>${flagWords(flag)}</span></div>`;

export function flagWords(flag) {
  const facts = { cents: money(flag.cents), bet: flag.bet ? betName(flag.bet) : "", player: flag.players[0] ?? "" };
  return t(`flag_${flag.kind}`, facts);
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
  const due = desk.seen?.next;
  return html`<div class="hands">
    ${HANDS.map((side) => {
      const slot = due?.place > 4 && due.hand === side && html`<span class="slot"></span>`;
      const kind = table.seen.settlement?.outcome === side ? "hh wins" : "hh";
      return handOf(side, hand(side), { kind, told: stance(side), slot });
    })}
    ${beside(desk.seen?.cases ?? [])}
  </div>`;
}

/** Whether a hand stands or draws, as far as the points tell. */
function stance(side) {
  const { cards, points, phase } = table.seen;
  if (phase !== "dealing" || cards.length < 4 || points.player === null || points.banker === null) return "";
  const due = desk.seen?.next.hand;
  if (cards.filter((one) => one.hand === side).length > 2) return "";
  if (due === side) return t("hand_draws");
  return due && side === "player" ? t("hand_stands") : "";
}
