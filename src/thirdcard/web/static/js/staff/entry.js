// Card entry: a rank, then a suit, then Enter; from keyboard, scanner or keypad alike. Cards that are typed ahead go
// out one by one, each to the place that is due; one that comes when none is due is held back, and said so.

import { draw, html, icon } from "../draw.js";
import { isRed, RANKS, rankName, SUITS } from "../facts.js";
import { connected, refresh } from "./desk.js";
import { answer, clock, own, t } from "./say.js";
import { play } from "./sounds.js";
import { current, doing, perform, redraw } from "./steps.js";

const STRAY_MS = 1000; // an Enter so soon after keys that meant nothing belongs to them

const entry = { rank: "", suit: "", stray: -STRAY_MS };
const queue = [];
let sending = false;
let heldAt = 0; // when a card was held back, by the wall clock

export const typed = () => (entry.rank && entry.suit ? entry.rank + entry.suit : null);
/** Whether keys belong to a card that is being typed. */
export const typing = () => !!entry.rank;
const takes = () => (connected() ? current()?.takes?.() : null);
/** Whether a card may be entered now, or typed ahead while another is on its way. */
export const due = () => sending || (!doing() && !!takes());

export function clear() {
  entry.rank = entry.suit = "";
}

/** Take the last key back; whether there was one. */
export function erase() {
  if (!entry.rank) return false;
  if (entry.suit) entry.suit = "";
  else entry.rank = "";
  return true;
}

/** Take a key in; whether it belongs to a card. */
export function press(key) {
  let one = key.toUpperCase();
  if (one === "1") one = entry.rank ? "" : "1"; // the first half of a ten
  if (one === "0") one = entry.rank === "1" ? "T" : "";
  const known = one !== "" && (RANKS.includes(one) || one in SUITS || one === "1");
  if (!known) return false;
  if (!due()) {
    entry.stray = performance.now();
    return true;
  }
  heldAt = 0;
  if (one in SUITS && entry.rank && entry.rank !== "1") entry.suit = one;
  else if (!(one in SUITS) && !entry.suit) entry.rank = one;
  return true;
}

/** Whether an Enter now would belong to a card that nobody asked for. */
export const strayed = () => performance.now() - entry.stray < STRAY_MS;

/** A card that came when none was due goes nowhere: it is said, and heard. */
export function holdBack() {
  entry.stray = -STRAY_MS;
  heldAt = Date.now();
  queue.length = 0;
  clear();
  play("tick");
  if (!current()?.locked?.()) answer(heldWords(), { wrong: true });
  redraw();
}

/** What is said of a card that was held back; nothing if none was. */
export const heldWords = () => (heldAt ? t("held_back", { time: clock(heldAt * 1000) }) : "");

/** Confirm the card that is typed. */
export function confirm() {
  const value = typed();
  if (!value) return;
  if (!due()) {
    holdBack();
    return;
  }
  queue.push(value);
  clear();
  redraw();
  if (!sending) sendAll();
}

/** Send what is typed and what is typed meanwhile, until nothing is left. */
async function sendAll() {
  sending = true;
  try {
    do await perform(send, { waits: true });
    while (queue.length);
  } finally {
    sending = false;
    redraw();
  }
}

/** Each card to the place that is due when its turn comes; a card that is refused stays to be put right. */
async function send() {
  while (queue.length) {
    const now = takes();
    if (!now) {
      holdBack();
      return false;
    }
    const value = queue.shift();
    if (!(await now.card(value))) {
      queue.length = 0;
      [entry.rank, entry.suit] = value;
      return false;
    }
    play("click");
    await refresh();
  }
  return true;
}

// The keypad --------------------------------------------------------------------------------------------------

/** Show the keypad where a card is due, locked where it is not yet, else nothing. */
export function showKeypad(place) {
  const step = current();
  const wanted = step?.takes?.();
  const why = connected() ? step?.locked?.() : [t("locked_lost")];
  place.hidden = !wanted && !why && !sending;
  if (place.hidden) return;
  const locked = !!why && !sending;
  const small = wanted?.masked && entry.rank ? "••" : (wanted?.small ?? t("entry_ways"));
  const key = (name, shown, label = shown) => pad(name, shown, label, wanted?.masked);
  place.classList.toggle("locked", locked);
  draw(
    place,
    html`<h2><span>${wanted?.title ?? t("card_entry")}</span><small>${small}</small></h2>`,
    html`<div class="kps" role="group" aria-label=${t("ranks")}>
      ${RANKS.map((rank) => key(rank, rankName(rank)))}
    </div>`,
    html`<div class="kss" role="group" aria-label=${t("suits")}>
      ${Object.entries(SUITS).map(([suit, mark]) => key(suit, mark, own("cards", `suit-${suit}`)))}
      <button class="btn" type="button" ?disabled=${!due()} @click=${() => erase() && redraw()}>
        ${icon("undo")}${t("erase")}<kbd class="key">⌫</kbd>
      </button>
    </div>`,
    html`<p class="hint padx" ?hidden=${!wanted?.hint}>${wanted?.hint}</p>`,
    html`<div class="lockd" role="status" ?hidden=${!locked}>${locked && [icon("lock"), html`<span>${why}</span>`]}</div>`,
  );
}

/** A key of the keypad; which of them are pressed is not shown where the card is secret. */
function pad(name, shown, label, masked) {
  const pressed = (name === entry.rank || name === entry.suit) && !masked;
  const enter = () => {
    press(name);
    redraw();
  };
  return html`<button
    class=${isRed(name) ? "kp red" : "kp"}
    type="button"
    data-key=${name}
    aria-label=${label}
    aria-pressed=${String(pressed)}
    ?disabled=${!due()}
    @click=${enter}
  >${shown}</button>`;
}
