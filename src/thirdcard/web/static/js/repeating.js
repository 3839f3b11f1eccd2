// Rebet several rounds: the same bets, round after round, until they were laid so often or something stops it.

import { layAgain, repeated } from "./play.js";
import { mine, on, option, ownNet, table, tell } from "./state.js";
import { t } from "./words.js";

export const TIMES = [2, 5, 10, 20];
const STOPS = ["win", "loss", "touch"];
const kept = JSON.parse(localStorage.getItem("repeating") ?? "{}");

export const repeating = {
  times: TIMES.includes(kept.times) ? kept.times : 5, // chosen last
  stops: new Set(Array.isArray(kept.stops) ? kept.stops.filter((one) => STOPS.includes(one)) : STOPS),
  of: 0, // rounds in all, 0 while nothing is repeated
  done: 0, // the rounds that the bets were laid in
  net: 0,
  /** @type {SentStake[]} */
  bets: [],
};
let laid = null; // the round of the last ones
let settled = null;

export const stakeOf = () => (repeating.of ? repeating.bets : repeated()).reduce((sum, bet) => sum + bet.cents, 0);
export const roundOf = () => t("round_of", { round: Math.max(repeating.done, 1), rounds: repeating.of });
/** A loss of so many times the stake is enough. */
export const LOSSES = 3;

function save() {
  localStorage.setItem("repeating", JSON.stringify({ times: repeating.times, stops: [...repeating.stops] }));
  tell("repeating");
}

export function choose(times) {
  repeating.times = times;
  save();
}

export function toggleStop(name) {
  if (!repeating.stops.delete(name)) repeating.stops.add(name);
  save();
}

/** Begin: the bets that lie there are those of the first round, else the last ones are laid now. */
export async function repeat(times = repeating.times) {
  const bets = repeated();
  if (!bets.length) return;
  Object.assign(repeating, { times, of: times, done: 0, net: 0, bets });
  save();
  laid = settled = null;
  await next();
}

export function stop() {
  if (!repeating.of) return;
  repeating.of = 0;
  tell("repeating");
}

async function next() {
  const { seen } = table;
  if (!repeating.of || laid === seen.round || seen.phase !== "betting" || !option("place")) return;
  if (repeating.done === repeating.of) {
    stop();
    return;
  }
  laid = seen.round;
  const there = repeating.bets.every((bet) => mine().some((stake) => stake.box === bet.box && stake.bet === bet.bet));
  const done = there || (await layAgain(repeating.bets));
  if (!done) {
    stop();
    return;
  }
  repeating.done += 1;
  tell("repeating");
}

function count() {
  const { settlement, round } = table.seen;
  if (!repeating.of || !settlement || settled === round) return;
  settled = round;
  const net = ownNet() ?? 0;
  repeating.net += net;
  const { stops } = repeating;
  const enough = (stops.has("win") && net > stakeOf()) || (stops.has("loss") && -repeating.net >= LOSSES * stakeOf());
  if (enough || repeating.done === repeating.of) stop();
}

export function watchRepeating() {
  on("options round phase", next);
  on("settlement", count);
  on("touched", () => repeating.stops.has("touch") && stop());
}
