// What was right where an answer was not.

import { html } from "../dom.js";
import { inWords } from "./lesson.js";

/** The parts that were answered wrong, each with its right answer. */
export function whatWasRight({ item, given }, most = 2) {
  return item.question.parts
    .filter((part) => JSON.stringify(given[part.name]) !== JSON.stringify(item.solution.answers[part.name]))
    .slice(0, most)
    .flatMap((part, at) => [at ? html("br") : "", `${part.asks} `, html("b", {}, inWords(part, item.solution.answers[part.name]))]);
}
