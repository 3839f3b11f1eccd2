// The felt on wide screens: the layout's drawing, chips in its slots, states of its spots, plates with names.

import { bestSeat } from "./best-seat.js";
import { pillWidth, stack } from "./chips.js";
import { $, $$, svg } from "./dom.js";
import { betting, heaps, insured, outcome, told } from "./heaps.js";
import { held, open } from "./play.js";
import { rove } from "./roving.js";
import { lookAt, mayMove, mayStand, mayTake, takeSeat } from "./seats.js";
import { shape, watchStage, wide } from "./stage.js";
import { CALM_MS, lastUse } from "./steady.js";
import { book, box, on, seat, shownAs, table } from "./state.js";
import { language, money, t } from "./words.js";

const VERSION = new URL(import.meta.url).pathname.split("/")[2];
const OWN = ".own .spot";
const MIDDLE = ".own, .middle";
const GHOST = 11; // units; a chip in hand is at least as large

/** How the table stands, as far as the drawing goes. */
function now() {
  if (!table.seen) return {};
  const { layout, positions, seats, stakes } = table.seen;
  const there = { ...seats };
  for (const { box: at } of stakes) there[at] ??= "-"; // chips without anybody behind them lie there too
  return { text: book(), layout, positions, seats: there, own: box() };
}

const bits = (positions, seats) =>
  Array.from({ length: positions }, (_, place) => (seats[place + 1] ? 2 ** place : 0)).reduce((sum, bit) => sum + bit, 0);

const query = (asked) => Object.entries(asked).map((pair) => pair.join("=")).join("&");

/** How long a total may be in somebody else's cell. */
const letters = (spot) => (spot.classList.contains("slim") || spot.parentNode.matches(".position:has(.slim)") ? 4 : 7);

