// What is drawn from state, by lit-html: only what differs from the last drawing is touched, so that focus, an open list
// and what is typed stay.

import { ICONS } from "./dom.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";
import { html as htmlTemplate, nothing, render, svg as svgTemplate } from "./vendor/lit-html/lit-html.js";

const LINE_BREAK = /\s*\n\s*/g;
const LAID_OUT = new RegExp(`(<[^>]*>)|${LINE_BREAK.source}`, "g");
const BLANK = "\0";

/** @type {WeakMap<TemplateStringsArray, TemplateStringsArray>} */
const compacted = new WeakMap();

/** A template without the line breaks and indents between its tags: a page shows the spaces within a line only. */
function compact(strings) {
  if (!compacted.has(strings)) {
    const whole = strings.join(BLANK).replace(LAID_OUT, (_, tag) => tag?.replace(LINE_BREAK, " ") ?? "");
    const parts = whole.split(BLANK);
    compacted.set(strings, Object.assign(parts, { raw: parts }));
  }
  return compacted.get(strings);
}

/** What is false, null or undefined is left out: a child, or the attribute that it is the value of. */
const shown = (value) => (Array.isArray(value) ? value.map(shown) : value === false ? nothing : (value ?? nothing));

/** A template of elements: `html\`<b class=${kind} @click=${act} ?hidden=${not}>${text}</b>\``. */
export const html = (strings, ...values) => htmlTemplate(compact(strings), ...values.map(shown));

/** A template of what stands within an `<svg>`. */
export const svg = (strings, ...values) => svgTemplate(compact(strings), ...values.map(shown));

/** A list whose elements belong to what they show, by `key`: one that goes takes the focus with it, and none other gets it. */
export const listed = (items, key, row) => repeat(items, key, row);

/** What each part was drawn for last, by name. */
const parts = new Map();

/** Make a part again when what it depends on has changed, so that what is being typed stays. */
export function anew(name, depends, make) {
  const key = JSON.stringify(depends);
  if (parts.get(name) === key) return;
  parts.set(name, key);
  make();
}

/** A part that could not be made is made again with the next change. */
export const forget = (name) => parts.delete(name);

const places = new WeakSet();

/** Fill a place with templates, text or elements; what the server had put there goes. */
export function draw(place, ...what) {
  if (!places.has(place)) {
    places.add(place);
    place.replaceChildren();
  }
  render(shown(what), place);
}

/**
 * The element of a template that is drawn once and kept, such as a form that holds what is typed.
 * @returns {any}
 */
export function node(template) {
  const place = document.createDocumentFragment();
  render(template, place);
  return place.firstElementChild;
}

export const icon = (name) =>
  html`<svg viewBox="0 0 20 20" class="icon" fill="none" stroke="currentColor" stroke-width="1.7"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${ICONS[name]}></path></svg>`;
