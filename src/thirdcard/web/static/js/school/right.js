// What was right where an answer was not, and the order in which a box was settled.

import { html, icon } from "../dom.js";
import { cites, t } from "./kit.js";
import { inWords } from "./lesson.js";
import { WITHIN_MS } from "./replay.js";

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
