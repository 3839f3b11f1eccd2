// Every table of the pit, looked at again and again, also while the tab is hidden.

import { get, Refused } from "../api.js";
import { $ } from "../dom.js";
import { setClock } from "./pit-clock.js";

export const pit = {
  /** @type {Pit} */
  seen: null,
  archived: false, // whether archived tables are asked for too
};

const watchers = [];
let asking = false;

/** Call `show` with every look. */
export function onPit(show) {
  watchers.push(show);
  if (pit.seen) show();
}

export async function look() {
  if (asking) return;
  asking = true;
  try {
    pit.seen = await get(pit.archived ? "/api/pit?archived=true" : "/api/pit");
    setClock(pit.seen.at);
    for (const show of watchers) show();
  } catch (error) {
    const out = error instanceof Refused && error.status === 401;
    if (out && !$("#table")) location.assign("/sign-in?next=/pit"); // a table's page stays, with all that was typed
  } finally {
    asking = false; // the next look tries again
  }
}

export function watchPit() {
  const beat = new Worker(new URL("./pit-beat.js", import.meta.url));
  beat.addEventListener("message", look);
  look();
}
