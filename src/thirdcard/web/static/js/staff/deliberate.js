// What cannot be taken back: pressed, then confirmed with one's own PIN where one is set, else pressed once more.

import { ask, get } from "../api.js";
import { draw, html, node } from "../draw.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { refresh } from "./desk.js";
import { pinField } from "./parts.js";
import { attempt, t } from "./say.js";

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
