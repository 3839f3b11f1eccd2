// Paying: losing bets are taken first, then box by box, each payout in chips and ticked; "Payouts done" ends it. Enter
// ticks one payout at a time.

import { html, icon, node } from "../draw.js";
import { book, table } from "../state.js";
import { odds, outcome } from "../words.js";
import { desk, posts, refresh } from "./desk.js";
import { betLines, boxCell, chipRow, otherChips, panel, rows, scrolled, tick, who } from "./parts.js";
import { cites, field, formOf, glyph, money, signed, t } from "./say.js";
import { redraw } from "./steps.js";

const paid = () => desk.seen?.payouts;
const same = (one, other) => !!one && !!other && one.box === other.box && one.player === other.player;
/** Everybody to whom chips go, or from whom they come back after a correction. */
const due = () => paid().people.filter((one) => (paid().corrected ? !one.paid || order.some((done) => same(done, one)) : one.pays || one.handed) || one.disputed);
const left = () => due().filter((one) => !one.paid && !one.disputed);
const disputes = () => due().filter((one) => one.disputed);
/** What is still to go over the table to somebody; below zero if it comes back. */
const owed = (one) => one.pays - one.handed;

let taken = ""; // the losing bets that have been taken, of which round
let chosen = null; // the payout that is looked at, where it is not the next one
let smaller = 0; // how often other chips were asked for
let dispute = null; // the form in which a dispute is written down, while it is open
const order = []; // who was ticked here, the last one last

export const step = {
  key: "payouts",
  now: () => !!paid()?.settled && !paid().done,
  label: () => t("pays_count", { done: due().filter((one) => one.paid).length, all: due().length }),
  head: () => [html`<b>${t("pay_settled")}</b>`, html`<span>${settled()}</span>`],
  ring: () => (taking() ? null : now()?.box),
  required: () => (taking() ? takeFirst() : left().length ? payNext() : finish()),
  answers,
  stage,
  rail: list,
  keys,
};

const now = () => left().find((one) => same(one, chosen)) ?? left()[0];
/** Losing bets as they are now: after a correction those that lie on the felt and lose. */
const losing = () => JSON.stringify([paid().round, paid().corrected, paid().take, paid().taken]);
const begun = () => !paid().corrected && due().some((one) => one.handed || one.disputed);
const taking = () => paid().take > 0 && taken !== losing() && !begun();

function settled() {
  const { player, banker } = table.seen.points;
  if (!paid().outcome) return t("phase_void");
  return t("order_result", { outcome: outcome(paid().outcome), player, banker });
}

// What is required ---------------------------------------------------------------------------------------------

function takeFirst() {
  const boxes = paid().corrected ? paid().people.filter((one) => one.to_take).map((one) => one.box) : Object.keys(paid().taken);
  return {
    eyebrow: t(paid().corrected ? "pay_eyebrow_corrected" : "pay_eyebrow_take"),
    title: t(paid().corrected ? "pay_take_now_lose" : "pay_take", { take: money(paid().take) }),
    text: [t(paid().corrected ? "pay_take_now_lose_text" : "pay_take_text", { boxes: boxes.join(", ") })],
    button: { label: t("pay_taken"), icon: "check", run: tookThem, key: "Enter" },
  };
}

async function tookThem() {
  taken = losing();
  return true;
}

function payNext() {
  const one = now();
  const back = owed(one) < 0;
  const facts = { player: one.player, box: one.box, pay: money(Math.abs(owed(one))) };
  const last = left().length === 1;
  return {
    eyebrow: t(paid().corrected ? "pay_eyebrow_corrected" : back ? "pay_eyebrow_back" : "pay_eyebrow"),
    title: t(back ? "pay_take_back" : one.standing ? "pay_standing" : "pay_seated", facts),
    text: paid().corrected ? [changed(one)] : back ? [
      t("pay_back_text", { handed: money(one.handed), pays: money(one.pays) }),
    ] : [...why(one), commissionOf(one)],
    amber: back,
    button: {
      label: t(back ? "pay_taken_back" : last ? "paid_last" : "paid_next"),
      icon: "check",
      run: () => mark(one, "paid"),
      key: "Enter",
    },
    second: undo(),
  };
}

