// Practice at the pit: how far the shift is, and its end.

import { ask, get, pause } from "../api.js";
import { $ } from "../dom.js";
import { draw, html } from "../draw.js";
import { t } from "./say.js";

const place = $("#practice");
const id = $("#staff").dataset.table;
const path = (more) => `/api/school/shifts/${id}${more}`;
const LOOK_MS = 2000;

function show(scene) {
  draw(
    place,
    html`<b class="ptag">${t("shift_bar")}</b>`,
    html`<span class="pround">${t("shift_round", { round: scene.round, rounds: scene.rounds })}</span>`,
    html`<span class="psees muted">${t("shift_pit_text")}</span>`,
    scene.over
      ? html`<a class="btn primary sm" href="/school/shifts/${id}">${t("shift_result")}</a>`
      : html`<button type="button" class="btn quiet sm" @click=${() => ask("POST", path("/end"))}>
        ${t("shift_end")}
      </button>`,
  );
}

let told = "";
for (;;) {
  const scene = await get(path("/scene"));
  const now = JSON.stringify(scene);
  if (now !== told) show(scene);
  told = now;
  if (scene.over) break;
  await pause(LOOK_MS);
}
