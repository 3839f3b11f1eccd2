// What the dealer says, in both languages, as the table has it last.

import { html } from "../draw.js";
import { table } from "../state.js";
import { otherLang, spoken } from "../words.js";

let last = null;

/** What was last said, as far as the table still shows it, for a page that has just been opened. */
function shown() {
  const { settlement, phase, cards, points, offers } = table.seen;
  if (settlement) return { key: "result", facts: settlement };
  if (phase === "betting") return { key: "place-your-bets" };
  if (phase !== "dealing") return null;
  const [offer] = offers;
  if (offer) return { key: "insurance-offered", facts: { hand: offer.hand, odds: offer.odds } };
  if (cards.length < 4) return { key: "no-more-bets" };
  return points.player === null || points.banker === null ? null : { key: "points", facts: points };
}

/** Take in what was said; the last of it stands until something else is. */
export function heard(said) {
  last = said.at(-1) ?? last;
}

/** The line with what is said now; `over` what a step has to say instead. */
export function announcement(over) {
  const one = over ?? last ?? shown();
  if (!one) return null;
  return html`<div class="announce" aria-live="polite">
    <q>${spoken(one)}</q>
    <em lang=${otherLang}>${spoken(one, true)}</em>
  </div>`;
}
