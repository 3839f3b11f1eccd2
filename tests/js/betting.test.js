// A player's bets: acts that one undo takes back, what fits, what is told at the spot, what is kept for the next time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, PHONE } from "./page.js";
import { act, bets, spot, staked } from "./player.js";

const note = (page) => page.text(".spot-note");

test("one act is one message, and one undo takes it back", async (t) => {
  const page = await open(t, "betting");
  await bets(page, "player", 100);
  await bets(page, "tie", 50);
  await page.click(act("double"));
  assert.equal(staked(page), "300");
  await page.click(act("undo"));
  assert.equal(staked(page), "150");
  await page.click(act("clear"));
  assert.equal(staked(page), "0");
  await page.click(act("undo"));
  assert.equal(staked(page), "150");

  // The maximum of a side bet is 500: a chip of 1,000 puts what fits, and the next one says so.
  await bets(page, "tie", 1000);
  assert.equal(staked(page), "600");
  assert.match(note(page), /500 is the most here/);
  await page.click(spot("tie"));
  assert.match(note(page), /500 is the most here/);
  await page.click(act("undo"));
  assert.equal(staked(page), "150");
  page.$(spot("banker-pair")).focus();
  await page.press("m");
  assert.equal(staked(page), "650");
  await page.press("Backspace");
  assert.equal(staked(page), "150");

  // Chips that are carried to another spot, back by one undo, and off the felt.
  const { move } = await page.module("play.js");
  const box = Number(page.$(spot("banker")).dataset.box);
  await bets(page, "banker", 100);
  move({ box, bet: "banker" }, { box, bet: "player-pair" });
  await page.rest();
  assert.match(page.text(spot("player-pair", "title")), /You 100/);
  await page.click(act("undo"));
  assert.match(page.text(spot("banker", "title")), /You 100/);
  move({ box, bet: "banker" });
  await page.rest();
  assert.equal(staked(page), "150");
  assert.equal(page.said.length, 14);

  // Rebet remembers the last bets, however many rounds were let pass.
  for (const round of ["settled", "passed", "passed again"]) {
    await page.happens(round);
    await page.happens(`${round}: next`);
  }
  assert.match(page.text(act("rebet")), /150/);
  await page.click(act("rebet"));
  assert.equal(staked(page), "150");
});

test("a page that was opened anew has nothing to undo but what lies there", async (t) => {
  const page = await open(t, "betting-again");
  assert.equal(staked(page), "150");
  await page.click(act("clear"));
  assert.equal(staked(page), "0");
});

test("rebet, double and clear of eleven bets are one message each", async (t) => {
  const page = await open(t, "acts");
  await page.happens("laid");
  await page.happens("settled");
  await page.happens("next");
  for (const [name, sum] of Object.entries({ rebet: "110", double: "220", clear: "0" })) {
    await page.click(act(name));
    assert.equal(staked(page), sum);
  }
  assert.equal(page.said.length, 3);
  assert.equal(new Set(page.said.map((one) => one.key)).size, 3);
  assert.deepEqual(page.asked, []);

  await page.happens("three");
  await page.click(act("double"));
  assert.equal(page.said.length, 4, "twice as much as far as each may, in one message");
});

test("chips show as sent until they are answered", async (t) => {
  const page = await open(t, "betting");
  page.deaf = true;
  page.$(".chipbtn[data-cents='10000']").click();
  page.$(spot("player")).dispatchEvent(new Event("click", { bubbles: true }));
  await page.pass(100);
  assert.equal(page.$$("table-felt .stack.sent").length, 1);
  assert.equal(page.said.length, 1);
  page.deaf = false;
  await page.pass(6000); // no answer: it is asked by POST with the same key, and done once
  assert.equal(page.$$("table-felt .stack.sent").length, 0);
  assert.equal(staked(page), "100");
  assert.deepEqual(page.asked.map((one) => one.key), [page.said[0].key]);
});

