// The cards of both hands. Player left, Banker right; points nearest the middle, third cards across and outside.

import { $, countDown, svg } from "./dom.js";
import { INITIAL } from "./facts.js";
import { later, ms, moves, play, SLIDE_EASE } from "./motion.js";
import { sound } from "./sound.js";
import { low, wide } from "./stage.js";
import { on, shownAs, standing, table } from "./state.js";
import { show as says } from "./tellers.js";
import { bet, cardName, hand as handName, t } from "./words.js";

const [SLIDE, FLIP, SLOW_FLIP, SWELL, BREATH, CALLED] = [380, 260, 420, 220, 1100, 300];
// Geometry of the two drawings: middle, height of the middle, card width, where points and cards begin.
const ARC = { box: "-400 0 800 260", cx: 0, cy: 147, w: 74, score: 82, edge: 116, r: 26, names: 14, cut: "card" };
const PHONE = { box: "0 0 370 92", cx: 185, cy: 52, w: 40, score: 18, edge: 37, r: 16, names: 12, cut: "small" };
// On low screens one hand stands under the other.
const LOW = { box: "0 0 300 168", rows: { player: 42, banker: 126 }, w: 50, score: 92, edge: 120, r: 18, names: 13, cut: "small" };
const SIDES = { player: -1, banker: 1 };

class TableHands extends HTMLElement {
  connectedCallback() {
    on("cards points settlement phase round deciding offers", () => this.show());
    for (const screen of [wide, low]) screen.addEventListener("change", () => this.show());
  }

  show() {
    if (!table.seen) return;
    const shape = wide.matches ? ARC : low.matches ? LOW : PHONE;
    if (shape !== this.shape) this.lay(shape);
    const now = shown();
    for (const side of Object.keys(SIDES)) this.hand(side, now);
    this.beat(now);
    this.played = true; // whatever comes from now on, comes while people look
  }

  /** Both hands, empty. */
  lay(shape) {
    this.shape = shape;
    this.cards = new Map(); // by round and place
    this.hands = {};
    this.decided = ""; // what the outline of the deciding card was drawn for
    this.played = false;
    const art = svg("svg", { viewBox: shape.box, class: "hands" });
    for (const [side, sign] of Object.entries(SIDES)) {
      const points = score(side, shape);
      const cards = svg("g");
      const group = svg("g", {}, title(side, sign, shape), cards, points);
      this.hands[side] = { group, cards, points };
      art.append(group);
    }
    this.place = svg("g", { class: "beat", "aria-hidden": "true" });
    art.append(this.place);
    this.replaceChildren(art);
  }

  hand(side, now) {
    const cards = now.cards.filter((card) => card.hand === side);
    const { group, points } = this.hands[side];
    group.setAttribute("class", `hand ${side}${now.old ? " old" : ""}`);
    for (const [key, { element, side: of }] of this.cards) {
      if (of === side && !cards.some((card) => keyOf(now, card) === key)) {
        element.remove();
        this.cards.delete(key);
      }
    }
    cards.forEach((card, place) => this.card(card, place, side, now));
    // Whoever squeezes knows the points before the others do; the table shows them to all at once.
    const known = cards.length > 0 && cards.every((card) => card.exposed) && Number.isInteger(now.points?.[side]);
    points.classList.toggle("won", now.settlement?.outcome === side);
    const waits = cards.length > 2 && cards.slice(0, 2).every((card) => card.exposed); // the figure of two stands until then
    if (known || !waits) this.count(side, known ? String(now.points[side]) : "");
  }

  /** The figure changes with one small swell. */
  count(side, figure) {
    const { points } = this.hands[side];
    const place = $("text", points);
    if (place.textContent === figure) return;
    place.textContent = figure;
    points.classList.toggle("none", !figure);
    const swell = [{ transform: "none" }, { transform: "scale(1.12)" }, { transform: "none" }];
    if (figure && this.played) play($("g", points), swell, { lasts: ms(SWELL), easing: "ease-in-out" });
  }

  card(card, place, side, now) {
    const key = keyOf(now, card);
    const had = this.cards.get(key);
    const one = had ?? this.comes(key, place, side);
    const front = face(card);
    one.inner.setAttribute("aria-label", cardName(card.exposed && card.card));
    one.use.setAttribute("href", front === "back" ? "#card-back" : `#${this.shape.cut}-${front}`);
    one.holder.replaceChildren(...(card.held_by && !card.exposed ? [holder(card, this.shape)] : []));
    const turns = front !== "back" && one.front === "back";
    one.front = front;
    if (!this.played || now.old) return;
    if (!had) this.slide(one);
    if (turns) this.flip(one, place > 1 && this.decided ? SLOW_FLIP : FLIP);
  }

