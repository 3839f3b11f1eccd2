// Whole rounds of every document at a player's table: insurance, what it came to, the statement; and in Chinese.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, PHONE } from "./page.js";
import { act, bets, cents, spot } from "./player.js";

const ROUNDS = {
  "tiger-buffalo": { player: 100, "banker-char-siu": 10 },
  "commission-insurance": { player: 100, tie: 10 },
  "tiger-buffalo-3": { banker: 100, "banker-char-siu": 10, tie: 10 },
  "tiger-buffalo-4": { banker: 100, "big-tiger": 10, tie: 10 },
  tiger: { banker: 100, tiger: 10, "tiger-tie": 10 },
};
const HAN = /[\u4e00-\u9fff]/;

async function plays(t, name, options) {
  const page = await open(t, `round-${name}`, options);
  for (const [bet, dollars] of Object.entries(ROUNDS[name])) await bets(page, bet, dollars);
  await page.happens("cards");
  return page;
}

for (const [name, stakes] of Object.entries(ROUNDS)) {
  for (const screen of name === "tiger-buffalo" ? [undefined, PHONE] : [undefined]) {
    test(`a round of ${name}${screen ? " on a phone" : ""}: the screen says what the ledger says`, async (t) => {
      const page = await plays(t, name, screen && { screen });
      const insured = page.shows("insurance-prompt");
      if (insured) {
        assert.ok(page.has("insurance-prompt .cite"));
        await page.click("insurance-prompt [data-act=insure]");
        assert.ok(!page.shows("insurance-prompt"));
        await page.happens("settled");
      }
      const { net, rack } = page.tape.notes;
      assert.equal(cents(page.text("round-net b")), net);
      assert.equal(cents(page.text("table-purse .rack b")), rack);
      await page.press("s");
      assert.equal(cents(page.text("round-statement .total .net")), net);
      const lines = page.$$("round-statement tbody tr").filter((one) => !one.classList.contains("total"));
      assert.equal(lines.length, Object.keys(stakes).length + Number(insured));
      for (const line of lines) assert.ok(line.querySelector(".cite"));
      const nets = lines.map((one) => Math.sign(cents(one.querySelector(".net").textContent)));
      assert.deepEqual(nets, [...nets].sort((a, b) => b - a), "winners first");
      assert.match(page.text(".says b"), /wins|tie/i);
    });
  }
}

test("an offer says who wins and what that brings", async (t) => {
  const page = await plays(t, "tiger-buffalo");
  const told = page.texts("insurance-prompt .what li");
  assert.equal(told.length, 3);
  assert.match(told[0], /^Banker wins [\d.]+% \+125$/);
  assert.match(told[1], /^tie [\d.]+% back$/);
  assert.match(told[2], /^Player wins [\d.]+% −50$/);
  const amounts = page.texts("insurance-prompt .stakes button");
  await page.click(page.$$("insurance-prompt .stakes button").at(-1));
  assert.match(page.text("insurance-prompt [data-act=insure]"), new RegExp(amounts.at(-1).match(/[\d,]+/)[0]));
  await page.fill("insurance-prompt input", "30");
  assert.match(page.text("insurance-prompt [data-act=insure]"), /30/);
  await page.fill("insurance-prompt input", "nothing");
  assert.match(page.text("insurance-prompt [data-act=insure]"), /30/, "what is no amount changes nothing");
});

test("bets that no card can win any more go pale while insurance is on offer", async (t) => {
  const page = await plays(t, "tiger-buffalo");
  const lost = JSON.parse(page.answers["/tables/round-tiger-buffalo/offers.json"].text)[0].lost;
  assert.deepEqual(page.$$(".own .spot.lost").map((one) => one.dataset.bet).sort(), lost.filter((bet) => page.has(spot(bet))).sort());
});

test("what lies open gives way to an offer", async (t) => {
  const page = await open(t, "round-tiger-buffalo");
  await bets(page, "player", 100);
  await bets(page, "banker-char-siu", 10);
  await page.press("f");
  assert.ok(page.shows("bet-tools"));
  page.$("#menu").setAttribute("open", "");
  await page.happens("cards");
  assert.ok(page.shows("insurance-prompt"));
  assert.ok(!page.$("#menu").open);
});

test("the rounds before are listed, each with its statement", async (t) => {
  const page = await plays(t, "tiger");
  await page.click("#history");
  assert.equal(page.$$("round-history li").length, 1);
  await page.click("round-history li button");
  assert.ok(page.shows("round-statement") && !page.shows("round-history"));
});

test("in Chinese labels, announcements and results change, and the felt is in both", async (t) => {
  const page = await open(t, "chinese");
  const labels = page.texts(".own .spot .label");
  assert.ok(labels.some((one) => HAN.test(one) && one.includes("BANKER")));
  assert.match(page.text(`${act("undo")} span`), HAN);
  assert.match(page.text(".says b"), /下注/);
  await bets(page, "player", 100);
  await page.happens("cards");
  assert.match(page.text("insurance-prompt h2"), HAN);
  await page.click(act("decline"));
  await page.happens("settled");
  assert.match(page.text("#polite"), HAN);
  await page.press("s");
  assert.match(page.text("round-statement h2"), HAN);
});

test("the last seconds are told once, to whom they matter", async (t) => {
  const page = await open(t, "betting");
  const { table } = await page.module("state.js");
  await page.pass(table.timer.until - performance.now() - 5_900);
  assert.equal(page.text("#assertive"), "");
  await page.pass(1200); // the page looks at its clock five times a second
  assert.match(page.text("#assertive"), /5/);
  page.$("#assertive").textContent = "";
  await page.pass(2000);
  assert.equal(page.text("#assertive"), "");
});
