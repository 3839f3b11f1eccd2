// The school: questions of every kind by keyboard, marking on the screen, replays by the page's clock, sets, an exam.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const KINDS = ["third-card", "result", "pay", "insurance", "limits", "squeeze", "rule", "changed"];

const now = (page) => page.$(".qq.now");
const press = (page, key) => page.key(key, { at: document.activeElement?.matches("input") ? document.activeElement : document.body });

/** By keyboard, part by part as they are asked. */
async function answers(page, given) {
  const left = { ...given };
  while (Object.keys(left).length && page.has(".qq.now") && !page.has("#verdict")) {
    const { part } = now(page).dataset;
    const wanted = left[part];
    assert.ok(part in left, `${part} is asked twice`);
    delete left[part];
    if (now(page).querySelector("form.amount")) {
      const field = now(page).querySelector("input");
      assert.equal(document.activeElement, field);
      field.value = String(wanted / 100);
      press(page, "Enter");
    } else {
      const { parts } = (await currentItem(page)).question;
      const asked = parts.find((one) => one.name === part);
      for (const one of [wanted].flat()) {
        const spot = document.querySelector(`.boxfelt.on [data-bet="${one}"]`);
        const place = spot ?? now(page).querySelectorAll(".op")[asked.choices.findIndex((choice) => choice.key === one)];
        press(page, place.querySelector("kbd").textContent.toLowerCase());
      }
      if (asked.form === "several") press(page, "Enter");
    }
    await page.rest();
  }
}

/** The item that is asked now, as the tape gave it. */
const currentItem = (page) => page.item;

/** Keeps what the page was asked last. */
function follows(page) {
  const look = page.look.bind(page);
  page.look = (path) => {
    const found = look(path);
    if (path.startsWith("/api/school/next/")) found.json().then((told) => Object.assign(page, { item: told.item, cameAt: performance.now() }));
    if (path.startsWith("/api/school/items/")) found.json().then((told) => (page.item = told.items[0]));
    return found;
  };
}

async function drill(t, name, options = {}) {
  const page = await open(t, name, { ...options, begin: false });
  follows(page);
  await page.start();
  return page;
}

for (const kind of KINDS) {
  test(`${kind}: a right answer is said and goes on by Enter, a wrong one is a lesson`, async (t) => {
    const page = await drill(t, `drill-${kind}`);
    const [right, wrong] = page.tape.notes.items;
    await answers(page, right.answers);
    assert.ok(page.has("#verdict.good"));
    assert.equal(document.activeElement, page.$("#verdict"));
    assert.match(page.text("#said"), /Right/);
    press(page, "Enter");
    await page.rest();
    await answers(page, wrong.answers);
    assert.ok(page.has(".wrongv #verdict"));
    const said = kind === "third-card" ? /^Wrong\. (The (Player|Banker) (draws|stands)|A natural: nobody draws), 3\./ : /^Wrong/;
    assert.match(page.text("#said"), said);
    assert.ok(page.has(".why li"));
    assert.notEqual(page.text(".cost p"), "");
    assert.equal(page.$$(".tl li").length, 4);
    if (kind === "third-card") assert.match(page.text(".mix"), /What you may have mixed up/);
    press(page, "Enter");
    await page.rest();
    assert.ok(page.has(".qq.now"));
    press(page, "Escape");
    await page.rest();
    assert.match(page.text(".paused h1"), /Paused/);
  });
}

test("spot: step by step where nothing is to move", async (t) => {
  const page = await drill(t, "drill-spot");
  const [right, wrong] = page.tape.notes.items;
  for (const [given, verdict] of [[right.answers, "#verdict.good"], [wrong.answers, ".wrongv #verdict"]]) {
    press(page, "ArrowRight");
    press(page, " ");
    await page.rest();
    await answers(page, given);
    assert.ok(page.has(verdict));
    press(page, "Enter");
    await page.rest();
  }
});

/** Let time pass until so many milliseconds after the item came, but for those in which it was paused; then Space. */
async function stopsAt(page, ms, paused = 0) {
  await page.pass(ms - (performance.now() - page.cameAt - paused));
  press(page, " ");
  await page.rest();
}

