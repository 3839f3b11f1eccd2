// Money of the house at the desk: the float counted by chip, fills and credits on numbered slips, each signed by two
// people. The first count is blind; one that differs is counted again by the other, and still differing is a case.

import { ask, get } from "../api.js";
import { draw, html, icon } from "../draw.js";
import { book, table } from "../state.js";
import { counting } from "./count.js";
import { Confirmer } from "./deliberate.js";
import { deals, desk, onDesk, posts } from "./desk.js";
import { answer, attempt, clock, field, money, signed, t } from "./say.js";
import { openPanel, opened, redraw } from "./steps.js";

const COUNTS = ["opening", "check", "closing", "drop"];
const path = (more) => `/api/tables/${table.id}/${more}`;
const others = (one) => one.role !== "dealer" && one.name !== table.me;

let seen = null; // slips, differences, what was counted last
let asked = 0; // the version that was asked for
let form = null; // what is being done: { what, count, why, first, off, pin, number }
let place = null;

export const panel = { name: "float", title: () => t("float_title"), open: show };

/** What the desk is asked for: the float is counted when a table opens and when it closes. */
export function wanted() {
  if (table.seen?.house.dealer !== "staff" || !deals() || !seen) return "";
  const { closed, last_round: last } = table.seen.house;
  const over = closed || (last > 0 && last <= table.seen.round);
  if (over) return seen.counted && seen.counted !== "closing" ? "closing" : "";
  return seen.counted === "closing" ? "opening" : "";
}

export function open(why = "") {
  if (why) begin("count", { why });
  if (opened() !== panel.name) openPanel(panel.name);
}

onDesk(look);

async function look() {
  if (table.seen?.house.dealer !== "staff" || asked === desk.seen.version) return;
  asked = desk.seen.version;
  try {
    seen = await get(path("money"));
  } catch {
    asked = 0; // with the next change
    return;
  }
  redraw();
  if (opened() === panel.name) show(place);
}

function begin(what, more = {}) {
  form = { what, count: what === "sign" || what === "void" ? null : counting(), why: "check", first: null, off: undefined, pin: null, ...more };
  if (!form.count) form.pin = confirmer();
  again();
}

const confirmer = () => new Confirmer(t("float_second"), others);
const again = () => place && opened() === panel.name && show(place);

function show(where) {
  place = where;
  if (!seen) look();
  draw(place, form ? doing() : [choices(), slips(), differences()]);
}

function choices() {
  return html`<div class="stack padx">
    <p class="hint">${t("float_text")}</p>
    <div class="acts2">${COUNTS.map((why) => html`<button type="button" class="btn sm" @click=${() => begin("count", { why })}>
      ${t(`float_count_${why}`)}
    </button>`)}</div>
    <div class="acts2">${["fill", "credit"].map((what) => html`<button type="button" class="btn sm" @click=${() => begin(what)}>
      ${t(`float_${what}`)}
    </button>`)}</div>
  </div>`;
}

// Slips --------------------------------------------------------------------------------------------------------

const worth = (pieces) => Object.entries(pieces).reduce((sum, [value, count]) => sum + Number(value) * count, 0);
const titled = (one) => t(`float_slip_${one.what}`, { number: one.number, cents: money(worth(one.pieces)) });

function slips() {
  const found = (seen?.slips ?? []).toReversed().slice(0, 8);
  if (!found.length) return null;
  return html`<ul class="rows">${found.map((one) => html`<li>
    <b class="bn">${one.number}</b>
    <div><b>${titled(one)}</b><p>${t(`float_slip_${one.state ?? "asked"}`)} · ${clock(one.at)}</p></div>
    <div class="go">
      ${!one.state && html`<button type="button" class="btn sm" @click=${() => begin("sign", { number: one.number })}>${t("float_sign")}</button>
      <button type="button" class="btn sm quiet" @click=${() => begin("void", { number: one.number })}>${t("float_void")}</button>`}
      <a class="btn sm quiet" href="/staff/slips/${table.id}/${one.number}" target="_blank">${t("float_print")}</a>
    </div>
  </li>`)}</ul>`;
}

function differences() {
  const found = (seen?.differences ?? []).filter((one) => !one.answer);
  return found.map((one) => html`<form class="stack padx whynot" @submit=${(event) => explains(event, one)}>
    <p><b>${t("float_differs", { off: signed(one.cents - one.expected), time: clock(one.at) })}</b> ${t("float_case")}</p>
    ${field(t("float_answer"), html`<textarea name="answer" rows="2" maxlength="500" required></textarea>`)}
    <button class="btn sm" type="submit">${t("float_answer_it")}</button>
  </form>`);
}

async function explains(event, one) {
  event.preventDefault();
  const answered = String(new FormData(event.currentTarget).get("answer")).trim();
  if (await posts("differences", { at: one.at, answer: answered }, t("done"))) afresh();
}

// Counting, asking, signing ------------------------------------------------------------------------------------

function doing() {
  const { what, count, why, off, pin, number } = form;
  const title = what === "count" ? t(`float_count_${why}`) : number ? t(`float_${what}_slip`, { number }) : t(`float_${what}`);
  return html`<div class="stack padx">
    <p><b>${title}</b></p>
    ${off ? html`<p class="whynot" role="status">${t("float_again", { off: signed(off) })}</p>` : null}
    ${count?.made}
    ${what === "void" && field(t("reason"), html`<input name="reason" maxlength="200" autocomplete="off" @input=${(event) => (form.reason = event.target.value)}>`)}
    ${pin && html`<p class="hint">${t("float_two")}</p>`}
    ${pin?.form}
    <div class="acts2">
      <button type="button" class="btn primary" @click=${() => attempt(goesOn, book())}>
        ${pin ? t("float_sign") : what === "count" ? [icon("check"), t("float_counted")] : t("float_ask")}
      </button>
      <button type="button" class="btn quiet" @click=${leave}>${t("count_not_now")}</button>
    </div>
  </div>`;
}

function leave() {
  form = null;
  again();
}

function afresh() {
  form = null;
  asked = 0;
  look();
}

async function goesOn() {
  const { what, count, why, first, off, pin, number } = form;
  if (pin) {
    if (!pin.form.reportValidity()) return;
    const who = pin.given();
    const counted = { why, pieces: count?.pieces(), ...(first !== null && { first }) };
    const [to, body] = what === "count" ? ["counts", counted] : [`slips/${number}/${what === "void" ? "void" : "done"}`, what === "void" ? { reason: form.reason ?? "" } : {}];
    await ask("POST", path(to), { ...body, ...who });
    answer(t("done"));
    afresh();
    return;
  }
  if (!count.filled()) {
    answer(t("float_nothing"), { wrong: true });
    return;
  }
  if (what !== "count") {
    await ask("POST", path("slips"), { what, pieces: count.pieces() });
    answer(t("done"));
    afresh();
    return;
  }
  const found = await ask("POST", path("counts/check"), { why, pieces: count.pieces() });
  if (found.off && off === undefined) {
    Object.assign(form, { first: found.counted, off: found.off });
    count.clear();
  } else form.pin = confirmer();
  again();
}
