// One page for all drills: an item is asked, answered by key or touch, marked by the server; a wrong answer is a lesson.

import { ask, get } from "../api.js";
import { $, button, html, icon, still, svg } from "../dom.js";
import { hand } from "../words.js";
import { laid, spotsOf } from "./felt.js";
import { dispute, inOrder, inWords, lesson } from "./lesson.js";
import { announce, attempt, book, cites, complain, kind, kindBeside, kindIcon, kindName, lang, layout, panel, root, skillName, solved, t, until } from "./kit.js";
import { Questions } from "./questions.js";
import { Replay } from "./replay.js";

const SET = 20; // items of a set
const SPEEDS = JSON.parse(root.dataset.speeds); // seconds for a third card, by level
const TURNED_FROM = 9; // the level from which cards turn over
const TRIES = 5; // of an item that was not seen in this set
const LOOK_MS = 1200; // that they are seen then
const CLOCK = "thirdcard-school-clock";

const place = $("#drill");
const state = {
  item: null,
  questions: null,
  replay: null,
  marked: null,
  began: 0,
  held: 0, // milliseconds of pauses
  paused: 0,
  /** @type {string[]} paragraphs to look at, once they were asked for */
  hint: null,
  back: false, // cards are turned over
  results: [],
  seen: new Set(), // what the items of this set showed
  all: SET, // items of this set, with those that come once more
  once: false, // they have been asked for
  queue: [], // items that were asked for by name
  known: new Map(),
  table: null, // the table of play, once it was needed
  clock: localStorage.getItem(CLOCK) !== "off",
};
const shown = () => kind === "today" ? state.item?.question.kind ?? "today" : kind;

// Asking ------------------------------------------------------------------------------------------------------

async function next() {
  if (state.results.length >= state.all && !state.queue.length && !(await onceMore())) {
    finished();
    return;
  }
  state.marked = null;
  const item = state.queue.shift() ?? (await attempt(fetched));
  if (!item) return;
  const spots = (await attempt(() => spotsOf(item.question))) ?? null; // without a felt they are chosen from a list
  state.item = item;
  Object.assign(state, { hint: null, back: false, held: 0, paused: 0, replay: null });
  show(spots);
}

/** What is still missed comes again before a set ends, which is often sooner than its time has come. */
async function onceMore() {
  const latest = new Map(state.results.map((one) => [one.name.skill, one]));
  const missed = state.once ? [] : [...latest.values()].filter((one) => !one.right && !one.name.table);
  const made = missed.length > 0 && (await attempt(() => Promise.all(missed.map(({ name }) => madeOf(name, name.skill)))));
  if (!made) return false;
  state.queue = made;
  state.all = state.results.length + made.length;
  state.once = true;
  return true;
}

/** Another item of that skill, like one that was asked. */
async function madeOf(name, skill) {
  const wanted = new URLSearchParams({ seed: `again-${Date.now()}`, layout: name.layout, decks: name.decks, skill, level: name.level, solved: "false" });
  return (await get(`/api/school/items/${book}/${name.kind}?${wanted}&${lang}`)).items[0];
}

/** Nothing that this set has shown already: who is not known to the server is known here. */
async function fetched() {
  for (let tried = 1; ; tried++) {
    const item = await another();
    const shows = JSON.stringify([item.question.facts, item.question.parts.map((part) => part.asks)]);
    if (!state.seen.has(shows) || tried === TRIES) {
      state.seen.add(shows);
      return item;
    }
  }
}

async function another() {
  const wanted = new URLSearchParams(lang);
  if (kind !== "today") wanted.set("kind", kind);
  if (layout) wanted.set("layout", layout);
  const found = await get(`/api/school/next/${book}?${wanted}`);
  state.due = found.due;
  return found.item;
}

const seconds = () => (performance.now() - state.began - state.held - (state.replay?.missed ?? 0) - (state.paused ? performance.now() - state.paused : 0)) / 1000;

