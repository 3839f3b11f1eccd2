// The dealer's console: the one thing that the rules require next, card entry, payouts, the pit.

import { ask } from "../api.js";
import { $, $$, html, icon } from "../dom.js";
import { command, follow } from "../socket.js";
import { book, on, table } from "../state.js";
import { otherLang, own, spoken } from "../words.js";
import { showAlso, shortly, words } from "./also.js";
import { showAmend } from "./amend.js";
import { showChips } from "./chips.js";
import { desk, onDesk, refresh, watchDesk } from "./desk.js";
import { clear, correct, entry, press, strayed, typed } from "./entry.js";
import { showReport } from "./report.js";
import { hands, payouts, stakes, steps } from "./round.js";
import { answer, attempt, cardName, cites, glyph, hand, t, told } from "./say.js";

const RANKS = [..."A23456789TJQK"];
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
let sending = Promise.resolve(); // cards go out one after the other, in the order entered
let waiting = 0;
let named = { key: "", cards: [] }; // what shows on the cards that are being turned, as far as it was entered

const slug = book;
const entering = (next) => next?.kind === "draw" || next?.kind === "turn";
const open = () => waiting > 0 || entering(desk.seen?.next);
/** A card that a device reads as it is drawn face down; one that is turned lies there for everybody. */
const secret = () => table.seen?.house.face_down && desk.seen?.next.kind !== "turn";

// What is next ----------------------------------------------------------------------------------------------

function showNext() {
  if (!desk.seen) return;
  const { next } = desk.seen;
  const ready = typed();
  const card = () => t("next_card", { hand: hand(next.hand), card: ordinal(next) });
  const heading = {
    command: () => (next.command.command === "draw" ? card() : words(next.command)),
    draw: () => (ready ? confirming(next, ready) : card()),
    turn: () => turning(next, ready),
    wait: () => t("next_wait"),
  }[next.kind]();
  const why = next.why ? told(next.why, slug()) : [own("refusals", next.code, next.said), ...cites(next.rules, slug())];
  const drawing = next.kind === "draw" || next.command.command === "draw";
  const waits = table.seen.waiting.length && drawing;
  $("#next").replaceChildren(
    html(
      "div",
      {},
      html("span", { class: "eyebrow" }, t("next_required")),
      html("h1", { class: "serif" }, heading),
      html("p", {}, ...why, waits ? ` ${t("waits_first", { card: cardName(table.seen.waiting[0]) })}` : ""),
    ),
    button(next, ready),
  );
}

/** Which card of the hand it is. */
const ordinal = (next) => t(next.place > 4 ? "card_third" : next.place > 2 ? "card_second" : "card_first");

function confirming(next, ready) {
  const shown = secret() ? t("a_card") : cardName(ready);
  return t("next_confirm", { card: shown, hand: hand(next.hand), which: ordinal(next) });
}

/** Which card of the hand is named now, and what has been named before it. */
function turning(next, ready) {
  const place = next.command.cards[named.cards.length] ?? next.place;
  const facts = { hand: hand(next.hand), place, shown: named.cards.map((one) => cardName(one)).join(", ") };
  if (ready) return t("turn_confirm", { ...facts, card: cardName(ready) });
  return t(named.cards.length ? "turn_more" : "turn_first", facts);
}

function button(next, ready) {
  const enter = () =>
    ready ? t("confirm", { card: secret() ? t("a_card") : cardName(ready) }) : t("enter_card");
  const names = { command: () => shortly(next.command), draw: enter, turn: enter, wait: () => t("waiting") };
  const off = next.kind === "wait" || (entering(next) && !ready) || table.link !== "open";
  return html(
    "button",
    { id: "main-button", class: "btn primary huge", disabled: off, onclick: go },
    names[next.kind](),
    html("kbd", { class: "key" }, "Enter"),
  );
}

/** Do what is next: the card that was typed, or the command. */
async function go() {
  const ready = typed();
  const { next } = desk.seen;
  if (ready && open()) {
    if (next.kind === "turn") turn(next, ready);
    else draw(ready);
    return;
  }
  if (next.kind !== "command") return;
  $("#main-button").disabled = true;
  await attempt(() => command(next.command), slug());
  refresh();
}

function draw(value) {
  clear();
  showEntry();
  waiting += 1;
  sending = sending.then(async () => {
    const done = await attempt(() => command({ command: "draw", card: value }), slug());
    waiting -= 1;
    if (!done && !typed()) [entry.rank, entry.suit] = value;
    await refresh();
    showEntry();
  });
}

/** Name one of the cards that are turned; the last of them turns them all. */
async function turn(next, value) {
  clear();
  named.cards.push(value);
  const { cards } = next.command;
  if (named.cards.length < cards.length) {
    showEntry();
    return;
  }
  const names = named.cards;
  named = { key: "", cards: [] };
  $("#main-button").disabled = true;
  await attempt(() => command({ ...next.command, names }), slug());
  refresh();
}

// Card entry ------------------------------------------------------------------------------------------------

/** What was entered belongs to the cards it was entered for. */
function keepNames() {
  const key = JSON.stringify(desk.seen?.next.command ?? {});
  if (key !== named.key) named = { key, cards: [] };
}

