// How the bets work: every bet of the layout in a line, each with its help one step away.

import { $, $$, button, html } from "./dom.js";
import { edge, explain, lessons } from "./help.js";
import { closing } from "./panels.js";
import { table } from "./state.js";
import { bet, t } from "./words.js";

class BetsHelp extends HTMLElement {
  async show() {
    const told = await lessons();
    this.replaceChildren(
      html("header", {}, html("h2", {}, t("bets_title")), closing()),
      html("p", { class: "fine" }, t("bets_lead")),
      html("ul", { class: "lines" }, Object.entries(told).map(line)),
      html("p", { class: "fine" }, t("help_fresh", { decks: table.seen.house.decks }), " ", html("a", { class: "cite", href: this.dataset.rules, target: "_blank", rel: "noopener" }, t("bets_rules"))),
    );
    $("h2 + button", this)?.focus();
  }
}

function line([name, told]) {
  const { zh, side } = bet(name);
  const wins = told.offers ? t("help_insurance") : `${t("help_wins")} ${told.tiers[0].when}`;
  const figures = told.offers ? "" : `${paid(told.tiers)} · ${t("help_edge")} ${edge(told.edge)}`;
  return html(
    "li",
    {},
    button(
      "quiet",
      () => spotOf(name) && explain(spotOf(name)),
      { disabled: !spotOf(name) },
      html("i", { class: `zh ${side}`, lang: "zh-Hant", "aria-hidden": "true" }, zh),
      html("span", {}, html("b", {}, told.name), html("small", {}, wins), figures && html("small", { class: "paid" }, figures)),
    ),
  );
}

const paid = (tiers) => [...new Set(tiers.map((tier) => tier.pays))].join(", ");

/** The spot of a bet that is on the screen: one's own if there is one. */
function spotOf(name) {
  const found = $$(`.own [data-bet="${name}"], .pspot[data-bet="${name}"], table-felt [data-bet="${name}"]`);
  return found.find((one) => one.getClientRects().length > 0) ?? null;
}

customElements.define("bets-help", BetsHelp);
