// What the house says to the table; of a round that is held up what happened, by which paragraphs, and the choice
// that is mine.

import { button, html, icon } from "./dom.js";
import { saying, sentence } from "./placards.js";
import { send } from "./play.js";
import { on, options, table } from "./state.js";
import { citations } from "./tellers.js";
import { otherLang, own, t } from "./words.js";

class HeldUp extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    this.setAttribute("role", "alert");
    on("held_up amendment options phase house", () => this.show());
  }

  show() {
    const { held_up: held } = table.seen;
    const choices = options("choose").filter((one) => !one.command.player);
    const said = saying();
    const key = JSON.stringify([held, said, choices]);
    if (key === this.shown) return;
    this.shown = key;
    this.hidden = !held && !said;
    if (this.hidden) return;
    const [first, other] = sentence(said || "moment");
    this.replaceChildren(
      icon("alert"),
      html(
        "div",
        {},
        html("b", {}, first),
        html("span", { lang: otherLang }, other),
        held && html("small", {}, own("cases", held.case, held.title), citations(held.rules)),
      ),
      !held ? "" : choices.length
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
