// The lobby: sits people down with one click, filters, tells when a dealer comes, and looks at the tables again
// while somebody looks at it.

import "./purse.js";
import { leaveTable, sitDown, somebody } from "./api.js";
import { bestSeat } from "./best-seat.js";
import { $, $$, html } from "./dom.js";
import { phrase, t } from "./words.js";
import { complain } from "./wrong.js";

const LOOK_MS = 3000;
const ROUND_BACK = "tell-me"; // tables of which a dealer is waited for, while this window is open
const LAST = "last-table"; // where this browser sat down last
const list = $("#tables");
const kinds = new Set(); // filters that are on; they add up
let game = ""; // the one that was chosen, by its rulebook

const cards = () => $$(".tcard", list);
const seats = (card) => JSON.parse(card.dataset.seats);
const has = (card, kind) => card.dataset.kinds.split(" ").includes(kind);

async function sit(button, card = button.closest(".tcard")) {
  button.disabled = true;
  try {
    const name = await somebody(list.dataset.who);
    list.dataset.who = name;
    const at = bestSeat(Number(card.dataset.positions), seats(card));
    if (!ownBox(card)) await sitDown(card.dataset.id, at);
    localStorage.setItem(LAST, card.dataset.id);
    location.assign(`/tables/${card.dataset.id}`);
  } catch (error) {
    button.disabled = false;
    complain(error);
  }
}

const ownBox = (card) => Object.entries(seats(card)).find(([, name]) => name === list.dataset.who)?.[0];

// Filters and what is one's own -----------------------------------------------------------------------------

/** Cards that are not of the kinds and the game asked for go; each filter says how many it would show. */
function filter() {
  const fits = (card, wanted) => (!game || card.dataset.game === game) && [...wanted].every((kind) => has(card, kind));
  for (const card of cards()) card.hidden = !fits(card, kinds);
  for (const pill of $$("[data-kind]", $("#filters"))) {
    const { kind } = pill.dataset;
    const all = kind === "all";
    const count = cards().filter((card) => fits(card, all ? [] : [...kinds, kind])).length;
    $("small", pill).textContent = count;
    pill.classList.toggle("none", !count);
    pill.setAttribute("aria-pressed", String(all ? !kinds.size : kinds.has(kind)));
  }
  $("#filters").hidden = !cards().length;
}

/** The games there are, each by its first table; one that is chosen leaves its tables. */
function games() {
  const names = cards().map((card) => card.dataset.game);
  const key = JSON.stringify([names, game]);
  if ($("#games").dataset.key === key) return;
  $("#games").dataset.key = key;
  const focus = $(":focus")?.dataset.game;
  const first = (name) => cards()[names.indexOf(name)];
  $("#games").replaceChildren(...[...new Set(names)].map((name) => tile(name, first(name), names.filter((one) => one === name).length)));
  if (focus) $(`#games [data-game="${focus}"]`)?.focus();
}

const tile = (name, first, tables) =>
  html(
    "button",
    { type: "button", class: "game", "data-game": name, "aria-pressed": String(name === game) },
    html("b", { class: "serif" }, first.dataset.name),
    html("span", {}, $("header p", first).textContent),
    html("small", {}, phrase("lobby_game_tables", { tables })),
  );

/** The one table for one press: where this browser sat last, else one to begin at, else the first that has a free seat. */
function now() {
  const panel = $("#now");
  if (!panel) return;
  const free = cards().filter((card) => has(card, "free") && $("[data-sit]", card));
  const last = free.find((card) => card.dataset.id === localStorage.getItem(LAST));
  const found = last ?? free.find((card) => has(card, "gentle")) ?? free[0];
  panel.hidden = !found;
  if (!found) return;
  panel.dataset.table = found.dataset.id;
  $("small", panel).textContent = phrase(`lobby_now_${last ? "last" : has(found, "gentle") ? "first" : "free"}`);
  $("b", panel).textContent = found.dataset.name;
  $("span", panel).textContent = [$("dd", found), $(".phase b", found)].map((one) => one?.textContent.trim()).filter(Boolean).join(" · ");
}

const playNow = () => sit($("#now button"), $(`.tcard[data-id="${$("#now").dataset.table}"]`));

/** The tables where one sits are gold, and lead back; how many tables and people there are. */
function own() {
  let people = 0;
  for (const card of cards()) {
    people += Object.keys(seats(card)).length;
    const box = ownBox(card);
    card.classList.toggle("mine", Boolean(box));
    const button = $("[data-sit]", card);
    if (box && button) button.textContent = phrase("lobby_return_box", { box });
    $(`.seats [data-box="${box}"]`, card)?.classList.add("mine");
  }
  if ($("#count")) $("#count").textContent = phrase("lobby_count", { tables: cards().length, people });
}