function show(spots) {
  const { question } = state.item;
  state.questions = new Questions(question, { done: answer, moved: lit, spots });
  if (question.kind === "spot") state.replay = new Replay(question, stopped, { looksBack: draw });
  state.began = performance.now();
  draw();
  announce([t("level", { level: question.level }), ...(state.replay ? [t("watch")] : question.tells), state.questions.asks].join(" "));
  if (question.level >= TURNED_FROM && question.kind === "third-card" && !still()) setTimeout(turnOver, LOOK_MS);
  tick();
}

/** From level 9 on the cards are seen for a moment; Space shows them again. */
function turnOver() {
  if (state.marked || !state.item) return;
  state.back = true;
  draw();
}

/** What stopping a replay answers; step by step it may still be another step. */
function stopped(answers) {
  const { questions, replay } = state;
  if (replay.by) {
    Object.assign(questions.answers, answers);
    questions.at = 0;
  } else questions.takeOver(answers);
  if (state.marked || questions.parts.every((part) => part.name in answers)) return; // it ran to its end: that is the answer
  draw();
  questions.draw({ focus: true });
  announce(t("stopped"));
}

/** The question of two buttons stands above the cards. */
function lit(questions) {
  if (questions.big && $("#asks")) $("#asks").textContent = questions.part.asks;
}

function draw() {
  const { question } = state.item;
  const waits = state.replay && !state.replay.over;
  const big = state.questions.big;
  place.replaceChildren(
    bar(),
    html(
      "div",
      { class: `drill${big ? "" : " parts"}` },
      html(
        "div",
        { class: "dfelt" },
        html("h1", { class: "asks", id: "asks", tabindex: "-1" }, title(question)),
        ...(state.replay ? [state.replay.element] : laid(question, { back: state.back, felt: state.questions.felt })),
        clock(),
        big && !waits && state.questions.element,
        html("p", { class: "under" }, ...under(question)),
      ),
      html("aside", { class: "dside", "aria-label": t("beside") }, state.replay?.log, !big && !waits && state.questions.element, ...side(question)),
    ),
  );
  if (!big && !waits && !state.marked) state.questions.focus();
}

function title(question) {
  if (state.replay) return t(state.replay.over ? "stopped" : "watch");
  return state.questions.big ? state.questions.part.asks : question.call || t(`title_${question.kind}`);
}

function under(question) {
  if (question.kind === "third-card") return [t("under_third_card")];
  if (question.facts.chips) return [t("under_pay"), question.order && ` ${t("under_order")}`];
  if (question.kind === "spot") return [t("under_spot")];
  return [t("under_choices")];
}

// The bar above -----------------------------------------------------------------------------------------------

function bar() {
  const of = shown();
  const row = inARow();
  const then = state.marked?.then;
  return html(
    "div",
    { class: "drillbar" },
    html("a", { class: "btn quiet backhome", href: `/school?rulebook=${book}`, "aria-label": t("back") }, icon("back")),
    html("p", { class: "dname" }, kindIcon(of), html("b", {}, kindName(of)), html("span", { lang: root.dataset.beside }, kindBeside(of))),
    html("p", { class: "pips", role: "img", "aria-label": t("progress", { done: state.results.length, all: state.all, right: state.results.filter((one) => one.right).length }) }, ...pips()),
    html("span", { class: "count num" }, t("of", { done: Math.min(state.all, state.results.length + (state.marked ? 0 : 1)), all: state.all })),
    html(
      "div",
      { class: "dright" },
      html("span", { class: "stat" }, html("b", {}, row), html("span", { class: "lbl" }, t("in_a_row"))),
      then && html("span", { class: "stat" }, html("b", {}, then.rating), t("rating")),
      !state.marked && state.item && state.hint === null && button("", hint, { class: "btn quiet sm hinting", "aria-label": t("hint") }, icon("book")),
      button("quiet sm", toggleClock, { "aria-pressed": String(!state.clock), "aria-label": t("clock_off") }, icon("clock"), html("span", { class: "lbl" }, t("clock_off"))),
      button("quiet sm", pauseOrGo, { class: "btn quiet sm pausing" }, html("span", { class: "bars", "aria-hidden": "true" }, "Ⅱ"), html("span", { class: "lbl" }, state.paused ? t("go_on") : t("pause")), html("kbd", {}, "Esc")),
    ),
  );
}

