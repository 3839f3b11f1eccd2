// What the server tells of the house with the words: cards as they are written, and chips in cents, the smallest first.

import { facts } from "./words.js";

export const RANKS = [...facts.ranks];
/** The mark of each suit by its letter. */
export const SUITS = facts.suits;
/** Every chip there is, those of a player's rack, and those of a dealer's tray. */
export const CHIPS = facts.chips;
export const RACK = facts.rack;
export const TRAY = facts.tray;

export const HANDS = ["player", "banker"];
/** The cards that begin a round. */
export const INITIAL = 4;

export const rankName = (rank) => (rank === "T" ? "10" : rank);
export const isRed = (suit) => "HD".includes(suit);
export const isCard = (text) => text.length === 2 && RANKS.includes(text[0]) && text[1] in SUITS;

/** An amount in chips of these values, the largest first, `[[cents, count], …]`. */
export function chipsOf(amount, values) {
  let left = amount;
  return values.toReversed().flatMap((value) => {
    const count = Math.floor(left / value);
    left -= count * value;
    return count ? [[value, count]] : [];
  });
}
