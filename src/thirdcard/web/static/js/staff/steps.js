// The steps of the desk: which of them is now, its one required action, and when Enter may do it. Enter does one
// thing once: while it is being done, and shortly after, it does nothing at all.

import { pause } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, icon } from "../draw.js";
import { standing, table } from "../state.js";
import { otherLang } from "../words.js";
import { connected, desk, refresh } from "./desk.js";
import { t } from "./say.js";

// What the dealer says, in both languages, as the table has it last.

let last = null;

/** Take in what was said; the last of it stands until something else is. */
export function heard(said) {
  last = said.at(-1) ?? last;
}

/** The line with what is said now; `over` is the key of what a step has to say instead. */
export function announcement(over) {
  const said = standing(over) ?? last ?? table.stands.at(-1);
  if (!said) return null;
  return html`<div class="announce" aria-live="polite">
    <q>${said.sentence}</q>
    <em lang=${otherLang}>${said.beside}</em>
  </div>`;
}

const REST_MS = 400; // after a step, in which Enter is dead
const SOON_MS = 50;
const LATE_MS = 2000; // without an answer

/** @type {Step[]} */
const order = [];
/** @type {Record<string, SidePanel>} */
const panels = {};
const watchers = [];
let open = ""; // the panel that lies over the right column
let busy = false;
let late = false;
let restsUntil = 0;

/** The steps in the order in which one of them is the one that is now. */
export function inOrder(...steps) {
  order.push(...steps);
}

/** @returns {Step} */
export const current = () => order.find((one) => one.now());

/** Call `show` whenever what the desk shows may be another. */
export const onStep = (show) => watchers.push(show);
export function redraw() {
  for (const show of watchers) show();
}

// Doing -------------------------------------------------------------------------------------------------------

/** Whether something is being done, or was a moment ago. */
const resting = () => busy || performance.now() < restsUntil;
export const doing = () => busy;

/**
 * Do one thing; until the desk has been asked anew nothing else is done, and Enter is dead a moment longer. What was
 * asked for meanwhile is left undone, or `waits`.
 */
export async function perform(work, { waits = false } = {}) {
  while (busy && waits) await pause(SOON_MS);
  if (busy) return false;
  busy = true;
  const slow = setTimeout(() => {
    late = true;
    redraw();
  }, LATE_MS);
  try {
    redraw();
    return await work();
  } finally {
    await refresh();
    clearTimeout(slow);
    busy = late = false;
    restsUntil = performance.now() + REST_MS;
    setTimeout(redraw, REST_MS);
    redraw();
  }
}

// Panels over the right column ----------------------------------------------------------------------------

/** A panel that is opened by name: `title()` and `open(place)`, which fills it and may be called again. */
export function addPanel(panel) {
  panels[panel.name] = panel;
}

export const opened = () => open;

export function openPanel(name) {
  open = open === name ? "" : name;
  redraw();
  $("#panel :is(input, select, textarea, button):not([disabled], .shut)")?.focus();
}

/** Close what lies over the right column; whether anything did. The focus goes to what is required. */
export function closePanel() {
  if (!open) return false;
  open = "";
  redraw();
  $("#required").focus();
  return true;
}

/** Show the panel that is open, if one is. */
export function showPanel(place) {
  const panel = panels[open];
  place.hidden = !panel;
  draw(place, panel && html`<section class="panel grow" aria-labelledby="panel-title">
    <h2 id="panel-title">
      ${panel.title()}
      <button class="btn quiet sm shut" type="button" aria-label="${t("close_panel")}, Esc" @click=${closePanel}>
        ${icon("close")}<kbd class="key">Esc</kbd>
      </button>
    </h2>
    <div class="scrolls"></div>
  </section>`);
  panel?.open($(".scrolls", place));
}

// The bar of steps ----------------------------------------------------------------------------------------

/** @type {Desk["done"]} */
const NAMES = ["bets", "close", "four", "insurance", "thirds", "settle", "payouts"];

