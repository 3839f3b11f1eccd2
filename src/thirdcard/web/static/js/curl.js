// A card that is peeled over a line: where it folds, how far, and how that looks. It is 100 by 140.
//
// A fold is a point of the line and a normal toward the part that is lifted. Whoever peels has hold of an edge or a
// corner; the line is half way between that place and the finger.

import { svg } from "./dom.js";

const [WIDE, HIGH] = [100, 140];
const CORNERS = [[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]];
const FAR = 400; // farther than any card reaches
const CORNER = 26; // so near both edges it is the corner that one has hold of
const LEAN = { edge: 0.5, corner: 0.75 }; // how far a line may lean, as a share of the way in
const DIAGONAL = Math.SQRT1_2;

/** @type {(one: number[], other: number[]) => number} */
const dot = ([ax, ay], [bx, by]) => ax * bx + ay * by;
/** @type {(from: number[], way: number[], by?: number) => number[]} */
const move = ([x, y], [dx, dy], by = 1) => [x + dx * by, y + dy * by];

/** An edge or a corner in hand: a place on it, and the way to the middle of the card. */
const EDGES = { left: [[0, 70], [1, 0]], right: [[WIDE, 70], [-1, 0]], top: [[50, 0], [0, 1]], bottom: [[50, HIGH], [0, -1]] };
const CORNER_OF = { "top left": [0, 0], "top right": [WIDE, 0], "bottom right": [WIDE, HIGH], "bottom left": [0, HIGH] };

export function hold(name) {
  if (EDGES[name]) return { name, kind: "edge", at: EDGES[name][0], inward: EDGES[name][1] };
  const [x, y] = CORNER_OF[name];
  return { name, kind: "corner", at: [x, y], inward: [x ? -DIAGONAL : DIAGONAL, y ? -DIAGONAL : DIAGONAL] };
}

/** What somebody has hold of who touches the card there. */
export function holdAt([x, y]) {
  const [across, down] = [x < 50 ? "left" : "right", y < 70 ? "top" : "bottom"];
  const [dx, dy] = [Math.min(x, WIDE - x), Math.min(y, HIGH - y)];
  if (dx < CORNER && dy < CORNER) return hold(`${down} ${across}`);
  const edge = hold(dx < dy ? across : down);
  return { ...edge, at: dx < dy ? [edge.at[0], y] : [x, edge.at[1]] };
}

/** The fold when the finger is there; none while it is not inside of where it took hold. */
export function foldTo({ kind, at, inward }, finger) {
  const way = move(finger, at, -1);
  const along = [-inward[1], inward[0]];
  const deep = dot(way, inward);
  if (deep <= 1) return null;
  const most = deep * LEAN[kind];
  const lean = Math.max(-most, Math.min(most, dot(way, along)));
  const [dx, dy] = [inward[0] * deep + along[0] * lean, inward[1] * deep + along[1] * lean];
  const long = Math.hypot(dx, dy);
  return { at: move(at, [dx, dy], 0.5), normal: [-dx / long, -dy / long] };
}

/** The straight fold that lifts that share of the card. */
export function foldBy({ at, inward }, share) {
  if (share <= 0) return null;
  const normal = [-inward[0], -inward[1]];
  const [least, most] = reach(normal);
  return { at: move(at, inward, dot(at, normal) - (most - share * (most - least))), normal };
}

/** How much of the card a fold lifts, from 0 to 1. */
export function share(fold) {
  if (!fold) return 0;
  const [least, most] = reach(fold.normal);
  return (most - dot(fold.at, fold.normal)) / (most - least);
}

function reach(normal) {
  const found = CORNERS.map((corner) => dot(corner, normal));
  return [Math.min(...found), Math.max(...found)];
}

/**
 * How far a place of the face, seen from its front, is inside the lifted part.
 * @type {(fold: { at: number[], normal: number[] }, place: number[]) => number}
 */
export const shownBy = (fold, [x, y]) => dot(move([WIDE - x, y], fold.at, -1), fold.normal);

