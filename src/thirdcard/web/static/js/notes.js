// Short words on a spot: what is the most there, what went back and why. They stand for some seconds.

import { $, html } from "./dom.js";
import { alarm, citations } from "./tellers.js";

const SHOWN_MS = 4000;

/** Where a spot's words go: over its right half, inside the window. */
export function beside(box, spot, { low = false } = {}) {
  const place = spot.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const large = place.width > 260;
  const x = large ? place.x + place.width * 0.72 - width / 2 : place.x + (place.width - width) / 2;
  const y = low && !large ? place.bottom - height - 4 : place.y + (place.height - height) / 2;
  box.style.left = `${Math.min(Math.max(x, 4), innerWidth - width - 4)}px`;
  box.style.top = `${Math.max(y, 4)}px`;
}

/** Say something on a spot, with the paragraphs behind it if there are any. */
export function note(spot, text, { rules = [], ms = SHOWN_MS } = {}) {
  $(".spot-note")?.remove();
  const box = html("p", { class: "spot-note" }, text, rules.length > 0 && [" ", citations(rules)]);
  document.body.append(box);
  beside(box, spot);
  alarm(text);
  setTimeout(() => box.remove(), ms);
}
