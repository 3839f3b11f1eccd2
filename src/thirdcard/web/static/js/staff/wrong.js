// The last card is wrong: entered and on the felt, everybody's before and after in dollars, and a supervisor who
// confirms it with a PIN of their own here, or from the pit. An older card, or a settled round, is the pit's.

import { ask } from "../api.js";
import { html, icon } from "../draw.js";
import { book, table } from "../state.js";
import { odds, outcome } from "../words.js";
import { which } from "./dealing.js";
import { Confirmer } from "./deliberate.js";
import { desk, does, may as legal } from "./desk.js";
import { boxCell, inert, panel, rows, scrolled, who } from "./parts.js";
import { answer, attempt, card, cardName, cites, hand, money, signed, t, told } from "./say.js";
import { redraw } from "./steps.js";

let begun = 0; // the round in which the dealer is naming the right card
let place = 0; // of the card that is put right
let named = ""; // what is on the felt
let worked = null; // what that would change, as the server works it out

const waits = () => table.seen?.amendment;
const lying = () => table.seen.cards.filter((one) => one.exposed && one.card);

/** Whether the last card can be put right here: from the first card until the round is settled. */
export const may = () => table.seen?.phase === "dealing" && lying().length > 0 && legal("amend").length > 0;

/** Say that the last card is wrong. */
export function open() {
  if (waits()) return;
  if (!may()) {
    answer(t("wrong_pit"), { wrong: true });
    return;
  }
  begun = table.seen.round;
  place = lying().at(-1).place;
  named = "";
  worked = null;
  redraw();
}

export const step = {
  key: "wrong",
  now: () => !!waits() || (begun === table.seen.round && may()),
  label: () => t("wrong_held"),
  head: () => [html`<b>${t("wrong_on_felt")}</b>`, html`<span>${t("wrong_compare")}</span>`],
  required: () => (waits() ? held() : named ? proposing() : naming()),
  takes: () => (waits() ? null : {
    place,
    title: t("wrong_keypad"),
    small: t("wrong_keypad_small"),
    hint: t("wrong_keypad_hint"),
    card: name,
  }),
  answers,
  rail,
  keys,
};

function answers(box) {
  const staked = table.seen.stakes.some((one) => one.box === box);
  return staked ? html`<div class="ansx na">${t("wrong_box")}</div>` : null;
}

const cardAt = (at) => table.seen.cards.find((one) => one.place === at);
const facts = (at, is) => ({
  hand: hand(cardAt(at)?.hand ?? "player"),
  which: which(at),
  card: cardName(is),
  was: cardName(cardAt(at)?.card),
});

// Naming it ----------------------------------------------------------------------------------------------------

function naming() {
  return {
    eyebrow: t("wrong_title"),
    title: t("wrong_which", facts(place, "")),
    text: [t("wrong_which_text", facts(place, ""))],
    button: inert(t("enter_card")),
    second: { label: t("wrong_was_right", facts(place, "")), run: leave, key: "Esc" },
  };
}

/** What is on the felt; the server says what that would change. */
async function name(value) {
  named = value;
  worked = null;
  redraw();
  await attempt(async () => {
    worked = await ask("POST", `/api/tables/${table.id}/wrong-card`, { cards: asNamed() });
  }, book());
  redraw();
  return true;
}

function proposing() {
  const refused = worked?.refusal;
  return {
    eyebrow: t("wrong_title"),
    title: t("wrong_is", facts(place, named)),
    text: refused ? [refused.sentence, ...cites(refused.rules, book())] : [t("wrong_ask_text")],
    amber: !!refused,
    button: { label: t("wrong_ask", facts(place, named)), run: propose, enabled: !!worked && !refused, key: "Enter" },
    second: { label: t("wrong_was_right", facts(place, named)), run: leave, key: "Esc" },
  };
}

async function propose() {
  const reason = t("wrong_reason", facts(place, named));
  const done = await does({ command: "amend", cards: asNamed(), reason });
  if (done) begun = 0;
  return done;
}

/** All cards of the round with that one as it is. */
const asNamed = () => table.seen.cards.map((one) => (one.place === place ? named : one.exposed ? one.card : null));

async function leave() {
  begun = 0;
  named = "";
  worked = null;
  return true;
}

// Confirming it ------------------------------------------------------------------------------------------------

const changed = (found) => (found?.cards ?? []).filter((one) => one.before !== one.after);

/** The one card that differs; none where the pit puts more than one right. */
function differs() {
  const cards = changed(desk.seen.wrong);
  return cards.length === 1 ? cards[0] : null;
}

function held() {
  const one = differs();
  const own = legal("confirm-amendment").length > 0;
  const agreed = { command: "confirm-amendment" };
  const confirm = own ? () => does(agreed) : () => confirmer().confirm(agreed);
  return {
    eyebrow: t("wrong_eyebrow_held"),
    title: one ? t("wrong_is", facts(one.place, one.after)) : t("wrong_several"),
    text: [t("wrong_held_text"), ...cites(desk.seen.wrong?.notes.flatMap((note) => note.rules) ?? [], book())],
    amber: true,
    button: {
      label: one ? t("confirm", { card: cardName(one.after) }) : t("confirm_amendment"),
      run: confirm,
      enabled: own || !!confirmer()?.filled(),
      key: "",
    },
    under: own ? "" : t("wrong_pin_first"),
    second: legal("drop-amendment").length > 0 && {
      label: one ? t("wrong_was_right", facts(one.place, "")) : t("drop_amendment"),
      run: drop,
      key: "Esc",
    },
  };
}

