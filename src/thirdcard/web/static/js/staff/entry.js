// Card entry: a rank, then a suit, then Enter; from keyboard, scanner or keypad alike. Nothing leaves the page
// before it is confirmed.

const RANKS = "A23456789TJQK";
const SUITS = "SHDC";
const STRAY_MS = 1000; // an Enter so soon after keys that meant nothing belongs to them

export const entry = { rank: "", suit: "", stray: -STRAY_MS };

export const typed = () => (entry.rank && entry.suit ? entry.rank + entry.suit : null);

export function clear() {
  entry.rank = entry.suit = "";
}

export function correct() {
  if (entry.suit) entry.suit = "";
  else entry.rank = "";
}

/** Take a key in; whether it belongs to a card. `open` says whether a card may be entered now. */
export function press(key, open) {
  let one = key.toUpperCase();
  if (one === "1") one = entry.rank ? "" : "1"; // the first half of a ten
  if (one === "0") one = entry.rank === "1" ? "T" : "";
  const known = one !== "" && (RANKS.includes(one) || SUITS.includes(one) || one === "1");
  if (!known) return false;
  if (!open) {
    entry.stray = performance.now();
    return true;
  }
  if (SUITS.includes(one) && entry.rank && entry.rank !== "1") entry.suit = one;
  else if ((RANKS + "1").includes(one) && !entry.suit) entry.rank = one;
  return true;
}

/** Whether an Enter now would belong to a card that nobody asked for. */
export const strayed = () => performance.now() - entry.stray < STRAY_MS;
