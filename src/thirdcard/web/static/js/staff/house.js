// What the house may do about a round, and what it noted of the table. What a rank may not do is there, disabled,
// with the reason.

import { ask, get } from "../api.js";
import { $, $$ } from "../dom.js";
import { anew, draw, html, node } from "../draw.js";
import { book, table } from "../state.js";
import { language, outcome } from "../words.js";
import { deliberate } from "./deliberate.js";
import { andRefresh, desk, does, may } from "./desk.js";
import { boxCell, rows, scrolled, who } from "./parts.js";
import { cardName, cards, cites, clock, field, formOf, hand, money, signed, t, told } from "./say.js";

// Cards that were recorded wrongly, put right from the pit: what everybody gets before and after is shown first. One
// person proposes and another confirms; a settled round is corrected by the rank that may.

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
  draw(place); // nothing that was typed for another proposal stays
  if (!wrong) return;
  const confirm = deliberate(t("confirm_amendment"), () => ({ command: "confirm-amendment" }), { kind: "primary" });
  confirm.set(t("confirm_amendment"), confirms > 0);
  const drop = (given) => andRefresh(does({ command: "drop-amendment", reason: given.get("reason") }, t("done")));
  draw(
    place,
    html`<h2>${t("pit_amend_waits")}</h2>`,
    html`<p class="hint">${t("pit_amend_by", { player: wrong.by, reason: wrong.reason })}</p>`,
    difference(wrong),
    confirm.made,
    confirms ? "" : html`<p class="hint">${t("amend_another")}</p>`,
    drops ? formOf(drop, reasonField(), html`<button class="btn" type="submit">${t("drop_amendment")}</button>`) : "",
  );
}

/** A field a card, as they are recorded; nothing can be sent before it changes something. */
export function showAmend(place) {
  const { amendment, cards: lying, phase, round } = table.seen;
  const correct = desk.seen.powers.correct;
  const key = JSON.stringify([!!amendment, lying, phase, round, may("amend").length, correct]);
  if (key === shown) return;
  shown = key;
  if (amendment) draw(place, html`<p class="muted">${t("pit_amend_waits")}</p>`);
  else if (lying.length && (may("amend").length || correct.may))
    draw(place, form(lying, phase === "settled" && correct.may));
  else draw(place, html`<p class="muted">${t("nothing_to_amend")}</p>`, [barred(correct)].filter(Boolean));
}

const recorded = (one) => (one?.exposed ? one.card : one ? UNSEEN : "");

