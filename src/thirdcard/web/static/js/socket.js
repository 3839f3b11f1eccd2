// One WebSocket: changes of the table come in, commands go out. A lost connection is told, and made again from the
// version that was reached; what was asked over it and not answered is asked again.

import { insist, newKey, Refused, request } from "./api.js";
import { remind } from "./reality.js";
import { fold, forget, table, tell } from "./state.js";

const FIRST_MS = 250;
const MOST_MS = 8000;
const SIGNED_OUT = 4001;
const NO_TABLE = 4004;
const ANSWER_MS = 4000; // after which an answer is taken for lost, and the line too if nothing else came either
const OVERDUE_MS = 8000; // a table's time is up for so long, and nothing came

let socket = null;
let wait = FIRST_MS;
let again = null;
let heardAt = 0; // by the page's own clock
/** @type {(said: Heard[]) => void} */
let heard = () => {};
/** @type {(message: Message, heard: (said: Heard[]) => void) => boolean} */
let takes = takeIn;

/** @type {Map<string, { done(answer: object): void, fail(error: Error): void }>} */
const waiting = new Map(); // what was asked over the socket and is not answered, by its key

/** Follow the table; `listener` gets what the dealer said with each message, and `take` may be in no hurry with them. */
export function follow(listener, take = takeIn) {
  heard = listener;
  takes = take;
  connect();
  addEventListener("online", hurry);
  addEventListener("offline", dead);
  setInterval(overdue, 1000);
  document.addEventListener("visibilitychange", () => document.hidden || hurry());
}

/** Start anew, for instance as somebody else. */
export function restart() {
  forget();
  drop();
  connect();
}

/**
 * Ask something of the table: a command, or several that are done whole or not at all. If the socket is not open, or
 * gives no answer, it is asked by POST with the same key, so nothing is done twice.
 * @param {Command | Command[] | Record<string, any>} asked
 */
export function command(asked) {
  const key = newKey();
  const path = `/api/tables/${table.id}/commands`;
  const open = () => socket?.readyState === WebSocket.OPEN;
  return insist((number) => (number === 1 && open() ? say(key, asked) : request("POST", path, asked, key)));
}

async function say(key, asked) {
  const late = setTimeout(() => {
    waiting.get(key)?.fail(new Error("no answer"));
    if (performance.now() - heardAt >= ANSWER_MS) dead();
  }, ANSWER_MS);
  try {
    return await new Promise((done, fail) => {
      waiting.set(key, { done, fail });
      socket.send(JSON.stringify({ key, ask: asked }));
    });
  } finally {
    clearTimeout(late);
    waiting.delete(key);
  }
}

/** No answer will come any more over the connection that was. */
function forsake() {
  for (const { fail } of waiting.values()) fail(new Error("the connection was lost"));
}

function hurry() {
  if (table.link !== "lost") return;
  wait = FIRST_MS;
  connect();
}

/** A line can be gone without a word: nobody closed it, and nothing comes any more. */
function dead() {
  if (table.link !== "open") return;
  drop();
  lost({});
}

function overdue() {
  const { timer } = table;
  if (timer && performance.now() >= Math.max(timer.until, heardAt) + OVERDUE_MS) dead();
}

function drop() {
  clearTimeout(again);
  if (!socket) return;
  forsake();
  socket.onclose = socket.onmessage = null;
  socket.close();
  socket = null;
}

function connect() {
  drop();
  const after = table.version === null ? "" : `?after=${table.version}`;
  const origin = location.origin.replace(/^http/, "ws");
  socket = new WebSocket(`${origin}/api/tables/${table.id}/stream${after}`);
  socket.onmessage = ({ data }) => receive(JSON.parse(data));
  socket.onclose = lost;
}

function receive(message) {
  heardAt = performance.now();
  wait = FIRST_MS;
  if (message.answer || message.problem) {
    answered(message);
    return;
  }
  if (message.check) {
    remind(message.check);
    return;
  }
  if (!takes(message, heard)) {
    restart();
    return;
  }
  link("open");
}

function takeIn(message, hear) {
  if (!fold(message)) return false;
  hear(message.said ?? []);
  return true;
}

function answered({ key, answer, problem }) {
  const asked = waiting.get(key);
  if (problem) asked?.fail(new Refused(problem));
  else asked?.done(answer);
}

/** @param {{ code?: number }} closed */
function lost({ code }) {
  forsake();
  if (code === NO_TABLE) {
    link("gone");
    return;
  }
  if (code === SIGNED_OUT) {
    table.me = "";
    forget();
  }
  link("lost");
  again = setTimeout(connect, wait * (0.7 + 0.6 * Math.random()));
  wait = Math.min(wait * 2, MOST_MS);
}

function link(state) {
  if (table.link === state) return;
  table.link = state;
  document.documentElement.dataset.link = state;
  tell("link");
}