function pips() {
  return Array.from({ length: state.all }, (_, at) => {
    const one = state.results[at];
    const now = at === state.results.length && !state.marked;
    return html("i", { class: `pip${one ? (one.right ? (one.slow ? " s" : " g") : " b") : now ? " now" : ""}` });
  });
}

function inARow() {
  let row = 0;
  for (const one of state.results) row = one.right ? row + 1 : 0;
  return row;
}

// The clock ---------------------------------------------------------------------------------------------------

function clock() {
  if (!state.clock || (state.replay && !state.replay.over)) return null;
  return html(
    "div",
    { class: "shot", role: "timer", "aria-label": t("clock_label", { seconds: state.item.question.seconds }) },
    svg("svg", { class: "bar", viewBox: "0 0 200 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "tr", width: 200, height: 10 }), svg("rect", { class: "fl", id: "left-bar", width: 200, height: 10 })),
    html("span", { id: "left", "aria-hidden": "true" }, ""),
  );
}

function tick() {
  if (state.marked || !state.item) return;
  const limit = state.item.question.seconds;
  const left = limit - seconds();
  const text = $("#left");
  if (text) {
    text.textContent = left > 0 ? t("left", { left: left.toFixed(1), limit }) : t("over_time", { over: (-left).toFixed(0) });
    $("#left-bar").setAttribute("width", String(Math.max(0, left / limit) * 200));
  }
  setTimeout(tick, still() ? 1000 : 100);
}

function toggleClock() {
  state.clock = !state.clock;
  localStorage.setItem(CLOCK, state.clock ? "on" : "off");
  draw();
}

function pauseOrGo() {
  if (state.marked || !state.item) return;
  if (state.paused) {
    state.held += performance.now() - state.paused;
    state.paused = 0;
    state.replay?.hold(false);
    draw();
    return;
  }
  state.paused = performance.now();
  state.replay?.hold(true);
  $(".drill").replaceChildren(html("div", { class: "dfelt paused" }, html("h1", { tabindex: "-1" }, t("paused")), button("primary", pauseOrGo, {}, t("go_on"), html("kbd", {}, "Esc"))));
  $(".paused .btn").focus();
}

// Beside ------------------------------------------------------------------------------------------------------

function side(question) {
  const times = state.results.filter((one) => one.seconds !== null);
  const mean = times.length ? times.reduce((sum, one) => sum + one.seconds, 0) / times.length : 0;
  const parts = [];
  if (question.kind === "third-card") {
    parts.push(
      panel(
        "speedp",
        t("speed"),
        t("level_of", { level: question.level }),
        html("ol", { class: "speeds" }, ...SPEEDS.map((limit, at) => html("li", { class: at + 1 === question.level ? "on" : null }, html("b", {}, at + 1), html("em", {}, `${limit} s`), html("span", {}, LADDER.has(at + 1) ? t(`ladder_${at + 1}`) : ""))).reverse()),
        html("p", { class: "muted" }, t("ladder_rule")),
      ),
    );
  }
  parts.push(
    panel(
      "thisset",
      t("this_set"),
      t("seconds_each"),
      chart(times, question.seconds),
      html("p", { class: "tri" }, figure(state.results.filter((one) => one.right).length, t("right_count")), figure(`${mean.toFixed(1)} s`, t("on_average")), figure(times.filter((one) => !one.slow).length, t("in_time"))),
    ),
    html("section", { class: "panel hintp" }, state.hint ? html("p", {}, t("hint_see"), ...cites(state.hint)) : button("quiet", hint, {}, icon("book"), t("hint"), html("kbd", {}, "H"))),
  );
  return parts;
}

const LADDER = new Set([1, 2, 4, 6, 8, 9]);
const figure = (value, label) => html("span", {}, html("b", {}, value), html("em", {}, label));

function chart(times, limit) {
  const most = Math.max(limit * 1.4, ...times.map((one) => one.seconds), 1);
  const high = (value) => (value / most) * 70;
  return svg(
    "svg",
    { class: "tb", viewBox: "0 0 240 80", "aria-hidden": "true" },
    svg("line", { class: "lim", x1: 0, x2: 240, y1: 76 - high(limit), y2: 76 - high(limit) }),
    ...times.slice(-SET).map((one, at) => svg("rect", { class: one.right ? (one.slow ? "b slow" : "b ok") : "b bad", x: 2 + at * 12, width: 8, y: 76 - high(one.seconds), height: Math.max(2, high(one.seconds)), rx: 2 })),
  );
}

async function hint() {
  const found = await attempt(() => solved(state.item.name));
  if (!found) return;
  state.hint = found.solution.paragraphs;
  draw();
  announce(`${t("hint_see")} ${state.hint.join(", ")}`);
}

// Answering ---------------------------------------------------------------------------------------------------

async function answer(answers, settled) {
  const took = state.clock ? Math.round(seconds() * 100) / 100 : null;
  const { name, question } = state.item;
  const body = { item: name, answers, hint: state.hint !== null, looked_back: state.replay?.looked ?? false, ...(took === null ? {} : { seconds: took }), ...(question.order ? { order: settled } : {}) };
  const marked = await attempt(() => ask("POST", `/api/school/answers?${lang}`, body));
  if (!marked) return;
  state.marked = marked;
  state.replay?.settle();
  state.results.push({ right: marked.mark.right, slow: took !== null && took > question.seconds, seconds: took, name });
  if (marked.mark.right) right(took);
  else await wrong(took);
}

function right(took) {
  const { mark, then } = state.marked;
  draw();
  const said = took === null ? t("right_plain", { points: mark.points }) : t("right_in", { seconds: took.toFixed(1), points: mark.points });
  const banner = html(
    "div",
    { class: "verdict good", id: "verdict", tabindex: "-1" },
    html("span", { class: "vx", "aria-hidden": "true" }, icon("check")),
    html("div", {}, html("p", { class: "eyebrow" }, [after(mark.given), then ? t("back_in", { when: until(then.due) }) : t("not_kept")].filter(Boolean).join(" ")), html("p", { class: "rightword" }, said), inOrder(state.marked)),
    button("primary", next, { id: "next" }, t("next"), html("kbd", {}, "Enter")),
    then && button("quiet", doubt, {}, t("i_think_wrong"), html("kbd", {}, "W")),
  );
  $(".dfelt").append(banner);
  $(".shot")?.remove();
  for (const one of place.querySelectorAll(".qs button, .qs input, .boxfelt button")) one.disabled = true;
  banner.focus();
  announce([said, $(".inorder", banner)?.textContent].filter(Boolean).join(" "));
}

/** The item is thought to be wrong; the answer's number is that of all answers so far. */
const doubt = () => dispute(state.marked.then.answered, book);

/** How long after the error a replay was stopped. */
function after(given) {
  if (!state.replay || typeof given.step !== "number") return "";
  const error = state.item.question.facts.steps[Number(state.marked.solution.answers.step) - 1];
  return t("stopped_after", { seconds: ((given.step - error.at_ms) / 1000).toFixed(1) });
}

async function wrong(took) {
  const { item, marked } = state;
  const cell = item.name.skill.startsWith("third-card/banker/");
  if (cell) await learned();
  const order = inOrder(marked);
  const asked = { ...item.question, parts: item.question.parts.map((one) => ({ ...one, asks: state.questions.said(one) })) };
  const view = lesson({ item: { ...item, question: asked }, marked, seconds: took, known: state.known, draws: cell ? state.table : null, next, again: wholeRow, doubt: marked.then ? doubt : null });
  place.replaceChildren(bar(), view);
  if (order) $("#verdict").after(order);
  $("#verdict").focus();
  scrollTo(0, 0);
  const part = item.question.parts.find((one) => !marked.mark.parts[one.name]);
  announce([wrongSaid(part, marked.solution), order?.textContent].filter(Boolean).join(" "));
}

/** As a dealer would say it: "Wrong. The Banker draws, 3.15." */
function wrongSaid(part, { answers, paragraphs }) {
  const right = answers[part.name];
  const told = { answer: inWords(part, right), hand: hand(part.name), paragraphs: paragraphs.slice(0, 2).join(", ") };
  return state.item.question.kind === "third-card" && part.form === "choice" ? t(`wrong_${right}`, told) : t("wrong_said", told);
}

/** What is remembered of the table of play, and what it says: only once an answer was wrong. */
async function learned() {
  try {
    const [progress, rules] = await Promise.all([get(`/api/school/progress/${book}`), state.table ?? get(`/api/rules/${book}`)]);
    state.known = new Map(progress.skills.map((one) => [one.skill, one]));
    state.table ??= lettered(rules.table_of_play);
  } catch (error) {
    complain(error);
  }
}

function lettered(table) {
  const against = table.banker_draws;
  const alone = table.banker_draws_if_player_stands;
  return {
    rules: table.rules.slice(-1),
    letter: (points, third) => ((third === "-" ? alone.includes(points) : (against[points] ?? []).includes(Number(third))) ? "D" : "S"),
  };
}

/** Every cell of the row, one after the other. */
async function wholeRow() {
  const { name } = state.item;
  const stem = name.skill.replace(/\/[^/]+$/, "");
  const kinds = await attempt(() => get(`/api/school/kinds/${book}?layout=${name.layout}`));
  const cells = kinds?.kinds.find((one) => one.kind === "third-card")?.skills.filter((one) => one.startsWith(`${stem}/`)) ?? [];
  const made = await attempt(() => Promise.all(cells.map((skill) => madeOf(name, skill))));
  if (!made) return;
  state.queue = made;
  await next();
}

// The end of a set --------------------------------------------------------------------------------------------

function finished() {
  const right = state.results.filter((one) => one.right).length;
  const missed = [...new Set(state.results.filter((one) => !one.right).map((one) => one.name.skill))];
  state.item = null;
  place.replaceChildren(
    html(
      "div",
      { class: "page narrow" },
      html(
        "section",
        { class: "panel ended" },
        html("h1", { class: "serif", tabindex: "-1", id: "verdict" }, t("set_over", { right, all: state.results.length })),
        missed.length > 0 && html("ul", {}, ...missed.slice(0, 8).map((one) => html("li", {}, skillName(one)))),
        html("p", { class: "acts" }, button("primary", anotherSet, { id: "next" }, t("another_set"), html("kbd", {}, "Enter")), html("a", { class: "btn", href: `/school?rulebook=${book}` }, t("back"))),
      ),
    ),
  );
  $("#verdict").focus();
  announce(t("set_over", { right, all: state.results.length }));
}

function anotherSet() {
  Object.assign(state, { results: [], all: SET, once: false });
  state.seen.clear();
  next();
}

// Keys --------------------------------------------------------------------------------------------------------

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  if (used(event)) event.preventDefault();
}

function used(event) {
  const { key } = event;
  if ($("dialog[open]")) return false;
  if (key === "Escape") {
    pauseOrGo();
    return true;
  }
  if (state.paused) return false;
  if (state.marked || !state.item) {
    const link = event.target.closest?.("a, button:not(#next)");
    if (key === "Enter" && !link && $("#next")) {
      $("#next").click();
      return true;
    }
    if (key.toLowerCase() === "w" && state.marked?.then && state.item) {
      doubt();
      return true;
    }
    if (key.toLowerCase() === "r" && state.marked && !state.marked.mark.right && state.item?.name.skill.startsWith("third-card/banker/")) {
      wholeRow();
      return true;
    }
    return false;
  }
  if (state.replay?.key(event)) return true;
  if (state.replay && !state.replay.over) return false;
  if (key === " " && state.back) {
    state.back = false;
    draw();
    setTimeout(turnOver, LOOK_MS);
    return true;
  }
  if (key.toLowerCase() === "h" && !event.target.matches?.("input:not([name=amount])") && state.hint === null) {
    hint();
    return true;
  }
  return state.questions.key(event);
}

document.addEventListener("keydown", onKey);
await next();
