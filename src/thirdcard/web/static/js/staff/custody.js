// Cards dealt face down: who holds which, from the shoe to the felt. A card is drawn unseen and named when it is
// turned; requests to squeeze are one tap each; cards are handed out, taken back, or turned by the dealer.

import { $$ } from "../dom.js";
import { html, icon } from "../draw.js";
import { HANDS } from "../facts.js";
import { book, table } from "../state.js";
import { rest, which, why } from "./dealing.js";
import { Confirmer } from "./deliberate.js";
import { desk, does, may, onDesk } from "./desk.js";
import { deviceLines, devicePanel } from "./device.js";
import { boxCell, inert, key, panel, rows } from "./parts.js";
import { card, cardName, cites, clock, glyph, hand, inline, lasting, mark, t } from "./say.js";
import { perform, redraw } from "./steps.js";

const SLOW_MS = 60_000; // after which a holder is called slow
let names = { of: "", cards: [] }; // what shows on the cards that are being turned, as far as it was named
const since = new Map(); // when each card came where it is, as this page saw it; 0 if it was there before
let came = false; // whether this page has seen the table before

const next = () => desk.seen.next;
const lying = () => desk.seen.custody;
const faceUp = () => lying().filter((one) => one.face_up || saidOf(one.place)).length;

export const step = {
  key: "custody",
  now: () => !!table.seen?.house.face_down && table.seen.phase === "dealing" && lying().length > 0,
  label: () => t("custody_turned", { done: faceUp(), all: Math.max(4, table.seen.cards.length) }),
  head: () => [html`<b>${t("boxes")}</b>`, html`<span>${highest()}</span>`],
  ring: () => boxOf(holders()[0]),
  required,
  takes,
  hands: () => html`<div class="cust">${HANDS.map(column)}</div>`,
  rail: () => [requests(), custody(), slow()],
  keys,
};

const boxOf = (player) => Number(
  Object.entries(table.seen.seats).find(([, name]) => name === player)?.[0] ?? 0,
) || null;
const holders = () => [...new Set(lying().filter((one) => one.where === "holder").map((one) => one.holder))];
/** Who may ask, by the highest bet. */
function highest() {
  const right = desk.seen.requests?.find((one) => one.player)?.player;
  return right ? t("custody_right", { player: right }) : "";
}

// What is required ---------------------------------------------------------------------------------------------

function required() {
  const { kind, command: wanted } = next();
  const text = why();
  const plain = { eyebrow: t("next_required"), text };
  if (kind === "turn") return turning();
  if (kind === "draw") return {
    ...plain,
    title: t("custody_read", about()),
    button: inert(t("enter_card")),
  };
  if (kind === "command" && wanted.command === "draw") {
    const run = () => does(wanted);
    return {
      ...plain,
      title: t("custody_draw", about()),
      button: { label: t("go_draw"), run, enabled: true, key: "Enter" },
    };
  }
  if (kind === "command") {
    return {
      ...rest.required(),
      second: wanted.command === "hand-over" && {
        label: t("dealer_turns"),
        run: () => dealerTurns(wanted.cards),
        key: "T",
      },
    };
  }
  const [title, ...cited] = text;
  return {
    eyebrow: t("custody_waits"),
    title: title || t("next_wait"),
    text: cited,
    button: inert(t("waiting")),
  };
}

const about = () => ({ hand: hand(next().hand ?? "player"), which: which(next().place), place: next().place });

/** Which card is named now: those before it have been. */
function turned() {
  const { cards, player } = next().command;
  const of = JSON.stringify([cards, player, table.seen.round]);
  if (names.of !== of) names = { of, cards: [] };
  return cards[names.cards.length] ?? cards[0];
}

/** What was named of a card whose hand is being turned; nothing is on record before the whole hand is named. */
function saidOf(place) {
  if (next().kind !== "turn") return "";
  turned();
  return names.cards[next().command.cards.indexOf(place)] ?? "";
}

function turning() {
  const place = turned();
  const { player } = next().command;
  const facts = { hand: hand(next().hand), which: which(place), player };
  const so = names.cards.map((one) => cardName(one)).join(", ");
  return {
    eyebrow: t("custody_eyebrow", { done: faceUp(), all: table.seen.cards.length }),
    title: t(player ? "custody_player_turns" : "custody_turn", facts),
    text: [t(so ? "custody_so_far" : "custody_unseen", { place, cards: so }), ...cites(next().rules, book())],
    button: inert(t("custody_name_it")),
    under: t("custody_type"),
  };
}

function takes() {
  const { kind } = next();
  if (kind === "turn") {
    const place = turned();
    const small = t("custody_small", { hand: hand(next().hand), which: which(place) });
    return { place, title: t("custody_keypad"), small, hint: "", card: name };
  }
  if (kind !== "draw") return null;
  const { place } = next();
  return {
    place,
    title: t("card_entry"),
    small: t("custody_reader"),
    hint: "",
    masked: true,
    card: (value) => does({ ...next().command, card: value }),
  };
}

