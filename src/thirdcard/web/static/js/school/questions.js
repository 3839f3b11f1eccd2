// The questions of an item, answered by key, by touch or by pointer: one choice, several, or an amount that is typed or
// built of chips. Which bets win is pressed on the felt, and the lines of a box are settled in any order. The one that is
// asked now is open; the answers before it can be changed.

import { button, html, icon } from "../dom.js";
import { ARROWS, move, rove } from "../roving.js";
import { bets, boxFelt, chipFace, laid, placesOn } from "./felt.js";
import { betName, money, root, t } from "./kit.js";

const LETTERS = { d: "draw", s: "stand", n: "natural", p: "player", b: "banker", t: "tie" };
const FIRST_LETTER = 65; // A, for the eleventh choice and those after it
const WINNING = "winning"; // the part that is answered on the felt
const SPOT = "button.spot";

/** The key that chooses an answer: a letter of the game, else its number; digits mean themselves. */
function keyOf(part, place) {
  const { key } = part.choices[place];
  const letter = Object.keys(LETTERS).find((one) => LETTERS[one] === key);
  if (letter && part.choices.every((one) => Object.values(LETTERS).includes(one.key) || one.key === "both" || one.key === "no")) return letter.toUpperCase();
  if (/^\d$/.test(key) && part.choices.every((one) => /^\d$/.test(one.key))) return key;
  return place < 9 ? String(place + 1) : place === 9 ? "0" : String.fromCharCode(FIRST_LETTER + place - 10);
}

/** An amount as it is typed, in cents; null if it is none. */
export function cents(text) {
  const plain = text.replace(/[,\s]/g, "").replace("−", "-");
  if (!/^-?\d+(\.\d{1,2})?$/.test(plain)) return null;
  return Math.round(Number(plain) * 100);
}

/** The bet that an amount is about: `line-2` is the second. */
function lineOf(question, part) {
  const number = /^line-(\d+)$/.exec(part.name);
  return number ? question.facts.lines?.[Number(number[1]) - 1] : null;
}

/** The parts as they are asked beside a felt: lines and spots as they lie there, which tells nothing of how they came. */
function asLaid(question, spots) {
  if (!spots) return question.parts;
  const at = placesOn(spots);
  const place = (part) => at(lineOf(question, part).bet);
  const patron = (part) => lineOf(question, part).patron;
  const lines = question.parts.filter((part) => lineOf(question, part));
  lines.sort((one, other) => place(one) - place(other) || patron(one).localeCompare(patron(other)));
  const others = question.parts.filter((part) => !lines.includes(part));
  return [...lines, ...others.map((part) => (part.name === WINNING ? { ...part, choices: [...part.choices].sort((one, other) => at(one.key) - at(other.key)) } : part))];
}

/** What is asked about: its replay, or what lies on the felt. */
export const feltOf = ({ question, felt }, replay) =>
  html("div", { class: "dfelt" }, html("h1", { class: "asks", tabindex: "-1" }, t(`title_${question.kind}`)), ...(replay ? [replay.element] : laid(question, { level: question.kind === "third-card" ? question.level : 1, felt })));

/**
 * Keys go to what is asked `now`, a replay before its questions; without either, Enter goes on. `other` may take one first.
 * @param {() => { questions: Questions | null, replay: any }} now
 * @param {(event: KeyboardEvent) => boolean} other
 */
export function onKeys(now, other = () => false) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    const { questions, replay } = now();
    const next = /** @type {HTMLElement} */ (document.querySelector("#next"));
    if (questions) {
      if (replay?.key(event)) event.preventDefault();
      else if ((!replay || replay.over) && !other(event) && questions.key(event)) event.preventDefault();
    } else if (event.key === "Enter" && next && !event.target.closest("a, button")) {
      event.preventDefault();
      next.click();
    }
  });
}

export class Questions {
  /**
   * `done` gets all answers, and the lines in the order they were settled; `moved` is called whenever another question is
   * asked. `spots` are those of the felt that the question is about, which is `felt`.
   * @param {any} question
   * @param {{ done: (answers: any, settled: string[]) => void, moved?: (of: Questions) => void, given?: any, last?: string, spots?: any[] | null }} options
   */
  constructor(question, { done, moved = () => {}, given = {}, last = t("answer"), spots = null }) {
    this.question = question;
    this.spots = spots;
    this.parts = asLaid(question, spots);
    this.answers = { ...given };
    /** @type {string[]} lines by name, in the order they were settled */
    this.settled = Object.keys(given).filter((name) => lineOf(question, { name }));
    this.felt = spots && html("div", { class: "boxfelt", role: "group" });
    this.at = Math.max(0, this.parts.findIndex((one) => !(one.name in given)));
    this.done = done;
    this.moved = moved;
    this.last = last;
    this.pile = [];
    this.building = false;
    this.handed = false;
    this.big = question.kind === "third-card";
    this.element = html("div", { class: this.big ? `qs bigq${this.parts.length > 2 ? " one" : ""}` : this.lines.length ? "qs box" : "qs" });
    this.draw();
  }

