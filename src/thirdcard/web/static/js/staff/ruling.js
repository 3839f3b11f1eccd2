// The decision: which way, which order, whatever the ruling leaves to a person, and the reason.

import { ask } from "../api.js";
import { $$, html } from "../dom.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { bet, betName, own, phrase } from "../words.js";
import { may, refresh } from "./desk.js";
import {
  answer,
  attempt,
  badge,
  cardName,
  cardRow,
  cards,
  cents,
  check,
  field,
  formOf,
  money,
  select,
  t,
  told,
} from "./say.js";

let order = null; // the order of the cards in question that was chosen
let changed = () => {};

/** The form for a case; `onWay` is told which way is looked at. */
export function decision(place, held, { onWay }) {
  order = null;
  if (held.ruled) {
    const silent = held.choosers.filter((one) => one.choice === "").map((one) => one.player);
    place.replaceChildren(
      html(
        "p",
        { class: "hint" },
        silent.length ? t("waits_for", { players: silent.join(", ") }) : t("carried_out"),
      ),
    );
    return;
  }
  const parts = html("div", { class: "stack" });
  const ways = held.ways.map((way, number) => [number, phrase(`fact_reconstructable_${way.reconstructable}`)]);
  const which = held.ways.length > 1 ? select(ways, { name: "way" }) : null;
  const submit = html("button", { class: "btn primary huge", type: "submit" }, t("rule"));
  const why = html("p", { class: "hint" });
  const form = html(
    "form",
    { class: "stack" },
    which && field(t("ask_reconstructable"), which),
    parts,
    submit,
    why,
  );
  const way = () => held.ways[which ? Number(which.value) : 0];
  changed = () => state(way(), held, form, submit, why);
  const look = () => {
    order = null;
    parts.replaceChildren(...inputs(way(), held));
    onWay(way(), held);
    changed();
  };
  which?.addEventListener("change", look);
  form.addEventListener("input", () => changed());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(way(), held, form, submit);
  });
  place.replaceChildren(form);
  look();
}

/** Whether a reading is set aside: then something else is done than the ruling says. */
const overriding = (form) => new FormData(form).has("overrides");

/** What the ruling asks for now: that of its remedies, and of the action that was chosen. */
function asked(way, held, form) {
  const decides = way.inputs.includes("action") || overriding(form);
  const action = decides ? held.actions.find((one) => one.name === form.elements.action?.value) : null;
  const own = overriding(form) ? [] : way.inputs.filter((one) => one !== "action");
  return { action: action?.name ?? "", asks: new Set([...own, ...(action?.inputs ?? [])]) };
}

/** An order has to be named where the ruling decides on one; elsewhere cards may count as they lie. */
const ordered = (way, action, form) =>
  action === "fix-order" || (!overriding(form) && way.remedies.some(([name]) => name === "decide-order"));

/** Whether it can be sent, and what is missing; the rank that it takes, where one's own does not do. */
function state(way, held, form, submit, why) {
  const { action, asks } = asked(way, held, form);
  const typed = form.elements.numbers?.value.trim();
  const names = ordered(way, action, form) && !order && !typed;
  const reason = (action || overriding(form)) && !form.elements.reason.value.trim();
  const power = overriding(form) ? held.override : way.power;
  submit.disabled = !power.may || names || reason;
  submit.textContent = order?.first ? t("rule_order", { card: cardName(order.first) }) : t("rule");
  why.textContent = power.may
    ? names
      ? t("name_order")
      : reason
        ? t("give_reason")
        : ""
    : t("takes_rank", { rank: own("ranks", power.rank, power.why) });
  for (const part of $$("[data-asks]", form)) {
    part.hidden = !part.dataset.asks.split(" ").some((name) => asks.has(name));
  }
  const decides = $$("[data-decides]", form)[0];
  if (decides) decides.hidden = !way.inputs.includes("action") && !overriding(form);
  for (const one of $$("[name=amount]", form)) one.hidden = !asks.has("amounts");
}

/** A part of the form that is there while one of these inputs is asked for. */
const part = (asks, legend, ...inside) =>
  html(
    "fieldset",
    { class: "field", "data-asks": asks },
    html("legend", { class: "eyebrow" }, legend),
    ...inside,
  );

function inputs(way, held) {
  const made = [
    html(
      "div",
      { "data-decides": "" },
      field(
        t("action"),
        select(
          held.actions.map((one) => [one.name, t(`action_${one.name.replaceAll("-", "_")}`)]),
          { name: "action" },
        ),
      ),
    ),
  ];
  const stakes = table.seen.stakes.map((one, number) =>
    html(
      "div",
      { class: "row" },
      check(`${one.box} ${one.player} ${betName(one.bet)} ${money(one.cents)}`, {
        name: "stakes",
        value: number,
      }),
      html("input", {
        name: "amount",
        "data-stake": number,
        inputmode: "decimal",
        placeholder: t("keeps"),
        "aria-label": t("keeps"),
        autocomplete: "off",
      }),
    ),
  );
  if (stakes.length) made.push(part("stakes", t("stakes_about"), ...stakes));
  const people = [...new Set(table.seen.stakes.map((one) => one.player))];
  if (people.length)
    made.push(
      part("intended", t("intended"), ...people.map((one) => check(one, { name: "intended", value: one }))),
    );
  if (held.in_question > 1 && !held.orders.length)
    made.push(
      part(
        "order",
        t("order_numbers", { count: held.in_question }),
        html("input", { name: "numbers", placeholder: "2 1", inputmode: "numeric", autocomplete: "off" }),
      ),
    );
  if (held.missing.length)
    made.push(
      part(
        "names substitutes",
        t("held_cards"),
        ...held.missing.map((place) =>
          field(
            t("substitute", { place }),
            html("input", { name: "lies", "data-place": place, placeholder: "9C", autocomplete: "off" }),
          ),
        ),
      ),
    );
  if (way.inputs.includes("replace_cards")) made.push(check(t("replace_cards"), { name: "replace_cards" }));
  const readings = held.interpretations.map((number) =>
    html(
      "span",
      { class: "override" },
      check(t("set_reading_aside", { number }), { name: "overrides", value: number }),
      html("a", { class: "reading", href: `/rules/interpretations#i-${number}` }, t("read_it")),
    ),
  );
  if (readings.length && held.override.may)
    made.push(html("details", { class: "more" }, html("summary", {}, t("readings")), ...readings));
  made.push(field(t("reason"), html("textarea", { name: "reason", rows: 3, maxlength: 400 })));
  return made;
}