const stepItem = ({ label, done, now }, place, ...notes) =>
  html`<li class=${done ? "done" : now ? "now" : ""} aria-current=${now ? "step" : null}>
    <span aria-hidden="true">${done ? "✓" : place + 1}</span>
    ${label}${notes}
  </li>`;

/** The seven steps of a round with those that are done ticked; a table without insurance has six. */
export function stepsBar() {
  const own = current()?.bar?.();
  if (own) return own.map((one, place) => stepItem(one, place));
  const { step, done } = desk.seen;
  const { house, held_up, phase } = table.seen;
  const names = NAMES.filter((name) => name !== "insurance" || house.insurance);
  return names.map((name, place) => {
    const here = name === step;
    const note = here && current()?.label?.();
    return stepItem(
      { label: t(`step_${name}`), done: done.includes(name), now: here },
      place,
      held_up && here ? html`<small class="amb">${t("stopped")}</small>` : note && html`<small>${note}</small>`,
      phase === "void" && name === "settle" && html`<small class="amb">${t("phase_void")}</small>`,
    );
  });
}

// What is required ----------------------------------------------------------------------------------------

/** Whether Enter (with Shift or without) would do what is required now. */
export const alive = (button) => !!button && button.enabled !== false && !resting() && connected();

const key = (name) => name && html`<kbd class="key">${name === "Shift+Enter" ? "Shift ↵" : name}</kbd>`;

/** Do what a button of the bar says; a card goes its own way, for others may be typed behind it. */
export const go = (button) => (button.card ? button.run() : perform(button.run));

/** The bar with the one thing to do next. */
export function requiredBar(required) {
  const { eyebrow, title, text = [], button, under = "", second } = required;
  const live = alive(button);
  return [
    html`<div class="nt">
      <span class="eyebrow">${eyebrow}</span>
      <h1>${title}</h1>
      <p>${text}</p>
      ${announcement(current()?.says)}
    </div>`,
    required.timer && table.timer && timerRing(),
    button &&
      html`<div class="nb">
        <button
          id="main-button"
          type="button"
          class="btn primary huge"
          ?disabled=${button.enabled === false || busy || !connected()}
          aria-keyshortcuts=${live && button.key ? button.key : null}
          @click=${() => go(button)}
        >${button.icon && icon(button.icon)}${button.label}${key(button.key)}</button>
        ${second &&
          html`<button type="button" class="btn sm quiet" ?disabled=${busy} @click=${() => perform(second.run)}>
            ${second.label}${key(second.key)}
          </button>`}
        ${late && html`<span class="under unsent" role="alert">${t("not_sent_yet")}</span>`}
        ${!late && under && html`<span class="under">${under}</span>`}
      </div>`,
  ];
}

// Time to bet ---------------------------------------------------------------------------------------------

/** Whole seconds left; null where nothing is timed. */
export const secondsLeft = () =>
  table.timer && Math.max(0, Math.ceil((table.timer.until - performance.now()) / 1000));

const RADIUS = 30;
const ROUND = 2 * Math.PI * RADIUS;

function timerRing() {
  const left = secondsLeft();
  const part = Math.min(1, (left * 1000) / table.timer.ms);
  return html`<span
    class=${left ? "tmr" : "tmr over"}
    role="timer"
    data-left=${left}
    aria-label=${t("seconds_left", { seconds: left })}
  >
    <svg viewBox="0 0 70 70" aria-hidden="true">
      <circle class="track" cx="35" cy="35" r=${RADIUS}></circle>
      <circle class="left" cx="35" cy="35" r=${RADIUS} stroke-dasharray=${ROUND} stroke-dashoffset=${ROUND * (1 - part)}></circle>
      <text x="35" y="43">${left}</text>
    </svg>
  </span>`;
}

setInterval(() => {
  const ring = $(".tmr");
  if (ring && ring.dataset.left !== String(secondsLeft() ?? 0)) redraw();
}, 250);
