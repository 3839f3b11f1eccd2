// The felt on wide screens: the layout's drawing, chips in its slots, states of its spots, plates with names.

import { sitDown, somebody } from "./api.js";
import { stack } from "./chips.js";
import { $, $$, svg } from "./dom.js";
import { heaps, insured, outcome, told } from "./heaps.js";
import { held, open, send } from "./play.js";
import { restart } from "./socket.js";
import { betting, rove } from "./spots.js";
import { book, box, joined, on, option, rack, seat, table, tell } from "./state.js";
import { refuse } from "./tellers.js";
import { language, money, t } from "./words.js";

const VERSION = new URL(import.meta.url).pathname.split("/")[2];
const OWN = ".own .spot";
const LONG_AMOUNT = 15; // a chip of this radius has room for a name and a long amount

class TableFelt extends HTMLElement {
  connectedCallback() {
    betting(this, OWN);
    this.addEventListener("click", (event) => this.plate(event));
    this.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.closest?.(".plate")) this.plate(event);
    });
    this.addEventListener("pointerover", (event) => this.ghost(event.target.closest?.(OWN)));
    this.addEventListener("pointerleave", () => this.ghost(null));
    on("layout positions seats box", () => this.draw());
    on("stakes sent settlement purchases bought phase", () => this.chips());
    on("options offers phase held_up", () => this.states());
    on("seats options box", () => this.plates());
  }

  /** The drawing for the box that is large now; each is fetched once. */
  async draw() {
    const { layout, positions } = table.seen;
    const name = `${book()}/${layout}/${positions}/${box() ?? 0}.svg`;
    if (name === this.drawn || !wide.matches) return;
    this.drawn = name;
    const answer = await fetch(`/felt/${name}?v=${VERSION}&lang=${language}`);
    if (this.drawn !== name) return;
    const had = this.contains(document.activeElement);
    this.innerHTML = await answer.text();
    for (const spot of $$(OWN, this)) {
      spot.dataset.label = $("title", spot).textContent; // says all that the words on it do
      spot.removeAttribute("aria-label");
      $(".label", spot).setAttribute("aria-hidden", "true");
    }
    this.chips();
    this.states();
    this.plates();
    rove(this, OWN);
    this.dispatchEvent(new Event("drawn"));
    if (had) $(`${OWN}[tabindex="0"]`, this)?.focus();
  }

  chips() {
    const layer = $(".chips", this);
    if (!layer) return;
    const stacks = [];
    for (const spot of $$(".spot", this)) {
      const slots = slotsOf(spot);
      const bets = spot.dataset.bet.split(" ");
      const own = spot.parentNode.classList.contains("own");
      const at = Number(spot.dataset.box);
      const roomy = slots[0].r >= LONG_AMOUNT;
      const letters = spot.dataset.tag === "pill" ? 5 : roomy ? 7 : 6;
      const found = heaps(at, bets, { most: slots.length, named: roomy && (own || slots.length > 1), letters });
      spot.classList.toggle("taken", found.length > 0);
      spot.classList.toggle("sent", found.some((heap) => heap.state === "sent"));
      const came = outcome(at, bets);
      for (const state of ["win", "lose", "faint"]) spot.classList.toggle(state, came.split(" ").includes(state));
      found.forEach((heap, place) => stacks.push(this.stack(spot, slots[place], heap)));
      if (own) $("title", spot).textContent = told(spot.dataset.label, at, bets);
    }
    for (const half of $$(".insurance", this)) {
      const slots = slotsOf(half);
      insured(half.dataset.bet.split("-")[0]).forEach((heap, place) =>
        stacks.push(this.stack(half, slots[slots.length - 1 - place], heap)),
      );
    }
    stacks.sort((a, b) => a.y - b.y);
    layer.replaceChildren(...stacks.map((one) => one.element));
    if (this.over?.classList.contains("taken")) $(".ghost", this)?.remove();
  }

  stack(spot, slot, heap) {
    const { turn, tag } = spot.dataset;
    return { y: slot.y, element: stack(slot, { ...heap, turn: tag === "pill" ? turn : 0, tag }) };
  }

  /** The chip in hand, faintly, over a spot that would take it and has none of mine yet. */
  ghost(spot) {
    if (spot === this.over) return;
    this.over = spot;
    $(".ghost", this)?.remove();
    if (!spot || spot.classList.contains("taken") || spot.classList.contains("closed")) return;
    const slot = slotsOf(spot)[0];
    const label = { who: "", amount: money(held()) };
    const chip = stack(slot, { cents: held(), label, own: false, tag: spot.dataset.tag });
    chip.classList.add("ghost");
    $(".centre", this).append(chip);
  }

  states() {
    for (const spot of $$(OWN, this)) {
      const may = open(spot.dataset.bet, Number(spot.dataset.box));
      spot.classList.toggle("closed", !may);
      spot.setAttribute("aria-disabled", String(!may));
    }
    const offered = new Set(table.seen.offers.map((offer) => `${offer.hand}-insurance`));
    for (const half of $$(".insurance", this)) half.classList.toggle("open", offered.has(half.dataset.bet));
  }

  /** Names on the rail; an empty seat that I may take says so. */
  plates() {
    const { seats } = table.seen;
    for (const place of $$("[data-plate]", this)) {
      const at = Number(place.dataset.plate);
      const name = seats[at] ?? "";
      const free = !name && mayTake(at);
      const plate = place.closest(".plate");
      place.textContent = fit(plateWords(at, name, free), Number(place.dataset.room));
      plate.classList.toggle("sit", free);
      plate.classList.toggle("stand", mayStand(at));
      const acts = Boolean(free || mayStand(at) || (table.behind && at === seat()));
      const button = { tabindex: "0", role: "button" };
      for (const [attribute, value] of Object.entries(button)) {
        if (acts) plate.setAttribute(attribute, value);
        else plate.removeAttribute(attribute);
      }
      $("title", plate)?.remove();
      if (acts) plate.prepend(svg("title", {}, plateLabel(at, name, free)));
      $("text", plate).setAttribute("aria-hidden", String(acts)); // the title says it in full
      const position = plate.closest(".position");
      position.classList.toggle("empty", !name && box() !== at);
      position.classList.toggle("acts", acts);
    }
  }

  /** A plate acts, and so does the whole of somebody else's position: a large target. */
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
  if (name === table.me) return [`${t("you")} · ${name}`, t("you")];
  const short = name.replace(/^guest-/, "");
  return at === table.behind ? [t("behind", { name }), name, short] : [name, short];
}

