// The wallet in the top bar: what somebody has in all and where, today's play money, and the way to their own pages.
// A page has `<player-purse data-name="…">`; whoever changes the money says so by `refreshPurse`.

import { ask, get } from "./api.js";
import { $$, button, html, icon } from "./dom.js";
import { money, phrase } from "./words.js";

class PlayerPurse extends HTMLElement {
  connectedCallback() {
    this.refresh();
  }

  async refresh() {
    try {
      this.show(await get("/api/me/wallet"));
    } catch {
      return; // the way to one's own page is there without it
    }
  }

  /** @param {WalletView} wallet */
  show(wallet) {
    const daily = phrase("account_daily", { amount: money(wallet.refill) });
    const name = this.dataset.name;
    this.replaceChildren(
      ...(wallet.refill_at ? [] : [button("daily", () => this.take(), {}, icon("gift"), html("span", {}, daily))]),
      html(
        "details",
        { class: "wallet" },
        html(
          "summary",
          { class: "purse" },
          icon("wallet"),
          html("b", {}, money(wallet.total)),
          html("span", { class: "hidden" }, phrase("account_purse", { name })),
          html("span", { class: "avatar", "aria-hidden": "true" }, name.slice(0, 1).toUpperCase()),
        ),
        menu(wallet),
      ),
    );
  }

  async take() {
    try {
      this.show(await ask("POST", "/api/me/wallet/daily"));
      this.dispatchEvent(new CustomEvent("refilled", { bubbles: true }));
    } catch {
      this.refresh();
    }
  }
}

/** @param {WalletView} wallet */
function menu({ cents, total }) {
  const places = { "/account": "account_title", "/account#played-title": "account_my_rounds", "/limits": "own_title", "/sign-in": "account_doors" };
  const rows = Object.entries(places).map(([href, key]) => html("li", {}, html("a", { href }, phrase(key))));
  const held = phrase("account_of", { wallet: money(cents), racks: money(total - cents) });
  return html("div", { class: "wallet-menu" }, html("p", {}, held), html("ul", {}, rows));
}

/** An open menu goes when something else is meant. */
function shut(event) {
  if (event.type === "keydown" && event.key !== "Escape") return;
  for (const open of $$("player-purse details[open]")) {
    if (event.type === "click" && open.contains(event.target)) continue;
    open.open = false;
    if (event.type === "keydown") open.querySelector("summary").focus();
  }
}
for (const name of ["click", "keydown"]) document.addEventListener(name, shut);

customElements.define("player-purse", PlayerPurse);

/** The money has moved. */
export const refreshPurse = () => $$("player-purse").forEach((one) => one.refresh());
