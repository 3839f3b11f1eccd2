// The line to the server: messages are laid over each other, a lost line is told and made again, nothing is asked twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, recorded } from "./page.js";
import { bets, spot, staked } from "./player.js";

const link = () => document.documentElement.dataset.link;
const after = (line) => new URL(line.address.replace("ws:", "http:")).searchParams.get("after");

test("messages in their order come to the same as the whole view", async (t) => {
  for (const name of ["betting", "round-tiger-buffalo", "round-tiger", "ready", "habits"]) {
    const page = await open(t, name);
    const { fold, table } = await page.module("state.js");
    const messages = page.tape.steps.flatMap((one) => one.messages).filter((one) => "version" in one);
    for (const message of messages.slice(1)) assert.equal(fold(message), true);
    const first = messages[0];
    const wanted = messages.reduce((seen, one) => ({ ...seen, ...one.changed }), first.view);
    const you = messages.findLast((one) => one.you)?.you ?? {};
    assert.deepEqual(table.seen, { ...wanted, ...you });
    assert.equal(table.version, messages.at(-1).version);
  }
});

test("a message whose forerunner is missing is not taken in, and the table is asked for anew", async (t) => {
  const page = await open(t, "betting");
  const { fold, table } = await page.module("state.js");
  const [, first, second] = page.tape.steps;
  const [gap] = second.messages;
  const before = table.version;
  assert.equal(fold(gap), false);
  assert.equal(table.version, before);
  page.line.bring(gap);
  await page.rest();
  assert.equal(page.lines.length, 2);
  assert.equal(after(page.line), null, "from the beginning, not from a version that is in doubt");
  assert.ok(first);
});

test("whoever shows something is called only when a field of its own changed", async (t) => {
  const page = await open(t, "betting");
  const { on } = await page.module("state.js");
  const called = { stakes: 0, limits: 0 };
  for (const field of Object.keys(called)) on(field, () => (called[field] += 1));
  assert.deepEqual(called, { stakes: 1, limits: 1 });
  await bets(page, "player", 100);
  assert.deepEqual(called, { stakes: 2, limits: 1 });
});

test("another text of the rules makes the page anew", async (t) => {
  const page = await open(t, "betting");
  const { fold, table } = await page.module("state.js");
  fold({ from: table.version, version: table.version + 1, changed: { digest: "0".repeat(64) } });
  assert.deepEqual(page.went, ["reload"]);
});

test("a line that is lost is told, tried again ever more rarely, and goes on from the version it had", async (t) => {
  const page = await open(t, "round-tiger-buffalo");
  await bets(page, "player", 100);
  const { table } = await page.module("state.js");
  const { version } = table;
  page.offline = true;
  page.line.lose();
  await page.pass(100);
  assert.equal(link(), "lost");
  assert.ok(page.shows("#lost"));
  await page.pass(60_000);
  const tries = page.lines.length - 1;
  assert.ok(tries >= 8 && tries <= 16, `${tries} tries in a minute`);
  page.offline = false;
  page.take(page.tape.steps[page.at]); // meanwhile one more bet of mine came in, from elsewhere
  await page.pass(11_000);
  assert.equal(link(), "open");
  assert.ok(!page.shows("#lost"));
  assert.equal(after(page.line), String(version));
  assert.equal(staked(page), "110");
  await page.happens("cards");
  assert.ok(page.shows("insurance-prompt"), "the round goes on");
});

test("a network that comes back is used at once", async (t) => {
  const page = await open(t, "betting");
  dispatchEvent(new Event("offline"));
  await page.pass(20);
  assert.equal(link(), "lost");
  const had = page.lines.length;
  dispatchEvent(new Event("online"));
  assert.equal(page.lines.length, had + 1);
});

test("a line that falls silent is noticed by what is not answered, and what was asked is done once", async (t) => {
  const page = await open(t, "betting");
  await page.click(".chipbtn[data-cents='10000']");
  await page.pass(5000);
  page.deaf = true;
  page.$(spot("player")).dispatchEvent(new Event("click", { bubbles: true }));
  await page.pass(6000);
  assert.equal(page.lines.length, 2, "another line was made");
  assert.equal(page.asked.length, 1);
  assert.equal(page.asked[0].key, page.said[0].key);
  assert.equal(staked(page), "100");
});

