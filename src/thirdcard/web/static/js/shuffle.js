// What the promise of a shoe is, and which order follows from its salt and seeds: docs/shoes.md, byte by byte.

const TAG = "thirdcard shoe 2";
export const SUITS = "SHDC";
const RANKS = "A23456789TJQK";
const NUMBERS = 2 ** 16;

const text = (lines) => new TextEncoder().encode(lines);
const hex = (found) => [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const sha256 = async (...parts) =>
  hex(await crypto.subtle.digest("SHA-256", new Uint8Array(parts.flatMap((part) => [...part]))));

async function hmac(key) {
  const secret = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return (data) => crypto.subtle.sign("HMAC", secret, data);
}

/** What a shoe that is finished must have been promised as; of an earlier release, committed to as. */
export const promiseOf = (table, { form, number, salt, cards }) =>
  form === 1 ? sha256(bytes(salt), text(cards)) : sha256(text(`${TAG}\n${table}\n${number}\n`), bytes(salt));

/** The order of a finished shoe, `9C KD …`; an earlier release committed to one that follows from nothing. */
export async function orderOf(table, { form, number, decks, seeds, salt, cards }) {
  if (form === 1) return cards;
  const added = seeds.flatMap(({ player, seed }) => [player, seed]);
  const key = await (await hmac(bytes(salt)))(text([TAG, table, number, decks, ...added].join("\n")));
  return shuffled(decks, numbers(await hmac(key)));
}

async function* numbers(sign) {
  for (let counter = 0; ; counter++) {
    const block = new DataView(new ArrayBuffer(8));
    block.setUint32(4, counter);
    const found = new DataView(await sign(block));
    for (let at = 0; at < found.byteLength; at += 2) yield found.getUint16(at);
  }
}

async function shuffled(decks, stream) {
  const cards = [...SUITS].flatMap((suit) => [...RANKS].flatMap((rank) => Array(decks).fill(rank + suit)));
  for (let last = cards.length - 1; last > 0; last--) {
    const places = last + 1;
    const even = NUMBERS - (NUMBERS % places);
    let { value } = await stream.next();
    while (value >= even) ({ value } = await stream.next());
    const place = value % places;
    [cards[place], cards[last]] = [cards[last], cards[place]];
  }
  return cards.join(" ");
}
