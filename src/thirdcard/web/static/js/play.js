// Bets: placing, taking back, clearing, repeating, doubling. What is asked shows as sent until it is answered.

import { refresh } from "./options.js";
import { recallCheck } from "./reality.js";
import { command } from "./socket.js";
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

const spot = ({ box: at, bet }) =>
  document.querySelector(`.shown [data-box="${at}"][data-bet~="${bet}"]`) ?? document.querySelector(".stage");

/** @param {Command} command */
const unsigned = ({ by, ...asked }) => /** @type {Command} */ (asked);

/**
 * Ask something of the table, several things whole or not at all; true once it is done and seen. Who asks is the
 * server's to know. A refusal is shown at its place: for several commands there are as many.
 * @param {Command | Command[]} asked
 * @param {Element | Element[]} at
 */
export async function send(asked, at = null) {
  try {
    const done = await command(Array.isArray(asked) ? asked.map(unsigned) : unsigned(asked));
    await reached(done.version);
    return true;
  } catch (error) {
    if (error.code === "reality-check") recallCheck();
    refuse(error, Array.isArray(at) ? at[error.index ?? 0] : at);
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

export const place = (at, bet, cents = held()) => placeAll([{ box: at, bet, cents }]);

/** Chips on several spots, all of them or none. */
async function placeAll(bets) {
  if (!bets.length) return;
  table.sent.push(...bets);
  tell("sent");
  const done = await send(
    bets.map((bet) => ({ command: "place", ...bet })),
    bets.map(spot),
  );
  table.sent = table.sent.filter((bet) => !bets.includes(bet));
  if (done) trail.push(...bets);
  tell("sent");
}

/** Chips off several bets, all of them where no amount is named; true if they are. */
const takeBack = (bets) =>
  send(
    bets.map((bet) => ({ command: "take-back", ...bet })),
    bets.map(spot),
  );

const staked = ({ box: at, bet }) => mine().find((stake) => stake.box === at && stake.bet === bet);

/** Take the last chips back: those that this page placed, else the latest bet. */
export async function undo(only = null) {
  const fits = (token) => !only || (token.box === only.box && token.bet === only.bet);
  const index = trail.findLastIndex((token) => fits(token) && staked(token));
  if (index >= 0) {
    const token = trail[index];
    const whole = staked(token).cents <= token.cents;
    const { box: at, bet, cents } = token;
    if (await takeBack([whole ? { box: at, bet } : { box: at, bet, cents }])) trail.splice(index, 1);
    return;
  }
  const latest = mine().filter(fits).sort((a, b) => b.order - a.order)[0];
  if (latest) await takeBack([{ box: latest.box, bet: latest.bet }]);
}

export async function clear() {
  const bets = mine().map(({ box: at, bet }) => ({ box: at, bet }));
  if (bets.length && (await takeBack(bets))) trail = [];
}

const missing = () => before.filter((bet) => !staked(bet));
const plain = ({ box: at, bet, cents }) => ({ box: at, bet, cents });

export const rebet = () => placeAll(missing().map(plain));
export const double = () => placeAll(mine().map(plain));

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
