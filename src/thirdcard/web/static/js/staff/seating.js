// Seat somebody without a device: under a number or a name, with a buy-in, and a description that only staff read.

import { ask, get } from "../api.js";
import { html as element } from "../dom.js";
import { draw, html, icon, listed, node } from "../draw.js";
import { chipsOf, TRAY } from "../facts.js";
import { book, table } from "../state.js";
import { desk, does } from "./desk.js";
import { chipRow, key as keyHint } from "./parts.js";
import { answer, attempt, cents, money, t } from "./say.js";
import { boxOf, described, kindOf, seated, stakes } from "./seats.js";
import { opened, perform, redraw } from "./steps.js";

// People without a device, as staff know them: who they are, their buy-ins, and the way out.

const pathOf = (player) => patronsPath(`/${encodeURIComponent(player)}`);

/** Learn the descriptions that staff gave; one that was typed here is known before the server tells it. */
async function learn() {
  for (const { name, description } of await get(patronsPath())) if (description) described.set(name, description);
}

let known = "";
/** Ask for descriptions again when somebody without a device is new, once a round while one has none. */
export function keepDescriptions() {
  const names = desk.seen.players.filter((one) => one.startsWith(WALK_IN));
  const round = names.every((one) => described.has(one)) ? "" : table.seen.round;
  const now = `${names.join()}/${round}`;
  if (now === known || !names.length) return;
  known = now;
  learn().then(redraw, () => (known = ""));
}

// Everybody at the table ------------------------------------------------------------------------------------

let about = ""; // whose buy-in is being typed, or whose description

const typing = { key: "", input: null };

function field(key, label, value) {
  if (typing.key !== key) {
    const input = node(html`<input autocomplete="off" aria-label=${label} maxlength="80" value=${value}>`);
    Object.assign(typing, { key, input });
  }
  return html`<label class="f">${typing.input}</label>`;
}

const close = () => {
  about = typing.key = "";
  redraw();
};

function buyIn(player) {
  const amount = cents(typing.input.value);
  if (!amount) {
    answer(t("no_amount", { text: typing.input.value || "–" }), { wrong: true });
    return;
  }
  perform(async () => {
    const told = t("bought_in", { player, cents: money(amount) });
    const done = await does({ command: "buy-in", player, cents: amount }, told);
    if (done) close();
    return done;
  });
}

function describe(player) {
  const description = typing.input.value.trim();
  perform(async () => {
    const done = await attempt(() => ask("PATCH", pathOf(player), { description }), book());
    if (!done) return false;
    described.set(player, description);
    close();
    return true;
  });
}

const leave = (player) =>
  perform(async () => {
    const rack = table.seen.racks[player] ?? 0;
    const done = await attempt(
      () => ask("DELETE", pathOf(player)),
      book(),
      t("cashed_out", { player, cents: money(rack) }),
    );
    if (done) close();
    return done;
  });

const small = (text, name, run, { kind = "", disabled = false, title = null } = {}) =>
  html`<button class="btn sm ${kind}" type="button" aria-label=${name} title=${title} ?disabled=${disabled} @click=${run}>
    ${text}
  </button>`;

/** What is asked about somebody: a buy-in, a description, whether they go. */
const asked = (player) => ({
  [`buy/${player}`]: () => [
    field(about, t("buy_in_of", { player }), ""),
    small(t("buy_in"), t("buy_in_of", { player }), () => buyIn(player)),
  ],
  [`text/${player}`]: () => [
    field(about, t("description_of", { player }), described.get(player) ?? ""),
    small(t("keep"), t("keep_of", { player }), () => describe(player)),
  ],
  [`out/${player}`]: () => [
    html`<span class="amb">${t("cash_out_sure", { cents: money(table.seen.racks[player] ?? 0) })}</span>`,
    small(t("cash_out"), t("cash_out_of", { player }), () => leave(player), { kind: "warn" }),
  ],
});

/** What may be done for a walk-in; whoever has a device does it there. */
function choices(player, on) {
  const start = (what) => () => {
    about = `${what}/${player}`;
    redraw();
    typing.input?.focus();
  };
  const stays = { disabled: on > 0, title: on > 0 ? t("chips_on_layout") : null };
  return [
    small(t("buy_in"), t("buy_in_of", { player }), start("buy")),
    small(t("describe"), t("description_of", { player }), start("text")),
    small(t("cash_out"), t("cash_out_of", { player }), start("out"), stays),
  ];
}

/** Whoever has cashed out and gone is listed no more, even if the round that they played is. */
const here = (player) =>
  !player.startsWith(WALK_IN) || seated(player) || table.seen.racks[player] > 0 || staked(player) > 0;

const staked = (player) =>
  stakes().filter((one) => one.player === player).reduce((sum, one) => sum + one.cents, 0);

function row(player) {
  const on = staked(player);
  const facts = {
    kind: boxOf(player) ? kindOf(player) : t("stands"),
    rack: money(table.seen.racks[player] ?? 0),
    stake: money(on),
  };
  const asking = asked(player)[about]?.();
  const walkIn = player.startsWith(WALK_IN);
  return html`<li data-player=${player}>
    <b class="bn">${boxOf(player) || "–"}</b>
    <div><b>${player}</b><p>${t("rack_and_stake", facts)}</p></div>
    <div class="go">
      ${asking ?? (walkIn ? choices(player, on) : [])}
      ${asking && small(icon("close"), t("cancel"), close, { kind: "quiet" })}
    </div>
  </li>`;
}

