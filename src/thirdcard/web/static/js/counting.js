// What the rack is said to hold while winnings are counted into it; otherwise what it holds.

import { later, moves, ms } from "./motion.js";
import { on, rack, tell } from "./state.js";

const COUNT = 600;

let home = 0; // when what was won is in the rack
let held = null; // { from, to, start } while it is counted, or about to be

/** The amount to be shown: it goes from what it was to what it is, and is right whenever nothing moves. */
export function shownRack() {
  const now = rack();
  if (!held || held.to !== now || !moves()) return now;
  const part = Math.min(1, Math.max(0, (performance.now() - held.start) / ms(COUNT)));
  const eased = 1 - (1 - part) ** 3;
  return Math.round((held.from + (held.to - held.from) * eased) / 100) * 100;
}

/** What the round brings is counted once it is home, in so many milliseconds. */
export function countIn(wait) {
  home = performance.now() + wait;
}

function count(from, to) {
  const wait = home - performance.now();
  if (wait <= 0 || from >= to || !moves()) return;
  const mine = { from, to, start: home };
  held = mine;
  later(wait, () => requestAnimationFrame(step));
  later(wait + ms(COUNT), () => {
    if (held === mine) held = null;
    tell("counting");
  });
}

function step() {
  if (!held) return;
  tell("counting");
  requestAnimationFrame(step);
}

export function watchRack() {
  let before = null;
  on("racks", () => {
    const now = rack();
    if (held?.to !== now) held = null;
    if (before !== null) count(before, now);
    before = now;
  });
}