const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}Z`;

/** Everything on one side of the line: the lifted side for 1, the other for -1. */
function side({ at, normal: [nx, ny] }, which) {
  const [one, other] = [move(at, [-ny, nx], FAR), move(at, [-ny, nx], -FAR)];
  return path([one, other, move(other, [nx, ny], which * FAR), move(one, [nx, ny], which * FAR)]);
}

/** The matrix that reflects over the line. */
function mirror({ at: [px, py], normal: [nx, ny] }) {
  const [a, b, d] = [1 - 2 * nx * nx, -2 * nx * ny, 1 - 2 * ny * ny];
  return `matrix(${[a, b, b, d, px - a * px - b * py, py - b * px - d * py].map((one) => one.toFixed(4)).join(" ")})`;
}

const stop = (offset, colour, opacity) => svg("stop", { offset, "stop-color": colour, "stop-opacity": opacity });
const sheet = (fill) => svg("path", { d: `M${-FAR} ${-FAR}H${FAR}V${FAR}H${-FAR}Z`, fill });

/** The drawing of one card, face down, of which `show(fold)` lifts a part. */
export class Curl {
  constructor(card) {
    const face = svg("g", { transform: `translate(${WIDE} 0)scale(-1 1)` }, use(`squeeze-${card}`));
    this.low = svg("path");
    this.high = svg("path");
    this.light = svg(
      "linearGradient",
      { id: "curl-light", gradientUnits: "userSpaceOnUse" },
      stop(0, "#000", 0.5), stop(0.1, "#000", 0.16), stop(0.3, "#fff", 0.5), stop(0.55, "#fff", 0), stop(1, "#000", 0.16),
    );
    this.shade = svg(
      "linearGradient",
      { id: "curl-shade", gradientUnits: "userSpaceOnUse" },
      stop(0, "#000", 0.55), stop(1, "#000", 0),
    );
    this.flap = svg("g", { class: "flap" }, svg("g", { "clip-path": "url(#curl-high)" }, face));
    this.lit = svg("g", {}, sheet("url(#curl-light)"));
    this.lightOn = svg(
      "g",
      {},
      svg("g", { "clip-path": "url(#curl-high)" }, svg("g", { "clip-path": "url(#curl-card)" }, this.lit)),
    );
    this.cast = svg("g", { class: "cast" }, svg("rect", { width: WIDE, height: HIGH, rx: 8, "clip-path": "url(#curl-high)" }));
    this.element = svg(
      "g",
      { class: "curl" },
      svg(
        "defs",
        {},
        svg("clipPath", { id: "curl-low" }, this.low),
        svg("clipPath", { id: "curl-high" }, this.high),
        svg("clipPath", { id: "curl-card" }, svg("rect", { width: WIDE, height: HIGH, rx: 8 })),
        this.light,
        this.shade,
      ),
      svg("rect", { class: "under", x: -1.5, y: 2, width: WIDE, height: HIGH, rx: 8 }),
      svg(
        "g",
        { "clip-path": "url(#curl-low)" },
        use("card-back"),
        svg("g", { "clip-path": "url(#curl-card)" }, sheet("url(#curl-shade)")),
      ),
      this.cast,
      this.flap,
      this.lightOn,
    );
    this.show(null);
  }

  show(fold) {
    this.fold = fold;
    const bare = fold ?? { at: [-FAR / 2, 0], normal: [-1, 0] }; // a line that is nowhere near
    this.low.setAttribute("d", side(bare, -1));
    this.high.setAttribute("d", side(bare, 1));
    const turn = mirror(bare);
    for (const group of [this.flap, this.lightOn, this.lit]) group.setAttribute("transform", turn);
    const { at, normal } = bare;
    this.cast.setAttribute("transform", `translate(${-normal[0] * 2.5} ${-normal[1] * 2.5 + 1.5})${turn}`);
    const deep = Math.max(...CORNERS.map((corner) => dot(move(corner, at, -1), normal)), 0.1);
    const tip = move(at, normal, -deep);
    line(this.light, at, tip);
    line(this.shade, tip, move(tip, normal, -26));
  }
}

/** @type {(gradient: Element, from: number[], to: number[]) => void} */
function line(gradient, [x1, y1], [x2, y2]) {
  for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) gradient.setAttribute(name, value.toFixed(2));
}

const use = (symbol) => svg("use", { href: `#${symbol}`, width: WIDE, height: HIGH });