/** Name one of the cards that are turned; the last of them turns them all. */
async function name(value) {
  turned();
  const found = [...names.cards, value];
  const wanted = next().command;
  if (found.length < wanted.cards.length) {
    names.cards = found;
    return true;
  }
  const done = await does({ ...wanted, names: found });
  if (done) names = { of: "", cards: [] };
  return done;
}

// The two hands ------------------------------------------------------------------------------------------------

function column(side) {
  const mine = lying().filter((one) => one.hand === side && one.where !== "shoe");
  const inHand = mine.find((one) => one.where === "holder");
  const held = mine.filter((one) => one.where === "holder").map((one) => one.place);
  return html`<div class="ch">
    <header>
      ${mark(side)}
      ${hand(side)}
      ${inHand ? holding(inHand) : mine.length > 0 && html`<span class="stamp">${t("custody_with_dealer")}</span>`}
    </header>
    <div class="cc">${mine.map(lies)}</div>
    <footer>${held.length ? heldButtons(held) : [handTo(mine)]}</footer>
  </div>`;
}

/** Who has cards in hand, and for how long. */
const holding = ({ place, holder, gone }) =>
  html`<span class="stamp a">
    ${icon("clock")}${t(gone ? "custody_gone" : "held_by", { player: holder })}
    <time data-since=${started(place)}></time>
  </span>`;

function lies(one) {
  const seen = table.seen.cards.find((found) => found.place === one.place);
  const now = next().kind === "turn" && turned() === one.place;
  const face = one.face_up ? seen?.card : saidOf(one.place);
  const stamp = face ? ["g", t("custody_named")] : now ? [
    "a",
    t("custody_turn_now"),
  ] : one.where === "holder" ? [
    "",
    t("custody_view", { player: one.holder }),
  ] : ["", t("custody_face_down")];
  return html`<div class=${now ? "cd now" : "cd"}>
    ${card(face || null)}
    <div>
      <b>${t("custody_nth", { place: one.place })}</b>
      <span>${startedAt(one.place)}</span>
      <span class="stamp ${stamp[0]}">${stamp[1]}</span>
    </div>
  </div>`;
}

/** Since when a card has been where it is, as far as this page knows. */
function started(place) {
  const one = lying().find((found) => found.place === place);
  const where = one && `${table.seen.round}/${one.where}/${one.holder}/${one.face_up}`;
  if (since.get(place)?.where !== where) since.set(place, { where, at: came ? Date.now() * 1000 : 0 });
  return since.get(place).at;
}
onDesk(() => {
  for (const one of lying()) started(one.place);
  came = true;
});
/** That as a time of the day. */
const startedAt = (place) => (started(place) ? clock(started(place)) : "–");

function heldButtons(places) {
  const back = may("take-cards").length > 0;
  return [
    html`<button
      type="button"
      class="btn"
      ?disabled=${!back}
      @click=${() => perform(() => takeBack(places, "take_back_reason"))}
    >${icon("undo")}${t("take_back_cards")}${key("B")}</button>`,
    html`<button type="button" class="btn" ?disabled=${!back} @click=${() => perform(() => dealerTurns(places))}>
      ${icon("rebet")}${t("dealer_turns")}${!takes() && key("T")}
    </button>`,
  ];
}

const takeBack = (cards, reason) =>
  does({ command: "take-cards", cards, reason: t(reason) });

/** The dealer turns cards, and takes them from who holds them before. */
async function dealerTurns(places) {
  const held = places.filter((place) => lying().some((one) => one.place === place && one.where === "holder"));
  if (held.length && !(await takeBack(held, "dealer_turns_reason"))) return false;
  const { round } = table.seen;
  const before = desk.turns.round === round ? desk.turns.places : [];
  desk.turns = { round, places: [...new Set([...before, ...places])] };
  return true;
}

/** A button that gives a command that the server has listed. */
function doing(kind, { by, ...body }, ...shown) {
  return html`<button type="button" class=${kind} @click=${() => perform(() => does(body))}>
    ${shown}
  </button>`;
}

/** Hand a hand's cards to somebody: whom the rules name, by one press. */
function handTo(mine) {
  const places = mine.filter((one) => one.where === "dealer" && !one.face_up).map((one) => one.place);
  const found = may("hand-over").filter(
    (one) => one.command.cards.every((place) => places.includes(place)) && !one.command.wrongly,
  );
  const press = ({ command: body }) => doing("btn", body, icon("seat"), t("hand_to", { player: body.player }));
  const most = Math.max(...found.map((one) => one.command.cards.length));
  const whole = found.filter((one) => one.command.cards.length === most);
  const people = [...new Map(whole.map((one) => [one.command.player, one])).values()];
  if (people.length) return people.map(press);
  return html`<button type="button" class="btn" disabled>${icon("seat")}${t("hand_to_nobody")}</button>`;
}

