// Cards that were recorded wrongly, put right from the pit: what everybody gets before and after is shown first. One
// person proposes and another confirms; a settled round is corrected by the rank that may.

import { ask } from "../api.js";
import { $$, html } from "../dom.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { outcome } from "../words.js";
import { deliberate } from "./deliberate.js";
import { desk, may, refresh } from "./desk.js";
import { barred, reasonField } from "./house.js";
import { attempt, cardName, cards, cites, formOf, hand, money, signed, t, told } from "./say.js";

const UNSEEN = "??";
const MOST = 6; // cards of a round
const WAIT_MS = 300; // after the last key, before it is worked out
let shown = "";
let waits = "";

const slug = book;

/** What waits to be confirmed: what changes for whom, and who may agree. */
export function showProposal(place) {
  const { wrong } = desk.seen;
  const [confirms, drops] = [may("confirm-amendment").length, may("drop-amendment").length];
  const key = JSON.stringify([wrong, confirms, drops]);
  if (key === waits) return;
  waits = key;
  place.hidden = !wrong;
  if (!wrong) return;
  const confirm = deliberate(t("confirm_amendment"), () => ({ command: "confirm-amendment" }), { kind: "primary" });
  confirm.set(t("confirm_amendment"), confirms > 0);
  const drop = async (given) => {
    await attempt(() => command({ command: "drop-amendment", reason: given.get("reason") }), slug(), t("done"));
    refresh();
  };
  place.replaceChildren(
    html("h2", {}, t("pit_amend_waits")),
    html("p", { class: "hint" }, t("pit_amend_by", { player: wrong.by, reason: wrong.reason })),
    difference(wrong),
    confirm.made,
    confirms ? "" : html("p", { class: "hint" }, t("amend_another")),
    drops ? formOf(drop, reasonField(), html("button", { class: "btn", type: "submit" }, t("drop_amendment"))) : "",
  );
}

/** A field a card, as they are recorded; nothing can be sent before it changes something. */
export function showAmend(place) {
  const { amendment, cards: lying, phase, round } = table.seen;
  const correct = desk.seen.powers.correct;
  const key = JSON.stringify([!!amendment, lying, phase, round, may("amend").length, correct]);
  if (key === shown) return;
  shown = key;
  if (amendment) place.replaceChildren(html("p", { class: "muted" }, t("pit_amend_waits")));
  else if (lying.length && (may("amend").length || correct.may))
    place.replaceChildren(form(lying, phase === "settled" && correct.may));
  else place.replaceChildren(html("p", { class: "muted" }, t("nothing_to_amend")), ...[barred(correct)].filter(Boolean));
}

const recorded = (one) => (one?.exposed ? one.card : one ? UNSEEN : "");

