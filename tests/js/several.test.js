// Several tables side by side: how many are shown, which one has the keys, and what the others say in their tabs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const [ONE, TWO, FOUR] = [[1366, 768], [1600, 900], [1920, 1080]].map(([width, height]) => ({ width, height }));
const TABLE = `<div id="table" data-who=""></div><div id="account"></div><insurance-prompt hidden></insurance-prompt>
  <table-middle></table-middle><table-tray></table-tray><button class="pocket"></button>
  <a id="rules" href="/rules">Rules</a><a id="shoe" href="/shoe" target="_blank">Shoe</a>`;

const frames = (page) => page.$$("#several iframe");
const shown = (page) => frames(page).filter((one) => !one.hidden).map((one) => one.dataset.src.replace("/tables/", ""));
const attended = (page) => frames(page).findIndex((one) => one.classList.contains("attended"));
const pressed = (page) => page.$$(".tab [aria-pressed=true]").map((one) => Number(one.dataset.at));
const root = (page, at) => frames(page)[at].contentDocument.documentElement;
const sign = (page, at) => page.$$(".asks")[at];

/** The page, whose frames have windows that note what is done with them. */
async function opens(t, screen = ONE, name = "several") {
  const page = await open(t, name, { screen, begin: false });
  page.done = [];
  frames(page).forEach((frame, at) => {
    const inside = new page.dom.EventTarget();
    inside.focus = () => page.done.push(`focus ${at}`);
    inside.location = { reload: () => page.done.push(`reload ${at}`) };
    Object.defineProperty(frame, "contentWindow", { value: inside, configurable: true });
  });
  await page.start();
  return page;
}

/** The table's page has come into a frame. */
async function comes(page, ...places) {
  for (const at of places) {
    const content = document.implementation.createHTMLDocument("");
    content.body.innerHTML = TABLE;
    Object.defineProperty(frames(page)[at], "contentDocument", { value: content, configurable: true });
    frames(page)[at].dispatchEvent(new Event("load"));
  }
  await page.rest();
}

test("as many tables as the screen takes, and no page is fetched before it is shown", async (t) => {
  for (const [screen, wanted] of [[ONE, ["tiger-buffalo"]], [TWO, ["tiger-buffalo", "tiger"]], [FOUR, ["tiger-buffalo", "tiger", "squeeze-salon", "salon"]]]) {
    const page = await opens(t, screen);
    assert.deepEqual(shown(page), wanted);
    assert.equal(page.$("#several").dataset.shown, String(wanted.length));
    assert.deepEqual(frames(page).map((one) => one.hasAttribute("src")), frames(page).map((one) => !one.hidden));
  }
});

test("a screen that becomes smaller keeps the table that has the keys", async (t) => {
  const page = await opens(t, FOUR);
  await page.click("[data-at='3']");
  page.dom.happyDOM.setViewport(TWO);
  await page.rest();
  assert.deepEqual(shown(page), ["tiger-buffalo", "salon"]);
  page.dom.happyDOM.setViewport(ONE);
  await page.rest();
  assert.deepEqual(shown(page), ["salon"]);
  page.dom.happyDOM.setViewport(FOUR);
  await page.rest();
  assert.equal(shown(page).length, 4);
});

test("on a small screen a tab shows its table in place of the other", async (t) => {
  const page = await opens(t);
  await page.click("[data-at='2']");
  assert.deepEqual(shown(page), ["squeeze-salon"]);
  assert.equal(attended(page), 2);
  assert.deepEqual(pressed(page), [2]);
  assert.ok(page.done.includes("focus 2"));
});

test("two keys go from table to table and round again; only one has the keys and the sounds", async (t) => {
  const page = await opens(t, FOUR);
  await comes(page, 0, 1, 2, 3);
  const aside = () => [0, 1, 2, 3].filter((at) => root(page, at).classList.contains("aside"));
  assert.deepEqual(aside(), [1, 2, 3]);
  for (const [key, at] of [["]", 1], ["]", 2], ["[", 1], ["[", 0], ["[", 3], ["]", 0]]) {
    await page.press(key);
    assert.equal(attended(page), at);
    assert.deepEqual(pressed(page), [at]);
    assert.equal(aside().length, 3);
    assert.ok(!aside().includes(at));
    assert.equal(page.done.at(-1), `focus ${at}`);
  }
});

