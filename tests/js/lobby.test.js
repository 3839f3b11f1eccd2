// The lobby: sitting down with one press, filters, one's own seat, and what changes while somebody looks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const LOOK_MS = 3000;
const card = (id) => `.tcard[data-id="${id}"]`;
const sit = (id) => `[data-sit="${id}"]`;
const tell = (id) => `[data-tell="${id}"]`;
const shown = (page) => page.$$(".tcard").filter((one) => !one.hidden).map((one) => one.dataset.id);
const looks = (page) => page.looked.filter((path) => path === "/tables").length;
const paths = (page) => page.asked.map((one) => `${one.method} ${one.path}`);

/** Something happens in the house, and the page has looked since. */
async function sees(page, name) {
  await page.happens(name);
  await page.pass(LOOK_MS);
}

test("nobody sits down with one press: as a guest, in the seat that suits, and the table opens", async (t) => {
  const page = await open(t, "lobby-guest");
  await page.click(sit("tiger-buffalo"));
  assert.deepEqual(paths(page), ["POST /api/guests", "POST /api/tables/tiger-buffalo/sit-down"]);
  assert.equal(page.$("#tables").dataset.who, page.tape.notes.guest);
  assert.deepEqual(page.went, ["/tables/tiger-buffalo"]);
  assert.ok(!page.shows("#wrong"));
});

test("who presses twice asks once", async (t) => {
  const page = await open(t, "lobby-guest");
  page.held = [];
  await page.click(sit("tiger-buffalo"));
  assert.ok(page.$(sit("tiger-buffalo")).disabled);
  const waiting = page.held;
  page.held = null;
  for (const one of waiting) one.go();
  await page.rest();
  assert.deepEqual(page.went, ["/tables/tiger-buffalo"]);
});

test("a seat that was taken just before is refused in words; the next press takes another", async (t) => {
  const page = await open(t, "lobby-taken");
  await page.click(sit("tiger"));
  assert.match(page.text("#wrong"), /box|seat/i);
  assert.ok(page.shows("#wrong"));
  assert.ok(!page.$(sit("tiger")).disabled);
  assert.deepEqual(page.went, []);
  const [{ body: first }] = page.asked;
  await page.pass(LOOK_MS);
  await page.click(sit("tiger"));
  assert.notEqual(page.asked[1].body.box, first.box);
  assert.deepEqual(page.went, ["/tables/tiger"]);
});

test("without a network it is tried four times with one key, then told, and can be pressed again", async (t) => {
  const page = await open(t, "lobby-taken");
  page.offline = true;
  await page.click(sit("tiger"));
  await page.pass(10_000);
  assert.equal(page.asked.length, 4);
  assert.equal(new Set(page.asked.map((one) => one.key)).size, 1);
  const { t: words } = await page.module("words.js");
  assert.equal(page.text("#wrong"), words("lost"));
  assert.ok(!page.$(sit("tiger")).disabled);
});

test("an answer that does not come is told in the page's own words", async (t) => {
  const page = await open(t, "lobby-taken");
  globalThis.fetch = () => Promise.reject(new DOMException("signal timed out", "TimeoutError"));
  await page.click(sit("tiger"));
  await page.pass(10_000);
  const { t: words } = await page.module("words.js");
  assert.equal(page.text("#wrong"), words("lost"));
});

test("a filter leaves the tables of its kind; each says how many it would show, and one that has none stays in its place", async (t) => {
  const page = await open(t, "lobby-guest");
  const kinds = page.$$(".tcard").map((one) => one.dataset.kinds.split(" "));
  for (const pill of page.$$("[data-kind]")) {
    const count = pill.dataset.kind === "all" ? kinds.length : kinds.filter((one) => one.includes(pill.dataset.kind)).length;
    assert.equal(Number(pill.querySelector("small").textContent), count);
    assert.equal(pill.classList.contains("none"), count === 0);
  }
  await page.click("[data-kind=insurance]");
  assert.deepEqual(shown(page), ["tiger-buffalo", "salon"]);
  assert.deepEqual(page.$$("[data-kind][aria-pressed=true]").map((one) => one.dataset.kind), ["insurance"]);
  await page.click("[data-kind=all]");
  assert.equal(shown(page).length, kinds.length);
});

