// Chips that are not as they were recorded: added or taken away after the close, there at the call and not seen, or to
// come off for the differential. Anybody, any box, any bet, any amount: the server says what follows, or why not.

import { ask } from "../api.js";
import { draw, html, listed } from "../draw.js";
import { book, table } from "../state.js";
import { betName } from "../words.js";
import { Confirmer } from "./deliberate.js";
import { desk, does } from "./desk.js";
import { attempt, cents, cites, field, glyph, money, t } from "./say.js";
import { closePanel, openPanel, opened, perform } from "./steps.js";

const LATE = "late-chips";
const TAKEN = "late-taken"; // chips taken away after the close: the same command with an amount below zero
const UNSEEN = "record-chips";
const KINDS = { adjusting: ["remove"], dealing: [LATE, UNSEEN, TAKEN], settled: [UNSEEN, LATE, TAKEN] };
const NOTHING = { player: "", box: 0, bet: "", amount: "", reason: "" };

const chosen = { kind: "", ...NOTHING };
let place = null;
let judged = {}; // what the server says to each kind of what is filled in
let about = ""; // what that was said of
let pin = null; // somebody who stands higher confirms it

const kinds = () => KINDS[table.seen?.phase] ?? [];
export const may = () => kinds().length > 0;
const seatOf = (player) => Object.keys(table.seen.seats).find((box) => table.seen.seats[box] === player) ?? "";
const wanted = () => cents(chosen.amount);

/** The panel at the desk. */
export const panel = { name: "chips", title: () => t("chips_title"), open: showChips };

/** Keep the form in step with the table; what was filled in stays. While bets are open there is none. */
export function showChips(where) {
  place = where;
  place.hidden = !kinds().length;
  if (!kinds().includes(chosen.kind)) [chosen.kind] = [kinds()[0] ?? ""];
  if (!desk.seen.players.includes(chosen.player)) pick(Number(Object.keys(table.seen.seats)[0] ?? 1));
  if (!table.seen.bets.includes(chosen.bet)) [chosen.bet] = table.seen.bets;
  if (desk.seen.players.length) judge();
  show();
}

/** That box, with who sits there. */
function pick(box) {
  chosen.box = box;
  const name = table.seen.seats[box];
  if (name || !desk.seen.players.includes(chosen.player)) chosen.player = name ?? desk.seen.players[0] ?? "";
}

/** A box was tapped at the desk. */
export function tapped(box) {
  if (opened() !== panel.name) return;
  pick(box);
  changed();
}

function changed(more = {}) {
  Object.assign(chosen, more);
  judge();
  show();
}

const body = (kind) => ({
  command: kind === TAKEN ? LATE : kind,
  player: chosen.player,
  box: chosen.box,
  bet: chosen.bet,
  cents: kind === TAKEN ? -wanted() : wanted(),
  ...(kind === UNSEEN && chosen.reason.trim() && { reason: chosen.reason.trim() }),
});

/** Ask what would follow of each kind, once all is filled in; an answer to what is filled in no more is dropped. */
async function judge() {
  const now = wanted() === null ? "" : JSON.stringify([desk.seen.version, kinds(), kinds().map(body)]);
  if (now === about) return;
  [about, judged, pin] = [now, {}, null];
  if (!now) return;
  const commands = kinds().map(body);
  await attempt(async () => {
    const answers = await ask("POST", `/api/tables/${table.id}/chips`, { commands });
    if (about === now) judged = Object.fromEntries(kinds().map((kind, at) => [kind, answers[at]]));
  }, book());
  show();
}

function show() {
  if (!place) return;
  draw(place, desk.seen.players.length ? form() : html`<p class="muted padx">${t("nobody_plays")}</p>`);
}

const press = (text, on, run, label = "") =>
  html`<button type="button" class="btn sm" aria-pressed=${String(on)} aria-label=${label || null} @click=${run}>${text}</button>`;

