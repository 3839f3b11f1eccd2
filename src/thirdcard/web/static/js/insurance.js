// Insurance on offer: what it pays, what I may stake, how likely it is to be needed, and the time to answer.

import { get } from "./api.js";
import { $, $$, button, html, icon } from "./dom.js";
import { only } from "./panels.js";
import { send } from "./play.js";
import { on, option, options, purchases, table, tell } from "./state.js";
import { citations } from "./tellers.js";
import { hand as handName, money, odds, signed, t } from "./words.js";

const QUICK = [0.25, 0.5, 0.75, 1];

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
      return;
    }
    const first = this.hidden;
    this.draw(found);
    only(this);
    if (first) this.ask();
  }

  /** The honest odds come from the server, a moment later. */
  async ask() {
    try {
      this.chances = await get(`/tables/${table.id}/offers.json`);
    } catch {
      this.chances = null;
    }
    if (!this.hidden) this.draw(open());
  }

  draw(found) {
    const { player, banker } = table.seen.points;
    const hands = [...new Set(found.map((one) => handName(one.command.hand)))].join(" / ");
    const focus = $(":focus")?.dataset.keep;
    this.replaceChildren(
      html(
        "header",
        {},
        html("span", { class: "shield" }, icon("shield")),
        html(
          "div",
          {},
          html("h2", { id: "insure-title" }, t("insure_title", { hand: hands })),
          html("p", {}, t("insure_points", { player, banker }), " ", t("silence_declines")),
        ),
      ),
      ...found.map((one) => this.offer(one)),
    );
    if (focus) $(`[data-keep="${focus}"]`, this)?.focus();
  }

  offer(one) {
    const { hand, box, window = 0 } = one.command;
    const key = `${box}/${hand}/${window}`;
    const offer = offerOf(one.command);
    const bet = table.seen.stakes.find((stake) => stake.player === table.me && stake.box === box && stake.bet === hand);
    const cents = Math.min(this.amounts.get(key) ?? onStep(one, one.most / 2), one.most);
    const set = (amount) => {
      this.amounts.set(key, amount);
      this.draw(open());
    };
    return html(
      "section",
      { class: "offer", "data-cents": cents, "data-box": box, "data-hand": hand },
      html(
        "dl",
        {},
        pair(t("pays"), odds(offer?.odds ?? "")),
        pair(t("your_bet"), bet ? money(bet.cents) : "—"),
        pair(t("most"), money(one.most)),
      ),
      html(
        "div",
        { class: "stakes", role: "group", "aria-label": t("amount") },
        quick(one, cents, key, set),
        other(one, cents, key, set),
      ),
      this.table(one, offer, cents),
      html(
        "div",
        { class: "go" },
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
        citations(offer?.rules ?? []),
      ),
    );
  }

  /** What may come of it: chances of a fresh shoe less the cards on the table. */
  table(one, offer, cents) {
    const { hand } = one.command;
    const chance = this.chances?.find((other) => other.hand === hand && other.window === offer?.window);
    if (!chance || !offer) return null;
    const [a, b] = offer.odds.split(" to ").map(Number);
    const cell = (text, kind = "") => html("td", { class: `r ${kind}` }, text);
    const row = (label, share, net) =>
      html("tr", {}, html("td", {}, label), cell(`${share.toFixed(1)}%`), cell(signed(net), net > 0 ? "up" : ""));
    const head = (key, kind = "r") => html("th", { class: kind }, t(key));
    return html(
      "table",
      { class: "what" },
      html("thead", {}, html("tr", {}, head("insurance", ""), head("chance"), head("net"))),
      html(
        "tbody",
        {},
        row(t("insurance_win"), chance.win, Math.floor((cents * a) / b)),
        chance.push > 0 ? row(t("insurance_push"), chance.push, 0) : null,
        row(t("insurance_lose"), chance.lose, -cents),
      ),
      html("caption", {}, t("offer_edge", { edge: chance.edge.toFixed(2), decks: table.seen.house.decks })),
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
const pair = (label, value) => html("div", {}, html("dt", { class: "eyebrow" }, label), html("dd", {}, value));

function quick(one, cents, key, set) {
  const amounts = [...new Set(QUICK.map((share) => onStep(one, one.most * share)))];
  return amounts.map((amount, place) =>
    button(
      amount === cents ? "on" : "",
      () => set(amount),
      { "aria-pressed": String(amount === cents), "data-keep": `${key}/${place}` },
      amount === one.most ? t("all", { amount: money(amount) }) : money(amount),
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
