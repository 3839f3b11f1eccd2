// Under the felt: chips to take in hand, what is done with bets, and one's money.

import { leaveTable } from "./api.js";
import { chip, pieces } from "./chips.js";
import { shownRack } from "./counting.js";
import { $, $$, button, html, icon } from "./dom.js";
import { toggle } from "./panels.js";
import { able, chips, clear, double, held, move, place, rebet, rebetCents, send, take, undo } from "./play.js";
import { repeating, roundOf, stop } from "./repeating.js";
import { seedButton } from "./seeds.js";
import { box, joined, mine, on, option, ownNet, purchases, seat, stakeOn, table } from "./state.js";
import { attempt } from "./tellers.js";
import { money, t } from "./words.js";

// Chips by hand: from the rack onto a spot, from spot to spot, and off the felt to take them back.

const FAR = 10; // pixels before it is a drag
const SPOT = ".shown .own .spot, .shown .pspot";
const SIZE = 52;

/** @type {{ cents: number, from: { box: number, bet: string }, x: number, y: number, flying: HTMLElement, pointer: number }} */
let drag = null;

const betAt = (spot) => ({ box: Number(spot.dataset.box || box()), bet: spot.dataset.bet });
const spotUnder = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest?.(SPOT);

function begin(event) {
  if (event.button !== 0 || drag) return;
  const rack = event.target.closest?.(".chipbtn");
  const spot = rack ? null : event.target.closest?.(SPOT);
  const from = spot && betAt(spot);
  const cents = rack ? Number(rack.dataset.cents) : from ? stakeOn(from.box, from.bet) : 0;
  if (!cents) return;
  drag = { cents, from, x: event.clientX, y: event.clientY, flying: null, pointer: event.pointerId };
}

function follow(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.flying) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    drag.flying = html("div", { class: "flying", "aria-hidden": "true" }, chip(pieces(drag.cents)[0], SIZE));
    document.body.append(drag.flying);
    document.documentElement.classList.add("dragging");
    if (!drag.from) take(drag.cents);
  }
  drag.flying.style.transform = `translate(${event.clientX - SIZE / 2}px, ${event.clientY - SIZE / 2}px)`;
  const over = spotUnder(event);
  for (const spot of $$(".drop")) spot.classList.toggle("drop", spot === over);
  over?.classList.add("drop");
}

function end(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { flying, from, cents } = drag;
  drag = null;
  if (!flying) return;
  flying.remove();
  $(".drop")?.classList.remove("drop");
  document.documentElement.classList.remove("dragging");
  quiet();
  if (event.type === "pointercancel") return;
  const spot = spotUnder(event);
  const to = spot && betAt(spot);
  if (!from && to) place(to.box, to.bet, cents);
  else if (from && !to) move(from);
  else if (from && (to.box !== from.box || to.bet !== from.bet)) move(from, to);
}

/** The click on a spot that ends a drag is no bet. */
function quiet() {
  const swallow = (event) => event.target.closest?.(SPOT) && event.stopPropagation();
  document.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 50);
}

/** Let chips be dragged anywhere on the page. */
export function watchDrags() {
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", follow);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end);
}

export const ACTIONS = { undo: () => undo(), clear, rebet, double };
const KEYS = { undo: "Z", clear: "X", rebet: "R", double: "D", saved: "F" };

class TableTray extends HTMLElement {
  connectedCallback() {
    this.rack = html("div", { class: "chiprow", role: "radiogroup", "aria-label": t("chip_in_hand") });
    const own = button("edit", () => toggle("bet-tools", "chips"), { "data-act": "chips" }, icon("pencil"), t("chips_edit"));
    this.top = html("div", { class: "racked" }, this.rack, own);
    this.acts = html("div", { class: "acts four" }, ...this.buttons());
    this.append(this.top, this.acts);
    this.rack.addEventListener("click", (event) => {
      const chosen = event.target.closest("button");
      if (chosen) take(Number(chosen.dataset.cents));
    });
    this.rack.addEventListener("keydown", (event) => this.arrows(event));
    on("limits chip house", () => this.chips());
    on("options phase stakes repeating sent", () => this.actions());
  }

  buttons() {
    const action = (name, act, ...inside) =>
      button("", act, { "data-act": name, "aria-keyshortcuts": KEYS[name] }, ...inside, html("kbd", {}, KEYS[name]));
    const plain = (name) => action(name, ACTIONS[name], icon(name), html("span", {}, t(name)));
    this.amount = html("span", {}, t("rebet"));
    this.times = html("span", {});
    const many = () => (repeating.of ? stop() : toggle("bet-tools", "times"));
    return [
      plain("undo"),
      plain("clear"),
      html(
        "span",
        { class: "split" },
        action("rebet", ACTIONS.rebet, icon("rebet"), this.amount),
        button("", many, { "data-act": "times", "aria-keyshortcuts": "Shift+R" }, this.times),
      ),
      plain("double"),
      action("saved", () => toggle("bet-tools", "saved"), icon("star"), html("span", {}, t("saved"))),
    ];
  }

