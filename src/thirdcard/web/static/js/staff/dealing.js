// Cards: the one that is due is named, or drawn unseen; it goes to its place and to no other.

import { command } from "../socket.js";
import { book, table } from "../state.js";
import { shortly, words } from "./also.js";
import { desk } from "./desk.js";
import { confirm, typed } from "./entry.js";
import { stakesPanel } from "./lying.js";
import { attempt, cardName, cites, hand, inline, t, told } from "./say.js";

const next = () => desk.seen.next;
const drawing = () => next().kind === "draw";
/** A card that a device reads as it is drawn face down; one that is turned lies there for everybody. */
const secret = () => table.seen.house.face_down;

/** Which card of the hand it is. */
const ordinal = () => t(next().place > 4 ? "card_third" : next().place > 2 ? "card_second" : "card_first");

/** Why it is so, with its paragraphs. */
export function why() {
  const { why: reason, said, rules } = next();
  if (reason) return told(reason, book());
  return [said, ...cites(rules, book())];
}

const draw = (card) => attempt(() => command({ command: "draw", card, place: next().place }), book());

export const step = {
  key: "cards",
  now: () => table.seen.phase === "dealing" && (drawing() || next().command?.command === "draw"),
  label: () => (next().place > 4 ? "" : t("card_of_four", { place: next().place })),
  rail: stakesPanel,
  says: "third-card",
  takes: () => (drawing() ? { place: next().place, masked: secret(), card: draw } : null),
  required() {
    const ready = typed();
    const facts = { hand: hand(next().hand), which: ordinal() };
    const text = why();
    if (!drawing()) {
      const run = () => attempt(() => command(next().command), book());
      return {
        eyebrow: t("next_required"),
        title: t("next_card", { hand: facts.hand, card: facts.which }),
        text,
        button: { label: shortly(next().command), run, key: "Enter" },
      };
    }
    if (!ready) {
      return {
        eyebrow: t("next_required"),
        title: t("next_card", { hand: facts.hand, card: facts.which }),
        text,
        button: { label: t("enter_card"), enabled: false, key: "Enter" },
        under: t("enter_how"),
      };
    }
    const shown = secret() ? t("a_card") : cardName(ready);
    const [before, after] = t("next_confirm", { ...facts, card: "\n" }).split("\n");
    return {
      eyebrow: t("next_required"),
      title: [before, secret() ? shown : inline(ready), after],
      text,
      button: { label: t("confirm", { card: shown }), card: true, run: confirm, key: "Enter" },
    };
  },
};

/** Whatever else the rules require next, or whom the desk waits for. */
export const rest = {
  key: "rest",
  now: () => true,
  required() {
    const one = next();
    if (one.kind !== "command") {
      return {
        eyebrow: t("next_required"),
        title: t("next_wait"),
        text: why(),
        amber: !!table.seen.held_up,
        button: { label: t("waiting"), enabled: false, key: "" },
      };
    }
    return {
      eyebrow: t("next_required"),
      title: words(one.command),
      text: why(),
      button: { label: shortly(one.command), run: () => attempt(() => command(one.command), book()), key: "Enter" },
    };
  },
};