test("time that is up and brings nothing gives the line up; what then comes over another counts from there", async (t) => {
  const page = await open(t, "betting");
  const { table } = await page.module("state.js");
  await page.pass(table.timer.until - performance.now() + 7000);
  assert.equal(page.lines.length, 1);
  await page.pass(2500);
  assert.equal(page.lines.length, 2);
  const { name } = table.timer;
  page.line.bring({ from: table.version, version: table.version, changed: {}, timer: { name, ms: 1, left_ms: -20_000 } });
  assert.equal(link(), "open");
  await page.pass(7000);
  assert.equal(page.lines.length, 2);
  await page.pass(2500);
  assert.equal(page.lines.length, 3);
});

test("a table that is gone stays gone; a session that ended is nobody's", async (t) => {
  const gone = await open(t, "betting");
  gone.line.lose(4004);
  await gone.pass(30_000);
  assert.equal(link(), "gone");
  assert.equal(gone.lines.length, 1);
  const out = await open(t, "betting", { careless: true }); // whoever only watches sees another felt
  const { table } = await out.module("state.js");
  out.line.lose(4001);
  await out.pass(1000);
  assert.equal(table.me, "");
  assert.equal(after(out.lines[1]), null);
});

test("what cannot be answered is asked again with the same key, four times in all", async (t) => {
  const page = await open(t, "betting");
  const { ask, Refused } = await page.module("api.js");
  page.offline = true;
  const asked = ask("POST", "/api/me/reality-check");
  asked.catch(() => {});
  await page.pass(10_000);
  await assert.rejects(asked, TypeError);
  assert.equal(page.asked.length, 4);
  assert.equal(new Set(page.asked.map((one) => one.key)).size, 1);

  page.offline = false;
  const { insist } = await page.module("api.js");
  let tried = 0;
  const refuses = (status) => () => {
    tried += 1;
    throw new Refused({ detail: "no", code: "no", status });
  };
  await assert.rejects(insist(refuses(422)), Refused);
  assert.equal(tried, 1, "a refusal is an answer");
  tried = 0;
  const busy = insist(refuses(503));
  busy.catch(() => {});
  await page.pass(10_000);
  await assert.rejects(busy, Refused);
  assert.equal(tried, 4, "a server that is not there for a moment is asked again");
});

test("a bet that gets no answer is told in the page's own words", async (t) => {
  const page = await open(t, "betting");
  await page.click(".chipbtn[data-cents='10000']");
  page.offline = true;
  page.line.lose();
  await page.click(spot("player"));
  for (let tried = 0; tried < 20 && !page.has(".toast"); tried++) await page.rest();
  assert.match(page.text(".toast"), /The server does not answer/);
  assert.equal(staked(page), "0");
});

test("a page that is opened in the middle of a round stands where the round does", async (t) => {
  const tape = recorded("round-tiger-buffalo");
  const cards = tape.steps.findIndex((one) => one.name === "cards");
  const before = tape.steps.slice(0, cards + 1);
  const messages = before.flatMap((one) => one.messages).filter((one) => "version" in one);
  const view = messages.reduce((seen, one) => ({ ...seen, ...one.changed }), messages[0].view);
  const you = messages.findLast((one) => one.you)?.you;
  const whole = { ...messages.at(-1), view, ...(you && { you }), said: [] };
  delete whole.changed;
  delete whole.from;
  const opens = { name: "opens", messages: [whole], answers: Object.assign({}, ...before.map((one) => one.answers)) };
  const page = await open(t, { ...tape, steps: [opens, ...tape.steps.slice(cards + 1)] });
  assert.ok(page.shows("insurance-prompt"));
  assert.equal(staked(page), "110");
  assert.equal(page.$$("table-hands .card").length, 4);
  await page.click("insurance-prompt [data-act=insure]");
  await page.happens("settled");
  assert.ok(page.shows("round-net"));
});