  get part() {
    return this.parts[this.at];
  }

  /** What is asked now, in words. */
  get asks() {
    return this.said(this.part);
  }

  /** The lines of a box, where one is paid on the felt. */
  get lines() {
    return this.spots ? this.parts.filter((part) => lineOf(this.question, part)) : [];
  }

  /** Whether the question is answered on the felt. */
  onFelt(part) {
    return this.spots !== null && part.name === WINNING;
  }

  said(part) {
    const line = this.spots && lineOf(this.question, part);
    if (!line) return part.asks;
    return t(line.window ? "settle_insurance" : "settle_line", { patron: line.patron, bet: betName(line.bet.replace("-insurance", "")), cents: money(line.stake), window: line.window });
  }

  draw({ focus = false } = {}) {
    const shown = this.parts.map((part, place) => this.panel(part, place));
    this.element.replaceChildren(...[this.sofar(), this.boxLines(), ...shown].filter(Boolean));
    if (this.felt) this.drawFelt();
    this.moved(this);
    if (focus) this.focus();
  }

  /** On the felt: spots to press where the winning ones are asked for, chips where a box is paid. */
  drawFelt() {
    const { part, question } = this;
    const { level } = question;
    const asked = this.onFelt(part);
    this.felt.classList.toggle("on", asked);
    this.felt.setAttribute("aria-label", asked ? part.asks : t("felt_of", { layout: question.layout }));
    if (asked || WINNING in this.answers) {
      const on = [this.answers[WINNING] ?? []].flat();
      const key = (name) => keyOf(part, part.choices.findIndex((one) => one.key === name));
      this.felt.replaceChildren(...boxFelt(this.spots, asked ? { level, on, keys: key, press: (name) => this.choose(name) } : { level, on }));
      rove(this.felt, SPOT);
      return;
    }
    const heaps = this.lines.map((one) => ({
      line: lineOf(question, one),
      place: this.parts.indexOf(one),
      now: one === part,
      number: one === part ? 0 : this.settled.indexOf(one.name) + 1,
      said: one.name in this.answers && one !== part ? this.told(one) : "",
    }));
    this.felt.replaceChildren(...boxFelt(this.spots, { level, heaps, pick: (place) => this.go(place) }));
  }

  /** What was answered before, in one line, where a screen has room for one question. */
  sofar() {
    const said = this.parts.filter((part, place) => place !== this.at && part.name in this.answers).map((part) => [lineOf(this.question, part)?.patron, this.told(part)].filter(Boolean).join(" "));
    if (!said.length) return null;
    return html("p", { class: "sofar" }, button("quiet sm", () => this.back(), { "aria-label": t("part_before") }, icon("back")), html("span", {}, said.join(" · ")));
  }

  /** The lines of a box in the order they are settled, then those that are still open. */
  boxLines() {
    const { lines, part, question } = this;
    if (!lines.length) return null;
    const place = (one) => (this.settled.includes(one.name) ? this.settled.indexOf(one.name) : lines.length + lines.indexOf(one));
    const sorted = [...lines].sort((one, other) => place(one) - place(other));
    return bets(sorted.map((one) => lineOf(question, one)), { caption: t("box_order"), now: sorted.indexOf(part) + 1, given: sorted.map((one) => (one.name in this.answers ? this.told(one) : t("later"))) });
  }

  focus() {
    if (this.onFelt(this.part)) {
      this.felt.querySelector(`${SPOT}[tabindex="0"]`)?.focus();
      return;
    }
    const now = this.element.querySelector(".qq.now");
    (now?.querySelector("input") ?? now?.querySelector("h2, h3"))?.focus({ preventScroll: false });
    now?.scrollIntoView({ block: "nearest" });
  }

  /** A replay that was stopped stays stopped: its moment is not chosen from a list. */
  fixed(part) {
    return part.form === "choice" && typeof this.answers[part.name] === "number";
  }

  panel(part, place) {
    const now = place === this.at;
    const answered = part.name in this.answers;
    const id = `q-${place}`;
    const head = html("h2", { id, tabindex: "-1" }, this.parts.length > 1 && html("i", { class: "qn", "aria-hidden": "true" }, this.lines.includes(part) && now ? this.lines.filter((one) => one !== part && one.name in this.answers).length + 1 : place + 1), html("span", {}, place > this.at && !answered && !this.big ? t("later") : this.said(part)), answered && !now && icon("check"));
    const inside = this.fixed(part) ? html("p", { class: "op chosen back" }, this.told(part)) : now || this.big ? this.control(part, place) : answered ? html("button", { type: "button", class: "op chosen back", onclick: () => this.go(place) }, this.told(part)) : null;
    return html("section", { class: `qq${now ? " now" : ""}${answered ? " done" : ""}`, "data-part": part.name, role: "group", "aria-labelledby": id }, head, inside);
  }

