// Reporting an irregularity: the case from the rulebook's list, only what that case asks for, the dealer's own words.

import { $ } from "../dom.js";
import { draw, html, node } from "../draw.js";
import { book, table } from "../state.js";
import { outcome, own } from "../words.js";
import { desk, does, refresh } from "./desk.js";
import { cardField, cardsIn } from "./parts.js";
import { cardName, check, cites, field, formOf, hand, select, t } from "./say.js";
import { closePanel, openPanel } from "./steps.js";

const FACTS = ["order_known", "values_known"]; // the other facts the table knows itself
const NOTE_LETTERS = 400;

export const open = () => openPanel("report");

/** The panel at the desk. */
export const panel = { name: "report", title: () => t("report_title"), open: showReport };

/** @type {WeakMap<Element, { which: any, fields: any, others?: any, cases: string, about: string }>} */
const forms = new WeakMap();
const reports = () => desk.seen.reports;
const titled = (one) => own("cases", one.case, one.title);

/** Keep the form in step with what may be reported now; what was filled in stays. */
export function showReport(place) {
  if (!forms.has(place)) forms.set(place, form(place));
  const made = forms.get(place);
  draw(made.others, notNow());
  const cases = JSON.stringify(reports());
  if (cases !== made.cases) {
    made.cases = cases;
    offer(made);
  }
  const about = JSON.stringify([made.which.value, table.seen.cards, table.seen.seats, desk.seen.players]);
  if (about !== made.about) {
    made.about = about;
    ask(made);
  }
}

function form(place) {
  const made = {
    which: select([], { name: "case", required: true }),
    fields: node(html`<div class="stack"></div>`),
    cases: "",
    about: "",
  };
  const note = html`<textarea name="note" rows="3" maxlength=${NOTE_LETTERS}></textarea>`;
  made.which.addEventListener("change", () => showReport(place));
  const others = node(html`<div></div>`);
  made.others = others;
  const element = node(formOf(
    (_, sent) => send(sent, place),
    field(t("what_happened"), made.which),
    made.fields,
    field(t("report_note"), note, html`<small class="hint">${t("report_note_hint")}</small>`),
    others,
    html`<div class="sticks"><button class="btn warn wide" type="submit">${t("report")}</button></div>`,
  ));
  element.classList.add("report");
  draw(place, element);
  return made;
}

/** Every other case of the rulebook, and why it cannot be reported now. */
const notNow = () =>
  desk.seen.not_now.length > 0 && html`<details class="otherwise"><summary>${t("not_now")}</summary><ul>
    ${desk.seen.not_now.map((one) => html`<li><b>${titled(one)}</b>: ${one.why}${cites(one.rules, book())}</li>`)}
  </ul></details>`;

/** The cases that are possible now; the one that was chosen stays, whatever becomes of it. */
function offer({ which }) {
  const { value } = which;
  const title = $("option:checked", which)?.textContent;
  const kept = value && !reports().some((one) => one.case === value);
  const options = reports().map((one) => html`<option value=${one.case}>${titled(one)}</option>`);
  draw(
    which,
    html`<option value="">${t(options.length ? "choose_case" : "nothing_to_report")}</option>`,
    options,
    kept && html`<option value=${value}>${title}</option>`,
  );
  which.value = value;
}

/** What the case asks for, each in a field of its own; what was filled in for it before stays. */
function ask({ which, fields }) {
  const one = reports().find((found) => found.case === which.value);
  const before = new Map([...fields.querySelectorAll("[name]")].map((control) => [keyOf(control), control]));
  const asked = one?.asks ?? [];
  const made = asked.flatMap((name) => FIELDS[name]?.() ?? (FACTS.includes(name) ? [yesNo(name)] : []));
  draw(fields); // those of before keep what was filled in
  draw(fields, one ? [html`<p class="hint">${t("by_paragraphs")}${cites(one.rules, book())}</p>`] : [], made);
  for (const control of fields.querySelectorAll("[name]")) {
    const old = before.get(keyOf(control));
    if (!old) continue;
    if (control.type === "checkbox") control.checked = old.checked;
    else control.value = old.value;
  }
}

const keyOf = (control) => {
  const which = control.type === "checkbox" ? control.value : (control.dataset.place ?? "");
  return `${control.name}/${which}`;
};

