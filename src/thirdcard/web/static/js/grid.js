// The same on narrow screens: one's own spots as large buttons, the positions as a strip with their totals.

import { pile } from "./chips.js";
import { $, $$, html, named } from "./dom.js";
import { betting, heaps, outcome, told, total } from "./heaps.js";
import { open } from "./play.js";
import { rove } from "./roving.js";
import { lookAt, mayMove, mayStand, mayTake, takeSeat } from "./seats.js";
import { wide } from "./stage.js";
import { box, on, seat, shownAs, table } from "./state.js";
import { money, shortMoney, t } from "./words.js";

const SPOT = ".pspot";

class TableGrid extends HTMLElement {
  connectedCallback() {
    for (const spot of $$(SPOT, this)) spot.dataset.label = spot.querySelector(".name").textContent;
    betting(this, SPOT);
    rove(this, SPOT);
    on("stakes sent settlement seats box phase", () => wide.matches || this.chips());
    on("options phase box lost", () => wide.matches || this.states());
    wide.addEventListener("change", () => this.fill());
  }

  /** On wide screens nobody sees it, and it waits until somebody does. */
  fill() {
    if (wide.matches || !table.seen) return;
    this.chips();
    this.states();
  }

  chips() {
    const at = box();
    for (const spot of $$(SPOT, this)) {
      const bets = [spot.dataset.bet];
      spot.dataset.box = at ?? "";
      const large = spot.classList.contains("main");
      const found = at ? heaps(at, bets, { most: large ? 2 : 1, named: large || at !== seat(), letters: large ? 7 : 6 }) : [];
      spot.querySelector(".pc").replaceChildren(...found.map(pile));
      spot.classList.toggle("taken", found.length > 0);
      spot.classList.toggle("sent", found.some((heap) => heap.state === "sent"));
      const came = at ? outcome(at, bets).split(" ") : [];
      for (const state of ["win", "lose", "faint"]) spot.classList.toggle(state, came.includes(state));
      spot.querySelector(".name").textContent = at ? told(spot.dataset.label, at, bets) : spot.dataset.label;
    }
  }

  states() {
    for (const spot of $$(SPOT, this)) {
      const may = open(spot.dataset.bet);
      spot.classList.toggle("closed", !may);
      spot.classList.toggle("lost", table.lost.includes(spot.dataset.bet));
      spot.setAttribute("aria-disabled", String(!may));
    }
  }
}

class TableSeats extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const at = Number(button.dataset.at);
      if (button.classList.contains("empty")) takeSeat(at, button);
      else lookAt(at);
    });
    on("positions seats stakes box options menu", () => this.show());
    wide.addEventListener("change", () => table.seen && this.show());
  }

  show() {
    const menu = this.closest("dialog");
    if (menu ? !menu.open : wide.matches) return; // nobody sees it
    const boxes = Array.from({ length: table.seen.positions }, (_, place) => place + 1);
    this.replaceChildren(...boxes.map((at) => this.button(at)));
    const mine = $('[aria-pressed="true"]', this);
    if (!mine || box() === this.middle) return;
    this.middle = box(); // of so many boxes that they are swept, one's own comes into the middle
    this.scrollLeft = mine.offsetLeft - (this.clientWidth - mine.offsetWidth) / 2;
  }

  button(at) {
    const name = table.seen.seats[at] && shownAs(table.seen.seats[at]);
    const free = !name && mayTake(at);
    const later = !name && mayMove(at);
    const sum = total(at);
    const own = at === seat();
    const words = own ? t("you") : free ? t("sit") : sum ? shortMoney(sum, 6) : name ? "—" : "";
    const label = [t("box", { box: at }), name ?? (free ? t("sit_here") : later && t("sit_later", { box: at })), sum && money(sum)].filter(Boolean).join(", ");
    return html(
      "button",
      {
        type: "button",
        class: `${own ? "me " : ""}${free ? "free " : ""}${name ? "" : "empty "}${at === box() ? "at" : ""}`,
        "data-at": at,
        "aria-pressed": String(at === box()),
        disabled: !free && !later && !own && !mayStand(at) && "disabled",
      },
      named(label, html("b", {}, String(at)), words),
    );
  }
}

customElements.define("table-grid", TableGrid);
customElements.define("table-seats", TableSeats);
