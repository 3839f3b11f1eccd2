// An exam: what it asks and its seal, one sitting by the server's clock, the result once it is over.

import { ask, get } from "../api.js";
import { $, button, html, icon } from "../dom.js";
import { percent } from "../words.js";
import { spotsOf } from "./felt.js";
import { announce, attempt, bar, because, books, cites, exam, field, kindName, lang, moment, panel, rows, scrolled, t } from "./kit.js";
import { inWords, whatWasRight } from "./lesson.js";
import { feltOf, onKeys, Questions } from "./questions.js";
import { Replay } from "./replay.js";

const place = $("#exam");
const path = (more = "") => `/api/school/exams/${exam}${more}`;
let told = null;
let questions = null;
let replay = null;
let until = 0; // by this browser's own clock, in milliseconds
let number = 1;

async function begin() {
  told = await attempt(() => get(path()));
  if (!told) return;
  const state = told.mine?.state;
  if (state === "finished") await result();
  else if (state === "running") await sit();
  else if (!told.mine) await overview();
  else before();
}

// Before ------------------------------------------------------------------------------------------------------

function plan() {
  const line = (one) => html("tr", {}, html("th", { scope: "row" }, kindName(one.kind)), html("td", { class: "r" }, one.items), html("td", { class: "r" }, one.least ? `${one.least}%` : "–"));
  return panel("", t("exam_parts"), "", rows("", [t("part"), [t("items"), "r"], [t("least"), "r"]], ...told.plan.parts.map(line)));
}

function head() {
  return html(
    "div",
    { class: "hero" },
    html("h1", {}, told.plan.title),
    html("p", {}, t("exam_plan", { items: told.items, minutes: told.plan.minutes + (told.mine?.extra ?? 0), pass: told.plan.pass_mark, when: moment(told.opens) })),
    html("p", { class: "seal" }, t("sealed"), " ", html("code", {}, told.seal)),
  );
}

function before() {
  const early = told.now < told.opens;
  place.replaceChildren(
    head(),
    plan(),
    panel("", t("exam_rules"), "", html("ul", { class: "dots" }, ...["one_sitting", "no_marks", "server_clock", "lost_line"].map((one) => html("li", {}, t(`exam_${one}`))))),
    html("p", { class: "acts" }, button("primary huge2", start, { disabled: early, id: "next" }, early ? t("exam_early", { when: moment(told.opens) }) : t("exam_begin"))),
  );
}

async function start() {
  const begun = await attempt(() => ask("POST", path("/begin")));
  if (!begun) return;
  told = begun;
  await sit();
}

// Sitting -----------------------------------------------------------------------------------------------------

async function sit() {
  const first = await attempt(() => get(path(`/items/${number}?${lang}`)));
  if (!first) return;
  await show(first);
  tick();
}

function synced({ until: ends, now }) {
  until = Date.now() + (ends - now) / 1000;
}

async function show(asked) {
  synced(asked);
  const spots = (await attempt(() => spotsOf(asked.question))) ?? null; // without a felt they are chosen from a list
  number = asked.number;
  told.of = asked.of;
  told.done ??= new Set();
  if (Object.keys(asked.given).length) told.done.add(asked.number);
  questions = new Questions(asked.question, { done: (answers) => keep(asked.number, answers), given: asked.given, last: t("keep"), spots });
  replay = asked.question.kind === "spot" ? new Replay(asked.question, stopped, { given: asked.given.step, again: () => show({ ...asked, given: {} }) }) : null;
  draw(asked.question);
  announce(`${t("of", { done: number, all: asked.of })}. ${questions.asks}`);
}

/** What stopping a replay answers; one that ran to its end is answered with that. */
function stopped(answers) {
  if (replay.by) Object.assign(questions.answers, answers);
  else questions.takeOver(answers);
  if (questions.parts.every((part) => part.name in answers)) return;
  questions.draw();
  draw(questions.question);
  questions.focus();
}

function draw(question) {
  const waits = replay && !replay.over;
  place.replaceChildren(
    html(
      "div",
      { class: "drillbar" },
      html("p", { class: "dname" }, html("b", {}, told.plan.title), html("span", {}, kindName(question.kind))),
      html("span", { class: "count num", id: "count" }, t("of", { done: number, all: told.of })),
      html("div", { class: "dright" }, html("b", { class: "clock", id: "left", role: "timer" }, ""), button("sm", finish, {}, t("hand_in"))),
    ),
    html(
      "div",
      { class: "drill parts" },
      feltOf(questions, replay),
      html(
        "aside",
        { class: "dside" },
        replay?.log,
        !waits && questions.element,
        html("nav", { class: "xnav", "aria-label": t("items") }, button("quiet", () => go(number - 1), { disabled: number === 1 }, icon("back"), t("before")), button("", () => go(number + 1), { disabled: number === told.of }, t("skip"), html("kbd", {}, "→"))),
      ),
    ),
  );
  clock();
  if (!waits) questions.focus();
}