// The right column ---------------------------------------------------------------------------------------------

let permits = null; // { name, pin }: a request that a supervisor grants here

function requests() {
  const found = desk.seen.requests ?? [];
  if (!found.length) return devicePanel();
  const rules = [...new Set(found.flatMap((one) => one.rules))];
  const wanted = found.find((one) => one.name === permits?.name && one.grant);
  if (!wanted) permits = null;
  return panel(
    "",
    t("requests"),
    [t("requests_small"), ...cites(rules, book())],
    html`<div class="sq">${found.map(request)}</div>`,
    wanted && permits.pin.form,
    wanted && permit(wanted),
    deviceLines(),
  );
}

function request(one) {
  const side = one.name.startsWith("player") ? "player" : "banker";
  const asks = [one.ask, one.power.may && one.grant].filter(Boolean);
  const tap = () => {
    if (asks.length) perform(() => does(asks.length > 1 ? asks : asks[0]));
    else if (one.grant) permitting(one);
    else perform(() => does(one.give));
  };
  return html`<button
    type="button"
    class="btn"
    aria-pressed=${String(["asked", "allowed", "given"].includes(one.state))}
    ?disabled=${!asks.length && !one.grant && !one.give}
    @click=${tap}
  >
    ${mark(side)}
    <span>
      ${t(`request_${one.name}`)}
      <small>${t(`request_${one.state}`, { player: one.player })}</small>
    </span>
  </button>`;
}

/** A supervisor at the desk lets somebody squeeze; the pit may too. */
function permitting(one) {
  const above = (person) => person.role !== "dealer";
  permits = permits?.name === one.name ? null : { name: one.name, pin: new Confirmer(t("wrong_supervisor"), above) };
  redraw();
}

const permit = (one) =>
  html`<div class="acts2">
    <button
      type="button"
      class="btn"
      ?disabled=${!permits.pin.filled()}
      @click=${() => perform(() => permits.pin.confirm(one.grant))}
    >${t("request_permit", { player: one.player })}</button>
  </div>`;

function custody() {
  const line = (one) => {
    const seen = table.seen.cards.find((found) => found.place === one.place);
    const third = one.place > 4;
    const unseen = t(one.where === "shoe" && third ? "custody_third" : "custody_unseen_short");
    const face = one.face_up ? seen?.card : saidOf(one.place);
    const what = face ? inline(face) : unseen;
    const lies = t(`custody_where_${one.where}`, { player: one.holder, box: boxOf(one.holder) ?? "–" });
    const where = face ? html`<span class="ok">${t("custody_where_turned")}</span>` : lies;
    const now = next().kind === "turn" && turned() === one.place;
    return html`<tr class=${one.where === "shoe" ? "off" : now ? "hot" : ""}>
      ${boxCell(one.place)}
      <td>${one.hand && glyph(one.hand)} ${what}</td>
      <td>${where}</td>
      <td class="r">${one.where === "shoe" ? (third ? t("custody_if_draws") : "") : startedAt(one.place)}</td>
    </tr>`;
  };
  return panel(
    "grow",
    t("custody"),
    t("custody_small_title"),
    rows(
      "cus-t",
      [t("custody_card"), t("custody_hand"), t("where"), [t("custody_since"), "r"]],
      ...lying().map(line),
    ),
    html`<p class="hint padx">${t("custody_hint")}</p>`,
  );
}

/** A reminder, not a rule: nothing happens by itself. */
function slow() {
  const held = lying().filter((one) => one.where === "holder");
  if (!held.length) return null;
  const [one] = held;
  const facts = { player: one.holder, count: held.filter((other) => other.holder === one.holder).length };
  return panel(
    "slow",
    t("slow_hand"),
    t("slow_small"),
    html`<div class="dutyp">
      <div>
        <b>${t("slow_holds", facts)} <time data-since=${started(one.place)}></time></b>
        <p>${t("slow_text")}</p>
      </div>
    </div>`,
  );
}

setInterval(() => {
  for (const one of $$('time[data-since]:not([data-since="0"])')) {
    const ms = Date.now() - Number(one.dataset.since) / 1000;
    one.textContent = ` ${lasting(ms)}`;
    one.closest(".slow")?.classList.toggle("late", ms >= SLOW_MS);
  }
}, 1000);

function keys(event) {
  const letter = event.key.toLowerCase();
  const held = lying().filter((one) => one.where === "holder").map((one) => one.place);
  if (event.key === "Backspace" && names.cards.length) {
    names.cards.pop();
    redraw();
    return true;
  }
  const handing = next().command?.command === "hand-over" ? next().command.cards : [];
  const turns = held.length ? held : handing;
  if (letter === "t" && turns.length) perform(() => dealerTurns(turns));
  else if (letter === "b" && held.length && may("take-cards").length) {
    perform(() => takeBack(held, "take_back_reason"));
  } else return false;
  return true;
}
