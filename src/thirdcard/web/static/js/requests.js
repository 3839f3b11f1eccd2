// What a player may ask of the House before cards come: to squeeze them, to pass them on, and what else the rules know.

import { button } from "./dom.js";
import { send } from "./play.js";
import { mine, on, options, table } from "./state.js";
import { hand as handName, t } from "./words.js";

/** Asking for the cards before they come. The rules let me ask for a moment only, so a wish can be left here. */
class SqueezeRequests extends HTMLElement {
  connectedCallback() {
    this.wish = false;
    on("options phase stakes house", () => this.show());
  }

  show() {
    const most = options("request-squeeze").sort((a, b) => b.command.cards.length - a.command.cards.length)[0];
    if (most && this.wish) {
      this.wish = false;
      send(most.command);
    }
    const held = table.seen.cards.some((card) => card.held_by === table.me && table.me);
    const passes = held ? [] : options("refuse-cards");
    this.replaceChildren(
      ...(this.canWish(most) ? [this.wishButton()] : []),
      ...passes.map(passButton),
      ...REQUESTS.flatMap(([name, words]) => options(name).map(({ command }) => request(command, words))),
    );
  }

  canWish(offered) {
    const { phase, house } = table.seen;
    return offered || (house.face_down && phase === "betting" && mine().length > 0);
  }

  wishButton() {
    const toggle = () => {
      this.wish = !this.wish;
      this.show();
    };
    const pressed = { "aria-pressed": String(this.wish) };
    return button("quiet", toggle, pressed, t(this.wish ? "squeeze_asked" : "ask_squeeze"));
  }
}

// What else a player may ask of the House.
const REQUESTS = [
  ["request-banker-third-first", "ask_third_first"],
  ["request-no-insurance", "ask_no_insurance"],
];
const request = (command, words) => button("quiet", () => send(command), {}, t(words));

const passButton = ({ command }) =>
  button("quiet", () => send(command), {}, t("pass_hand", { hand: handName(command.hand) }));

customElements.define("squeeze-requests", SqueezeRequests);