  told(part) {
    const given = this.answers[part.name];
    if (part.form === "cents") return money(given);
    if (this.fixed(part)) return t("stopped_at", { seconds: (given / 1000).toFixed(1) });
    const keys = [given].flat();
    return keys.length ? keys.map((key) => part.choices.find((one) => one.key === key)?.says).join(", ") : t("none_of_them");
  }

  control(part, place) {
    if (part.form === "cents") return this.amount(part);
    const several = part.form === "several";
    if (this.onFelt(part)) return html("div", { class: "press" }, html("p", { class: "muted" }, this.answers[part.name]?.length ? this.told(part) : t("press_spots")), this.enough());
    const chosen = [this.answers[part.name] ?? []].flat();
    const options = part.choices.map((choice, number) => {
      const key = place === this.at ? keyOf(part, number) : "";
      const on = chosen.includes(choice.key);
      return html(
        "button",
        {
          type: "button",
          class: `op${on ? " chosen" : ""}`,
          "aria-pressed": String(on),
          onclick: () => (place === this.at ? this.choose(choice.key) : (this.go(place), this.choose(choice.key))),
        },
        html("span", {}, choice.says),
        this.big && !several && html("span", { class: "zh-i", lang: root.dataset.beside, "aria-hidden": "true" }, t(`beside_${choice.key}`)),
        key && html("kbd", {}, key),
      );
    });
    const long = part.choices.some((one) => one.says.length > 28);
    return html(
      "div",
      {},
      html("div", { class: `ops${long ? " rows" : ""}` }, ...options),
      several && this.enough(),
    );
  }

  /** That all of them are chosen. */
  enough() {
    return button("primary", () => this.confirm(), {}, t("set_done"), html("kbd", {}, "Enter"));
  }

  amount(part) {
    const stake = lineOf(this.question, part)?.stake;
    const chips = this.question.facts.chips ?? [];
    const input = html("input", {
      name: "amount",
      inputmode: "decimal",
      autocomplete: "off",
      value: part.name in this.answers ? money(this.answers[part.name]).replace("−", "-") : "",
      "aria-label": this.said(part),
      readonly: this.building ? "" : null,
      oninput: () => input.setCustomValidity(""),
    });
    return html(
      "form",
      {
        class: "amount",
        onsubmit: (event) => {
          event.preventDefault();
          this.confirm();
        },
      },
      html(
        "div",
        { class: "capin" },
        input,
        stake && button("", () => this.take(stake), {}, t("take", { cents: money(stake) }), html("kbd", {}, "T")),
        html("button", { type: "submit", class: "btn primary" }, this.parts.every((one) => one === part || one.name in this.answers) ? this.last : t("next_part"), html("kbd", {}, "Enter")),
      ),
      chips.length > 0 && this.rack(chips),
    );
  }

  /** Chips to build an amount of, by keys once C has been pressed. */
  rack(chips) {
    const counts = new Map();
    for (const one of this.pile) counts.set(one, (counts.get(one) ?? 0) + 1);
    return html(
      "div",
      { class: this.building ? "build on" : "build" },
      button(this.building ? "on sm" : "sm", () => this.toggle(), { "aria-pressed": String(this.building) }, t("chips"), html("kbd", {}, "C")),
      html(
        "div",
        { class: "rack" },
        ...chips.slice(0, 9).map((value, number) =>
          html(
            "button",
            { type: "button", class: counts.has(value) ? "rk used" : "rk", onclick: () => this.add(value) },
            html("span", { class: "hidden" }, t("chip", { cents: money(value) })),
            chipFace(value),
            html("kbd", {}, number + 1),
            counts.has(value) && html("em", {}, `×${counts.get(value)}`),
          ),
        ),
      ),
      button("quiet sm", () => this.erase(), {}, t("chip_back"), html("kbd", {}, "⌫")),
    );
  }

  take(stake) {
    this.answers[this.part.name] = -stake;
    this.step();
  }

  toggle() {
    this.building = !this.building;
    this.draw();
    (this.building ? this.element.querySelector(".build .btn") : this.element.querySelector("input"))?.focus();
  }

  add(value) {
    this.pile.push(value);
    this.piled();
  }

  erase() {
    this.pile.pop();
    this.piled();
  }

  piled() {
    this.building = true;
    this.answers[this.part.name] = this.pile.reduce((sum, one) => sum + one, 0);
    this.draw();
    this.element.querySelector(".build .btn")?.focus();
  }

