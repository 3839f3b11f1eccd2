// What somebody has of their own: limits, wallet, name; and the doors by which they come in.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const HAN = /[\u4e00-\u9fff]/;
const limit = (name) => `#limits [name=${name}]`;
const more = (name, part) => `#${name}-more ${part}`;
const paths = (page) => page.asked.map((one) => `${one.method} ${one.path}`);

async function fills(page, form, values) {
  for (const [name, value] of Object.entries(values)) await page.fill(`${form} [name=${name}]`, value);
}

// Limits ------------------------------------------------------------------------------------------------------

const BOUNDS = { loss_day: "500", minutes_day: "120", check_minutes: "60" };

test("nothing can be changed before it is known what holds", async (t) => {
  const page = await open(t, "limits", { begin: false });
  page.held = [];
  await page.start();
  const controls = () => page.$$("#limits input, #limits button").map((one) => one.disabled);
  assert.ok(controls().every(Boolean));
  for (const one of page.held) one.go();
  page.held = null;
  await page.rest();
  assert.ok(!controls().some(Boolean));
  assert.equal(page.$(limit("loss_day")).value, "");
  assert.equal(page.text(more("loss_day", ".used")), "100 so far");
  assert.ok(page.$(more("loss_day", ".track")).hidden);
});

test("what holds cannot be read: it is told, and nothing can be changed", async (t) => {
  const page = await open(t, "limits", { begin: false });
  page.offline = true;
  await page.start();
  await page.pass(10_000);
  const { t: words } = await page.module("words.js");
  assert.equal(page.text("#wrong"), words("lost"));
  assert.ok(page.$$("#limits input, #limits button").every((one) => one.disabled));
});

test("a tighter limit holds at once, a looser one from when it says; what is refused stays as typed", async (t) => {
  const page = await open(t, "limits");
  await fills(page, "#limits", { ...BOUNDS, check_minutes: "0" });
  await page.submit("#limits");
  assert.ok(page.shows("#wrong"));
  assert.equal(page.text("#saved"), "");
  assert.equal(page.$(limit("loss_day")).value, "500");
  assert.equal(page.text(more("loss_day", ".used")), "100 so far", "nothing holds yet");

  await page.fill(limit("check_minutes"), "60");
  await page.submit("#limits");
  assert.ok(!page.shows("#wrong"));
  assert.equal(page.text("#saved"), "Your limits are saved.");
  assert.equal(page.text(more("loss_day", ".used")), "100 of 500");
  assert.equal(page.$(more("loss_day", ".fill")).style.width, "20%");
  assert.ok(!page.$(more("loss_day", ".track")).hidden);
  assert.equal(page.text(more("loss_week", ".used")), "100 so far");
  assert.ok(!page.shows(".coming"));

  await fills(page, "#limits", { loss_day: "800", minutes_day: "" });
  await page.submit("#limits");
  assert.equal(page.text(more("loss_day", ".used")), "100 of 500", "until then");
  assert.equal(page.$(limit("loss_day")).value, "800");
  assert.match(page.text(more("loss_day", ".coming")), /^From .*\d.* on: 800$/);
  assert.match(page.text(more("minutes_day", ".coming")), /on: no limit$/);
  assert.ok(page.$(more("check_minutes", ".coming")).hidden);
});

test("a refusal is told in the language of the page", async (t) => {
  const page = await open(t, "limits-zh");
  await fills(page, "#limits", { ...BOUNDS, check_minutes: "0" });
  await page.submit("#limits");
  assert.match(page.text("#wrong"), HAN);
});

/** Both steps of the tape before a time out. */
async function limited(page) {
  for (const change of [{ ...BOUNDS, check_minutes: "0" }, BOUNDS, { loss_day: "800", minutes_day: "" }]) {
    await fills(page, "#limits", change);
    await page.submit("#limits");
  }
}

test("a break and the end take two presses each; whoever looks away has not pressed", async (t) => {
  const page = await open(t, "limits");
  await limited(page);
  const had = page.asked.length;
  const label = page.text("#break button");
  await page.fill("#break [name=hours]", "168");
  await page.submit("#break");
  assert.equal(page.text("#break button"), "Sure? Nobody can end it early");
  page.$("#break button").dispatchEvent(new Event("blur"));
  assert.equal(page.text("#break button"), label);
  await page.submit("#break");
  assert.equal(page.asked.length, had, "one press asks nothing");
  await page.submit("#break");
  assert.deepEqual(page.asked.at(-1).body, { hours: 168 });
  assert.match(page.text("#away"), /^You are taking a break until .*\d/);
  assert.ok(!page.$("#break button").disabled, "it may be longer yet");
  assert.equal(page.text("#break button"), label);

  await page.submit("#exclude");
  assert.match(page.text("#exclude button"), /Nobody can undo it/);
  assert.equal(page.asked.length, had + 1);
  await page.submit("#exclude");
  assert.deepEqual(page.asked.at(-1).body, { for_good: true });
  assert.match(page.text("#away"), /stopped for good/);
  assert.ok(page.$$("#exclude button, #break button, #break select").every((one) => one.disabled));
});

