// What a round came to for me, and the way to its statement; there until I bet again.

import { button, html } from "./dom.js";
import { toggle } from "./panels.js";
import { mine, on, ownNet, table } from "./state.js";
import { bet, outcome, signed, t } from "./words.js";

class RoundNet extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "status");
    on("last phase stakes round", () => this.show());
  }

  show() {
    const { last, seen } = table;
    const over = last && (last.round === seen.round || (seen.phase === "betting" && !mine().length));
    const net = over ? ownNet(last) : null;
    this.hidden = net === null;
    if (this.hidden) return;
    const { settlement } = last;
    const came = html("span", { class: `badge ${settlement.outcome}`, "aria-hidden": "true" }, bet(settlement.outcome).zh);
    const told = t("result", { ...settlement, outcome: outcome(settlement.outcome) });
    this.replaceChildren(
      came,
      html("div", {}, html("b", { class: net > 0 ? "up" : "" }, signed(net)), html("span", {}, told), html("small", {}, t("this_round"))),
      button("", () => toggle("round-statement"), { "aria-keyshortcuts": "S" }, t("to_statement"), html("kbd", {}, "S")),
    );
  }
}

customElements.define("round-net", RoundNet);
