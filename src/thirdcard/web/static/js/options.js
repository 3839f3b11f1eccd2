// What the server says I may do. It is asked again, a moment after anything changed that can matter.

import { get } from "./api.js";
import { joined, on, table, tell } from "./state.js";

const SOON_MS = 40;
const CALM_MS = 350; // others bet in bursts
const MATTERS = "phase round offers held_up amendment seats cards racks purchases limits house";

let due = null;
let asked = 0;

export function watchOptions() {
  on(MATTERS, (fields) => {
    if (joined() || !asked || fields.includes("racks")) later(SOON_MS); // whoever only watches may sit down, no more
  });
  on("stakes", () => joined() && later(table.sent.length ? SOON_MS : CALM_MS));
}

function later(ms) {
  const at = performance.now() + ms;
  if (due && due.at <= at) return;
  clearTimeout(due?.timer);
  due = { at, timer: setTimeout(refresh, ms) };
}

export async function refresh() {
  clearTimeout(due?.timer);
  due = null;
  const number = ++asked;
  let found = [];
  if (table.me) {
    try {
      found = await get(`/api/tables/${table.id}/legal`);
    } catch {
      return; // the connection tells of itself
    }
  }
  if (number !== asked) return; // a later question is under way
  table.options = found;
  tell("options");
}
