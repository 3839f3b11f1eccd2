// The desk: what the table's own view does not tell, and what this person may do, asked anew after every change.

import { ask, get, Refused } from "../api.js";
import { $ } from "../dom.js";
import { html, node } from "../draw.js";
import { command, restart } from "../socket.js";
import { book, on, table } from "../state.js";
import { attempt, t } from "./say.js";

// A desk whose session has ended says so and stays as it is, with all that was typed; signed in again, it goes on.

const who = $("#staff").dataset.who;
let bar = null;

/** Say that somebody has to sign in again, which is done beside this page. */
function signedOut() {
  if (bar) return;
  const link = html`<a class="btn" href="/sign-in" target="_blank" rel="noopener">${t("session_sign_in")}</a>`;
  bar = node(html`<div id="signed-out" class="wrong" role="alert"><span>${t("session_ended")}</span>${link}</div>`);
  document.body.append(bar);
}

/** Go on as before; where somebody else has signed in meanwhile the page is theirs, and made anew. */
async function signedIn() {
  if (!bar) return;
  const { name } = await get("/api/me");
  if (name !== who) location.reload();
  bar.remove();
  bar = null;
  table.me = name;
  restart();
}

export const desk = {
  /** @type {Desk} */
  seen: null,
  /** @type {Option[]} */
  options: [],
  turns: { round: 0, places: [] }, // cards that the dealer turns, though somebody may be handed them
  stale: false, // the line was lost: what it says may be of before
};

const FIELDS =
  "phase round cards stakes late gone offers purchases held_up reported amendment settlement house racks owed seats shoe cut_card_out waiting device limits notices link timer";
const RETRY_MS = 2000;
const watchers = [];
/** @type {Promise<void>} */
let asking = null;
let again = false;

/** Call `show` after every change of the desk. */
export function onDesk(show) {
  watchers.push(show);
  if (desk.seen) show();
}

export function watchDesk() {
  on("link", () => (desk.stale ||= table.link !== "open"));
  on(FIELDS, refresh);
}

/** Whether the line is open and the desk has been asked since it is. */
export const connected = () => table.link === "open" && !desk.stale;

let first = null;

/** Nothing is asked before that has come back: by then somebody else may be signed in here. */
export function waitFor(answer) {
  first = answer;
  return answer.finally(() => (first = null));
}

/** Ask once more, and once again if something changed meanwhile; done when the desk is as the table is now. */
export function refresh() {
  again = true;
  asking ??= asked().finally(() => (asking = null));
  return asking;
}

async function asked() {
  try {
    while (again) {
      again = false;
      await first;
      const stale = table.link !== "open";
      const [seen, options] = await Promise.all([
        get(`/api/tables/${table.id}/desk${turns()}`),
        get(`/api/tables/${table.id}/legal`),
      ]);
      Object.assign(desk, { seen, options, stale });
    }
    await signedIn();
    for (const show of watchers) show();
  } catch (error) {
    if (error instanceof Refused && error.status === 401) signedOut();
    setTimeout(refresh, RETRY_MS);
  }
}

function turns() {
  const { round, places } = desk.turns;
  return round === table.seen?.round && places.length ? `?${places.map((one) => `turns=${one}`).join("&")}` : "";
}

/** Give the table a command; true if it was done. */
export const does = (body, done = "") => attempt(() => command(body), book(), done);
/** The same of what is asked below the table's own address. */
export const posts = (path, body, done = "") =>
  attempt(() => ask("POST", `/api/tables/${table.id}/${path}`, body), book(), done);

/** Look again when something has been tried; whether it was done. */
export async function andRefresh(trying) {
  const done = await trying;
  refresh();
  return done;
}

export const may = (name) => desk.options.filter((one) => one.command.command === name);
/** Who deals here, if anybody does. */
export const onDuty = () => desk.seen?.duty?.dealer ?? "";
/** Whether the one who is signed in at this desk deals here. */
export const deals = () => onDuty() === table.me;