function form() {
  const boxes = Array.from({ length: table.seen.positions }, (_, at) => at + 1);
  const typing = (name) => (event) => changed({ [name]: event.target.value });
  return html`<div class="chipsafter stack padx">
    <div class="seg3" role="group" aria-label=${t("chips_what")}>
      ${kinds().map((kind) => html`<button
        type="button"
        class="btn"
        aria-pressed=${String(kind === chosen.kind)}
        @click=${() => changed({ kind })}
      ><b>${t(`chips_${kind}`)}</b><small>${t(`chips_${kind}_small`)}</small></button>`)}
    </div>
    <div class="acts2" role="group" aria-label=${t("box")}>
      ${listed(boxes, (box) => box, (box) => press(box, box === chosen.box, () => {
        pick(box);
        changed();
      }, `${t("box")} ${box}`))}
    </div>
    ${field(t("who"), html`<select name="player" @change=${typing("player")}>
      ${desk.seen.players.map((one) => html`<option value=${one} .selected=${one === chosen.player}>
        ${one}${seatOf(one) && ` · ${t("box")} ${seatOf(one)}`}
      </option>`)}
    </select>`)}
    <div class="acts2 bets" role="group" aria-label=${t("bet")}>
      ${table.seen.bets.map((one) => press(glyph(one), one === chosen.bet, () => changed({ bet: one }), betName(one)))}
    </div>
    ${field(t(chosen.kind === UNSEEN ? "chips_lay" : "amount"), html`<input
      name="cents" inputmode="decimal" autocomplete="off" placeholder="100" .value=${chosen.amount} @input=${typing("amount")}
    >`)}
    ${chosen.kind === UNSEEN && field(t("reason"), html`<input
      name="reason" maxlength="200" autocomplete="off" .value=${chosen.reason} @input=${typing("reason")}
    >`)}
    ${follows()}
    ${otherwise()}
  </div>`;
}

/** What comes of it, and the button; or why it cannot be. */
function follows() {
  const said = judged[chosen.kind];
  if (!said) return html`<p class="hint" role="status">${t("chips_nothing_yet")}</p>`;
  if (!said.may && !said.by_pin) return refused(said);
  const mine = said.bets.find((one) => one.player === chosen.player && one.bet === chosen.bet);
  const facts = { cents: money(wanted()), player: chosen.player, bet: betName(chosen.bet), plays: money(mine?.plays ?? 0) };
  if (said.by_pin) pin ??= new Confirmer(t("chips_who_confirms"), (one) => one.role !== "dealer");
  return html`<section class="follows" role="status">
    <span class="eyebrow">${t("chips_follows")}</span>
    <p><b>${t(`chips_${chosen.kind}_follows`, facts)}</b>${cites(said.rules, book())}</p>
    <ul class="rows">${said.bets.map((one) => html`<li>
      <b class="bn">${glyph(one.bet)}</b>
      <span>${one.player}</span>
      <span>${t(one.plays === one.lies ? "chips_plays" : "chips_plays_of", { plays: money(one.plays), lies: money(one.lies) })}</span>
    </li>`)}</ul>
    ${said.by_pin && pin.form}
    <div class="acts2"><button
      type="button"
      class="btn primary"
      @click=${() => perform(send)}
    >${t("chips_record")}</button>${opened() === panel.name && html`<button
      type="button"
      class="btn quiet"
      @click=${closePanel}
    >${t("chips_none")}</button>`}</div>
  </section>`;
}

const refused = (said) =>
  html`<p class="whynot" role="status"><b>${t("chips_not_so")}</b> ${said.why}${cites(said.rules, book())}</p>`;

/** The other kinds of the same chips that cannot be, and why. */
function otherwise() {
  const not = kinds().filter((kind) => kind !== chosen.kind && judged[kind] && !judged[kind].may && !judged[kind].by_pin);
  if (!not.length) return null;
  return html`<div class="otherwise"><span class="eyebrow">${t("chips_not_here")}</span><ul>
    ${not.map((kind) => html`<li><b>${t(`chips_${kind}`)}</b>: ${judged[kind].why}${cites(judged[kind].rules, book())}</li>`)}
  </ul></div>`;
}

async function send() {
  if (pin && !pin.form.reportValidity()) return;
  const asked = body(chosen.kind);
  if (!(await (pin ? pin.confirm(asked) : does(asked, t("done"))))) return;
  [about, judged, pin] = ["", {}, null];
  Object.assign(chosen, { amount: "", reason: "" });
  if (opened() === panel.name) closePanel();
  else show();
}

/** Begin with what was seen: late, unseen or taken away. */
export function begin(kind) {
  if (kinds().includes(kind)) chosen.kind = kind;
  if (opened() !== panel.name) openPanel(panel.name);
  else changed();
}
export const BY_NUMBER = [LATE, UNSEEN, TAKEN];