/** What the ruling says: what is asked for and nothing else; null if something cannot be read. */
function said(way, held, form) {
  const given = new FormData(form);
  const { action, asks } = asked(way, held, form);
  const inputs = {};
  if (way.reconstructable !== null) inputs.reconstructable = way.reconstructable;
  const reason = String(given.get("reason")).trim();
  if (reason) inputs.reason = reason;
  if (action) inputs.action = action;
  if (overriding(form)) inputs.overrides = given.getAll("overrides").map(Number);
  else if (given.has("replace_cards")) inputs.replace_cards = true;
  if (asks.has("intended") && given.getAll("intended").length) inputs.intended = given.getAll("intended");
  const numbers = given.getAll("stakes").map(Number);
  if (asks.has("stakes")) {
    inputs.stakes = numbers
      .map((number) => table.seen.stakes[number])
      .map((one) => [one.player, one.box, one.bet]);
  }
  if (asks.has("amounts")) {
    const keeps = (number) => cents($$(`[data-stake="${number}"]`, form)[0].value || "0");
    inputs.amounts = numbers.map(keeps);
    if (inputs.amounts.includes(null)) return null;
  }
  const lies = $$("[name=lies]", form).filter((one) => one.value.trim());
  for (const name of ["names", "substitutes"]) {
    if (!asks.has(name) || !lies.length) continue;
    const found = lies.map((one) => [one.dataset.place, cards(one.value)?.[0]]);
    if (found.some(([, card]) => !card)) return null;
    inputs[name] = Object.fromEntries(found);
  }
  return inputs;
}

/** The places of the cards in question, from 0, in the order that was chosen or typed. */
function places(form) {
  if (order) return order.order;
  const typed = form.elements.numbers?.value.split(/[\s,]+/).filter(Boolean) ?? [];
  return typed.map((one) => Number(one) - 1);
}

async function send(way, held, form, submit) {
  const inputs = said(way, held, form);
  if (inputs === null) {
    answer(t("cannot_read"), { wrong: true });
    return;
  }
  const chosen = asked(way, held, form).asks.has("order") ? places(form) : [];
  const body = chosen.length ? { inputs, order: chosen } : { inputs };
  submit.disabled = true;
  await attempt(() => ask("POST", `/api/tables/${table.id}/rule`, body), book(), t("done"));
  submit.disabled = false;
  refresh();
}

/** A form for each report that one may dismiss, the one under way and those that wait. */
export function showDismissals(place) {
  place.replaceChildren(...may("dismiss").map(dismissal));
}

function dismissal(option) {
  const { case: name } = option.command;
  const waits = table.seen.reported.find((one) => one.case === name);
  const title = own("cases", name, waits?.title ?? table.seen.held_up?.title ?? name);
  const why = html("input", { name: "dismissed", required: true, maxlength: 200, autocomplete: "off" });
  const dismiss = async () => {
    const body = { command: "dismiss", case: name, reason: why.value };
    await attempt(() => command(body), book(), t("done"));
    refresh();
  };
  const button = html("button", { class: "btn", type: "submit" }, t("dismiss"));
  const form = formOf(dismiss, field(t("reason"), why), button);
  return html("details", { class: "more" }, html("summary", {}, t("dismiss_one", { title })), form);
}

/** Every order of the cards in question side by side, to choose one. */
export function showOrders(place, orders, slug) {
  place.hidden = !orders.length;
  place.replaceChildren(...orders.map((one, number) => choice(one, number, slug)));
}

function choice(one, number, slug) {
  const radio = html("input", { type: "radio", name: "order", value: number });
  radio.addEventListener("change", () => {
    order = one;
    changed();
  });
  const [result, ...notes] = one.notes;
  const name = one.first
    ? t("first_card", { card: cardName(one.first) })
    : t("first_place", { order: one.order.map((place) => place + 1).join(", ") });
  return html(
    "label",
    { class: "order" },
    html("span", { class: "oname" }, radio, html("b", {}, name)),
    one.first &&
      html(
        "span",
        { class: "oh" },
        ...["player", "banker"].map((side) =>
          html(
            "span",
            {},
            html(
              "span",
              { class: "hl" },
              html("span", { class: `zh ${side}`, lang: "zh-Hant" }, bet(side).zh),
              html("b", {}, one.points[side]),
            ),
            cardRow(one[side]),
          ),
        ),
      ),
    result &&
      html(
        "span",
        { class: "res" },
        result.facts.outcome && badge(result.facts.outcome),
        html("span", {}, ...told(result, slug)),
      ),
    html("ul", {}, ...notes.map((note) => html("li", {}, ...told(note, slug)))),
  );
}
