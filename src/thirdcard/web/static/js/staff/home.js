// Where a dealer begins: signs on at a table with one press, and looks at the tables again while somebody looks.

import { ask } from "../api.js";
import { $, $$ } from "../dom.js";
import { draw } from "../draw.js";
import { attempt, clock, lasting } from "./say.js";

const LOOK_MS = 3000;
const list = $("#tiles");
let shown = "";

/** Times of the day, how long something has lasted, and what time it is. */
function times() {
  const now = Date.now() * 1000;
  $("#clock").textContent = clock(now).slice(0, 5);
  for (const place of $$("[data-clock]")) place.textContent = clock(Number(place.dataset.clock)).slice(0, 5);
  for (const place of $$("[data-since]")) place.textContent = lasting((now - Number(place.dataset.since)) / 1000);
}

async function signOn(button) {
  button.disabled = true;
  const id = button.dataset.signOn;
  if (await attempt(() => ask("POST", `/api/tables/${id}/dealer`), "")) location.assign(`/dealer/${id}`);
  button.disabled = false;
}

/** Tables that changed are drawn anew; somebody who is on a button keeps it. */
async function look() {
  if (document.hidden || list.contains(document.activeElement)) return;
  try {
    const answer = await fetch("/staff/tiles");
    if (!answer.ok || answer.redirected) return;
    const found = await answer.text();
    if (found === shown) return;
    shown = found;
    draw(list, new DOMParser().parseFromString(found, "text/html").body.children);
    times();
  } catch {
    return; // the next look may do better
  }
}

list?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-sign-on]");
  if (button) signOn(button);
});
$("#sign-out").addEventListener("click", async () => {
  if (await attempt(() => ask("DELETE", "/api/sessions/current"), "")) location.assign("/sign-in");
});
times();
setInterval(times, 1000);
if (list) setInterval(look, LOOK_MS);
