// A first visit in three steps: take a chip, put it on a spot, say that you are ready. Each goes on by itself when it
// is done; nothing is covered that is needed, and whoever knows it all skips it for good.

import { $$, button, html } from "./dom.js";
import { mine, on, rack, table, tell } from "./state.js";
import { alarm } from "./tellers.js";
import { money, t } from "./words.js";

const GAP = 14;
const STEPS = [
  { where: () => $$(".chiprow"), text: () => t("coach_chip_text", { amount: money(rack()) }), title: "coach_chip" },
  { where: () => $$('.own .spot:is([data-bet="player"], [data-bet="banker"]), .pspot.main'), text: () => t("coach_spot_text"), title: "coach_spot" },
  { where: () => $$("ready-button button, table-middle"), text: () => t("coach_ready_text"), title: "coach_ready" },
];

let step = 0;
let box = null;
let light = null;

export function coach() {
  light = html("div", { class: "coach-light", "aria-hidden": "true" });
  box = html("section", { class: "coach", role: "dialog", "aria-labelledby": "coach-title", "aria-describedby": "coach-text" });
  document.body.append(light, box);
  document.addEventListener("click", taken, true);
  document.addEventListener("keydown", keys, true);
  addEventListener("resize", lay);
  on("stakes sent", () => step === 1 && (mine().length || table.sent.length) && go(2));
  on("phase", () => box && (table.seen.phase === "betting" ? show() : step === 2 ? end() : hide()));
  show();
}

function taken({ target }) {
  if (step === 0 && target.closest?.(".chiprow button")) go(1);
}

function keys(event) {
  if (event.key === "Escape" && !box.hidden) {
    event.stopImmediatePropagation();
    event.preventDefault();
    end();
  } else if (step === 0 && /^[1-6]$/.test(event.key)) go(1);
}

function go(to) {
  if (!box) return;
  if (to >= STEPS.length) end();
  else {
    step = to;
    show();
  }
}

/** For good, in this browser. */
function end() {
  localStorage.setItem("coach", "done");
  document.removeEventListener("click", taken, true);
  document.removeEventListener("keydown", keys, true);
  removeEventListener("resize", lay);
  box?.remove();
  light?.remove();
  box = light = null;
  tell("coached");
}

function hide() {
  box.hidden = light.hidden = true;
}

function show() {
  if (!box) return;
  const { title, text } = STEPS[step];
  const last = step === STEPS.length - 1;
  box.hidden = light.hidden = false;
  box.replaceChildren(
    html("b", { class: "n", "aria-hidden": "true" }, String(step + 1)),
    html(
      "div",
      {},
      html("h2", { id: "coach-title" }, t(title)),
      html("p", { id: "coach-text" }, text()),
      html(
        "footer",
        {},
        button("quiet", end, {}, t("coach_skip")),
        html("span", { class: "dots", "aria-hidden": "true" }, STEPS.map((_, n) => html("i", { class: n === step ? "on" : "" }))),
        button("primary", () => go(step + 1), {}, t(last ? "coach_done" : "coach_next")),
      ),
    ),
  );
  lay();
  alarm(t("coach_said", { step: step + 1, title: t(title), text: text() }));
}

/** A light around what it is about, and the words where they cover none of it. */
function lay() {
  if (!box || box.hidden) return;
  const rects = STEPS[step].where().map((one) => one.getBoundingClientRect()).filter((rect) => rect.width > 0);
  if (!rects.length) {
    hide();
    return;
  }
  const [left, top] = [Math.min(...rects.map((rect) => rect.left)), Math.min(...rects.map((rect) => rect.top))];
  const [right, bottom] = [Math.max(...rects.map((rect) => rect.right)), Math.max(...rects.map((rect) => rect.bottom))];
  const place = { left: left - 6, top: top - 6, width: right - left + 12, height: bottom - top + 12 };
  for (const [name, value] of Object.entries(place)) light.style[name] = `${value}px`;
  const { width, height } = box.getBoundingClientRect();
  const x = Math.min(Math.max((left + right - width) / 2, 8), innerWidth - width - 8);
  const above = top - height - GAP - 6;
  const over = above >= 8;
  box.classList.toggle("above", over);
  box.style.left = `${x}px`;
  box.style.top = `${over ? above : Math.min(bottom + GAP + 6, innerHeight - height - 8)}px`;
}
