// A new shoe, step by step: counted in, shuffled, cut by a player, the cut card placed, loaded. The steps are ticks of
// this page; that the shoe is in use is what the table is told.

import { html, icon } from "../draw.js";
import { table } from "../state.js";
import { betName } from "../words.js";
import { deals, desk, does, may as legal } from "./desk.js";
import { devicePanel } from "./device.js";
import { dutyPanel } from "./handover.js";
import { byPerson, panel, people, scrolled, ticked } from "./parts.js";
import { clock, glyph, money, t } from "./say.js";
import { stakes } from "./seats.js";
import { redraw } from "./steps.js";

// What stands at the right whatever the step: who deals, and the shoe.

// What lies on the layout, person by person, insurance with it.

const sum = (lines) => lines.reduce((total, one) => total + one.cents, 0);

export function stakesPanel() {
  const found = people(stakes());
  const bets = (one) => html`<small>${one.stakes.flatMap((bet) => [glyph(bet.bet, bet.window), ` ${money(bet.cents)} `])}</small>`;
  return panel(
    "grow",
    t("stakes_title"),
    t("stakes_sum", { cents: money(sum(found.flatMap((one) => one.stakes))) }),
    found.length
      ? scrolled("scrolls", t("stakes_title"), byPerson(found, t("total"), bets, (one) => money(sum(one.stakes))))
      : html`<p class="hint padx">${t("no_stakes")}</p>`,
  );
}

const CARDS_A_ROUND = 4.94; // on the average of all rounds

/** Cards left, where the cut card is, and the way to a new shoe. */
function shoePanel() {
  const { cards_left: left, shoe, cut_card_out: out } = table.seen;
  const to = Math.max(0, (left ?? 0) - desk.seen.present.cut);
  const text = out ? t("shoe_cut_out") : t("shoe_rounds", { rounds: Math.round(to / CARDS_A_ROUND) });
  const anew = deals() && may();
  if (shoe === null && !anew) return null;
  return panel(
    "",
    shoe === null ? t("shoe_none") : t("shoe_number", { shoe }),
    t("shoe_small"),
    html`<div class="dutyp">
      <div>${shoe === null ? [] : [html`<b>${t("shoe_left", { left, to })}</b>`, html`<p>${text}</p>`]}</div>
      ${anew && html`<button class="btn sm" type="button" @click=${open}>${icon("shuffle")}${t("new_shoe")}</button>`}
    </div>`,
  );
}

export const sideRail = () => [devicePanel(), dutyPanel(), shoePanel()];

const NAMES = ["count", "shuffle", "cut", "card", "load"];
const CARDS = 52;

let begun = false; // somebody asked for a new shoe before one was due
let done = []; // when each step was ticked, and by whom
let declined = []; // who did not want to cut
let cutter = ""; // who has cut

const due = () => desk.seen?.next.command?.command === "new-shoe";
const paying = () => !!desk.seen?.payouts?.settled && !desk.seen.payouts.done;

/** Whether a new shoe can be taken now. */
export const may = () => legal("new-shoe").length > 0 && !paying();

/** Take a new shoe before the cut card comes. */
export function open() {
  begun = may();
  redraw();
}

export const step = {
  key: "shoe",
  whole: true,
  now: () => may() && (due() || begun),
  bar: () => NAMES.map((name, at) => ({ label: t(`load_${name}`), done: at < done.length, now: at === done.length })),
  required,
  stage: () => [list(), before()],
  rail: dutyPanel,
};

function required() {
  const name = NAMES[done.length];
  const facts = { count: CARDS * table.seen.house.decks, player: offered()?.player ?? "", box: offered()?.box ?? "" };
  const cut = name === "cut";
  const title = cut && offered() ? "load_offer_cut" : `load_do_${name}`;
  const label = cut && offered() ? "load_has_cut" : `load_done_${name}`;
  return {
    eyebrow: t("load_eyebrow"),
    title: t(title, facts),
    text: [t(`load_text_${name}`, { cut: desk.seen.present.cut })],
    button: { label: t(label, facts), run: name === "load" ? load : next, enabled: true, key: "Enter" },
    second: second(name),
  };
}

/** What may be done instead: a machine has shuffled, a player does not want to cut, or it is not yet time. */
function second(name) {
  if (name === "count") {
    if (begun && !due()) return { label: t("load_not_now"), run: leave, key: "" };
    return { label: t("load_by_machine"), run: load, key: "" };
  }
  if (name === "cut" && offered()) return { label: t("load_declines", offered()), run: decline, key: "" };
  return { label: t("load_step_back"), run: back, key: "" };
}

/** To whom the cut is offered now: box by box from 1 upward; nobody if all have declined. */
function offered() {
  const seats = Object.entries(table.seen.seats).map(([box, player]) => ({ box: Number(box), player }));
  return seats.sort((a, b) => a.box - b.box).find(({ player }) => !declined.includes(player));
}

async function next() {
  if (NAMES[done.length] === "cut") cutter = offered()?.player ?? "";
  done.push({ at: Date.now() * 1000, by: table.me });
  return true;
}

async function decline() {
  declined.push(offered().player);
  return true;
}

async function back() {
  done.pop();
  if (done.length < NAMES.indexOf("cut")) declined = [];
  return true;
}

async function leave() {
  begun = false;
  return true;
}

async function load() {
  if (!(await does({ command: "new-shoe" }))) return false;
  begun = false;
  done = [];
  declined = [];
  cutter = "";
  return true;
}

// The list -----------------------------------------------------------------------------------------------------

function list() {
  const facts = { count: CARDS * table.seen.house.decks, decks: table.seen.house.decks, cut: desk.seen.present.cut };
  const line = (name, at) => {
    const [over, here] = [done[at], at === done.length];
    const says = [t(`load_about_${name}`, facts), name === "cut" && cutSo()];
    return html`<li class=${over ? "done" : here ? "now" : ""} aria-current=${here ? "step" : null}>
      ${ticked(!!over, here ? "now" : "")}
      <div><b>${t(`load_title_${name}`, facts)}</b><p>${says.filter(Boolean)}</p></div>
      <em>${over ? `${over.by} ${clock(over.at)}` : ""}</em>
    </li>`;
  };
  return panel(
    "grow shoep",
    t("load_number", { number: (table.seen.shoe ?? 0) + 1 }),
    t("load_small"),
    html`<ol class="shoe">${NAMES.map(line)}</ol>`,
  );
}

/** Who declined and who cuts. */
function cutSo() {
  const said = declined.map((player) => t("load_declined", { player }));
  if (cutter) said.push(t("load_cut_by", { player: cutter }));
  else if (done.length === NAMES.indexOf("cut")) said.push(
    offered() ? t("load_cuts", offered()) : t("load_dealer_cuts"),
  );
  return said.length ? html`<b>${` ${said.join(", ")}`}</b>` : null;
}

/** The shoe that is over, by its results. */
function before() {
  const { shoe, roads } = table.seen;
  const results = roads.bead_plate;
  if (!shoe || !results.length) return null;
  const count = (winner) => results.filter((one) => one.winner === winner).length;
  const told = ["banker", "player", "tie"].map((winner) => `${betName(winner)} ${count(winner)}`).join(" · ");
  return html`<section class="panel donebar">
    <span class="hint">${t("load_before", { number: shoe, rounds: results.length })} ${told}</span>
    <a class="btn sm" href="/tables/${table.id}/board" target="_blank" rel="noopener">
      ${icon("list")}${t("load_board")}
    </a>
  </section>`;
}
