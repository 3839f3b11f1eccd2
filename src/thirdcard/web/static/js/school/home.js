// The school's home: what is due, the drills, what is remembered, the next exam.

import { get } from "../api.js";
import { $, html, svg } from "../dom.js";
import { attempt, bar, book, kindBeside, kindIcon, kindName, lang, moment, panel, ramp, root, skillName, t, tableMap } from "./kit.js";
import { percent } from "../words.js";

const MAIN = ["third-card", "result", "pay", "insurance", "rule", "spot"];
const MORE = ["limits", "squeeze"];
const WEEKS = 12;
const place = $("#home");
const deals = root.dataset.deals === "yes";

const drillLink = (kind) => `/school/drill/${kind}?rulebook=${book}`;

async function load() {
  const wanted = [get("/api/school/progress"), get(`/api/school/progress/${book}`), get(`/api/school/kinds/${book}`), get("/api/school/exams"), get("/api/school/lessons"), get(`/api/school/disputes?${lang}`)];
  if (deals) wanted.push(get("/api/school/shifts"));
  const [brief, of, kinds, exams, lessons, disputes, shifts = []] = await Promise.all(wanted);
  const open = shifts.find((one) => !one.over);
  const last = shifts.find((one) => one.over);
  const result = last ? await get(`/api/school/shifts/${last.table}`) : null;
  return { brief, of, kinds, exams, lessons, disputes, open, result };
}

function show({ brief, of, kinds, exams, lessons, disputes, open, result }) {
  const known = new Map(of.skills.map((one) => [one.skill, one]));
  const has = new Set(kinds.kinds.map((one) => one.kind));
  place.replaceChildren(
    html(
      "div",
      { class: "hm" },
      hero(brief, of),
      html("div", { class: "dgrid" }, ...[...MAIN, ...MORE].filter((kind) => has.has(kind)).map((kind) => drill(kind, brief, of, known))),
      html("div", { class: "wide2" }, deals ? shift(open, result) : null, changed(brief, has)),
    ),
    html(
      "div",
      { class: "hs" },
      panel("memwrap", t("map_title"), t("map_small"), tableMap(known), html("p", { class: "memnote" }, t("map_axes")), ramp()),
      panel("", t("practice_title"), t("practice_small", { longest: brief.longest_streak }), calendar(brief)),
      exam(exams),
      ...lessons.map(lesson),
      disputes.length > 0 && panel("", t("my_disputes"), "", html("ul", { class: "mw" }, ...disputes.slice(0, 5).map((one) => html("li", {}, html("b", {}, t(`dispute_${one.state}`)), ` ${skillName(one.item.name.skill)}`, one.note && html("small", {}, one.note))))),
      html("p", { class: "acts own" }, html("a", { class: "btn quiet sm", href: "/api/school/export", download: "school.json" }, t("export"))),
    ),
  );
}

function hero(brief, of) {
  const due = of.due.length;
  const weakest = of.weak[0];
  const minutes = Math.max(1, Math.round((Math.min(due || 8, 40) * 24) / 60));
  const low = of.skills.filter((one) => one.remembered < 0.7).length;
  return html(
    "section",
    { class: "panel hero" },
    html(
      "div",
      {},
      html("p", { class: "eyebrow" }, t("about_minutes", { minutes })),
      html("h1", {}, due ? t("due_title", { count: due }) : t("nothing_due")),
      html("p", {}, due && weakest ? t("hero_weak", { skill: skillName(weakest), low }) : t("hero_new", { left: brief.new_left })),
    ),
    html("a", { class: "btn primary huge", href: drillLink("today"), id: "start" }, due ? t("start_due", { count: due }) : t("start_new"), html("kbd", {}, "Enter")),
  );
}

function drill(kind, brief, of, known) {
  const one = brief.kinds.find((found) => found.kind === kind);
  const due = of.due.filter((skill) => skill.startsWith(`${kind}/`)).length;
  const weak = of.weak.find((skill) => skill.startsWith(`${kind}/`));
  return html(
    "a",
    { class: "panel dcard", href: drillLink(kind) },
    html("span", { class: "dhead" }, html("span", { class: "dic" }, kindIcon(kind)), html("span", {}, html("b", { class: "dn" }, kindName(kind)), html("span", { class: "dz", lang: root.dataset.beside }, kindBeside(kind))), html("span", { class: due ? "due" : "due none" }, due ? t("due_count", { count: due }) : t("none_due"))),
    html("span", { class: "dp" }, t(`about_${kind}`)),
    html("span", { class: "weak" }, weak ? [t("weakest", { skill: skillName(weak) }), " ", html("i", {}, (known.get(weak)?.paragraphs ?? []).slice(0, 2).join(" "))] : t("not_met")),
    html(
      "span",
      { class: "dnum" },
      html("span", {}, html("em", { class: "eyebrow" }, t("rating")), html("b", {}, one?.rating ?? 1500), html("small", {}, ` ± ${one?.deviation ?? 350}`)),
      html("span", {}, html("em", { class: "eyebrow" }, t("remembered")), html("b", {}, one?.remembered === null || !one ? "–" : percent(one.remembered))),
      spark(one?.history ?? []),
    ),
  );
}

