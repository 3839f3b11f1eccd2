// Insurance on offer: what it pays, what I may stake, how likely it is to be needed, and the time to answer.

import { get } from "./api.js";
import { $, $$, button, html, icon } from "./dom.js";
import { makeWay } from "./panels.js";
import { send } from "./play.js";
import { on, option, options, purchases, table, tell } from "./state.js";
import { citations } from "./tellers.js";
import { hand as handName, money, odds, percent, signed, t } from "./words.js";

const QUICK = [0.25, 0.5, 0.75, 1];
const SHARES = ["¼", "½", "¾", ""];

class InsurancePrompt extends HTMLElement {
  connectedCallback() {
    this.amounts = new Map();
    this.hidden = true;
    this.setAttribute("role", "dialog");
    this.setAttribute("aria-labelledby", "insure-title");
    on("options offers phase bought purchases", () => this.show());
  }

  show() {
    const found = table.seen.offers.length ? open() : []; // options come a moment later
    const key = JSON.stringify([found, table.seen.offers, table.seen.points]);
    if (key === this.shown) return;
    this.shown = key;
    if (!found.length) {
      this.hidden = true;
      this.chances = null;
      this.pale();
      return;
    }
    const first = this.hidden;
    this.draw(found);
    this.hidden = false;
    if (!first) return;
    makeWay();
    this.ask();
  }

  /** The honest odds come from the server, a moment later. */
  async ask() {
    try {
      this.chances = await get(`/tables/${table.id}/offers.json`);
    } catch {
      this.chances = null;
    }
    if (this.hidden) return;
    this.pale();
    this.draw(open());
  }

  /** Bets that are lost whatever comes go pale; those that are open do not. */
  pale() {
    table.lost = this.chances?.[0]?.lost ?? [];
    $("#table").classList.toggle("insuring", table.lost.length > 0);
    tell("lost");
  }

  /** One offer at a time: what it is, what to stake on it, what may come of it. */
  draw(found) {
    this.at = Math.min(this.at ?? 0, found.length - 1);
    const focus = $(":focus")?.dataset.keep;
    this.replaceChildren(this.offer(found[this.at], found.length));
    if (focus) $(`[data-keep="${focus}"]`, this)?.focus();
  }

  offer(one, count) {
    const { hand, box, window = 0 } = one.command;
    const { player, banker } = table.seen.points;
    const key = `${box}/${hand}/${window}`;
    const offer = offerOf(one.command);
    const cents = Math.min(this.amounts.get(key) ?? onStep(one, one.most / 2), one.most);
    const set = (amount) => {
      this.amounts.set(key, amount);
      this.draw(open());
    };
    return html(
      "section",
      { class: "offer", "data-cents": cents, "data-box": box, "data-hand": hand },
      html(
        "header",
        {},
        html("span", { class: "shield" }, icon("shield")),
        html(
          "div",
          {},
          html("h2", { id: "insure-title" }, t("insure_title", { hand: handName(hand) })),
          html("p", {}, t("insure_points", { player, banker }), " ", t("silence_declines")),
        ),
        count > 1 && button("quiet", () => this.turn(), { "data-keep": "turn" }, t("box", { box }), ` ${this.at + 1}/${count} ›`),
        html("p", { class: "pays" }, html("b", {}, odds(offer?.odds ?? "")), html("span", {}, t("pays").toLowerCase())),
      ),
      html(
        "div",
        { class: "stakes", role: "group", "aria-label": t("amount") },
        quick(one, cents, key, set),
        other(one, cents, key, set),
      ),
      html("div", { class: "go" }, this.buttons(one, cents, key)),
      this.outcomes(one, offer, cents),
    );
  }

  buttons(one, cents, key) {
    return [
      button(
        "primary",
        (event) => this.buy(one, cents, event.currentTarget),
        { "data-act": "insure", "data-keep": `${key}/go`, "aria-keyshortcuts": "I" },
        icon("shield"),
        t("insure", { amount: money(cents) }),
        html("kbd", {}, "I"),
      ),
      option("decline") &&
        button(
          "",
          () => this.decline(),
          { "data-act": "decline", "aria-keyshortcuts": "Escape" },
          t("no_insurance"),
          html("kbd", {}, "Esc"),
        ),
    ];
  }