async function keep(item, answers) {
  const kept = await attempt(() => ask("PUT", path(`/items/${item}`), { answers }));
  if (!kept) return;
  synced(kept);
  told.done.add(item);
  if (kept.answered === told.of) await confirmed();
  else await go(item < told.of ? item + 1 : [...Array(told.of).keys()].map((one) => one + 1).find((one) => !told.done.has(one)) ?? 1);
}

async function go(to) {
  if (to < 1 || to > told.of) return;
  const asked = await attempt(() => get(path(`/items/${to}?${lang}`)));
  if (asked) await show(asked);
}

async function confirmed() {
  questions = null;
  place.replaceChildren(
    html(
      "section",
      { class: "panel ended page narrow" },
      html("h1", { class: "serif", tabindex: "-1" }, t("all_answered")),
      html("p", { class: "acts" }, button("primary", finish, { id: "next" }, t("hand_in"), html("kbd", {}, "Enter")), button("", () => go(1), {}, t("look_again"))),
      html("b", { class: "clock", id: "left", role: "timer" }, ""),
    ),
  );
  $("h1").focus();
}

let sure = false;

/** The exam as it is now; what was answered here stays known. */
async function renew() {
  const found = await attempt(() => get(path()));
  if (found) told = { ...found, of: told.of, done: told.done };
}

/** Pressed twice while something is not answered. */
async function finish() {
  if (told.mine?.state === "finished") return;
  if (told.done.size < told.of && !sure) {
    sure = true;
    announce(t("hand_in_sure", { left: told.of - told.done.size }));
    const line = $("#wrong");
    line.textContent = t("hand_in_sure", { left: told.of - told.done.size });
    line.hidden = false;
    return;
  }
  const done = await attempt(() => ask("POST", path("/finish")));
  if (done) {
    await renew();
    await result();
  }
}

function clock() {
  const left = Math.max(0, Math.round((until - Date.now()) / 1000));
  const text = $("#left");
  if (text) text.textContent = `${String(Math.floor(left / 60)).padStart(2, "0")}:${String(left % 60).padStart(2, "0")}`;
  return left;
}

async function tick() {
  if (told.mine?.state === "finished") return;
  if (clock() === 0 && until) {
    await renew();
    if (told.mine.state === "finished") {
      await result();
      return;
    }
  }
  setTimeout(tick, 1000);
}

// After -------------------------------------------------------------------------------------------------------

async function result() {
  told.mine.state = "finished";
  questions = null;
  const found = await attempt(() => get(path("/result")));
  if (!found) return;
  const { result: of } = found;
  const share = of.items ? of.right / of.items : 0;
  place.replaceChildren(
    html(
      "div",
      { class: "hero" },
      html("p", { class: "eyebrow" }, found.title),
      html("h1", { tabindex: "-1", id: "verdict" }, t(of.passed ? "passed" : "not_passed", { share: percent(share) })),
      html("p", {}, t("result_told", { right: of.right, items: of.items, pass: of.pass_mark })),
      found.lapsed && !found.renewed_by && html("p", { class: "notice" }, t(of.passed ? "lapsed" : "changed_since")),
      found.renewed_by && html("p", { class: "notice" }, t("renewed_by"), " ", html("a", { href: `/school/exams/${found.renewed_by}` }, found.renewed_by)),
      found.renews && html("p", {}, t("renews"), " ", html("a", { href: `/school/exams/${found.renews}` }, found.renews)),
    ),
    panel("", t("by_part"), "", rows(
      "",
      [t("part"), [t("items"), "r"], [t("right_count"), "r"], [t("share"), "r"], html("span", { class: "hidden" }, t("share"))],
      ...of.parts.map((one) => html("tr", {}, html("th", { scope: "row" }, kindName(one.kind)), html("td", { class: "r" }, one.items), html("td", { class: "r" }, one.right), html("td", { class: "r" }, percent(one.right / (one.items || 1)), one.enough ? "" : ` · ${t("too_few")}`), html("td", {}, bar(one.right / (one.items || 1))))),
    )),
    found.open ? await wrongOnes(of) : html("p", { class: "notice" }, t("still_sealed")),
    html("p", { class: "acts" }, found.open && html("a", { class: "btn primary", href: `/school/exams/${exam}/certificate` }, t("certificate")), html("a", { class: "btn", href: "/school" }, t("back"))),
  );
  $("#verdict").focus();
  announce(t(of.passed ? "passed" : "not_passed", { share: percent(share) }));
}

async function wrongOnes(of) {
  const items = (await attempt(() => Promise.all(of.wrong.slice(0, 30).map((one) => get(path(`/set/${one.place}?${lang}`)))))) ?? [];
  const line = (one) => html("tr", {}, html("td", {}, one.place + 1), html("td", {}, ...whatWasRight(one), one.struck ? html("p", { class: "muted" }, t("struck", { reason: one.struck })) : doubt(one.place)), html("td", {}, ...cites(one.item.solution.paragraphs.slice(0, 3), told.plan.rulebook)));
  const all = items.length ? rows("", [t("item"), t("what_was_right"), t("paragraph")], ...items.map(line)) : html("p", {}, t("nothing_wrong"));
  return panel("", t("wrong_and_why"), "", all);
}

