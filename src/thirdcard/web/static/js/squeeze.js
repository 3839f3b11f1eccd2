// Cards that I hold face down: lifted by an edge or a corner, by finger, mouse and keys, until I open them or pass.
//
// Nothing of it leaves the page: others see backs until a card is opened. Loaded where cards are dealt face down.

import { Curl, foldBy, foldTo, hold, holdAt, share } from "./curl.js";
import { $, $$, button, countDown, html, icon, still, svg } from "./dom.js";
import { allowed, GROUPS, listed, RANKS, value } from "./edges.js";
import { rankName } from "./facts.js";
import { makeWay, shown } from "./panels.js";
import { send } from "./play.js";
import { on, option, options, table } from "./state.js";
import { citations } from "./tellers.js";
import { cardName, hand as handName, t } from "./words.js";

const OPENS = 0.6; // lifted so far, it is opened when let go
const BACK_MS = 180;
const TURN_MS = 240;
const STEP = 0.06;
const MOST_LISTED = 4; // ranks that are told one by one
const SCREEN_EDGES = ["top", "right", "bottom", "left"]; // clockwise, as arrow keys name them
const ARROWS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
const CORNERS = ["top right", "bottom right", "bottom left", "top left"]; // the one clockwise from each edge

/** Of the hand that is to be opened first, the cards that I hold. */
function heldCards() {
  const all = table.seen.cards.filter((card) => table.me && card.held_by === table.me && !card.exposed && card.card);
  const due = all.find((card) => options("expose").some((one) => one.command.cards.includes(card.place))) ?? all[0];
  return all.filter((card) => card.hand === due.hand);
}

const opening = (places) => options("expose").find((one) => String(one.command.cards) === String(places));