  /** To the next of several offers. */
  turn() {
    const found = open();
    this.at = (this.at + 1) % found.length;
    this.draw(found);
  }

  /** What may come of it: chances of a fresh shoe less the cards on the table. */
  outcomes(one, offer, cents) {
    const { hand } = one.command;
    const rules = citations(offer?.rules ?? []);
    const chance = this.chances?.find((other) => other.hand === hand && other.window === offer?.window);
    if (!chance || !offer) return html("p", { class: "edge" }, rules);
    const [a, b] = offer.odds.split(" to ").map(Number);
    const part = (kind, share) => {
      const bar = html("i", { class: kind });
      bar.style.flexGrow = share;
      return bar;
    };
    const line = (label, share, net) =>
      html("li", {}, label, " ", html("b", {}, percent(share / 100, 1)), " ", html("b", { class: net > 0 ? "up" : "" }, net ? signed(net) : t("insurance_back")));
    const [own, other] = [hand, hand === "player" ? "banker" : "player"].map(handName);
    return html(
      "div",
      { class: "what" },
      html("div", { class: "bar", "aria-hidden": "true" }, part("win", chance.win), part("push", chance.push), part("lose", chance.lose)),
      html(
        "ul",
        {},
        line(t(chance.tie_paid ? "insurance_or_tie" : "insurance_wins", { hand: other }), chance.win, Math.floor((cents * a) / b)),
        chance.push > 0 && line(t("insurance_tie"), chance.push, 0),
        line(t("insurance_wins", { hand: own }), chance.lose, -cents),
      ),
      html("p", { class: "edge" }, t(chance.edge < 0 ? "offer_edge_yours" : "offer_edge_short"), " ", html("b", {}, percent(Math.abs(chance.edge) / 100, 1)), " ", rules),
    );
  }

  async buy(one, cents, near) {
    const { by, ...body } = one.command;
    const { box, hand } = body;
    for (const button of $$("button", this)) button.disabled = true;
    const { window, late } = offerOf(one.command) ?? {};
    const done = await send({ ...body, cents }, near);
    if (done) {
      table.bought = [...table.bought, { player: table.me, box, hand, cents, window, late }];
      tell("bought");
    }
    this.shown = null; // drawn again with the new options
  }

  async decline() {
    await send({ command: "decline" }, this);
    this.shown = null;
  }

  /** By keyboard: the first offer, at the amount that is set. */
  insureFirst() {
    $('[data-act="insure"]', this)?.click();
  }
}

/** Offers that I may take and have not taken in this window. */
const open = () => options("insure").filter(({ command }) => !taken(command));
const taken = (command) => {
  const { window, late } = offerOf(command) ?? {};
  const same = (one) => one.box === command.box && one.hand === command.hand && one.window === window;
  return purchases().some((one) => one.player === table.me && same(one) && !!one.late === !!late);
};
/** The offer that a command takes: the late one if it names a window, else the one that is open by right. */
const offerOf = ({ hand, window }) =>
  table.seen.offers.find((one) => one.hand === hand && (window ? one.late && one.window === window : !one.late)) ??
  table.seen.offers.find((one) => one.hand === hand);

const onStep = ({ command, step }, cents) => Math.max(command.cents, Math.floor(cents / step) * step);
function quick(one, cents, key, set) {
  const amounts = [...new Set(QUICK.map((share) => onStep(one, one.most * share)))];
  return amounts.map((amount, place) =>
    button(
      amount === cents ? "on" : "",
      () => set(amount),
      { "aria-pressed": String(amount === cents), "data-keep": `${key}/${place}` },
      money(amount),
      html("small", {}, amount === one.most ? t("most_of") : SHARES[place]),
    ),
  );
}

function other(one, cents, key, set) {
  return html("input", {
    inputmode: "decimal",
    value: cents / 100,
    "aria-label": t("other"),
    "data-keep": `${key}/other`,
    onchange: (event) => {
      const asked = Math.round(Number(event.target.value) * 100);
      set(Number.isFinite(asked) && asked > 0 ? Math.min(asked, one.most) : cents);
    },
  });
}

customElements.define("insurance-prompt", InsurancePrompt);
