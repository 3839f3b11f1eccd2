// One WebSocket. A lost connection is told, and made again from the version that was reached.

import { fold, forget, table, tell } from "./state.js";

const FIRST_MS = 250;
const MOST_MS = 8000;
const SIGNED_OUT = 4001;
const NO_TABLE = 4004;

let socket = null;
let wait = FIRST_MS;
let again = null;
let heard = () => {};

/** Follow the table; `listener` gets what the dealer said with each message. */
export function follow(listener) {
  heard = listener;
  connect();
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", () => document.hidden || hurry());
}

/** Start anew, for instance as somebody else. */
export function restart() {
  forget();
  drop();
  connect();
}

function hurry() {
  if (table.link !== "lost") return;
  wait = FIRST_MS;
  connect();
}

function drop() {
  clearTimeout(again);
  if (!socket) return;
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
  wait = FIRST_MS;
  if (!fold(message)) {
    restart();
    return;
  }
  link("open");
  heard(message.said ?? []);
}

function lost({ code }) {
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