function showEntry() {
  keepNames();
  const free = open();
  for (const key of $$("#keypad [data-key]")) {
    const { key: name } = key.dataset;
    const chosen = name === entry.rank || name === entry.suit;
    key.setAttribute("aria-pressed", String(chosen && !secret()));
    key.disabled = !free;
  }
  $("#typed").textContent = secret() && entry.rank ? "••" : "";
  showNext();
}

function keypad() {
  const key = (name, text, label) =>
    html(
      "button",
      {
        class: `kp ${"HD".includes(name) ? "red" : ""}`,
        type: "button",
        "data-key": name,
        "aria-label": label,
        "aria-pressed": "false",
        onclick: () => type(name),
      },
      text,
    );
  $("#ranks").append(
    ...RANKS.map((rank) => key(rank, rank === "T" ? "10" : rank, rank === "T" ? "10" : rank)),
  );
  $("#suits").append(
    ...Object.entries(SUITS).map(([suit, mark]) => key(suit, mark, own("cards", `suit-${suit}`))),
    html(
      "button",
      { class: "btn kc", type: "button", onclick: back },
      icon("undo"),
      t("correct_entry"),
      html("kbd", { class: "key" }, "⌫"),
    ),
  );
}

function type(name) {
  press(name, open());
  showEntry();
}

function back() {
  if (!entry.rank && !entry.suit) named.cards.pop();
  correct();
  showEntry();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const field = event.target.closest("input, select, textarea");
  if (field || !desk.seen) return;
  const { key } = event;
  if (key === "Enter") {
    const elsewhere = event.target.closest("button, a, summary");
    if (typed() || strayed()) {
      event.preventDefault();
      if (typed()) go();
      else answer(t("no_card_due"), { wrong: true });
    } else if (!elsewhere && !event.repeat) go();
  } else if (key === "Backspace") {
    event.preventDefault();
    back();
  } else if (key === "Escape") {
    clear();
    showEntry();
  } else if (key === "p" || key === "P") callPit();
  else if (key.length === 1 && press(key, open())) {
    event.preventDefault();
    showEntry();
  }
}

// The rest --------------------------------------------------------------------------------------------------

async function callPit() {
  if (table.seen.house.called) return;
  await attempt(() => ask("POST", `/api/tables/${table.id}/call`, { note: "" }), slug(), t("called"));
}

function showCall() {
  const { called } = table.seen.house;
  const button = $("#call");
  button.disabled = !!called;
  $("#call-text").textContent = called ? t("pit_called") : t("call_pit");
}

function showRound() {
  $("#steps").replaceChildren(...steps());
  $("#hands").replaceChildren(...hands());
  showCall();
}

function showMoney() {
  const paid = desk.seen.payouts;
  const title = paid ? t(paid.settled ? "payouts" : "payouts_if") : t("stakes_lying");
  $("#money-title").textContent = title;
  $("#money").replaceChildren(...(paid ? payouts(paid, slug()) : [stakes()]).filter(Boolean));
  showAnswers();
}

/** Who has yet to say yes or no to insurance. */
function showAnswers() {
  const { answers } = desk.seen;
  const { offers } = table.seen;
  const place = $("#answers");
  place.hidden = !offers.length;
  if (!offers.length) return;
  const open = answers.filter((one) => !one.answer).map((one) => one.player);
  place.replaceChildren(
    html(
      "h2",
      {},
      t("insurance"),
      html("small", {}, open.length ? t("yet_to_answer", { players: open.join(", ") }) : t("all_answered")),
    ),
    html(
      "ul",
      { class: "offers" },
      ...offers.map((one) =>
        html("li", {}, glyph(one.hand, one.window), ` ${one.odds}`, ...cites(one.rules, slug())),
      ),
    ),
    html(
      "ul",
      { class: "answers" },
      ...answers.map((one) =>
        html(
          "li",
          { class: one.answer ? "ok" : "" },
          one.late ? t("answer_late", { player: one.player }) : one.player,
          " ",
          html("small", {}, t(`answer_${one.answer || "open"}`)),
        ),
      ),
    ),
  );
}

const lines = [];

/** What was last said, as far as the table still shows it, for a page that has just been opened. */
function lastSaid() {
  const { settlement, phase, cards, points } = table.seen;
  if (settlement) return [{ key: "result", facts: settlement }];
  if (phase === "betting") return [{ key: "place-your-bets" }];
  if (phase !== "dealing") return [];
  return [
    cards.length < 4 || points.player === null ? { key: "no-more-bets" } : { key: "points", facts: points },
  ];
}

function heard(said) {
  lines.push(...(said.length || lines.length ? said : lastSaid()));
  lines.splice(0, Math.max(0, lines.length - 3));
  $("#say").replaceChildren(
    ...lines.map((one) =>
      html("p", { class: "serif" }, spoken(one), html("span", { lang: otherLang }, ` ${spoken(one, true)}`)),
    ),
  );
}

function showDesk() {
  showRound();
  showEntry();
  showMoney();
  showAlso($("#also"));
  showChips($("#chips"));
  showReport($("#report"));
  showAmend($("#amend"));
}

keypad();
$("#call").addEventListener("click", callPit);
document.addEventListener("keydown", onKey);
on("phase cards points offers house held_up settlement link", showRound);
on("link", showNext);
onDesk(showDesk);
watchDesk();
follow(heard);
