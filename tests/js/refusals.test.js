// What is said to a player who cannot have it: to them, with what they can do; and keys, seats, chips of others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";
import { act, bets, spot, staked } from "./player.js";

test("a key that a button names does that, whatever was pressed; chips by key need the focus that came by one", async (t) => {
  const page = await open(t, "ready");
  await bets(page, "player", 100);
  page.$(spot("player")).focus();
  const presses = (what) => ["pointerdown", "pointerup"].forEach((name) => page.$(what).dispatchEvent(new page.dom.PointerEvent(name, { bubbles: true })));
  presses(spot("player"));
  await page.happens("the other bets");
  await page.press(" ");
  assert.equal(staked(page), "100");
  assert.equal(page.$$("ready-button .dots i.on").length, 1);
  page.$(act("undo")).focus();
  presses(act("undo"));
  await page.press(" ");
  assert.equal(page.$$("ready-button .dots i.on").length, 0, "and on a button that was pressed too");
});

test("a chip below the minimum is offered as the minimum", async (t) => {
  const page = await open(t, "refused");
  await bets(page, "player", 5);
  assert.match(page.text(".toast .acts"), /Bet 10/);
});

test("more than one has is told in one sum, with the way to more", async (t) => {
  const page = await open(t, "betting");
  await bets(page, "player", 100);
  const { table } = await page.module("state.js");
  table.seen = { ...table.seen, racks: { [table.me]: 5000 } };
  const { layPattern } = await page.module("play.js");
  assert.equal(await layPattern([{ bet: "tie", cents: 10_000 }, { bet: "player", cents: 5000 }]), false);
  assert.match(page.text(".spot-note"), /You need 150 for this, and have 50/);
  assert.equal(page.said.length, 1, "nothing is asked that cannot be");
});

test("whoever has a seat is asked before it changes", async (t) => {
  const page = await open(t, "company");
  const { free } = page.tape.notes;
  await page.happens("the other bets");
  await page.happens("the other bets behind me");
  await page.click(`.position[data-box="${free[0]}"] .plate`);
  assert.match(page.text(".spot-note"), /Move from box \d to box \d/);
  assert.equal(page.said.length, 0);
  await page.click(page.button(`Move to box ${free[0]}`, ".spot-note"));
  assert.ok(page.has(`.own[data-box="${free[0]}"]`));
});

test("one's own stake behind somebody else is named and never summed into theirs; bets open at one's own box", async (t) => {
  const page = await open(t, "company", { careless: true }); // no tape has the felt around somebody else's box
  const { theirs, other } = page.tape.notes;
  await page.happens("the other bets");
  const { box, fold, seat, table } = await page.module("state.js");
  const { heaps } = await page.module("heaps.js");
  const lies = (player, cents) => ({ box: theirs, bet: "tie", player, cents, seated: false, order: 9 });
  table.seen = { ...table.seen, stakes: [lies(other, 15_000), lies(table.me, 5000)] };
  assert.deepEqual(heaps(theirs, ["tie"], { most: 1 }).map((one) => [one.own, one.cents]), [[true, 5000]]);
  await page.click(`.position[data-box="${theirs}"] .plate`);
  assert.equal(box(), theirs);
  assert.match(page.text("sit-down"), /Back to my box/);
  fold({ from: table.version, version: table.version + 1, changed: { round: table.seen.round + 1, stakes: [] } });
  await page.rest();
  assert.equal(box(), seat());
});

test("the chip in hand lies on no spot that takes none, and a name comes back to its spot", async (t) => {
  const page = await open(t, "betting");
  const over = page.$(spot("player"));
  over.dispatchEvent(new page.dom.PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
  assert.ok(page.has(".ghost"));
  page.$(spot("tie")).classList.add("renamed");
  const { fold, table } = await page.module("state.js");
  fold({ from: table.version, version: table.version + 1, changed: { phase: "dealing" } });
  table.options = [];
  const { tell } = await page.module("state.js");
  tell("options");
  assert.ok(!page.has(".ghost"));
  assert.ok(!page.has(".renamed"));
});

test("a press on something that has come under the finger within a second is let go", async (t) => {
  const page = await open(t, "betting");
  let pressed = 0;
  const press = async (what) => {
    const at = { bubbles: true, cancelable: true, clientX: 300, clientY: 300 };
    page.$(what).dispatchEvent(new page.dom.PointerEvent("pointerdown", at));
    const click = new page.dom.MouseEvent("click", at);
    Object.defineProperty(click, "isTrusted", { value: true });
    page.$(what).dispatchEvent(click);
    await page.pass(200);
  };
  page.dom.document.addEventListener("click", () => (pressed += 1));
  await press(".chipbtn[data-cents='10000']");
  await press(".chipbtn[data-cents='50000']");
  assert.equal(pressed, 1);
  await page.pass(1000);
  await press(".chipbtn[data-cents='50000']");
  assert.equal(pressed, 2);
});
