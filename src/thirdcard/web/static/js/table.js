// A player's table: puts the parts together, and knows the keyboard.

import "./app.js";
import "./felt.js";
import "./grid.js";
import "./hands.js";
import { sayReady } from "./heldup.js";
import "./insurance.js";
import "./net.js";
import { ACTIONS, watchDrags } from "./tray.js";
import { get } from "./api.js";
import { watchCrowd } from "./crowd.js";
import { $, $$, html, icon, named } from "./dom.js";
import { watchHabits } from "./habits.js";
import { watchRack } from "./counting.js";
import { watchMenu } from "./menu.js";
import { watchFlights } from "./flights.js";
import { watchSound } from "./listening.js";
import { watchMotion } from "./motion.js";
import { watchOptions } from "./options.js";
import { only, opened, shown, toggle } from "./panels.js";
import { watchLimits } from "./placards.js";
import { chips, remember, take, watchBets } from "./play.js";
import { repeat, repeating, stop, watchRepeating } from "./repeating.js";
import { allRoads, cropRoad, watchRoads } from "./roads.js";
import { isPointed } from "./roving.js";
import { wide } from "./stage.js";
import { follow } from "./socket.js";
import { sound } from "./sound.js";
import { on, option, recallRound, table } from "./state.js";
import { watchLessons } from "./teach.js";
import { watchPresses } from "./steady.js";
import { tellInOrder } from "./telling.js";
import { alarm, announce, showStanding } from "./tellers.js";
import { tellCuts, watchWarnings } from "./warnings.js";
import { call } from "./voice.js";
import { t } from "./words.js";

const LAST_SECONDS = 5;
const PAGE = 50;
const MOST_PAGES = 5;
const KEYS = { z: "undo", x: "clear", r: "rebet", d: "double" };
const OVER_CARDS = ["i", "s", "escape"]; // keys that work while cards are squeezed: the rest lies under them

/** Cards and chips are symbols of one drawing that the whole page uses. */
async function sprite() {
  const answer = await fetch($("#sprite").href);
  document.body.insertAdjacentHTML("afterbegin", await answer.text());
}

function screens() {
  const choose = () => {
    $("table-felt").classList.toggle("shown", wide.matches);
    $("table-grid").classList.toggle("shown", !wide.matches);
    if (wide.matches && table.seen) $("table-felt").draw();
  };
  wide.addEventListener("change", choose);
  choose();
}

function placards() {
  const { shoe, cards_left: left, round, house, cut_card_out: cut } = table.seen;
  const set = (name, text) => $$(`[data-show="${name}"]`).forEach((place) => (place.textContent = text));
  set("shoe", shoe ?? "—");
  set("left", left ?? "—");
  set("round", round);
  set("cut", cut ? t("cut_out") : t("cut_in"));
  for (const link of $$("[data-shoe]")) {
    link.href = `/tables/${table.id}/shoes/${shoe ?? 1}`;
    link.title = house.commitment ? t("check_why", { seal: house.commitment.slice(0, 12) }) : "";
  }
  const used = $("[data-used]");
  used.style.width = `${100 - (100 * (left ?? 0)) / Number(used.dataset.used)}%`;
}

function connection() {
  const states = { open: "", lost: t("lost"), gone: t("gone"), opening: "" };
  $("#lost").textContent = states[table.link];
  $("#lost").hidden = !states[table.link];
}

/** What happened before this page was opened: the cards of the last round, and one's own last bets. */
async function recall() {
  const [record] = await get(`/api/tables/${table.id}/rounds?limit=1`);
  if (record) recallRound(record);
  if (!table.me || !table.plays) return;
  const last = await lastOwnRound();
  if (last) remember(last.stakes.filter((stake) => stake.player === table.me));
}