for (const [name, late, good] of [["in-time", 100, true], ["late", 4100, false]]) {
  test(`a replay is marked by the moment at which it is stopped: ${name}`, async (t) => {
    const page = await drill(t, `replay-${name}`, { still: false });
    const { error, end, what } = page.tape.notes;
    await page.pass(200);
    press(page, "Escape"); // while it is paused no time passes
    await page.pass(end);
    press(page, "Escape");
    await stopsAt(page, error + late, end);
    press(page, String(what + 1));
    await page.rest();
    assert.ok(page.has(good ? "#verdict.good" : ".wrongv #verdict"));
    const [{ body }] = page.asked;
    assert.ok(Math.abs(body.answers.step - (error + late)) < 60, `${body.answers.step} is not ${error + late}`);
  });
}

test("a replay that nobody stops says that nothing is wrong", async (t) => {
  const page = await drill(t, "replay-never", { still: false });
  await page.pass(page.tape.notes.end + 1000);
  assert.deepEqual(page.asked[0].body.answers, page.tape.notes.items[0].answers);
  assert.ok(page.has(".wrongv #verdict"));
});

test("one look back at a replay costs a third, and there is one only", async (t) => {
  const page = await drill(t, "replay-looked", { still: false });
  const { error, first, what } = page.tape.notes;
  await stopsAt(page, first + 100);
  assert.match(page.text(".replay"), /One look back costs a third of the points/);
  press(page, "ArrowLeft");
  page.cameAt = performance.now() - first; // it goes on from the four cards
  await stopsAt(page, error + 500);
  assert.match(page.text(".qq.done"), /stopped at/);
  assert.ok(!page.$$("button").some((one) => one.textContent.includes("Again from the four cards")));
  press(page, String(what + 1));
  await page.rest();
  assert.equal(page.asked[0].body.looked_back, true);
  assert.ok(Math.abs(page.asked[0].body.answers.step - (error + 500)) < 60);
  assert.match(page.text("#verdict.good"), /67 points/);
});

