// The office: accounts are changed on purpose, a new table is checked as it is typed, one that runs changes and closes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const WORDS = "four unusual words of baccarat";

/** As if this had been asked so many times already. */
function skips(page, steps) {
  for (let time = 0; time < steps; time++) page.take(page.tape.steps[page.at]);
}

// Accounts ----------------------------------------------------------------------------------------------------

const row = (name) => `#accounts tr[data-name="${name}"]`;
const dialog = "#change";
const confirm = `${dialog} [type=submit]`;
const acts = (page, name) => page.texts(`${row(name)} button`);
const states = (page, name) => page.texts(`${row(name)} td .tag`);

async function starts(page, name, act) {
  await page.click(page.button(act, row(name)));
  assert.ok(page.$(dialog).open);
}

const does = (page) => page.submit(`${dialog} form`);

test("every account says what is so of it, and offers what can be done: nothing that would lock oneself out", async (t) => {
  const page = await open(t, "accounts");
  const own = page.$("#staff").dataset.who;
  const names = page.texts("#accounts th").map((one) => one.replace(/ you$/, ""));
  assert.equal(names.at(-1), "Gone", "who is disabled stands below the others");
  assert.deepEqual(names.slice(0, -1), names.slice(0, -1).toSorted((a, b) => a.localeCompare(b)));
  assert.deepEqual(acts(page, "Gone"), []);
  assert.ok(page.$(row("Gone")).classList.contains("off"));
  assert.deepEqual(states(page, "Gone"), ["disabled"]);
  assert.deepEqual(acts(page, own), ["Password…"]);
  assert.deepEqual(acts(page, "Dee"), ["Role…", "Password…", "Disable"]);
  assert.deepEqual(states(page, "Dee"), ["active", "deals at salon"]);
  assert.ok(acts(page, "Lock").includes("Unlock") && !acts(page, "Dee").includes("Unlock"));
  assert.ok(acts(page, "Pins").includes("Reset PIN") && states(page, "Pins").includes("PIN"));
  assert.ok(acts(page, "Kode").includes("Reset codes") && states(page, "Kode").includes("one-time codes"));
});

test("a role changes by a deliberate act; who deals just now is named first", async (t) => {
  const page = await open(t, "accounts");
  await starts(page, "Dee", "Role…");
  assert.ok(page.$(confirm).disabled, "nothing is chosen");
  assert.ok(!page.texts(`${dialog} option`).includes("Dealer"), "which it is already");
  await page.fill(`${dialog} select`, "pit-supervisor");
  assert.match(page.text(dialog), /Dealer → Pit Supervisor/);
  assert.match(page.text(`${dialog} .note`), /confirm corrections/);
  await page.fill(`${dialog} select`, "");
  assert.ok(page.$(confirm).disabled);
  assert.match(page.text(dialog), /Dealer → …/);
  await page.fill(`${dialog} select`, "pit-supervisor");
  assert.deepEqual(page.asked, []);
  await does(page);
  assert.match(page.text(`${dialog} .wrong`), /salon/);
  assert.ok(page.$(dialog).open);
  assert.equal(page.text(confirm), "Do it even so");
  assert.equal(page.text(`${row("Dee")} .role`), "Dealer");
  await does(page);
  assert.ok(!page.$(dialog).open);
  assert.equal(page.text(`${row("Dee")} .role`), "Pit Supervisor");
  assert.equal(page.text("#answer"), "Done");
});

test("whoever leaves it as it is has asked nothing, and the next dialog begins anew", async (t) => {
  const page = await open(t, "accounts");
  await starts(page, "Dee", "Role…");
  await page.fill(`${dialog} select`, "auditor");
  await page.click(page.button("Leave it as it is", dialog));
  assert.ok(!page.$(dialog).open);
  await starts(page, "Dee", "Password…");
  assert.match(page.text(`${dialog} h2`), /Dee/);
  assert.ok(!page.has(`${dialog} select`));
  assert.ok(page.$(confirm).disabled);
  assert.deepEqual(page.asked, []);
});

