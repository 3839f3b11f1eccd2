// What was right where an answer was not.

import { html } from "../dom.js";
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
