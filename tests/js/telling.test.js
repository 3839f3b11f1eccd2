// Nothing is told before it is seen: the order of what a page shows of a round, frame by frame, for rounds of every kind.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";
import { bets } from "./player.js";

const ROUNDS = {
  "tiger-buffalo": { player: 100, "banker-char-siu": 10 },
  "commission-insurance": { player: 100, tie: 10 },
  "tiger-buffalo-3": { banker: 100, "banker-char-siu": 10, tie: 10 },
  "tiger-buffalo-4": { banker: 100, "big-tiger": 10, tie: 10 },
  tiger: { banker: 100, tiger: 10, "tiger-tie": 10 },
};
const FRAME = 20;
const CARD = 1200; // as at a table of the usual pace; the four that begin a round come ten times as fast

async function begins(t, name, options) {
  const page = await open(t, `round-${name}`, { still: false, ...options });
  for (const [bet, dollars] of Object.entries(ROUNDS[name])) await bets(page, bet, dollars);
  const { on, table } = await page.module("state.js");
  page.order = [];
  const before = { ...table.seen };
  on("cards points offers settlement roads racks", (fields) => page.order.push(...fields.filter((one) => one !== "racks" || table.seen.racks !== before.racks)));
  page.order.length = 0;
  return page;
}

/** What a page shows at one moment. */
function frame(page) {
  const hand = (side) => ({
    cards: page.$$(`table-hands .hand.${side} .card > use:first-child`).map((one) => one.getAttribute("href") !== "#card-back"),
    points: page.text(`table-hands .hand.${side} .score text`),
  });
  return {
    hands: [hand("player"), hand("banker")],
    says: page.text(".says b"),
    heard: page.text("#polite"),
    asked: page.shows("insurance-prompt"),
    pale: page.has(".spot.lost"),
    tags: page.$$("table-felt .chips .stack").filter((one) => /win|lose/.test(one.getAttribute("class"))).length > 0 || page.$("table-middle").dataset.came !== "",
    roads: page.looked.filter((path) => path.endsWith("/roads")).length,
    net: page.shows("round-net"),
    rack: page.text("table-purse .rack b"),
  };
}

/** The messages of a step come as a table sends them; `passes` lets time go by. */
async function comes(page, step, passes) {
  page.take(step);
  let cards = 0;
  for (const message of step.messages) {
    const now = message.changed?.cards?.length ?? cards;
    await passes(now > cards ? (now <= 4 && cards ? CARD / 10 : CARD) : message.changed?.settlement ? CARD : 0);
    cards = now;
    page.line.bring(message);
  }
}

/** All frames of a step, and of so long after it. */
async function watched(page, step) {
  const frames = [frame(page)];
  const passes = async (ms) => {
    for (let passed = 0; passed < ms; passed += FRAME) {
      await page.pass(FRAME);
      frames.push(frame(page));
    }
  };
  await comes(page, step, passes);
  await passes(3000);
  return frames;
}

const RESULT = /wins|tie|和/i;

/** Each frame shows no more than the frame before it allows. */
function inOrder(frames) {
  const kinds = new Set();
  for (const [n, now] of frames.entries()) {
    if (!n) continue;
    const was = frames[n - 1];
    const open = (one) => one.hands.every(({ cards }) => cards.every(Boolean));
    const counted = (one) => open(one) && one.hands.every(({ points }) => points !== "");
    const says = (what, holds) => {
      kinds.add(what);
      assert.ok(holds, `${what} in frame ${n}: ${JSON.stringify([was, now])}`);
    };
    now.hands.forEach(({ points }, side) => {
      if (points && points !== was.hands[side].points) says("points after the flip", was.hands[side].cards.every(Boolean));
    });
    now.hands.forEach(({ cards }, side) => {
      if (cards.filter(Boolean).length > was.hands[side].cards.filter(Boolean).length) says("a card lies face down first", was.hands[side].cards.length === cards.length);
    });
    if (now.heard !== was.heard && now.hands.some(({ cards }) => cards.length)) says("heard after the points", counted(was));
    if (now.says !== was.says && RESULT.test(now.says)) says("called after the points", counted(was));
    if (now.asked && !was.asked) says("insurance with the call", counted(was));
    if (now.pale && !was.pale) says("pale after the offer", was.asked || now.asked);
    if (now.tags && !was.tags) says("tags after the call", RESULT.test(was.says));
    if (now.roads > was.roads) says("roads after the tags", was.tags);
    if (now.net && !was.net) says("net after the roads", was.roads > frames[0].roads);
    if (now.rack !== was.rack) says("rack after the roads", was.roads > frames[0].roads || now.asked || was.asked);
  }
  return kinds;
}

