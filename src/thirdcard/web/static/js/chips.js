// Chips as they lie: stacks on the felt, and the row of chips to take in hand.

import { html, svg } from "./dom.js";

const FACES = [100000, 25000, 10000, 5000, 1000, 500, 100, 50, 25, 10, 5];
const LIFT = 0.19;
const MOST = 5;
const LETTER = 0.6; // of a figure's size

/** The chips of an amount, the largest first; the smallest stands for what is less than itself. */
export function pieces(cents) {
  const found = [];
  let left = cents / 100;
  for (const face of FACES) {
    while (left >= face && found.length < MOST) {
      found.push(face);
      left -= face;
    }
  }
  return found.length ? found : [FACES.at(-1)];
}

export function chip(face, size) {
  return svg(
    "svg",
    { viewBox: "-52 -52 104 104", width: size, height: size, "aria-hidden": "true" },
    svg("use", { href: `#chip-${face}`, x: -52, y: -52, width: 104, height: 104 }),
  );
}

/** A stack on the felt at `slot` { x, y, r }; `label` is its tag, `state` sent, win or lose. */
export function stack(slot, { cents, label, own, state = "", turn = 0, tag = "" }) {
  const { x, y } = slot;
  const group = svg("g", {
    class: `stack ${state}${own ? " mine" : ""}`,
    transform: `translate(${x} ${y})${turn ? `rotate(${turn})` : ""}`,
    "aria-hidden": "true",
  });
  if (tag === "pill") pill(group, cents, label, own);
  else tower(group, slot.r, { cents, label, own, tag });
  return group;
}

const use = (face, cx, cy, r) =>
  svg("use", { href: `#chip-${face}`, x: cx - r * 1.04, y: cy - r * 1.04, width: r * 2.08, height: r * 2.08 });

function tower(group, r, { cents, label, own, tag }) {
  const faces = pieces(cents);
  group.append(svg("ellipse", { class: "shade", cy: r * 0.25, rx: r * 1.04, ry: r * 0.95 }));
  faces.forEach((face, level) => group.append(use(face, 0, -level * LIFT * r, r)));
  const top = -(faces.length - 1) * LIFT * r;
  if (own) group.append(svg("circle", { class: "ring", cy: top, r: r + 2 }));
  const high = r < 16 ? 15 : 18;
  const size = r < 16 ? 11 : 12.5;
  const wide = width(label, size) + (r < 16 ? 9 : 14);
  const right = tag === "right";
  group.append(
    tagged(label, own, { x: right ? r + 1 : -wide / 2, y: right ? -high / 2 : r * 0.78, wide, high, size }),
  );
}

function pill(group, cents, label, own) {
  const r = 6;
  const wide = width(label, 11) + 2 * r + 8;
  group.append(tagged(label, own, { x: -wide / 2, y: -7, wide, high: 14, size: 11, shift: r }));
  group.append(use(pieces(cents)[0], -wide / 2 + r + 1, 0, r));
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
    chip(pieces(cents)[0], 34),
    html("b", {}, label.who ? html("i", {}, label.who) : null, label.who ? " " : null, label.amount),
  );
}
