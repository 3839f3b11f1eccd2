// The lesson of a class: items that a trainer chose, asked one by one without a clock, each explained at once.

import { ask, get } from "../api.js";
import { $, button, html, icon } from "../dom.js";
import { spotsOf } from "./felt.js";
import { announce, attempt, because, kindName, lang, name, skillName, t } from "./kit.js";
import { answered, inOrder, inWords, mixedUp } from "./lesson.js";
import { feltOf, onKeys, Questions } from "./questions.js";
import { Replay } from "./replay.js";

const place = $("#lesson");
let number = 1;
let asked = null;
let questions = null;
let replay = null;
let right = 0;

async function next() {
  asked = await attempt(() => get(`/api/school/lessons/${encodeURIComponent(name)}/${number}?${lang}`));
  if (!asked) return;
  const { question } = asked.item;
  const spots = (await attempt(() => spotsOf(question))) ?? null; // without a felt they are chosen from a list
  questions = new Questions(question, { done: answer, spots });
  replay = question.kind === "spot" ? new Replay(question, stopped) : null;
  draw();
  announce(`${t("of", { done: number, all: asked.of })}. ${questions.asks}`);
}

/** What stopping a replay answers; one that ran to its end is answered with that. */
function stopped(answers) {
  if (replay.by) Object.assign(questions.answers, answers);
  else questions.takeOver(answers);
  if (!questions || questions.parts.every((part) => part.name in answers)) return;
  questions.draw();
  draw();
}

function draw() {
  const { question } = asked.item;
  const waits = replay && !replay.over;
  place.replaceChildren(
    head(question),
    html(
      "div",
      { class: "drill parts" },
      feltOf(questions, replay),
      html("aside", { class: "dside" }, !waits && questions.element),
    ),
  );
  if (!waits) questions.focus();
}

const head = (question) =>
  html("div", { class: "drillbar" }, html("p", { class: "dname" }, html("b", {}, t("lesson")), html("span", {}, kindName(question.kind))), html("span", { class: "count num" }, t("of", { done: number, all: asked.of })), html("div", { class: "dright" }, html("a", { class: "btn sm", href: "/school" }, t("lesson_end"))));

async function answer(answers, settled) {
  const { item } = asked;
  const told = await attempt(() => ask("POST", `/api/school/answers?${lang}`, { item: item.name, answers, ...(item.question.order ? { order: settled } : {}) }));
  if (!told) return;
  questions = null;
  right += told.mark.right ? 1 : 0;
  const { solution } = told;
  place.replaceChildren(
    head(item.question),
    html(
      "section",
      { class: "panel ended page narrow" },
      html("h1", { class: "serif", tabindex: "-1" }, icon(told.mark.right ? "check" : "close"), " ", told.mark.right ? t("right_word") : t("wrong_is", { answer: inWords(...first(item, told)) })),
      html("p", { class: "muted" }, skillName(item.name.skill)),
      answered({ question: item.question, solution }),
      inOrder(told),
      because(solution.reason, item.name.rulebook),
      mixedUp(told.mixed_up, item.name.rulebook),
      html("p", { class: "acts" }, button("primary", go, { id: "next" }, t("next"), html("kbd", {}, "Enter"))),
    ),
  );
  $("h1", place).focus();
  announce($("h1", place).textContent);
}

function first(item, told) {
  const part = item.question.parts.find((one) => !told.mark.parts[one.name]) ?? item.question.parts[0];
  return [part, told.solution.answers[part.name]];
}

async function go() {
  if (number < asked.of) {
    number += 1;
    await next();
    return;
  }
  place.replaceChildren(
    html("section", { class: "panel ended page narrow" }, html("h1", { class: "serif", tabindex: "-1" }, t("lesson_over", { right, all: asked.of })), html("p", { class: "acts" }, html("a", { class: "btn primary", href: "/school" }, t("back")))),
  );
  $("h1", place).focus();
}

onKeys(() => ({ questions, replay }));
await next();
