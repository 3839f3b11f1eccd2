// The class, for trainers: who is weak at what, a tile a paragraph, what to teach next, exams; classes and exams are made here.

import { ask, get } from "../api.js";
import { $, html } from "../dom.js";
import { percent, phrase } from "../words.js";
import { attempt, book, books, cites, field, kindName, lang, moment, name, panel, ramp, rows, scrolled, skillName, solved, t, tone } from "./kit.js";
import { inWords, isRight } from "./lesson.js";

const place = $("#class");
const DAY = 86400e6;
const LESSON = 12; // items of a lesson that is made of misses: some ten minutes
let classes = [];
let exams = [];
let usual = null; // the plan of a dealer's exam, with all other kinds that the layout has

async function load() {
  [classes, exams] = await Promise.all([get("/api/school/classes"), get("/api/school/exams")]);
  const chosen = classes.find((one) => one.id === name) ?? classes[0];
  if (!chosen) return null;
  const [of, kinds, plan] = await Promise.all([
    get(`/api/school/classes/${encodeURIComponent(chosen.id)}?${lang}`),
    get(`/api/school/kinds/${chosen.rulebook}?layout=${chosen.layout}`),
    get(`/api/school/exams/plan/${chosen.rulebook}?layout=${chosen.layout}`),
  ]);
  const asked = new Set(plan.parts.map((one) => one.kind));
  const others = kinds.kinds.filter((one) => !asked.has(one.kind)).map((one) => ({ kind: one.kind, items: 0, level: plan.parts[0].level, least: 0 }));
  usual = { ...plan, parts: [...plan.parts, ...others] };
  return of;
}

function show(of) {
  place.replaceChildren(...(of ? [grid(of), aside(of), paragraphs(of)] : []), making(of));
  if (!of) return;
  $(".topbar .title span").textContent = t("class_told", { title: of.title, count: of.members.length });
  const exam = $("#make-exam");
  exam.hidden = false;
  exam.addEventListener("click", (event) => {
    event.preventDefault(); // going there would take the focus away again
    $("#new-exam input").focus();
  });
}

// Who is weak at what ---------------------------------------------------------------------------------------

const cell = (of, member, kind) => {
  const share = member.kinds[kind];
  const met = share !== null && share !== undefined;
  return html(
    "td",
    { class: `hc ${tone(share)}` },
    met ? html("button", { type: "button", "aria-label": t("cell", { name: member.name, kind: kindName(kind), share: percent(share) }), onclick: () => behind(of, { member: member.name, kind }) }, Math.round(share * 100)) : "–",
  );
};

/** The latest shift, which opens its result; the best where that was another. */
function shift(of, member) {
  const last = member.shifts.at(-1);
  if (!last) return html("td", { class: `hc ${tone(null)}` }, "–");
  const [table, score] = last;
  const best = Math.max(...member.shifts.map((one) => one[1]));
  const label = t("shift_cell", { name: member.name, score, best });
  return html("td", { class: `hc ${tone(score / 100)}` }, html("a", { href: `/school/shifts/${encodeURIComponent(table)}`, "aria-label": label, title: label }, score));
}

function grid(of) {
  return html(
    "section",
    { class: "panel kg" },
    html("h2", {}, t("who_weak"), html("small", {}, t("who_weak_small"))),
    ramp(),
    scrolled(t("who_weak"), rows(
      "cg",
      [t("trainee"), ...of.kinds.map(kindName), t("shift_word"), [t("due_short"), "r"], [t("pass_today"), "r"]],
      ...of.members.map((one) =>
        html("tr", {}, html("th", { scope: "row" }, html("b", {}, one.name), html("small", {}, phrase(`staff_role_${one.role}`))), ...of.kinds.map((kind) => cell(of, one, kind)), shift(of, one), html("td", { class: "r" }, one.due), html("td", { class: "r" }, html("b", {}, percent(one.pass_today)))),
      ),
    )),
    html("div", { id: "behind" }),
  );
}

/** The lesson of the class: what was answered wrong behind a paragraph, each item once. */
async function teach(of, paragraph) {
  const found = await attempt(() => get(`/api/school/classes/${encodeURIComponent(of.id)}/items?${new URLSearchParams({ paragraph })}`));
  if (!found) return;
  const names = new Map(found.filter((one) => !one.right).map((one) => [JSON.stringify(one.item), one.item]));
  const given = await attempt(() => ask("PUT", `/api/school/classes/${encodeURIComponent(of.id)}/lesson`, { items: [...names.values()].slice(0, LESSON) }));
  if (given) $("#taught").textContent = t("lesson_made", { count: given.items });
}