const group = (legend, ...inside) => html`<fieldset class="field"><legend class="eyebrow">${legend}</legend>${inside}</fieldset>`;
const yesNo = (name) =>
  field(t(`ask_${name}`), select([["", "–"], ["true", t("yes")], ["false", t("no")]], { name, required: true }));

/** A card on record, by its place and what everybody sees of it. */
const lying = (one) => t("card_at", { place: one.place, hand: hand(one.hand), card: cardName(one.card) });
const places = (name, legend, cards) => (cards.length ? [
  group(legend, ...cards.map((one) => check(lying(one), { name, value: one.place }))),
] : []);

const FIELDS = {
  drawn: () => [cardField(t("cards_out"), { name: "drawn", placeholder: "10S ??" }, { unseen: true })],
  cards: () => places("cards", t("cards_about"), table.seen.cards),
  shown: () => places("shown", t("cards_seen"), table.seen.cards.filter((one) => !one.exposed)),
  names: () => table.seen.cards.filter((one) => !one.exposed && !one.card).map(
    (one) => cardField(t("shows_at", { place: one.place }), { name: "names", "data-place": one.place }),
  ),
  players: () => (desk.seen.players.length ? [
    group(t("whom"), ...desk.seen.players.map((one) => check(one, { name: "players", value: one }))),
  ] : []),
  box: () => [
    field(
      t("box"),
      select(
        [["", "–"], ...Array.from({ length: table.seen.positions }, (_, at) => [at + 1, at + 1])],
        { name: "box" },
      ),
    ),
  ],
  window: () => [
    field(t("window"), select([["", "–"], ["1", t("window_1")], ["2", t("window_2")]], { name: "window" })),
  ],
  displayed: () => [
    field(
      t("displayed"),
      select([["", "–"], ...["player", "banker", "tie"].map((one) => [one, outcome(one)])], { name: "displayed" }),
    ),
  ],
  round: () => [
    field(
      t("earlier_round"),
      html`<input name="round" inputmode="numeric" pattern="[0-9]*" autocomplete="off">`,
    ),
  ],
};

/** What was filled in, as the command says it; null if a card cannot be read, which is then pointed at. */
function said(element) {
  const given = new FormData(element);
  const body = { command: "report", case: given.get("case") };
  const drawn = cardsOf(element, "drawn");
  if (drawn === null) return null;
  if (drawn.length) body.drawn = drawn;
  const names = {};
  for (const control of element.querySelectorAll("[name=names]")) {
    const found = readCards(control);
    if (found === null) return null;
    if (found.length) [names[control.dataset.place]] = found;
  }
  if (Object.keys(names).length) body.names = names;
  for (const name of ["cards", "shown"]) if (given.has(name)) body[name] = given.getAll(name).map(Number);
  const seen = seenOf(drawn);
  if (seen.length) body.shown = [...(body.shown ?? []), ...seen];
  if (given.has("players")) body.players = given.getAll("players");
  for (const name of ["box", "window", "round"]) if (given.get(name)) body[name] = Number(given.get(name));
  if (given.get("displayed")) body.displayed = given.get("displayed");
  for (const name of FACTS) if (given.get(name)) body[name] = given.get(name) === "true";
  const note = String(given.get("note")).trim();
  if (note) body.note = note;
  return body;
}

/** Where cards are dealt face up, who can name a card that came out has seen it. */
function seenOf(drawn) {
  if (table.seen.house.face_down) return [];
  const first = table.seen.cards.length + 1 + desk.seen.cases.reduce((all, one) => all + one.drawn, 0);
  return drawn.flatMap((card, at) => (card ? [first + at] : []));
}

const cardsOf = (element, name) => {
  const control = $(`[name=${name}]`, element);
  return control ? readCards(control) : [];
};

function readCards(control) {
  const found = cardsIn(control.value);
  if (found === null) {
    control.setAttribute("aria-invalid", "true");
    control.focus();
  }
  return found;
}

async function send(element, place) {
  const body = said(element);
  if (!body) return;
  if (await does(body, t("reported"))) {
    element.reset();
    forms.get(place).about = "";
    $(":focus")?.blur(); // Enter is for what is due
    closePanel();
    refresh();
  }
}
