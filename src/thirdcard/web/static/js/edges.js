// What a lifted part tells: the ranks that it still allows. Pips stand as `web/draw/card_faces.py` draws them.

import { shownBy } from "./curl.js";

/** What people call what a long edge shows, the ranks that do, and a card that does. */
export const GROUPS = [
  { name: "none", ranks: "A23", card: "2H" },
  { name: "two", ranks: "45", card: "5S" },
  { name: "three", ranks: "678", card: "7D" },
  { name: "four", ranks: "9T", card: "9S" },
  { name: "frame", ranks: "JQK", card: "KS" },
];
export const RANKS = GROUPS.flatMap(({ ranks }) => [...ranks]);
const ROWS = [{ least: 9, rows: [0, 1 / 3, 2 / 3, 1] }, { least: 6, rows: [0, 0.5, 1] }, { least: 4, rows: [0, 1] }]; // of both edges
const MIDDLE = { 1: [0.5], 2: [0, 1], 3: [0, 0.5, 1], 5: [0.5], 7: [0.25], 8: [0.25, 0.75], 9: [0.5], 10: [1 / 6, 5 / 6] };
const [PIP, ACE] = [12, 26]; // half of what they are across
const KNOWN = 0.3; // of a pip's half beyond the line, and one can tell that it is there
const FRAME = [[12, 12], [88, 12], [88, 128], [12, 128]]; // a little inside of where a frame is drawn

export const value = (rank) => ("TJQK".includes(rank) ? 0 : rank === "A" ? 1 : Number(rank));

/** The pips of a rank on the cut that is squeezed: where, and how large. */
function pips(rank) {
  if ("JQK".includes(rank)) return [];
  const number = value(rank) || 10;
  const rows = ROWS.find(({ least }) => number >= least)?.rows ?? [];
  const places = [...[22, 78].flatMap((x) => rows.map((row) => [x, row])), ...(MIDDLE[number] ?? []).map((row) => [50, row])];
  return places.map(([x, row]) => ({ at: [x, 21 + 98 * row], r: number === 1 ? ACE : PIP }));
}

/** What of a rank a fold shows. */
function shown(rank, fold) {
  const framed = "JQK".includes(rank) && FRAME.some((corner) => shownBy(fold, corner) > 0);
  const found = pips(rank).filter(({ at, r }) => shownBy(fold, at) > -KNOWN * r);
  return framed ? "frame" : found.map(({ at, r }) => [...at, r].map(Math.round)).sort().join(" ");
}

/** The ranks that look as this card does as far as it is lifted; all of them while it is flat. */
export function allowed(card, fold) {
  if (!fold) return RANKS;
  const looks = shown(card[0], fold);
  return RANKS.filter((rank) => shown(rank, fold) === looks);
}

/** `4 to 10` where they follow each other, else one after the other; `to` is the word between. */
export function listed(numbers, to) {
  const run = numbers.every((number, place) => !place || number === numbers[place - 1] + 1);
  return run && numbers.length > 2 ? [numbers[0], numbers.at(-1)].join(to) : numbers.join(", ");
}