test("the keys work from within a table too, but not where somebody types or means something else", async (t) => {
  const page = await opens(t, FOUR);
  await comes(page, 0, 1);
  const inside = frames(page)[0].contentWindow;
  const key = (more = {}) => Object.assign(new KeyboardEvent("keydown", { key: "]", cancelable: true }), more);
  inside.dispatchEvent(key());
  assert.equal(attended(page), 1);
  for (const held of ["ctrlKey", "altKey", "metaKey"]) document.dispatchEvent(new KeyboardEvent("keydown", { key: "]", [held]: true }));
  const field = document.body.appendChild(document.createElement("input"));
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "]", bubbles: true }));
  assert.equal(attended(page), 1);
});

test("whoever touches a table or comes to it has the keys there", async (t) => {
  const page = await opens(t, TWO);
  await comes(page, 0, 1);
  frames(page)[1].contentWindow.dispatchEvent(new Event("pointerdown"));
  assert.equal(attended(page), 1);
  frames(page)[0].contentWindow.dispatchEvent(new Event("focus"));
  assert.equal(attended(page), 0);
});

test("a table that comes late knows whether it has the keys", async (t) => {
  const page = await opens(t, TWO);
  await page.press("]");
  await comes(page, 0, 1);
  assert.ok(root(page, 0).classList.contains("aside"));
  assert.ok(!root(page, 1).classList.contains("aside"));
  for (const at of [0, 1]) assert.ok(root(page, at).classList.contains("framed"));
});

test("a tab says what its table waits for, until it has it", async (t) => {
  const page = await opens(t, TWO);
  await comes(page, 0, 1);
  assert.ok(sign(page, 1).hidden);
  const prompt = root(page, 1).querySelector("insurance-prompt");
  prompt.hidden = false;
  await page.rest();
  assert.ok(!sign(page, 1).hidden && sign(page, 0).hidden);
  assert.equal(sign(page, 1).textContent, "Insurance?");
  prompt.hidden = true;
  await page.rest();
  assert.ok(sign(page, 1).hidden);
  root(page, 1).classList.add("squeezing");
  await page.rest();
  assert.equal(sign(page, 1).textContent, "Your squeeze");
  root(page, 1).classList.remove("squeezing");
  await page.rest();
  assert.ok(sign(page, 1).hidden);
});

test("a link of a table leads the whole window there, unless it opens another", async (t) => {
  const page = await opens(t);
  await comes(page, 0);
  for (const [id, target] of [["rules", "_top"], ["shoe", "_blank"]]) {
    const link = root(page, 0).querySelector(`#${id}`);
    link.addEventListener("click", (event) => event.preventDefault());
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    assert.equal(link.target, target);
  }
});

test("who sits down as a guest at one table is the same at all the others", async (t) => {
  const page = await opens(t, FOUR);
  await comes(page, 0, 1, 2);
  root(page, 2).querySelector("#table").dataset.who = "guest-7";
  root(page, 0).querySelector("#account").dispatchEvent(new CustomEvent("person", { detail: "guest-7" }));
  assert.deepEqual(page.done, ["reload 1"], "not the one where it was, nor one that knows already, nor one that has not come");
});

test("without a table the keys do nothing", async (t) => {
  const page = await opens(t, ONE, "several-none");
  const wrong = [];
  page.dom.addEventListener("error", (event) => wrong.push(event));
  await page.press("]", "[");
  assert.deepEqual(wrong, []);
  assert.ok(page.$("details.add").open);
});

test("bets that are about to close are told at a table that one does not look at, where one could bet", async (t) => {
  const page = await opens(t, TWO);
  await comes(page, 0, 1);
  const other = root(page, 1);
  other.querySelector("table-middle").classList.add("urgent");
  await page.rest();
  assert.ok(!sign(page, 1).hidden && sign(page, 1).textContent === sign(page, 1).dataset.closing);
  root(page, 0).querySelector("table-middle").classList.add("urgent");
  await page.rest();
  assert.ok(sign(page, 0).hidden, "not at the one that has the keys");
  other.querySelector("table-tray").classList.add("closed");
  other.querySelector("table-middle").classList.remove("urgent");
  await page.rest();
  assert.ok(sign(page, 1).hidden);
});
