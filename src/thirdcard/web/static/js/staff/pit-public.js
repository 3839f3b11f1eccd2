// What board and players read: one of a fixed list of sentences, in both languages, chosen and never typed.

import { ask } from "../api.js";
import { $ } from "../dom.js";
import { draw, html } from "../draw.js";
import { book, table } from "../state.js";
import { otherLang } from "../words.js";
import { attempt, t } from "./say.js";

const list = $("#sentences").content.firstElementChild;
/** @type {HTMLSelectElement} */
let which = null;
let shown = null;

/** The sentence of that key in both languages. */
function lines(key) {
  const { textContent, dataset } = $(`option[value="${key}"]`, list);
  return [html`<b>${textContent}</b>`, html`<em lang=${otherLang}>${dataset.beside}</em>`];
}

export function showPublic(place) {
  const { saying = "", title } = table.seen.house;
  if (shown === saying) return;
  shown = saying;
  if (!which) {
    which = /** @type {HTMLSelectElement} */ (list.cloneNode(true));
    which.setAttribute("aria-label", t("pit_say_which"));
  }
  const seen = saying ? [...lines(saying), html`<span>${title}</span>`] : [html`<span>${t("pit_say_silent")}</span>`];
  draw(
    place,
    html`<div class="pubv" aria-live="polite">${seen}</div>`,
    html`<div class="says1">
      ${which}
      <button type="button" class="btn" @click=${() => say(which.value)}>${t("pit_say_it")}</button>
    </div>`,
  );
}

/** Say it to everybody; nothing if it is empty. */
export const say = (sentence) =>
  attempt(() => ask("POST", `/api/tables/${table.id}/say`, { sentence }), book(), t("done"));

/** The list, to choose from with a ruling. */
export function sentences() {
  const made = /** @type {HTMLSelectElement} */ (list.cloneNode(true));
  made.setAttribute("aria-label", t("pit_say_which"));
  return made;
}