function slotsOf(spot) {
  return spot.dataset.slots.split(" ").map((slot) => {
    const [x, y, r] = slot.split(",").map(Number);
    return { x, y, r };
  });
}

function fit(texts, room) {
  const whole = texts.find((text) => [...text].length <= room);
  return whole ?? `${[...texts.at(-1)].slice(0, Math.max(1, room - 1)).join("")}…`;
}

/** Somebody who is not at the table yet may take any empty seat; the server has the last word. */
export const mayTake = (at) =>
  !table.seen.seats[at] && Boolean(joined() ? option("sit", { box: at }) : !table.me || option("join"));

/** Whether there is anything to do in somebody else's box. */
export const mayStand = (at) =>
  at !== seat() && Boolean(table.seen.seats[at]) && (at === table.behind || option("place", { box: at }) !== undefined);

export function lookAt(at) {
  const wanted = at === seat() || at === table.behind ? null : mayStand(at) ? at : table.behind;
  if (wanted === table.behind) return;
  table.behind = wanted;
  tell("box");
}

/** Sit down: as a guest if need be, with play money if there is none yet. */
export async function takeSeat(at, near = null) {
  if (joined() && rack() > 0) {
    await send({ command: "sit", box: at }, near);
    return;
  }
  try {
    const name = await somebody(table.me);
    await sitDown(table.id, at);
    if (name !== table.me) {
      table.me = name;
      document.querySelector("#account").dispatchEvent(new CustomEvent("person", { detail: name }));
      restart();
    }
  } catch (error) {
    refuse(error, near);
  }
}

export const wide = matchMedia("(min-width: 1100px) and (min-height: 560px)");

customElements.define("table-felt", TableFelt);