test("unlocked, a PIN and codes taken off, another password, disabled: each is shown then", async (t) => {
  const page = await open(t, "accounts");
  skips(page, 2);
  await starts(page, "Lock", "Unlock");
  await does(page);
  assert.deepEqual(states(page, "Lock"), ["active"]);
  await starts(page, "Pins", "Reset PIN");
  await does(page);
  assert.equal(page.asked.at(-1).body, undefined);
  assert.deepEqual(states(page, "Pins"), ["active"]);
  await starts(page, "Kode", "Reset codes");
  assert.match(page.text(`${dialog} .note`), /Kode/);
  await does(page);
  assert.ok(!acts(page, "Kode").includes("Reset codes"));
  await starts(page, "Kode", "Password…");
  await page.fill(`${dialog} input`, "short");
  await does(page);
  assert.match(page.text(`${dialog} .wrong`), /characters/);
  assert.equal(page.text(confirm), "Set the password", "only who deals is asked about again");
  await page.fill(`${dialog} input`, WORDS);
  await does(page);
  assert.ok(!page.$(dialog).open);
  await starts(page, "Lock", "Disable");
  await does(page);
  assert.deepEqual(states(page, "Lock"), ["disabled"]);
  assert.deepEqual(acts(page, "Lock"), []);
});

test("a new account: what is refused stays as it was typed, what is taken is listed", async (t) => {
  const page = await open(t, "accounts");
  skips(page, 8);
  assert.equal(page.$("#add [name=role]").value, "dealer");
  await page.fill("#add [name=name]", "Dee");
  await page.fill("#add [name=password]", WORDS);
  await page.submit("#add form");
  assert.ok(page.$("#answer").classList.contains("wrong"));
  assert.equal(page.$("#add [name=name]").value, "Dee");
  await page.fill("#add [name=name]", "Ines");
  await page.submit("#add form");
  assert.equal(page.$("#add [name=name]").value, "");
  assert.equal(page.text(`${row("Ines")} .role`), "Dealer");
});

test("without a network a dialog says so, stays, and can be confirmed again", async (t) => {
  const page = await open(t, "accounts");
  skips(page, 2);
  await starts(page, "Lock", "Unlock");
  page.offline = true;
  await does(page);
  assert.ok(page.$(confirm).disabled, "it is being asked");
  await page.pass(10_000);
  assert.ok(page.shows(`${dialog} .wrong`) && page.$(dialog).open);
  page.offline = false;
  await does(page);
  assert.ok(!page.$(dialog).open);
});

test("accounts that cannot be read are told of", async (t) => {
  const page = await open(t, "accounts", { begin: false });
  page.offline = true;
  await page.start();
  await page.pass(10_000);
  assert.ok(page.shows("#answer") && page.$("#answer").classList.contains("wrong"));
});

// A new table -------------------------------------------------------------------------------------------------

const field = (name) => `[name="${name}"]`;
const go = "#go [type=submit]";
const faults = (page) => page.texts("#checked .fault span");
const invalid = (page) => page.$$("[aria-invalid]").map((one) => one.name);
const checks = (page) => page.asked.filter((one) => one.path === "/api/tables/check");

test("a table is checked as it is typed, what is wrong is pointed at and mended, and it opens when nothing is", async (t) => {
  const page = await open(t, "new-table");
  assert.deepEqual(faults(page), ["Give the table a title."]);
  assert.ok(page.$(go).disabled);
  assert.deepEqual(invalid(page), [], "what is still empty is not wrong");

  await page.fill(field("title"), "Salon");
  assert.equal(page.$(field("id")).value, "salon");
  assert.match(faults(page).join(), /there is a table salon already/i);
  assert.deepEqual(invalid(page), ["id"]);
  await page.click(page.button("Use salon-2", "#checked"));
  assert.deepEqual(faults(page), []);
  assert.equal(page.text(go), "Open Salon");
  assert.ok(!page.$(go).disabled);
  assert.equal(page.text("#placard h2"), "Salon");
  assert.ok(page.has("#felt svg .spot, #felt svg [data-bet]"), "the felt is drawn");

  await page.fill(field("max/tie"), "3");
  assert.match(faults(page).join(), /Tie/);
  assert.deepEqual(invalid(page), ["max/tie"]);
  assert.ok(page.$(go).disabled);
  await page.click(page.button("Use 500", "#checked"));
  assert.ok(!page.$(go).disabled);

  await page.fill(field("differential"), "5");
  assert.match(faults(page).join(), /below the minimum/);
  const asked = checks(page).length;
  await page.fill(field("differential"), "much");
  assert.deepEqual(faults(page), ["That is no amount: much"]);
  assert.deepEqual(invalid(page), ["differential"]);
  assert.equal(checks(page).length, asked, "nothing is asked of what cannot be read");
  await page.fill(field("differential"), "4,000");
  assert.match(page.text("#placard"), /4,000/);
  assert.ok(checks(page).every((one) => one.key === undefined), "a check changes nothing, so it has no key");
  await page.submit("#new");
  assert.equal(page.asked.at(-1).path, "/api/tables");
  assert.match(page.asked.at(-1).key, /^[0-9a-f]{32}$/);
  assert.deepEqual(page.went, ["/staff/tables/salon-2/setup"]);
});