/** The items behind a cell or a tile. */
async function behind(of, wanted) {
  const found = await attempt(() => get(`/api/school/classes/${encodeURIComponent(of.id)}/items?${new URLSearchParams(wanted)}`));
  if (!found) return;
  const shown = found.slice(0, 12);
  const items = await attempt(() => Promise.all(shown.map((one) => solved(one.item))));
  const at = $("#behind");
  const line = (item, place_) => {
    const one = shown[place_];
    if (!item) return html("tr", {}, html("td", {}, one.name), html("td", { colspan: 3 }, skillName(one.item.skill)));
    const part = item.question.parts.find((found_) => !isRight(item, found_, one.answers[found_.name])) ?? item.question.parts[0];
    return html("tr", { class: one.right ? "" : "no" }, html("td", {}, one.name), html("td", {}, skillName(item.name.skill)), html("td", {}, inWords(part, one.answers[part.name])), html("td", {}, inWords(part, item.solution.answers[part.name])));
  };
  at.replaceChildren(
    html("h3", { tabindex: "-1" }, t("behind", { what: wanted.paragraph ? `${wanted.paragraph} ${of.titles[wanted.paragraph] ?? ""}`.trim() : `${wanted.member}, ${kindName(wanted.kind)}` })),
    found.length
      ? scrolled(t("asked"), rows("tiny", [t("trainee"), t("asked"), t("you_theirs"), t("right_answer")], ...(items ?? []).map(line)))
      : html("p", { class: "muted" }, t("none_behind")),
  );
  $("h3", at).focus();
}

// Beside ----------------------------------------------------------------------------------------------------

function aside(of) {
  const next = of.teach_next;
  return html(
    "div",
    { class: "kr" },
    next && next.would_fail > 0 && panel("teach", t("teach_next"), "", html("h3", { class: "serif" }, of.titles[next.paragraph], ...cites([next.paragraph], of.rulebook)), html("p", {}, t("teach_why", { share: percent(next.would_fail), times: next.in_100_rounds.toFixed(1) })), next.wrong_answers > 0 && html("button", { type: "button", class: "btn primary full", onclick: () => teach(of, next.paragraph) }, t("lesson_make", { count: Math.min(next.wrong_answers, LESSON) })), html("button", { type: "button", class: "btn full", onclick: () => behind(of, { paragraph: next.paragraph }) }, t("teach_lesson", { count: next.wrong_answers })), html("p", { id: "taught", role: "status" })),
    html("p", { class: "acts" }, html("a", { class: "btn", href: `/school/own?name=${encodeURIComponent(of.id)}` }, t("own_tables")), html("a", { class: "btn quiet", href: `/school/lesson?name=${encodeURIComponent(of.id)}` }, t("lesson"))),
    panel("", t("exams"), t("sealed_sets"), examList()),
    of.most_wrong.length > 0 && panel("", t("most_wrong"), "", html("ul", { class: "mw" }, ...of.most_wrong.slice(0, 6).map((one) => html("li", {}, html("b", {}, t("of", { done: one.wrong, all: one.answered })), " ", html("button", { type: "button", class: "linklike", "aria-expanded": "false", onclick: (event) => wrongAnswers(event.currentTarget, of, one.skill) }, skillName(one.skill)), ...cites(one.paragraphs.slice(0, 2), of.rulebook))))),
  );
}

/** What people answer instead, under a skill: shown, and hidden again. */
async function wrongAnswers(pressed, of, skill) {
  if (pressed.parentElement.querySelector("ul")) {
    pressed.parentElement.querySelector("ul").remove();
    pressed.setAttribute("aria-expanded", "false");
    return;
  }
  const found = await attempt(() => get(`/api/school/wrong/${of.rulebook}?${new URLSearchParams({ skill })}&${lang}`));
  if (!found) return;
  pressed.setAttribute("aria-expanded", "true");
  pressed.parentElement.append(html("ul", { class: "dots" }, ...(found.length ? found.map((one) => html("li", {}, `${one.says} `, html("b", {}, `×${one.count}`))) : [html("li", {}, t("no_answers_kept"))])));
}

const examList = () =>
  exams.length
    ? html("table", { class: "ex" }, html("tbody", {}, ...exams.slice(-6).map((one) => html("tr", {}, html("th", { scope: "row" }, html("a", { href: `/school/exams/${one.id}` }, one.plan.title), html("small", {}, `${moment(one.opens)} · ${t("sealed")} ${one.seal.slice(0, 8)}…`)), html("td", { class: "r" }, outcome(one))))))
    : html("p", { class: "muted" }, t("no_exams"));

function outcome(one) {
  const done = (one.people ?? []).filter((found) => found.result);
  if (!done.length) return t("enrolled", { count: (one.people ?? []).length });
  return t("passed_of", { passed: done.filter((found) => found.result.passed).length, all: done.length });
}

function paragraphs(of) {
  const met = of.paragraphs.filter((one) => one.remembered !== null);
  const never = of.paragraphs.filter((one) => one.remembered === null);
  return panel(
    "kp2",
    t("by_paragraph"),
    `${books[of.rulebook] ?? of.rulebook}. ${t("by_paragraph_small")}`,
    met.length
      ? html("div", { class: "pg" }, ...met.map((one) => html("button", { type: "button", class: `pt ${tone(one.remembered)}${one.stale ? " old" : ""}`, onclick: () => behind(of, { paragraph: one.paragraph }) }, html("b", {}, one.paragraph), html("span", { title: of.titles[one.paragraph] }, of.titles[one.paragraph]), html("em", {}, Math.round(one.remembered * 100)))))
      : html("p", { class: "muted" }, t("nothing_met")),
    met.length > 0 && never.length > 0 && html("details", { class: "never" }, html("summary", {}, t("never_met", { count: never.length })), html("ul", { class: "unmet" }, ...never.map((one) => html("li", {}, ...cites([one.paragraph], of.rulebook), " ", of.titles[one.paragraph])))),
  );
}

