// Elements made by hand: small enough that no library is needed.

const SVG = "http://www.w3.org/2000/svg";

/** @type {(selector: string, under?: ParentNode) => any} */
export const $ = (selector, under = document) => under.querySelector(selector);
/** @type {(selector: string, under?: ParentNode) => any[]} */
export const $$ = (selector, under = document) => [...under.querySelectorAll(selector)];

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element; attributes that are false or null are left out, `onclick` and the like are listeners. */
export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** A button of that kind (`primary`, `quiet` or none) that does `act`. */
export function button(kind, act, attributes = {}, ...children) {
  return html("button", { type: "button", class: `btn ${kind}`.trim(), onclick: act, ...attributes }, ...children);
}

/** What a control shows and what it is called, where that is not the same. */
export const named = (name, ...shown) => [
  html("span", { class: "hidden name" }, name),
  html("span", { "aria-hidden": "true" }, ...shown),
];

const ICONS = {
  undo: "M7 5 3.5 8.5 7 12M4 8.5h7.5a4.5 4.5 0 0 1 0 9H8",
  clear: "m5 5 10 10M15 5 5 15",
  rebet: "M16 8a6.3 6.3 0 0 0-11.6-1.6M4 12a6.3 6.3 0 0 0 11.6 1.6M4 3v4h4M16 17v-4h-4",
  double: "M3 15 7 5l4 10M4.5 11.5h5M13 8h5M13 12h5",
  shield: "M10 2.5 16 5v4.5c0 4-2.5 6.7-6 8-3.5-1.3-6-4-6-8V5Z",
  close: "m5 5 10 10M15 5 5 15",
  check: "m4 10.5 4 4 8-9",
  book: "M5 3h9a1.5 1.5 0 0 1 1.5 1.5v12H6a1.5 1.5 0 0 1-1.5-1.5V4M5 13.5h10.5",
  list: "M4 5h12M4 10h12M4 15h12",
  sound: "M4 8v4h3l4 3V5L7 8ZM14 7.5a4 4 0 0 1 0 5M16 5a7.5 7.5 0 0 1 0 10",
  mute: "M4 8v4h3l4 3V5L7 8ZM14 8l4 4M18 8l-4 4",
  alert: "M10 3 18 17H2ZM10 8v4M10 14.5v.1",
  chair: "M6 3v8h8V3M5 11h10v3H5ZM6.5 14v3M13.5 14v3",
};

export function icon(name) {
  return svg(
    "svg",
    {
      viewBox: "0 0 20 20",
      class: "icon",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.7,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": "true",
    },
    svg("path", { d: ICONS[name] }),
  );
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