test("one's own table is marked and leads back without asking for a seat", async (t) => {
  const page = await open(t, "lobby-lives");
  assert.deepEqual(page.$$(".tcard.mine").map((one) => one.dataset.id), ["tiger-buffalo"]);
  assert.equal(page.text(sit("tiger-buffalo")), "Return to box 2");
  assert.ok(page.has(`${card("tiger-buffalo")} .seats [data-box="2"].mine`));
  await page.click(sit("tiger-buffalo"));
  assert.deepEqual(page.asked, []);
  assert.deepEqual(page.went, ["/tables/tiger-buffalo"]);
});

test("tables that change are put in their places, the others stay as they are", async (t) => {
  const page = await open(t, "lobby-lives");
  assert.equal(page.text("#count"), "Tables: 3, seated: 1.");
  const [buffalo, tiger] = ["tiger-buffalo", "tiger"].map((id) => page.$(card(id)));
  await sees(page, "somebody sits down");
  assert.ok(page.$(card("tiger-buffalo")) === buffalo);
  assert.ok(page.$(card("tiger")) !== tiger);
  assert.equal(page.text("#count"), "Tables: 3, seated: 2.");
  await sees(page, "a table opens");
  assert.ok(page.has(card("salon-2")));
  await sees(page, "a dealer comes");
  assert.ok(page.has(sit("salon")));
  await sees(page, "a table goes");
  assert.ok(!page.has(card("salon-2")));
  assert.equal(page.text("#count"), "Tables: 3, seated: 2.");
});

test("a filter holds for tables that come", async (t) => {
  const page = await open(t, "lobby-lives");
  await page.click("[data-kind=insurance]");
  assert.deepEqual(shown(page), ["tiger-buffalo", "salon"]);
  await sees(page, "somebody sits down");
  await sees(page, "a table opens");
  assert.deepEqual(shown(page), ["tiger-buffalo", "salon", "salon-2"]);
  assert.equal(page.text("[data-kind=insurance] small"), "3");
});

test("nobody looks while the page is hidden; it looks at once when it is seen again", async (t) => {
  const page = await open(t, "lobby-lives");
  let hidden = true;
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  const before = looks(page);
  await page.pass(4 * LOOK_MS);
  assert.equal(looks(page), before);
  hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  await page.rest();
  assert.equal(looks(page), before + 1);
});

test("a look that fails leaves everything as it is, and the next one does better", async (t) => {
  const page = await open(t, "lobby-lives");
  const before = page.$("#tables").innerHTML;
  page.answers["/tables"] = { status: 503, text: "" };
  await page.pass(LOOK_MS);
  page.offline = true;
  await page.pass(LOOK_MS);
  assert.equal(page.$("#tables").innerHTML.replace(/data-left="\d+">\d+/g, ""), before.replace(/data-left="\d+">\d+/g, ""));
  page.offline = false;
  await sees(page, "somebody sits down");
  assert.equal(page.text("#count"), "Tables: 3, seated: 2.");
});

test("who asks for it is told once that a dealer is there", async (t) => {
  const page = await open(t, "lobby-lives");
  assert.match(page.text(`${card("salon")} .phase`), /no dealer now/);
  await page.click(tell("salon"));
  assert.equal(page.text(tell("salon")), "You will be told");
  assert.ok(page.$(tell("salon")).disabled);
  await sees(page, "somebody sits down");
  await sees(page, "a table opens");
  assert.ok(!page.shows("#told"));
  await sees(page, "a dealer comes");
  assert.match(page.text("#told"), /^A dealer is at .+ now\./);
  assert.equal(page.$("#told a").getAttribute("href"), "/tables/salon");
  page.$("#told").hidden = true;
  await sees(page, "a table goes");
  assert.ok(!page.shows("#told"));
});

