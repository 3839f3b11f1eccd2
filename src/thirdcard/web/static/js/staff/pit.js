// The pit: every table, those that wait for somebody first; and a new table.

import { ask, get } from "../api.js";
import { $, html, icon } from "../dom.js";
import { answer, attempt, bookName, cents, check, columns, field, formOf, originOf, own, select, t } from "./say.js";

const LOOK_MS = 2000;
const HANDS = ["player", "banker"];
const chosen = $("#staff").dataset.table;
const waits = (one) => (one.held_up ? 2 : one.house.called ? 1 : 0);
let shown = "";

async function look() {
  if (!document.hidden) {
    try {
      show(await get("/api/tables"));
    } catch {
      // The next look tries again; a table that is open tells of a lost connection itself.
    }
  }
  setTimeout(look, LOOK_MS);
}

function show(tables) {
  tables.sort((a, b) => waits(b) - waits(a));
  const key = JSON.stringify(
    tables.map((one) => [
      one.house.id,
      one.house.closed,
      one.house.called,
      one.phase,
      one.round,
      one.held_up,
    ]),
  );
  if (key === shown) return;
  shown = key;
  const needed = tables.filter(waits).length;
  $("#needed").hidden = !needed;
  $("#needed b").textContent = needed;
  $("#tables").replaceChildren(...tables.map(row));
  const calls = $("#calls");
  if (calls)
    calls.replaceChildren(
      ...(needed ? tables.filter(waits).map(call) : [html("p", { class: "muted" }, t("nobody_calls"))]),
    );
}

const state = (one) =>
  one.house.closed ? t("closed") : one.held_up ? t("stopped") : t(`phase_${one.phase}`);

function row(one) {
  const { id, title, called } = one.house;
  return html(
    "a",
    { class: "trow", href: `/pit/${id}`, "aria-current": id === chosen ? "page" : null },
    html("span", {}, html("b", {}, title), html("small", {}, state(one))),
    waits(one)
      ? html("em", {}, icon("alert"), one.held_up ? t("rule_it") : t("calls_you", { note: called }))
      : html("small", {}, t("round_number", { round: one.round })),
  );
}

function call(one) {
  const { id, title, called } = one.house;
  const text = one.held_up
    ? t("held_up_by", { case: own("cases", one.held_up, one.held_up.replaceAll("-", " ")) })
    : t("dealer_calls", { note: called === "called" ? "" : called });
  return html(
    "article",
    { class: "panel call" },
    icon("alert"),
    html("div", {}, html("h2", {}, title), html("p", { class: "soft" }, text)),
    html("a", { class: "btn", href: `/pit/${id}` }, t("go_there")),
  );
}

// A new table -----------------------------------------------------------------------------------------------

async function newTable(place) {
  const all = await get("/api/rulebooks");
  const books = all.filter((one) => !one.problem);
  const book = select(books.map((one) => [one.slug, bookName(one)]), { name: "rulebook" });
  const from = html("p", { class: "hint" });
  const layout = html("select", { name: "layout" });
  const positions = html("input", { name: "positions", type: "number", required: true });
  const decks = html("input", { name: "decks", type: "number", required: true });
  const money = (name, value, required = true) =>
    html("input", { name, value, inputmode: "decimal", required, autocomplete: "off" });
  const fit = () => {
    const one = books.find((found) => found.slug === book.value);
    from.textContent = `${originOf(one)} · ${t("text_of", { digest: one.digest.slice(0, 12) })}`;
    [decks.min, decks.max] = one.decks;
    decks.value = one.decks[1];
    layout.replaceChildren(
      ...Object.entries(one.layouts).map(([letter, { bets }]) =>
        html("option", { value: letter, "data-hands": JSON.stringify(HANDS.filter((hand) => bets.includes(hand))) }, letter),
      ),
    );
    fitLayout();
  };
  const fitLayout = () => {
    const [low, high] = books.find((found) => found.slug === book.value).layouts[layout.value].positions;
    Object.assign(positions, { min: low, max: high, value: high });
  };
  book.addEventListener("change", fit);
  layout.addEventListener("change", fitLayout);
  const form = formOf(
    create,
    columns(
      field(
        t("new_title"),
        html("input", { name: "title", required: true, maxlength: 80, autocomplete: "off" }),
      ),
      field(
        t("new_id"),
        html("input", {
          name: "id",
          required: true,
          pattern: "[a-z0-9]([a-z0-9\\-]{0,38}[a-z0-9])?",
          placeholder: "salon-2",
          autocomplete: "off",
        }),
      ),
      html("div", { class: "wide" }, field(t("rulebook"), book), from),
      field(t("layout"), layout),
      field(t("positions"), positions),
      field(t("decks"), decks),
      field(
        t("dealer"),
        select(
          [
            ["staff", t("dealer_staff")],
            ["automatic", t("dealer_automatic")],
          ],
          { name: "dealer" },
        ),
      ),
      field(t("hands_min"), money("hands_min", "10")),
      field(t("hands_max"), money("hands_max", "5,000")),
      field(t("sides_min"), money("sides_min", "5")),
      field(t("sides_max"), money("sides_max", "500")),
      field(t("differential"), money("differential", "10,000", false)),
    ),
    check(t("live_odds"), { name: "live_odds" }),
    check(t("private_table"), { name: "private" }),
    html("button", { class: "btn", type: "submit" }, t("create")),
    unusable(all.filter((one) => one.problem)),
  );
  fit();
  place.replaceChildren(form);
}

/** Rulebooks that were found and cannot be used, with the reason. */
function unusable(broken) {
  if (!broken.length) return null;
  const lines = broken.map((one) =>
    html("li", {}, html("b", {}, one.slug), ` (${originOf(one)}): `, html("span", { lang: "en" }, one.problem)),
  );
  return html("details", {}, html("summary", {}, t("not_usable", { count: broken.length })), html("ul", { class: "hint" }, ...lines));
}

async function create(filled, form) {
  const given = Object.fromEntries(filled);
  const amounts = {};
  for (const name of ["hands_min", "hands_max", "sides_min", "sides_max", "differential"]) {
    amounts[name] = given[name] ? cents(given[name]) : undefined;
    if (amounts[name] === null) {
      answer(t("no_amount", { text: given[name] }), { wrong: true });
      form.elements[name].focus();
      return;
    }
  }
  const hands = { min: amounts.hands_min, max: amounts.hands_max };
  const offered = JSON.parse(form.elements.layout.selectedOptions[0].dataset.hands);
  const setup = {
    rulebook: given.rulebook,
    layout: given.layout,
    positions: Number(given.positions),
    decks: Number(given.decks),
    limits: {
      ...Object.fromEntries(offered.map((hand) => [hand, hands])),
      "*": { min: amounts.sides_min, max: amounts.sides_max },
    },
    differential: amounts.differential,
    private: "private" in given,
  };
  const body = {
    id: given.id,
    title: given.title,
    dealer: given.dealer,
    setup,
    live_odds: "live_odds" in given,
  };
  if (await attempt(() => ask("POST", "/api/tables", body), given.rulebook))
    location.assign(`/pit/${given.id}`);
}

if (chosen) import("./pit-table.js");
if ($("#new-table")) newTable($("#new-table"));
look();
