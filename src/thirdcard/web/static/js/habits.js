// How I like to bet: patterns of bets and the chips of the rack. The server keeps them for whoever is signed in.

import { get, request } from "./api.js";
import { joined, on, table, tell } from "./state.js";
import { attempt } from "./tellers.js";

/** @type {{ patterns: { name: string, bets: { bet: string, cents: number }[] }[], chips: number[] }} */
export const habits = { patterns: [], chips: [] };

export const MOST_PATTERNS = 9;
let whose = "";

/** Have those of whoever plays here. */
export function watchHabits() {
  on("racks box", async () => {
    if (!joined() || !table.plays || whose === table.me) return;
    whose = table.me;
    Object.assign(habits, await get("/api/me/habits"));
    tell("habits", "chip");
  });
}

/** Keep some of them otherwise. */
export async function keep(changed, near = null) {
  await attempt(async () => {
    Object.assign(habits, await request("PUT", "/api/me/habits", { ...habits, ...changed }, ""));
  }, near);
  tell("habits", "chip");
}