class TableFelt extends HTMLElement {
  connectedCallback() {
    betting(this, OWN);
    this.addEventListener("click", (event) => this.plate(event));
    this.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.closest?.(".plate")) this.plate(event);
    });
    this.addEventListener("pointerover", (event) => this.ghost(event.pointerType === "touch" ? null : event.target.closest?.(OWN)));
    this.addEventListener("pointerleave", () => this.ghost(null));
    const { book: text, ...first } = JSON.parse(this.dataset.first);
    this.draw({ ...first, text }); // what the page came with; the stream may take a moment
    watchStage(() => this.draw());
    on("layout positions seats box stakes", () => this.redraw());
    on("stakes sent settlement purchases bought phase", () => this.chips());
    on("options offers phase held_up lost", () => this.states());
    on("seats options box house", () => this.plates());
  }

  /** Draw anew if the table stands otherwise, but not under a finger; the stage is not measured for every chip. */
  redraw() {
    clearTimeout(this.due);
    const used = lastUse() + CALM_MS - performance.now();
    if (used > 0 && now().own === this.middle) {
      this.due = setTimeout(() => this.redraw(), used);
      return;
    }
    const { layout, positions, seats, own } = now();
    const stands = [layout, positions, bits(positions, seats), own].join();
    if (stands === this.stands) return;
    this.stands = stands;
    this.middle = own;
    this.draw();
  }

  /** The drawing that fits the stage, with the box in the middle that is mine, or that I may take. */
  async draw({ text, layout, positions, seats, own } = now()) {
    if (!text || !wide.matches) return;
    const middle = own ?? bestSeat(positions, seats) ?? Math.ceil(positions / 2);
    const asked = { v: VERSION, lang: language, ...shape(), taken: bits(positions, seats), watching: !own };
    const address = `/felt/${text}/${layout}/${positions}/${middle}.svg?${query(asked)}`;
    if (address === this.drawn) return;
    this.drawn = address;
    const answer = await fetch(address);
    if (this.drawn !== address || !answer.ok) return;
    const had = this.contains(document.activeElement);
    this.innerHTML = await answer.text();
    this.unit = $("svg", this).getScreenCTM().a; // pixels
    for (const spot of $$(OWN, this)) {
      spot.dataset.label = $("title", spot).textContent; // says all that the words on it do
      spot.removeAttribute("aria-label");
      $(".label", spot).setAttribute("aria-hidden", "true");
    }
    rove(this, OWN);
    if (table.seen) this.fill();
    if (had) $(`${OWN}[tabindex="0"]`, this)?.focus();
  }

  fill() {
    this.chips();
    this.states();
    this.plates();
    this.dispatchEvent(new Event("drawn"));
  }

  chips() {
    const layer = $(".chips", this);
    if (!layer) return;
    const stacks = [];
    for (const spot of $$(".spot", this)) {
      const slots = slotsOf(spot);
      const bets = spot.dataset.bet.split(" ");
      const middle = spot.parentNode.matches(MIDDLE);
      const at = Number(spot.dataset.box);
      const main = spot.classList.contains("main");
      const found = heaps(at, bets, {
        most: main ? slots.length : 1,
        named: main || (middle && at !== seat()),
        letters: middle ? 7 : letters(spot),
      });
      spot.classList.remove("renamed"); // until a stack wants its place again
      const came = outcome(at, bets).split(" ");
      spot.classList.toggle("taken", found.length > 0);
      spot.classList.toggle("sent", found.some((heap) => heap.state === "sent"));
      spot.classList.toggle("came", found.length > 0 && Boolean(table.seen.settlement));
      for (const state of ["win", "lose", "faint"]) spot.classList.toggle(state, came.includes(state));
      found.forEach((heap, place) => stacks.push(this.stack(spot, slots, heap, place)));
      write($("title", spot), told(spot.dataset.label ?? "", at, bets));
    }
    for (const half of $$(".insurance", this)) {
      const slots = slotsOf(half);
      const found = insured(half.dataset.bet.split("-")[0]);
      half.classList.toggle("taken", found.length > 0);
      half.classList.toggle("full", found.length > 1);
      $("text", half).setAttribute("text-anchor", found.length ? "start" : "middle");
      $("textPath", half).setAttribute("startOffset", found.length ? "0" : "50%");
      found.forEach((heap, place) => stacks.push(this.stack(half, [slots[place]], heap)));
    }
    stacks.sort((a, b) => a.y - b.y);
    layer.replaceChildren(...stacks.map((one) => one.element));
    if (this.over?.classList.contains("taken")) $(".ghost", this)?.remove();
  }

  /** A stack in its slot; a pill in the first line if it fits there, else in the second, a result in the third. */
  stack(spot, slots, heap, place = 0) {
    const { turn, tag, free } = spot.dataset;
    const size = Math.max(12.5, 12 / this.unit);
    let slot = slots[place];
    let start = false;
    if (tag === "end" && slots.length > 1) {
      start = !table.seen.settlement && pillWidth(heap.label, size) > Number(free);
      slot = slots[table.seen.settlement ? 2 : start ? 1 : 0];
      spot.classList.toggle("renamed", start);
    }
    const element = stack(slot, { ...heap, turn: tag ? turn : 0, tag, size, start });
    return { y: slot.y, element };
  }

  /** The chip in hand, faintly, over a spot that would take it and has none of mine yet. */
  ghost(spot) {
    if (spot === this.over) return;
    this.over = spot;
    $(".ghost", this)?.remove();
    if (!spot || spot.classList.contains("taken") || spot.classList.contains("closed")) return;
    const slot = slotsOf(spot)[0];
    const label = { who: "", amount: money(held()) };
    const chip = stack({ ...slot, r: Math.max(slot.r, GHOST) }, { cents: held(), label, own: false });
    chip.classList.add("ghost");
    $(".centre", this).append(chip);
  }

  states() {
    for (const spot of $$(OWN, this)) {
      const may = open(spot.dataset.bet, Number(spot.dataset.box));
      spot.classList.toggle("closed", !may);
      spot.classList.toggle("lost", table.lost.includes(spot.dataset.bet));
      spot.setAttribute("aria-disabled", String(!may));
    }
    if (this.over?.classList.contains("closed")) this.ghost(null);
    const offered = new Set(table.seen.offers.map((offer) => `${offer.hand}-insurance`));
    for (const half of $$(".insurance", this)) half.classList.toggle("open", offered.has(half.dataset.bet));
  }

  /** Names on the rail; an empty seat that I may take says so. */
  plates() {
    const { seats } = table.seen;
    for (const place of $$("[data-plate]", this)) {
      const at = Number(place.dataset.plate);
      const name = shownAs(seats[at] ?? "");
      const free = !name && mayTake(at);
      const later = !name && mayMove(at);
      const plate = place.closest(".plate");
      const position = plate.closest(".position");
      const room = Number(place.dataset.room);
      const said = position.classList.contains("free") ? [""] : plateWords(at, name, free);
      place.textContent = room ? fit(said, room) : "";
      const sit = $("[data-sit]", position);
      const words = free ? [t("sit_here"), t("free_box")] : later ? [t("free_box")] : [];
      if (sit) sit.textContent = whole(words, Number(sit.dataset.room)) ?? "";
      const acts = Boolean(free || later || mayStand(at) || (table.behind && at === seat()));
      plate.classList.toggle("sit", free || later);
      position.classList.toggle("later", later);
      plate.classList.toggle("stand", mayStand(at));
      for (const [attribute, value] of Object.entries({ tabindex: "0", role: "button" })) {
        if (acts) plate.setAttribute(attribute, value);
        else plate.removeAttribute(attribute);
      }
      $("title", plate)?.remove();
      if (acts) plate.prepend(svg("title", {}, later ? t("sit_later", { box: at }) : plateLabel(at, name, free)));
      $("text", plate).setAttribute("aria-hidden", String(acts)); // the title says it in full
      position.classList.toggle("acts", acts);
    }
  }

  /** A plate acts, and so does the whole of a position that is not mine: a large target. */
  plate(event) {
    const position = event.target.closest?.(".plate, .position:not(.own)")?.closest(".position");
    if (!position) return;
    const at = Number(position.dataset.box);
    const plate = $(".plate", position);
    if (plate.classList.contains("sit")) takeSeat(at, plate);
    else lookAt(at);
  }
}

const plateLabel = (at, name, free) =>
  free
    ? t("sit_at", { box: at })
    : t(at === table.behind || at === seat() ? "stand_back" : "stand_behind", { box: at, name });

/** What a plate says, the best first; the last may be cut. */
function plateWords(at, name, free) {
  if (!name) return free ? [t("sit_here"), t("sit")] : [t("empty"), "—"];
  if (table.seen.seats[at] === table.me) return [`${t("you")} · ${name}`, t("you")];
  const short = name.replace(/^guest-/, "");
  return at === table.behind ? [t("behind", { name }), name, short] : [name, short];
}

const slotsRead = new WeakMap(); // a drawing's do not change

function slotsOf(spot) {
  if (!slotsRead.has(spot)) {
    const slots = spot.dataset.slots.split(" ").map((slot) => {
      const [x, y, r] = slot.split(",").map(Number);
      return { x, y, r };
    });
    slotsRead.set(spot, slots);
  }
  return slotsRead.get(spot);
}

/** Only what differs: a text that is set anew is laid out anew. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const whole = (texts, room) => texts.find((text) => [...text].length <= room);

function fit(texts, room) {
  return whole(texts, room) ?? `${[...texts.at(-1)].slice(0, Math.max(1, room - 1)).join("")}…`;
}

customElements.define("table-felt", TableFelt);
