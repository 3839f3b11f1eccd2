// Seats: which may be taken, which is best for somebody who comes, and sitting down.

import { sitDown, somebody } from "./api.js";
import { bestSeat } from "./best-seat.js";
import { $, button, html } from "./dom.js";
import { send } from "./play.js";
import { note } from "./room.js";
import { restart } from "./socket.js";
import { joined, on, option, rack, seat, shownAs, table, tell } from "./state.js";
import { attempt } from "./tellers.js";
import { t } from "./words.js";

const ASKED_MS = 8000;

/** Somebody who is not at the table yet may take any empty seat; the server has the last word. */
export const mayTake = (at) =>
  !table.seen.seats[at] && Boolean(joined() ? option("sit", { box: at }) : !table.me || (table.plays && option("join")));

/** Whether a box is free for me to move to, though not now: its answer says what is in the way. */
export const mayMove = (at) => !table.seen.seats[at] && Boolean(seat()) && !mayTake(at);

/** Whether somebody who only watches may come to the table. */
const mayJoin = () => !joined() && table.plays && (!table.me || Boolean(option("join")));

/** Whether there is anything to do in somebody else's box: bet behind who sits there, or come to do so. */
export const mayStand = (at) =>
  at !== seat() &&
  Boolean(table.seen.seats[at]) &&
  (at === table.behind || option("place", { box: at }) !== undefined || mayJoin());

export async function lookAt(at, near = null) {
  const wanted = at === seat() || at === table.behind ? null : mayStand(at) ? at : table.behind;
  if (wanted === table.behind) return;
  if (wanted && mayJoin()) await come(null, near);
  table.behind = wanted;
  tell("box");
}

/** Sit down: as a guest if need be, with play money if there is none yet. Who has a seat is asked before it changes. */
export async function takeSeat(at, near = null, sure = false) {
  if (seat() && !sure && mayTake(at)) {
    note(near ?? $(".stage"), t("move_ask", { box: at, own: seat() }), { ms: ASKED_MS, remedies: [[t("move_yes", { box: at }), () => takeSeat(at, near, true)]] });
    return;
  }
  if (joined() && rack() > 0) {
    await send({ command: "sit", box: at }, near);
    return;
  }
  await come(at, near);
}

/** Join the table with play money and take that seat, or stand if there is none. */
const come = (at, near) =>
  attempt(async () => {
    const name = await somebody(table.me);
    await sitDown(table.id, at);
    if (name === table.me) return;
    table.me = name;
    $("#account").dispatchEvent(new CustomEvent("person", { detail: name }));
    restart();
  }, near);

/** The one thing to do for somebody without a seat. */
class SitDown extends HTMLElement {
  connectedCallback() {
    on("seats positions options box", () => this.show());
  }

  show() {
    const { positions, seats } = table.seen;
    const at = seat() || table.behind ? null : bestSeat(positions, seats);
    const free = at && mayTake(at);
    const behind = !at && !seat() && !table.behind && Number(Object.keys(seats).find((one) => mayStand(Number(one))));
    const back = table.behind && seat();
    this.hidden = !free && !behind && !back;
    if (this.hidden) return;
    const label = back
      ? [t("stand_back")]
      : free
      ? [t("sit_down"), html("small", {}, t("box", { box: at }))]
      : [t("bet_behind", { name: shownAs(seats[behind]) })];
    const act = (event) => (back ? lookAt(seat()) : free ? takeSeat(at, event.currentTarget) : lookAt(behind, event.currentTarget));
    this.replaceChildren(button(back ? "" : "primary", act, {}, ...label));
  }
}

customElements.define("sit-down", SitDown);
