// Around a bet, in the drawer: saved bets, the same bets for several rounds, and which chips the rack holds.

import { chip } from "./chips.js";
import { $, button, html, icon } from "./dom.js";
import { habits, keep, MOST_PATTERNS } from "./habits.js";
import { closing, only } from "./panels.js";
import { chips, everyChip, layPattern } from "./play.js";
import { choose, LOSSES, repeat, repeating, roundOf, stakeOf, stop, TIMES, toggleStop } from "./repeating.js";
import { box, mine, on, table } from "./state.js";
import { bet, betName, money, t } from "./words.js";

const MOST_CHIPS = 6;
const LONGEST_NAME = 24;
const sum = (bets) => bets.reduce((cents, one) => cents + one.cents, 0);

/** A pattern can be laid where the layout has all of its spots and I have a box. */
const fits = ({ bets }) => Boolean(box()) && bets.every((one) => table.seen.bets.includes(one.bet));

class BetTools extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", t("tools"));
    on("habits repeating stakes chip limits box phase", () => this.hidden || this.draw());
  }

  /** Open at one of `saved`, `times` and `chips`; asked for again, close. */
  toggle(part) {
    if (!this.hidden && this.shows === part) {
      only(null);
      return;
    }
    this.shows = part;
    only(this);
    this.draw();
    $(`.${part}`, this).scrollIntoView({ block: "nearest" });
    $(`.${part} button:not(:disabled)`, this)?.focus();
  }

  /** Lay the saved bets of that number, counted from 1. */
  use(number) {
    const pattern = habits.patterns[number - 1];
    if (pattern && fits(pattern)) layPattern(pattern.bets);
  }

  draw() {
    const focus = $(":focus", this)?.dataset.keep;
    const typed = $("input", this)?.value;
    this.replaceChildren(
      html("header", {}, html("h2", {}, t("tools")), html("span", { class: "acts" }, closing())),
      saved(typed),
      times(),
      rack(),
    );
    if (focus) $(`[data-keep="${focus}"]`, this)?.focus();
  }
}

const part = (name, title, said, ...inside) =>
  html("section", { class: name }, html("h3", {}, title), html("p", { class: "muted" }, said), ...inside);

// Saved bets ------------------------------------------------------------------------------------------------

function saved(typed) {
  const lying = mine().filter((stake) => stake.box === box());
  const rows = habits.patterns.map((pattern, place) => savedRow(pattern, place));
  return part(
    "saved",
    t("saved_title"),
    t("saved_about"),
    html("ol", {}, rows),
    lying.length > 0 && habits.patterns.length < MOST_PATTERNS && saving(lying, typed),
  );
}

function savedRow(pattern, place) {
  const glyphs = pattern.bets.map((one) => `${bet(one.bet).zh} ${money(one.cents)}`).join(" · ");
  const drop = () => keep({ patterns: habits.patterns.filter((one) => one !== pattern) });
  const words = pattern.bets.map((one) => `${betName(one.bet)} ${money(one.cents)}`).join(", ");
  return html(
    "li",
    {},
    html("kbd", {}, `F${place + 1}`),
    html("span", { title: words }, html("b", {}, pattern.name), html("small", { lang: "zh-Hant" }, glyphs)),
    html("b", { class: "sum" }, money(sum(pattern.bets))),
    button(
      "",
      () => layPattern(pattern.bets),
      { disabled: !fits(pattern), "data-keep": `use-${place}`, "aria-label": t("saved_use", { name: pattern.name }) },
      t("bet_this"),
    ),
    button("quiet", drop, { "aria-label": t("saved_drop", { name: pattern.name }), "data-keep": `drop-${place}` }, icon("close")),
  );
}

