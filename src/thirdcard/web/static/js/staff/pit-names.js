// What the pit calls a table, the state of it, and what somebody is awaited for.

import { html } from "../draw.js";
import { own } from "../words.js";
import { cardName, inline, money, t } from "./say.js";

/** A short mark for a table: its number, or letters of its name. */
export const mark = ({ id, title }) => (/\d+$/.exec(id) ?? /\d+$/.exec(title))?.[0] ?? id.slice(0, 2).toUpperCase();

export const stateName = (one) => t(`pit_state_${one.state.replaceAll("-", "_")}`);

/** What waits, in a few words. */
export const waitTitle = (one) =>
  ["ruling", "report"].includes(one.kind)
    ? t(`pit_waits_${one.kind}`, { title: own("cases", one.case, one.title) })
    : t(`pit_waits_${one.kind.replaceAll("-", "_")}`, { cents: money(one.cents), box: one.box });

/** Who can do it, who is about it, what the dealer wrote; with its paragraphs. */
export function waitText(one) {
  const parts = [
    one.note && one.note !== "called" && `“${one.note}”`,
    one.passed_to && !one.taken_by && t("pit_case_passed", { to: own("ranks", one.passed_to, one.passed_to) }),
    one.taken_by
      ? t("pit_case_taken", { player: one.taken_by })
      : one.decides_title && t("pit_for_rank", { rank: one.decides_title }),
    one.players.join(", "),
    one.kind === "call" && t("pit_play_goes_on"),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** What a decision is called; a card as it looks, and in words for who does not see it. */
export function decisionName(one) {
  const { sentence, facts } = one.title;
  const { card, cards = card } = facts;
  if (!cards) return [sentence];
  let rest = sentence;
  const shown = String(cards).split(" ").flatMap((value) => {
    const [before, ...after] = rest.split(cardName(value));
    rest = after.join(cardName(value));
    return [before, inline(value)];
  });
  return html`<span class="hidden name">${sentence}</span><span aria-hidden="true">${shown}${rest}</span>`;
}
