// Others at the table: their chips, a box behind somebody, a move, a seat for who only watches, the reality check.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, PHONE } from "./page.js";
import { act, bets, spot, staked } from "./player.js";

const stacks = (page) => page.$$("table-felt .chips .stack");

test("chips of others lie where they bet, in one stack a person, and are read aloud with their name", async (t) => {
  const page = await open(t, "company");
  const { theirs, other, free } = page.tape.notes;
  assert.equal(stacks(page).length, 0);
  await page.happens("the other bets");
  assert.equal(stacks(page).length, 1);
  assert.match(stacks(page)[0].textContent, /150/);
  assert.ok(page.$(`.position[data-box="${theirs}"] .spot[data-bet~="banker"]`).classList.contains("taken"));
  await page.happens("the other bets behind me");
  assert.equal(page.text(spot("player", "title")), `Player, pays 1 to 1, ${other} 50`);

  await page.click(`.position[data-box="${free[0]}"] .plate`);
  await page.click(page.button(`Move to box ${free[0]}`, ".spot-note"));
  assert.ok(page.has(`.own[data-box="${free[0]}"]`), "one may move before one bets");
  await bets(page, "tie", 10);
  assert.match(page.text(spot("tie", "title")), /You 10$/);
  assert.match(page.text(`.position[data-box="${free[1]}"] .plate title`), /before you bet, or after the round/);
  await page.click(`.position[data-box="${free[1]}"] .plate`);
  assert.match(page.text(".toast"), /take them back first/);
  assert.ok(page.has(`.own[data-box="${free[0]}"]`));
});

test("the whole table's totals stand at the spots", async (t) => {
  const page = await open(t, "company");
  await page.happens("the other bets");
  await page.happens("the other bets behind me");
  const some = page.$$("table-felt .crowd.some").map((one) => one.dataset.bet).sort();
  assert.deepEqual([...new Set(some)], ["banker", "player"]);
});

test("a phone shows each box with its total", async (t) => {
  const page = await open(t, "company", { screen: PHONE });
  const { theirs, other } = page.tape.notes;
  await page.happens("the other bets");
  assert.equal(page.$(`.stage table-seats [data-at="${theirs}"]`).textContent.includes(`Box ${theirs}, ${other}, 150`), true);
});

test("who watches a full table bets behind with one press", async (t) => {
  const page = await open(t, "watching");
  assert.ok(page.shows("table-purse .watching"));
  await page.click(page.button(`Bet behind ${page.tape.notes.seated}`));
  assert.equal(page.$(spot("player")).getAttribute("aria-disabled"), "false");
  await bets(page, "player", 100);
  assert.equal(staked(page), "100");
});

test("a house may keep the odds of a shoe to itself", async (t) => {
  const page = await open(t, "watching");
  await page.press("o");
  assert.ok(!page.has("shoe-odds:not([hidden])"));
  assert.ok(page.$$("[data-lesson=odds]").every((one) => one.closest("[hidden]")));
});

test("a reality check is shown until the player goes on, and bets wait meanwhile", async (t) => {
  const page = await open(t, "reality");
  await bets(page, "player", 100);
  await page.happens("settled");
  assert.match(page.text("reality-check"), /−100 in all/);
  await page.happens("next");
  await page.click(spot("player"));
  assert.match(page.text(".toast"), /minutes/);
  await page.click(page.button("Go on", "reality-check"));
  assert.ok(!page.shows("reality-check"));
  await page.click(spot("player"));
  assert.equal(staked(page), "100");
  assert.ok(!page.$(act("undo")).disabled);
});
