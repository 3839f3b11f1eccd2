// Spot it: a round as a camera saw it. Space stops it, and the moment is marked; with reduced motion, or in step mode, the
// arrow keys go on and the step is marked. Who does not stop it says that nothing is wrong.

import { button, html, still, svg } from "../dom.js";
import { HANDS } from "../facts.js";
import { card, glyph, panel, t } from "./kit.js";
import { bets } from "./felt.js";

export const WITHIN_MS = 4000; // after the error a stop still counts: so long the last step is looked at
const FRAME_MS = 250; // at most, of one frame: who looks at another page meanwhile misses nothing
const NOTHING = "nothing";

/** What was seen, in words, each with its number and time; `wrong` is the number of the error, once it may be told. */
export function seenSteps(question, { at = question.facts.steps.length, wrong = 0 } = {}) {
  const told = question.tells.slice(-2 * question.facts.steps.length).filter((_, place) => place % 2); // after each, its number
  return html(
    "ol",
    { class: "log" },
    ...told.slice(0, at).map((says, place) => html("li", { class: (wrong ? place + 1 === wrong : place === at - 1) ? "cur" : null }, html("i", {}, place + 1), html("b", {}, (question.facts.steps[place].at_ms / 1000).toFixed(1)), html("span", {}, says))),
  );
}

export class Replay {
  /**
   * `stopped` gets what stopping it answers; `given`, what was answered before, shows it as it was stopped then, and
   * `again` begins anew. `looksBack` is told when somebody looks once more, which costs a third of the points.
   * @param {any} question
   * @param {(answers: Record<string, string | number>) => void} stopped
   * @param {{ given?: string | number, again?: () => void, looksBack?: () => void }} [before]
   */
  constructor(question, stopped, { given, again, looksBack } = {}) {
    this.steps = question.facts.steps;
    this.question = question;
    this.stopped = stopped;
    this.again = given === undefined ? null : again;
    this.looksBack = looksBack;
    this.looked = false;
    this.at = 0; // steps that have been seen
    this.by = still();
    this.over = given !== undefined;
    this.passed = 0; // milliseconds of the replay
    this.missed = 0; // milliseconds in which it stood still, since the page was not looked at
    this.held = false;
    this.moment = null; // at which it was stopped, in milliseconds
    this.element = html("div", { class: "replay" });
    this.log = panel("seen", t("seen_so_far"), "");
    if (this.over) this.at = this.steps.length;
    if (typeof given === "number") this.halt(given);
    this.draw();
    this.last = performance.now();
    if (!this.by && !this.over) this.timer = requestAnimationFrame(() => this.frame());
  }

  get end() {
    return this.steps.at(-1).at_ms + WITHIN_MS;
  }

  halt(moment) {
    this.moment = moment;
    this.at = this.steps.filter((one) => one.at_ms <= moment).length;
  }

  frame() {
    if (this.over || this.by) return;
    const now = performance.now();
    const step = Math.min(now - this.last, FRAME_MS);
    if (!this.held) {
      this.passed = Math.min(this.end, this.passed + step);
      this.missed += now - this.last - step;
    }
    this.last = now;
    const seen = this.steps.filter((one) => one.at_ms <= this.passed).length;
    if (seen !== this.at) {
      this.at = seen;
      this.draw();
    }
    if (this.passed >= this.end) this.close(Object.fromEntries(this.question.parts.map((part) => [part.name, NOTHING])));
    else this.timer = requestAnimationFrame(() => this.frame());
  }

  /** Time stands still, or goes on. */
  hold(held) {
    this.held = held;
  }

  /** Step by step from here on. */
  stepwise() {
    this.by = true;
    this.draw();
  }

  move(by) {
    this.by = true;
    this.at = Math.max(1, Math.min(this.steps.length, this.at + by));
    this.draw();
  }

