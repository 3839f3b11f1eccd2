// The differential at the spot: before a chip leaves the hand, what there is room for; before the close, what is too
// much. Each with the one tap that puts it right.

import { $, $$, button, html } from "./dom.js";
import { HANDS } from "./facts.js";
import { beside, fitting, note, tooMuch } from "./room.js";
import { giveWay, held, place, spotOf } from "./play.js";
import { box, joined, on, stakeOn, table } from "./state.js";
import { money, t } from "./words.js";

const CUT_MS = 9000;

/** What is wrong on a hand of the box before me, in words, and the way out. */
function warning(at, bet) {
  const { phase, differential, limits } = table.seen;
  const back = tooMuch().find((one) => one.box === at && one.bet === bet);
  if (back) {
    const amount = money(back.cents);
    const act = button("primary", () => giveWay(at, bet, back.cents), {}, t("take_back_amount", { amount }));
    return { text: t("too_much", { amount }), act };
  }
  if (phase !== "betting") return null;
  const { fits, why } = fitting(at, bet, held());
  if (why !== "differential") return null;
  const enough = stakeOn(at, bet) + fits >= (limits[bet]?.min ?? 0) && fits > 0;
  const amount = money(fits);
  return {
    text: enough ? t("room_for", { amount }) : t("no_room"),
    under: t("differential_of", { amount: money(differential) }),
    act: enough && button("primary", () => place(at, bet, fits), {}, t("bet_amount", { amount })),
  };
}

function show() {
  for (const old of $$(".spot-warning")) old.remove();
  for (const old of $$(".noroom")) old.classList.remove("noroom");
  const at = box();
  if (!joined() || !at || !["betting", "adjusting"].includes(table.seen.phase) || table.seen.held_up) return;
  for (const bet of HANDS) {
    const found = table.seen.limits[bet] && warning(at, bet);
    const spot = found && spotOf({ box: at, bet });
    if (!spot || spot.matches(".stage")) continue;
    spot.classList.add("noroom");
    const words = html("span", {}, html("b", {}, found.text), found.under && html("small", {}, found.under));
    const shown = html("div", { class: "spot-warning", role: "group" }, words, found.act);
    document.body.append(shown);
    beside(shown, spot, { low: true });
  }
}

/** Keep the warnings as they should be. */
export function watchWarnings() {
  let due = 0;
  const soon = () => {
    cancelAnimationFrame(due);
    due = requestAnimationFrame(() => table.seen && show());
  };
  on("stakes sent chip racks limits differential phase box held_up", soon);
  addEventListener("resize", soon);
  $("table-felt").addEventListener("drawn", soon);
}

/** Chips of mine that went back, or play for less, are told where they lay, with the paragraph. */
export function tellCuts(said) {
  for (const one of said) {
    const { player, box: at, bet } = one.facts ?? {};
    if (!["bet-cut", "plays-for"].includes(one.key) || player !== table.me) continue;
    note(spotOf({ box: at, bet }), one.sentence, { rules: one.rules, ms: CUT_MS });
  }
}
