// The reality check: what a session has come to, until the player says to go on. Bets wait meanwhile.

import { ask, get } from "./api.js";
import { $, button, html } from "./dom.js";
import { alarm, refuse } from "./tellers.js";
import { money, phrase, signed } from "./words.js";

/** @param {RealityCheck} check */
export function remind(check) {
  const place = $("reality-check");
  const title = phrase("own_check_title", { minutes: check.minutes });
  const told = phrase("own_check_told", { rounds: check.rounds, staked: money(check.staked), net: signed(check.net) });
  place.replaceChildren(
    html("div", {}, html("b", { class: "serif", id: "check-title" }, title), html("span", {}, told)),
    html("a", { class: "btn", href: "/" }, phrase("own_stop")),
    button("primary", goOn, {}, phrase("own_go_on")),
  );
  place.hidden = false;
  alarm(`${title}. ${told}`);
}

async function goOn(event) {
  try {
    await ask("POST", "/api/me/reality-check");
    $("reality-check").hidden = true;
  } catch (error) {
    refuse(error, event.currentTarget);
  }
}

/** A bet was refused since a check is due, which this page may not have heard of. */
export async function recallCheck() {
  const { check } = await get("/api/me/limits");
  if (check) remind(check);
}
