// Seat somebody without a device: under a number or a name, with a buy-in, and a description that only staff read.

import { ask } from "../api.js";
import { button, html } from "../dom.js";
import { book, table } from "../state.js";
import { chipRow, key as keyHint } from "./parts.js";
import { answer, attempt, cents, money, t } from "./say.js";
import { described } from "./seats.js";
import { opened, perform, redraw } from "./steps.js";

export const WALK_IN = "W-"; // how their names begin
const FACES = [10000, 5000, 1000, 500, 100, 50, 25, 10, 5]; // dollars

let seating = null; // the box of who is being seated
let form = null;
let sent = false; // what the form says is on its way

/** Where the walk-ins of this table are kept. */
export const patronsPath = (more = "") => `/api/tables/${table.id}/patrons${more}`;

/** An amount in chips, the largest first. */
export function chipsOf(amount) {
  let left = amount;
  return FACES.map((dollars) => dollars * 100).flatMap((value) => {
    const count = Math.floor(left / value);
    left -= count * value;
    return count ? [[value, count]] : [];
  });
}

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
  const input = (name, attributes = {}) => html("input", { name, autocomplete: "off", ...attributes });
  const name = input("name", { maxlength: 40, placeholder: t("next_free"), pattern: "W-.+" });
  const description = input("description", { maxlength: 80 });
  const amount = input("cents", { inputmode: "decimal", placeholder: "1,000" });
  const box = html("select", { name: "box" });
  const out = html("div", { class: "full brkline" });
  const go = html("button", { class: "btn", type: "button", onclick: seat });
  const choose = () => (box.disabled = standing.checked);
  const radio = (value) => html("input", { type: "radio", name: "where", value, onchange: choose });
  const seated = radio("seated");
  const standing = radio("standing");
  const show = () => {
    const found = cents(amount.value);
    out.replaceChildren(html("span", { class: "hint" }, t("chips_out")), found ? chipRow(chipsOf(found), 26) : "–");
    go.replaceChildren(found ? t("seat_and_change", { cents: money(found) }) : t("seat_only"), keyHint("Alt S"));
  };
  amount.addEventListener("input", show);
  show();
  const title = html("span", {});
  const labelled = (text, control) => html("label", { class: "f" }, html("span", {}, text), control);
  const boxField = labelled(t("box"), box);
  const choice = (control, text) => html("label", {}, control, html("span", {}, text));
  const element = html(
    "section",
    { class: "panel seatform" },
    html("h2", {}, title, html("small", {}, t("seat_small"))),
    html(
      "div",
      { class: "frm" },
      labelled(t("known_as"), name),
      labelled(t("description"), description),
      labelled(t("buy_in"), amount),
      boxField,
      html(
        "fieldset",
        { class: "seg where" },
        html("legend", { class: "hidden" }, t("seated_or_standing")),
        choice(seated, t("seated")),
        choice(standing, t("stands_here")),
      ),
      out,
    ),
    html("div", { class: "acts2" }, go, button("quiet", stop, {}, t("cancel"))),
  );
  form = { element, title, boxField, name, description, amount, box, seated, standing, show };
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
    form.box.replaceChildren(...free.map((box) => html("option", { value: box }, box)));
    if (free.includes(Number(before))) form.box.value = before;
  }
  if (!form.seated.checked && !form.standing.checked) form[free.length ? "seated" : "standing"].checked = true;
  form.box.disabled = form.standing.checked;
  form.boxField.hidden = !!seating;
  form.element.classList.toggle("at-box", !!seating);
  form.title.textContent = seating ? t("seat_title_box", { box: seating }) : t("seat_title");
  return form.element;
}

/** Seat whom the form describes; what was typed stays if it is refused. */
export function seat() {
  if (!form?.element.isConnected) return;
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
