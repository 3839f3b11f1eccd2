// The odds of this shoe: exact, from the cards that everybody has seen, and after each round anew.

import { get, saidOf } from "./api.js";
import { html, svg } from "./dom.js";
import { rankName, RANKS } from "./facts.js";
import { closing } from "./panels.js";
import { book, on, table } from "./state.js";
import { bet, betName, percent, t } from "./words.js";

const FULL = 20; // percent of a stake that fill a bar
const ALIKE = 0.05; // percent: a smaller difference to a fresh shoe is none to speak of

class ShoeOdds extends HTMLElement {
  connectedCallback() {
    on("phase shoe", () => {
      if (!this.hidden && ["betting", "settled", "idle"].includes(table.seen.phase)) this.show();
    });
  }

  async show() {
    const asked = (this.asked = {});
    try {
      const odds = await get(`/api/tables/${table.id}/odds`);
      if (asked === this.asked) this.replaceChildren(...told(odds));
    } catch (error) {
      if (asked === this.asked) this.replaceChildren(...heading(saidOf(error, t("no_answer"))));
    }
  }
}

const heading = (under) => [
  html("header", {}, html("div", {}, html("h2", {}, t("odds_shoe")), html("p", {}, under)), closing()),
];

function told(odds) {
  const { decks, cards_left: left, bets, fresh, ranks } = odds;
  const rows = Object.entries(bets).map(([name, value]) => row(name, value, fresh[name].house_edge_approx));
  return [
    ...heading(t("odds_exact", { cards: 52 * decks - left })),
    html("table", { class: "odds" }, head(), html("tbody", {}, rows)),
    html("h3", {}, t("odds_left", { each: 4 * decks })),
    html("ul", { class: "ranks" }, RANKS.map((rank) => column(rank, ranks[rank], 4 * decks))),
    html("p", { class: "fine" }, `${honest(bets)} ${t("odds_past")} `, counted()),
  ];
}

const head = () => {
  const names = ["odds_bet", "help_chance", "help_edge", "odds_fresh"];
  return html("thead", {}, html("tr", {}, names.map((key) => html("th", { scope: "col" }, t(key)))));
};

function row(name, value, before) {
  const { zh, side } = bet(name);
  const edge = 100 * value.house_edge_approx;
  return html(
    "tr",
    {},
    html("th", { scope: "row" }, html("i", { class: `zh ${side}`, lang: "zh-Hant", "aria-hidden": "true" }, zh), betName(name)),
    html("td", {}, percent(value.win_approx, 2)),
    html("td", { class: "bar" }, bar(edge), html("b", {}, percent(edge / 100, 2))),
    html("td", {}, change(edge - 100 * before)),
  );
}

const figure = (value) => value.toFixed(2).replace("-", "−");

function bar(edge) {
  const width = (54 * Math.min(Math.abs(edge), FULL)) / FULL;
  return svg(
    "svg",
    { viewBox: "0 0 54 6", "aria-hidden": "true", class: edge < 0 ? "for-you" : "" },
    svg("rect", { width, height: 6, rx: 2 }),
  );
}

/** Against a fresh shoe: less edge is good for whoever bets. */
function change(by) {
  const [kind, mark, said] =
    Math.abs(by) < ALIKE ? ["", "=", t("odds_same")] : by < 0 ? ["less", "▼", t("odds_less")] : ["more", "▲", t("odds_more")];
  return html("em", { class: kind }, html("span", { "aria-hidden": "true" }, `${mark} `), html("span", { class: "hidden" }, `${said} `), Math.abs(by).toFixed(2));
}

function column(rank, count, all) {
  const high = (44 * count) / all;
  return html(
    "li",
    {},
    svg("svg", { viewBox: "0 0 26 44", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "bg", width: 26, height: 44, rx: 2 }), svg("rect", { y: 44 - high, width: 26, height: high, rx: 2 })),
    html("b", {}, rankName(rank)),
    html("span", {}, String(count)),
  );
}

/** Whom the bets favour now, also where that flatters nobody. */
function honest(bets) {
  const all = Object.entries(bets).sort(([, one], [, other]) => one.house_edge_approx - other.house_edge_approx);
  const [best, { house_edge: exact, house_edge_approx: edge }] = all[0];
  const said = { bet: betName(best), edge: figure(Math.abs(100 * edge)) };
  if (exact === "0") return t("odds_nobody", said);
  return t(edge > 0 ? "odds_house" : "odds_you", said);
}

const counted = () => {
  const { layout, house } = table.seen;
  const href = `/odds?rulebook=${encodeURIComponent(book())}&layout=${layout}&decks=${house.decks}`;
  return html("a", { class: "cite", href, target: "_blank", rel: "noopener" }, t("odds_how"));
};

customElements.define("shoe-odds", ShoeOdds);
