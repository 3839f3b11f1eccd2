// The display board: the same stream as the table, shown large and to nobody in particular.

import { $, $$, countDown } from "./dom.js";
import { saying, sentence, watchLimits } from "./placards.js";
import { watchRoads } from "./roads.js";
import { follow } from "./socket.js";
import { on, table } from "./state.js";
import { announce, show, showStanding } from "./tellers.js";
import { tellInOrder } from "./telling.js";
import { t } from "./words.js";

class TableClock extends HTMLElement {
  connectedCallback() {
    setInterval(() => this.tick(), 200);
  }

  tick() {
    const { timer } = table;
    const left = countDown(this, timer, 40);
    this.classList.toggle("idle", !timer);
    this.classList.toggle("urgent", Boolean(timer) && left <= 5000);
    $("text", this).textContent = timer ? String(Math.ceil(left / 1000)) : "";
  }
}
customElements.define("table-clock", TableClock);

function numbers() {
  const { shoe, round, cards_left: left } = table.seen;
  for (const [name, value] of Object.entries({ shoe, round, left })) {
    for (const place of $$(`[data-show="${name}"]`)) place.textContent = value ?? "—";
  }
}

function counts() {
  const beads = table.seen.roads.bead_plate;
  for (const place of $$("[data-count]")) {
    place.textContent = beads.filter((bead) => bead.winner === place.dataset.count).length;
  }
}

function hits() {
  for (const place of $$("[data-hits]")) place.textContent = table.seen.house.hits[place.dataset.hits] ?? 0;
}

function offers() {
  const open = new Set(table.seen.offers.map((offer) => offer.hand));
  for (const place of $$(".facts [data-hand]")) place.classList.toggle("open", open.has(place.dataset.hand));
}

/** What stands in the header: a sentence of the house before anything that the dealer says. */
let shown = null;
function standing() {
  const key = saying();
  const place = $(".says");
  if (key) {
    const [own, beside] = sentence(key);
    show({ sentence: own, beside });
  } else if (shown) place.replaceChildren();
  shown = key;
  $(".board").classList.toggle("told", Boolean(key));
  showStanding();
}

on("shoe round cards_left", numbers);
on("roads", counts);
on("offers", offers);
on("house", hits);
on("phase house", standing);
watchLimits();
on("link", () => {
  $("#lost").hidden = table.link === "open";
  $("#lost").textContent = table.link === "open" ? "" : t("lost");
});
watchRoads($("#roads"), `/tables/${table.id}/board/roads`);
follow((said) => {
  if (!saying()) announce(said);
}, tellInOrder);
