// Cards that somebody holds face down: what a lifted part tells, when a card is opened, and what is reached meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, PHONE } from "./page.js";
import { bets } from "./player.js";

const PANEL = "squeeze-panel";
const lifted = (page) => Number(page.$(PANEL).dataset.lifted);
const lights = (page) => page.texts(`${PANEL} .edges li.on span`);
const said = (page) => page.said.slice(1).map((one) => one.ask);
const button = (page, name) => page.button(name, PANEL);

/** A bet was made, and the cards of Player are mine: nine and seven, one after the other. */
async function holds(t, way, options) {
  const page = await open(t, `squeeze-${way}`, options);
  await bets(page, "player", 100);
  await page.happens("cards");
  assert.ok(page.shows(PANEL));
  return page;
}

async function slides(page, to, lets = true) {
  const slider = page.$(`${PANEL} input[type=range]`);
  slider.value = String(to);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  if (lets) slider.dispatchEvent(new Event("change", { bubbles: true }));
  await page.rest();
}

test("cards are lifted, turned and opened by keys, and the panel goes with the last", async (t) => {
  const page = await holds(t, "one");
  assert.match(page.text(`${PANEL} h2`), /Player's first card/);
  assert.deepEqual(page.texts(`${PANEL} .because a`), ["3.10.2", "3.10.3", "3.10.4", "3.10.5"]);
  assert.equal(page.text(`${PANEL} .makes`), "Lift an edge.");
  assert.ok(!page.has(`${PANEL} .sum`));
  await page.press("Enter");
  assert.deepEqual(said(page).map((one) => one.cards), [[1]]);
  assert.match(page.text(`${PANEL} h2`), /Player's second card/);
  assert.equal(page.text(`${PANEL} .sum`), "9");
  for (let time = 0; time < 6; time++) await page.press("ArrowDown");
  assert.equal(lifted(page), 36);
  assert.deepEqual(lights(page), ["6 7 8"]);
  assert.deepEqual(page.texts(`${PANEL} .makes b`), ["6 → 5", "7 → 6", "8 → 7"]);
  for (let time = 0; time < 3; time++) await page.press({ key: "ArrowRight", shiftKey: true });
  assert.equal(lifted(page), 18, "another corner begins anew");
  assert.deepEqual(lights(page), ["4 5", "6 7 8", "9 10"]);
  await page.press("t");
  assert.equal(lifted(page), 0);
  assert.equal(page.$(`${PANEL} .turner`).getAttribute("transform"), "rotate(0 50 70)");
  assert.equal(said(page).length, 1, "nobody is told of what is only looked at");
  for (let time = 0; time < 9; time++) await page.press("ArrowDown");
  assert.equal(said(page).length, 1);
  await page.press("ArrowDown");
  assert.deepEqual(said(page)[1].cards, [3], "lifted so far it is open");
  await page.happens("over");
  assert.ok(!page.shows(PANEL));
  assert.ok(page.has("table-hands [aria-label='seven of diamonds']"));
});

test("cards are passed on", async (t) => {
  const page = await holds(t, "pass");
  await page.click(button(page, "Pass"));
  assert.deepEqual(said(page).map((one) => one.command), ["refuse-cards"]);
  assert.ok(!page.shows(PANEL));
});

test("while cards are in hand nothing of the table beneath can be reached; both opened at once, all of it", async (t) => {
  const page = await holds(t, "both");
  const inert = () => page.$$(".stage, .dock").map((one) => one.inert);
  assert.ok(inert().length > 1 && inert().every(Boolean));
  assert.ok(document.documentElement.classList.contains("squeezing"));
  assert.ok(document.activeElement === page.$(PANEL));
  await page.press("z", "x", "r", "d", "m", "1", " ");
  assert.deepEqual(said(page), []);
  await page.press("o");
  assert.deepEqual(said(page).map((one) => one.cards), [[1, 3]]);
  assert.ok(!page.shows(PANEL));
  assert.ok(!inert().some(Boolean));
  assert.ok(!document.documentElement.classList.contains("squeezing"));
});

test("a slider holds what it lifts and a finger does not; either opens what it lifts far enough", async (t) => {
  const page = await holds(t, "one", { screen: PHONE });
  await slides(page, 30);
  assert.equal(lifted(page), 30, "it stays");
  assert.notDeepEqual(lights(page), []);
  await page.click(button(page, "Turn"));
  assert.equal(lifted(page), 0);
  await slides(page, 59);
  await slides(page, 60, false);
  assert.deepEqual(said(page), [], "not before it is let go");
  await slides(page, 60);
  assert.deepEqual(said(page).map((one) => one.cards), [[1]]);

  const art = page.$(`${PANEL} .held`);
  art.setPointerCapture = () => {};
  const at = (name, x, y, pointerId = 1) => art.dispatchEvent(new PointerEvent(name, { clientX: x, clientY: y, pointerId, bubbles: true, cancelable: true }));
  at("pointerdown", 50, 138);
  at("pointermove", 50, 60, 2);
  assert.equal(lifted(page), 0, "that was another finger");
  at("pointermove", 50, 60);
  assert.ok(lifted(page) > 20 && lifted(page) < 60);
  at("pointerup", 50, 60);
  await page.rest();
  assert.equal(lifted(page), 0, "it falls back");
  at("pointerdown", 300, 300);
  at("pointermove", 50, 60);
  assert.equal(lifted(page), 0, "beside the card there is nothing to hold");
  at("pointerdown", 50, 138);
  at("pointermove", 50, -60);
  at("pointerup", 50, -60);
  await page.rest();
  assert.deepEqual(said(page).map((one) => one.cards), [[1], [3]]);
});

test("either card is looked at first, stays in hand whatever others do, and is opened only when it may be", async (t) => {
  const page = await holds(t, "one");
  const { table, tell } = await page.module("state.js");
  const lifts = async (times) => {
    for (let time = 0; time < times; time++) await page.press("ArrowDown");
  };
  const offers = (options) => {
    table.options = options;
    tell("options");
  };
  await page.press({ key: "ArrowDown", ctrlKey: true }, { key: "ArrowDown", altKey: true }, { key: "o", metaKey: true });
  page.$(`${PANEL} input[type=range]`).focus();
  await page.press("ArrowDown", "Enter");
  assert.equal(lifted(page), 0, "keys that are meant for something else");
  page.$(PANEL).focus();

  const { until } = table.timer;
  for (const [ms, seconds, urgent] of [[30_500, "31", false], [4900, "5", true]]) {
    table.timer.until = performance.now() + ms;
    await page.pass(300); // the ring is drawn five times a second
    assert.equal(page.text(`${PANEL} .ring text`), seconds);
    assert.equal(page.$(`${PANEL} .ring`).classList.contains("urgent"), urgent);
  }
  table.timer.until = until;

  await page.click(page.$(`${PANEL} .beside button`));
  assert.match(page.text(`${PANEL} h2`), /second card/);
  await lifts(6);
  assert.deepEqual(lights(page), ["6 7 8"]);
  assert.equal(page.text(`${PANEL} .makes`), "It may be 6 to 8", "what it makes is not known while the other is closed");
  offers([...table.options, { command: { command: "expose", cards: [9] } }]);
  assert.equal(lifted(page), 36);
  await page.press("Escape");
  assert.equal(lifted(page), 0);
  await page.click(page.$(`${PANEL} .beside button`));
  assert.match(page.text(`${PANEL} h2`), /first card/);

  offers(table.options.filter((one) => one.command.command !== "expose"));
  assert.ok(["Open this", "Open all"].every((name) => button(page, name).disabled));
  assert.match(page.text(`${PANEL} aside`), /The cards of Banker are opened first/);
  await page.press("Enter", "o");
  await lifts(9);
  assert.equal(lifted(page), 54, "it may be looked at");
  await lifts(1);
  assert.equal(lifted(page), 0);
  assert.deepEqual(said(page), []);
});

test("a long edge tells a card's group, whichever it is; a flat card tells nothing", async (t) => {
  const page = await open(t, "several-none");
  const { allowed, GROUPS, listed, RANKS } = await page.module("edges.js");
  const { foldBy, hold } = await page.module("curl.js");
  for (const edge of ["left", "right"]) {
    for (const { ranks } of GROUPS) {
      for (const rank of ranks) assert.equal(allowed(`${rank}S`, foldBy(hold(edge), 0.36)).join(""), ranks, `${rank} by its ${edge} edge`);
    }
  }
  assert.deepEqual(allowed("9C", null), RANKS);
  assert.deepEqual(allowed("9C", foldBy(hold("left"), 1)), ["9"]);
  assert.equal(listed([4, 5, 6], " to "), "4 to 6");
  assert.equal(listed([4, 5], " to "), "4, 5");
  assert.equal(listed([4, 6, 7], " to "), "4, 6, 7");
});
