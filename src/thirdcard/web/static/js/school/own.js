// From the house's own tables, for trainers: items of rounds that are over, to teach from and to put into a class's lesson.

import { ask, get } from "../api.js";
import { $, button, html } from "../dom.js";
import { announce, attempt, because, field, kindName, lang, name, panel, skillName, t } from "./kit.js";
import { answered } from "./lesson.js";

const place = $("#own");
let of = null;
let tables = [];
let items = [];
const chosen = new Map();

const keyOf = (item) => JSON.stringify(item.name);

async function load() {
  const [classes, found] = await Promise.all([get("/api/school/classes"), get("/api/school/tables")]);
  of = classes.find((one) => one.id === name) ?? classes[0] ?? null;
  tables = of ? found.filter((one) => one.rulebook === of.rulebook) : found;
}

function show() {
  const found = html("div", { id: "found" });
  place.replaceChildren(
    html("div", { class: "hero" }, html("h1", {}, t("own_tables")), html("p", {}, of ? `${of.title} · ` : "", t("own_small"))),
    tables.length
      ? panel(
          "",
          t("show_items"),
          "",
          html(
            "form",
            { class: "make", onsubmit: look },
            field(t("table"), html("select", { name: "table" }, ...tables.map((one) => html("option", { value: one.table }, `${one.title} · ${one.last}`)))),
            field(t("first_round"), html("input", { name: "first", type: "number", min: 1 })),
            field(t("rounds"), html("input", { name: "count", type: "number", min: 1, max: 20, value: 5 })),
            html("button", { class: "btn primary", type: "submit" }, t("show_items")),
          ),
        )
      : html("p", { class: "notice" }, t("own_none")),
    found,
    html("p", { class: "acts" }, html("a", { class: "btn", href: `/school/class?name=${encodeURIComponent(of?.id ?? "")}` }, t("class"))),
  );
}

async function look(event) {
  event.preventDefault();
  const given = new FormData(event.target);
  const asked = new URLSearchParams({ count: String(given.get("count") || 5) });
  if (given.get("first")) asked.set("first", String(given.get("first")));
  const found = await attempt(() => get(`/api/school/tables/${encodeURIComponent(String(given.get("table")))}/items?${asked}&${lang}`));
  if (!found) return;
  items = found.items;
  list();
  announce(t("lesson_count", { count: items.length }));
}

function list() {
  $("#found").replaceChildren(
    items.length ? html("ul", { class: "mined" }, ...items.map(shown)) : html("p", { class: "muted" }, t("own_nothing")),
    of && items.length ? html("p", { class: "acts" }, button("primary", give, { id: "give" }, t("give_lesson", { count: chosen.size })), html("a", { class: "btn quiet", href: `/school/lesson?name=${encodeURIComponent(of.id)}` }, t("lesson"))) : "",
  );
}

function shown(item) {
  const { question, solution } = item;
  return html(
    "li",
    { class: "panel" },
    html("h2", {}, `${kindName(question.kind)} · ${skillName(item.name.skill)}`, html("small", {}, t("round_no", { number: item.name.number }))),
    ...question.tells.map((line) => html("p", {}, line)),
    html(
      "details",
      {},
      html("summary", {}, t("show_answer")),
      answered(item),
      because(solution.reason, item.name.rulebook),
    ),
    of && html("label", { class: "pick" }, html("input", { type: "checkbox", checked: chosen.has(keyOf(item)), onchange: (event) => pick(item, event.target.checked) }), t("into_lesson")),
  );
}

function pick(item, is) {
  if (is) chosen.set(keyOf(item), item.name);
  else chosen.delete(keyOf(item));
  $("#give").textContent = t("give_lesson", { count: chosen.size });
}

async function give() {
  const made = await attempt(() => ask("PUT", `/api/school/classes/${encodeURIComponent(of.id)}/lesson`, { items: [...chosen.values()] }));
  if (!made) return;
  const said = t("lesson_made", { count: made.items });
  $("#give").after(html("span", { class: "notice", role: "status" }, said));
}

await attempt(load);
show();
