// A new table: chosen, drawn and checked as it is typed; opened once nothing is wrong with it.

import { ask, get, request, saidOf } from "../api.js";
import { $, $$ } from "../dom.js";
import { draw, html, icon, node } from "../draw.js";
import { own } from "../words.js";
import { answer, attempt, bookName, check, cites, money, originOf, select, t } from "./say.js";
import { amount, amountField, choices, labelled, limitsTable, readLimits, showFelt, showPlacard, unread } from "./setup.js";

const CHECK_MS = 350;
const HANDS = { min: 1_000, max: 500_000 };
const SIDES = { min: 500, max: 50_000 };
const DIFFERENTIAL = 1_000_000;
const BETTING_S = 20;
const DEVICES = ["shoe", "reader"];
const KEPT = ["dealer", "device", "cut", "chip_unit", "live_odds", "high_limit", "private"]; // whatever the rulebook

const form = node(html`<form id="new" class="whole" novalidate></form>`);
const fields = form.elements;
let layout = "A";
let due = null;
let asked = 0;

const book = () => choices.books[fields.rulebook.value];
const bets = () => book().layouts[layout].bets;
const isHand = (name) => book().bets[name].main;

// What is chosen --------------------------------------------------------------------------------------------

function game() {
  const slugs = Object.keys(choices.books);
  const rulebooks = slugs.map((slug) => [slug, bookName({ slug, ...choices.books[slug] })]);
  const title = node(html`<input name="title" required maxlength="80" autocomplete="off">`);
  const id = node(html`<input name="id" required maxlength="40" placeholder="salon-2" autocomplete="off">`);
  title.addEventListener("input", () => {
    if (!id.dataset.typed) id.value = slugOf(title.value);
  });
  id.addEventListener("input", () => (id.dataset.typed = id.value ? "yes" : ""));
  const number = (name) => html`<input name=${name} type="number" required>`;
  draw($("#game"), html`<div class="frm">
    <div class="full">
      ${labelled(t("rulebook"), select(rulebooks, { name: "rulebook" }))}
      <p class="hint" id="from"></p>
    </div>
    ${labelled(t("new_title"), title)}${labelled(t("new_id"), id)}
    ${labelled(t("positions"), number("positions"), html`<small id="positions-range"></small>`)}
    ${labelled(t("decks"), number("decks"), html`<small id="decks-range"></small>`)}
    <div class="full f">
      <span id="layouts-label">${t("layout")}</span>
      <div class="lays" id="layouts" role="radiogroup" aria-labelledby="layouts-label"></div>
    </div>
  </div>`);
}

/** A title as it can stand in an address. */
const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);

function amounts() {
  draw(
    $("#amounts"),
    html`<div class="frm three">
      ${labelled(t("setup_minimum"), amountField("minimum", HANDS.min))}
      ${labelled(t("differential"), amountField("differential", DIFFERENTIAL))}
      ${labelled(t("setup_betting"), html`<input name="betting" type="number" min="1" max="600" value=${BETTING_S}>`)}
      ${labelled(t("sides_min"), amountField("sides_min", SIDES.min))}
      ${labelled(t("sides_max"), amountField("sides_max", SIDES.max))}
    </div>`,
    html`<div class="boxes-row" id="ticks"></div>`,
  );
  fields.minimum.addEventListener("input", () => fill("min", fields.minimum.value, isHand));
  for (const end of ["min", "max"]) {
    fields[`sides_${end}`].addEventListener("input", () => fill(end, fields[`sides_${end}`].value, (name) => !isHand(name)));
  }
}

/** The same for every bet of a kind. */
function fill(end, value, of) {
  for (const name of bets().filter(of)) fields[`${end}/${name}`].value = value;
}

/** What the chosen rulebook allows; amounts that were typed stay where the bet is still offered. */
function fitBook() {
  const { decks, usual_decks: usual, methods, insurance, private: rules, most_wagers: most } = book();
  const before = KEPT.filter((name) => fields[name]).map((name) => [name, fields[name].value, fields[name].checked]);
  layout = layout in book().layouts ? layout : Object.keys(book().layouts)[0];
  Object.assign(fields.decks, { min: decks[0], max: decks[1], value: usual });
  $("#decks-range").textContent = t("setup_range", { from: decks[0], to: decks[1] });
  const radios = Object.keys(book().layouts).map((letter) =>
    html`<label>
      <input type="radio" name="layout" value=${letter} ?checked=${letter === layout}>
      <span>${letter}</span>
    </label>`,
  );
  draw($("#layouts"), radios);
  const ways = methods.map((one) => [one.name, `${one.name} · ${own("methods", one.name, one.title)}`]);
  draw(
    $("#method"),
    html`<div class="frm three">
      ${labelled(t("dealer"), select([["staff", t("dealer_staff")], ["automatic", t("dealer_automatic")]], { name: "dealer" }))}
      ${labelled(t("method"), select([["", t("setup_usual_method")], ...ways], { name: "method" }))}
      ${labelled(t("device"), select(DEVICES.map((one) => [one, t(`device_${one}`)]), { name: "device" }))}
      ${labelled(t("cut"), html`<input name="cut" type="number" min="0" value=${choices.cut}>`)}
      ${labelled(t("setup_unit"), amountField("chip_unit", 100))}
      ${most !== null && labelled(t("wagers_per_area"), html`<input name="wagers" type="number" min="1" max=${most} value=${most}>`)}
    </div>`,
    html`<div class="boxes-row">
      ${check(t("live_odds"), { name: "live_odds" })}${check(t("setup_high_limit"), { name: "high_limit" })}
    </div>`,
  );
  draw(
    $("#ticks"),
    insurance ? [check(t("offer_insurance"), { name: "insurance", checked: true })] : [],
    html`<div class="ticked">
      ${check(t("private_table"), { name: "private" })}
      ${rules.length > 0 && html`<span class="hint">${t("setup_private_note")}${cites(rules, book().text)}</span>`}
    </div>`,
  );
  for (const [name, value, checked] of before) Object.assign(fields[name], { value, checked });
  fitLayout();
}

