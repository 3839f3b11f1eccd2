// Bets: placing, taking back, clearing, repeating, doubling. What is asked shows as sent until it is answered.

import { command } from "./api.js";
import { refresh } from "./options.js";
import { box, mine, on, option, table, tell } from "./state.js";
import { refuse } from "./tellers.js";

const FACES = [5, 10, 50, 100, 500, 1000, 5000, 10000, 100000];
const CHIPS = 6;
const WAIT_MS = 3000;

let trail = []; // own placings of this round, the last one last
let before = []; // own bets of the round before
let of = null; // the round that the trail is of

const hand = { cents: Number(localStorage.getItem("chip")) || 0 };

/** Six chips that fit the limits, in cents. */
export function chips() {
  const { limits, house } = table.seen;
  const least = Math.min(...Object.values(limits).map((limit) => limit.min ?? 0));
  const most = Math.max(...Object.values(limits).map((limit) => limit.max ?? Infinity));
  const cents = FACES.map((face) => face * 100).filter((chip) => chip % house.chip_unit === 0 && chip <= most);
  const enough = cents.filter((chip) => chip >= least);
  return (enough.length ? enough : cents).slice(0, CHIPS);
}

/** The chip in hand; one of those that fit, whatever this browser remembers. */
export function held() {
  const fits = chips();
  if (!fits.includes(hand.cents)) hand.cents = fits[Math.min(2, fits.length - 1)];
  return hand.cents;
}

export function take(cents) {
  hand.cents = cents;
  localStorage.setItem("chip", cents);
  tell("chip");
}

export function watchBets() {
  on("round phase stakes", () => {
    if (of !== table.seen.round) {
      if (of !== null) before = lastBets;
      of = table.seen.round;
      trail = [];
    }
    lastBets = mine();
  });
}

let lastBets = [];

/** What was bet in the round before, for a page that has just been opened. */
export function remember(bets) {
  if (!before.length) before = bets;
  tell("options");
}

const spot = (at, bet) =>
  document.querySelector(`.shown [data-box="${at}"][data-bet~="${bet}"]`) ?? document.querySelector(".stage");

/** Ask something of the table; true once it is done and seen. Who asks is the server's to know. */
export async function send({ by, ...asked }, at = null) {
  try {
    const done = await command(table.id, asked);
    await reached(done.version);
    return true;
  } catch (error) {
    refuse(error, at);
    return false;
  } finally {
    refresh();
  }
}

/** The answer may overtake the stream: wait until the page shows it. */
async function reached(version) {
  const late = performance.now() + WAIT_MS;
  while (table.version < version && performance.now() < late) await new Promise((done) => setTimeout(done, 8));
}

export async function place(at, bet, cents = held()) {
  const token = { box: at, bet, cents };
  table.sent.push(token);
  tell("sent");
  const done = await send({ command: "place", ...token }, spot(at, bet));
  table.sent.splice(table.sent.indexOf(token), 1);
  if (done) trail.push(token);
  tell("sent");
  return done;
}

/** Chips off a bet, all of them if no amount is named. */
const back = ({ box: at, bet }, cents) =>
  send({ command: "take-back", box: at, bet, ...(cents ? { cents } : {}) }, spot(at, bet));

const staked = ({ box: at, bet }) => mine().find((stake) => stake.box === at && stake.bet === bet);

/** Take the last chips back: those that this page placed, else the latest bet. */
export async function undo(only = null) {
  const fits = (token) => !only || (token.box === only.box && token.bet === only.bet);
  const index = trail.findLastIndex((token) => fits(token) && staked(token));
  if (index >= 0) {
    const token = trail[index];
    const whole = staked(token).cents <= token.cents;
    if (await back(token, whole ? null : token.cents)) trail.splice(index, 1);
    return;
  }
  const latest = mine().filter(fits).sort((a, b) => b.order - a.order)[0];
  if (latest) await back(latest, null);
}

export async function clear() {
  for (const stake of mine()) if (!(await back(stake, null))) return;
  trail = [];
}

const missing = () => before.filter((bet) => !staked(bet));

export async function rebet() {
  for (const { box: at, bet, cents } of missing()) if (!(await place(at, bet, cents))) return;
}

export async function double() {
  for (const { box: at, bet, cents } of mine()) if (!(await place(at, bet, cents))) return;
}

/** Which of the four actions there is something for. */
export const able = () => {
  const returns = option("take-back") !== undefined;
  return {
    undo: returns,
    clear: returns,
    rebet: missing().some(({ box: at, bet }) => option("place", { box: at, bet })),
    double: mine().some(({ box: at, bet }) => option("place", { box: at, bet })),
  };
};

export const open = (bet, at = box()) => option("place", { box: at, bet }) !== undefined;