/** The last round that I bet in at this table, however many I let pass; not from very long ago. */
async function lastOwnRound() {
  let after = "";
  for (let page = 0; page < MOST_PAGES; page++) {
    const { rounds, next } = await get(`/api/me/rounds?limit=${page ? PAGE : 1}${after}`);
    const found = rounds.find((round) => round.table === table.id && round.stakes.some((stake) => stake.player === table.me));
    if (found || !next) return found;
    after = `&after=${encodeURIComponent(next)}`;
  }
  return null;
}

let warned = null; // of how many seconds

function seconds({ detail }) {
  if (!detail || detail.seconds > LAST_SECONDS || !option(detail.name === "insurance" ? "insure" : "place")) {
    warned = null;
    return;
  }
  if (warned === detail.seconds) return;
  const alreadyWarned = Boolean(warned);
  warned = detail.seconds;
  if (detail.seconds > 0) sound("last");
  if (!alreadyWarned) alarm(t("last_seconds", { seconds: detail.seconds }));
}

/** What Space presses where the focus came by a key; the chip in hand needs no second press. */
const PRESSED = "a, summary, [role=button], .spot, .pspot, button:not([aria-checked=true])";

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  if ($("dialog[open]")) return; // keys are the menu's while it is open, Escape too
  const key = event.key.toLowerCase();
  const prompt = $("insurance-prompt");
  if ($(".dock").inert && !OVER_CARDS.includes(key)) return;
  if (key === "r" && event.shiftKey) repeating.of ? stop() : repeat();
  else if (key === " ") {
    if ($("ready-button").hidden || (event.target.matches(PRESSED) && !isPointed())) return;
    sayReady();
  } else if (key === "f") toggle("bet-tools", "saved");
  else if (KEYS[key]) ACTIONS[KEYS[key]]();
  else if (/^[1-9]$/.test(key)) digit(Number(key));
  else if (key === "i" && !prompt.hidden) prompt.insureFirst();
  else if (key === "escape") escape(prompt);
  else if (key === "s") toggle("round-statement");
  else return;
  event.preventDefault();
}

/** A saved bet while these are open, else a chip of the rack. */
async function digit(number) {
  await opened();
  const tools = $("bet-tools");
  if (!tools.hidden && tools.shows === "saved") {
    tools.use(number);
    return;
  }
  const chip = chips()[number - 1];
  if (chip) take(chip);
}

/** What lies open is closed first, so that whoever closes it declines nothing. */
function escape(prompt) {
  if (shown()) only(null);
  else if (!prompt.hidden && option("decline")) prompt.decline();
}

/** Where cards are dealt face down, whoever gets them can lift them. */
function squeezes() {
  if (table.seen.house.face_down) import("./squeeze.js");
}

function person(name) {
  const label = t("signed_in", { name });
  const link = { class: "avatar", href: "/account", title: name };
  $("#account > :last-child").replaceWith(html("a", link, ...named(label, name.slice(0, 2).toUpperCase())));
}

for (const place of $$("[data-icon]")) place.prepend(icon(place.dataset.icon));
$("#account").addEventListener("person", ({ detail }) => person(detail));
document.addEventListener("keydown", keys);
$("table-middle").addEventListener("second", seconds);
$("#history").addEventListener("click", () => toggle("round-history"));
watchPresses();
watchBets();
watchHabits();
watchRepeating();
watchWarnings();
watchDrags();
watchOptions();
watchMenu();
watchLimits();
watchLessons();
watchCrowd();
screens();
watchSound();
watchMotion();
watchRack();
watchFlights();
on("shoe cards_left round house cut_card_out phase", placards);
on("phase offers settlement", showStanding);
on("link", connection);
on("here", () => ($(".here b").textContent = table.here));
on("house", squeezes);
watchRoads($("#roads"), `/tables/${table.id}/roads`);
allRoads($("#roads"));
cropRoad($("#roads"));
sprite();
let first = true;
follow((said) => {
  announce(said);
  tellCuts(said);
  call(said);
  if (!first) return;
  first = false;
  recall();
}, tellInOrder);
