// What a round came to, line by line with its paragraphs; and the rounds before it.

import { get } from "./api.js";
import { $, button, html, icon, svg } from "./dom.js";
import { HANDS } from "./facts.js";
import { closing, only } from "./panels.js";
import { on, ownLines, ownNet, rack, table } from "./state.js";
import { citations } from "./tellers.js";
import { bet, betName, cardName, hand as handName, money, odds, outcome, signed, t } from "./words.js";

const ROUNDS = 30;

class RoundStatement extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", t("statement"));
  }

  toggle() {
    if (!this.hidden) this.hidden = true;
    else if (table.last) this.show(table.last);
    else $("round-history").toggle();
  }

  show(round) {
    this.replaceChildren(...statement(round, () => (this.hidden = true)));
    only(this);
  }
}

/** Winners first, then what came back, then losers; within each the larger stake first. */
const byResult = (a, b) => Math.sign(b.net) - Math.sign(a.net) || b.stake - a.stake;

function statement(round, close) {
  const lines = ownLines(round).sort(byResult);
  const net = lines.reduce((sum, line) => sum + line.net, 0);
  const staked = lines.reduce((sum, line) => sum + line.stake, 0);
  const now = round.round === table.seen.round && table.seen.settlement;
  return [
    html("header", {}, html("span", { class: "eyebrow" }, t("statement_of", { round: round.round })), html("div", { class: "acts" }, closing(close))),
    html("h2", {}, outcomeLine(round)),
    html("div", { class: "dealt" }, HANDS.map((side) => dealt(round, side))),
    lines.length ? html("div", { class: "scroll" }, lineTable(lines, net, staked)) : html("p", { class: "muted" }, t("no_bets")),
    lines.length ? html("p", { class: "net" }, headline(net)) : null,
    now && lines.length ? flow(net, staked) : null,
    irregular(round),
    round.shoe && table.seen.house.dealer === "automatic" && seal(round.shoe),
    html(
      "footer",
      {},
      button("", () => print(), {}, icon("board"), t("print")),
      round.shoe && button("", ({ currentTarget }) => share(round, currentTarget), {}, icon("swap"), t("share")),
      button("quiet", () => $("round-history").toggle(), {}, icon("list"), t("history")),
    ),
  ].filter(Boolean);
}

/** A hand as it lay: its cards and points, the one that won in gold. */
function dealt({ cards, settlement }, side) {
  const lay = cards.filter((card) => card.hand === side);
  const said = `${handName(side)}: ${lay.map((card) => cardName(card.card)).join(", ")}`;
  return html(
    "div",
    { class: `of ${side}${settlement.outcome === side ? " won" : ""}` },
    html("b", {}, handName(side)),
    html("span", { class: "cards", role: "img", "aria-label": said }, lay.map(({ card }) => picture(card))),
    html("em", {}, String(settlement[side])),
  );
}

const picture = (card) =>
  svg("svg", { viewBox: "0 0 100 140", "aria-hidden": "true" }, svg("use", { href: card ? `#small-${card}` : "#card-back", width: 100, height: 140 }));

const proof = (number) => `/tables/${table.id}/shoes/${number}`;

/** That the shoe was fixed before the first bet, and where anybody can check it. */
function seal(number) {
  const link = html("a", { class: "btn", href: proof(number), target: "_blank" }, icon("check"), t("check_shoe"));
  return html("div", { class: "seal" }, icon("lock"), html("span", {}, html("b", {}, t("sealed")), " ", t("sealed_more")), link);
}

/** Cards and result with the way to the proof; neither stakes nor what came of them. */
async function share(round, near) {
  const hands = HANDS.map((side) => `${handName(side)} ${round.cards.filter((card) => card.hand === side).map((card) => card.card ?? "··").join(" ")}`);
  const text = `${outcomeLine(round)} (${hands.join(", ")})`;
  const url = new URL(proof(round.shoe), location.href).href;
  try {
    if (navigator.share) await navigator.share({ text, url });
    else await navigator.clipboard.writeText(`${text} ${url}`);
    near.lastChild.textContent = t("shared");
  } catch {
    return; // whoever thinks better of it
  }
}

