// The pit: every table is watched and rung for; the page shows all of them, or one with what is to be decided there.

import { $ } from "../dom.js";
import { draw, icon } from "../draw.js";
import "./aside.js";
import { lasted, now, onPit, pit, waitTitle, watchPit } from "./pit-watch.js";
import { muteButton, offerSounds, play } from "./sounds.js";
import { t } from "./say.js";

// What rings, how often, and what the title says of it, also in a tab that nobody sees.

// Seconds after which each sound comes again; the most urgent is heard.
const AGAIN = { passed: 20, stopped: 20, call: 60 };
const STOPS = new Set(["ruling", "report", "amendment", "removal", "over-maximum"]);

const staff = $("#staff").dataset;
const plain = document.title;
/** @type {Map<string, number>} */
const heard = new Map(); // when each thing that waits was last rung for

/** Which sound something makes for this person; none once somebody has opened it. */
function sounds(one) {
  if (one.taken_by || (one.table === staff.table && !document.hidden)) return "";
  if (one.passed_to) return one.to_you ? "passed" : "";
  return STOPS.has(one.kind) ? "stopped" : "call";
}

const keyOf = (one) => [one.table, one.kind, one.case, one.box, one.passed_to, one.since].join("/");

function ring() {
  const at = now() / 1e6;
  const due = new Set();
  const waiting = new Map(pit.seen.waiting.map((one) => [keyOf(one), one]));
  for (const key of heard.keys()) if (!waiting.has(key)) heard.delete(key);
  for (const [key, one] of waiting) {
    const name = sounds(one);
    if (!name || at - (heard.get(key) ?? -Infinity) < AGAIN[name]) continue;
    heard.set(key, at);
    due.add(name);
  }
  const name = Object.keys(AGAIN).find((one) => due.has(one));
  if (!name) return;
  play(name);
  document.documentElement.dataset.rang = name;
}

/** The pill in the header, and the title of the tab. */
function tell() {
  const { waiting, tables } = pit.seen;
  const pill = $("#needed");
  pill.hidden = !waiting.length;
  draw(pill, icon("alert"), t("pit_waiting_count", { count: waiting.length }));
  const first = waiting[0];
  const table = first && tables.find((one) => one.id === first.table)?.title;
  document.title = first
    ? `(${waiting.length}) ${waitTitle(first)} · ${table} ${lasted(first.since)} · ${plain}`
    : plain;
}

function watchBell() {
  offerSounds();
  muteButton($("#mute"));
  onPit(() => {
    ring();
    tell();
  });
}

await import($("#table") ? "./pit-table.js" : "./pit-overview.js");
watchBell();
watchPit();