/** Before and after a correction; chips of bets that were on the felt are among what comes back. */
const changed = (one) =>
  t(one.to_take ? "pay_changed_felt" : "pay_changed", { before: signed(one.handed), after: signed(one.pays), felt: money(one.to_take) });

/** Which bets are paid, at what, by which paragraphs. */
const why = (one) =>
  winning(one).flatMap((line, number) => [
    number ? " · " : "",
    glyph(line.bet, line.window),
    " ",
    t("pay_at", { stake: money(line.stake), odds: odds(line.odds ?? "") }),
    ...cites(line.rules.slice(-1), book()),
  ]);
const winning = (one) => one.lines.filter((line) => line.net > 0);
const commissionOf = (one) => (one.commission ? ` · ${t("pay_commission", { cents: money(one.commission) })}` : "");

function undo() {
  const last = lastTicked();
  return last && { label: t("undo_tick"), run: () => mark(last, "to-pay"), key: "⌫" };
}

/** Whose tick can be taken back: the last who was ticked here, else the last in the order of paying. */
function lastTicked() {
  const done = due().filter((one) => (paid().corrected ? one.paid : one.handed) && !one.disputed);
  const here = order.findLast((one) => done.some((found) => same(found, one)));
  return paid().corrected ? here : (here ?? done.at(-1));
}

function finish() {
  const open = disputes();
  const facts = { players: open.map(who).join(", "), pay: money(paid().pay) };
  return {
    eyebrow: t("pay_eyebrow_done"),
    title: t(open.length ? "pay_disputed_title" : "pay_all_paid", facts),
    text: [t(open.length ? "pay_disputed_text" : "pay_done_text")],
    amber: open.length > 0,
    button: {
      label: t("payouts_done"),
      run: () => posts("payouts/done"),
      enabled: !open.length,
      key: "Enter",
    },
    second: undo(),
  };
}

/** Tick a payout, untick it, or say that it is disputed. */
async function mark(one, state, note = "") {
  const { box, player } = one;
  const body = { box, player, state, ...(note ? { note } : {}) };
  if (!(await posts("payouts", body))) return false;
  if (state === "paid") order.push({ box, player });
  look(null);
  await refresh();
  return true;
}

function look(one) {
  chosen = one;
  dispute = null;
  smaller = 0;
  redraw();
}

// What stands beside it ----------------------------------------------------------------------------------------

function list() {
  const here = taking() ? null : now();
  const all = due();
  const sum = (found, of) => money(found.reduce((total, one) => total + of(one), 0));
  const took = taking() ? [t("pay_first_take")] : [t("pay_took", { take: money(paid().take) }), " ", icon("check")];
  const inside = all.length
    ? rows(
      "pay",
      [t("box"), t("pay_head"), [t("pay"), "r"], t("pay_paid")],
      ...all.map((one) => line(one, same(one, here))),
    )
    : html`<p class="hint padx">${t("pay_nobody")}</p>`;
  return panel(
    "grow",
    t("pay_title"),
    paid().take ? took : "",
    scrolled("scrolls", t("pay_title"), inside),
    html`<p class="sumline">
      ${!paid().corrected && html`<span>${t("pay")}<b>${sum(all, (one) => one.pays)}</b></span>
      <span>${t("pay_paid")}<b>${sum(all, (one) => one.handed)}</b></span>`}
      <span>${t("pay_to_pay")}<b class="gold">${sum(all, (one) => Math.max(0, owed(one)))}</b></span>
      ${all.some((one) => owed(one) < 0) && html`<span>${t("pay_to_collect")}<b class="gold">${sum(all, (one) => Math.max(0, -owed(one)))}</b></span>`}
    </p>`,
  );
}