for (const name of Object.keys(ROUNDS)) {
  for (const still of [false, true]) {
    test(`a round of ${name} is told in its order, ${still ? "without" : "with"} motion`, async (t) => {
      const page = await begins(t, name, { still });
      const kinds = new Set();
      for (;;) {
        const step = page.tape.steps[page.at];
        if (!step) break;
        if (step.ask) await page.click("insurance-prompt [data-act=insure]");
        else for (const kind of inOrder(await watched(page, step))) kinds.add(kind);
      }
      for (const kind of ["points after the flip", "a card lies face down first", "called after the points", "tags after the call", "roads after the tags", "net after the roads"]) {
        assert.ok(kinds.has(kind), `${kind} was looked at`);
      }
      assert.ok(page.text("table-purse .rack b"), String(page.tape.notes.rack));
    });
  }
}

/** How the round ends, whatever was played of it. */
const ends = (page) => ({ ...frame(page), looked: page.has("table-hands .score.won") });
const dealt = (page) => page.tape.steps[page.at];

test("skipped, in a hidden tab or all at once, it is told in the same order and ends the same", async (t) => {
  const ways = {
    watched: async (page) => {
      await comes(page, dealt(page), (ms) => page.pass(ms));
      await page.pass(6000);
    },
    skipped: async (page) => {
      await comes(page, dealt(page), (ms) => page.pass(Math.min(ms, 100)));
      await page.skips();
      assert.ok(page.shows("round-net"));
    },
    hidden: async (page) => {
      page.hides();
      await comes(page, dealt(page), async () => {});
      await page.pass(10);
      assert.ok(page.shows("round-net"), "at once");
      page.hides(false);
    },
    "all at once": async (page) => {
      await comes(page, dealt(page), async () => {});
      await page.pass(12_000);
    },
  };
  const found = {};
  for (const [name, way] of Object.entries(ways)) {
    const page = await begins(t, "tiger");
    await way(page);
    await page.rest();
    found[name] = ends(page);
    const first = ["cards", "points", "settlement", "roads", "racks"].map((field) => page.order.indexOf(field));
    assert.ok(first.every((place) => place >= 0), name);
    assert.deepEqual(first, [...first].sort((a, b) => a - b), `${name}: ${page.order}`);
  }
  for (const [name, end] of Object.entries(found)) assert.deepEqual(end, found.watched, name);
});

test("after a reconnection the table stands as it is, told to the last call, and nothing is played again", async (t) => {
  const page = await begins(t, "tiger");
  const step = dealt(page);
  const at = step.messages.findIndex((one) => one.changed?.cards?.length === 3);
  page.take(step);
  for (const message of step.messages.slice(0, at)) page.line.bring(message);
  await page.pass(60);
  page.line.lose();
  await page.pass(2000);
  assert.match(page.text(".says b"), RESULT);
  assert.ok(page.shows("round-net") && !page.has(".flier"));
});

test("the card that decides is waited for, with what it needs", async (t) => {
  const page = await begins(t, "tiger-buffalo-4");
  const frames = [];
  const passes = async (ms) => {
    for (let passed = 0; passed < ms; passed += FRAME) {
      await page.pass(FRAME);
      frames.push({ due: page.has("table-hands .due"), cards: page.$$("table-hands .card").length });
    }
  };
  const step = dealt(page);
  await comes(page, step, async (ms) => passes(ms / 10)); // quicker than anybody can look
  await passes(8000);
  const due = frames.findIndex((one) => one.due);
  const comesAt = frames.findIndex((one, n) => n > due && one.cards > frames[due].cards);
  const { ms } = await page.module("motion.js");
  assert.ok(due >= 0 && comesAt - due >= ms(1100) / FRAME - 1, `${due} to ${comesAt}`);
});

test("at whatever moment a message comes, it is told in its turn and nothing is asked for anew", async (t) => {
  for (const apart of [40, 150, 330, 480, 640, 800]) {
    const page = await begins(t, "tiger");
    const heard = [];
    const polite = page.$("#polite");
    new page.dom.MutationObserver(() => heard.push(polite.textContent)).observe(polite, { childList: true });
    const step = dealt(page);
    page.take(step);
    for (const message of step.messages) {
      page.line.bring(message);
      await page.pass(apart);
    }
    await page.pass(6000);
    assert.equal(page.lines.length, 1, `${apart} ms apart`);
    assert.ok(heard.some((one) => /Player \d, Banker \d/.test(one)) && RESULT.test(heard.at(-1)), `${apart} ms apart: ${heard.join(" | ")}`);
    assert.match(page.text(".says b"), RESULT);
  }
});
