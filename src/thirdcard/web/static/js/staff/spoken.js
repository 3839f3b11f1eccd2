// What the dealer says, in both languages, as the table has it last.

import { html } from "../draw.js";
import { standing, table } from "../state.js";
import { otherLang } from "../words.js";

let last = null;

/** Take in what was said; the last of it stands until something else is. */
export function heard(said) {
  last = said.at(-1) ?? last;
}

/** The line with what is said now; `over` is the key of what a step has to say instead. */
export function announcement(over) {
  const said = standing(over) ?? last ?? table.stands.at(-1);
  if (!said) return null;
  return html`<div class="announce" aria-live="polite">
    <q>${said.sentence}</q>
    <em lang=${otherLang}>${said.beside}</em>
  </div>`;
}
