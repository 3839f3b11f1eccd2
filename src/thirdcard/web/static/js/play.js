// Bets: each act is asked for as one list, whole or not at all, and one undo takes it back. What is asked shows as
// sent until it is answered.

import { $ } from "./dom.js";
import { RACK } from "./facts.js";
import { habits } from "./habits.js";
import { fitting, mostHere, note } from "./room.js";
import { refresh } from "./options.js";
import { recallCheck } from "./reality.js";
import { command } from "./socket.js";
import { box, mine, on, option, rack, stakeOn, table, tell } from "./state.js";
import { refuse } from "./tellers.js";
import { money, t } from "./words.js";

const CHIPS = 6;
const WAIT_MS = 3000;

/** @type {SentStake[][]} */
let acts = []; // own acts of this round, the last one last; less than nothing is what was taken back
/** @type {SentStake[]} */
let before = []; // own bets of the last round that I bet in
/** @type {SentStake[]} */
let lately = []; // own bets as they lie, or lay when this round was closed
let of = null; // the round that the acts are of
const underway = new Set(); // acts that are not answered yet: an undo waits for them

const hand = { cents: Number(localStorage.getItem("chip")) || 0 };

/** Chips that can be laid at this table, in cents. */
export function everyChip() {
  const { limits, house } = table.seen;
  const most = Math.max(...Object.values(limits).map((limit) => limit.max ?? Infinity));
  return RACK.filter((chip) => chip % house.chip_unit === 0 && chip <= most);
}

/** The chips of the rack, in cents: those I chose, as far as they can be laid here, else six that fit the limits. */
export function chips() {
  const every = everyChip();
  const chosen = habits.chips.filter((chip) => every.includes(chip));
  if (chosen.length) return chosen;
  const least = Math.min(...Object.values(table.seen.limits).map((limit) => limit.min ?? 0));
  const enough = every.filter((chip) => chip >= least);
  return (enough.length ? enough : every).slice(0, CHIPS);
}

/** The chip in hand; one of those in the rack, whatever this browser remembers. */
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
      if (of !== null && lately.length) before = lately;
      of = table.seen.round;
      acts = [];
    }
    lately = mine().map(plain);
  });
}

/** What was bet in an earlier round, for a page that has just been opened. */
export function remember(bets) {
  if (!before.length) before = bets.map(plain);
  tell("options");
}

/** Where a bet is on the page. */
export const spotOf = ({ box: at, bet }) =>
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
    const place = Array.isArray(asked) ? asked[error.index ?? 0] : asked;
    refuse(error, Array.isArray(at) ? at[error.index ?? 0] : at, Array.isArray(asked) && asked.length > 1 ? [] : remedies(error, place));
    return false;
  } finally {
    refresh();
  }
}

/** What comes nearest to a bet that was refused, and is allowed. */
function remedies({ key, facts = /** @type {Record<string, number>} */ ({}) }, asked) {
  const { command: name, box: at, bet, cents } = /** @type {Command} */ (asked);
  if (name !== "place") return [];
  const bound = { "below-minimum": facts.least, "above-maximum": facts.most }[key];
  const instead = bound ? cents + bound - facts.cents : { "over-differential": facts.room, "rack-too-small": facts.has }[key];
  const bets = instead > 0 ? [[t("bet_amount", { amount: money(instead) }), () => place(at, bet, instead)]] : [];
  return key === "rack-too-small" ? [...bets, ...more()] : bets;
}

/** The way to more chips, where the wallet has some. */
const more = () => ($("#top-up")?.hidden === false ? [[t("top_up"), () => $("#top-up").click()]] : []);

/** The answer may overtake the stream: wait until the page shows it. */
async function reached(version) {
  const late = performance.now() + WAIT_MS;
  while (table.version < version && performance.now() < late) await new Promise((done) => setTimeout(done, 8));
}

// Acts ------------------------------------------------------------------------------------------------------

const sum = (bets) => bets.reduce((cents, bet) => cents + bet.cents, 0);
const plain = ({ box: at, bet, cents }) => ({ box: at, bet, cents });
const staked = ({ box: at, bet }) => stakeOn(at, bet);

/** A change of chips as a command; all of a bet comes back where no more than the minimum would stay. */
function asked({ box: at, bet, cents }) {
  if (cents > 0) return { command: "place", box: at, bet, cents };
  const left = stakeOn(at, bet) + cents;
  const whole = left < (table.seen.limits[bet]?.min ?? 0);
  return whole ? { command: "take-back", box: at, bet } : { command: "take-back", box: at, bet, cents: -cents };
}

/**
 * Chips laid and taken back in one act, all of it or nothing; true if it is done.
 * @param {SentStake[]} changes
 */
async function ask(changes) {
  if (!changes.length) return false;
  const laid = changes.filter(({ cents }) => cents > 0);
  const sending = send(changes.map(asked), changes.map(spotOf)); // on its way before anything is drawn here
  table.sent.push(...laid);
  tell("sent");
  const done = await sending;
  table.sent = table.sent.filter((bet) => !laid.includes(bet));
  tell("sent");
  return done;
}

