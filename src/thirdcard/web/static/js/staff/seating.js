// Seat somebody without a device: under a number or a name, with a buy-in, and a description that only staff read.

import { ask } from "../api.js";
import { html as element } from "../dom.js";
import { draw, html, node } from "../draw.js";
import { chipsOf, TRAY } from "../facts.js";
import { book, table } from "../state.js";
import { chipRow, key as keyHint } from "./parts.js";
import { answer, attempt, cents, money, t } from "./say.js";
import { described } from "./seats.js";
import { opened, perform, redraw } from "./steps.js";

export const WALK_IN = "W-"; // how their names begin

let seating = null; // the box of who is being seated
let form = null;
let sent = false; // what the form says is on its way

/** Where the walk-ins of this table are kept. */
export const patronsPath = (more = "") => `/api/tables/${table.id}/patrons${more}`;

/** Begin with somebody for that box. */
export function startSeating(box) {
  seating = box;
  filled();
  if (sent) empty(); // that is the next one
  form.box.value = String(box);
  form.seated.checked = true;
  redraw();
  form.description.focus();
}

function empty() {
  sent = false;
  for (const one of [form.name, form.description, form.amount]) one.value = "";
  form.show();
}

function stop() {
  seating = null;
  redraw();
}

function build() {
  const input = (name, attributes = {}) => element("input", { name, autocomplete: "off", ...attributes });
  const name = input("name", { maxlength: 40, placeholder: t("next_free"), pattern: "W-.+" });
  const description = input("description", { maxlength: 80 });
  const amount = input("cents", { inputmode: "decimal", placeholder: "1,000" });
  const box = node(html`<select name="box"></select>`);
  const out = node(html`<div class="full brkline"></div>`);
  const go = node(html`<button class="btn" type="button" @click=${seat}></button>`);
  const choose = () => (box.disabled = standing.checked);
  const radio = (value) => node(html`<input type="radio" name="where" value=${value} @change=${choose}>`);
  const seated = radio("seated");
  const standing = radio("standing");
  const show = () => {
    const found = cents(amount.value);
    draw(out, html`<span class="hint">${t("chips_out")}</span>`, found ? chipRow(chipsOf(found, TRAY), 26) : "–");
    draw(go, found ? t("seat_and_change", { cents: money(found) }) : t("seat_only"), keyHint("Alt S"));
  };
  amount.addEventListener("input", show);
  show();
  const title = node(html`<span></span>`);
  const labelled = (text, control) => html`<label class="f"><span>${text}</span>${control}</label>`;
  const boxField = node(labelled(t("box"), box));
  const choice = (control, text) => html`<label>${control}<span>${text}</span></label>`;
  const panel = node(html`<section class="panel seatform">
    <h2>${title}<small>${t("seat_small")}</small></h2>
    <div class="frm">
      ${labelled(t("known_as"), name)}${labelled(t("description"), description)}${labelled(t("buy_in"), amount)}
      ${boxField}
      <fieldset class="seg where">
        <legend class="hidden">${t("seated_or_standing")}</legend>
        ${choice(seated, t("seated"))}${choice(standing, t("stands_here"))}
      </fieldset>
      ${out}
    </div>
    <div class="acts2">
      ${go}
      <button type="button" class="btn quiet" @click=${stop}>${t("cancel")}</button>
    </div>
  </section>`);
  form = { panel, title, boxField, name, description, amount, box, seated, standing, show };
}

/** The form, while somebody is being seated. */
export function seatForm() {
  if (seating === null || opened() === "patrons") return null;
  return filled();
}

/** The form as the table is now; what was typed stays. */
export function filled() {
  if (!form) build();
  const { seats, positions } = table.seen;
  const free = Array.from({ length: positions }, (_, at) => at + 1).filter((box) => !seats[box]);
  const shown = [...form.box.children].map((one) => Number(one.value));
  if (free.join() !== shown.join()) {
    const before = form.box.value;
    draw(form.box, free.map((box) => html`<option value=${box}>${box}</option>`));
    if (free.includes(Number(before))) form.box.value = before;
  }
  if (!form.seated.checked && !form.standing.checked) form[free.length ? "seated" : "standing"].checked = true;
  form.box.disabled = form.standing.checked;
  form.boxField.hidden = !!seating;
  form.panel.classList.toggle("at-box", !!seating);
  form.title.textContent = seating ? t("seat_title_box", { box: seating }) : t("seat_title");
  return form.panel;
}

/** Seat whom the form describes; what was typed stays if it is refused. */
export function seat() {
  if (!form?.panel.isConnected) return;
  const found = form.amount.value.trim() ? cents(form.amount.value) : 0;
  if (found === null) {
    form.amount.setAttribute("aria-invalid", "true");
    answer(t("no_amount", { text: form.amount.value }), { wrong: true });
    form.amount.focus();
    return;
  }
  form.amount.removeAttribute("aria-invalid");
  const box = form.standing.checked ? null : Number(form.box.value) || null;
  const body = { description: form.description.value.trim(), box, cents: found };
  const name = form.name.value.trim();
  if (name) Object.assign(body, { name: name.startsWith(WALK_IN) ? name : `${WALK_IN}${name}` });
  const bring = async () => {
    let who = "";
    sent = true;
    const done = await attempt(async () => ({ name: who } = await ask("POST", patronsPath(), body)), book());
    const next = !sent; // somebody else has been begun with meanwhile
    sent = false;
    if (!done) return false;
    described.set(who, body.description);
    answer(t("seated_now", { player: who }));
    if (next) return true;
    empty();
    for (const one of [form.name, form.description, form.amount]) one.blur(); // keys belong to the desk again
    seating = null;
    return true;
  };
  perform(bring, { waits: true });
}
