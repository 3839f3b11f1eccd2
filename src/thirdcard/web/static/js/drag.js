// Chips by hand: from the rack onto a spot, from spot to spot, and off the felt to take them back.

import { chip, pieces } from "./chips.js";
import { $, $$, html } from "./dom.js";
import { move, place, take } from "./play.js";
import { box, stakeOn } from "./state.js";

const FAR = 10; // pixels before it is a drag
const SPOT = ".shown .own .spot, .shown .pspot";
const SIZE = 52;

/** @type {{ cents: number, from: { box: number, bet: string }, x: number, y: number, flying: HTMLElement, pointer: number }} */
let drag = null;

const betAt = (spot) => ({ box: Number(spot.dataset.box || box()), bet: spot.dataset.bet });
const spotUnder = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest?.(SPOT);

function begin(event) {
  if (event.button !== 0 || drag) return;
  const rack = event.target.closest?.(".chipbtn");
  const spot = rack ? null : event.target.closest?.(SPOT);
  const from = spot && betAt(spot);
  const cents = rack ? Number(rack.dataset.cents) : from ? stakeOn(from.box, from.bet) : 0;
  if (!cents) return;
  drag = { cents, from, x: event.clientX, y: event.clientY, flying: null, pointer: event.pointerId };
}

function follow(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.flying) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    drag.flying = html("div", { class: "flying", "aria-hidden": "true" }, chip(pieces(drag.cents)[0], SIZE));
    document.body.append(drag.flying);
    document.documentElement.classList.add("dragging");
    if (!drag.from) take(drag.cents);
  }
  drag.flying.style.transform = `translate(${event.clientX - SIZE / 2}px, ${event.clientY - SIZE / 2}px)`;
  const over = spotUnder(event);
  for (const spot of $$(".drop")) spot.classList.toggle("drop", spot === over);
  over?.classList.add("drop");
}

function end(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { flying, from, cents } = drag;
  drag = null;
  if (!flying) return;
  flying.remove();
  $(".drop")?.classList.remove("drop");
  document.documentElement.classList.remove("dragging");
  quiet();
  if (event.type === "pointercancel") return;
  const spot = spotUnder(event);
  const to = spot && betAt(spot);
  if (!from && to) place(to.box, to.bet, cents);
  else if (from && !to) move(from);
  else if (from && (to.box !== from.box || to.bet !== from.bet)) move(from, to);
}

/** The click on a spot that ends a drag is no bet. */
function quiet() {
  const swallow = (event) => event.target.closest?.(SPOT) && event.stopPropagation();
  document.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 50);
}

/** Let chips be dragged anywhere on the page. */
export function watchDrags() {
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", follow);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end);
}
