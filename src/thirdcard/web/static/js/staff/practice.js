// Practice at the desk: what a trainee sees and hears that no record tells, and what is paid said before the desk tells.

import { ask, get } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, icon } from "../draw.js";
import { book, table } from "../state.js";
import { deals, onDesk, refresh } from "./desk.js";
import { panel } from "./parts.js";
import { attempt, card, cents, formOf, glyph, money, t, told } from "./say.js";
import { redraw } from "./steps.js";

const place = $("#practice");
const path = (more = "") => `/api/school/shifts/${table.id}${more}`;
/** @type {ShiftScene} */
let scene = null;
let asking = false;
let again = false;

/** Look after every change of the desk, where somebody trains. */
export function watchPractice() {
  if (place) onDesk(look);
}

async function look() {
  again = true;
  if (asking) return;
  asking = true;
  while (again) {
    again = false;
    scene = await get(path("/scene"));
  }
  asking = false;
  show();
  redraw();
}

function show() {
  const cards = [...scene.out, ...scene.turned];
  draw(
    place,
    html`<b class="ptag">${t("shift_bar")}</b>`,
    html`<span class="pround">${t("shift_round", { round: scene.round, rounds: scene.rounds })}</span>`,
    html`<div class="psees" role="status">
      ${cards.length > 0 && html`<span class="pout">
        ${t(scene.out.length > 1 ? "shift_out_two" : "shift_out")}${cards.map((one) => card(one))}
      </span>`}
      ${scene.happens.map((one) => html`<p class="phap">${icon("eye")}${told(one, book())}</p>`)}
      ${!cards.length && !scene.happens.length && html`<span class="muted">${t("shift_nothing")}</span>`}
    </div>`,
    scene.over
      ? html`<a class="btn primary sm" href="/school/shifts/${table.id}">${t("shift_result")}</a>`
      : html`<button type="button" class="btn quiet sm" @click=${end}>${t("shift_end")}</button>`,
  );
}

async function end() {
  await attempt(() => ask("POST", path("/end")), book());
  await refresh();
}

// What is paid, said first ------------------------------------------------------------------------------------

const first = () => scene?.to_name[0];

export const step = {
  key: "payouts",
  now: () => !!first() && deals(),
  ring: () => first().box,
  required: () => ({
    eyebrow: t("shift_pay_eyebrow"),
    title: t("shift_pay_title", { player: first().player, box: first().box }),
    text: [t("shift_pay_text")],
    button: { label: t("shift_pay_go"), run: send, key: "Enter" },
  }),
  stage: form,
  focus: () => $("#stage input[name=paid]")?.focus(),
};

function form() {
  const one = first();
  const made = formOf(
    send,
    html`<p class="ln">
      ${one.bets.flatMap(([bet, stake, window], at) => [at ? " · " : "", glyph(bet, window), ` ${money(stake)}`])}
    </p>`,
    html`<input
      name="paid"
      inputmode="decimal"
      autocomplete="off"
      aria-label=${t("shift_pay_title", { player: one.player, box: one.box })}
      data-enter
    >`,
    html`<button class="btn primary" type="submit">${t("shift_pay_go")}</button>`,
  );
  return panel("paynow", t("pay_who", { box: one.box, player: one.player }), "", made);
}

async function send() {
  const input = $("input[name=paid]");
  const said = cents(input?.value ?? "");
  if (said === null) {
    input?.focus();
    return false;
  }
  const { box, player } = first();
  const done = await attempt(() => ask("POST", path("/payouts"), { box, player, cents: said }), book());
  if (done) {
    input.value = "";
    await look();
    await refresh();
  }
  return done;
}