test("the board of a new table says that a dealer is on the way, until one is there", async (t) => {
  const page = await open(t, "new-board");
  assert.match(page.text(".says"), /A dealer is on the way/);
  assert.match(page.text(".says [lang^=zh]"), /[\u4e00-\u9fff]/);
  assert.match(page.text(".board"), /4,000/);
  await page.happens("a dealer comes");
  assert.doesNotMatch(page.text(".says"), /on the way/);
});

test("a name that is taken just before is refused in words, and what was typed stays", async (t) => {
  const page = await open(t, "new-table-late");
  await page.fill(field("title"), "Salon 3");
  await page.submit("#new");
  assert.ok(page.$("#answer").classList.contains("wrong"));
  assert.deepEqual(page.went, []);
  assert.equal(page.$(field("title")).value, "Salon 3");
  assert.ok(!page.$(go).disabled);
});

test("of several checks the last one counts, however late the others come", async (t) => {
  const page = await open(t, "new-table");
  page.held = [];
  page.$(field("title")).value = "Salon";
  page.$(field("id")).value = "salon";
  page.$(field("title")).dispatchEvent(new Event("input", { bubbles: true }));
  await page.rest();
  page.$(field("id")).value = "salon-2";
  page.$(field("id")).dispatchEvent(new Event("input", { bubbles: true }));
  page.$(field("id")).dispatchEvent(new Event("input", { bubbles: true }));
  await page.rest();
  assert.equal(page.held.length, 2, "letters that are typed together are checked together");
  const [first, second] = page.held;
  page.held = null;
  first.go();
  await page.rest();
  assert.deepEqual(faults(page), ["Give the table a title."], "it is of before");
  second.go();
  await page.rest();
  assert.deepEqual(faults(page), []);
});

test("without an answer nothing can be opened, and it is told", async (t) => {
  const page = await open(t, "new-table");
  page.offline = true;
  await page.fill(field("title"), "Salon");
  assert.equal(faults(page).length, 1);
  assert.ok(page.$(go).disabled);
});

const limits = (page, end, bets) => Object.fromEntries(bets.map((bet) => [bet, page.$(field(`${end}/${bet}`)).value]));

test("an address follows the title until somebody types one; one amount for all hands, one for all other bets", async (t) => {
  const page = await open(t, "new-table", { careless: true });
  await page.fill(field("title"), " High Salon, 2nd! ");
  assert.equal(page.$(field("id")).value, "high-salon-2nd");
  await page.fill(field("id"), "mine");
  await page.fill(field("title"), "Another");
  assert.equal(page.$(field("id")).value, "mine");

  await page.fill(field("minimum"), "25");
  await page.fill(field("sides_max"), "1,000");
  assert.deepEqual(limits(page, "min", ["player", "banker", "tie"]), { player: "25", banker: "25", tie: "5" });
  assert.deepEqual(limits(page, "max", ["player", "tie"]), { player: "5,000", tie: "1,000" });
  const { setup } = checks(page).at(-1).body;
  assert.deepEqual(setup.limits.tie, { min: 500, max: 100_000 });
  assert.deepEqual(setup.limits.banker, { min: 2_500, max: 500_000 });
});