  /** A card's place at the table, face down. */
  comes(key, place, side) {
    const { shape } = this;
    const { w } = shape;
    const h = w * 1.4;
    const { x, y, across } = placed(place, side, shape);
    const use = svg("use", { x: -w / 2, y: -h / 2, width: w, height: h });
    const shade = svg("rect", { class: "shade", x: -w / 2, y: -h / 2 + 2, width: w, height: h, rx: w * 0.085 });
    const held = svg("g");
    const inner = svg("g", { class: "card", role: "img" }, use, held);
    const slid = svg("g", {}, shade, inner);
    const element = svg("g", { transform: `translate(${x} ${y})${across ? "rotate(90)" : ""}` }, slid);
    this.hands[side].cards.append(element);
    const made = { element, slid, inner, use, holder: held, side, front: "back" };
    this.cards.set(key, made);
    return made;
  }

  /** Out of the shoe, along the felt, turning straight on the way. */
  slide(one) {
    const { x, y } = fromShoe(one.element, this.shape);
    const frames = [
      { transform: `translate(${x}px, ${y}px) rotate(24deg)`, opacity: 0 },
      { opacity: 1, offset: 0.12 },
      { transform: "none", opacity: 1 },
    ];
    play(one.slid, frames, { lasts: ms(SLIDE), easing: SLIDE_EASE });
    sound("slide");
  }

  /** A card that shows its face does so from under its back. */
  flip({ inner, use }, usual) {
    sound("flip");
    if (!moves()) return;
    const cover = inner.appendChild(use.cloneNode());
    cover.setAttribute("href", "#card-back");
    const round = [{ transform: "none" }, { transform: "scaleX(0)", offset: 0.5 }, { transform: "none" }];
    const back = [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.5 }, { opacity: 0 }];
    play(inner, round, { lasts: ms(usual), easing: "ease-in-out" });
    play(cover, back, { lasts: ms(usual), easing: "ease-in-out", fill: "both", over: () => cover.remove() });
  }

  /** Before a card that decides the round its place opens, and says what it needs. */
  beat(now) {
    const lies = now.deciding && now.cards.filter((card) => card.hand === now.deciding.hand).length > 2; // it has come
    const due = now.old || lies ? null : now.deciding;
    const offered = table.seen.offers.length > 0; // what is offered stays said; the card is said once it is due
    const key = due ? `${now.round}/${due.hand}/${offered}` : "";
    if (key === this.decided) return;
    const { place } = this;
    if (!due) {
      if (now.cards.length <= INITIAL || now.phase !== "dealing") this.decided = "";
      place.replaceChildren();
      return;
    }
    this.decided = key;
    place.replaceChildren(...waits(due, now, this.shape));
    play(place.firstChild, [{ opacity: 1 }, { opacity: 0.45 }, { opacity: 1 }], { lasts: ms(BREATH), easing: "ease-in-out" });
    const decides = this.played && !offered && standing("deciding");
    if (decides) later(ms(CALLED), () => says(decides));
  }
}

/** The middle of a card's place; the third lies across, outside of the others. */
function placed(place, side, shape) {
  const { w } = shape;
  const sign = SIDES[side];
  const [gap, h] = [w * 0.09, w * 1.4];
  const across = place === 2; // the others stand side by side, the first at the left
  const column = sign > 0 || shape.rows ? place : 1 - place;
  const x = shape.edge + (across ? 2 * (w + gap) + h / 2 : w / 2 + column * (w + gap));
  if (shape.rows) return { x, y: shape.rows[side] - (across ? (h - w) / 2 : 0), across };
  const y = shape.cy + (shape === ARC ? 0 : 6) - (across ? (h - w) / 2 : 0);
  return { x: shape.cx + sign * x, y, across };
}

/** Where the mouth of the shoe is, as a card's place sees it; where no shoe is shown, beyond the far corner. */
function fromShoe(element, { w }) {
  const mouth = $("#shoe .mouth")?.getBoundingClientRect();
  const matrix = element.getScreenCTM();
  if (!mouth?.width || !matrix) return { x: 4 * w, y: -2.5 * w };
  const { x, y } = new DOMPoint(mouth.x + mouth.width / 2, mouth.y + mouth.height / 2).matrixTransform(matrix.inverse());
  return { x, y };
}