function form(lying, corrects) {
  let [found, timer] = [null, 0];
  const fields = Array.from({ length: MOST }, (_, place) => {
    const value = recorded(lying[place]);
    const input = html`<input name="card" value=${value} data-was=${value} maxlength="3" autocomplete="off" spellcheck="false">`;
    return html`<label>
      ${lying[place]?.hand ? `${place + 1} ${hand(lying[place].hand)}` : t("pit_amend_more", { place: place + 1 })}
      ${input}
    </label>`;
  });
  const after = node(html`<div class="diff" aria-live="polite"></div>`);
  const reason = node(reasonField());
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
    draw(after);
    if (typed.includes("")) draw(after, html`<p class="hint">${t("no_cards")}</p>`);
    else if (JSON.stringify(typed) === JSON.stringify(lying.map((one) => (one.exposed ? one.card : null))))
      draw(after, html`<p class="hint">${t("pit_amend_same")}</p>`);
    else timer = setTimeout(() => work(typed), WAIT_MS);
  };
  const work = async (typed) => {
    try {
      const wrong = await ask("POST", `/api/tables/${table.id}/wrong-card`, { cards: typed });
      if (JSON.stringify(read()) !== JSON.stringify(typed)) return;
      draw(after, difference(wrong));
      found = wrong.refusal ? null : typed;
      name = corrects && !wrong.after?.due ? "correct" : "amend";
    } catch (error) {
      draw(after, html`<p class="wrong">${error.said ?? t("no_answer")}</p>`);
    }
    send.set(label(), found !== null);
  };
  const made = node(html`<form class="dec">
    <p class="hint">${t("cards_really")}</p>
    <div class="cardsin">${fields}</div>
    ${after}${reason}${send.made}
  </form>`);
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
    return html`<p class="wrong">${sentence}${cites(rules, slug())}</p>`;
  }
  const renamed = wrong.cards.filter((one) => one.before !== one.after);
  const line = (cents) => (cents === null ? t("pit_still_open") : signed(cents));
  const lines = wrong.people.map((one) => {
    const same = one.before === one.after;
    return html`<tr class=${same ? "out" : "hot"}>
      ${boxCell(one.box)}
      <td class="who">${who(one)}</td>
      <td class="r net">${same ? line(one.before) : html`<s>${line(one.before)}</s>`}</td>
      <td class="r net">
        ${line(one.after)}
        ${one.back ? html`<small>${t("pit_goes_back", { cents: money(one.back) })}</small>` : ""}
      </td>
    </tr>`;
  });
  const heads = [t("box"), t("who"), [t("pit_before"), "r"], [t("pit_after"), "r"]];
  return html`<div class="diff">
    ${renamed.map(({ place, before, after }) =>
      html`<p>${t("pit_amend_card", { place, before: laid(before), after: laid(after) })}</p>`,
    )}
    <p>
      ${t("pit_before")}: ${state(wrong.before)} → ${t("pit_after")}: <b>${state(wrong.after)}</b>
    </p>
    ${lines.length > 0 && scrolled("scroll", t("pit_amend_each"), rows("", heads, ...lines))}
    ${wrong.windows.map((one) =>
      html`<p class="amb">${t(`pit_window_${one.change}`, { ...one, hand: hand(one.hand) })}</p>`,
    )}
    ${wrong.notes.map((one) => html`<p class="hint">${told(one, slug())}</p>`)}
  </div>`;
}

const laid = (card) => (card ? cardName(card) : "–");

function state(one) {
  if (one.outcome) return t("order_result", { outcome: outcome(one.outcome), player: one.player, banker: one.banker });
  return one.due ? t("order_goes_on", { hand: hand(one.due) }) : t("pit_still_open");
}

const MOST_EVENTS = 12;

/** Draw each part again when what it depends on has changed, so that what is being typed stays. */
export function house() {
  const { powers } = desk.seen;
  anew("void", powers.void, () => draw($("#house-void"), voiding(powers.void)));
  anew("events", [table.seen.round, powers["read-significant"].may], () => draw($("#house-events"), events()));
}

/** Why one may not, with its paragraphs; nothing if one may. */
export const barred = (power) =>
  power.may
    ? null
    : html`<p class="hint">
      ${power.why || t("takes_manager")}
      ${cites(power.rules, book())}
    </p>`;

/** A reason, kept for pit and audit. */
const reasonField = () =>
  field(t("pit_reason_private"), html`<input name="reason" required maxlength="200" autocomplete="off">`);

function voiding(power) {
  const sure = html`<input type="checkbox" required>`;
  const send = async (given, form) => {
    if (await andRefresh(does({ command: "void", reason: given.get("reason") }, t("done")))) form.reset();
  };
  return node(formOf(
    send,
    html`<fieldset class="stack plain" ?disabled=${!power.may}>
      ${reasonField()}
      <label class="chk">${sure}<span>${t("pit_void_sure")}</span></label>
      <button class="btn danger" type="submit">${t("void_round")}</button>
    </fieldset>`,
    barred(power),
  ));
}

/** The table's own significant events, for those who may read them. */
function events() {
  const list = node(html`<ul class="rec2"></ul>`);
  const only = (text) => draw(list, html`<li class="muted">${text}</li>`);
  if (!desk.seen.powers["read-significant"].may) {
    only(t("takes_shift"));
    return list;
  }
  get(`/api/significant-events?limit=200&lang=${language}`).then(
    (found) => {
      const mine = found.filter((one) => one.stream === table.id).slice(0, MOST_EVENTS);
      if (mine.length) draw(list, mine.map(event));
      else only(t("no_events"));
    },
    () => {},
  );
  return list;
}

const event = (one) =>
  html`<li>
    <time>${clock(one.at)}</time>
    <span><b>${t(`kind_${one.kind}`)}</b> · ${one.by}<small>${one.what}</small></span>
  </li>`;