test("another rulebook brings what it allows; what was typed stays, also what cannot be read", async (t) => {
  const page = await open(t, "new-table", { careless: true });
  await page.fill(field("sides_max"), "1,000");
  await page.fill(field("max/tie"), "lots");
  await page.fill(field("max/banker"), "");
  await page.fill(field("dealer"), "automatic");
  await page.fill(field("chip_unit"), "5");
  await page.fill(field("cut"), "20");
  await page.check(field("high_limit"));
  await page.fill(field("rulebook"), "rws-tiger-buffalo-commission-v2");
  assert.equal(page.$(field("max/tie")).value, "lots", "not: no maximum");
  assert.equal(page.$(field("max/banker")).value, "");
  assert.deepEqual(invalid(page), ["max/tie"]);
  assert.equal(page.$(field("max/big-buffalo")).value, "1,000", "a bet that comes is as the others are");
  assert.ok(page.has(field("insurance")));
  assert.equal(page.$(field("decks")).value, "8");
  await page.fill(field("max/tie"), "500");
  const { body } = checks(page).at(-1);
  assert.deepEqual(body.setup.limits.banker, { min: 1_000, max: null });
  assert.equal(body.setup.rulebook, "rws-tiger-buffalo-commission-v2");
  assert.equal(body.setup.insurance, true);
  assert.equal(body.dealer, "automatic");
  assert.deepEqual([body.setup.chip_unit, body.setup.cut, body.setup.high_limit], [500, 20, true]);
  const found = JSON.parse(page.answers["/api/rulebooks"].text).find((one) => one.slug === body.setup.rulebook);
  assert.ok(page.text("#from").includes(found.digest.slice(0, 12)), "where it was found");
});

test("a number that is left empty is not taken for none", async (t) => {
  const page = await open(t, "new-table");
  await page.fill(field("title"), "Salon");
  await page.click(page.button("Use salon-2", "#checked"));
  const asked = checks(page).length;
  await page.fill(field("cut"), "");
  assert.equal(checks(page).length, asked);
  assert.equal(faults(page).length, 1);
  assert.match(faults(page)[0], /^Fill in: /);
  assert.ok(page.$(go).disabled);
});

// A table that runs -------------------------------------------------------------------------------------------

const answer = (page) => page.text("#answer");
const said = (page) => page.said.map((one) => one.ask);
const closing = (page, name) => page.button(name, "#closing");

test("what was changed is asked for, and nothing else; it holds from the next round on", async (t) => {
  const page = await open(t, "running");
  await page.submit("#limits-form");
  assert.equal(answer(page), "Nothing is otherwise than before");
  assert.deepEqual(said(page), []);

  await page.fill(field("cut"), "9999");
  await page.submit("#limits-form");
  assert.ok(page.$("#answer").classList.contains("wrong"));
  assert.equal(page.$(field("cut")).value, "9999", "what was typed stays");

  await page.fill(field("cut"), "20");
  await page.fill(field("differential"), "6,000");
  assert.match(page.text("#placard"), /6,000/);
  await page.submit("#limits-form");
  assert.deepEqual(said(page).at(-1).changes, { differential: 600_000, cut: 20 });
  assert.equal(answer(page), "It changes with the next round");

  await page.fill(field("min/tie"), "10");
  await page.fill(field("max/tie"), "");
  await page.submit("#limits-form");
  const { changes } = said(page).at(-1);
  assert.deepEqual(Object.keys(changes), ["limits"]);
  assert.deepEqual(changes.limits.tie, { min: 1_000, max: null });
});

test("what cannot be read is pointed at and asked of nobody", async (t) => {
  const page = await open(t, "running");
  for (const [name, value] of [["min/tie", ""], ["max/tie", "much"], ["differential", "a"], ["differential", ""], ["cut", ""]]) {
    const before = page.$(field(name)).value;
    await page.fill(field(name), value);
    await page.submit("#limits-form");
    assert.deepEqual(invalid(page), [name], `${name}: ${value}`);
    assert.ok(page.$("#answer").classList.contains("wrong"));
    assert.ok(document.activeElement === page.$(field(name)));
    await page.fill(field(name), before);
  }
  await page.submit("#limits-form");
  assert.deepEqual(invalid(page), []);
  assert.deepEqual(said(page), []);
});

