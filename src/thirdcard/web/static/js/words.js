// What pages say: the words of the page's language. Whole sentences about a table come from the server.

import { $ } from "./dom.js";

const address = $("#words").href;
const words = await (await fetch(address)).json();

/** What the server tells of the house: `facts.js` says what. */
export const facts = words.facts;

/** The page's language, as the server calls it. */
export const language = words.code;

/** The language beside the page's own, as pages call it. */
export const otherLang = words.beside;

const put = (text, facts) => text.replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);

/** A phrase of the pages; names of things have hyphens in the game, and underscores within a key. */
export const phrase = (key, facts = {}) => put(words.ui[key] ?? words.ui[key.replaceAll("-", "_")] ?? key, facts);

/** A phrase of live tables: `live_KEY`. */
export const t = (key, facts = {}) => phrase(`live_${key}`, facts);

/** What the language calls something that has a name already; that name if it calls it nothing. */
export const own = (section, key, otherwise = key) => words[section][key] ?? otherwise;

/** The bets that the table's rulebook calls otherwise than our words do. */
const otherwise = JSON.parse($("#table")?.dataset.bets || "{}");

/** How the felt names a bet, in English (`en`) and in characters (`zh`), and whose colour it has (`side`). */
export const bet = (name) => otherwise[name] ?? words.felt[name] ?? { en: name, short: name, zh: name, side: "tie" };
export const betName = (name) => otherwise[name]?.name ?? own("bets", name, bet(name).en);
export const hand = (name) => own("hands", name);
export const outcome = (name) => own("outcomes", name);

// Made once: a page tells amounts by the dozen whenever a chip is laid.
const [WHOLE, WITH_CENTS] = [0, 2].map(
  (digits) => new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: 2 }),
);

/** `5,000`; with cents where there are any. */
export function money(cents) {
  const text = (cents % 100 === 0 ? WHOLE : WITH_CENTS).format(Math.abs(cents) / 100);
  return cents < 0 ? `−${text}` : text;
}

export const signed = (cents) => (cents > 0 ? `+${money(cents)}` : money(cents));

const SIZES = [
  { size: 1e8, letter: "M" },
  { size: 1e5, letter: "K" },
];

/** At most `letters` long: `12.5K`, `3M`. */
export function shortMoney(cents, letters = 5) {
  const text = money(cents);
  if (text.length <= letters) return text;
  for (const { size, letter } of SIZES) {
    if (Math.abs(cents) < size) continue;
    const figure = cents / size;
    for (const digits of [1, 0]) {
      const short = figure.toFixed(digits).replace(".0", "").replace("-", "−") + letter;
      if (short.length <= letters || digits === 0) return short;
    }
  }
  return money(Math.round(cents / 100) * 100);
}

/** `12.5%` of a part that is 0.125; without digits, whole percents. */
export const percent = (part, digits = 0) => `${(100 * part).toFixed(digits).replace("-", "−")}%`;

/** Odds as the language writes them; of what has none, as it is. */
export function odds(text) {
  const [win, stake] = text.split(" to ");
  return stake ? phrase("odds_as", { win, stake }) : text;
}

/** As it is read aloud; of no card, that it lies face down. */
export function cardName(card) {
  const { cards } = words;
  if (!card) return cards["face-down"];
  return put(cards.name, { rank: cards[`rank-${card[0]}`], suit: cards[`suit-${card[1]}`] });
}

export const initials = (name) => [...name.replace(/^guest-/i, "")].slice(0, 2).join("").toUpperCase();
