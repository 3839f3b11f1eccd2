// What went wrong on a page of forms is said above them.

import { saidOf } from "./api.js";
import { $ } from "./dom.js";
import { phrase } from "./words.js";

export function complain(error) {
  $("#wrong").textContent = saidOf(error, phrase("live_lost"));
  $("#wrong").hidden = false;
}

/** Do something that the server may refuse; what it came to, or undefined. */
export async function attempt(work) {
  $("#wrong").hidden = true;
  try {
    return await work();
  } catch (error) {
    complain(error);
    return undefined;
  }
}
