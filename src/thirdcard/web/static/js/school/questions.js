// The questions of an item, answered by key, by touch or by pointer: one choice, several, or an amount that is typed or
// built of chips. The one that is asked now is open; the answers before it can be changed.

import { button, html, icon, svg } from "../dom.js";
import { money, root, t } from "./kit.js";

const LETTERS = { d: "draw", s: "stand", n: "natural", p: "player", b: "banker", t: "tie" };
const FIRST_LETTER = 65; // A, for the eleventh choice and those after it
const CHIPS = [100000, 25000, 10000, 5000, 1000, 500, 100, 50, 25, 10, 5]; // that are drawn, in dollars

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

export class Questions {
  /**
   * `done` gets all answers; `moved` is called whenever another question is asked.
   * @param {any} question
   * @param {{ done: (answers: any) => void, moved?: (of: Questions) => void, given?: any, last?: string }} options
   */
  constructor(question, { done, moved = () => {}, given = {}, last = t("answer") }) {
    this.question = question;
    this.parts = question.parts;
    this.answers = { ...given };
    this.at = Math.max(0, this.parts.findIndex((one) => !(one.name in given)));
    this.done = done;
    this.moved = moved;
    this.last = last;
    this.pile = [];
    this.building = false;
    this.big = this.parts.length <= 2 && this.parts.every((one) => one.form === "choice" && one.choices.length <= 3);
    this.element = html("div", { class: this.big ? "qs bigq" : "qs" });
    this.draw();
  }

  get part() {
    return this.parts[this.at];
  }

  draw({ focus = false } = {}) {
    const shown = this.parts.map((part, place) => this.panel(part, place));
    this.element.replaceChildren(...shown);
    this.moved(this);
    if (focus) this.focus();
  }

  focus() {
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
    const head = html("h2", { id, tabindex: "-1" }, this.parts.length > 1 && html("i", { class: "qn", "aria-hidden": "true" }, place + 1), html("span", {}, place > this.at && !answered && !this.big ? t("later") : part.asks), answered && !now && icon("check"));
    const inside = this.fixed(part) ? html("p", { class: "op chosen back" }, this.told(part)) : now || this.big ? this.control(part, place) : answered ? html("button", { type: "button", class: "op chosen back", onclick: () => this.go(place) }, this.told(part)) : null;
    return html("section", { class: `qq${now ? " now" : ""}${answered ? " done" : ""}`, role: "group", "aria-labelledby": id }, head, inside);
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
        this.big && html("span", { class: "zh-i", lang: root.dataset.beside, "aria-hidden": "true" }, t(`beside_${choice.key}`)),
        key && html("kbd", {}, key),
      );
    });
    const long = part.choices.some((one) => one.says.length > 28);
    return html(
      "div",
      {},
      html("div", { class: `ops${long ? " rows" : ""}` }, ...options),
      several && button("primary", () => this.confirm(), {}, t("set_done"), html("kbd", {}, "Enter")),
    );
  }

  amount(part) {
    const stake = this.lineOf(part)?.stake;
    const chips = this.question.facts.chips ?? [];
    const input = html("input", {
      name: "amount",
      inputmode: "decimal",
      autocomplete: "off",
      value: part.name in this.answers ? money(this.answers[part.name]).replace("−", "-") : "",
      "aria-label": part.asks,
      readonly: this.building ? "" : null,
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
        html("button", { type: "submit", class: "btn primary" }, this.at === this.parts.length - 1 ? this.last : t("next_part"), html("kbd", {}, "Enter")),
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
      { class: "build" },
      button(this.building ? "on sm" : "sm", () => this.toggle(), { "aria-pressed": String(this.building) }, t("chips"), html("kbd", {}, "C")),
      html(
        "div",
        { class: "rack" },
        ...chips.slice(0, 9).map((value, number) =>
          html(
            "button",
            { type: "button", class: counts.has(value) ? "rk used" : "rk", onclick: () => this.add(value) },
            html("span", { class: "hidden" }, t("chip", { cents: money(value) })),
            CHIPS.includes(value / 100)
              ? svg("svg", { viewBox: "0 0 104 104", "aria-hidden": "true" }, svg("use", { href: `${root.dataset.cards}#chip-${value / 100}`, width: 104, height: 104 }))
              : html("b", { "aria-hidden": "true" }, money(value)),
            html("kbd", {}, number + 1),
            counts.has(value) && html("em", {}, `×${counts.get(value)}`),
          ),
        ),
      ),
      button("quiet sm", () => this.erase(), {}, t("chip_back"), html("kbd", {}, "⌫")),
    );
  }

  /** The bet that an amount is about: `line-2` is the second. */
  lineOf(part) {
    const number = /^line-(\d+)$/.exec(part.name);
    return number ? this.question.facts.lines?.[Number(number[1]) - 1] : null;
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
      this.element.querySelectorAll(".qq.now .op")[place]?.focus();
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
      const said = cents(this.element.querySelector(".qq.now input")?.value ?? "");
      if (said === null) {
        this.element.querySelector(".qq.now input")?.focus();
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

  step() {
    this.pile = [];
    const open = this.parts.findIndex((one, place) => place > this.at && !(one.name in this.answers));
    const missing = open >= 0 ? open : this.parts.findIndex((one) => !(one.name in this.answers));
    if (missing < 0) {
      this.draw();
      this.done(this.answers);
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

  /** Whether a key meant something here. */
  key(event) {
    const { key } = event;
    const typing = event.target.matches?.("input");
    const { part } = this;
    if (part.form === "cents") {
      if (key.toLowerCase() === "t" && this.lineOf(part)) this.take(this.lineOf(part).stake);
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
      this.go(this.at - 1);
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
