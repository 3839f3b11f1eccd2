// The pit: a case is ruled on in two presses or by a PIN, records are put right, calls are answered, tables ring.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const rule = "#decide .huge";

async function chooses(page, name) {
  const found = page.$$("#decide label").find((one) => one.textContent.includes(name)).querySelector("input");
  await page.check(found);
}

test("a case is ruled on by two presses, said to the public, and each player is asked by name", async (t) => {
  const page = await open(t, "pit-case");
  const { players } = page.tape.notes;
  assert.match(page.text("#wrote"), /Two came out stuck together\./);
  assert.equal(page.$$("#felt .pc").length, 6);
  assert.ok(page.$(rule).disabled, "nothing is chosen");
  await chooses(page, "two of spades first");
  assert.equal(page.$("#decide [name=sentence]").value, "order-named");
  await page.fill("#decide [name=reason]", "The red one lay uppermost on video.");
  const said = page.said.length;
  await page.click(rule);
  assert.match(page.text(rule), /Press again/);
  assert.equal(page.said.length, said, "one press rules nothing");
  await page.click(rule);
  for (const [who, choice] of [["Mei", "Continue"], ["Wei", "Continue"], ["Lin", "Return"], ["Anwar", "Continue"]]) {
    await page.click(page.button(`${players[who]}: ${choice}`));
    assert.ok(!page.$$("button").some((one) => one.getAttribute("aria-label")?.startsWith(`${players[who]}:`)));
  }
  assert.ok(!page.shows("#decision"));
});

test("beside a case stands what everybody may do, and why", async (t) => {
  const page = await open(t, "pit-case");
  const { players } = page.tape.notes;
  const lines = page.$$("#rights-of tbody tr").map((one) => [...one.children].map((cell) => cell.textContent));
  assert.ok(page.shows("#rights"));
  assert.deepEqual([...new Set(lines.map(([who]) => who))].sort(), Object.values(players).sort());
  const [, what, may, why] = lines.find(([who]) => who === players.Wei);
  assert.match(what, /say no to insurance/);
  assert.equal(may, "may not");
  assert.match(why, /^the round is held up/);
  assert.ok(page.$("#rights-of .cite"));
});

test("another choice calls off a first press", async (t) => {
  const page = await open(t, "pit-case");
  await chooses(page, "two of spades first");
  await page.click(rule);
  assert.match(page.text(rule), /Press again/);
  await chooses(page, "four of diamonds first");
  assert.doesNotMatch(page.text(rule), /Press again/);
  assert.deepEqual(page.said, []);
});

test("who has a PIN confirms a ruling by it", async (t) => {
  const page = await open(t, "pit-pin");
  await chooses(page, "four of diamonds first");
  await page.click(rule);
  await page.fill("#decide [name=pin]", "111222");
  await page.submit(page.$("#decide [name=pin]").form);
  assert.ok(page.shows("#answer"));
  await page.fill("#decide [name=pin]", "314159");
  await page.submit(page.$("#decide [name=pin]").form);
  assert.match(page.text("#money"), /Continue/);
});

test("a proposal of the desk is dropped with a reason or confirmed by two presses", async (t) => {
  const page = await open(t, "pit-slip");
  await page.happens("proposed");
  assert.match(page.text("#proposed"), /Misread\./);
  await page.fill("#proposed [name=reason]", "It was right.");
  await page.submit("#proposed form:has([name=reason])");
  assert.ok(!page.shows("#proposed"));
  await page.happens("proposed again");
  await page.click("#proposed .btn.primary");
  assert.ok(page.shows("#proposed"), "one press confirms nothing");
  await page.click("#proposed .btn.primary");
  assert.ok(!page.shows("#proposed"));
});

test("a call is answered with the dealer's words in view", async (t) => {
  const page = await open(t, "pit-call");
  assert.equal(page.text("#called q"), "Fill, please.");
  await page.click("#called button");
  await page.beats();
  assert.ok(!page.shows("#called"));
});

test("a round is void only on purpose", async (t) => {
  const page = await open(t, "pit-void");
  await page.fill("#house-void [name=reason]", "The shoe broke.");
  const sure = page.$("#house-void [type=checkbox]");
  assert.ok(sure.required && !page.$("#house-void form, form#house-void").checkValidity());
  await page.check(sure);
  await page.submit(page.$("#house-void [name=reason]").form);
  assert.deepEqual(page.said.map((one) => one.ask.command), ["void"]);
});

test("a disputed payout is settled here", async (t) => {
  const page = await open(t, "pit-payout");
  const row = () => page.$$("#money tr").find((one) => one.textContent.includes(page.tape.notes.player));
  assert.match(row().textContent, /Says it was 600\./);
  await page.click(page.button("Still to pay", row()));
  await page.beats();
  assert.match(row().textContent, /to pay/);
});

test("the overview rings for a table that is stopped, also while nobody looks; a shift is begun", async (t) => {
  const page = await open(t, "pit-all");
  const tile = () => page.text(".tt[data-id=pit-all]");
  await page.happens("stopped");
  await page.beats();
  assert.match(tile(), /Second slip\./);
  assert.match(document.title, /^\(\d+\)/);
  assert.equal(document.documentElement.dataset.rang, "stopped");
  await page.fill("#shift [name=name]", "Shift B");
  await page.submit("#shift form, form#shift");
  await page.beats();
  assert.match(page.text("#subheading"), /Shift B/);
});
