// Whose chips lie on a spot, as stacks: one for each person, one's own first, then the largest; the rest together.

import { place, placeMost, undo } from "./play.js";
import { ARROWS, isPointed, move, rove } from "./roving.js";
import { box, cameTo, shownAs, table } from "./state.js";
import { initials, money, shortMoney, t } from "./words.js";

// What the felt and the phone's grid have in common: betting by click and keyboard, with a roving focus.

/** Let the spots under `root` that match `selector` take bets. */
export function betting(root, selector) {
  const spotOf = (event) => event.target.closest?.(selector);
  const bet = (spot) => place(Number(spot.dataset.box || box()), spot.dataset.bet);
  const takeBack = (spot) => undo({ box: Number(spot.dataset.box || box()), bet: spot.dataset.bet });

  root.addEventListener("click", (event) => {
    const spot = spotOf(event);
    if (spot && !closed(spot)) bet(spot);
  });
  root.addEventListener("keydown", (event) => {
    const spot = spotOf(event);
    if (!spot) return;
    if (event.key in ARROWS) {
      event.preventDefault();
      move(root, selector, spot, ARROWS[event.key]);
    } else if (isPointed()) {
      if (event.key === "Enter" || event.key === " ") event.preventDefault(); // what was pressed takes no chip by a key
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (event.shiftKey) takeBack(spot);
      else if (!closed(spot)) bet(spot);
    } else if (event.key === "Backspace" || event.key === "Delete") {
      event.preventDefault();
      takeBack(spot);
    } else if (event.key.toLowerCase() === "m" && !closed(spot) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      placeMost(Number(spot.dataset.box || box()), spot.dataset.bet);
    }
  });
  root.addEventListener("focusin", (event) => {
    const spot = spotOf(event);
    if (spot) rove(root, selector, spot);
  });
}

const closed = (spot) => spot.getAttribute("aria-disabled") === "true";

const LEAST = 4; // letters of an amount: `4.5K`

/** Stacks of these bets in a box, at most `most`; names only where `named`, amounts of at most `letters`. */
export function heaps(box, bets, { most, named = true, letters = 9 }) {
  const people = new Map();
  const add = (player, cents, state) => {
    const heap = people.get(player) ?? { player, cents: 0, net: null, sent: false };
    heap.cents += cents;
    heap.sent ||= state === "sent";
    people.set(player, heap);
  };
  const here = (one) => one.box === box && bets.includes(one.bet);
  for (const stake of table.seen.stakes.filter(here)) add(stake.player, stake.cents);
  for (const stake of table.sent.filter(here)) add(table.me, stake.cents, "sent");
  const over = !table.seen.settlement; // the chips of the last round are gone, what they came to stands
  for (const line of (cameTo()?.lines ?? []).filter(here)) {
    if (over && people.has(line.player) && people.get(line.player).cents) continue;
    if (over) add(line.player, 0);
    const heap = people.get(line.player);
    if (heap) heap.net = (heap.net ?? 0) + line.net;
  }
  return shown([...people.values()], { most, named, letters });
}

function shown(found, { most, named, letters }) {
  found.sort((a, b) => Number(b.player === table.me) - Number(a.player === table.me) || b.cents - a.cents);
  const alone = most === 1 && found[0]?.player === table.me; // one's own stake is never summed into others'
  const heaps = found.slice(0, found.length > most && !alone ? most - 1 : most).map((heap) => {
    const own = heap.player === table.me;
    const who = own ? t("you") : initials(shownAs(heap.player));
    return heaped(heap, { own, who: named ? who : "", letters });
  });
  const rest = alone ? [] : found.slice(heaps.length);
  const who = named || most > 1 ? `+${rest.length}` : "";
  if (rest.length) heaps.push(heaped(together(rest), { own: false, who, letters }));
  return heaps;
}

const together = (heaps) => ({
  cents: heaps.reduce((sum, heap) => sum + heap.cents, 0),
  net: heaps.some((heap) => heap.net !== null) ? heaps.reduce((sum, heap) => sum + (heap.net ?? 0), 0) : null,
  sent: false,
});

function heaped({ cents, net, sent }, { own, who, letters }) {
  const state = sent ? "sent" : net === null ? "" : net > 0 ? "win" : net < 0 ? "lose" : "";
  const figure = net === null ? cents : net;
  const amount = (net > 0 ? "+" : "") + shortMoney(figure, net === null ? letters : Math.max(letters - 1, LEAST));
  return { cents, own, state, label: { who, amount } };
}

/** Insurance that lies on a hand's half of the ring. */
export function insured(hand) {
  const lines = (table.seen.settlement?.lines ?? []).filter((line) => line.bet === `${hand}-insurance`);
  const bought = (table.seen.purchases ?? table.bought).filter((one) => one.hand === hand);
  const people = new Map();
  for (const { player, cents } of bought) {
    const heap = people.get(player) ?? { player, cents: 0, net: null };
    heap.cents += cents;
    people.set(player, heap);
  }
  for (const line of lines) {
    const heap = people.get(line.player) ?? { player: line.player, cents: 0, net: null };
    if (!bought.some((one) => one.player === line.player)) heap.cents += line.stake;
    heap.net = (heap.net ?? 0) + line.net;
    people.set(line.player, heap);
  }
  return shown([...people.values()], { most: 2, named: true, letters: 7 });
}

/** How a spot came out: win, lose, or nothing; `faint` where nobody bet there. */
export function outcome(box, bets) {
  const settlement = cameTo();
  if (!settlement) return "";
  const lines = settlement.lines.filter((line) => line.box === box && bets.includes(line.bet));
  if (lines.some((line) => line.net > 0)) return "win";
  if (lines.length) return lines.some((line) => line.net < 0) ? "lose" : "";
  return bets.length === 1 && bets[0] === settlement.outcome ? "win faint" : "";
}

/** A spot as it is read aloud: what it is, and who has how much there. */
export function told(label, box, bets) {
  const people = table.seen.stakes
    .filter((stake) => stake.box === box && bets.includes(stake.bet))
    .map((stake) => `${stake.player === table.me ? t("you") : shownAs(stake.player)} ${money(stake.cents)}`);
  return [label, ...people].join(", ");
}

export const total = (box) =>
  table.seen.stakes.filter((stake) => stake.box === box).reduce((sum, stake) => sum + stake.cents, 0);