class SqueezePanel extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    this.tabIndex = -1;
    this.setAttribute("role", "dialog");
    this.setAttribute("aria-labelledby", "squeeze-title");
    on("cards options phase", () => this.show());
    document.addEventListener("keydown", (event) => this.key(event), true);
    setInterval(() => this.tick(), 200);
  }

  show() {
    const held = heldCards();
    const key = JSON.stringify([held, table.seen.cards.filter((card) => card.exposed), options("expose"), options("refuse-cards")]);
    if (key === this.shown) return;
    this.shown = key;
    this.held = held;
    const first = this.hidden && held.length > 0;
    this.hidden = !held.length;
    this.cover(!this.hidden);
    if (this.hidden) {
      this.replaceChildren();
      return;
    }
    if (first) this.turned = innerWidth > innerHeight ? -90 : 0; // a long edge toward whoever squeezes
    if (first || !held.some((card) => card.place === this.place)) this.take(held[0].place);
    else this.refresh(); // what is in hand stays there
    if (!first) return;
    makeWay(true);
    this.focus();
  }

  /** All of the table but its head is under this: nothing there can be reached, and nothing shines through. */
  cover(covers) {
    document.documentElement.classList.toggle("squeezing", covers);
    for (const part of $$(".stage, .dock")) part.inert = covers;
  }

  take(place) {
    this.place = place;
    this.grip = this.finger = null;
    this.draw();
  }

  get card() {
    return this.held.find((card) => card.place === this.place);
  }

  draw() {
    const { hand, place, card } = this.card;
    this.curl = new Curl(card);
    this.turner = svg("g", { class: "turner" }, this.curl.element);
    this.art = svg(
      "svg",
      { class: "held", viewBox: "-30 -10 160 160", role: "img", "aria-label": t("squeeze_card") },
      this.turner,
    );
    this.slider = html("input", { type: "range", min: 0, max: 100, value: 0, "aria-label": t("squeeze_lift") });
    this.slider.addEventListener("input", () => this.lift(this.grip ?? this.nearest(), this.slider.value / 100));
    this.slider.addEventListener("change", () => this.settled(true));
    this.guide = html("ol", { class: "edges" }, GROUPS.map(edge));
    this.makes = html("p", { class: "makes", "aria-live": "polite" });
    this.beside = html("div", { class: "beside" });
    this.note = html("p", { class: "muted" });
    this.buttons = {
      one: button("", () => this.open([this.place]), {}, icon("eye"), t("squeeze_open"), keycap("Enter")),
      all: button("primary", () => this.open(this.places), {}, t("squeeze_open_all"), keycap("O")),
      pass: button("quiet pass", () => this.pass(), {}, t("pass_cards")),
    };
    const number = table.seen.cards.filter((one) => one.hand === hand).findIndex((one) => one.place === place);
    const which = html("small", {}, t(`squeeze_card_${number + 1}`, { hand: handName(hand) }));
    const because = t(`squeeze_why_${table.seen.house.squeezes}`, { hand: handName(hand) });
    this.replaceChildren(
      html(
        "header",
        {},
        ring(),
        html("h2", { id: "squeeze-title" }, t("squeeze_yours"), " ", which),
        html("p", { class: "because" }, because, " ", why()),
      ),
      this.beside,
      this.art,
      html("aside", {}, html("h3", {}, t("squeeze_tells")), this.guide, this.makes, this.note),
      html(
        "div",
        { class: "go" },
        button("turn", () => this.turn(), {}, icon("turn"), t("squeeze_turn"), keycap("T")),
        html("label", { class: "lift" }, html("span", { "aria-hidden": "true" }, t("squeeze_lift")), this.slider),
        Object.values(this.buttons),
      ),
      html("p", { class: "how" }, t("squeeze_how")),
    );
    this.pointers();
    this.turnTo(this.turned, false);
    this.display(null);
    this.refresh();
    this.tick();
  }

  /** What others do changes around the card in hand. */
  refresh() {
    const { hand } = this.card;
    this.beside.replaceChildren(...this.others());
    this.note.textContent = this.told(hand);
    this.buttons.one.disabled = !opening([this.place]);
    this.buttons.all.disabled = !opening(this.places);
    this.buttons.pass.hidden = !option("refuse-cards", { hand });
    this.tell(allowed(this.card.card, this.fold), true);
  }

  get places() {
    return this.held.map((card) => card.place);
  }

  /** The other cards of the hand: those that are open with what they come to, and one that is still to be squeezed. */
  others() {
    const { hand, place } = this.card;
    const all = table.seen.cards.filter((card) => card.hand === hand && card.place !== place);
    const open = all.filter((card) => card.exposed);
    const waits = this.held.filter((card) => card.place !== place);
    const known = open.map((card) => picture(`card-${card.card}`, cardName(card.card)));
    const sum = open.reduce((points, card) => points + value(card.card[0]), 0) % 10;
    return [
      html("div", { class: "cards" }, known, waits.map((card) => this.waiting(card))),
      ...(open.length
        ? [
            html("b", { class: "sum" }, String(sum)),
            html("small", {}, t(open.length > 1 ? "squeeze_opened_all" : "squeeze_opened")),
          ]
        : []),
    ];
  }

  waiting(card) {
    return button("plain", () => this.take(card.place), { "aria-label": t("squeeze_other") }, picture("card-back", ""));
  }

  told(hand) {
    const other = hand === "player" ? "banker" : "player";
    if (!option("expose")) return t("squeeze_first", { hand: handName(other) });
    const waits = table.seen.cards.some((card) => card.hand === other && !card.exposed);
    return waits ? t("squeeze_after", { hand: handName(other) }) : t("squeeze_alone");
  }

  pass() {
    const found = option("refuse-cards", { hand: this.card.hand });
    if (found) send(found.command);
  }

  open(places) {
    const found = opening(places);
    if (found) send(found.command);
    else this.fall();
  }

  // Lifting --------------------------------------------------------------------------------------------------

  pointers() {
    this.art.addEventListener("pointerdown", (event) => {
      const at = this.on(event);
      if (at[0] < -15 || at[0] > 115 || at[1] < -15 || at[1] > 155) return;
      event.preventDefault();
      this.grip = holdAt([Math.max(0, Math.min(100, at[0])), Math.max(0, Math.min(140, at[1]))]);
      this.finger = event.pointerId;
      this.falling?.();
      this.art.setPointerCapture(event.pointerId);
    });
    this.art.addEventListener("pointermove", (event) => {
      if (event.pointerId === this.finger) this.display(foldTo(this.grip, this.on(event)));
    });
    for (const name of ["pointerup", "pointercancel"]) {
      this.art.addEventListener(name, (event) => {
        if (event.pointerId !== this.finger) return;
        this.finger = null;
        this.settled(false);
      });
    }
  }

  /** Where a pointer is, as the card lies. */
  on(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.turner.getScreenCTM().inverse());
    return [x, y];
  }

  lift(grip, much) {
    this.grip = grip;
    this.falling?.();
    this.display(foldBy(grip, Math.min(1, much)));
  }

  /** Let go: far enough it is opened, else it falls back, unless what lifted it has no spring. */
  settled(stays) {
    if (share(this.fold) >= OPENS && opening([this.place])) this.open([this.place]);
    else if (!stays || share(this.fold) >= OPENS) this.fall();
  }

  fall() {
    const [from, fold] = [share(this.fold), this.fold];
    if (!fold || still()) {
      this.display(null);
      return;
    }
    const start = performance.now();
    let falls = true;
    this.falling = () => (falls = false);
    const step = (now) => {
      if (!falls || this.hidden) return;
      const left = 1 - Math.min(1, (now - start) / BACK_MS);
      this.display(left > 0 ? sunk(fold, from * (1 - left * left)) : null);
      if (left > 0) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  display(fold) {
    this.fold = fold;
    this.curl.show(fold);
    const much = share(fold);
    this.slider.value = Math.round(much * 100);
    this.dataset.lifted = String(Math.round(much * 100));
    this.tell(allowed(this.card.card, fold));
  }

  /** The guide lights what the seen part allows, and nothing while it allows everything. */
  tell(ranks, anew = false) {
    const key = ranks.join("");
    if (key === this.guide.dataset.ranks && !anew) return;
    this.guide.dataset.ranks = key;
    const all = ranks.length === RANKS.length;
    for (const [place, { ranks: group }] of GROUPS.entries()) {
      this.guide.children[place].classList.toggle("on", !all && ranks.some((rank) => group.includes(rank)));
    }
    this.makes.replaceChildren(...(all ? [html("span", {}, t("squeeze_begin"))] : this.worth(ranks)));
  }

  worth(ranks) {
    const { hand, place } = this.card;
    const others = table.seen.cards.filter((card) => card.hand === hand && card.place !== place);
    const sum = others.reduce((points, card) => points + (card.exposed ? value(card.card[0]) : 0), 0) % 10;
    const known = others.length > 0 && others.every((card) => card.exposed);
    const few = ranks.length <= MOST_LISTED;
    const numbers = ranks.every((rank) => !"JQK".includes(rank));
    const names = numbers ? listed(ranks.map((rank) => value(rank) || 10), t("squeeze_to")) : ranks.map(rankName).join(" ");
    if (!known) return [html("span", {}, t("squeeze_could", { cards: names }))];
    const points = (rank) => (sum + value(rank)) % 10;
    if (few) {
      return [
        html("span", {}, t("squeeze_with", { sum })),
        ...ranks.map((rank) => html("b", {}, `${rankName(rank)} → ${points(rank)}`)),
      ];
    }
    const totals = [...new Set(ranks.map(points))].sort((a, b) => a - b);
    return [
      html("span", {}, t("squeeze_could", { cards: names })),
      html("b", {}, t("squeeze_makes", { sum, totals: listed(totals, t("squeeze_to")) })),
    ];
  }

  // Turning and keys -----------------------------------------------------------------------------------------

  turn() {
    this.fall();
    this.turnTo(this.turned + 90, true);
  }

  turnTo(angle, moves) {
    const from = this.turned;
    this.turned = angle;
    this.turner.setAttribute("transform", `rotate(${angle} 50 70)`);
    if (!moves || still()) return;
    const origin = { transformOrigin: "50px 70px" };
    this.turner.animate(
      [{ transform: `rotate(${from}deg)`, ...origin }, { transform: `rotate(${angle}deg)`, ...origin }],
      { duration: TURN_MS, easing: "ease-in-out" },
    );
  }

  /** The edge or corner of the card that is there on the screen. */
  onScreen(names, place) {
    const quarters = Math.round(this.turned / 90);
    return hold(names[(((place - quarters) % 4) + 4) % 4]);
  }

  nearest() {
    return this.onScreen(SCREEN_EDGES, ARROWS.ArrowDown);
  }

  key(event) {
    if (this.hidden || shown() || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.matches("input, select, textarea, dialog *, [role=dialog]:not(squeeze-panel) *")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key in ARROWS) {
      const grip = this.onScreen(event.shiftKey ? CORNERS : SCREEN_EDGES, ARROWS[key]);
      const same = grip.name === this.grip?.name;
      this.lift(grip, (same ? share(this.fold) : 0) + STEP);
      this.settled(true);
    } else if (key === "t") this.turn();
    else if (key === "o") this.open(this.places);
    else if (key === "Enter" && !event.target.matches("button, a")) this.open([this.place]);
    else if (key === "Escape") this.fall();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  tick() {
    if (this.hidden) return;
    const { timer } = table;
    const left = countDown($(".ring", this), timer?.name === "squeeze" ? timer : null, 38);
    $(".ring", this).classList.toggle("urgent", left > 0 && left <= 5000);
    $(".ring text", this).textContent = left ? String(Math.ceil(left / 1000)) : "";
  }
}

/** The same fold, fallen back by that share of the card. */
function sunk({ at: [x, y], normal: [nx, ny] }, by) {
  const across = Math.abs(nx) * 100 + Math.abs(ny) * 140;
  return { at: [x + nx * by * across, y + ny * by * across], normal: [nx, ny] };
}

function ring() {
  return svg(
    "svg",
    { class: "ring", viewBox: "0 0 90 90", role: "timer" },
    svg("circle", { class: "bg", cx: 45, cy: 45, r: 38 }),
    svg("circle", { class: "fg", cx: 45, cy: 45, r: 38, transform: "rotate(-90 45 45)" }),
    svg("text", { x: 45, y: 55, "text-anchor": "middle" }),
  );
}

function why() {
  const rules = table.seen.house.squeeze_rules;
  return html("span", { class: "why" }, `${t("squeeze_why")} `, citations(rules));
}

function edge({ name, ranks, card }) {
  return html(
    "li",
    {},
    svg("svg", { viewBox: "66 0 34 140", "aria-hidden": "true" }, svg("use", { href: `#squeeze-${card}`, width: 100, height: 140 })),
    html("b", {}, t(`squeeze_edge_${name}`)),
    html("span", {}, [...ranks].map(rankName).join(" ")),
  );
}

function picture(symbol, label) {
  const card = svg("use", { href: `#${symbol}`, width: 100, height: 140 });
  const told = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svg("svg", { class: "whole", viewBox: "0 0 100 140", ...told }, card);
}

const keycap = (key) => html("kbd", { "aria-hidden": "true" }, key);

/** The cut that is squeezed, and how all this looks: both come with the first table that needs them. */
async function furnish() {
  const style = html("link", { rel: "stylesheet", href: new URL("../css/squeeze.css", import.meta.url).href });
  const ready = new Promise((done) => style.addEventListener("load", done, { once: true }));
  document.head.append(style);
  const answer = await fetch(new URL("../squeeze.svg", import.meta.url));
  document.body.insertAdjacentHTML("afterbegin", await answer.text());
  await ready;
}

await furnish();
customElements.define("squeeze-panel", SqueezePanel);
$("#table").append(document.createElement("squeeze-panel"));