/** The place of the card that decides, and what it has to be. */
function waits({ hand, points, wins, ties }, now, shape) {
  const { w } = shape;
  const [wide, high] = [w * 1.4, w];
  const { x, y } = placed(now.cards.filter((card) => card.hand === hand).length, hand, shape);
  const outline = svg("rect", { class: "due", x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: w * 0.1 });
  const line = (text, dy, kind, at = x) => svg("text", { x: at, y: dy, class: kind, "text-anchor": "middle" }, text);
  if (shape !== ARC) {
    const short = wins.length > MOST_NAMED ? t("beat_but", { cards: valuesTold(others(wins)) }) : valueNames(wins).join(", ");
    const told = short && short.length <= w / 5 ? [line(t("beat_needs", { cards: "" }).trim(), y - 3, "draws"), line(short, y + 12, "needs")] : [];
    return [outline, ...told];
  }
  const [needs, level] = [wins.length > MOST_NAMED ? t("beat_but", { cards: valuesTold(others(wins)) }) : valuesTold(wins), valuesTold(ties)];
  const told = [needs && t("beat_wins", { cards: needs, hand: handName(hand) }), level && t("beat_ties", { cards: level })];
  return [
    outline,
    line(t("beat_draws", { points }), y - 5, "draws"),
    needs && line(t("beat_needs", { cards: needs }), y + 14, "needs"),
    line(told.filter(Boolean).join(" · "), shape.cy + w * 0.7 + 24, "wins", shape.cx),
  ].filter(Boolean);
}

const VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0];
const MOST_NAMED = 5; // of more it is said which do not
const others = (values) => VALUES.filter((value) => !values.includes(value));

/** Values of a card as people call them. */
const valueNames = (values) => values.map((value) => (value === 0 ? "10–K" : value === 1 ? "A" : String(value)));

function valuesTold(values) {
  const names = valueNames(values);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${t("or")} ${names.at(-1)}`;
}

const face = (card) => (card.exposed && card.card) || "back";
const keyOf = (now, card) => `${now.round}/${card.place}`;

/** This round's cards, or those of the last one until the first new card comes. */
function shown() {
  const { seen, last } = table;
  if (seen.cards.length || !last || seen.phase === "void" || seen.phase === "idle") return { ...seen, old: false };
  return { ...last, old: last.round !== seen.round };
}

function title(side, sign, { cx, cy, w, edge, names, rows }) {
  const y = names === 14 ? cy - w * 0.7 - 14 : cy - w * 0.7 + 1;
  const [zh, en] = [bet(side).zh, bet(side).en.toUpperCase()];
  if (rows) {
    const line = (kind, dy, size, text) => svg("tspan", { class: kind, x: 4, y: rows[side] + dy, "font-size": size }, text);
    return svg("text", { class: `hand-title ${side[0]}` }, line("zh", -2, 24, zh), line("hand-name", 19, names, en));
  }
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

function score(side, { cx, cy, score: at, r, names, rows }) {
  const x = rows ? at : cx + SIDES[side] * at;
  const y = rows ? rows[side] : names === 14 ? cy : cy + 2;
  return svg(
    "g",
    { class: "score none", transform: `translate(${x} ${y})` },
    svg(
      "g",
      {},
      svg("circle", { r }),
      svg("text", { y: r * 0.44, "font-size": r * 1.24, "text-anchor": "middle" }),
    ),
  );
}

function holder(card, { w }) {
  const who = card.held_by === table.me ? t("you") : [...shownAs(card.held_by)].slice(0, 8).join("");
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
    const left = countDown(this, timer, 40);
    const seconds = Math.ceil(left / 1000);
    const came = this.dataset.came;
    this.classList.toggle("idle", !timer && !came);
    this.classList.toggle("urgent", Boolean(timer) && seconds <= 5);
    const text = came ? bet(came).zh : timer ? String(seconds) : "";
    const figure = $("text", this);
    if (figure.textContent !== text) figure.textContent = text;
    const caption = came ? "" : timer ? t(`timer_${timer.name}`) : "";
    const place = $("small", this);
    if (place && place.textContent !== caption) place.textContent = caption;
    this.dispatchEvent(new CustomEvent("second", { detail: timer ? { name: timer.name, seconds } : null }));
  }
}

customElements.define("table-hands", TableHands);
customElements.define("table-middle", TableMiddle);
