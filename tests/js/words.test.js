// Words: phrases with their blanks, amounts, cards, what is announced.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

test("amounts: cents only where there are any, a true minus, short where there is no room", async (t) => {
  const page = await open(t, "betting");
  const { money, shortMoney, signed } = await page.module("words.js");
  assert.deepEqual([0, 500_000, 1250, -9500].map(money), ["0", "5,000", "12.50", "−95"]);
  assert.deepEqual([100, 0, -100].map(signed), ["+1", "0", "−1"]);
  assert.equal(shortMoney(1_250_000, 5), "12.5K");
  assert.equal(shortMoney(300_000_000, 5), "3M");
  assert.equal(shortMoney(450_000, 4), "4.5K");
  for (const cents of [1, 99, 12_345, 99_999_900, 123_456_789_00]) assert.ok(shortMoney(cents, 6).length <= 6 || cents < 100_000);
});

test("cards are read aloud; of none, that it lies face down", async (t) => {
  const page = await open(t, "betting");
  const { cardName } = await page.module("words.js");
  assert.equal(cardName("9C"), "nine of clubs");
  assert.equal(cardName("TS"), "ten of spades");
  assert.match(cardName(null), /face down/);
});

test("every announcement of a round has all its words, in both languages", async (t) => {
  for (const name of ["round-tiger-buffalo", "round-commission-insurance", "round-tiger", "cut"]) {
    const page = await open(t, name);
    const said = page.tape.steps.flatMap((one) => one.messages).flatMap((one) => one.said ?? []);
    assert.ok(said.length > 0);
    for (const one of said) {
      for (const words of [one.sentence, one.beside]) assert.doesNotMatch(words, /[{}]|undefined/, one.key);
      assert.match(one.beside, /[\u4e00-\u9fff]/);
    }
  }
});

test("people go by what others see of them", async (t) => {
  const page = await open(t, "company");
  const { shownAs, table } = await page.module("state.js");
  table.seen.house.names = { "guest-abc": "Lion" };
  assert.equal(shownAs("guest-abc"), "Lion");
  assert.equal(shownAs("Wei"), "Wei");
});