const headline = (net) => {
  const key = net > 0 ? "up" : net < 0 ? "down" : "even";
  const [before, after] = t(`you_are_${key}`).split("{amount}");
  return [before, after !== undefined && html("span", { class: net > 0 ? "up" : "" }, money(Math.abs(net))), after ?? ""];
};

const outcomeLine = ({ settlement }) => t("result", { ...settlement, outcome: outcome(settlement.outcome) });

function lineTable(lines, net, staked) {
  const head = ["", t("bet_and_rule"), t("stake"), t("pays"), t("net")];
  return html(
    "table",
    {},
    html("thead", {}, html("tr", {}, head.map((text, place) => html("th", { class: place > 1 ? "r" : "" }, text)))),
    html("tbody", {}, lines.map(row), total(net, staked)),
  );
}

function row(line) {
  const words = bet(line.bet);
  const won = line.net > 0;
  const window = line.window ? `, ${t(`window_${line.window}`)}` : "";
  return html(
    "tr",
    { class: won ? "won" : "" },
    html("td", {}, html("span", { class: `zh ${words.side}`, lang: "zh-Hant" }, words.zh)),
    html("td", {}, `${betName(line.bet)}${window}`, citations(line.rules)),
    html("td", { class: "r" }, money(line.stake)),
    html("td", { class: "r" }, won && line.odds ? odds(line.odds) : t(`came_${line.result}`)),
    html("td", { class: `r net ${won ? "up" : ""}` }, signed(line.net)),
  );
}

const total = (net, staked) =>
  html(
    "tr",
    { class: "total" },
    html("td", {}),
    html("td", {}, t("together")),
    html("td", { class: "r" }, money(staked)),
    html("td", {}),
    html("td", { class: `r net ${net > 0 ? "up" : ""}` }, signed(net)),
  );

function flow(net, staked) {
  const part = (key, text) => html("span", {}, `${t(key)} `, html("b", {}, text));
  return html(
    "p",
    { class: "flow" },
    part("rack_before", money(rack() - net)),
    part("staked_all", money(-staked)),
    part("returned", signed(staked + net)),
    part("rack_now", money(rack())),
  );
}

const irregular = (round) => {
  const found = round.settlement.irregularities ?? [];
  return found.length
    ? html("p", { class: "muted" }, t("irregular"), " ", citations([...new Set(found.flatMap((one) => one.rules))]))
    : null;
};

class RoundHistory extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", t("history"));
    on("settlement round", () => this.hidden || this.show());
  }

  async toggle() {
    if (!this.hidden) {
      this.hidden = true;
      return;
    }
    await this.show();
    only(this);
  }

  /** The rounds as they are now. */
  async show() {
    const rounds = await get(`/api/tables/${table.id}/rounds?limit=${ROUNDS}`);
    this.replaceChildren(
      html(
        "header",
        {},
        html("h2", {}, t("history")),
        html("span", { class: "acts" }, closing(() => (this.hidden = true))),
      ),
      rounds.length ? html("ol", { class: "rounds" }, rounds.map(entry)) : html("p", { class: "muted" }, t("history_none")),
    );
  }
}

function entry(record) {
  const { settlement, number, cards } = record;
  const round = { ...record, round: number };
  const net = settlement ? ownNet(round) : null;
  const shown = (hand) => cards.filter((card) => card.hand === hand).map((card) => card.card ?? "··").join(" ");
  const came = settlement?.outcome ?? "void";
  return html(
    "li",
    {},
    button(
      "quiet",
      () => $("round-statement").show(round),
      { disabled: !settlement },
      html("b", {}, number),
      html("span", { class: `badge ${came}` }, came === "void" ? t("void_mark") : bet(came).zh),
      html("span", { class: "cards" }, `${shown("player")} | ${shown("banker")}`),
      html("span", { class: net > 0 ? "up" : "" }, net === null ? "" : signed(net)),
    ),
  );
}

customElements.define("round-statement", RoundStatement);
customElements.define("round-history", RoundHistory);
