// What I may ask of the House and say to it: to squeeze, that I am ready; and, of a round that is held up, what
// happened, by which paragraphs, and the choice that is mine.

import { ask } from "./api.js";
import { button, html, icon } from "./dom.js";
import { saying, sentence } from "./placards.js";
import { send } from "./play.js";
import { mine, on, options, table, tell } from "./state.js";
import { attempt, citations } from "./tellers.js";
import { hand as handName, otherLang, own, t } from "./words.js";

// What a player may ask of the House before cards come: to squeeze them, to pass them on, and what else the rules know.

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

// Ready: who has bet gives the rest of the time away. A dot for each who bet; the dealer goes on when all are filled.

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
  await attempt(() => ask("POST", `/api/tables/${table.id}/ready`, { ready: !isReady() }), near);
  asking = false;
  tell("ready");
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