/** What goes over the table, as one figure; below zero it is collected. */
function figure(one) {
  if (owed(one) < 0) return t("pay_collect", { cents: money(-owed(one)) });
  return money(owed(one) || (paid().corrected ? 0 : one.pays));
}

function line(one, here) {
  const state = one.disputed ? "disputed" : one.paid ? "paid" : here ? "now" : "";
  const done = one.paid && !one.disputed;
  return html`<tr class=${state}>
    ${boxCell(one.box)}
    <td>
      <b>${who(one)}</b>
      <small>
        ${paid().corrected ? changed(one) : betLines(winning(one))}
        ${one.commission ? html`<span class="comm">${` ${t("pay_comm", { cents: money(one.commission) })}`}</span>` : ""}
      </small>
      ${one.disputed ? html`<span class="stamp a">${icon("flag")}${t("pay_disputed")}</span>` : chipRow(one.chips, 20)}
    </td>
    <td class="r net">${figure(one)}</td>
    <td>
      ${one.disputed
        ? html`<span class="tick" aria-hidden="true">?</span>`
        : tick(
          t("tick_of", { player: one.player, box: one.box }),
          done,
          () => (done || here ? mark(one, done ? "to-pay" : "paid") : look(one)),
          state,
        )}
    </td>
  </tr>`;
}

/** The payout at hand in chips, and what may be otherwise with it. */
function stage() {
  const one = taking() ? null : now();
  const count = left().length;
  const then = html`<section class="panel donebar">
    <span class="hint">${t(count ? "pay_then" : "pay_then_done", { count })}</span>
  </section>`;
  if (!one) return [then];
  return [
    html`<section class="panel paynow">
      <div>
        <span class="eyebrow">${t("pay_who", { box: one.box, player: one.player })}</span>
        <div class="amt">${money(Math.abs(owed(one)))}</div>
      </div>
      <div>
        <p class="ln">${paid().corrected ? changed(one) : [why(one), commissionOf(one)]}</p>
        ${chipRow(otherChips(one.chips, smaller), 44)}
      </div>
      <div class="alt">
        <button type="button" class="btn sm" @click=${changeChips}>${t("other_chips")}</button>
        <button type="button" class="btn sm" aria-expanded=${String(!!dispute)} @click=${() => disputing(one)}>
          ${icon("flag")}${t("pay_disputed")}
        </button>
      </div>
      ${dispute}
    </section>`,
    !dispute && then,
  ];
}

function changeChips() {
  smaller += 1;
  redraw();
}

function disputing(one) {
  if (dispute) dispute = null;
  else {
    const note = html`<input name="note" required maxlength="200" autocomplete="off">`;
    const send = (given) => mark(one, "disputed", String(given.get("note")).trim());
    dispute = node(formOf(
      send,
      field(t("dispute_note"), note),
      html`<button class="btn warn" type="submit">${t("dispute_call")}</button>`,
    ));
  }
  redraw();
  dispute?.querySelector("input").focus();
}

/** What a box shows at its foot while it is paid. */
function answers(box) {
  const here = taking() ? null : now();
  const people = due().filter((one) => one.box === box);
  if (!people.length) return paid().taken[box] ? html`<div class="ansx na">${t("box_lost")}</div>` : null;
  return people.map((one) => {
    const facts = { player: one.player, pay: money(Math.abs(owed(one)) || one.pays) }; // who sits there is named above
    if (one.disputed) return html`<div class="ansx wait">${icon("flag")}${t("box_disputed", facts)}</div>`;
    if (one.paid) return html`<div class="ansx na">${icon("check")}${t(one.standing ? "box_paid" : "box_paid_own", facts)}</div>`;
    return html`<div class=${same(one, here) ? "ansx yes" : "ansx wait"}>
      ${icon(same(one, here) ? "check" : "clock")}${t(owed(one) < 0 ? "box_collect" : one.standing ? "box_pay" : "box_pay_own", facts)}
    </div>`;
  });
}

function keys(event) {
  if (event.key !== "Backspace" || !lastTicked()) return false;
  mark(lastTicked(), "to-pay");
  return true;
}
