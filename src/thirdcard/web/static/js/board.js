// The display board: the same stream as the table, shown large and to nobody in particular.

import { $, $$ } from "./dom.js";
import { watchRoads } from "./roads.js";
import { follow } from "./socket.js";
import { on, table } from "./state.js";
import { announce, show } from "./tellers.js";
import { t } from "./words.js";

class TableClock extends HTMLElement {
  connectedCallback() {
    setInterval(() => this.tick(), 200);
  }

  tick() {
    const { timer } = table;
    const left = timer ? Math.max(0, timer.until - performance.now()) : 0;
    const length = 2 * Math.PI * 40;
    this.classList.toggle("idle", !timer);
    this.classList.toggle("urgent", Boolean(timer) && left <= 5000);
    $("text", this).textContent = timer ? String(Math.ceil(left / 1000)) : "";
    $(".fg", this).setAttribute("stroke-dasharray", `${timer ? (length * left) / timer.ms : 0} ${length}`);
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
  const found = {
    banker: beads.filter((bead) => bead.winner === "banker").length,
    player: beads.filter((bead) => bead.winner === "player").length,
    tie: beads.filter((bead) => bead.winner === "tie").length,
    "banker-pair": beads.filter((bead) => bead.banker_pair).length,
    "player-pair": beads.filter((bead) => bead.player_pair).length,
  };
  for (const place of $$("[data-count]")) place.textContent = found[place.dataset.count];
}

function offers() {
  const open = new Set(table.seen.offers.map((offer) => offer.hand));
  for (const place of $$(".facts [data-hand]")) place.classList.toggle("open", open.has(place.dataset.hand));
}

function standing() {
  const { phase, settlement, offers: open } = table.seen;
  if ($(".says").textContent.trim()) return;
  if (phase === "betting") show({ key: "place-your-bets", facts: {} });
  else if (phase === "settled" && settlement) show({ key: "result", facts: settlement });
  else if (open.length) show({ key: "insurance-offered", facts: open[0] });
  else if (phase === "dealing") show({ key: "no-more-bets" });
}

on("shoe round cards_left", numbers);
on("roads", counts);
on("offers", offers);
on("phase", standing);
on("link", () => {
  $("#lost").hidden = table.link === "open";
  $("#lost").textContent = table.link === "open" ? "" : t("lost");
});
watchRoads($("#roads"), `/tables/${table.id}/board/roads`);
follow(announce);
