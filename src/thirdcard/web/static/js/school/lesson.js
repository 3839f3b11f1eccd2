// A wrong answer is a lesson of one screen: the right answer, why, what may have been mixed up, what it would have cost,
// when it comes back.

import { ask } from "../api.js";
import { button, html, icon } from "../dom.js";
import { hand } from "../words.js";
import { laid } from "./felt.js";
import { announce, attempt, because, book, cites, field, lang, money, panel, rows, skillName, t, tableMap, until } from "./kit.js";
import { seenSteps, WITHIN_MS } from "./replay.js";

// What was right where an answer was not, and the order in which a box was settled.

/** Whether a part was answered right; a replay by its step, or by the moment at which it was stopped. */
export function isRight({ question, solution }, part, given) {
  const right = solution.answers[part.name];
  if (part.form !== "choice" || typeof given !== "number") return JSON.stringify(given) === JSON.stringify(right);
  const seen = question.facts.steps[Number(right) - 1]?.at_ms;
  return seen <= given && given <= seen + WITHIN_MS;
}

/** The parts that were answered wrong, each with its right answer. */
export function whatWasRight({ item, given }, most = 2) {
  return item.question.parts
    .filter((part) => !isRight(item, part, given[part.name]))
    .slice(0, most)
    .flatMap((part, at) => [at ? html("br") : "", `${part.asks} `, html("b", {}, inWords(part, item.solution.answers[part.name]))]);
}

/** How the order was in which a box was settled, a mark of its own; nothing where none is prescribed. */
export function inOrder({ mark, solution }) {
  if (mark.order === undefined) return null;
  return html("p", { class: mark.order ? "inorder" : "inorder no" }, icon(mark.order ? "check" : "close"), html("span", {}, t(mark.order ? "order_right" : "order_wrong"), ...cites(solution.order)));
}

// "I think this is wrong": a reason is asked for, and how the engine worked the answer out is shown at once.

/** How an answer was worked out: step by step, part by part, and what makes the item again. */
export function trace({ steps, parts, command }, slug) {
  return [
    because(steps, slug),
    rows("tiny", [t("asked"), t("right_answer"), t("paragraph")], ...parts.map((one) => html("tr", {}, html("th", { scope: "row" }, one.asks), html("td", {}, one.right), html("td", {}, ...cites(one.paragraphs.slice(0, 4), slug))))),
    html("p", { class: "muted" }, t("made_again_by")),
    html("p", { class: "scroll", tabindex: "0" }, html("code", {}, command)),
  ];
}

