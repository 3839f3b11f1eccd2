// Clocks that run by the server's time: how long something has lasted, wherever it is shown.

import { $$ } from "../dom.js";

const TICK_MS = 500;
let ahead = 0; // of the server's clock, in milliseconds

/** What the server's clock says now, in microseconds. */
export const now = () => (Date.now() + ahead) * 1000;

export function setClock(micros) {
  ahead = micros / 1000 - Date.now();
}

const two = (figure) => String(figure).padStart(2, "0");

/** How long ago that was: `0:38`, `1:02:05`. An element with `data-lasts` goes on saying it. */
export function lasted(since) {
  const seconds = Math.max(0, Math.floor((now() - since) / 1e6));
  const [minutes, rest] = [Math.floor(seconds / 60), two(seconds % 60)];
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

/** `20:14` */
export const hour = (micros) => new Date(micros / 1000).toLocaleTimeString(
  "en-GB",
  { hour: "2-digit", minute: "2-digit" },
);

function tick() {
  for (const one of $$("[data-lasts]")) {
    const text = lasted(Number(one.dataset.lasts));
    if (one.textContent !== text) one.textContent = text;
  }
}

setInterval(tick, TICK_MS);
