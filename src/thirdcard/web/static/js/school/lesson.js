// A wrong answer is a lesson of one screen: the right answer, why, what may have been mixed up, what it would have cost,
// when it comes back.

import { button, html, icon } from "../dom.js";
import { book, cites, money, panel, skillName, t, until } from "./kit.js";
import { laid } from "./felt.js";
import { seenSteps } from "./replay.js";
import { tableMap } from "./table-map.js";
import { hand } from "../words.js";

const row = (skill) => /^third-card\/banker\/(\d)\/(.+)$/.exec(skill);

/** What an answer is in words. */
export function inWords(part, given) {
  if (given === undefined || given === null) return "–";
  if (part.form === "cents") return money(given);
  if (typeof given === "number") return t("stopped_at", { seconds: (given / 1000).toFixed(1) });
  const keys = [given].flat();
  return keys.length ? keys.map((key) => part.choices.find((one) => one.key === key)?.says ?? key).join(", ") : t("none_of_them");
}

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
      html(
        "ol",
        { class: "why" },
        ...solution.reason.map((one) => html("li", {}, one.says, ...cites(one.paragraphs))),
      ),
      mixedUp(marked.mixed_up),
    ),
    html(
      "div",
      { class: "wside" },
      question.parts.length > 1 &&
        panel(
          "",
          t("parts_marked"),
          "",
          html(
            "table",
            { class: "tiny" },
            html("thead", {}, html("tr", {}, html("th", { scope: "col" }, t("asked")), html("th", { scope: "col" }, t("you")), html("th", { scope: "col" }, t("right_answer")))),
            html(
              "tbody",
              {},
              ...question.parts.map((part) =>
                html(
                  "tr",
                  { class: mark.parts[part.name] ? "" : "no" },
                  html("th", { scope: "row" }, part.asks),
                  html("td", {}, inWords(part, mark.given[part.name])),
                  html("td", {}, mark.parts[part.name] ? icon("check") : inWords(part, solution.answers[part.name]), mark.parts[part.name] && html("span", { class: "hidden" }, t("right_word"))),
                ),
              ),
            ),
          ),
        ),
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