test("3.15: a missed cell is shown in its row of the table of play, and R asks the whole row", async (t) => {
  const page = await drill(t, "cell");
  press(page, "s");
  await page.rest();
  assert.equal(page.text("#verdict h1"), "The Banker draws.");
  assert.match(page.button("Open 3.15").getAttribute("href"), /#p-3\.15$/);
  const row = page.$$(".panel").find((one) => one.textContent.includes("The row you need"));
  assert.equal(row.querySelector(".cite").textContent, "3.15");
  const letters = [...row.querySelectorAll("svg text")].map((one) => one.textContent).join("");
  assert.equal(letters.split("SSSSDDDDSS").length, 2);
  press(page, "r");
  await page.rest();
  assert.ok(page.has("#asks"));
  assert.equal(page.looked.filter((path) => path.includes("seed=again-")).length, page.tape.notes.row);
});

test("an answer is handed in once, however often its key is pressed", async (t) => {
  const page = await drill(t, "drill-third-card");
  page.held = [];
  const key = { draw: "d", stand: "s", natural: "n" }[Object.values(page.tape.notes.items[0].answers)[0]];
  press(page, key);
  await page.rest();
  press(page, key);
  press(page, key === "d" ? "s" : "d");
  await page.rest();
  const { held } = page;
  page.held = null;
  held[0].go();
  await page.rest();
  assert.equal(page.asked.length, 1);
  assert.ok(page.has("#verdict"));
});

test("what was missed comes once more before a set ends", async (t) => {
  const page = await drill(t, "set");
  for (const { answers: given } of page.tape.notes.items) {
    assert.ok(!page.has(".ended"));
    await answers(page, given);
    assert.ok(page.has("#verdict"));
    if (page.asked.length < 20) press(page, "Enter");
    await page.rest();
  }
  assert.equal(page.text(".count"), "20 of 20");
  const marks = page.tape.steps.filter((one) => one.reply).map((one) => ({ skill: one.body.item.skill, right: JSON.parse(one.reply.text).mark.right }));
  const missed = [...new Map(marks.map((one) => [one.skill, one])).values()].filter((one) => !one.right);
  press(page, "Enter");
  await page.rest();
  assert.equal(page.text(".count"), `21 of ${20 + missed.length}`);
  assert.deepEqual(
    page.looked.filter((path) => path.includes("seed=again-")).map((path) => new URLSearchParams(path.split("?")[1]).get("skill")),
    missed.map((one) => one.skill),
  );
  for (const { answers: given } of page.tape.notes.again) {
    await answers(page, given);
    press(page, "Enter");
    await page.rest();
  }
  assert.ok(page.has(".ended"), "what is missed again is left for another day");
});

test("an item that is thought to be wrong is disputed from the result", async (t) => {
  const page = await drill(t, "disputed");
  await answers(page, page.tape.notes.items[0].answers);
  press(page, "w");
  await page.rest();
  await page.fill(".dispute textarea", "Enter and R are letters here");
  page.key("r", { at: page.$(".dispute textarea") });
  page.$(".dispute textarea").value = "Enter and R are letters here";
  await page.submit(".dispute form");
  assert.equal(document.activeElement, page.$("#dispute-title"));
  assert.ok(page.has(".dispute .why li"));
  page.$(".dispute").close();
  await page.rest();
  assert.ok(!page.has(".dispute"));
});

for (const [name, said] of [["taken-first", "In order"], ["paid-first", "Out of order"]]) {
  test(`1.1.7: a box is settled line by line, and the order is marked: ${name}`, async (t) => {
    const page = await drill(t, `box-${name}`);
    const { nets, order, items } = page.tape.notes;
    const part = () => now(page).dataset.part;
    const settles = async (line) => {
      for (let moved = 0; part() !== line; moved++) {
        assert.ok(moved < order.length, `${line} cannot be chosen`);
        press(page, "ArrowDown");
        await page.rest();
      }
      if (nets[line] < 0) press(page, "t");
      else {
        now(page).querySelector("input").value = String(nets[line] / 100);
        press(page, "Enter");
      }
      await page.rest();
    };
    await settles(order[1]);
    press(page, "Backspace"); // it is taken back, and has no place in the order any more
    await page.rest();
    assert.equal(part(), order[1]);
    for (const line of order) await settles(line);
    const rest = Object.fromEntries(Object.entries(items[0].answers).filter(([one]) => !(one in nets)));
    await answers(page, rest);
    assert.deepEqual(page.asked[0].body.order, order);
    assert.match(page.text("#verdict.good .inorder"), new RegExp(said));
    assert.equal(page.text("#verdict.good .cite"), "1.1.7");
  });
}

test("a payout is built of chips by keys", async (t) => {
  const page = await drill(t, "drill-pay");
  for (const key of ["c", "5", "1", "1", "Backspace"]) {
    press(page, key);
    await page.rest();
  }
  const { chips } = page.item.question.facts;
  assert.equal(now(page).querySelector("input").value, String((chips[4] + chips[0]) / 100));
});

test("what is no amount is refused in words until it is one", async (t) => {
  const page = await drill(t, "drill-pay");
  const field = () => now(page).querySelector("input");
  for (const typed of ["ten", "1.234", ""]) {
    field().value = typed;
    press(page, "Enter");
    await page.rest();
    assert.match(field().validationMessage, /^Type an amount/, typed);
  }
  assert.deepEqual(page.asked, []);
  field().dispatchEvent(new Event("input"));
  await answers(page, page.tape.notes.items[0].answers);
  assert.ok(page.has("#verdict.good"));
});

test("an exam: one sitting by the server's clock, handed in twice to be sure, then its result", async (t) => {
  const page = await drill(t, "exam");
  assert.match(page.text(".seal code"), /^[0-9a-f]{64}$/);
  await page.click("#next");
  assert.match(page.text("#left"), /^(09:5\d|10:00)$/);
  await page.pass(60_000);
  assert.match(page.text("#left"), /^08:5\d|09:00$/);
  for (const item of [1, 2]) {
    assert.equal(page.text("#count"), `${item} of 3`);
    while (page.text("#count") === `${item} of 3`) {
      press(page, now(page).querySelector(".op kbd").textContent.toLowerCase());
      await page.rest();
    }
  }
  await page.click(page.button("Hand in"));
  assert.match(page.text("#wrong"), /1/, "one is not answered");
  assert.ok(!page.has("#verdict"));
  await page.click(page.button("Hand in"));
  assert.equal(document.activeElement, page.$("#verdict"));
  const { right, items } = page.tape.notes;
  assert.match(page.text("#exam"), new RegExp(`${right} of ${items}`));
});