/** An act that one undo takes back. `tell("touched")` lets others know that I bet by hand. */
async function act(changes) {
  const whole = changes.map((one) => (one.cents < 0 ? { ...one, cents: -Math.min(-one.cents, staked(one)) } : one));
  const [need, has] = [sum(whole), rack() - sum(table.sent)];
  if (need > has) {
    note(spotOf(whole[0]), t("need_more", { need: money(need), has: money(has) }), { remedies: more() });
    return false;
  }
  const asking = ask(whole).then((done) => done && acts.push(whole) > 0);
  underway.add(asking);
  await asking;
  underway.delete(asking);
  return asking;
}

/** As much of `cents` as fits on a spot; what does not is told there. */
export async function place(at, bet, cents = held()) {
  tell("touched");
  const { fits, why } = fitting(at, bet, cents);
  const spot = spotOf({ box: at, bet });
  if (why) note(spot, whyNot(why, at, bet), { remedies: why === "rack" ? more() : [] });
  else if (table.link !== "open") note(spot, t("offline_bet"));
  if (fits > 0) await act([{ box: at, bet, cents: fits }]);
}

/** The most that still fits on a spot. */
export const placeMost = (at, bet) => place(at, bet, Math.max(mostHere(at, bet), table.seen.house.chip_unit));

function whyNot(why, at, bet) {
  if (why === "maximum") return t("is_most", { amount: money(table.seen.limits[bet].max) });
  if (why === "rack") return t("rack_is_all", { amount: money(Math.max(rack() - sum(table.sent), 0)) });
  return t("room_for", { amount: money(mostHere(at, bet)) });
}

/** Take the last act back; on one spot only, the last chips that were laid there. */
export async function undo(only = null) {
  if (only) {
    await takeChip(only);
    return;
  }
  tell("touched");
  await Promise.allSettled(underway);
  const last = acts.at(-1);
  if (!last) {
    const latest = [...mine()].sort((a, b) => b.order - a.order)[0];
    if (latest) await act([{ ...plain(latest), cents: -latest.cents }]);
    return;
  }
  const back = last.map((one) => ({ ...one, cents: -one.cents })).filter((one) => one.cents > 0 || staked(one) > 0);
  const within = back.map((one) => (one.cents < 0 ? { ...one, cents: -Math.min(-one.cents, staked(one)) } : one));
  if (!within.length || (await ask(within.sort((a, b) => a.cents - b.cents)))) acts = acts.filter((one) => one !== last);
}

async function takeChip(spot) {
  const cents = staked(spot);
  if (!cents) return;
  tell("touched");
  const lying = [];
  for (const one of acts.flat().filter((one) => one.box === spot.box && one.bet === spot.bet)) {
    if (one.cents > 0) lying.push(one.cents);
    else for (let gone = -one.cents; gone > 0 && lying.length; ) gone -= lying.pop();
  }
  await act([{ ...spot, cents: -Math.min(lying.at(-1) ?? cents, cents) }]);
}

/** All of a bet onto another spot, as far as it fits, or back into the rack where there is no other. */
export async function move(from, to = null) {
  const cents = staked(from);
  if (!cents) return;
  tell("touched");
  if (!to) {
    await act([{ ...from, cents: -cents }]);
    return;
  }
  const { fits, why } = fitting(to.box, to.bet, cents, cents);
  if (why) note(spotOf(to), whyNot(why, to.box, to.bet));
  if (fits > 0) await act([{ ...from, cents: -cents }, { ...to, cents: fits }]);
}

/** Take so much of a bet back, so that it keeps the differential. */
export const giveWay = (at, bet, cents) => act([{ box: at, bet, cents: -cents }]);

export const clear = () => {
  tell("touched");
  return act(mine().map((bet) => ({ ...plain(bet), cents: -bet.cents })));
};

const missing = () => before.filter((bet) => !staked(bet));
/** What Rebet would lay. */
export const rebetCents = () => sum(missing());
/** The bets that are repeated: those that lie, else the last ones. */
export const repeated = () => (mine().length ? mine().map(plain) : before);

export const rebet = () => {
  tell("touched");
  return act(missing());
};

/** The same bets again, whatever lies there; for those who let them be repeated. */
export const layAgain = (bets) => act(bets.filter((bet) => !staked(bet)));

/** Each bet once more, as far as it may. */
export const double = () => {
  tell("touched");
  const more = mine().map((bet) => ({ ...plain(bet), cents: fitting(bet.box, bet.bet, bet.cents).fits }));
  return act(more.filter((bet) => bet.cents > 0));
};

/** A pattern of bets in one's box, in one act. */
export const layPattern = (bets) => {
  tell("touched");
  return act(bets.map(({ bet, cents }) => ({ box: box(), bet, cents })));
};

/** Which actions there is something for. */
export const able = () => {
  const returns = option("take-back") !== undefined;
  return {
    undo: returns || (acts.length > 0 && betting()),
    clear: returns,
    rebet: missing().some(({ box: at, bet }) => option("place", { box: at, bet })),
    double: mine().some(({ box: at, bet }) => option("place", { box: at, bet })),
  };
};

const betting = () => table.seen.phase === "betting" && !table.seen.held_up;

/** Whether a bet may be asked for: a spot that is full says so itself. */
export const open = (bet, at = box()) =>
  option("place", { box: at, bet }) !== undefined || (betting() && stakeOn(at, bet) > 0);
