// The desk's header: the facts of the shoe and the placard, who deals, the call for the pit, and what opens beside.

import { $, $$ } from "../dom.js";
import { draw, html, icon, node } from "../draw.js";
import { table } from "../state.js";
import { betName } from "../words.js";
import { desk, onDuty, posts } from "./desk.js";
import { rows } from "./parts.js";
import { clock, glyph, money, t } from "./say.js";
import * as sounds from "./sounds.js";
import { addPanel, closePanel, opened, openPanel } from "./steps.js";

function fact(name, value) {
  return html`<div class=${name}><dt>${t(`fact_${name}`)}</dt><dd>${value ?? "–"}</dd></div>`;
}

export function showHeader() {
  const { shoe, round, cards_left: left, limits, differential, cut_card_out: out, house } = table.seen;
  const cut = out ? 0 : left === null ? null : Math.max(0, left - desk.seen.present.cut);
  draw(
    $("#facts"),
    fact("shoe", shoe),
    fact("round", round),
    fact("left", left),
    fact("cut", cut),
    fact("minimum", money(limits.player.min)),
    fact("differential", differential === null ? null : money(differential)),
  );
  $("#call").disabled = !!house.called;
  $("#call-text").textContent = t(house.called ? "pit_called" : "call_pit");
  showDuty();
}

function showDuty() {
  const { relief_at: at } = desk.seen.duty ?? {};
  const name = onDuty();
  const late = at && at / 1000 < Date.now();
  const relief = at ? t("relief_at", { time: clock(at).slice(0, 5) }) : t(name ? "no_relief_yet" : "nobody_deals");
  draw(
    $("#duty"),
    html`<span class="avatar" aria-hidden="true">${(name || table.me).slice(0, 2).toUpperCase()}</span>`,
    html`<span><b>${name || table.me}</b><small class=${late ? "late" : ""}>${relief}</small></span>`,
  );
}

// The pit is called at once; what for is asked afterwards ---------------------------------------------------

export async function callPit() {
  if (table.seen.house.called) return;
  const done = await posts("call", { note: "" }, t("called"));
  if (done && opened() !== "call") openPanel("call");
}

let words = null;

function callForm(place) {
  if (!words) {
    const note = node(html`<input name="note" maxlength="200" autocomplete="off">`);
    const send = async () => {
      const body = { note: note.value.trim() };
      if (!body.note) return;
      if (await posts("call", body, t("call_told"))) {
        note.value = "";
        closePanel();
      }
    };
    words = html`<div class="frm">
      <label class="f full"><span>${t("call_what")}</span>${note}</label>
      <p class="hint full">${t("call_private")}</p>
      <button type="button" class="btn full" @click=${send}>${t("call_tell")}</button>
    </div>`;
  }
  draw(place, words);
}

// The placard -------------------------------------------------------------------------------------------------

function limitRows(place) {
  const { limits, bets, differential } = table.seen;
  const figure = (text) => html`<td class="r">${text}</td>`;
  const line = (name, least, most) =>
    html`<tr><td></td><td>${name}</td>${figure(least)}${figure(most)}</tr>`;
  const amount = (cents) => (cents === null || cents === undefined ? "–" : money(cents));
  draw(place, rows(
    "lim3",
    ["", t("bet"), [t("min"), "r"], [t("max"), "r"]],
    ...bets.map((one) => line([`${betName(one)} `, glyph(one)], amount(limits[one]?.min), amount(limits[one]?.max))),
    line(t("differential"), "", amount(differential)),
  ));
}

// Sounds ------------------------------------------------------------------------------------------------------

let controls = null;

function soundForm(place) {
  controls ??= html`<div class="frm">
    <label class="f">
      <span>${t("volume")}</span>
      <input
        type="range"
        min="0"
        max="1"
        step="0.1"
        value=${sounds.volume()}
        @change=${(event) => sounds.setVolume(event.target.value)}
      >
    </label>
    <button type="button" class="btn" @click=${() => sounds.play("tick")}>
      ${icon("sound")}${t("test_sound")}
    </button>
    <label class="chk full">
      <input
        type="checkbox"
        ?checked=${sounds.clicks()}
        @change=${(event) => sounds.setClicks(event.target.checked)}
      >
      <span>${t("card_clicks")}</span>
    </label>
    <p class="hint full">${t("sounds_text")}</p>
  </div>`;
  draw(place, controls);
}

addPanel({ name: "call", title: () => t("call_title"), open: callForm });
addPanel({ name: "limits", title: () => t("limits"), open: limitRows });
addPanel({ name: "sounds", title: () => t("sounds"), open: soundForm });

for (const one of $$("[data-icon]")) one.prepend(node(icon(one.dataset.icon)));
draw($("#sound"), icon("sound"), html`<span class="hidden">${t("sounds")}</span>`);
$("#sound").addEventListener("click", () => openPanel("sounds"));
$("#limits").addEventListener("click", () => openPanel("limits"));
$("#call").addEventListener("click", callPit);
$("#duty").addEventListener("click", () => openPanel("handover"));