test("who waits for a dealer still does after the page was opened anew", async (t) => {
  const page = await open(t, "lobby-lives", { begin: false });
  page.dom.sessionStorage.setItem("tell-me", JSON.stringify(["salon"]));
  await page.start();
  assert.equal(page.text(tell("salon")), "You will be told");
});

test("whoever is on a card keeps the focus there, and is told of a dealer all the same", async (t) => {
  const page = await open(t, "lobby-lives");
  await page.click(tell("salon"));
  const name = page.$(`${card("tiger")} h2 a`);
  name.focus();
  await sees(page, "somebody sits down");
  assert.ok(document.activeElement === name);
  assert.ok(page.has(`${card("tiger")} .seats .taken`), "the rest of the card is as it is now");
  await sees(page, "a table opens");
  const watch = page.$(`${card("salon")} .acts a`);
  watch.focus();
  await sees(page, "a dealer comes");
  assert.ok(document.activeElement === watch);
  assert.ok(page.shows("#told"));
  assert.ok(page.has(sit("salon")) && !page.has(tell("salon")));
});

test("whoever is on a button is on what comes for it", async (t) => {
  const page = await open(t, "lobby-lives");
  const button = page.$(sit("tiger"));
  button.focus();
  const full = { ...page.tape.steps[1].answers["/tables"] };
  page.tape.steps[1].answers["/tables"] = { ...full, text: full.text.replace(/(data-sit="tiger">)[^<]+/, "$1Stand behind") };
  await sees(page, "somebody sits down");
  assert.ok(document.activeElement === button);
  assert.equal(page.text(sit("tiger")), "Stand behind");
  await sees(page, "a table opens");
  page.$(tell("salon")).focus();
  await sees(page, "a dealer comes");
  assert.ok(document.activeElement === page.$(sit("salon")));
});

test("a seat that is kept is given up", async (t) => {
  const page = await open(t, "lobby-lives");
  for (const name of ["somebody sits down", "a table opens", "a dealer comes", "a table goes"]) await page.happens(name);
  await page.click("[data-give-up]");
  assert.deepEqual(paths(page), ["POST /api/tables/tiger-buffalo/leave"]);
  assert.deepEqual(page.went, ["reload"]);
});

test("a seat that cannot be given up now says so, and the button works again", async (t) => {
  const page = await open(t, "lobby-lives");
  page.offline = true;
  await page.click("[data-give-up]");
  await page.pass(10_000);
  assert.ok(page.shows("#wrong"));
  assert.ok(!page.$("[data-give-up]").disabled);
  assert.deepEqual(page.went, []);
});

test("the seconds of a table run down to nothing", async (t) => {
  const page = await open(t, "lobby-lives");
  const place = page.$(`${card("tiger-buffalo")} [data-left]`);
  const before = Number(place.textContent);
  await page.pass(10_000);
  assert.equal(Number(place.textContent), before - 10);
  place.dataset.left = "400";
  await page.pass(1000);
  assert.equal(place.dataset.left, "0");
});

test("one press seats a newcomer at the table to begin at, later where they sat last; a game leaves its tables, filters add up", async (t) => {
  const page = await open(t, "lobby-guest");
  assert.ok(page.shows("#now"));
  const first = page.$("#now").dataset.table;
  assert.equal(page.text("#now b"), page.$(card(first)).dataset.name);
  const games = page.$$("#games .game");
  assert.equal(games.length, new Set(page.$$(".tcard").map((one) => one.dataset.game)).size);
  await page.click(games.at(-1));
  assert.ok(page.$$(".tcard").every((one) => one.hidden === (one.dataset.game !== games.at(-1).dataset.game)));
  await page.click("#games .game[aria-pressed=true]");
  await page.click("[data-kind=insurance]");
  await page.click("[data-kind=free]");
  assert.ok(shown(page).every((id) => ["insurance", "free"].every((kind) => page.$(card(id)).dataset.kinds.includes(kind))));
  const again = await open(t, "lobby-guest", { kept: { "last-table": "tiger-buffalo" } });
  assert.equal(again.$("#now").dataset.table, "tiger-buffalo");
  await again.click("#now button");
  assert.deepEqual(again.went, ["/tables/tiger-buffalo"]);
});
