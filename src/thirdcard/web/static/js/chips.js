// Chips as they lie: stacks on the felt, and the row of chips to take in hand.

import { html, svg } from "./dom.js";
import { CHIPS, chipsOf } from "./facts.js";

const LIFT = 0.19;
const MOST = 5;
const LETTER = 0.6; // of a figure's size

/** The chips of an amount in dollars, the largest first; the smallest stands for what is less than itself. */
export function pieces(cents) {
  const found = chipsOf(cents, CHIPS).flatMap(([value, count]) => Array(Math.min(count, MOST)).fill(value / 100));
  return found.length ? found.slice(0, MOST) : [CHIPS[0] / 100];
}

export function chip(face, size) {
  return svg(
    "svg",
    { viewBox: "-52 -52 104 104", width: size, height: size, "aria-hidden": "true" },
    svg("use", { href: `#chip-${face}`, x: -52, y: -52, width: 104, height: 104 }),
  );
}

/**
 * A stack on the felt at `slot` { x, y, r }; `label` is its tag in type of `size`, `state` sent, win or lose. `tag` says
 * where it goes: below the stack, a pill around the slot (`pill`) or with its right end there (`end`, or its left one with
 * `start`), the figures alone, or none.
 */
export function stack(slot, { cents, label, own, state = "", turn = 0, tag = "", size = 12.5, start = false }) {
  const { x, y, r } = slot;
  const group = svg("g", {
    class: `stack ${state}${own ? " mine" : ""}`,
    transform: `translate(${x} ${y})${turn ? `rotate(${turn})` : ""}`,
    "aria-hidden": "true",
  });
  if (tag === "end" || tag === "pill") pill(group, { cents, label, own, size, at: tag === "pill" ? 0.5 : start ? 0 : 1 });
  else if (tag === "alone") group.append(figures(label, own, size, 0));
  else tower(group, r, { cents, label, own, size, tag });
  return group;
}

const use = (face, cx, cy, r) =>
  svg("use", { href: `#chip-${face}`, x: cx - r * 1.04, y: cy - r * 1.04, width: r * 2.08, height: r * 2.08 });

function tower(group, r, { cents, label, own, size, tag }) {
  const faces = cents ? pieces(cents) : [];
  if (cents) group.append(svg("ellipse", { class: "shade", cy: r * 0.25, rx: r * 1.04, ry: r * 0.95 }));
  faces.forEach((face, level) => group.append(use(face, 0, -level * LIFT * r, r)));
  const top = -Math.max(faces.length - 1, 0) * LIFT * r;
  if (own && cents) group.append(svg("circle", { class: "ring", cy: top, r: r + 2 }));
  if (tag !== "none") group.append(figures(label, own, size, r + size * 0.6));
}

/** The tag alone, its middle so far below. */
function figures(label, own, size, middle) {
  const [wide, high] = [width(label, size) + size, size + 5];
  return tagged(label, own, { x: -wide / 2, y: middle - high / 2, wide, high, size });
}

export const pillWidth = (label, size) => width(label, size) + size * 1.1;

/** `at` is how much of it lies left of the slot: 0, half or 1; with a small chip where there is one's own room. */
function pill(group, { cents, label, own, size, at }) {
  const chip = cents && at === 0.5 ? size * 0.48 : 0;
  const wide = pillWidth(label, size) + 2 * chip;
  const high = size + 5;
  group.append(tagged(label, own, { x: -wide * at, y: -high / 2, wide, high, size, shift: chip }));
  if (chip) group.append(use(pieces(cents)[0], -wide * at + chip + 2, 0, chip));
}

/** How wide a tag's words are, more or less: nothing is measured while chips fall. */
function width({ who, amount }, size) {
  const name = who ? who.length * 0.68 + 0.4 : 0;
  const figures = [...amount].reduce((sum, letter) => sum + (/[,.]/.test(letter) ? 0.3 : LETTER), 0);
  return (name + figures) * size;
}

function tagged({ who, amount }, own, { x, y, wide, high, size, shift = 0 }) {
  const text = svg(
    "text",
    { x: x + wide / 2 + shift, y: y + high / 2 + size * 0.36, "font-size": size, "text-anchor": "middle" },
    who && svg("tspan", { class: "who" }, who),
    svg("tspan", who ? { dx: size * 0.35 } : {}, amount),
  );
  const ground = svg("rect", { x, y, width: wide, height: high, rx: high / 2 });
  return svg("g", { class: own ? "tag own-tag" : "tag" }, ground, text);
}

/** The same as an HTML stack, for a phone's grid. */
export function pile({ cents, label, own, state = "" }) {
  return html(
    "span",
    { class: `pile ${state}${own ? " mine" : ""}`, "aria-hidden": "true" },
    cents > 0 && chip(pieces(cents)[0], 34),
    html("b", {}, label.who ? html("i", {}, label.who) : null, label.who ? " " : null, label.amount),
  );
}
