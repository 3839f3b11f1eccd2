// A round that is held up: what happened, by which paragraphs, and the choice that is mine.

import { button, html, icon } from "./dom.js";
import { send } from "./play.js";
import { on, options, table } from "./state.js";
import { citations } from "./tellers.js";
import { own, t } from "./words.js";

class HeldUp extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    this.setAttribute("role", "alert");
    on("held_up amendment options phase", () => this.show());
  }

  show() {
    const { held_up: held, amendment } = table.seen;
    const choices = options("choose").filter((one) => !one.command.player);
    const key = JSON.stringify([held, amendment, choices]);
    if (key === this.shown) return;
    this.shown = key;
    this.hidden = !held && !amendment;
    if (!held) {
      if (amendment) this.replaceChildren(icon("alert"), html("div", {}, html("b", {}, t("record_checked"))));
      return;
    }
    this.replaceChildren(
      icon("alert"),
      html(
        "div",
        {},
        html("b", {}, t("held_up")),
        html("span", {}, own("cases", held.case, held.title)),
        citations(held.rules),
      ),
      choices.length
        ? html("div", { class: "acts" }, choices.map(choice))
        : html("span", { class: "muted" }, t(awaited(held))),
    );
  }
}

const awaited = (held) => (Object.values(held.choices).includes("") ? "others_choose" : "ruling_awaited");

const choice = ({ command }) =>
  button(
    "",
    (event) => send(command, event.currentTarget),
    {},
    t(command.choice === "continue" ? "go_on" : "take_back_open"),
  );

customElements.define("held-up", HeldUp);