function saving(lying, typed) {
  const bets = lying.map(({ bet: name, cents }) => ({ bet: name, cents }));
  const otherwise = bets.slice(0, 2).map((one) => betName(one.bet)).join(", ").slice(0, LONGEST_NAME);
  const name = html("input", {
    maxlength: LONGEST_NAME,
    "aria-label": t("saved_name"),
    placeholder: otherwise,
    value: typed ?? "",
    "data-keep": "name",
  });
  const save = (event) => {
    event.preventDefault();
    const called = name.value.trim() || otherwise;
    name.value = "";
    keep({ patterns: [...habits.patterns, { name: called, bets }] }, name);
  };
  const said = html("span", {}, name, html("small", {}, t("saved_these", { amount: money(sum(bets)), spots: bets.length })));
  return html("form", { onsubmit: save }, icon("star"), said, html("button", { class: "btn", "data-keep": "save" }, t("save")));
}

// Several rounds --------------------------------------------------------------------------------------------

function times() {
  const chosen = (number) => {
    choose(number);
    repeat(number);
  };
  const choice = (number) =>
    button(
      repeating.of === number ? "on" : "",
      () => chosen(number),
      { "aria-pressed": String(repeating.of === number), disabled: !stakeOf(), "data-keep": `times-${number}` },
      `×${number}`,
    );
  const off = button("", stop, { disabled: !repeating.of, "data-keep": "times-off" }, t("off"));
  return part(
    "times",
    t("times_title"),
    t("times_about"),
    html("div", { class: "choices" }, TIMES.map(choice), off),
    stopSwitch("win", t("stop_win", { amount: money(stakeOf()) })),
    stopSwitch("loss", t("stop_loss", { amount: money(LOSSES * stakeOf()) })),
    stopSwitch("touch", t("stop_touch")),
    repeating.of > 0 && now(),
  );
}

const now = () =>
  html(
    "p",
    { class: "now" },
    `${roundOf()}, ${t("each", { amount: money(stakeOf()) })}`,
    button("", stop, { "data-keep": "times-stop" }, t("stop")),
  );

function stopSwitch(name, label) {
  const checked = repeating.stops.has(name);
  const attributes = { role: "switch", "aria-checked": String(checked), "data-keep": `stop-${name}` };
  return button("switch", () => toggleStop(name), attributes, html("span", {}, label), html("i", {}));
}

// The rack --------------------------------------------------------------------------------------------------

function rack() {
  const now = chips();
  const sorted = (list) => list.every((cents, place) => !place || list[place - 1] < cents);
  const toggle = (cents) => {
    const left = now.filter((one) => one !== cents);
    const more = [...now, cents];
    keep({ chips: left.length < now.length ? left : sorted(now) ? more.sort((a, b) => a - b) : more });
  };
  const shift = (cents, by) => {
    const others = now.filter((one) => one !== cents);
    keep({ chips: others.toSpliced(now.indexOf(cents) + by, 0, cents) });
  };
  const mover = (cents, by, mark, label) =>
    button(
      "quiet",
      () => shift(cents, by),
      {
        disabled: now[now.indexOf(cents) + by] === undefined,
        "aria-label": t(label, { amount: money(cents) }),
        "data-keep": `${label}-${cents}`,
      },
      mark,
    );
  const face = (cents) => {
    const there = now.includes(cents);
    const full = !there && now.length >= MOST_CHIPS;
    const choice = button(
      there ? "on" : "",
      () => toggle(cents),
      { "aria-pressed": String(there), disabled: full || (there && now.length === 1), "data-keep": `chip-${cents}` },
      chip(cents / 100, 48),
      html("span", {}, t(there ? "chip_there" : "chip_add")),
      html("span", { class: "hidden" }, money(cents)),
    );
    const order = there && html("span", { class: "order" }, mover(cents, -1, "‹", "chip_earlier"), mover(cents, 1, "›", "chip_later"));
    return html("div", {}, choice, order);
  };
  const faces = [...now, ...everyChip().filter((cents) => !now.includes(cents))].map(face);
  return part("chips", t("chips_title"), t("chips_about"), html("div", { class: "faces" }, faces));
}

customElements.define("bet-tools", BetTools);
