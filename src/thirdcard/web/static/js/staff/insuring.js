// Insurance, a step of its own: everybody who may insure is asked, and says yes or no for themselves. No card is taken
// before the dealer says that insurance is closed; who is silent then is named, and forgoes it.

import { $ } from "../dom.js";
import { html, icon, node } from "../draw.js";
import { book, table } from "../state.js";
import { bet, odds, own, phrase } from "../words.js";
import { desk, does, onDesk } from "./desk.js";
import { heldWords } from "./entry.js";
import { boxCell, panel, rows, scrolled } from "./parts.js";
import { answer, cents, cites, clock, glyph, hand, lasting, money, t } from "./say.js";
import { insurance } from "./seats.js";
import { perform, redraw } from "./steps.js";

const next = () => desk.seen.next;
const silent = () => next().silent ?? [];

let window = ""; // which one it is, by round and number
let since = 0; // when it opened; 0 if that was before this page was there
let came = false; // whether this page has seen the table before
let amounts = ""; // whose amount is being typed
/** @type {Map<string, number>} */
const answeredAt = new Map();

const list = (names) =>
  names.length > 1 ? `${names.slice(0, -1).join(phrase("list_join"))}${phrase("list_and")}${names.at(-1)}` : (names[0] ?? "");

/** Everybody who is asked, once for each bet that may be insured, box by box. */
const asked = () => [...desk.seen.answers].sort((a, b) => a.box - b.box || Number(a.standing) - Number(b.standing));
const keyOf = (one) => [one.player, one.box, one.bet, one.window, one.late].join("/");

/** When the window opened, and when each answer came; of what was there before this page nothing is said. */
function watch() {
  const [offer] = table.seen.offers;
  const now = `${table.seen.round}/${offer?.window ?? 0}`;
  const at = came ? Date.now() : 0;
  if (now !== window) {
    window = now;
    since = at;
    amounts = "";
    answeredAt.clear();
  }
  for (const one of desk.seen.answers) {
    if (one.answer && !answeredAt.has(one.player)) answeredAt.set(one.player, at);
  }
  came = true;
}
onDesk(watch);

const buy = (one, amount) =>
  perform(async () => {
    const { player, box, bet: side, window: number } = one;
    const body = { command: "insure", player, box, hand: side, cents: amount, window: number };
    const done = await does(body);
    if (done) amounts = "";
    return done;
  });

const decline = (one) => perform(() => does({ command: "decline", player: one.player }));

// What is required -----------------------------------------------------------------------------------------

function close() {
  const { command: body } = next();
  return does(body.command ? body : { command: "close-insurance", silent: silent() });
}

function required() {
  const names = silent();
  const players = names.length > 3 ? t("so_many_players", { count: names.length }) : list(names);
  const [offer] = table.seen.offers;
  const rules = cites(next().rules, book());
  if (!names.length) {
    return {
      eyebrow: t("insurance_eyebrow"),
      title: t("insurance_all_answered"),
      text: [t("insurance_close_text", { hand: hand(offer?.hand ?? "player") }), ...rules],
      button: { label: t("insurance_closed"), icon: "shield", run: close, key: "Enter" },
    };
  }
  return {
    eyebrow: t("insurance_eyebrow"),
    title: t("insurance_ask", { players }),
    text: [t("insurance_forgo", { players }), ...rules],
    button: { label: t("insurance_closed"), icon: "shield", run: close, key: "Shift+Enter" },
    under: t("insurance_under"),
  };
}

// Who has answered -----------------------------------------------------------------------------------------

const time = (player) => (answeredAt.get(player) ? clock(answeredAt.get(player) * 1000) : "");

function answerCell(one) {
  if (one.answer === "insured") {
    const told = one.bought ? t("answer_bought", { cents: money(one.bought) }) : t("answer_none");
    const kind = one.bought ? "ok" : "";
    return html`<td class="r"><span class=${kind}>${told}</span><small>${time(one.player)}</small></td>`;
  }
  if (one.answer === "declined") {
    return html`<td class="r">${t("answer_no")}<small>${time(one.player)}</small></td>`;
  }
  if (one.answer === "forgone") return html`<td class="r sil">${t("answer_forgone")}</td>`;
  if (amounts === keyOf(one)) return html`<td class="r">${amountForm(one)}</td>`;
  const full = { player: one.player, cents: money(one.cap) };
  return html`<td class="r">
    <div class="go">
      ${theirs(t("insure_amount"), t("insure_amount_of", { player: one.player }), () => {
        amounts = keyOf(one);
        redraw();
        $(".ia input")?.focus();
      })}
      ${theirs(t("insure_full", full), t("insure_full_of", full), () => buy(one, one.cap))}
      ${theirs(t("insure_no"), t("insure_no_of", { player: one.player }), () => decline(one))}
    </div>
  </td>`;
}

/** A player's own decision: pressed, never by Enter. */
const theirs = (text, name, run) =>
  html`<button class="btn sm" type="button" data-theirs aria-label=${name} @click=${run}>${text}</button>`;

