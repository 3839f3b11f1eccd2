// The decision: which way, which order, whatever the ruling leaves to a person, and the reason.

import { ask } from "../api.js";
import { $$, html } from "../dom.js";
import { table } from "../state.js";
import { betName } from "../words.js";
import { refresh } from "./desk.js";
import { attempt, badge, cardName, cardRow, cards, check, field, hand, select, t, told } from "./say.js";

let order = null; // the order of cards drawn together that was chosen
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
  const ways = held.ways.map((way, number) => [number, t(`fact_reconstructable_${way.reconstructable}`)]);
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
  changed = () => state(way(), form, submit, why);
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
    send(way(), form, submit);
  });
  place.replaceChildren(form);
  look();
}

/** Whether it can be sent, and what is missing; the rank that it takes, where one's own does not do. */
function state(way, form, submit, why) {
  const names = way.inputs.includes("order") && !order;
  const reason = way.inputs.includes("action") && !form.elements.reason.value.trim();
  submit.disabled = !way.power.may || names || reason;
  submit.textContent = order?.first ? t("rule_order", { card: cardName(order.first) }) : t("rule");
  why.textContent = way.power.may
    ? names
      ? t("name_order")
      : reason
        ? t("give_reason")
        : ""
    : t("takes_rank", { rank: way.power.why });
}

function inputs(way, held) {
  const asks = new Set(way.inputs);
  const made = [];
  if (asks.has("action")) {
    const actions = ["continue", "void", "return-stakes", "cut-to-maximum"];
    made.push(
      field(
        t("action"),
        select(
          actions.map((one) => [one, t(`action_${one.replaceAll("-", "_")}`)]),
          { name: "action" },
        ),
      ),
    );
    const stakes = table.seen.stakes.map((one, number) =>
      check(`${one.box} ${one.player} ${betName(one.bet)}`, { name: "stakes", value: number }),
    );
    if (stakes.length)
      made.push(
        html(
          "fieldset",
          { class: "field" },
          html("legend", { class: "eyebrow" }, t("stakes_about")),
          ...stakes,
        ),
      );
  }
  if (asks.has("intended")) {
    const people = [...new Set(table.seen.stakes.map((one) => one.player))];
    made.push(
      html(
        "fieldset",
        { class: "field" },
        html("legend", { class: "eyebrow" }, t("intended")),
        ...people.map((one) => check(one, { name: "intended", value: one })),
      ),
    );
  }
  if (asks.has("substitutes")) {
    made.push(
      ...held.missing.map((place) =>
        field(
          t("substitute", { place }),
          html("input", { name: "substitute", "data-place": place, placeholder: "9C", autocomplete: "off" }),
        ),
      ),
    );
    made.push(
      field(t("set_aside"), html("input", { name: "set_aside", placeholder: "4D KC", autocomplete: "off" })),
    );
  }
  if (asks.has("replace_cards")) made.push(check(t("replace_cards"), { name: "replace_cards" }));
  const readings = held.interpretations.map((number) =>
    html(
      "span",
      { class: "override" },
      check(t("set_reading_aside", { number }), { name: "overrides", value: number }),
      html("a", { class: "reading", href: `/rules/interpretations#i-${number}` }, t("read_it")),
    ),
  );
  if (readings.length)
    made.push(html("details", { class: "more" }, html("summary", {}, t("readings")), ...readings));
  made.push(field(t("reason"), html("textarea", { name: "reason", rows: 3, maxlength: 400 })));
  return made;
}

async function send(way, form, submit) {
  const given = new FormData(form);
  const inputs = {};
  if (way.reconstructable !== null) inputs.reconstructable = way.reconstructable;
  if (given.get("reason").trim()) inputs.reason = given.get("reason").trim();
  if (given.get("action")) inputs.action = given.get("action");
  if (given.has("replace_cards")) inputs.replace_cards = true;
  if (given.getAll("intended").length) inputs.intended = given.getAll("intended");
  if (given.getAll("overrides").length) inputs.overrides = given.getAll("overrides").map(Number);
  const named = given.getAll("stakes").map((number) => table.seen.stakes[Number(number)]);
  if (named.length && ["return-stakes", "cut-to-maximum"].includes(inputs.action)) {
    inputs.stakes = named.map((one) => [one.player, one.box, one.bet]);
  }
  const swapped = $$("[name=substitute]", form).filter((one) => one.value.trim());
  if (swapped.length)
    inputs.substitutes = Object.fromEntries(
      swapped.map((one) => [one.dataset.place, one.value.trim().toUpperCase()]),
    );
  if (given.get("set_aside")?.trim()) inputs.set_aside = cards(given.get("set_aside")) ?? [];
  const body = order ? { inputs, order: order.order } : { inputs };
  submit.disabled = true;
  await attempt(() => ask("POST", `/api/tables/${table.id}/rule`, body), table.seen.rulebook, t("done"));
  submit.disabled = false;
  refresh();
}

/** Every order of cards drawn together side by side, to choose one. */
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
              html("span", { class: `zh ${side}`, lang: "zh-Hant" }, hand(side, 1)),
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