  choose(key) {
    const { part } = this;
    if (part.form === "several") {
      const chosen = new Set(this.answers[part.name] ?? []);
      if (chosen.has(key)) chosen.delete(key);
      else chosen.add(key);
      this.answers[part.name] = [...chosen];
      const place = part.choices.findIndex((one) => one.key === key);
      this.draw();
      if (!this.onFelt(part)) this.element.querySelectorAll(".qq.now .op")[place]?.focus();
      else rove(this.felt, SPOT, this.felt.querySelector(`[data-bet="${key}"]`)), this.focus();
      return;
    }
    this.answers[part.name] = key;
    this.step();
  }

  /** What is open counts as answered, if it is. */
  confirm() {
    const { part } = this;
    if (part.form === "several") this.answers[part.name] ??= [];
    if (part.form === "cents" && !this.building) {
      const field = /** @type {HTMLInputElement} */ (this.element.querySelector(".qq.now input"));
      const said = cents(field.value);
      if (said === null) {
        field.setCustomValidity(t("no_amount"));
        field.reportValidity();
        return;
      }
      this.answers[part.name] = said;
    }
    if (part.name in this.answers) this.step();
  }

  /** Answers that were given by something else, such as a replay that was stopped; then what is still open. */
  takeOver(answers) {
    Object.assign(this.answers, answers);
    this.step();
  }

  /** Once, however often Enter is pressed before the answer to it comes. */
  async hand() {
    if (this.handed) return;
    this.handed = true;
    try {
      await this.done(this.answers, this.settled);
    } finally {
      this.handed = false;
    }
  }

  step() {
    this.pile = [];
    this.building = false;
    if (lineOf(this.question, this.part) && !this.settled.includes(this.part.name)) this.settled.push(this.part.name);
    const open = this.parts.findIndex((one, place) => place > this.at && !(one.name in this.answers));
    const missing = open >= 0 ? open : this.parts.findIndex((one) => !(one.name in this.answers));
    if (missing < 0) {
      this.draw();
      this.hand();
      return;
    }
    this.at = missing;
    this.draw({ focus: true });
  }

  go(place) {
    if (this.fixed(this.parts[place])) return;
    this.at = place;
    this.pile = [];
    this.draw({ focus: true });
  }

  /** The part before; of a box, the line that was settled last is taken back. */
  back() {
    const last = this.settled.at(-1);
    if (this.lines.includes(this.part) || (last && this.at === this.lines.length)) {
      if (!last) return;
      this.settled.pop();
      delete this.answers[last];
      this.go(this.parts.findIndex((one) => one.name === last));
    } else if (this.at > 0) this.go(this.at - 1);
  }

  /** Another line that is still open, down the felt or up. */
  another(by) {
    const open = this.lines.filter((one) => one === this.part || !(one.name in this.answers));
    const next = open.at((open.indexOf(this.part) + by) % open.length);
    this.go(this.parts.indexOf(next));
  }

  /** Whether a key meant something here. */
  key(event) {
    const { key } = event;
    const typing = event.target.matches?.("input");
    const { part } = this;
    if (part.form === "cents") {
      const line = lineOf(this.question, part);
      if (key.toLowerCase() === "t" && line) this.take(line.stake);
      else if ((key === "ArrowDown" || key === "ArrowUp") && this.lines.includes(part)) this.another(key === "ArrowDown" ? 1 : -1);
      else if (key === "Backspace" && !this.building && !(typing && event.target.value)) this.back();
      else if (key.toLowerCase() === "c" && this.question.facts.chips) this.toggle();
      else if (this.building && /^[1-9]$/.test(key) && this.question.facts.chips?.[key - 1]) this.add(this.question.facts.chips[key - 1]);
      else if (this.building && key === "Backspace") this.erase();
      else if (this.building && key === "Enter" && !event.target.matches("button")) this.confirm();
      else if (!typing && !this.building && /^[\d-]$/.test(key)) {
        this.element.querySelector("input")?.focus();
        return false; // it goes into the field
      } else return false;
      return true;
    }
    if (typing) return false;
    if (key === "Backspace" && this.at > 0) {
      this.back();
      return true;
    }
    if (this.onFelt(part) && key in ARROWS) {
      const from = event.target.closest?.(SPOT);
      if (from) move(this.felt, SPOT, from, ARROWS[key]);
      else this.focus();
      rove(this.felt, SPOT, document.activeElement?.closest?.(SPOT));
      return true;
    }
    if (key === "Enter" && part.form === "choice" && part.name in this.answers && !event.target.matches("button")) {
      this.step();
      return true;
    }
    if (key === "Enter" && part.form === "several" && !event.target.matches(".back")) {
      this.confirm();
      return true;
    }
    const place = part.choices.findIndex((_, number) => keyOf(part, number) === key.toUpperCase());
    if (place < 0) return false;
    this.choose(part.choices[place].key);
    return true;
  }
}
