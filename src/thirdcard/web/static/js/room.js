// How much still fits on a spot, what keeps the rest off, and what has to come back before the close.

import { $, html } from "./dom.js";
import { HANDS } from "./facts.js";
import { mine, rack, stakeOn, table } from "./state.js";
import { acts, alarm, citations } from "./tellers.js";

// Short words on a spot: what is the most there, what went back and why. They stand for some seconds.

const SHOWN_MS = 4000;

/** Where a spot's words go: over its right half, inside the window. */
export function beside(box, spot, { low = false } = {}) {
  const place = spot.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const large = place.width > 260;
  const x = large ? place.x + place.width * 0.72 - width / 2 : place.x + (place.width - width) / 2;
  const y = low && !large ? place.bottom - height - 4 : place.y + (place.height - height) / 2;
  box.style.left = `${Math.min(Math.max(x, 4), innerWidth - width - 4)}px`;
  box.style.top = `${Math.max(y, 4)}px`;
}

/** Say something on a spot, with the paragraphs behind it and what can be done, if there are any. */
export function note(spot, text, { rules = [], ms = SHOWN_MS, remedies = [] } = {}) {
  $(".spot-note")?.remove();
  const act = remedies.length > 0 && acts(remedies, () => box.remove());
  const box = html("div", { class: "spot-note" }, text, rules.length > 0 && [" ", citations(rules)], act);
  document.body.append(box);
  beside(box, spot);
  alarm(text);
  setTimeout(() => box.remove(), ms);
}

const sum = (stakes) => stakes.reduce((cents, stake) => cents + stake.cents, 0);

/** Stakes on the two hands that one differential is about: those of a box, or all of the table. */
function balanced(at) {
  const { stakes, house } = table.seen;
  const sent = table.sent.map((one) => ({ ...one, player: table.me, seated: table.seen.seats[one.box] === table.me, order: Infinity }));
  return [...stakes, ...sent].filter(
    (one) => HANDS.includes(one.bet) && (house.differential_scope === "table" || one.box === at),
  );
}

/** How much more the differential leaves me on a hand; Infinity where it says nothing. */
function differentialRoom(at, bet) {
  const { differential, seats, house } = table.seen;
  if (differential === null || !HANDS.includes(bet)) return Infinity;
  const seated = seats[at] === table.me;
  const gives = (one) => house.differential_scope !== "table" && seated && !one.seated; // who stands gives way
  const found = balanced(at);
  const against = sum(found.filter((one) => one.bet !== bet));
  const same = found.filter((one) => one.bet === bet && (one.player === table.me || !gives(one)));
  return Math.max(against + differential - sum(same), 0);
}

const pending = (at, bet) => sum(table.sent.filter((one) => one.box === at && one.bet === bet));

/** What each bound leaves on a spot; `spare` chips are about to come back into the rack. */
function bounds(at, bet, spare = 0) {
  const most = table.seen.limits[bet]?.max ?? Infinity;
  return {
    maximum: most - stakeOn(at, bet) - pending(at, bet),
    differential: differentialRoom(at, bet),
    rack: rack() + spare - sum(table.sent),
  };
}

const whole = (cents) => Math.max(cents - (cents % table.seen.house.chip_unit), 0);

/** The most that still fits on a spot. */
export const mostHere = (at, bet) => whole(Math.min(...Object.values(bounds(at, bet))));

/** How much of `cents` fits, and what keeps the rest off: `maximum`, `differential` or `rack`; nothing if all fits. */
export function fitting(at, bet, cents, spare = 0) {
  const found = Object.entries(bounds(at, bet, spare)).sort(([, a], [, b]) => a - b);
  const [why, most] = found[0];
  return most >= cents ? { fits: cents, why: "" } : { fits: whole(most), why };
}

/** My chips that would go back at the close if nothing changed: `{ box, bet, cents }` each. */
export function tooMuch() {
  const { differential, house, limits } = table.seen;
  if (differential === null || house.differential_scope !== "table") return [];
  const found = balanced(0);
  const on = (bet) => sum(found.filter((one) => one.bet === bet));
  const heavier = on("player") > on("banker") ? "player" : "banker";
  let excess = Math.abs(on("player") - on("banker")) - differential;
  const back = [];
  for (const stake of found.filter((one) => one.bet === heavier).sort((a, b) => b.order - a.order)) {
    if (excess <= 0) break;
    const least = limits[heavier]?.min ?? 0;
    const cents = stake.cents - excess >= least ? Math.ceil(excess / house.chip_unit) * house.chip_unit : stake.cents;
    if (stake.player === table.me) back.push({ box: stake.box, bet: heavier, cents });
    excess -= cents;
  }
  return back.filter((one) => mine().some((stake) => stake.box === one.box && stake.bet === one.bet));
}