function fitLayout() {
  const [low, high] = book().layouts[layout].positions;
  const before = new Map($$("#bets input").map((one) => [one.name, one.value]));
  Object.assign(fields.positions, { min: low, max: high, value: high });
  $("#positions-range").textContent = t("setup_range", { from: low, to: high });
  $("#bets-title").textContent = t("setup_bets_of", { layout });
  draw($("#bets"), limitsTable(book(), layout, (name) => (isHand(name) ? HANDS : SIDES)));
  fill("min", fields.minimum.value, isHand);
  for (const end of ["min", "max"]) fill(end, fields[`sides_${end}`].value, (name) => !isHand(name));
  for (const input of $$("#bets input")) input.value = before.get(input.name) ?? input.value;
}

// What is asked for -----------------------------------------------------------------------------------------

/** The table as it would be asked for, and the fields that cannot be read. */
function filled() {
  const { limits, wrong } = readLimits(form, bets());
  for (const name of ["differential", "chip_unit"]) if (amount(fields[name]) === null) wrong.push(fields[name]);
  if (!fields.cut.value) wrong.push(fields.cut);
  const setup = {
    rulebook: fields.rulebook.value,
    layout,
    positions: Number(fields.positions.value),
    decks: Number(fields.decks.value),
    limits,
    differential: amount(fields.differential) ?? null,
    chip_unit: amount(fields.chip_unit) ?? 0,
    method: fields.method.value,
    device: fields.device.value,
    cut: Number(fields.cut.value),
    private: fields.private.checked,
    high_limit: fields.high_limit.checked,
  };
  if (fields.insurance) setup.insurance = fields.insurance.checked;
  if (fields.wagers?.value && Number(fields.wagers.value) !== book().most_wagers) setup.wagers_per_area = Number(fields.wagers.value);
  const body = {
    id: fields.id.value,
    title: fields.title.value,
    dealer: fields.dealer.value,
    setup,
    pace: { betting: Math.round(Number(fields.betting.value) * 1000) },
    live_odds: fields.live_odds.checked,
  };
  return { body, wrong };
}

/** Draw it as chosen, and have it checked a moment later. */
function show() {
  const { body, wrong } = filled();
  showFelt(book(), layout, fields.positions.value);
  const { limits, differential, insurance } = body.setup;
  showPlacard({ title: body.title, book: book(), layout, limits, differential, insurance, closed: body.setup.private });
  go.textContent = t("setup_open", { title: body.title || "…" });
  clearTimeout(due);
  due = setTimeout(() => checked(body, wrong), CHECK_MS);
}

async function checked(body, wrong) {
  const number = ++asked;
  let found = { faults: [], notes: [] };
  if (!wrong.length) {
    try {
      found = await request("POST", "/api/tables/check", body);
    } catch (error) {
      found = { faults: [{ field: "", text: saidOf(error, t("no_answer")), rules: error.rules ?? [] }], notes: [] };
    }
  }
  if (number !== asked) return;
  if (!body.title) found.faults = [{ field: "title", text: t("setup_title_first"), rules: [] }, ...found.faults.filter(({ field }) => !["id", "title"].includes(field))];
  const unreadable = wrong.map((input) => ({ input, text: unread(input), rules: [] }));
  const faults = [...unreadable, ...found.faults.map((one) => ({ ...one, text: said(one), input: fieldOf(one.field) }))];
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  for (const { input } of faults) if (input?.value) input.setAttribute("aria-invalid", "true");
  const notes = found.notes.map((one) => ({ ...one, text: t("setup_displayed", { text: said(one) }) }));
  draw(
    $("#checked"),
    faults.map((one) => message(one, "fault")),
    notes.map((one) => message(one, "note")),
    faults.length ? [] : [message({ text: t("setup_all_well"), rules: [] }, "well")],
  );
  $("#checked-count").textContent = faults.length ? t("setup_to_mend", { count: faults.length }) : "";
  go.disabled = faults.length > 0;
  $("#go-hint").textContent = faults.length ? t("setup_opens_after") : t("setup_opens");
}

