// What cannot be taken back: pressed, then confirmed with one's own PIN where one is set, else pressed once more.

import { ask, get } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, node } from "../draw.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { posts, refresh } from "./desk.js";
import { pinField } from "./parts.js";
import { attempt, field, select, t } from "./say.js";
import { redraw } from "./steps.js";

// Somebody else confirms at this desk: a name, and a PIN of their own.

let floor = null; // everybody of the floor, once it was asked

/** A form for one of those whom `may` lets; it stays as it is while what it is for does. */
export class Confirmer {
  /** @param {(person: { name: string, title: string, role: string }) => boolean} may */
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

  /** Who it is and the PIN, which is forgotten. */
  given() {
    const pin = $("[name=pin]", this.form);
    const found = { person: this.choice.value, pin: pin.value };
    pin.value = "";
    return found;
  }

  /** Carry a command out as the one who was chosen; the PIN is forgotten whatever comes of it. */
  async confirm(command) {
    return posts("confirmed", { ...this.given(), command });
  }
}

/** @type {Promise<boolean>} */
let pin = null;
const hasPin = () =>
  (pin ??= get("/api/me/pin").then(
    ({ set }) => set,
    () => false,
  ));

/**
 * A button, and what it asks for once it is pressed. `body` gives the command, or null where something is missing;
 * `done` is called when it was carried out.
 */
export function deliberate(label, body, { kind = "primary huge", done = async () => {} } = {}) {
  const press = node(html`<button type="button" class="btn ${kind}" @click=${begin}>${label}</button>`);
  const more = node(html`<form class="dec" hidden></form>`);
  const made = node(html`<div class="dec">${press}${more}</div>`);
  let armed = false;

  function rest() {
    armed = false;
    more.hidden = true;
    press.hidden = false;
    draw(press, made.dataset.label || label);
  }

  async function begin() {
    if (!body()) return;
    if (await hasPin()) ask4pin();
    else if (armed) await send(command);
    else {
      armed = true;
      draw(press, t("pit_press_again", { what: made.dataset.label || label }));
    }
  }

  function ask4pin() {
    const field = node(pinField(t("pit_own_pin")));
    const back = html`<button type="button" class="btn quiet" @click=${rest}>${t("pit_not_yet")}</button>`;
    const confirm = html`<button class="btn ${kind}" type="submit">${made.dataset.label || label}</button>`;
    draw(more, field, html`<div class="acts2">${confirm}${back}</div>`);
    more.hidden = false;
    press.hidden = true;
    field.querySelector("input").focus();
  }

  async function send(how) {
    const asked = body();
    if (!asked) return;
    press.disabled = true;
    const carriedOut = await attempt(() => how(asked), book(), t("done"));
    if (carriedOut) {
      await done();
      rest();
    }
    press.disabled = false;
    refresh();
  }

  more.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = String(new FormData(more).get("pin"));
    const path = `/api/tables/${table.id}/confirmed`;
    send((asked) => ask("POST", path, { person: table.me, pin: given, command: asked }));
  });
  return {
    made,
    /** Say what it does now, and whether it can be done; either calls off a first press. */
    set(text, enabled) {
      if (made.dataset.label === text && press.disabled === !enabled) return;
      made.dataset.label = text;
      press.disabled = !enabled;
      rest();
    },
  };
}