test("another pace, in seconds", async (t) => {
  const page = await open(t, "running");
  skips(page, 3);
  assert.equal(page.$(`#pace ${field("betting")}`).value, "600");
  await page.fill(`#pace ${field("betting")}`, "0.5");
  await page.submit("#pace form");
  assert.match(answer(page), /500 milliseconds|not 500/);
  assert.equal(page.$(`#pace ${field("betting")}`).value, "0.5", "what was typed stays");
  await page.fill(`#pace ${field("betting")}`, "30.5");
  await page.submit("#pace form");
  assert.equal(page.asked.at(-1).body.betting, 30_500);
  assert.equal(answer(page), "Done");
});

test("a table is closed step by step: no step before its time", async (t) => {
  const page = await open(t, "running");
  skips(page, 5);
  const enabled = () => Object.fromEntries(page.$$("#closing button").map((one) => [one.textContent, !one.disabled]));
  const cash = (may) => ({ "Cash everybody out": may, "Cash out 10,000": may });
  assert.deepEqual(enabled(), { Announce: true, "Close the table": true, ...cash(false), Archive: false });
  await page.click(closing(page, "Announce"));
  assert.match(page.text("#closing"), /Round 1 is the last/);
  assert.ok(!page.$$("#closing button").some((one) => one.textContent === "Announce"));
  await page.happens("played");
  assert.deepEqual(enabled(), { "Close the table": true, ...cash(true), Archive: false });
  await page.click(closing(page, "Close the table"));
  assert.deepEqual(enabled(), { ...cash(true), Archive: false, "Open the table": true });
  assert.match(page.text("#closing"), new RegExp(`Box 3, ${page.tape.notes.player}`));
  await page.click(closing(page, "Cash out 10,000"));
  assert.match(page.text("#closing"), /Nobody holds chips/);
  await page.click(closing(page, "Archive"));
  assert.match(page.text("#closing"), /Archived/);
  assert.deepEqual(enabled(), { "Bring it back": true });
  await page.click(closing(page, "Bring it back"));
  await page.click(closing(page, "Open"));
  assert.match(page.text("#closing"), /Announce the last round/);
});

test("what could not be read is asked for again with the next change", async (t) => {
  const page = await open(t, "running", { begin: false });
  const missing = ["/api/tables/running/statement", "/api/rulebooks"];
  const kept = missing.map((path) => page.answers[path]);
  for (const path of missing) page.answers[path] = { status: 500, text: "" };
  await page.start();
  assert.equal(page.text("#closing > div"), "", "nobody is said to hold nothing");
  missing.forEach((path, at) => (page.answers[path] = kept[at]));
  const { refresh } = await page.module("staff/desk.js");
  await refresh();
  await page.rest();
  assert.match(page.text("#closing"), /Chips in racks: 10,000/);
  assert.ok(page.has(`#rulebook ${field("rulebook")}`));
});

test("who may not change a table sees how it is set up, and why", async (t) => {
  const page = await open(t, "running-barred");
  const controls = page.$$("#bets input, #amounts input, #method :is(input, select), #go button");
  assert.ok(controls.length > 5 && controls.every((one) => one.disabled));
  assert.ok(page.$$("#pace fieldset, #rulebook fieldset").every((one) => one.disabled));
  assert.notEqual(page.texts("#go .hint").join(""), "");
  assert.ok(page.$$("#closing button").every((one) => one.disabled));
  assert.ok(!page.looked.some((path) => path.endsWith("/statement")), "nobody's chips are asked for");
});

test("between rounds a table moves to another rulebook, with a layout that it has", async (t) => {
  const page = await open(t, "running-moves");
  const books = JSON.parse(page.answers["/api/rulebooks"].text);
  const tiger = books.find((one) => one.slug === "mbs-tiger-v2");
  await page.fill(`#rulebook ${field("rulebook")}`, `${tiger.slug}@${tiger.digest}`);
  assert.deepEqual(page.texts(`#rulebook ${field("layout")} option`), Object.keys(tiger.layouts));
  assert.equal(page.$(`#rulebook ${field("layout")}`).value, "A", "it has no N");
  await page.submit("#rulebook form");
  assert.equal(said(page).at(-1).rulebook, "mbs-tiger-v2");
  assert.equal(answer(page), "It changes with the next round");
});
