// Ready: who has bet gives the rest of the time away. A dot for each who bet; the dealer goes on when all are filled.

import { ask } from "./api.js";
import { button, html, icon } from "./dom.js";
import { mine, on, table, tell } from "./state.js";
import { refuse } from "./tellers.js";
import { t } from "./words.js";

const MOST_DOTS = 5; // more people are told in figures
const bettors = () => [...new Set(table.seen.stakes.map((stake) => stake.player))].filter((one) => !table.seen.gone.includes(one));
const isReady = () => table.seen.house.ready.includes(table.me);
/** Whether I can say so now. */
const may = () => table.seen.phase === "betting" && !table.seen.held_up && table.seen.house.dealer === "automatic" && mine().length > 0;

let asking = false;

/** Say it, or take it back. */
export async function sayReady(near = null) {
  if (!may() || asking) return;
  asking = true;
  try {
    await ask("POST", `/api/tables/${table.id}/ready`, { ready: !isReady() });
  } catch (error) {
    refuse(error, near);
  } finally {
    asking = false;
    tell("ready");
  }
}

class ReadyButton extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    this.dots = html("span", { class: "dots", "aria-hidden": "true" });
    this.label = html("span", { class: "words" });
    this.button = button(
      "primary",
      () => sayReady(this),
      { "aria-keyshortcuts": "Space", "data-act": "ready" },
      icon("check"),
      this.label,
      this.dots,
      html("kbd", {}, t("space_key")),
    );
    this.append(this.button);
    on("stakes house phase held_up gone ready", () => this.show());
  }

  show() {
    this.hidden = !may();
    if (this.hidden) return;
    const who = bettors();
    const { ready } = table.seen.house;
    const count = who.filter((one) => ready.includes(one)).length;
    this.label.replaceChildren(
      html("span", { class: "long" }, t(isReady() ? "ready_waits" : "ready")),
      html("span", { class: "brief", "aria-hidden": "true" }, t("ready_short")),
    );
    this.button.setAttribute("aria-pressed", String(isReady()));
    this.button.title = t("ready_count", { ready: count, all: who.length });
    const dots = who.map((one) => html("i", { class: ready.includes(one) ? "on" : "" }));
    this.dots.replaceChildren(...(who.length > MOST_DOTS ? [`${count}/${who.length}`] : dots));
  }
}

customElements.define("ready-button", ReadyButton);
