// The reality check: what a session has come to, until the player says to go on. Bets wait meanwhile.

import { ask, get, leaveTable } from "./api.js";
import { $, button, html } from "./dom.js";
import { joined, table } from "./state.js";
import { alarm, attempt } from "./tellers.js";
import { money, phrase, signed } from "./words.js";

/** @param {RealityCheck} check */
export function remind(check) {
  const place = $("reality-check");
  const hours = check.minutes / 60;
  const title =
    hours === 1 ? phrase("own_check_hour") : phrase("own_check_title", { minutes: check.minutes });
  const told = phrase("own_check_told", { rounds: check.rounds, staked: money(check.staked), net: signed(check.net) });
  place.replaceChildren(
    html("div", {}, html("b", { class: "serif", id: "check-title" }, title), html("span", {}, told)),
    button("", stop, {}, phrase("own_stop")),
    button("primary", goOn, {}, phrase("own_go_on")),
  );
  place.hidden = false;
  alarm(`${title}. ${told}`);
}

/** The seat is given up, the rack goes home, and one's own page tells what it came to. */
async function stop({ currentTarget }) {
  if (!joined() || (await attempt(() => leaveTable(table.id), currentTarget))) location.assign("/account");
}

async function goOn({ currentTarget }) {
  if (await attempt(() => ask("POST", "/api/me/reality-check"), currentTarget)) $("reality-check").hidden = true;
}

/** A bet was refused since a check is due, which this page may not have heard of. */
export async function recallCheck() {
  const { check } = await get("/api/me/limits");
  if (check) remind(check);
}
