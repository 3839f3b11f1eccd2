// The roads in large, all five, and what they would show if Player or Banker wins the next round.

import { $$, button, html } from "./dom.js";
import { closing } from "./panels.js";
import { setShapes, shapes } from "./roads.js";
import { on, table } from "./state.js";
import { hand, t } from "./words.js";

const DERIVED = ["big-eye-boy", "small-road", "cockroach-pig"];
let dialog = null;
let asked = ""; // whose win is asked about
let pressed = ""; // by a press, so that it stays

export function showRoads() {
  if (dialog?.open) {
    dialog.close();
    return;
  }
  dialog ??= made();
  dialog.showModal();
  draw();
}

function made() {
  const ask = (name) =>
    button("", () => press(name), { "data-ask": name, "aria-pressed": "false" }, t("roads_if", { hand: hand(name) }));
  const shown = html(
    "dialog",
    { class: "roads-large", "aria-labelledby": "roads-title" },
    html(
      "header",
      {},
      html("h2", { id: "roads-title" }, t("roads")),
      html("div", { class: "asks", role: "group" }, ask("player"), ask("banker"), shapesButton()),
      closing(() => dialog.close()),
    ),
    html("p", { class: "told", "aria-live": "polite" }),
    html("div", { class: "sheet" }),
  );
  for (const one of $$("[data-ask]", shown)) {
    one.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && turn(one.dataset.ask));
    one.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && turn(pressed));
  }
  shown.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the table's keys are for the table
    if (event.key.toLowerCase() === "g") shown.close();
  });
  shown.addEventListener("close", () => {
    pressed = "";
    turn("");
  });
  document.body.append(shown);
  on("roads", () => dialog?.open && draw());
  return shown;
}

/** Whether irregular marks have a shape besides their colour. */
function shapesButton() {
  const one = button("", () => {
    setShapes(!shapes());
    one.setAttribute("aria-pressed", String(shapes()));
  }, { "aria-pressed": String(shapes()), title: t("shapes_about") }, t("shapes"));
  return one;
}

function press(name) {
  pressed = pressed === name ? "" : name;
  for (const one of $$("[data-ask]", dialog)) one.setAttribute("aria-pressed", String(one.dataset.ask === pressed));
  turn(pressed);
}

function turn(name) {
  if (asked === name) return;
  asked = name;
  if (dialog.open) draw();
}

/** The sheet as the server draws it, with the next result where one is asked about. */
async function draw() {
  const mine = asked;
  const address = `/tables/${table.id}/board/roads${mine ? `?next=${mine}` : ""}`;
  const answer = await fetch(address);
  if (!answer.ok || mine !== asked) return;
  const sheet = dialog.querySelector(".sheet");
  sheet.innerHTML = await answer.text();
  dialog.querySelector(".told").textContent = mine ? said(mine) : t("roads_hint");
  for (const [n, name] of ["bead-plate", "big-road", ...DERIVED].entries()) {
    const mark = mine && (n < 2 || table.seen.roads.ask[mine][n - 2] !== "-");
    sheet.querySelector(`.${name}`)?.classList.toggle("asked", Boolean(mark));
  }
}

const COLOURS = { R: "roads_regular", L: "roads_irregular", "-": "roads_no_mark" };

function said(name) {
  const [big, small, pig] = [...table.seen.roads.ask[name]].map((mark) => t(COLOURS[mark]));
  return t("roads_asked", { hand: hand(name), big, small, pig });
}