function spark(history) {
  const shown = history.slice(-12);
  if (shown.length < 2) return null;
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const points = shown.map((value, at) => `${(at * 90) / (shown.length - 1)},${30 - ((value - low) / (high - low || 1)) * 26}`).join(" ");
  return svg("svg", { class: "spark", viewBox: "-2 0 94 34", width: 94, height: 34, "aria-hidden": "true" }, svg("polyline", { points }));
}

function shift(open, result) {
  const href = open ? (open.post === "desk" ? `/dealer/${open.table}` : `/pit/${open.table}`) : `/school/shift?rulebook=${book}`;
  return html(
    "section",
    { class: "panel shiftc" },
    html("span", { class: "dic big" }, kindIcon("shift")),
    html("div", {}, html("h2", {}, t("shift"), " ", html("span", { class: "dz", lang: root.dataset.beside }, t("shift_beside"))), html("p", {}, t("shift_about"))),
    result && html("a", { class: "lastbest", href: `/school/shifts/${result.about.table}` }, html("span", { class: "eyebrow" }, t("last_shift")), html("b", {}, result.marks.score), html("small", {}, t("of_100"))),
    html("a", { class: "btn", href }, open ? t("shift_go_on") : t("shift_take")),
  );
}

function changed(brief, has) {
  const one = brief.kinds.find((found) => found.kind === "changed");
  if (!has.has("changed")) return null;
  return html(
    "section",
    { class: "panel shiftc" },
    html("span", { class: "dic big" }, kindIcon("changed")),
    html("div", {}, html("h2", {}, kindName("changed"), " ", html("span", { class: "dz", lang: root.dataset.beside }, kindBeside("changed"))), html("p", {}, t("about_changed"))),
    one && html("span", { class: "lastbest" }, html("span", { class: "eyebrow" }, t("remembered")), html("b", {}, one.remembered === null ? "–" : percent(one.remembered))),
    html("a", { class: "btn", href: drillLink("changed") }, t("compare")),
  );
}

/** Twelve weeks, a column each, Monday above. */
function calendar(brief) {
  const monday = brief.day - ((brief.day + 3) % 7);
  const cells = [];
  for (let week = 0; week < WEEKS; week += 1) {
    for (let weekday = 0; weekday < 7; weekday += 1) {
      const on = monday - (WEEKS - 1 - week) * 7 + weekday;
      if (on > brief.day) continue;
      const count = brief.practice[on] ?? 0;
      const kind = count ? (count > 30 ? "v3" : count > 10 ? "v2" : "v1") : "";
      cells.push(svg("rect", { class: `cd ${kind}`, x: week * 26, y: weekday * 14, width: 22, height: 11, rx: 3 }));
    }
  }
  const days = Object.keys(brief.practice).length;
  return svg("svg", { class: "cal", viewBox: "0 0 310 98", role: "img", "aria-label": t("practice_label", { days, streak: brief.streak }) }, ...cells);
}

const lesson = (one) =>
  panel("examc", t("lesson"), t("lesson_small"), html("h3", { class: "serif" }, one.title), html("p", {}, t("lesson_count", { count: one.items })), html("a", { class: "btn full", href: `/school/lesson?name=${encodeURIComponent(one.name)}` }, t("lesson_begin")));

function exam(exams) {
  const mine = exams.filter((one) => one.mine && one.mine.state !== "finished" && !one.over);
  const done = exams.filter((one) => one.mine?.state === "finished").at(-1);
  const next = mine[0];
  if (!next) {
    return panel("examc", t("next_exam"), "", html("p", {}, t("no_exam")), done && html("p", {}, html("a", { href: `/school/exams/${done.id}` }, t("last_exam", { title: done.plan.title }))));
  }
  return panel(
    "examc",
    t("next_exam"),
    t("set_by", { name: next.by }),
    html("h3", { class: "serif" }, next.plan.title),
    html("p", {}, t("exam_plan", { items: next.items, minutes: next.plan.minutes, pass: next.plan.pass_mark, when: moment(next.opens) })),
    next.chance !== null && html("div", { class: "rd" }, html("p", { class: "row" }, t("chance"), html("b", {}, percent(next.chance))), bar(next.chance)),
    html("a", { class: "btn full", href: `/school/exams/${next.id}` }, next.mine.state === "running" ? t("exam_go_on") : t("exam_open")),
  );
}

$("#book-choice").addEventListener("change", (event) => (location.search = `?rulebook=${event.target.value}`));
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target === document.body) $("#start")?.click();
});
const found = await attempt(load);
if (found) show(found);
