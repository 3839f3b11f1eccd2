// What a round came to, line by line with its paragraphs; and the rounds before it.

import { get } from "./api.js";
import { $, button, html, icon } from "./dom.js";
import { closing, only } from "./panels.js";
import { on, ownLines, ownNet, rack, table } from "./state.js";
import { citations } from "./tellers.js";
import { bet, betName, hand as handName, money, odds, signed, t } from "./words.js";

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
    html(
      "header",
      {},
      html(
        "div",
        {},
        html("span", { class: "eyebrow" }, t("statement_of", { round: round.round })),
        html("h2", {}, lines.length ? headline(net) : outcomeLine(round)),
      ),
      html(
        "div",
        { class: "acts" },
        button("quiet", () => $("round-history").toggle(), {}, icon("list"), t("history")),
        round.shoe && table.seen.house.dealer === "automatic" && shoeLink(round.shoe),
        closing(close),
      ),
    ),
    lines.length ? html("div", { class: "scroll" }, lineTable(lines, net, staked)) : html("p", { class: "muted" }, t("no_bets")),
    now && lines.length ? flow(net, staked) : null,
    irregular(round),
  ].filter(Boolean);
}

function shoeLink(number) {
  const href = `/tables/${table.id}/shoes/${number}`;
  return html("a", { class: "btn quiet", href, target: "_blank", title: t("check_shoe") }, icon("check"), t("shoe"));
}

const headline = (net) => {
  const key = net > 0 ? "up" : net < 0 ? "down" : "even";
  const [before, after] = t(`you_are_${key}`).split("{amount}");
  return [before, after !== undefined && html("span", { class: net > 0 ? "up" : "" }, money(Math.abs(net))), after ?? ""];
};

const outcomeLine = ({ settlement: { outcome, player, banker } }) =>
  `${handNameOf(outcome)} · ${handName("player")} ${player}, ${handName("banker")} ${banker}`;
const handNameOf = (outcome) => (outcome === "tie" ? betName("tie") : handName(outcome));

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
