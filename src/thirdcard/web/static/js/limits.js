// What a player allows themselves: shown as it holds now, changed by a form, a break or for good.

import { ask, get } from "./api.js";
import { $, $$ } from "./dom.js";
import { money, phrase } from "./words.js";
import { attempt } from "./wrong.js";

const AMOUNTS = ["loss_day", "loss_week"]; // in cents; the others are minutes
const NAMES = [...AMOUNTS, "minutes_day", "check_minutes"];
const shown = (name, value) => (AMOUNTS.includes(name) ? money(value) : String(value));
const unit = (name) => (AMOUNTS.includes(name) ? 100 : 1);
const time = (at) =>
  new Date(at / 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

/** @param {LimitsView} limits */
function show(limits) {
  for (const name of NAMES) row(name, limits);
  for (const control of $$("#limits input, #limits button")) control.disabled = false; // what holds is known: not before
  const away = limits.excluded
    ? phrase("own_excluded")
    : limits.away_until && phrase("own_away", { time: time(limits.away_until) });
  $("#away").hidden = !away;
  $("#away").textContent = away || "";
  for (const control of $$("#exclude button, #break button, #break select")) control.disabled = limits.excluded;
}

/** One limit: what was asked for, how much is used of what holds, and from when on the other will. */
function row(name, limits) {
  const field = $(`[name="${name}"]`);
  const place = $(`#${name}-more`);
  const most = limits[name];
  const coming = limits.coming[name];
  const wanted = coming ? coming.value : most;
  field.value = wanted === null ? "" : wanted / unit(name);
  const used = limits.used[name];
  if (used !== undefined) {
    const facts = { used: shown(name, used), most: most === null ? "" : shown(name, most) };
    $(".used", place).textContent = phrase(most === null ? "own_so_far" : "own_of", facts);
    $(".fill", place).style.width = most === null ? "0" : `${Math.min(100, (100 * used) / (most || 1))}%`;
    $(".track", place).hidden = most === null;
  }
  const told = coming && { time: time(coming.at), value: coming.value === null ? phrase("own_none") : shown(name, coming.value) };
  $(".coming", place).hidden = !told;
  $(".coming", place).textContent = told ? phrase("own_coming", told) : "";
}

/** Do something and show what holds then; whatever is wrong is said above. */
async function change(work, done = "") {
  $("#saved").textContent = "";
  await attempt(async () => {
    show(await work());
    $("#saved").textContent = done;
  });
}

function save(form) {
  const given = new FormData(form);
  const value = (name) => (given.get(name) === "" ? null : Math.round(Number(given.get(name)) * unit(name)));
  const body = Object.fromEntries(NAMES.map((name) => [name, value(name)]));
  return change(() => ask("PUT", "/api/me/limits", body), phrase("own_saved"));
}

/** Twice to be sure: what cannot be undone is asked for again in the button itself. */
function twice(id, sure, body) {
  const form = $(id);
  const button = $("button", form);
  const label = button.textContent;
  const calm = () => {
    button.classList.remove("danger");
    button.textContent = label;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (button.classList.contains("danger")) {
      calm();
      change(() => ask("POST", "/api/me/time-out", body(new FormData(form))));
    } else {
      button.classList.add("danger");
      button.textContent = sure;
    }
  });
  button.addEventListener("blur", calm);
}

$("#limits").addEventListener("submit", (event) => {
  event.preventDefault();
  save(event.target);
});
twice("#break", phrase("own_break_sure"), (given) => ({ hours: Number(given.get("hours")) }));
twice("#exclude", phrase("own_exclude_sure"), () => ({ for_good: true }));
change(() => get("/api/me/limits"));