// Making ----------------------------------------------------------------------------------------------------

const slugs = () => Object.entries(books).map(([slug, title]) => html("option", { value: slug, selected: slug === book }, title));

function making(of) {
  return html(
    "div",
    { class: "kmake" },
    panel(
      "",
      t("choose_class"),
      "",
      classes.length > 0 && html("nav", { class: "pills" }, ...classes.map((one) => html("a", { class: "pill", href: `?name=${encodeURIComponent(one.id)}`, "aria-current": of?.id === one.id ? "true" : null }, one.title))),
      html(
        "form",
        { class: "make", onsubmit: makeClass },
        field(t("class_title"), html("input", { name: "title", required: true, maxlength: 80, autocomplete: "off" })),
        field(t("rulebook"), html("select", { name: "rulebook" }, ...slugs())),
        field(t("members"), html("input", { name: "members", required: true, autocomplete: "off", placeholder: t("members_how") })),
        html("button", { class: "btn", type: "submit" }, t("make_class")),
      ),
    ),
    of && html("div", { id: "new-exam" }, panel("", t("new_exam"), "", examForm(of))),
  );
}

async function makeClass(event) {
  event.preventDefault();
  const given = new FormData(event.target);
  const title = String(given.get("title")).trim();
  const id = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 38) || `class-${Date.now() % 1e6}`;
  const rulebook = String(given.get("rulebook"));
  const kinds = await attempt(() => get(`/api/school/kinds/${rulebook}`));
  if (!kinds) return;
  const members = String(given.get("members")).split(/[\s,]+/).filter(Boolean);
  const made = await attempt(() => ask("PUT", `/api/school/classes/${id}`, { title, rulebook, layout: kinds.layout, members }));
  if (made) location.search = `?name=${encodeURIComponent(made.id)}`;
}

function examForm(of) {
  const opens = new Date();
  return html(
    "form",
    { class: "make", onsubmit: (event) => makeExam(event, of) },
    field(t("exam_title"), html("input", { name: "title", required: true, maxlength: 80, autocomplete: "off" })),
    field(t("exam_items"), html("input", { name: "items", type: "number", min: 0, max: 200, value: 0 })),
    field(t("exam_minutes"), html("input", { name: "minutes", type: "number", min: 1, max: 480, value: 40 })),
    field(t("exam_pass"), html("input", { name: "pass", type: "number", min: 1, max: 100, value: 85 })),
    field(t("exam_opens"), html("input", { name: "opens", type: "datetime-local", value: new Date(opens.getTime() - opens.getTimezoneOffset() * 60000).toISOString().slice(0, 16) })),
    html("details", { class: "byparts" }, html("summary", {}, t("exam_by_part")), partsTable()),
    html("button", { class: "btn primary", type: "submit" }, t("make_exam")),
  );
}

/** How many items of each part are asked, and how many of a hundred have to be right. */
function partsTable() {
  const number = (name, kind, label, value) => html("td", { class: "r" }, html("input", { name: `${name}-${kind}`, type: "number", min: 0, max: 100, value, "aria-label": `${kindName(kind)}: ${label}` }));
  const line = (one) => html("tr", {}, html("th", { scope: "row" }, kindName(one.kind)), number("items", one.kind, t("items"), one.items), number("least", one.kind, t("least"), one.least));
  return rows("", [t("part"), [t("items"), "r"], [`${t("least")} %`, "r"]], ...usual.parts.map(line));
}

/** The plan as it was set, or so many items in the same shares. */
async function makeExam(event, of) {
  event.preventDefault();
  const given = new FormData(event.target);
  const wanted = Number(given.get("items"));
  const set = usual.parts.map((one) => ({ ...one, items: Number(given.get(`items-${one.kind}`)), least: Number(given.get(`least-${one.kind}`)) })).filter((one) => one.items > 0);
  const all = set.reduce((sum, one) => sum + one.items, 0);
  const parts = wanted ? set.map((one) => ({ ...one, items: Math.max(1, Math.round((one.items * wanted) / all)) })) : set;
  const opens = Math.min(new Date(String(given.get("opens"))).getTime(), Date.now() + 80 * 86400e3) * 1000;
  const plan = { ...usual, title: String(given.get("title")).trim(), parts, minutes: Number(given.get("minutes")), pass_mark: Number(given.get("pass")) };
  const people = Object.fromEntries(of.members.map((one) => [one.name, 0]));
  const made = await attempt(() => ask("POST", "/api/school/exams", { plan, people, opens, closes: Math.max(opens, Date.now() * 1000) + DAY }));
  if (made) location.href = `/school/exams/${made.id}`;
}

const found = await attempt(load);
if (found !== undefined) show(found);