test("who has stopped for good reads so, and has nothing left to press for it", async (t) => {
  const page = await open(t, "limits-excluded");
  assert.match(page.text("#away"), /stopped for good/);
  assert.ok(page.$$("#exclude button, #break button, #break select").every((one) => one.disabled));
});

// The wallet --------------------------------------------------------------------------------------------------

const wallet = (page) => JSON.parse(page.answers["/api/me/wallet"].text);
const shown = (cents) => (cents / 100).toLocaleString("en");

test("the wallet says what there is in all and where; today's money comes with one press", async (t) => {
  const page = await open(t, "wallet-daily");
  const before = wallet(page);
  assert.equal(page.text("player-purse summary b"), shown(before.total));
  const held = page.text(".wallet-menu p");
  assert.ok(held.includes(shown(before.cents)) && held.includes(shown(before.total - before.cents)), held);
  assert.deepEqual(page.$$(".wallet-menu a").map((one) => one.getAttribute("href")), ["/account", "/account#played-title", "/limits", "/sign-in"]);
  assert.equal(page.text("player-purse .daily"), `Daily ${shown(before.refill)}`);
  await page.click("player-purse .daily");
  assert.deepEqual(paths(page), ["POST /api/me/wallet/daily"]);
  assert.equal(page.text("player-purse summary b"), shown(before.total + before.refill));
  assert.ok(!page.has("player-purse .daily"), "once a day");
  assert.deepEqual(page.went, ["reload"], "one's own page shows it everywhere");
});

test("today's money that was taken elsewhere is not offered any more", async (t) => {
  const page = await open(t, "wallet-taken");
  assert.ok(page.has("player-purse .daily"));
  await page.click("player-purse .daily");
  assert.equal(page.text("player-purse summary b"), shown(wallet(page).total));
  assert.ok(!page.has("player-purse .daily"));
  assert.deepEqual(page.went, []);
});

test("one's own page says that it was taken", async (t) => {
  const page = await open(t, "wallet-taken");
  await page.click("#daily");
  assert.ok(page.shows("#wrong") && page.text("#wrong"));
  assert.deepEqual(page.went, []);
});

test("without its figures the way to one's own page stays", async (t) => {
  const page = await open(t, "wallet-daily", { begin: false });
  page.offline = true;
  await page.start();
  await page.pass(10_000);
  assert.equal(page.$("player-purse a").getAttribute("href"), "/account");
});

test("an open wallet goes when something else is meant", async (t) => {
  const page = await open(t, "wallet-daily");
  const menu = page.$("player-purse details");
  menu.open = true;
  await page.click(".wallet-menu p");
  assert.ok(menu.open, "that was meant for it");
  await page.press("a");
  assert.ok(menu.open);
  await page.press("Escape");
  assert.ok(!menu.open);
  assert.ok(document.activeElement === page.$("player-purse summary"));
  menu.open = true;
  await page.click("#me");
  assert.ok(!menu.open);
});

test("whoever moves money has the wallet shown anew", async (t) => {
  const page = await open(t, "wallet-daily");
  const { refreshPurse } = await page.module("purse.js");
  page.answers["/api/me/wallet"] = { status: 200, text: JSON.stringify({ ...wallet(page), total: 123_450 }) };
  refreshPurse();
  await page.rest();
  assert.equal(page.text("player-purse summary b"), "1,234.50");
});

test("another name: refused in words, then the page is made anew", async (t) => {
  const page = await open(t, "wallet-name");
  assert.ok(!page.shows("#nickname"));
  await page.click("#rename");
  assert.ok(page.shows("#nickname"));
  assert.equal(page.$("#rename").getAttribute("aria-expanded"), "true");
  assert.ok(document.activeElement === page.$("#nickname input"));
  await page.fill("#nickname input", "a b");
  await page.submit("#nickname");
  assert.match(page.text("#wrong"), /characters/);
  assert.deepEqual(page.went, []);
  await page.fill("#nickname input", "Tiger");
  await page.submit("#nickname");
  assert.ok(!page.shows("#wrong"));
  assert.deepEqual(page.went, ["reload"]);
  await page.click("#rename");
  assert.ok(!page.shows("#nickname"));
  assert.equal(page.$("#rename").getAttribute("aria-expanded"), "false");
});

test("a guest makes it an account, or not now", async (t) => {
  const page = await open(t, "wallet-keep");
  await page.click("#keep-open");
  await fills(page, "#keep-form", { name: "Stays", password: "short" });
  await page.submit("#keep-form");
  assert.match(page.text("#wrong"), /password/i);
  await page.fill("#keep-form [name=password]", "four unusual words of baccarat");
  await page.submit("#keep-form");
  assert.deepEqual(page.went, ["reload"]);
  await page.click("#keep-later");
  assert.ok(!page.has("#keep"));
});

