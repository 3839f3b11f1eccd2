// A player's table: puts the parts together, and knows the keyboard.

import "./grid.js";
import "./hands.js";
import "./heldup.js";
import "./insurance.js";
import "./squeeze.js";
import "./statement.js";
import "./tray.js";
import { get } from "./api.js";
import { $, $$, html, icon, named } from "./dom.js";
import { wide } from "./felt.js";
import { watchOptions } from "./options.js";
import { watchPanels } from "./panels.js";
import { chips, remember, take, watchBets } from "./play.js";
import { swipe, watchRoads } from "./roads.js";
import { follow } from "./socket.js";
import { sound, sounding, toggle } from "./sound.js";
import { on, option, recallRound, table } from "./state.js";
import { alarm, announce, show } from "./tellers.js";
import { ACTIONS } from "./tray.js";
import { t } from "./words.js";

const LAST_SECONDS = 5;
const KEYS = { z: "undo", x: "clear", r: "rebet", d: "double" };

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

/** Phase in words, for whoever comes in between two announcements. */
function standing() {
  const { phase, round, settlement, offers } = table.seen;
  if ($(".says").textContent.trim()) return;
  if (phase === "betting") show({ key: "place-your-bets", facts: { round } });
  else if (phase === "settled" && settlement) show({ key: "result", facts: settlement });
  else if (offers.length) show({ key: "insurance-offered", facts: offers[0] });
  else if (phase === "dealing") show({ key: "no-more-bets" });
}

function placards() {
  const { shoe, cards_left: left, round, house, cut_card_out: cut } = table.seen;
  const set = (name, text) => $$(`[data-show="${name}"]`).forEach((place) => (place.textContent = text));
  set("shoe", shoe ?? "—");
  set("left", left ?? "—");
  set("round", round);
  set("cut", cut ? t("cut_out") : t("cut_in"));
  set("sealed", house.commitment ? `${house.commitment.slice(0, 4)}…${house.commitment.slice(-4)}` : "—");
  set("last", table.last ? t("round_number", { round: table.last.round }) : "");
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
  if (!table.me) return;
  const { rounds } = await get("/api/me/rounds?limit=1");
  const last = rounds.find((round) => round.table === table.id);
  if (last) remember(last.stakes.filter((stake) => stake.player === table.me));
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

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  const key = event.key.toLowerCase();
  const prompt = $("insurance-prompt");
  if (KEYS[key]) ACTIONS[KEYS[key]]();
  else if (/^[1-6]$/.test(key)) {
    const chip = chips()[Number(key) - 1];
    if (chip) take(chip);
  } else if (key === "i" && !prompt.hidden) prompt.insureFirst();
  else if (key === "escape") escape(prompt);
  else if (key === "s") $("round-statement").toggle();
  else return;
  event.preventDefault();
}

function escape(prompt) {
  if (!prompt.hidden && option("decline")) prompt.decline();
  else for (const name of ["round-statement", "round-history", "shoe-seeds"]) $(name).hidden = true;
}

function sounds() {
  const button = $("#sound");
  const draw = () => {
    button.replaceChildren(icon(sounding() ? "sound" : "mute"));
    button.setAttribute("aria-pressed", String(sounding()));
  };
  button.addEventListener("click", () => {
    toggle();
    draw();
  });
  draw();
  let cards = 0;
  on("cards", () => {
    if (table.seen.cards.length > cards) sound("card");
    cards = table.seen.cards.length;
  });
  on("sent", () => table.sent.length && sound("chip"));
  on("settlement", () => table.seen.settlement && sound("result"));
}

function person(name) {
  const label = t("signed_in", { name });
  const link = { class: "avatar", href: "/sign-in", title: name };
  $("#account").replaceChildren(html("a", link, ...named(label, name.slice(0, 2).toUpperCase())));
}

for (const place of $$("[data-icon]")) place.prepend(icon(place.dataset.icon));
$("#account").addEventListener("person", ({ detail }) => person(detail));
document.addEventListener("keydown", keys);
$("table-middle").addEventListener("second", seconds);
$("#history").addEventListener("click", () => $("round-history").toggle());
watchBets();
watchOptions();
watchPanels();
screens();
sounds();
on("shoe cards_left round house cut_card_out phase", placards);
on("phase offers settlement", standing);
on("link", connection);
watchRoads($("#roads"), `/tables/${table.id}/roads`);
swipe($("#roads"));
sprite();
let first = true;
follow((said) => {
  announce(said);
  if (!first) return;
  first = false;
  recall();
});
