// A player's bets: acts that one undo takes back, what fits, what is told at the spot.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const spot = (bet) => `.own .spot[data-bet="${bet}"]`;
const act = (name) => `[data-act="${name}"]`;
const staked = (page) => page.text("table-purse .stake b");

async function bets(page, bet, dollars) {
  await page.click(`.chipbtn[data-cents="${dollars * 100}"]`);
  await page.click(spot(bet));
}

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
  assert.equal(page.said.length, 6);
});
