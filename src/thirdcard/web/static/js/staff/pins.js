// Somebody else confirms at this desk: a name, and a PIN of their own.

import { ask, get } from "../api.js";
import { $ } from "../dom.js";
import { html, node } from "../draw.js";
import { book, table } from "../state.js";
import { pinField } from "./parts.js";
import { attempt, field, select, t } from "./say.js";
import { redraw } from "./steps.js";

let floor = null; // everybody of the floor, once it was asked

/** A form for one of those whom `may` lets; it stays as it is while what it is for does. */
export class Confirmer {
  /** @param {(person: { name: string, title: string }) => boolean} may */
  constructor(label, may) {
    this.choice = select([["", t("pin_person")]], { name: "person", required: true });
    this.form = node(html`<form class="pin">${field(label, this.choice)}${pinField(t("pin_own"))}</form>`);
    this.form.addEventListener("input", redraw);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.#offer(may);
  }

  async #offer(may) {
    await attempt(async () => {
      floor ??= await get(`/api/tables/${table.id}/staff`);
    }, book());
    const said = (one) => t(one.pin ? "pin_rank" : "pin_none", { name: one.name, rank: one.title });
    const option = (one) => node(html`<option value=${one.name} ?disabled=${!one.pin}>${said(one)}</option>`);
    const listed = (floor ?? []).filter(may).map(option);
    this.choice.append(...listed);
  }

  filled() {
    return this.form.checkValidity();
  }

  /** Carry a command out as the one who was chosen; the PIN is forgotten whatever comes of it. */
  async confirm(command) {
    const { value: person } = this.choice;
    const pin = $("[name=pin]", this.form);
    const body = { person, pin: pin.value, command };
    pin.value = "";
    return attempt(() => ask("POST", `/api/tables/${table.id}/confirmed`, body), book());
  }
}