  chips() {
    const fits = chips();
    if (this.drawn !== fits.join()) {
      this.drawn = fits.join();
      this.rack.replaceChildren(...fits.map((cents) => chipButton(cents)));
    }
    const now = held();
    for (const one of $$("button", this.rack)) {
      const on = Number(one.dataset.cents) === now;
      one.setAttribute("aria-checked", String(on));
      one.tabIndex = on ? 0 : -1;
    }
  }

  actions() {
    const may = able();
    for (const name of Object.keys(ACTIONS)) $(`[data-act="${name}"]`, this.acts).disabled = !may[name];
    const cents = rebetCents();
    this.amount.textContent = repeating.of ? roundOf() : cents ? t("rebet_amount", { amount: money(cents) }) : t("rebet");
    this.times.textContent = repeating.of ? t("stop") : `×${repeating.times}`;
    const label = repeating.of ? t("stop_repeating") : t("times_title");
    $('[data-act="times"]', this.acts).setAttribute("aria-label", `${this.times.textContent} ${label}`); // begins as it reads
    this.classList.toggle("repeating", repeating.of > 0);
    this.classList.toggle("fresh", may.rebet && !mine().length && !table.sent.length); // nothing lies there yet
    this.classList.toggle("closed", option("place") === undefined);
  }

  arrows(event) {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const fits = chips();
    const next = fits[(fits.indexOf(held()) + step + fits.length) % fits.length];
    take(next);
    $(`[data-cents="${next}"]`, this.rack).focus();
  }
}

function chipButton(cents) {
  const label = t("chip_of", { amount: money(cents) });
  const radio = { type: "button", class: "chipbtn", role: "radio", "data-cents": cents, "aria-label": label };
  return html("button", radio, chip(cents / 100, 56));
}

/** Rack, stake, and how far the hands of a box are apart. */
class TablePurse extends HTMLElement {
  connectedCallback() {
    on("racks stakes settlement seats box differential phase options purchases bought counting", () => this.show());
  }

  show() {
    if (!joined()) {
      this.replaceChildren(html("p", { class: "watching" }, t(!table.plays ? "watching_staff" : table.me ? "watching_as" : "watching", { name: table.me })));
      return;
    }
    const net = ownNet();
    const staked = mine().reduce((sum, stake) => sum + stake.cents, 0) + insuredCents();
    const parts = [
      figure(t("your_rack"), money(shownRack()), "rack"),
      net === null ? figure(t("staked"), money(staked), "stake") : figure(t("returned"), money(ownReturn()), "back"),
      box() ? meter(box()) : html("p", { class: "hint" }, t("standing")),
    ];
    this.replaceChildren(...parts.filter(Boolean));
  }
}

const insuredCents = () =>
  purchases().filter((one) => one.player === table.me).reduce((sum, one) => sum + one.cents, 0);

/** What came back to me of the settled round: stakes and winnings. */
const ownReturn = () =>
  table.seen.settlement.lines
    .filter((line) => line.player === table.me)
    .reduce((sum, line) => sum + line.stake + line.net, 0);

function figure(label, value, kind) {
  return html("div", { class: `figure ${kind}` }, html("span", { class: "eyebrow" }, label), html("b", {}, value));
}

/** How far the two hands of a box are apart. */
function meter(at) {
  const { stakes, differential } = table.seen;
  if (!differential) return null;
  const on = (bet) => stakes.filter((s) => s.box === at && s.bet === bet).reduce((sum, s) => sum + s.cents, 0);
  const [player, banker] = [on("player"), on("banker")];
  const apart = Math.abs(player - banker);
  const bar = html("span", { class: `fill ${player > banker ? "player" : "banker"}` });
  bar.style.width = `${Math.min(100, (100 * apart) / differential)}%`;
  const words = t("apart_of", { apart: money(apart), most: money(differential) });
  return html(
    "div",
    { class: "meter" },
    html("div", { class: "row" }, html("span", {}, t("box_differential", { box: at })), html("b", {}, words)),
    html("div", { class: "track" }, bar),
  );
}

/** Going: the seat, the chips, the device. */
class TableSelf extends HTMLElement {
  connectedCallback() {
    on("options racks owed seats box house", () => this.show());
  }

  show() {
    const parts = [];
    const debt = table.seen.owed?.[table.me];
    if (debt) parts.push(html("span", { class: "muted" }, t("you_owe", { amount: money(debt) })));
    const offer = (label, asked) => parts.push(button("quiet", (event) => send(asked, event.currentTarget), {}, label));
    if (seat() && option("leave")) {
      const home = html("small", {}, t("leave_more"));
      const leave = ({ currentTarget }) => attempt(() => leaveTable(table.id), currentTarget); // the rack goes home
      parts.push(button("quiet leave", leave, {}, t("leave"), home));
    }
    const out = option("cash-out");
    if (out && !seat()) offer(t("cash_out", { amount: money(out.most) }), { command: "cash-out", cents: out.most });
    const device = option("give-up-device");
    if (device) offer(t("give_up_device"), device.command);
    parts.push(seedButton());
    this.replaceChildren(...parts.filter(Boolean));
  }
}

customElements.define("table-tray", TableTray);
customElements.define("table-purse", TablePurse);
customElements.define("table-self", TableSelf);
