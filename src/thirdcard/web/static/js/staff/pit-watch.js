// Every table of the pit, looked at again and again, also while the tab is hidden.

import { get, Refused } from "../api.js";
import { $, $$ } from "../dom.js";
import { html } from "../draw.js";
import { own } from "../words.js";
import { cardName, inline, lasting, money, t } from "./say.js";

// What the pit calls a table, the state of it, and what somebody is awaited for.

// Clocks that run by the server's time: how long something has lasted, wherever it is shown.

const TICK_MS = 500;
let ahead = 0; // of the server's clock, in milliseconds

/** What the server's clock says now, in microseconds. */
export const now = () => (Date.now() + ahead) * 1000;

function setClock(micros) {
  ahead = micros / 1000 - Date.now();
}

/** How long ago that was: `0:38`, `1:02:05`. An element with `data-lasts` goes on saying it. */
export const lasted = (since) => lasting((now() - since) / 1000);

/** `20:14` */
export const hour = (micros) => new Date(micros / 1000).toLocaleTimeString(
  "en-GB",
  { hour: "2-digit", minute: "2-digit" },
);

function tick() {
  for (const one of $$("[data-lasts]")) {
    const text = lasted(Number(one.dataset.lasts));
    if (one.textContent !== text) one.textContent = text;
  }
}

setInterval(tick, TICK_MS);

const NUMBER = /(?<![v\d])\d+$/i; // at the end of an id or a title; after a "v" it is a version
const numbered = ({ id, title }) => (NUMBER.exec(id) ?? NUMBER.exec(title))?.[0] ?? id.slice(0, 2).toUpperCase();

/** A short mark for a table, its number or letters of its name; of several with one number only the first has it. */
export function mark(one) {
  const short = numbered(one);
  const first = pit.seen?.tables.find((other) => numbered(other) === short);
  return !first || first.id === one.id ? short : one.id.slice(0, 4).toUpperCase();
}

export const stateName = (one) => t(`pit_state_${one.state}`);

/** What waits, in a few words. */
export const waitTitle = (one) =>
  ["ruling", "report"].includes(one.kind)
    ? t(`pit_waits_${one.kind}`, { title: own("cases", one.case, one.title) })
    : t(`pit_waits_${one.kind}`, { cents: money(one.cents), box: one.box });

/** Who can do it, who is about it, what the dealer wrote; with its paragraphs. */
export function waitText(one) {
  const parts = [
    one.note && one.note !== "called" && `“${one.note}”`,
    one.passed_to && !one.taken_by && t("pit_case_passed", { to: own("ranks", one.passed_to, one.passed_to) }),
    one.taken_by
      ? t("pit_case_taken", { player: one.taken_by })
      : one.decides_title && t("pit_for_rank", { rank: one.decides_title }),
    one.players.join(", "),
    one.kind === "call" && t("pit_play_goes_on"),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** What a decision is called; a card as it looks, and in words for who does not see it. */
export function decisionName(one) {
  const { sentence, facts } = one.title;
  const { card, cards = card } = facts;
  if (!cards) return [sentence];
  let rest = sentence;
  const shown = String(cards).split(" ").flatMap((value) => {
    const [before, ...after] = rest.split(cardName(value));
    rest = after.join(cardName(value));
    return [before, inline(value)];
  });
  return html`<span class="hidden name">${sentence}</span><span aria-hidden="true">${shown}${rest}</span>`;
}

export const pit = {
  /** @type {Pit} */
  seen: null,
  archived: false, // whether archived tables are asked for too
};

const watchers = [];
let asking = false;

/** Call `show` with every look. */
export function onPit(show) {
  watchers.push(show);
  if (pit.seen) show();
}

export async function look() {
  if (asking) return;
  asking = true;
  try {
    pit.seen = await get(pit.archived ? "/api/pit?archived=true" : "/api/pit");
    setClock(pit.seen.at);
    for (const show of watchers) show();
  } catch (error) {
    const out = error instanceof Refused && error.status === 401;
    if (out && !$("#table")) location.assign("/sign-in?next=/pit"); // a table's page stays, with all that was typed
  } finally {
    asking = false; // the next look tries again
  }
}

export function watchPit() {
  const beat = new Worker(new URL("./pit-beat.js", import.meta.url));
  beat.addEventListener("message", look);
  look();
}
