// Spot it: a round as a camera saw it. Space stops it; with reduced motion, or in step mode, the arrow keys go on.

import { button, html, still, svg } from "../dom.js";
import { card, glyph, kindName, t } from "./kit.js";
import { bets } from "./felt.js";

const AFTER_MS = 1500; // that the last step is looked at

export class Replay {
  constructor(question, stopped) {
    this.steps = question.facts.steps;
    this.told = question.tells.slice(-2 * this.steps.length).filter((_, at) => at % 2); // after each, its number
    this.question = question;
    this.stopped = stopped;
    this.at = 0; // steps that have been seen
    this.by = still();
    this.over = false;
    this.element = html("div", { class: "replay" });
    this.began = performance.now();
    this.draw();
    if (!this.by) this.timer = requestAnimationFrame(() => this.frame());
  }

  frame() {
    if (this.over || this.by) return;
    const passed = performance.now() - this.began;
    const seen = this.steps.filter((one) => one.at_ms <= passed).length;
    if (seen !== this.at) {
      this.at = seen;
      this.draw();
    }
    if (passed > this.steps.at(-1).at_ms + AFTER_MS) this.stop();
    else this.timer = requestAnimationFrame(() => this.frame());
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

  stop() {
    if (this.over) return;
    this.over = true;
    cancelAnimationFrame(this.timer);
    this.draw();
    this.stopped(this.at);
  }

  key(event) {
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
    const last = this.steps.at(-1).at_ms || 1;
    const x = (ms) => 10 + (ms / last) * 780;
    this.element.replaceChildren(
      html(
        "div",
        { class: "hands" },
        ...["player", "banker"].map((side) =>
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
        ),
        svg(
          "svg",
          { class: "tline", viewBox: "0 0 800 24", "aria-hidden": "true" },
          svg("rect", { class: "tr", x: 10, y: 10, width: 780, height: 4, rx: 2 }),
          ...seen.map((one) => svg("circle", { class: "ev", cx: x(one.at_ms), cy: 12, r: 5 })),
        ),
      ),
      html(
        "ol",
        { class: "log", "aria-label": kindName("spot") },
        ...seen.map((one, place) => html("li", { class: place === seen.length - 1 ? "cur" : null }, html("b", {}, place + 1), html("span", {}, this.told[place] ?? ""))),
      ),
    );
    const log = this.element.querySelector(".log");
    log.scrollTop = log.scrollHeight;
  }
}