/** Ask why an item is thought to be wrong; `number` is that of the answer. */
export function dispute(number, slug) {
  const before = document.activeElement;
  const dialog = html("dialog", { class: "panel dispute", "aria-labelledby": "dispute-title", onclose: () => closed() });
  const title = html("h2", { id: "dispute-title", tabindex: "-1" }, t("i_think_wrong"));
  const closed = () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  };
  const end = () => dialog.close();

  async function send(event) {
    event.preventDefault();
    const reason = String(new FormData(event.target).get("reason")).trim();
    const said = await attempt(() => ask("POST", `/api/school/answers/${number}/dispute?${lang}`, { reason }));
    if (!said) {
      end();
      return;
    }
    title.textContent = t("dispute_sent");
    dialog.replaceChildren(title, html("p", { class: "muted" }, t("dispute_trace")), ...trace(said.trace, slug), html("p", { class: "acts" }, button("primary", end, {}, t("close"))));
    title.focus();
    announce(t("dispute_sent"));
  }

  dialog.append(
    title,
    html(
      "form",
      { onsubmit: send },
      field(t("dispute_why"), html("textarea", { name: "reason", required: true, minlength: 3, maxlength: 500, rows: 4, autofocus: true })),
      html("p", { class: "muted" }, t("dispute_how")),
      html("p", { class: "acts" }, html("button", { type: "submit", class: "btn primary" }, t("dispute_send")), button("", end, {}, t("cancel"))),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

const row = (skill) => /^third-card\/banker\/(\d)\/(.+)$/.exec(skill);

/** What an answer is in words. */
export function inWords(part, given) {
  if (given === undefined || given === null) return "–";
  if (part.form === "cents") return money(given);
  if (typeof given === "number") return t("stopped_at", { seconds: (given / 1000).toFixed(1) });
  const keys = [given].flat();
  return keys.length ? keys.map((key) => part.choices.find((one) => one.key === key)?.says ?? key).join(", ") : t("none_of_them");
}

/** Every part of an item with its right answer. */
export const answered = ({ question, solution }) =>
  html("dl", { class: "pairs" }, ...question.parts.flatMap((part) => [html("dt", {}, part.asks), html("dd", {}, html("b", {}, inWords(part, solution.answers[part.name])))]));

/** Where the wrong answer would have been right, if that is known. */
export const mixedUp = (found, slug = book) => found && html("p", { class: "mix" }, html("b", {}, t("mixed_up")), " ", found.says, ...cites(found.paragraphs, slug));

/** When it comes back: now, and then if it is right whenever it is due. */
const intervals = (coming) =>
  html("ol", { class: "tl" }, ...coming.map((one, place) => html("li", { class: place ? null : "on" }, html("b", {}, until(one, 0)), html("span", {}, ["in_this_set", "if_right", "if_right_again"][place] ? t(["in_this_set", "if_right", "if_right_again"][place]) : ""))));

/** As a dealer would say it of a hand, else the answer itself. */
const rightWords = (question, part, right) => (question.kind === "third-card" && part.form === "choice" ? t(`is_${right}`, { hand: hand(part.name) }) : t("wrong_is", { answer: inWords(part, right) }));

/** The lesson; `item` is what was asked, `marked` how it went, `known` what is remembered, `draws` the row as it is. */
export function lesson({ item, marked, seconds, known, draws, next, again, doubt }) {
  const { mark, solution, then } = marked;
  const { question, name } = item;
  const wrong = question.parts.filter((part) => !mark.parts[part.name]);
  const cell = row(name.skill);
  const [first] = wrong;
  const marks = (part) =>
    html(
      "tr",
      { class: mark.parts[part.name] ? "" : "no" },
      html("th", { scope: "row" }, part.asks),
      html("td", {}, inWords(part, mark.given[part.name])),
      html("td", {}, mark.parts[part.name] ? icon("check") : inWords(part, solution.answers[part.name]), mark.parts[part.name] && html("span", { class: "hidden" }, t("right_word"))),
    );
  const [paragraph] = cell && draws ? draws.rules : solution.paragraphs;
  return html(
    "div",
    { class: "wrongv" },
    html(
      "div",
      { class: "wfelt" },
      html(
        "div",
        { class: "verdict", id: "verdict", tabindex: "-1" },
        html("span", { class: "vx", "aria-hidden": "true" }, icon("close")),
        html(
          "div",
          {},
          html("p", { class: "eyebrow" }, t(seconds === null ? "you_said" : "you_said_in", { said: inWords(first, mark.given[first.name]), seconds: (seconds ?? 0).toFixed(1) })),
          html("h1", {}, rightWords(question, first, solution.answers[first.name])),
        ),
      ),
      ...laid(question, { level: 1 }),
      question.facts.steps && seenSteps(question, { wrong: Number(solution.answers.step) || Infinity }),
      because(solution.reason),
      mixedUp(marked.mixed_up),
    ),
    html(
      "div",
      { class: "wside" },
      question.parts.length > 1 &&
        panel("", t("parts_marked"), "", rows("tiny", [t("asked"), t("you"), t("right_answer")], ...question.parts.map(marks))),
      cell && draws && panel("", t("row_needed"), [t("row_letters"), ...cites(draws.rules)], tableMap(known, { row: Number(cell[1]), cell: name.skill, draws: draws.letter }), html("p", { class: "memnote" }, t("map_axes"))),
      panel("cost", t("cost_title"), "", html("p", {}, solution.cost.says)),
      then &&
        panel(
          "sched",
          t("back_again"),
          "",
          intervals(then.coming),
          html("p", { class: "muted" }, t("missed_in", { skill: skillName(name.skill), wrong: then.wrong, met: then.met })),
        ),
    ),
    html(
      "div",
      { class: "wfoot" },
      cell && again && button("", again, {}, t("whole_row", { points: cell[1] }), html("kbd", {}, "R")),
      doubt && button("quiet", doubt, {}, t("i_think_wrong"), html("kbd", {}, "W")),
      paragraph && html("a", { class: "btn quiet", href: `/rules/${book}#p-${paragraph.split("(")[0]}` }, t("open_paragraph", { paragraph })),
      button("primary", next, { id: "next" }, t("next"), html("kbd", {}, "Enter")),
    ),
  );
}