test("ready is one's own to say, and betting takes it back", async (t) => {
  const page = await open(t, "ready");
  assert.ok(!page.shows("ready-button"));
  await bets(page, "player", 100);
  await page.happens("the other bets");
  assert.equal(page.$$("ready-button .dots i").length, 2);
  for (const ready of [1, 0, 1]) {
    await page.press({ key: " ", at: document.body });
    assert.equal(page.$$("ready-button .dots i.on").length, ready);
  }
  await bets(page, "tie", 50);
  assert.equal(page.$$("ready-button .dots i.on").length, 0);
  await page.happens("the other is ready");
  assert.equal(page.$$("ready-button .dots i.on").length, 1);
  await page.click(act("ready"));
  await page.happens("cards");
  assert.ok(!page.shows("ready-button"));
});

test("the differential of a box is told at the spot with the bet that fits", async (t) => {
  const page = await open(t, "apart");
  await bets(page, "player", 1000);
  assert.match(page.text(".spot-warning"), /Room for 500/);
  await page.click(page.button("Bet 500", ".spot-warning"));
  assert.equal(staked(page), "1,500");
  assert.match(page.text(".spot-warning"), /No room/);
  await bets(page, "banker", 100);
  assert.equal(staked(page), "1,600");
  assert.ok(!page.has(".spot-warning"));
});

test("what others take away may leave too much at the table, and a tap puts it right", async (t) => {
  const page = await open(t, "apart-all");
  await page.happens("the other bets");
  await bets(page, "player", 1000);
  await page.click(spot("player"));
  await page.happens("the other goes");
  assert.match(page.text(".spot-warning"), /500 over/);
  await page.click(page.button("Take 500 back", ".spot-warning"));
  assert.equal(staked(page), "1,500");
  assert.ok(!page.$$(".spot-warning").some((one) => one.textContent.includes("over")));
});

test("5.1: who is cut is told what goes back, with the paragraph", async (t) => {
  const page = await open(t, "cut");
  await page.happens("I bet behind");
  await page.happens("the seated one bets");
  assert.match(note(page), /goes back/);
  assert.ok(page.has(".spot-note .cite"));
  await page.pass(9000);
  assert.ok(!page.has(".spot-note"));
});