const drop = () => does({ command: "drop-amendment", reason: t("wrong_drop_reason") });

let pin = null; // the supervisor's form, while a proposal waits

/** Everybody of a rank that may confirm it, other than who asked. */
function confirmer() {
  if (!desk.seen.wrong) return null; // the desk is being asked
  const ranks = desk.seen.wrong.confirms.filter((one) => one.may).map((one) => one.title);
  const asked = waits().by;
  pin ??= new Confirmer(t("wrong_supervisor"), (one) => one.name !== asked && ranks.includes(one.title));
  return pin;
}

// What it changes ----------------------------------------------------------------------------------------------

function rail() {
  const found = waits() ? desk.seen.wrong : worked;
  const small = waits() ? t("wrong_asked_by", { player: waits().by }) : t("wrong_not_yet");
  if (!waits()) pin = null;
  if (!found || found.refusal) return [
    panel("grow", t("wrong_title"), small, html`<p class="hint padx">${t("wrong_name_it")}</p>`),
  ];
  const inside = scrolled("scrolls", t("wrong_title"), [...changed(found).map((one) => beforeAfter(one, found)), changes(found)]);
  return [
    panel(
      "grow",
      t("wrong_title"),
      small,
      inside,
      also(found),
      waits() && !legal("confirm-amendment").length && confirmer()?.form,
      waits() && orPit(),
    ),
  ];
}

const orPit = () => html`<p class="or"><span class="live"></span>${t("wrong_or_pit")}</p>`;

function beforeAfter(one, found) {
  const side = (value, kind, label, result) =>
    html`<div class="card1 ${kind}">
      ${card(value)}
      <div>
        <p>${label}</p>
        <b>${kind === "was" ? html`<s>${cardName(value)}</s>` : cardName(value)}</b>
        <p>${resultOf(result)}</p>
      </div>
    </div>`;
  return html`<div class="ba">
    ${side(one.before, "was", t("wrong_entered"), found.before)}
    <span class="arr" aria-hidden="true">→</span>
    ${side(one.after, "new", t("wrong_on_felt"), found.after)}
  </div>`;
}

/** What the cards come to, or whose card is next. */
function resultOf({ outcome: result, player, banker, due }) {
  if (result) return t("order_result", { outcome: outcome(result), player, banker });
  return due ? t("wrong_due", { hand: hand(due) }) : "";
}

const amount = (cents, open) => (cents === null ? t("wrong_open") : `${signed(cents)}${open ? " …" : ""}`);

function changes(found) {
  if (!found.people.length) return html`<p class="hint padx">${t("no_stakes")}</p>`;
  const line = (one) =>
    html`<tr class=${one.before === one.after ? "off" : ""}>
      ${boxCell(one.box)}
      <td>
        ${who(one)}
        ${one.back ? html`<small>${t("wrong_back", { cents: money(one.back) })}</small>` : ""}
      </td>
      <td class="r was2">${amount(one.before, one.before_open)}</td>
      <td class="arrow" aria-hidden="true">→</td>
      <td class="r net">${amount(one.after, one.after_open)}</td>
    </tr>`;
  return rows(
    "wr",
    [
      t("box"),
      t("wrong_who"),
      [t("wrong_before"), "r"],
      html`<span class="hidden">→</span>`,
      [t("wrong_after"), "r"],
    ],
    ...found.people.map(line),
  );
}

/** What else changes: the result, insurance, cards to come. */
function also(found) {
  const line = (changed, text) => html`<span class=${changed ? "amb" : ""}>${icon(changed ? "alert" : "check")}${text}</span>`;
  const [before, after] = [found.before, found.after].map(
    (one) => (one.outcome ? outcome(one.outcome) : t("wrong_open")),
  );
  const windows = found.windows.map((one) => {
    const said = {
      hand: hand(one.hand),
      before: one.before ? odds(one.before) : "",
      after: one.after ? odds(one.after) : "",
    };
    return line(one.change !== "same", t(`wrong_window_${one.change}`, said));
  });
  return html`<div class="chg">
    ${line(
      before !== after,
      before === after ? t("wrong_same_result", { result: after }) : t("wrong_result", { before, after }),
    )}
    ${windows.length ? windows : [line(false, t("wrong_no_insurance"))]}
    ${found.notes.map((note) => line(true, html`<span>${told(note, book())}</span>`))}
  </div>`;
}

function keys(event) {
  if (event.key !== "Escape") return false;
  if (waits()) {
    if (!legal("drop-amendment").length) return false;
    drop().then(redraw);
    return true;
  }
  leave().then(redraw);
  return true;
}
