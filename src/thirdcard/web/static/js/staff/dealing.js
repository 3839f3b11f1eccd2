// Cards: the one that is due is named, or drawn unseen; it goes to its place and to no other.

import { book, table } from "../state.js";
import { shortly, words } from "./also.js";
import { desk, does } from "./desk.js";
import { confirm, typed } from "./entry.js";
import { inert } from "./parts.js";
import { cardName, cites, hand, inline, t, told } from "./say.js";
import { stakesPanel } from "./shoe.js";

const next = () => desk.seen.next;
const drawing = () => next().kind === "draw";
/** A card that a device reads as it is drawn face down; one that is turned lies there for everybody. */
const secret = () => table.seen.house.face_down;

/** Which card of its hand the one at that place is. */
export const which = (place) => t(place > 4 ? "card_third" : place > 2 ? "card_second" : "card_first");

/** Why it is so, with its paragraphs. */
export function why() {
  const { why: reason, said, rules } = next();
  if (reason) return told(reason, book());
  return [said, ...cites(rules, book())];
}

const draw = (card) => does({ ...next().command, card });

export const step = {
  key: "cards",
  now: () => table.seen.phase === "dealing" && (drawing() || next().command?.command === "draw"),
  label: () => (next().place > 4 ? "" : t("card_of_four", { place: next().place })),
  rail: stakesPanel,
  says: "third-card",
  takes: () => (drawing() ? { place: next().place, masked: secret(), card: draw } : null),
  required() {
    const ready = typed();
    const facts = { hand: hand(next().hand), which: which(next().place) };
    const common = { eyebrow: t("next_required"), text: why() };
    const title = t("next_card", { hand: facts.hand, card: facts.which });
    if (!drawing()) return { ...common, title, button: rest.required().button };
    if (!ready) {
      const button = { label: t("enter_card"), enabled: false, key: "Enter" };
      return { ...common, title, button, under: t("enter_how") };
    }
    const shown = secret() ? t("a_card") : cardName(ready);
    const [before, after] = t("next_confirm", { ...facts, card: "\n" }).split("\n");
    return {
      ...common,
      title: [before, secret() ? shown : inline(ready), after],
      button: { label: t("confirm", { card: shown }), card: true, run: confirm, key: "Enter" },
    };
  },
};

/** Whatever else the rules require next, or whom the desk waits for. */
export const rest = {
  key: "rest",
  now: () => true,
  required() {
    const { kind, command } = next();
    const common = { eyebrow: t("next_required"), text: why() };
    if (kind !== "command") return { ...common, title: t("next_wait"), amber: !!table.seen.held_up, button: inert(t("waiting")) };
    return { ...common, title: words(command), button: { label: shortly(command), run: () => does(command), key: "Enter" } };
  },
};