test("a reality check that is due is acknowledged on one's own page too", async (t) => {
  const page = await open(t, "wallet-check");
  await page.click("#go-on");
  assert.deepEqual(paths(page), ["POST /api/me/reality-check"]);
  assert.deepEqual(page.went, ["reload"]);
});

// Doors -------------------------------------------------------------------------------------------------------

const WORDS = "four unusual words of baccarat";
const PASSWORD = "correct horse battery";

test("a wrong password is told; the right one leads to where somebody was going", async (t) => {
  const page = await open(t, "door-known");
  await fills(page, "#sign-in", { name: "Dora", password: "something else" });
  await page.submit("#sign-in");
  assert.ok(page.shows("#wrong") && page.text("#wrong"));
  assert.deepEqual(page.went, []);
  await page.fill("#sign-in [name=password]", PASSWORD);
  await page.submit("#sign-in");
  assert.ok(!page.shows("#wrong"));
  assert.deepEqual(page.went, ["/limits"]);
});

test("a new account is made and signed in by", async (t) => {
  const page = await open(t, "door-new");
  await fills(page, "#register", { name: "Dora", password: WORDS });
  await page.submit("#register");
  assert.match(page.text("#wrong"), /name/i);
  assert.equal(page.asked.length, 1, "nobody is signed in by a name that was refused");
  await page.fill("#register [name=name]", "Nora");
  await page.submit("#register");
  assert.deepEqual(paths(page).slice(1), ["POST /api/accounts", "POST /api/sessions"]);
  assert.deepEqual(page.went, ["/limits"]);
});

test("a guest comes in with one press", async (t) => {
  const page = await open(t, "door-guest");
  await page.click("#guest");
  assert.deepEqual(page.went, ["/limits"]);
});

test("who has one-time codes is asked for one after the password", async (t) => {
  const page = await open(t, "door-code");
  assert.ok(!page.shows("#second"));
  await fills(page, "#sign-in", { name: "Cora", password: PASSWORD });
  await page.submit("#sign-in");
  assert.ok(page.shows("#second") && !page.shows("#wrong"));
  assert.ok(page.$("#second input").required);
  assert.ok(document.activeElement === page.$("#second input"));
  assert.deepEqual(page.went, []);
  await page.fill("#second input", page.tape.notes.code);
  await page.submit("#sign-in");
  assert.deepEqual(page.went, ["/limits"]);
});

test("who has to have codes sets them up first, and reads the recovery codes before going on", async (t) => {
  const page = await open(t, "door-codes-first");
  const { secret, code, recovery } = page.tape.notes;
  await fills(page, "#sign-in", { name: "Cora", password: PASSWORD });
  await page.submit("#sign-in");
  assert.ok(page.shows("#enrol") && page.shows("#enrol-first") && !page.shows("#sign-in"));
  assert.ok(page.has("#enrol .qr svg"));
  assert.equal(page.text("#enrol code").replaceAll(" ", ""), secret);
  await page.fill("#codes-confirm [name=code]", "not a code");
  await page.submit("#codes-confirm");
  assert.ok(page.shows("#wrong") && page.shows("#enrol"));
  await page.fill("#codes-confirm [name=code]", code);
  await page.submit("#codes-confirm");
  assert.ok(page.shows("#recovery") && !page.shows("#enrol") && !page.shows("#wrong"));
  assert.deepEqual(page.texts("#recovery li"), recovery);
  assert.ok(!page.has("#enrol .qr svg") && !page.text("#enrol code"), "the secret is shown once");
  assert.deepEqual(page.went, []);
  await page.click("#codes-done");
  assert.deepEqual(page.went, ["/limits"]);
});

test("a PIN is typed twice, and what was done is not said any more once something is wrong", async (t) => {
  const page = await open(t, "door-within");
  await fills(page, "#pin-set", { password: PASSWORD, pin: "271828", again: "271829" });
  await page.submit("#pin-set");
  assert.match(page.text("#wrong"), /not the same/);
  assert.deepEqual(page.asked, []);
  await page.fill("#pin-set [name=again]", "271828");
  await page.submit("#pin-set");
  assert.deepEqual(Object.keys(page.asked[0].body).sort(), ["password", "pin"]);
  assert.ok(page.shows("#pin-done") && !page.shows("#wrong"));
  assert.equal(page.$("#pin-set [name=pin]").value, "");
  assert.deepEqual(page.went, []);
  await fills(page, "#pin-set", { password: "something else", pin: "271828", again: "271828" });
  await page.submit("#pin-set");
  assert.ok(page.shows("#wrong") && !page.shows("#pin-done"));
  await page.click("#sign-out");
  assert.deepEqual(paths(page).at(-1), "DELETE /api/sessions/current");
  assert.deepEqual(page.went, ["/limits"]);
});

test("a door that cannot be reached says so", async (t) => {
  const page = await open(t, "door-guest");
  page.offline = true;
  await page.click("#guest");
  await page.pass(10_000);
  const { t: words } = await page.module("words.js");
  assert.equal(page.text("#wrong"), words("lost"));
  assert.deepEqual(page.went, []);
});
