// The dealing desk: the one thing that the rules require next, the boxes, the cards; each step brings what it needs.

import { $ } from "../dom.js";
import { draw, html, icon, node } from "../draw.js";
import { follow } from "../socket.js";
import { on, table } from "../state.js";
import { showAlso } from "./also.js";
import { step as cards, rest } from "./dealing.js";
import { step as betting } from "./betting.js";
import { step as cases } from "./cases.js";
import { begin, BY_NUMBER, may as chipsMayBeWrong, panel as chips, tapped } from "./chips.js";
import { step as custody } from "./custody.js";
import { step as device } from "./device.js";
import { deals, desk, onDesk, watchDesk } from "./desk.js";
import { clear, confirm, due, erase, holdBack, press, showKeypad, strayed, typed, typing } from "./entry.js";
import { panel as float } from "./float.js";
import { panel as handover, step as duty } from "./handover.js";
import { callPit, showHeader } from "./header.js";
import { idle, settling } from "./between.js";
import { step as insurance } from "./insuring.js";
import { step as shoe, sideRail, stakesPanel } from "./shoe.js";
import { key } from "./parts.js";
import { keepDescriptions, panel as patrons, seat } from "./seating.js";
import { step as paying } from "./paying.js";
import { step as naming, watchPractice } from "./practice.js";
import { panel as report } from "./report.js";
import { cardName, t } from "./say.js";
import { onPick, showFelt } from "./seats.js";
import { heard } from "./steps.js";
import * as steps from "./steps.js";
import { may as mayBeWrong, open as lastCardIsWrong, step as wrong } from "./wrong.js";

const SCAN_MS = 200; // between the keys of a scanner there is less
const AMBIGUOUS = "th"; // a ten and hearts, or keys of their own where no card is due

// What is shown ---------------------------------------------------------------------------------------------

/** @type {RequiredAction} */
let required = null;
let before = null; // the step that was shown

/** What is required, as the connection and what is typed let it be. */
function wanted(step) {
  if (table.link === "lost") return lost();
  const found = step.required();
  const card = typed();
  if (!card || found.button?.card || !step.takes?.()) return found;
  const name = step.takes().masked ? t("a_card") : cardName(card);
  return { ...found, button: { label: t("confirm", { card: name }), run: confirm, card: true, key: "Enter" } };
}

/** Nothing is guessed while the server cannot be reached: the last card that it confirmed is named. */
function lost() {
  const last = table.seen.cards.at(-1);
  const text = last?.card ? t("lost_last_card", { card: cardName(last.card) }) : t("lost_no_card");
  return {
    eyebrow: t("lost_eyebrow"),
    title: t("lost_title"),
    text: [text],
    amber: true,
    button: { label: t("waiting"), enabled: false, key: "" },
  };
}

function show() {
  if (!table.seen || !desk.seen) return;
  const step = steps.current();
  showHeader();
  keepDescriptions();
  draw($("#steps"), steps.stepsBar());
  required = wanted(step);
  const bar = $("#required");
  bar.classList.toggle("amber", !!required.amber);
  draw(bar, steps.requiredBar(required));
  showFelt($("#felt"), step);
  if (step !== before) stepChanged(step);
  draw($("#stage"), step.stage?.());
  draw($("#rail"), step.rail ? step.rail() : [stakesPanel(), sideRail()]);
  step.focus?.();
  showKeypad($("#keypad"));
  steps.showPanel($("#panel"));
  $("#rail").hidden = !!steps.opened();
  draw($("#low"), lowBar());
  $("#table").dataset.version = String(desk.seen.version); // what is shown, for who waits for it
}

/** Another step has come: its places are empty, and keys belong to cards where it takes any. */
function stepChanged(step) {
  before = step;
  draw($("#stage"));
  draw($("#rail"));
  $("#left").classList.toggle("whole", !!step.whole);
  if (step.takes?.()) $("#table :is(input, select, textarea):focus")?.blur();
}

