// Under the felt: chips to take in hand, the four actions, and one's money.

import { chip } from "./chips.js";
import { $, $$, button, html, icon } from "./dom.js";
import { able, chips, clear, double, held, rebet, send, take, undo } from "./play.js";
import { seedButton } from "./seeds.js";
import { box, joined, mine, on, option, purchases, rack, seat, table } from "./state.js";
import { bet as named, money, signed, t } from "./words.js";

export const ACTIONS = { undo: () => undo(), clear, rebet, double };
const KEYS = { undo: "Z", clear: "X", rebet: "R", double: "D" };

class TableTray extends HTMLElement {
  connectedCallback() {
    this.rack = html("div", { class: "chiprow", role: "radiogroup", "aria-label": t("chip_in_hand") });
    this.acts = html("div", { class: "acts four" });
    for (const [name, act] of Object.entries(ACTIONS)) {
      this.acts.append(
        button(
          "",
          act,
          { "data-act": name, "aria-keyshortcuts": KEYS[name] },
          icon(name),
          html("span", {}, t(name)),
          html("kbd", {}, KEYS[name]),
        ),
      );
    }
    this.append(this.rack, this.acts);
    this.rack.addEventListener("click", (event) => {
      const chosen = event.target.closest("button");
      if (chosen) take(Number(chosen.dataset.cents));
    });
    this.rack.addEventListener("keydown", (event) => this.arrows(event));
    on("limits chip house", () => this.chips());
    on("options phase stakes", () => this.actions());
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
    for (const one of $$("[data-act]", this.acts)) one.disabled = !may[one.dataset.act];
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
    on("racks stakes settlement seats box differential phase options purchases bought", () => this.show());
  }

  show() {
    if (!joined()) {
      this.replaceChildren(html("p", { class: "watching" }, t(table.me ? "watching_as" : "watching", { name: table.me })));
      return;
    }
    const net = ownNet();
    const staked = mine().reduce((sum, stake) => sum + stake.cents, 0) + insuredCents();
    this.replaceChildren(
      figure(t("your_rack"), money(rack()), "rack"),
      net === null ? figure(t("staked"), money(staked), "stake") : figure(t("came_to"), signed(net), net > 0 ? "up" : "down"),
      box() ? meter(box()) : this.menuHint(),
    );
  }

  menuHint() {
    return html("p", { class: "hint" }, t("standing"));
  }
}

const insuredCents = () =>
  purchases().filter((one) => one.player === table.me).reduce((sum, one) => sum + one.cents, 0);

/** What the settled round came to for me; null while it is open. */
export function ownNet(round = table.seen) {
  if (!round.settlement) return null;
  const lines = round.settlement.lines.filter((line) => line.player === table.me);
  return lines.length ? lines.reduce((sum, line) => sum + line.net, 0) : null;
}

function figure(label, value, kind) {
  return html("div", { class: `figure ${kind}` }, html("span", { class: "eyebrow" }, label), html("b", {}, value));
}

/** Both hands of a box, and the room that the server still offers me on each. */
function meter(at) {
  const { stakes, differential } = table.seen;
  const on = (bet) => stakes.filter((s) => s.box === at && s.bet === bet).reduce((sum, s) => sum + s.cents, 0);
  const [player, banker] = [on("player"), on("banker")];
  const apart = Math.abs(player - banker);
  const side = player > banker ? "player" : "banker";
  const bar = html("span", { class: `fill ${side}` });
  if (differential) bar.style.width = `${Math.min(100, (100 * apart) / differential)}%`;
  const room = ["player", "banker"]
    .map((bet) => [bet, option("place", { box: at, bet })?.most])
    .filter(([, most]) => most !== undefined)
    .map(([bet, most]) => `${named(bet).zh} ${money(most)}`);
  return html(
    "div",
    { class: "meter" },
    differential
      ? html(
          "div",
          { class: "row" },
          html("span", {}, t("box_differential", { box: at })),
          html("span", {}, html("b", {}, money(apart)), ` / ${money(differential)}`),
        )
      : null,
    differential ? html("div", { class: "track" }, bar) : null,
    html(
      "div",
      { class: "row under" },
      html("span", {}, html("i", { class: "zh player" }, named("player").zh), ` ${money(player)}`),
      html("span", {}, html("i", { class: "zh banker" }, named("banker").zh), ` ${money(banker)}`),
      room.length > 0 && html("span", { class: "room" }, t("room", { room: room.join(", ") })),
    ),
  );
}

const BRING = 1_000_000; // cents of play money at a time
const LOW = 100_000; // a rack under this is offered more

/** Coming and going: play money, the seat. */
class TableSelf extends HTMLElement {
  connectedCallback() {
    on("options racks owed seats box house", () => this.show());
  }

  show() {
    const parts = [];
    const debt = table.seen.owed?.[table.me];
    if (debt) parts.push(html("span", { class: "muted" }, t("you_owe", { amount: money(debt) })));
    const offer = (label, asked) => parts.push(button("quiet", (event) => send(asked, event.currentTarget), {}, label));
    const bring = option("buy-in");
    if (bring && rack() < LOW) {
      const cents = Math.min(BRING, bring.most);
      offer(t("bring", { amount: money(cents) }), { command: "buy-in", cents });
    }
    if (seat() && option("leave")) offer(t("leave"), { command: "leave" });
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