const reasonFor = (label, act, send) =>
  html(
    "details",
    { class: "doubt" },
    html("summary", {}, act),
    html("form", { class: "make", onsubmit: send }, field(label, html("input", { name: "reason", required: true, minlength: 3, maxlength: 500, autocomplete: "off" })), html("button", { class: "btn sm", type: "submit" }, act)),
  );

const reasonOf = (event) => {
  event.preventDefault();
  return { reason: String(new FormData(event.target).get("reason")).trim() };
};

/** Somebody thinks that an item is wrong: the trainer is told. */
const doubt = (at) =>
  reasonFor(t("doubt_why"), t("doubt"), async (event) => {
    const form = event.target;
    const said = await attempt(() => ask("POST", path(`/set/${at}/challenge`), reasonOf(event)));
    if (said !== undefined) form.replaceChildren(html("p", { role: "status" }, t("doubted")));
  });

// For the trainer ---------------------------------------------------------------------------------------------

async function overview() {
  place.replaceChildren(
    head(),
    told.renews && html("p", {}, t("renews"), " ", html("a", { href: `/school/exams/${told.renews}` }, told.renews)),
    plan(),
    panel("", t("candidates"), "", scrolled(t("candidates"), html("table", {}, html("tbody", {}, ...(told.people ?? []).map(candidate))))),
    await challenged(),
    told.seed ? html("p", { class: "seal" }, t("opened"), " ", html("code", {}, told.seed)) : null,
    told.over && told.later && (told.people ?? []).some((one) => one.result?.passed) && panel("", t("lapsed_word"), "", html("p", {}, t("renew_why", { title: books[told.later] ?? told.later })), ...told.renewed.map((one) => html("p", {}, t("renewed_by"), " ", html("a", { href: `/school/exams/${one}` }, one))), button("primary", renewal, {}, t("renew"))),
    html("p", { class: "acts" }, html("a", { class: "btn", href: "/school/class" }, t("class"))),
  );
}

function candidate(one) {
  const result = one.result ? `${percent(one.result.right / (one.result.items || 1))} · ${t(one.result.passed ? "passed_word" : "failed_word")}` : "";
  const waits = one.state === "invited" && !told.over;
  return html(
    "tr",
    {},
    html("th", { scope: "row" }, one.name),
    html("td", {}, t(`state_${one.state}`)),
    html("td", { class: "r" }, result),
    html(
      "td",
      { class: "r" },
      waits && html("form", { class: "extra", onsubmit: (event) => extra(event, one.name) }, html("label", {}, html("span", {}, t("extra")), html("input", { name: "extra", type: "number", min: 0, max: 480, value: one.extra })), html("button", { class: "btn sm", type: "submit" }, t("set_extra"))),
      told.over && one.result && html("a", { href: `/school/exams/${exam}/certificate?name=${encodeURIComponent(one.name)}` }, t("certificate")),
    ),
  );
}

/** Minutes more, before that person begins. */
async function extra(event, who) {
  event.preventDefault();
  const minutes = Number(new FormData(event.target).get("extra"));
  const found = await attempt(() => ask("PUT", path(`/people/${encodeURIComponent(who)}`), { extra: minutes }));
  if (!found) return;
  told = found;
  await overview();
}

/** Items that somebody thinks are wrong, each as the engine explains it, and those that were struck. */
async function challenged() {
  const doubts = (told.people ?? []).flatMap((one) => Object.entries(one.challenged).map(([at, reason]) => ({ who: one.name, at: Number(at), reason })));
  if (!doubts.length) return null;
  const items = (await attempt(() => Promise.all(doubts.map(({ who, at }) => get(path(`/set/${at}?name=${encodeURIComponent(who)}&${lang}`)))))) ?? [];
  return panel(
    "",
    t("challenged"),
    "",
    ...items.map((one, place_) =>
      html(
        "article",
        {},
        html("h3", {}, `${t("item")} ${one.place + 1} · ${kindName(one.item.question.kind)}`),
        html("p", {}, `${doubts[place_].who}: ${doubts[place_].reason}`),
        ...one.item.question.tells.map((line) => html("p", {}, line)),
        html("p", {}, ...one.item.question.parts.flatMap((part) => [`${part.asks} `, html("b", {}, inWords(part, one.item.solution.answers[part.name])), html("br")])),
        because(one.item.solution.reason, told.plan.rulebook),
        one.struck ? html("p", { class: "muted" }, t("struck", { reason: one.struck })) : reasonFor(t("strike_why"), t("strike"), (event) => strike(event, one.place)),
      ),
    ),
  );
}

async function strike(event, at) {
  const found = await attempt(() => ask("POST", path(`/struck/${at}`), reasonOf(event)));
  if (!found) return;
  told = found;
  await overview();
}

/** The exam of what changed, open for a week from now. */
async function renewal() {
  const opens = told.now;
  const made = await attempt(() => ask("POST", path("/renewal"), { opens, closes: opens + 7 * 86400e6 }));
  if (made) location.href = `/school/exams/${made.id}`;
}

onKeys(() => ({ questions, replay }), (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by || event.target.closest("input")) return false;
  go(number + by);
  return true;
});
await begin();