function lowBar() {
  if (!deals()) return null;
  const opens = (name) => () => steps.openPanel(name);
  return [
    mayBeWrong() && html`<button type="button" class="btn" @click=${lastCardIsWrong}>
      ${icon("undo")}${t("last_card_wrong")}${key("W")}
    </button>`,
    html`<button type="button" class="btn" @click=${opens("report")}>
      ${icon("alert")}${t("report_short")}${key("R")}
    </button>`,
    chipsMayBeWrong() && html`<button type="button" class="btn" @click=${opens("chips")}>
      ${icon("double")}${t("chips_short")}${key("Alt C")}
    </button>`,
    html`<button type="button" class="btn" @click=${opens("patrons")}>${icon("seat")}${t("seat_buy_in")}</button>`,
    html`<button type="button" class="btn" @click=${opens("also")}>${icon("list")}${t("also_short")}</button>`,
  ];
}

// Keys --------------------------------------------------------------------------------------------------------

let pending = null; // a key that is a scanner's if another follows at once

function enter(event) {
  const at = event.target.closest(":is(button, a, summary):focus-visible"); // what was only tapped is not meant
  const main = at?.id === "main-button";
  if (typed() || strayed()) {
    event.preventDefault();
    if (typed()) confirm();
    else holdBack();
    return;
  }
  if (at && !main && !at.hasAttribute("data-theirs")) return; // a button of its own, pressed on purpose
  event.preventDefault();
  if (event.repeat || at?.hasAttribute("data-theirs")) return;
  const pressed = event.shiftKey ? "Shift+Enter" : "Enter";
  if (required?.button?.key === pressed && steps.alive(required.button)) steps.go(required.button);
}

/** A letter that does something of its own at the desk. */
function letter(event) {
  if (steps.current().keys?.(event)) return true;
  const name = event.key.toLowerCase();
  if (name === "p") callPit();
  else if (!deals()) return false;
  else if (name === "r") steps.openPanel("report");
  else if (name === "w") lastCardIsWrong();
  else if (name === "h") steps.openPanel("handover");
  else return false;
  return true;
}

/** Keys without a field: cards where one is due, else letters of the desk; a scan that nobody waits for is noticed. */
function plainKey(event) {
  const { key: name } = event;
  if (pending) {
    clearTimeout(pending.timer);
    press(pending.key);
    pending = null;
  }
  const both = AMBIGUOUS.includes(name.toLowerCase()) && !due();
  if (both && !strayed()) {
    const timer = setTimeout(() => {
      pending = null;
      letter(event);
    }, SCAN_MS);
    pending = { key: name, timer };
    return;
  }
  if (press(name)) {
    event.preventDefault();
    steps.redraw();
  } else if (letter(event)) event.preventDefault();
}

function escape() {
  if (steps.closePanel()) return;
  if (typing()) {
    clear();
    steps.redraw();
  }
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.isComposing || !desk.seen || event.defaultPrevented) return;
  const { key: name } = event;
  if (event.altKey) {
    const kind = BY_NUMBER[Number(event.code.replace("Digit", "")) - 1];
    if (event.code === "KeyS") seat();
    else if (event.code === "KeyC" && chipsMayBeWrong()) begin("");
    else if (kind && steps.opened() === chips.name) begin(kind);
    else if (!steps.current().keys?.(event)) return;
    event.preventDefault();
    return;
  }
  if (name === "Escape") {
    if (!steps.current().keys?.(event)) escape();
    return;
  }
  if (event.target.closest("input, select, textarea")) {
    const sends = event.target.closest("[data-enter]") || event.target.matches("textarea");
    if (name === "Enter" && !sends) event.preventDefault(); // a scanner's Enter sends no form
    return;
  }
  if (name === "Enter") enter(event);
  else if (name === "Backspace") {
    event.preventDefault();
    if (erase()) steps.redraw();
    else steps.current().keys?.(event);
  } else if (name.length === 1 && name !== " ") plainKey(event);
}

// Begin -------------------------------------------------------------------------------------------------------

steps.inOrder(duty, wrong, cases, shoe, naming, paying, settling, insurance, device, custody, cards, betting, idle, rest);
for (const panel of [report, handover, patrons, chips, float]) steps.addPanel(panel);
const more = node(html`<div class="padx"></div>`);
steps.addPanel({
  name: "also",
  title: () => t("also"),
  open(place) {
    draw(place, more);
    showAlso(more);
  },
});
onPick(tapped);
document.addEventListener("keydown", onKey);
steps.onStep(show);
onDesk(show);
on("roads link timer", show);
watchDesk();
watchPractice();
follow((said) => {
  heard(said);
  if (desk.seen) show();
});

