// What the rack is said to hold while winnings are counted into it; otherwise what it holds.

import { later, moves, ms } from "./motion.js";
import { on, rack, tell } from "./state.js";

const COUNT = 600;

let before = null; // what the rack held before the last change
let held = null; // { from, to, start } while it is counted, or about to be

/** The amount to be shown: it goes from what it was to what it is, and is right whenever nothing moves. */
export function shownRack() {
  const now = rack();
  if (!held || held.to !== now || !moves()) return now;
  const part = Math.min(1, Math.max(0, (performance.now() - held.start) / ms(COUNT)));
  const eased = 1 - (1 - part) ** 3;
  return Math.round((held.from + (held.to - held.from) * eased) / 100) * 100;
}

/** Count up to it, in so many milliseconds from now. */
export function countTo(to, wait) {
  if (before === null || before >= to || !moves()) return;
  const count = { from: before, to, start: performance.now() + wait };
  held = count;
  tell("counting");
  later(wait, () => requestAnimationFrame(step));
  later(wait + ms(COUNT), () => {
    if (held === count) held = null;
    tell("counting");
  });
}

function step() {
  if (!held) return;
  tell("counting");
  requestAnimationFrame(step);
}

export function watchRack() {
  let last = null;
  on("racks", () => {
    [before, last] = [last ?? rack(), rack()];
    if (held?.to !== last) held = null;
  });
}
