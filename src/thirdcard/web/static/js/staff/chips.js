// Chips after the close: added or taken away late, put right as they lay, taken off to meet the differential. The
// server says what may be done.

import { get } from "../api.js";
import { draw, html, node } from "../draw.js";
import { table } from "../state.js";
import { betName } from "../words.js";
import { desk, does, refresh } from "./desk.js";
import { cents, field, select, t } from "./say.js";

const KINDS = ["record-chips", "late-chips", "late-taken", "remove"];
const TAKEN = "late-taken"; // chips taken away after the close: the same command with an amount below zero
let options = [];
let shown = "";
let parts = null;

/** Keep the form in step with the table; what was filled in stays. While bets are open there is none. */
export function showChips(place) {
  const { round, phase, bets, stakes, late, offers, racks } = table.seen;
  place.hidden = !["adjusting", "dealing", "settled"].includes(phase);
  const key = JSON.stringify([desk.seen.players, bets]);
  if (key !== shown) {
    shown = key;
    draw(place, desk.seen.players.length ? form() : html`<p class="muted">${t("nobody_plays")}</p>`);
  }
  if (parts) load(JSON.stringify([round, phase, stakes, late, offers, racks]));
}

function form() {
  const player = select(
    desk.seen.players.map((one) => [one, one]),
    { name: "player" },
  );
  const boxes = Array.from({ length: table.seen.positions }, (_, place) => [place + 1, place + 1]);
  const box = select(boxes, { name: "box" });
  const bet = select(
    table.seen.bets.map((one) => [one, betName(one)]),
    { name: "bet" },
  );
  const amount = node(html`<input name="cents" inputmode="decimal" autocomplete="off" placeholder="100">`);
  const why = node(html`<input name="reason" maxlength="200" autocomplete="off">`);
  const reason = node(field(t("reason"), why));
  reason.hidden = true;
  const buttons = node(html`<div class="acts"></div>`);
  parts = { player, box, bet, amount, why, reason, buttons };
  player.addEventListener("change", () => {
    const seat = Object.entries(table.seen.seats).find(([, name]) => name === player.value);
    if (seat) box.value = seat[0];
    load("player");
  });
  for (const one of [box, bet]) one.addEventListener("change", offer);
  for (const one of [amount, why]) one.addEventListener("input", offer);
  const made = node(html`<form class="stack">
    <div class="cols">
      ${field(t("who"), player)}${field(t("box"), box)}${field(t("bet"), bet)}${field(t("amount"), amount)}${reason}
    </div>
    ${buttons}
  </form>`);
  made.addEventListener("submit", (event) => event.preventDefault());
  player.dispatchEvent(new Event("change"));
  return made;
}

let loaded = "";

async function load(key) {
  if (key === loaded) return;
  loaded = key;
  options = await get(`/api/tables/${table.id}/legal?player=${encodeURIComponent(parts.player.value)}`);
  offer();
}

/** The buttons for what fits the form, the rest disabled. */
function offer() {
  const fits = (one, name) =>
    one.command.command === (name === TAKEN ? "late-chips" : name) &&
    one.command.cents < 0 === (name === TAKEN) &&
    one.command.box === Number(parts.box.value) &&
    one.command.bet === parts.bet.value;
  const wanted = cents(parts.amount.value);
  let asks = false;
  const made = KINDS.map((name) => {
    const found = options.filter((one) => fits(one, name));
    const reasoned = found.some((one) => one.free?.includes("reason"));
    asks ||= reasoned;
    const told = !reasoned || parts.why.value.trim();
    const good = told && found.find((one) => suits(one, wanted));
    return html`<button class="btn" type="button" ?disabled=${!good} @click=${() => send(good, wanted)}>
      ${t(`chips_${name}`)}
    </button>`;
  });
  parts.reason.hidden = !asks;
  draw(parts.buttons, made);
}

function suits(one, wanted) {
  if (wanted === null) return false;
  if (one.command.cents < 0) return wanted <= -one.command.cents;
  if (one.most === undefined) return one.command.cents === wanted;
  return wanted >= one.command.cents && wanted <= one.most && (wanted - one.command.cents) % one.step === 0;
}

async function send(one, wanted) {
  const { by, ...body } = one.command;
  body.cents = body.cents < 0 ? -wanted : wanted;
  if (one.free?.includes("reason")) body.reason = parts.why.value.trim();
  if (await does(body, t("done"))) {
    parts.amount.value = parts.why.value = "";
    loaded = "";
    refresh();
  }
}