test("a refused bet says why at the spot, with the paragraph, for a while", async (t) => {
  const page = await open(t, "refused");
  await bets(page, "player", 5);
  assert.match(page.text(".toast"), /Player takes at least 10, not 5\./);
  assert.match(page.$(".toast .cite").getAttribute("href"), /^\/rules\/[\w@-]+#p-[\d.]+$/);
  assert.ok(page.$(spot("player")).classList.contains("refused"));
  assert.match(page.text("#assertive"), /10/);
  assert.equal(page.$$("table-felt .chips .stack").length, 0);
  await page.pass(4000);
  assert.ok(!page.has(".toast") && !page.has(".refused"));
});

test("a refusal in Chinese has the language's own sentence", async (t) => {
  const page = await open(t, "refused-zh");
  await bets(page, "player", 5);
  assert.match(page.text(".toast"), /[\u4e00-\u9fff]/);
  assert.ok(!/takes at least/.test(page.text(".toast")));
});

test("saved bets, chips of the rack, the same bets for two rounds", async (t) => {
  const page = await open(t, "habits");
  await bets(page, "player", 100);
  await bets(page, "big-tiger", 50);
  await page.click(act("saved"));
  await page.fill("bet-tools input", "Evening");
  await page.submit("bet-tools form");
  assert.match(page.text("bet-tools li"), /Evening/);
  await page.click(act("clear"));
  await page.press("Escape");
  assert.ok(!page.shows("bet-tools"));
  await page.press("f", "1");
  assert.equal(staked(page), "150");
  await page.press("z");
  assert.equal(staked(page), "0");
  await page.press("1");
  assert.equal(staked(page), "150");

  const rack = () => page.$$(".chipbtn").map((one) => Number(one.dataset.cents));
  assert.deepEqual(rack(), page.tape.notes.chips);
  await page.click('bet-tools [data-keep="chip-1000"]');
  assert.ok(!rack().includes(1000));
  await page.click(page.button("Move the chip of 50 to the left", "bet-tools"));
  assert.deepEqual(rack().slice(0, 2), [5000, 500]);

  await page.click(act("times"));
  await page.click('bet-tools [data-keep="times-2"]');
  assert.match(page.text(act("rebet")), /Round 1 of 2/);
  await page.happens("settled");
  await page.happens("next");
  assert.equal(staked(page), "150");
  assert.match(page.text(act("rebet")), /Round 2 of 2/);
  await page.happens("settled again");
  const { repeating } = await page.module("repeating.js");
  assert.equal(repeating.of, 0, "over with the last round, not when the next one begins");
  await page.happens("next again");
  assert.equal(staked(page), "0");
  assert.match(page.text(act("rebet")), /Rebet 150/);
  await page.press({ key: "r", shiftKey: true });
  assert.match(page.text(act("rebet")), /Round 1 of 2/);
  await page.click(act("times"));
  assert.match(page.text(act("times")), /×2/);
  await page.happens("settled at last");
  await page.happens("next at last");
  assert.equal(staked(page), "0", "it was stopped");
});

test("a phone has its own spots in a grid and fetches no felt", async (t) => {
  const page = await open(t, "betting", { screen: PHONE });
  assert.ok(!page.looked.some((path) => path.startsWith("/felt/")));
  await bets(page, "player", 100);
  assert.match(page.text(spot("player", ".name")), /You 100/);
});

test("nothing is fetched twice by somebody with a seat", async (t) => {
  const page = await open(t, "betting");
  const twice = page.looked.filter((path, place) => page.looked.indexOf(path) !== place);
  assert.deepEqual(twice, []);
  assert.ok(page.looked.some((path) => path.startsWith("/felt/")));
});

test("a last round that is void was the last one all the same", async (t) => {
  const page = await open(t, "habits");
  const { fold, table } = await page.module("state.js");
  const { repeating } = await page.module("repeating.js");
  Object.assign(repeating, { of: 2, done: 2, bets: [{ box: 1, bet: "player", cents: 10_000 }] });
  const goesOn = (changed) => fold({ from: table.version, version: table.version + 1, changed });
  goesOn({ phase: "void", settlement: null });
  goesOn({ phase: "betting", round: table.seen.round + 1 });
  await page.rest();
  assert.equal(repeating.of, 0);
  assert.deepEqual(page.said, []);
});

test("what somebody has on a spot is one stack: chips on their way, and insurance of both windows", async (t) => {
  const page = await open(t, "betting");
  const { table } = await page.module("state.js");
  const { heaps, insured } = await page.module("heaps.js");
  const on = { box: 1, bet: "player" };
  Object.assign(table, { seen: { ...table.seen, stakes: [{ ...on, player: table.me, cents: 300 }] }, sent: [{ ...on, cents: 200 }] });
  assert.deepEqual(heaps(1, ["player"], { most: 2 }).map((one) => [one.cents, one.state]), [[500, "sent"]]);

  const bought = [100, 50].map((cents) => ({ player: table.me, hand: "player", cents }));
  Object.assign(table, { bought, seen: { ...table.seen, purchases: undefined } });
  assert.deepEqual(insured("player").map((one) => one.cents), [150]);
  const lines = [100, 50].map((stake) => ({ player: "Somebody", bet: "player-insurance", stake, net: -stake }));
  Object.assign(table, { bought: [], seen: { ...table.seen, settlement: { lines } } });
  assert.deepEqual(insured("player").map((one) => [one.cents, one.state]), [[150, "lose"]]);
});