  /** By step, the one that was seen last; else by the moment as it is shown. */
  stop() {
    if (this.over || !this.at) return;
    const [{ name }] = this.question.parts;
    if (!this.by) this.halt(Math.round(this.passed));
    this.close({ [name]: this.by ? String(this.at) : this.moment });
  }

  /** Whether one look back is left: only of what was stopped by its moment. */
  get mayLookBack() {
    return Boolean(this.looksBack) && this.over && this.moment !== null && !this.looked;
  }

  /** Once more from the four cards; the next stop is the one that counts. */
  lookBack() {
    if (!this.mayLookBack) return;
    Object.assign(this, { looked: true, over: false, moment: null, passed: this.steps.find((one) => one.card).at_ms, last: performance.now() });
    this.at = this.steps.filter((one) => one.at_ms <= this.passed).length;
    this.draw();
    this.looksBack();
    this.timer = requestAnimationFrame(() => this.frame());
  }

  /** It was marked: there is nothing to look back for any more. */
  settle() {
    this.looksBack = null;
    this.draw();
  }

  close(answers) {
    this.over = true;
    cancelAnimationFrame(this.timer);
    this.draw();
    this.stopped(answers);
  }

  key(event) {
    if (this.mayLookBack && event.key === "ArrowLeft") {
      this.lookBack();
      return true;
    }
    if (this.over) return false;
    if (event.key === " ") this.stop();
    else if (event.key === "ArrowRight") this.move(1);
    else if (event.key === "ArrowLeft") this.move(-1);
    else return false;
    return true;
  }

  draw() {
    const seen = this.steps.slice(0, this.at);
    const laid = (hand) => seen.filter((one) => one.card && one.hand === hand).map((one, place) => card(one.card, { across: place > 1 }));
    const x = (ms) => 10 + (ms / this.end) * 780;
    const now = this.moment ?? this.steps[this.at - 1]?.at_ms ?? 0;
    this.element.replaceChildren(
      html(
        "div",
        { class: "hands" },
        ...HANDS.map((side) =>
          html("div", { class: `hand ${side}` }, html("p", { class: "hname" }, glyph(side)), html("div", { class: "cardsrow" }, ...laid(side))),
        ),
      ),
      bets(this.question.facts.lines),
      html(
        "div",
        { class: "tlp" },
        html(
          "p",
          { class: "acts" },
          !this.over && button("primary", () => this.stop(), {}, t("stop"), html("kbd", {}, t("space"))),
          !this.over && !this.by && button("quiet", () => this.stepwise(), {}, t("step_mode")),
          !this.over && this.by && button("", () => this.move(-1), { "aria-label": t("step_back") }, html("kbd", {}, "←")),
          !this.over && this.by && button("", () => this.move(1), {}, t("step_on"), html("kbd", {}, "→")),
          this.again && button("", this.again, {}, t("watch_again")),
          this.mayLookBack && button("", () => this.lookBack(), {}, t("look_back"), html("kbd", {}, "←")),
          this.mayLookBack && html("small", { class: "muted" }, t("look_back_costs")),
          this.moment !== null && html("b", {}, t("stopped_at", { seconds: (this.moment / 1000).toFixed(1) })),
        ),
        svg(
          "svg",
          { class: "tline", viewBox: "0 0 800 24", "aria-hidden": "true" },
          svg("rect", { class: "tr", x: 10, y: 10, width: 780, height: 4, rx: 2 }),
          svg("rect", { class: "fl", x: 10, y: 10, width: x(now) - 10, height: 4, rx: 2 }),
          ...seen.map((one) => svg("circle", { class: "ev", cx: x(one.at_ms), cy: 12, r: 5 })),
          this.moment !== null && svg("circle", { class: "ev at", cx: x(this.moment), cy: 12, r: 9 }),
        ),
      ),
    );
    const log = seenSteps(this.question, { at: this.at });
    this.log.querySelector(".log")?.remove();
    this.log.append(log);
    log.scrollTop = log.scrollHeight;
  }
}
