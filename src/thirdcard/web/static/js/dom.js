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

export const ICONS = {
  undo: "M7 5 3.5 8.5 7 12M4 8.5h7.5a4.5 4.5 0 0 1 0 9H8",
  clear: "m5 5 10 10M15 5 5 15",
  rebet: "M16 8a6.3 6.3 0 0 0-11.6-1.6M4 12a6.3 6.3 0 0 0 11.6 1.6M4 3v4h4M16 17v-4h-4",
  double: "M7.5 5a5 5 0 1 1 0 10 5 5 0 0 1 0-10M12.5 5a5 5 0 1 1 0 10 5 5 0 0 1 0-10",
  shield: "M10 2.5 16 5v4.5c0 4-2.5 6.7-6 8-3.5-1.3-6-4-6-8V5Z",
  close: "m5 5 10 10M15 5 5 15",
  check: "m4 10.5 4 4 8-9",
  book: "M5 3h9a1.5 1.5 0 0 1 1.5 1.5v12H6a1.5 1.5 0 0 1-1.5-1.5V4M5 13.5h10.5",
  list: "M4 5h12M4 10h12M4 15h12",
  sound: "M4 8v4h3l4 3V5L7 8ZM14 7.5a4 4 0 0 1 0 5M16 5a7.5 7.5 0 0 1 0 10",
  mute: "M4 8v4h3l4 3V5L7 8ZM14 8l4 4M18 8l-4 4",
  alert: "M10 3 18 17H2ZM10 8v4M10 14.5v.1",
  chair: "M6 3v8h8V3M5 11h10v3H5ZM6.5 14v3M13.5 14v3",
  seat: "M10 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6M4 17c0-4 3-6 6-6s6 2 6 6",
  clock: "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14M10 6v4l3 2",
  lock: "M4.5 9h11v8h-11ZM7 9V6.5a3 3 0 0 1 6 0V9",
  board: "M2.5 4h15v10h-15ZM7 17h6",
  flag: "M5 18V3h9l-2 3.5L14 10H5",
  swap: "M4 7h11l-3-3M16 13H5l3 3",
  back: "M12 4 6 10l6 6",
  help: "M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15M7.8 8a2.2 2.2 0 1 1 3.4 1.8c-.8.5-1.2 1-1.2 1.9M10 14.2v.1",
  gift: "M3.5 8.5h13V17h-13ZM2.5 5.5h15v3h-15ZM10 5.5V17M10 5.5C7 5.5 6 2.5 8 2.5s2 3 2 3 0-3 2-3 1 3-2 3",
  wallet: "M3 6.5h12.5a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1ZM3 6.5 12.5 4v2.5M13 11h.1",
  chart: "M4 16V9M10 16V4M16 16v-5M2.5 17.5h15",
  turn: "M16 9a6.2 6.2 0 1 1-2-4.5M14.5 1.5v3.5H11",
  eye: "M2 10c2-3.7 4.7-5.5 8-5.5s6 1.8 8 5.5c-2 3.7-4.7 5.5-8 5.5S4 13.7 2 10M10 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5",
  star: "M10 2.8l2.2 4.6 5 .7-3.6 3.5.9 5L10 14.2l-4.5 2.4.9-5L2.8 8.1l5-.7Z",
  pencil: "M4 16l.7-3.2L13 4.5l2.5 2.5-8.3 8.3ZM11.5 6 14 8.5",
  shuffle: "M3 6h3l7 8h4M3 14h3l2-2.3M11 8.3 13 6h4M15 4l2 2-2 2M15 12l2 2-2 2",
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

/** A ring of `radius` with what is left of a timer that runs `until` by the page's clock; that in milliseconds, 0 without one. */
export function countDown(ring, timer, radius) {
  const left = timer ? Math.max(0, timer.until - performance.now()) : 0;
  const length = 2 * Math.PI * radius;
  $(".fg", ring).setAttribute("stroke-dasharray", `${timer ? (length * left) / timer.ms : 0} ${length}`);
  return left;
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
