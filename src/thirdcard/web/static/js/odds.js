// The explorer answers at once: a change of the form fetches the page it asks for and takes its parts.
// Without it the form is sent by its button.

import { $, $$ } from "./dom.js";
import { SUITS } from "./shuffle.js";

let latest = 0;

function query() {
  const fields = new FormData($(".ask"));
  return new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
}

async function ask() {
  const address = `${$(".ask").getAttribute("action")}?${query()}`;
  const mine = ++latest;
  let page;
  try {
    page = await (await fetch(address)).text();
  } catch {
    location.assign(address); // the browser says what is wrong with the connection
    return;
  }
  if (mine !== latest) return; // a later question is under way
  const answer = new DOMParser().parseFromString(page, "text/html");
  const focus = held();
  for (const part of ["#main", ".topbar .title", ".topbar .languages"]) {
    $(part).replaceWith($(part, answer));
  }
  history.replaceState(null, "", address);
  steppers();
  focus?.();
}

/** What puts the focus back on the same control of the new page. */
function held() {
  const element = $(":focus");
  const rank = element?.closest("[data-rank]")?.dataset.rank;
  if (rank) {
    const step = element.dataset.step;
    return () => $(`[data-rank="${rank}"] [data-step="${step}"]`)?.focus();
  }
  return element?.id ? () => document.getElementById(element.id)?.focus() : null;
}

/** Buttons that take a card of a rank out of the shoe and put it back. */
function steppers() {
  for (const line of $$("[data-rank]")) {
    line.append(button(line, "−", -1), button(line, "+", 1));
  }
}

function button(line, sign, step) {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.step = String(step);
  made.textContent = sign;
  made.setAttribute("aria-label", `${line.dataset.rank} ${sign}`);
  return made;
}

function move(rank, step) {
  const field = $("#seen");
  const cards = field.value.split(/\s+/).filter(Boolean);
  if (step > 0) {
    const last = cards.findLastIndex((card) => card[0] === rank);
    if (last < 0) return;
    cards.splice(last, 1);
  } else {
    const decks = Number(query().get("decks"));
    const free = [...SUITS].find((suit) => cards.filter((card) => card === rank + suit).length < decks);
    if (!free) return;
    cards.push(rank + free);
  }
  field.value = cards.join(" ");
  ask();
}

document.addEventListener("click", (event) => {
  const step = event.target.closest?.("[data-step]")?.dataset.step;
  if (step) move(event.target.closest("[data-rank]").dataset.rank, Number(step));
});
document.addEventListener("change", (event) => {
  if (!event.target.closest(".ask")) return;
  if (event.target.closest("[name=rulebook]")) $("#layout").value = "";
  ask();
});
document.addEventListener("submit", (event) => {
  if (!event.target.closest(".ask")) return;
  event.preventDefault();
  ask();
});
steppers();
