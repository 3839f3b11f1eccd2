// What one adds to the next shoe, so that nobody else chooses the order of its cards.

import { ask, newKey } from "./api.js";
import { $, button, html } from "./dom.js";
import { closing, only } from "./panels.js";
import { on, seat, table } from "./state.js";
import { attempt } from "./tellers.js";
import { t } from "./words.js";

const LONGEST = 64;

class ShoeSeeds extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    this.setAttribute("role", "region");
    this.heading = html("h2", {});
    this.facts = html("dl", { class: "seeds" });
    this.field = html("input", { name: "seed", maxlength: LONGEST, autocomplete: "off", spellcheck: "false", required: true });
    this.adds = html("button", { type: "submit", class: "btn primary" }, t("seed_add"));
    this.form = html(
      "form",
      { class: "go", onsubmit: (event) => this.add(event) },
      html("label", { class: "field" }, html("span", { class: "eyebrow" }, t("seed_yours")), this.field),
      this.adds,
    );
    const close = closing(() => this.close());
    this.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    this.append(
      html("header", {}, this.heading, html("span", { class: "acts" }, close)),
      html("p", { class: "muted" }, t("seed_more")),
      this.facts,
      this.form,
    );
    on("house seats", () => this.show());
  }

  /** The page suggests something that nobody can guess; any other text will do. */
  toggle() {
    if (!this.hidden) {
      this.close();
      return;
    }
    this.field.value = newKey();
    this.show();
    only(this);
    this.field.focus();
  }

  close() {
    this.hidden = true;
    $("table-self .seed")?.focus();
  }

  show() {
    const { coming } = table.seen.house;
    if (!coming || !seat()) {
      this.hidden = true;
      return;
    }
    const title = t("seed_for", { shoe: coming.number });
    this.setAttribute("aria-label", title);
    this.heading.textContent = title;
    const seeds = coming.seeds.map(({ player, seed }) => html("div", {}, `${player}: `, html("code", {}, seed)));
    this.facts.replaceChildren(
      html("dt", {}, t("promise")),
      html("dd", {}, html("code", {}, coming.commitment)),
      html("dt", {}, t("seeds")),
      html("dd", {}, ...(seeds.length ? seeds : ["—"])),
    );
    this.adds.textContent = t(added() ? "seed_replace" : "seed_add");
  }

  async add(event) {
    event.preventDefault();
    this.adds.disabled = true;
    await attempt(() => ask("POST", `/api/tables/${table.id}/seeds`, { seed: this.field.value }), this.adds);
    this.adds.disabled = false;
  }
}

/** Whether I have added one to the next shoe. */
const added = () => table.seen.house.coming?.seeds.some(({ player }) => player === table.me) ?? false;

/** What opens it, for whoever has a seat; none while no shoe takes seeds. */
export function seedButton() {
  const { coming } = table.seen.house;
  if (!coming || !seat()) return null;
  const label = t("seed_for", { shoe: coming.number });
  return button("quiet seed", () => $("shoe-seeds").toggle(), {}, label, added() && " ✓");
}

customElements.define("shoe-seeds", ShoeSeeds);
