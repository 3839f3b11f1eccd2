// The cards of both hands. Player left, Banker right; points nearest the middle, third cards across and outside.

import { $, still, svg } from "./dom.js";
import { wide } from "./felt.js";
import { on, table } from "./state.js";
import { bet, cardName, t } from "./words.js";

const CARD_MS = 320;
const EASE = "cubic-bezier(.2,.8,.2,1)";
// Geometry of the two drawings: middle, height of the middle, card width, where points and cards begin.
const ARC = { box: "0 0 1440 634", cx: 720, cy: 166, w: 80, score: 108, edge: 148, r: 29, names: 14 };
const PHONE = { box: "0 0 370 92", cx: 185, cy: 52, w: 40, score: 18, edge: 37, r: 16, names: 12 };

class TableHands extends HTMLElement {
  connectedCallback() {
    this.known = new Map();
    on("cards points settlement phase round", () => this.show());
    wide.addEventListener("change", () => this.show());
  }

  show() {
    if (!table.seen) return;
    const shape = wide.matches ? ARC : PHONE;
    const now = shown();
    const art = svg("svg", { viewBox: shape.box, class: "hands" });
    for (const side of ["player", "banker"]) art.append(this.hand(side, now, shape));
    this.replaceChildren(art);
    this.known = new Map(now.cards.map((card) => [keyOf(now, card), face(card)]));
  }

  hand(side, now, shape) {
    const sign = side === "player" ? -1 : 1;
    const cards = now.cards.filter((card) => card.hand === side);
    const group = svg("g", { class: `hand ${side}${now.old ? " old" : ""}` });
    group.append(title(side, sign, shape));
    cards.forEach((card, place) => group.append(this.card(card, place, sign, shape, now)));
    const points = now.points?.[side];
    // Whoever squeezes knows the points before the others do; the table shows them to all at once.
    if (cards.length && cards.every((card) => card.exposed) && Number.isInteger(points)) {
      group.append(score(points, now.settlement?.outcome === side, sign, shape));
    }
    return group;
  }

  card(card, place, sign, shape, now) {
    const { w } = shape;
    const [gap, h] = [w * 0.09, w * 1.4];
    const across = place === 2; // the others stand side by side, the first at the left
    const column = sign > 0 ? place : 1 - place;
    const x = shape.edge + (across ? 2 * (w + gap) + h / 2 : w / 2 + column * (w + gap));
    const y = shape.cy + (shape === ARC ? 0 : 6) - (across ? (h - w) / 2 : 0);
    const outer = svg("g", { transform: `translate(${shape.cx + sign * x} ${y})${across ? "rotate(90)" : ""}` });
    const label = cardName(card.exposed && card.card);
    const inner = svg("g", { class: "card", role: "img", "aria-label": label });
    inner.append(svg("use", { href: `#card-${face(card)}`, x: -w / 2, y: -h / 2, width: w, height: h }));
    if (card.held_by && !card.exposed) inner.append(holder(card, shape));
    outer.append(inner);
    const key = keyOf(now, card);
    if (!this.known.has(key)) deal(inner, sign, x, w);
    else if (this.known.get(key) !== face(card)) turn(inner);
    return outer;
  }
}

const face = (card) => (card.exposed && card.card) || "back";
const keyOf = (now, card) => `${now.round}/${card.place}`;

/** This round's cards, or those of the last one until the first new card comes. */
function shown() {
  const { seen, last } = table;
  if (seen.cards.length || !last || seen.phase === "void" || seen.phase === "idle") return { ...seen, old: false };
  return { ...last, old: last.round !== seen.round };
}

function deal(card, sign, x, w) {
  if (still()) return;
  card.animate(
    [
      { transform: `translate(${-sign * x + 3 * w}px, ${-2 * w}px) rotate(18deg)`, opacity: 0 },
      { transform: "none", opacity: 1 },
    ],
    { duration: CARD_MS, easing: EASE },
  );
}

function turn(card) {
  if (still()) return;
  card.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: CARD_MS / 2, easing: EASE });
}

function title(side, sign, { cx, cy, w, edge, names }) {
  const y = names === 14 ? cy - w * 0.7 - 14 : cy - w * 0.7 + 1;
  const [zh, en] = [bet(side).zh, bet(side).en.toUpperCase()];
  const glyph = svg("tspan", { class: "zh", "font-size": names * 1.36 }, zh);
  const name = svg("tspan", { class: "hand-name", dx: sign > 0 ? 0 : 7 }, en);
  if (sign > 0) glyph.setAttribute("dx", 7);
  const anchor = sign < 0 ? "end" : "start";
  return svg(
    "text",
    { class: `hand-title ${side[0]}`, x: cx + sign * edge, y, "font-size": names, "text-anchor": anchor },
    ...(sign < 0 ? [glyph, name] : [name, glyph]),
  );
}

function score(points, won, sign, { cx, cy, score: at, r, names }) {
  const y = names === 14 ? cy : cy + 2;
  return svg(
    "g",
    { class: won ? "score won" : "score", transform: `translate(${cx + sign * at} ${y})` },
    svg("circle", { r }),
    svg("text", { y: r * 0.44, "font-size": r * 1.24, "text-anchor": "middle" }, String(points)),
  );
}

function holder(card, { w }) {
  const who = card.held_by === table.me ? t("you") : card.held_by.slice(0, 8);
  return svg(
    "g",
    { class: "holder" },
    svg("rect", { x: -w * 0.46, y: w * 0.36, width: w * 0.92, height: w * 0.26, rx: w * 0.13 }),
    svg("text", { y: w * 0.54, "font-size": w * 0.16, "text-anchor": "middle" }, who),
  );
}

/** What stands in the middle: the running time, or the result. */
class TableMiddle extends HTMLElement {
  connectedCallback() {
    this.ring = $("svg", this);
    on("settlement phase timer round", () => this.show());
    setInterval(() => this.tick(), 200);
  }

  show() {
    const { settlement, phase } = table.seen;
    this.dataset.came = settlement && phase === "settled" ? settlement.outcome : "";
    this.tick();
  }

  tick() {
    if (!table.seen) return;
    const { timer } = table;
    const left = timer ? Math.max(0, timer.until - performance.now()) : 0;
    const seconds = Math.ceil(left / 1000);
    const came = this.dataset.came;
    this.classList.toggle("idle", !timer && !came);
    this.classList.toggle("urgent", Boolean(timer) && seconds <= 5);
    const text = came ? bet(came).zh : timer ? String(seconds) : "";
    const figure = $("text", this);
    if (figure.textContent !== text) figure.textContent = text;
    const length = 2 * Math.PI * 40;
    $(".fg", this).setAttribute("stroke-dasharray", `${timer ? (length * left) / timer.ms : 0} ${length}`);
    const caption = came ? "" : timer ? t(`timer_${timer.name}`) : "";
    const place = $("small", this);
    if (place && place.textContent !== caption) place.textContent = caption;
    this.dispatchEvent(new CustomEvent("second", { detail: timer ? { name: timer.name, seconds } : null }));
  }
}

customElements.define("table-hands", TableHands);
customElements.define("table-middle", TableMiddle);
