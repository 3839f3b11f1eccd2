// Nothing is told before it is seen: a card lands face down and flips, then come the points, the call, the tags, the
// roads and the rack. What the server sends waits here until it is due, in that order and at the table's pace. A tap
// on the felt skips to the end of it; a page that nobody looks at, or that comes back, is told at once.

import { HANDS, INITIAL } from "./facts.js";
import { later, ms, skip } from "./motion.js";
import { after, fold, on, show, table } from "./state.js";

const [APART, LAND, HANDS_APART, FLIP, SLOW_FLIP] = [120, 380, 200, 260, 420];
const [COUNTED, CALLED, TAGGED] = [160, 300, 160];
const BEAT = 1100; // before a card that decides
const LONGEST_COVER = 1500; // a card that others of the deal do not follow is turned after all

/** @type {Message[]} */
const queue = [];
/** @type {Message[]} */
let covered = []; // whose cards lie face down until all of the deal have come
let newest = null; // the version of the last message that came
let running = null; // what is being told, moment by moment
let moment = 0; // the one that is waited for
let waits = false; // for more cards of the deal
let free = 0; // when the next card may come
let back = false; // all that was missed is on its way
/** @type {(said: Heard[]) => void} */
let hear = null;

/**
 * Take a message in when its time has come; false if something before it is missing.
 * @param {Message} message
 * @param {(said: Heard[]) => void} heard
 */
export function tellInOrder(message, heard) {
  if (!hear) on("link", () => table.link === "lost" && catchUp());
  hear = heard;
  message.came = performance.now();
  if (!message.view && (table.version === null || message.from !== newest)) return false;
  newest = message.version;
  const anew = message.view || message.changed.phase === "betting"; // whoever may bet knows of the round before
  if (message.view) {
    queue.length = covered.length = 0;
    running = null;
  } else if (anew && running) skip();
  queue.push(message);
  if (!running || waits) go();
  if (running && (back || anew)) skip();
  if (message.view || message.from === message.version) back = false;
  return true;
}

function catchUp() {
  if (running) skip();
  back = true;
}

/** On to the next moment that has to be waited for. */
function go() {
  running ??= told();
  const [mine, number] = [running, ++moment];
  const { value, done } = mine.next();
  if (done) running = null;
  else later(value, () => number === moment && mine === running && go());
}

/** All that has come, in order; between two moments, how long they are apart. */
function* told() {
  while (queue.length || covered.length) {
    if (!queue.length) {
      waits = true;
      yield ms(LONGEST_COVER);
      waits = false;
      if (!queue.length) yield* turns();
      continue;
    }
    const message = queue[0];
    const fresh = message.view ? [] : faces(message);
    if (fresh.length) yield* lands(message);
    queue.shift();
    if (fresh.length || covered.length) covered.push(message);
    if (fresh.length && whole(message)) yield* turns();
    else if (!covered.length && isResult(message)) yield* result(message);
    else if (!covered.length) takeIn(message);
  }
}

const cardAt = (place) => table.seen.cards.find((card) => card.place === place);
/** The cards of a message whose faces are not seen yet. */
const faces = (message) =>
  message.changed.cards && after(message).round === table.seen.round
    ? after(message).cards.filter((card) => card.exposed && card.card && !cardAt(card.place)?.exposed)
    : [];
/** The four cards that begin a round are turned hand by hand, where the house deals them. */
const whole = (message) => table.seen.house.dealer !== "automatic" || after(message).cards.length >= INITIAL;
/** @type {(message: Message) => boolean} */
const isResult = ({ changed }) => Boolean(changed?.settlement) && !table.seen.settlement;

/** Cards as they lie before these are turned. */
const faceDown = (cards, places) =>
  cards.map((card) => (places.includes(card.place) ? { ...card, exposed: false, card: cardAt(card.place)?.card ?? null } : card));

/** A card comes, face down: not before the last one has left the shoe, nor before it was said what it decides. */
function* lands(message) {
  const { cards } = after(message);
  if (cards.every((card) => cardAt(card.place))) return;
  if (performance.now() < free) yield free - performance.now();
  free = performance.now() + ms(APART);
  show({ cards: faceDown(cards, faces(message).map((card) => card.place)) });
}

/** What lies face down flips, hand by hand; then the points, then the call with all that it brings. */
function* turns() {
  const message = merged(covered);
  const fresh = faces(message);
  const { cards, points } = after(message);
  if (fresh.some((card) => card.place === table.seen.cards.length)) yield ms(LAND);
  const third = fresh.some((card) => card.place > INITIAL) && table.seen.deciding;
  const hands = HANDS.filter((hand) => fresh.some((card) => card.hand === hand));
  for (const hand of hands) {
    if (hand !== hands[0]) yield ms(HANDS_APART);
    const later = hand === hands.at(-1) ? [] : fresh.filter((card) => card.hand !== hand).map((card) => card.place);
    show({ cards: faceDown(cards, later) });
  }
  yield ms((third ? SLOW_FLIP : FLIP) + COUNTED);
  show({ points });
  covered = [];
  if (isResult(message)) {
    yield* result(message);
    return;
  }
  yield ms(CALLED);
  takeIn(message);
  if (table.seen.deciding) free = performance.now() + ms(BEAT);
}

/** Who won is called, then shown at the spots, then on the roads, and at last in the rack. */
function* result(message) {
  yield ms(CALLED);
  hear(message.said ?? []);
  yield ms(CALLED);
  const { racks, roads, house, ...shown } = after(message);
  show(shown);
  yield ms(TAGGED);
  show({ roads });
  yield ms(TAGGED);
  fold(message);
}

function takeIn(message) {
  if (fold(message)) hear(message.said ?? []);
}

/** @type {(messages: Message[]) => Message} */
const merged = (messages) => ({
  ...messages.at(-1),
  from: messages[0].from,
  changed: Object.assign({}, ...messages.map((one) => one.changed)),
  you: messages.findLast((one) => one.you)?.you,
  stands: messages.findLast((one) => one.stands)?.stands,
  said: messages.flatMap((one) => one.said ?? []),
});