function form(lying, corrects) {
  let [found, timer] = [null, 0];
  const fields = Array.from({ length: MOST }, (_, place) => {
    const value = recorded(lying[place]);
    const input = html(
      "input",
      { name: "card", value, "data-was": value, maxlength: 3, autocomplete: "off", spellcheck: "false" },
    );
    return html(
      "label",
      {},
      lying[place]?.hand ? `${place + 1} ${hand(lying[place].hand)}` : t("pit_amend_more", { place: place + 1 }),
      input,
    );
  });
  const after = html("div", { class: "diff", "aria-live": "polite" });
  const reason = reasonField();
  let name = corrects ? "correct" : "amend"; // a settled round that is not over with these cards goes on: two agree
  const label = () => t(name === "correct" ? "correct_cards" : "amend");
  const body = () => {
    const why = reason.querySelector("input");
    if (!why.value.trim()) {
      why.focus();
      return null;
    }
    return found && { command: name, cards: found, reason: why.value.trim() };
  };
  const send = deliberate(label(), body, { kind: "primary" });
  send.set(label(), false);

  const read = () => {
    const texts = $$("[name=card]", made).map((one) => one.value.trim());
    while (texts.at(-1) === "") texts.pop();
    return texts.map((one) => (one === UNSEEN ? null : (cards(one)?.[0] ?? "")));
  };
  const tell = () => {
    clearTimeout(timer);
    found = null;
    send.set(label(), false);
    const typed = read();
    for (const [place, one] of $$("[name=card]", made).entries()) {
      one.classList.toggle("new", one.value.trim().toUpperCase().replace("10", "T") !== one.dataset.was);
      one.setAttribute("aria-invalid", String(typed[place] === ""));
    }
    after.replaceChildren();
    if (typed.includes("")) after.replaceChildren(html("p", { class: "hint" }, t("no_cards")));
    else if (JSON.stringify(typed) === JSON.stringify(lying.map((one) => (one.exposed ? one.card : null))))
      after.replaceChildren(html("p", { class: "hint" }, t("pit_amend_same")));
    else timer = setTimeout(() => work(typed), WAIT_MS);
  };
  const work = async (typed) => {
    try {
      const wrong = await ask("POST", `/api/tables/${table.id}/wrong-card`, { cards: typed });
      if (JSON.stringify(read()) !== JSON.stringify(typed)) return;
      after.replaceChildren(difference(wrong));
      found = wrong.refusal ? null : typed;
      name = corrects && !wrong.after?.due ? "correct" : "amend";
    } catch (error) {
      after.replaceChildren(html("p", { class: "wrong" }, error.said ?? t("no_answer")));
    }
    send.set(label(), found !== null);
  };
  const made = html(
    "form",
    { class: "dec" },
    html("p", { class: "hint" }, t("cards_really")),
    html("div", { class: "cardsin" }, ...fields),
    after,
    reason,
    send.made,
  );
  made.addEventListener("submit", (event) => event.preventDefault());
  made.addEventListener("input", (event) => event.target.closest("[name=card]") && tell());
  tell();
  return made;
}

// Before and after ------------------------------------------------------------------------------------------

/** The round before and after, and what each player gets; never a total of the house. */
export function difference(wrong) {
  if (wrong.refusal) {
    const { sentence, rules } = wrong.refusal;
    return html("p", { class: "wrong" }, sentence, ...cites(rules, slug()));
  }
  const renamed = wrong.cards.filter((one) => one.before !== one.after);
  const line = (cents) => (cents === null ? t("pit_still_open") : signed(cents));
  const rows = wrong.people.map((one) => {
    const same = one.before === one.after;
    return html(
      "tr",
      { class: same ? "out" : "hot" },
      html("td", {}, html("b", { class: "bn" }, one.box)),
      html("td", { class: "who" }, one.standing ? t("standing", { player: one.player }) : one.player),
      html("td", { class: "r net" }, same ? line(one.before) : html("s", {}, line(one.before))),
      html(
        "td",
        { class: "r net" },
        line(one.after),
        one.back ? html("small", {}, t("pit_goes_back", { cents: money(one.back) })) : "",
      ),
    );
  });
  const heads = [t("box"), t("who"), t("pit_before"), t("pit_after")].map((name, place) =>
    html("th", { scope: "col", class: place > 1 ? "r" : null }, name),
  );
  return html(
    "div",
    { class: "diff" },
    ...renamed.map(({ place, before, after }) =>
      html("p", {}, t("pit_amend_card", { place, before: laid(before), after: laid(after) })),
    ),
    html(
      "p",
      {},
      t("pit_before"),
      ": ",
      state(wrong.before),
      " → ",
      t("pit_after"),
      ": ",
      html("b", {}, state(wrong.after)),
    ),
    rows.length
      ? html(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": t("pit_amend_each") },
        html("table", { class: "tb" }, html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows)),
      )
      : "",
    ...wrong.windows.map((one) =>
      html("p", { class: "amb" }, t(`pit_window_${one.change}`, { ...one, hand: hand(one.hand) })),
    ),
    ...wrong.notes.map((one) => html("p", { class: "hint" }, ...told(one, slug()))),
  );
}

const laid = (card) => (card ? cardName(card) : "–");

function state(one) {
  if (one.outcome) return t("order_result", { outcome: outcome(one.outcome), player: one.player, banker: one.banker });
  return one.due ? t("order_goes_on", { hand: hand(one.due) }) : t("pit_still_open");
}