/** What is wrong, in the words of the page; of a bet's limits by the bet's name and its amounts. */
function said({ field = "", text }) {
  const bet = field.match(/^setup\.limits\.(.+)$/)?.[1];
  return (bet && limitsFault(bet)) || text;
}

function limitsFault(bet) {
  const name = book().bets[bet].name;
  const unit = amount(fields.chip_unit);
  const [min, max] = ["min", "max"].map((end) => amount(fields[`${end}/${bet}`]));
  const odd = [min, max].find((cents) => cents && unit && cents % unit);
  if (!min) return t("setup_min_zero", { bet: name });
  if (max !== undefined && max < min) return t("setup_max_under", { bet: name, max: money(max), min: money(min) });
  return odd ? t("setup_odd_amount", { bet: name, amount: money(odd), unit: money(unit) }) : "";
}

/** The field that a fault is about: `setup.limits.tie`, `setup.positions`, `id`. */
function fieldOf(name) {
  const [first, bet] = name.replace(/^setup\./, "").split(".");
  if (!bet) return fields[first === "pace" ? "betting" : first === "wagers_per_area" ? "wagers" : first] ?? null;
  const [min, max] = ["min", "max"].map((end) => fields[`${end}/${bet}`]);
  const low = amount(min);
  return low && amount(max) && (amount(max) < low || low % (amount(fields.chip_unit) || 1) === 0) ? max : min;
}

function message(one, kind) {
  const mend = kind === "fault" && mending(one.input);
  return html`<li class=${kind}>
    ${icon({ well: "check", note: "board", fault: "alert" }[kind])}
    <span>${one.text}${cites(one.rules, book().text)}</span>
    ${mend && html`<button class="btn sm" type="button" @click=${() => mended(one.input, mend)}>
      ${t("setup_use", { value: mend })}
    </button>`}
  </li>`;
}

/** What plainly would do in that field. */
function mending(input) {
  if (!input) return "";
  const [end, bet] = input.name?.split("/") ?? [];
  const clamp = (low, high) => String(Math.min(Math.max(Number(input.value) || high, low), high));
  let value = "";
  if (bet) value = amountOf(end, bet);
  else if (end === "positions") value = clamp(...book().layouts[layout].positions);
  else if (end === "decks") value = clamp(...book().decks);
  else if (end === "differential") value = money(Math.max(DIFFERENTIAL, 100 * (amount(fields.minimum) || 0)));
  else if (end === "id") value = freeName();
  return value === input.value ? "" : value;
}

/** The limit that most bets of its kind have, where it goes with the bet's other one. */
function amountOf(end, bet) {
  const alike = bets().filter((name) => name !== bet && isHand(name) === isHand(bet));
  const values = alike.map((name) => fields[`${end}/${name}`].value).filter(Boolean);
  const often = values.toSorted((a, b) => values.filter((one) => one === b).length - values.filter((one) => one === a).length);
  const other = amount(fields[`${end === "min" ? "max" : "min"}/${bet}`]);
  const fits = (value) => other === undefined || other === null || (end === "min" ? value <= other : value >= other);
  const plain = (text) => Number(text.replaceAll(",", "")) * 100;
  return often.find((value) => fits(plain(value))) ?? (end === "max" && other ? money(20 * other) : "");
}

/** The name with the next number behind it. */
function freeName() {
  const [, stem, number] = fields.id.value.match(/^(.*?)-?(\d*)$/);
  return stem ? `${slugOf(stem)}-${Number(number || 1) + 1}` : "";
}

function mended(input, value) {
  input.value = value;
  input.focus();
  show();
}

async function open() {
  const { body } = filled();
  go.disabled = true;
  if (await attempt(() => ask("POST", "/api/tables", body), book().text)) location.assign(`/staff/tables/${body.id}/setup`);
  go.disabled = false;
}

// Rulebooks that cannot be used, and where those are from that can ------------------------------------------

async function found() {
  const all = await get("/api/rulebooks");
  const from = () => {
    const one = all.find((entry) => entry.slug === fields.rulebook.value && !entry.problem);
    $("#from").textContent = one ? `${originOf(one)} · ${t("text_of", { digest: one.digest.slice(0, 12) })}` : "";
  };
  fields.rulebook.addEventListener("change", from);
  from();
  const broken = all.filter((one) => one.problem);
  if (!broken.length) return;
  const lines = broken.map((one) => html`<li><b>${one.slug}</b>${` (${originOf(one)}): `}<span lang="en">${one.problem}</span></li>`);
  $("#go").append(node(html`<details class="more">
    <summary>${t("not_usable", { count: broken.length })}</summary>
    <ul class="hint">${lines}</ul>
  </details>`));
}

const go = node(html`<button class="btn primary huge" type="submit" disabled>${t("create")}</button>`);
const root = $("#staff");
form.append(...root.children);
root.append(form);
$("#go").append(go, node(html`<p class="hint" id="go-hint"></p>`));
game();
amounts();
fitBook();
form.addEventListener("input", (event) => {
  if (event.target.name === "rulebook") fitBook();
  if (event.target.name === "layout") {
    layout = event.target.value;
    fitLayout();
  }
  show();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  open().catch(() => answer(t("no_answer"), { wrong: true }));
});
show();
found();