/** @type {Map<string, HTMLElement>} */
const forms = new Map();

function amountForm(one) {
  const key = `${window}/${keyOf(one)}`;
  if (!forms.has(key)) {
    forms.clear();
    const name = t("insure_amount_of", { player: one.player });
    const input = node(html`<input inputmode="decimal" autocomplete="off" aria-label=${name}>`);
    const send = () => {
      const found = cents(input.value);
      if (found) buy(one, found);
      else answer(t("no_amount", { text: input.value || "–" }), { wrong: true });
    };
    const back = () => {
      amounts = "";
      redraw();
    };
    forms.set(
      key,
      node(html`<div class="go">
        <label class="f">${input}</label>
        ${theirs(t("insure_buy"), t("insure_buy_of", { player: one.player }), send)}
        <button type="button" class="btn sm quiet" @click=${back} aria-label=${t("cancel")}>
          ${icon("close")}
        </button>
      </div>`),
    );
  }
  return forms.get(key);
}

function line(one) {
  const about = one.late ? t("answer_is_late") : one.standing ? t("stands") : "";
  return html`<tr class=${one.answer ? "" : "hot"} data-player=${one.player}>
    ${boxCell(one.box)}
    <td>${one.player}${about && html`<small>${about}</small>`}</td>
    <td class="r">${money(one.stake)}</td>
    <td class="r">${one.answer && !one.bought ? "–" : money(one.wins)}</td>
    ${answerCell(one)}
  </tr>`;
}

const insuranceName = (side) => own("bets", `${side}-insurance`, bet(`${side}-insurance`).en);

const offerCard = (offer) =>
  html`<div class="offer">
    <span class="big">${odds(offer.odds)}</span>
    <p>
      <b>${insuranceName(offer.hand)} </b>
      ${insuranceName(offer.hand) !== bet(`${offer.hand}-insurance`).zh && glyph(offer.hand, offer.window)}
      <br>
      ${t("points_now", { player: table.seen.points.player ?? "?", banker: table.seen.points.banker ?? "?" })}
      ${cites(offer.rules, book())}
    </p>
    <span class="stamp">${offer.late ? t("answer_is_late") : t(`window_${offer.window}`)}</span>
  </div>`;

function tally(found) {
  const people = (kind) => new Set(found.filter((one) => one.answer === kind).map((one) => one.player)).size;
  const bought = found.reduce((sum, one) => sum + one.bought, 0);
  const box = (kind, figure, text) => html`<div class=${kind}><b .textContent=${figure}></b><span>${text}</span></div>`;
  return html`<div class="tally">
    ${box("y", people("insured"), t("tally_bought", { cents: money(bought) }))}
    ${box("", people("declined"), t("tally_declined"))}${box("w", silent().length, t("tally_silent"))}
    ${box("since", sinceText(), t("tally_since"))}
  </div>`;
}

const sinceText = () => (since ? lasting(Date.now() - since) : "–");

setInterval(() => {
  const place = $(".tally .since b");
  if (place) place.textContent = sinceText();
}, 1000);

function rail() {
  const found = asked();
  const people = new Set(found.map((one) => one.player)).size;
  const heads = [t("box"), t("who"), [t("bet"), "r"], [t("wins"), "r"], [t("answer"), "r"]];
  return panel(
    "grow",
    t("insurance_who"),
    t("insurance_may", { count: people }),
    ...table.seen.offers.map(offerCard),
    tally(found),
    scrolled("scroll", t("insurance_who"), rows("ia", heads, ...found.map(line))),
    html`<p class="hint padx">${t("insurance_hint")}</p>`,
  );
}

/** What a box shows at its foot: who has bought, who has said no, who is silent. */
function answers(box) {
  const found = asked().filter((one) => one.box === box);
  const told = (kind, mark, text) => html`<div class="ansx ${kind}">${mark && icon(mark)}${text}</div>`;
  if (!found.length) {
    const [offer] = table.seen.offers;
    return offer ? told("na", "", t("no_bet_on", { hand: hand(offer.hand) })) : null;
  }
  return found.map((one) => {
    if (one.answer === "insured") return insurance({ player: one.player, cents: one.bought });
    if (one.answer === "forgone") return told("", "clear", t("box_forgone", { player: one.player }));
    if (one.answer) return told("", "clear", t("box_no", { player: one.player }));
    return told("wait", "clock", t("box_silent", { player: one.player }));
  });
}

export const step = {
  key: "insurance",
  now: () => next().kind === "insurance" || next().command?.command === "close-insurance",
  label: () => (silent().length ? t("silent_count", { count: silent().length }) : ""),
  required,
  answers,
  head: () => {
    const count = new Set(desk.seen.answers.map((one) => one.player)).size;
    return [html`<b>${t("boxes")}</b>`, html`<span>${t("insurance_head", { count, silent: silent().length })}</span>`];
  },
  says: "insurance-offered",
  locked: () => [t("locked_insurance"), html`<small>${heldWords() || t("locked_insurance_text")}</small>`],
  rail,
};