/** Everybody at the table, their racks, and somebody new. */
export const panel = {
  name: "patrons",
  title: () => t("patrons_title"),
  open(place) {
    const people = desk.seen.players.filter(here);
    const rows = people.length ? listed(people, (name) => name, row) : html`<li><span></span><p>${t("nobody_plays")}</p></li>`;
    draw(place, html`<ul class="rows">${rows}</ul>`, filled());
  },
};

const WALK_IN = "W-"; // how their names begin

let seating = null; // the box of who is being seated
let form = null;
let sent = false; // what the form says is on its way

/** Where the walk-ins of this table are kept. */
const patronsPath = (more = "") => `/api/tables/${table.id}/patrons${more}`;

/** Begin with somebody for that box. */
export function startSeating(box) {
  seating = box;
  filled();
  if (sent) empty(); // that is the next one
  form.box.value = String(box);
  form.seated.checked = true;
  redraw();
  form.description.focus();
}

function empty() {
  sent = false;
  for (const one of [form.name, form.description, form.amount]) one.value = "";
  form.show();
}

function stop() {
  seating = null;
  redraw();
}

function build() {
  const input = (name, attributes = {}) => element("input", { name, autocomplete: "off", ...attributes });
  const name = input("name", { maxlength: 40, placeholder: t("next_free"), pattern: "W-.+" });
  const description = input("description", { maxlength: 80 });
  const amount = input("cents", { inputmode: "decimal", placeholder: "1,000" });
  const box = node(html`<select name="box"></select>`);
  const out = node(html`<div class="full brkline"></div>`);
  const go = node(html`<button class="btn" type="button" @click=${seat}></button>`);
  const choose = () => (box.disabled = standing.checked);
  const radio = (value) => node(html`<input type="radio" name="where" value=${value} @change=${choose}>`);
  const seated = radio("seated");
  const standing = radio("standing");
  const show = () => {
    const found = cents(amount.value);
    draw(out, html`<span class="hint">${t("chips_out")}</span>`, found ? chipRow(chipsOf(found, TRAY), 26) : "–");
    draw(go, found ? t("seat_and_change", { cents: money(found) }) : t("seat_only"), keyHint("Alt S"));
  };
  amount.addEventListener("input", show);
  show();
  const title = node(html`<span></span>`);
  const labelled = (text, control) => html`<label class="f"><span>${text}</span>${control}</label>`;
  const boxField = node(labelled(t("box"), box));
  const choice = (control, text) => html`<label>${control}<span>${text}</span></label>`;
  const panel = node(html`<section class="panel seatform">
    <h2>${title}<small>${t("seat_small")}</small></h2>
    <div class="frm">
      ${labelled(t("known_as"), name)}${labelled(t("description"), description)}${labelled(t("buy_in"), amount)}
      ${boxField}
      <fieldset class="seg where">
        <legend class="hidden">${t("seated_or_standing")}</legend>
        ${choice(seated, t("seated"))}${choice(standing, t("stands_here"))}
      </fieldset>
      ${out}
    </div>
    <div class="acts2">
      ${go}
      <button type="button" class="btn quiet" @click=${stop}>${t("cancel")}</button>
    </div>
  </section>`);
  form = { panel, title, boxField, name, description, amount, box, seated, standing, show };
}

/** The form, while somebody is being seated. */
export function seatForm() {
  if (seating === null || opened() === "patrons") return null;
  return filled();
}

/** The form as the table is now; what was typed stays. */
export function filled() {
  if (!form) build();
  const { seats, positions } = table.seen;
  const free = Array.from({ length: positions }, (_, at) => at + 1).filter((box) => !seats[box]);
  const shown = [...form.box.children].map((one) => Number(one.value));
  if (free.join() !== shown.join()) {
    const before = form.box.value;
    draw(form.box, free.map((box) => html`<option value=${box}>${box}</option>`));
    if (free.includes(Number(before))) form.box.value = before;
  }
  if (!form.seated.checked && !form.standing.checked) form[free.length ? "seated" : "standing"].checked = true;
  form.box.disabled = form.standing.checked;
  form.boxField.hidden = !!seating;
  form.panel.classList.toggle("at-box", !!seating);
  form.title.textContent = seating ? t("seat_title_box", { box: seating }) : t("seat_title");
  return form.panel;
}

/** Seat whom the form describes; what was typed stays if it is refused. */
export function seat() {
  if (!form?.panel.isConnected) return;
  const found = form.amount.value.trim() ? cents(form.amount.value) : 0;
  if (found === null) {
    form.amount.setAttribute("aria-invalid", "true");
    answer(t("no_amount", { text: form.amount.value }), { wrong: true });
    form.amount.focus();
    return;
  }
  form.amount.removeAttribute("aria-invalid");
  const box = form.standing.checked ? null : Number(form.box.value) || null;
  const body = { description: form.description.value.trim(), box, cents: found };
  const name = form.name.value.trim();
  if (name) Object.assign(body, { name: name.startsWith(WALK_IN) ? name : `${WALK_IN}${name}` });
  const bring = async () => {
    let who = "";
    sent = true;
    const done = await attempt(async () => ({ name: who } = await ask("POST", patronsPath(), body)), book());
    const next = !sent; // somebody else has been begun with meanwhile
    sent = false;
    if (!done) return false;
    described.set(who, body.description);
    answer(t("seated_now", { player: who }));
    if (next) return true;
    empty();
    for (const one of [form.name, form.description, form.amount]) one.blur(); // keys belong to the desk again
    seating = null;
    return true;
  };
  perform(bring, { waits: true });
}
