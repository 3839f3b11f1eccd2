// One table as this person sees it. Messages are laid over each other in the order of versions; whoever shows
// something says which fields it depends on, and is called when one of them changes.

import { $ } from "./dom.js";

const root = $("#table");

export const table = {
  id: root.dataset.id,
  me: root.dataset.who,
  plays: root.dataset.plays !== "no", // staff only look on
  /** @type {number} */
  version: null,
  /** @type {Seen} */
  seen: null, // the view, with what only I may see laid over it
  /** @type {{ name: string, ms: number, until: number }} */
  timer: null, // { name, ms, until } by the page's own clock
  link: "opening", // or open, lost, gone
  here: 0, // people who look at it
  /** @type {Heard[]} */
  stands: [], // what may be said of the round as it stands; in general, the last
  /** @type {Option[]} */
  options: [], // what the server says I may do now
  /** @type {SentStake[]} */
  sent: [], // own chips on their way
  /** @type {Bought[]} */
  bought: [], // insurance of this round, as far as this page knows it
  /** @type {LastRound} */
  last: null, // the last finished round
  /** @type {string[]} */
  lost: [], // bets that no card can win any more, while insurance is on offer
  /** @type {number} */
  behind: null, // the box of somebody else that I look at
};

const watchers = [];
/** @type {Seen} */
let view = null;
/** @type {Partial<Seen>} */
let you = {};

/** Call `show` now, if there is anything to show, and whenever one of these fields changes. */
export function on(fields, show) {
  watchers.push({ fields: new Set(fields.split(" ")), show });
  if (table.seen) show([]);
}

export function tell(...fields) {
  if (!table.seen) return;
  for (const watcher of watchers) {
    if (fields.some((field) => watcher.fields.has(field))) watcher.show(fields);
  }
}

const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * The table as it will be seen once this message is taken in.
 * @param {Message} message
 * @returns {Seen}
 */
export const after = ({ changed, you: own = you }) => ({ ...view, ...changed, ...own });

/** Show some fields before the message that brings them is taken in whole. */
export function show(fields) {
  const changed = Object.keys(fields).filter((field) => !same(table.seen[field], fields[field]));
  table.seen = { ...table.seen, ...fields };
  tell(...changed);
}

/**
 * Take a message in; false if something before it is missing.
 * @param {Message} message
 */
export function fold(message) {
  if (message.view) {
    view = message.view;
    you = {};
  } else if (!view || message.from !== table.version) return false;
  else view = { ...view, ...message.changed };
  if (message.you) you = message.you;
  /** @type {Partial<Seen>} */
  const before = table.seen ?? {};
  table.seen = { ...view, ...you };
  if (before.rulebook && (before.rulebook !== view.rulebook || before.digest !== view.digest)) {
    location.reload(); // another text: its names and bets are in the page
  }
  table.version = message.version;
  const { timer, here } = message;
  table.here = here ?? table.here;
  table.stands = message.stands ?? table.stands;
  table.timer = timer ? { name: timer.name, ms: timer.ms, until: (message.came ?? performance.now()) + timer.left_ms } : null;
  const { behind } = table;
  const fields = Object.keys(table.seen);
  const changed = fields.filter((field) => message.view || !same(before[field], table.seen[field]));
  keep(before);
  tell(...changed, "timer", "here", ...(table.seen.settlement ? ["last"] : []), ...(message.view || behind !== table.behind ? ["box"] : [])); // a whole view may be somebody else's
  return true;
}

/** The last finished round stays on the table until the first card of the next. */
function keep(before) {
  const { seen } = table;
  if (seen.settlement) table.last = finished(seen);
  if (before.round !== seen.round) {
    table.bought = [];
    if (seat()) table.behind = null; // bets open at one's own box
  }
  if (table.behind && !seen.seats[table.behind]) table.behind = null;
}

function finished(seen) {
  const { round, cards, points, settlement, stakes, shoe } = seen;
  return { round, cards, points, settlement, stakes, shoe };
}

/** A finished round from the records, if none has been seen here. */
export function recallRound({ number, cards, settlement, stakes, shoe }) {
  if (table.last || !settlement) return;
  const lying = cards.map((card, place) => ({ ...card, place: place + 1, exposed: card.card !== null, held_by: null }));
  const points = { player: settlement.player, banker: settlement.banker };
  table.last = { round: number, cards: lying, points, settlement, stakes, shoe };
  tell("cards");
}

export function forget() {
  view = null;
  table.version = null;
}

// What the fields come to -----------------------------------------------------------------------------------

export const seat = () => {
  const found = Object.entries(table.seen?.seats ?? {}).find(([, name]) => name === table.me && table.me);
  return found ? Number(found[0]) : null;
};
/** What others see of somebody. */
export const shownAs = (name) => table.seen?.house?.names?.[name] ?? name;
/** What may be said of the round as it stands, by its key. */
export const standing = (key) => table.stands.find((one) => one.key === key);
/** The box whose spots are large: the one that one stands behind, one's own, or where one's chips play on. */
export const box = () => table.behind ?? seat() ?? (table.seen ? (mine()[0]?.box ?? null) : null);
export const joined = () => table.me !== "" && table.me in (table.seen?.racks ?? {});
export const rack = () => table.seen?.racks?.[table.me] ?? 0;
export const mine = () => (table.seen?.stakes ?? []).filter((stake) => stake.player === table.me);
/** My chips on a spot. */
export const stakeOn = (at, bet) => mine().find((stake) => stake.box === at && stake.bet === bet)?.cents ?? 0;
/**
 * All that was settled of a round for me, whenever it was.
 * @param {Pick<Seen, "settlement"> & { early?: Seen["settlement"]["lines"] }} round
 */
export const ownLines = ({ early = [], settlement }) =>
  [...early, ...(settlement?.lines ?? [])].filter((line) => line.player === table.me);
/**
 * What a settled round came to for me; null while it is open, or if I had no part in it.
 * @param {Pick<Seen, "settlement">} round
 */
export function ownNet(round = table.seen) {
  const lines = ownLines(round);
  return lines.length ? lines.reduce((sum, line) => sum + line.net, 0) : null;
}
/** The settlement whose tags lie on the spots: that of this round, or of the last one until I bet again. */
export function cameTo() {
  const { seen, last } = table;
  if (seen.settlement) return seen.settlement;
  const waits = seen.phase === "betting" && !mine().length && !table.sent.length;
  return waits && last?.round === seen.round - 1 ? last.settlement : null;
}
/** Insurance that was bought this round, by everybody where the server tells. */
export const purchases = () => table.seen?.purchases ?? table.bought;
export const option = (command, fits = {}) =>
  table.options.find(
    (one) =>
      one.command.command === command &&
      Object.entries(fits).every(([name, value]) => one.command[name] === value),
  );
export const options = (command) => table.options.filter((one) => one.command.command === command);
const DIGITS = 12;
/** How addresses name the text that the table plays by; an old log knows only its slug. */
export const book = () => {
  const { rulebook, digest } = table.seen;
  return digest ? `${rulebook}@${digest.slice(0, DIGITS)}` : rulebook;
};
/** Where the rules reader has a paragraph. */
export const cite = (rule) => `/rules/${book()}#p-${rule.split("(")[0]}`;
