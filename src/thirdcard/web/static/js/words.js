// What pages say. One file holds both languages, so the felt can be bilingual and the page either.

const address = document.querySelector("#words").href;
const words = await (await fetch(address)).json();

export const chinese = document.documentElement.lang.startsWith("zh");
const ours = chinese ? 1 : 0;

const put = (text, facts) => text.replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);

/** A phrase of `[ui.live_KEY]` in the page's language. */
export function t(key, facts = {}) {
  return put(words.ui[key]?.[ours] ?? key, facts);
}

export const bet = (name) => words.bets[name] ?? { en: name, short: name, zh: name, side: "tie" };
export const betName = (name) => (chinese ? bet(name).zh : bet(name).en);
export const hand = (name, which = ours) => words.hands[name][which];

/** `5,000`; with cents where there are any. */
export function money(cents) {
  const whole = cents % 100 === 0;
  const text = (Math.abs(cents) / 100).toLocaleString("en", {
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  });
  return cents < 0 ? `−${text}` : text;
}

export const signed = (cents) => (cents > 0 ? `+${money(cents)}` : money(cents));

/** At most `letters` long: `12.5K`, `3M`. */
export function shortMoney(cents, letters = 5) {
  const text = money(cents);
  if (text.length <= letters) return text;
  for (const [size, letter] of [[1e8, "M"], [1e5, "K"]]) {
    if (Math.abs(cents) < size) continue;
    const figure = cents / size;
    for (const digits of [1, 0]) {
      const short = figure.toFixed(digits).replace(".0", "").replace("-", "−") + letter;
      if (short.length <= letters || digits === 0) return short;
    }
  }
  return money(Math.round(cents / 100) * 100);
}

export const odds = (text) => (chinese ? text.replace(" to ", " : ") : text);

const NAMES = { A: "ace", T: "ten", J: "jack", Q: "queen", K: "king" };

export function cardName(card, which = ours) {
  const suit = words.suits[card[1]][which];
  if (which) return suit + card[0].replace("T", "10");
  return `${NAMES[card[0]] ?? card[0]} of ${suit}`;
}

function named(name, fact, which) {
  if (name === "hand" || name === "other_hand") return words.hands[fact][which];
  if (name === "outcome") return words.outcomes[fact][which];
  if (name === "cents" || name === "before") return money(fact);
  if ((name === "card" || name === "cards") && typeof fact === "string") {
    return fact.split(" ").map((card) => cardName(card, which)).join(which ? " " : ", ");
  }
  if (name === "odds" && which) return fact.replace(" to ", "比");
  return fact;
}

/** An announcement in words, in the page's language or in the other. */
export function spoken(said, other = false) {
  const which = other ? 1 - ours : ours;
  const facts = Object.fromEntries(
    Object.entries(said.facts ?? {}).map(([name, fact]) => [name, named(name, fact, which)]),
  );
  return put(words.said[said.key][which], facts);
}

export const initials = (name) => [...name.replace(/^guest-/i, "")].slice(0, 2).join("").toUpperCase();
