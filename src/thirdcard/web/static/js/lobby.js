// The lobby: sits people down with one click, and looks at the tables again while somebody looks at it.

import { Refused, sitDown, somebody } from "./api.js";
import { $, $$ } from "./dom.js";
import { t } from "./words.js";

const LOOK_MS = 3000;
const list = $("#tables");

function wrong(error) {
  $("#wrong").textContent = error instanceof Refused ? error.message : t("lost");
  $("#wrong").hidden = false;
}

const seats = (card) => JSON.parse(card.dataset.seats);

/** The first seat that nobody has; none if all are taken. */
function freeSeat(card) {
  const taken = seats(card);
  for (let box = 1; box <= Number(card.dataset.positions); box++) if (!taken[box]) return box;
  return null;
}

async function sit(button) {
  const card = button.closest(".tcard");
  button.disabled = true;
  try {
    const name = await somebody(list.dataset.who);
    list.dataset.who = name;
    if (!Object.values(seats(card)).includes(name)) await sitDown(card.dataset.id, freeSeat(card));
    location.assign(`/tables/${card.dataset.id}`);
  } catch (error) {
    button.disabled = false;
    wrong(error);
  }
}

/** Cards that changed are put in the place of the old ones; the others stay, and with them the focus. */
async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/tables");
    if (!answer.ok) return;
    const fresh = document.createElement("ul");
    fresh.innerHTML = await answer.text();
    for (const card of $$(".tcard", fresh)) {
      const old = $(`.tcard[data-id="${card.dataset.id}"]`, list);
      if (!old) list.append(card);
      else if (old.dataset.key !== card.dataset.key && !old.contains(document.activeElement)) old.replaceWith(card);
      else if (old.dataset.key !== card.dataset.key) swap(old, card);
    }
  } catch {
    return; // the next look may do better
  }
}

/** Everything but the buttons, for a card that somebody is on. */
function swap(old, card) {
  for (const part of ["header", ".road", ".counts", "dl"]) $(part, old)?.replaceWith($(part, card));
  Object.assign(old.dataset, card.dataset);
}

function tick() {
  for (const place of $$("[data-left]", list)) {
    const left = Math.max(0, Number(place.dataset.left) - 250);
    place.dataset.left = left;
    place.textContent = Math.ceil(left / 1000);
  }
}

list.addEventListener("click", (event) => {
  const button = event.target.closest("[data-sit]");
  if (button) sit(button);
});
setInterval(look, LOOK_MS);
setInterval(tick, 250);
document.addEventListener("visibilitychange", look);
