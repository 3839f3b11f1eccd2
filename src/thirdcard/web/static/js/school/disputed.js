// Items that people think are wrong, for trainers: made again, with how the engine worked them out; upheld or explained.

import { ask, get } from "../api.js";
import { $, html } from "../dom.js";
import { inWords, isRight, trace } from "./lesson.js";
import { announce, attempt, books, field, kindName, lang, panel, rows, scrolled, skillName, t } from "./kit.js";

const place = $("#disputed");

/** What somebody said of an item: the first part that they answered otherwise. */
function said(one, each) {
  const part = one.item.question.parts.find((found) => !isRight(one.item, found, each.given[found.name])) ?? one.item.question.parts[0];
  return html("tr", {}, html("td", {}, part.asks), html("td", {}, inWords(part, each.given[part.name])), html("td", {}, each.reason));
}

function shown(one) {
  const { name } = one.item;
  return panel(
    "disputed",
    skillName(name.skill),
    t("disputed_by", { people: one.people, skill: one.of_skill }),
    html("p", { class: "muted" }, `${kindName(name.kind)} · ${books[name.rulebook] ?? name.rulebook} · ${t("level", { level: name.level })}`),
    html("ul", { class: "dots" }, ...one.trace.tells.map((line) => html("li", {}, line))),
    scrolled(t("dispute_said"), rows("tiny", [t("asked"), t("you_theirs"), t("dispute_said")], ...one.said.map((each) => said(one, each)))),
    html("h3", {}, t("dispute_trace")),
    ...trace(one.trace, name.rulebook),
    html(
      "form",
      { class: "make", onsubmit: (event) => settle(event, one) },
      field(t("dispute_note"), html("textarea", { name: "note", required: true, minlength: 3, maxlength: 500, rows: 3 })),
      html("p", { class: "acts" }, html("button", { type: "submit", class: "btn primary", value: "explained" }, t("dispute_explain")), html("button", { type: "submit", class: "btn", value: "upheld" }, t("dispute_uphold"))),
    ),
  );
}

async function settle(event, one) {
  event.preventDefault();
  const note = String(new FormData(event.target).get("note")).trim();
  const done = await attempt(() => ask("POST", `/api/school/disputed/${one.id}/settle`, { upheld: event.submitter?.value === "upheld", note }));
  if (!done) return;
  await load();
  announce(t("dispute_settled", { count: done.people }));
  $("#disputed-title").focus();
}

async function load() {
  const items = [];
  let after = "";
  do {
    const found = await attempt(() => get(`/api/school/disputed?${lang}&after=${encodeURIComponent(after)}`));
    if (!found) return;
    items.push(...found.items);
    after = found.next;
  } while (after);
  place.replaceChildren(...(items.length ? items.map(shown) : [html("p", { class: "muted" }, t("nothing_disputed"))]));
}

await load();