// A table without a dealer -----------------------------------------------------------------------------------

const waited = () => new Set(JSON.parse(sessionStorage.getItem(ROUND_BACK) ?? "[]"));
const wait = (ids) => sessionStorage.setItem(ROUND_BACK, JSON.stringify([...ids]));

/** Say so once a dealer is there; until then the button says that it will. */
function tell() {
  const ids = waited();
  for (const card of cards().filter((one) => ids.has(one.dataset.id))) {
    const button = $("[data-tell]", card);
    if (button) {
      button.textContent = phrase("lobby_will_tell");
      button.disabled = true;
    } else if (!("noDealer" in card.dataset)) {
      const said = phrase("lobby_dealer_there", { table: card.dataset.name });
      $("#told").replaceChildren(said, " ", html("a", { href: `/tables/${card.dataset.id}` }, t("watch")));
      $("#told").hidden = false;
      ids.delete(card.dataset.id);
      wait(ids);
    }
  }
}

async function giveUp(button) {
  button.disabled = true;
  try {
    await leaveTable(button.dataset.giveUp);
    location.reload();
  } catch (error) {
    button.disabled = false;
    complain(error);
  }
}

// Looking again ----------------------------------------------------------------------------------------------

/** Cards that changed are put in the place of the old ones; the others stay, and with them the focus. */
async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/tables");
    if (!answer.ok) return;
    const fresh = document.createElement("ul");
    fresh.innerHTML = await answer.text();
    for (const card of cards()) {
      if (!$(`.tcard[data-id="${card.dataset.id}"]`, fresh)) card.remove();
    }
    for (const card of $$(".tcard", fresh)) {
      const old = $(`.tcard[data-id="${card.dataset.id}"]`, list);
      if (!old) list.append(card);
      else if (old.dataset.key !== card.dataset.key && !old.contains(document.activeElement)) old.replaceWith(card);
      else if (old.dataset.key !== card.dataset.key) swap(old, card);
    }
    show();
  } catch {
    return; // the next look may do better
  }
}

/** A card that somebody is on: all of it as it is now, but for what has the focus. */
function swap(old, card) {
  for (const part of ["header", ".facts", ".road", ".counts", "dl"]) {
    const was = $(part, old);
    if (!was.contains(document.activeElement)) was.replaceWith($(part, card));
  }
  swapAct(old, card);
  for (const name of old.getAttributeNames()) if (!card.hasAttribute(name)) old.removeAttribute(name);
  for (const name of card.getAttributeNames()) old.setAttribute(name, card.getAttribute(name));
}

/** Its button stays while it does the same; who was on one that goes is on what comes for it. */
function swapAct(old, card) {
  const [was, is] = [old, card].map((one) => $(".acts button", one));
  if (was && is && "sit" in was.dataset === "sit" in is.dataset) {
    was.textContent = is.textContent;
    return;
  }
  const held = was?.contains(document.activeElement);
  was?.remove();
  if (is) $(".acts", old).append(is);
  if (held) (is ?? $(".acts a", old)).focus();
}

function show() {
  filter();
  games();
  now();
  own();
  tell();
}

function tick() {
  for (const place of $$("[data-left]", list)) {
    const left = Math.max(0, Number(place.dataset.left) - 250);
    place.dataset.left = left;
    place.textContent = phrase("lobby_seconds", { seconds: Math.ceil(left / 1000) });
  }
}

list.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.sit) sit(button);
  if (button?.dataset.tell) {
    wait(waited().add(button.dataset.tell));
    tell();
  }
});
$("#filters").addEventListener("click", (event) => {
  const pill = event.target.closest("[data-kind]");
  if (!pill) return;
  const { kind } = pill.dataset;
  if (kind === "all") kinds.clear();
  else if (!kinds.delete(kind)) kinds.add(kind);
  filter();
});
$("#games").addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-game]");
  if (!chosen) return;
  game = game === chosen.dataset.game ? "" : chosen.dataset.game;
  show();
});
$("#now button")?.addEventListener("click", playNow);
document.addEventListener("keydown", (event) => {
  const plain = event.target === document.body && !event.ctrlKey && !event.altKey && !event.metaKey;
  if (plain && event.key === "Enter" && $("#now")?.hidden === false) playNow();
});
$("[data-give-up]")?.addEventListener("click", (event) => giveUp(event.currentTarget));
show();
setInterval(look, LOOK_MS);
setInterval(tick, 250);
document.addEventListener("visibilitychange", look);
