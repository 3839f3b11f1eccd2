// The dealing desk: the one thing that is required next, Enter that does it once, cards that go to the place that is due.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

const REST_MS = 500; // after a step Enter is dead for a while

const main = (page) => page.text("#main-button");
const title = (page) => page.text("#required h1");
const enterDoes = (page) => page.$("#main-button").getAttribute("aria-keyshortcuts");
const lying = (page) => page.$$("#felt .pc").length;

/** The required action is this one; its key does it. */
async function goesOn(page, name, key = "Enter") {
  assert.match(main(page), new RegExp(name, "i"));
  assert.equal(enterDoes(page), key);
  page.key("Enter", { at: document.body, shiftKey: key.startsWith("Shift") });
  await page.pass(REST_MS);
}

/** As a scanner types: rank, suit and Enter, without a look at the desk. */
async function scans(page, ...cards) {
  for (const card of cards) {
    for (const letter of card.toLowerCase()) page.key(letter, { at: document.body });
    page.key("Enter", { at: document.body });
  }
  await page.pass(3000);
}

test("a round by a scanner with a guest and a walk-in", async (t) => {
  const page = await open(t, "desk-scanner");
  const who = page.tape.notes.player;
  await goesOn(page, "I deal here");
  for (const name of ["counted", "shuffled", "cut", "placed", "load"]) await goesOn(page, name);
  await goesOn(page, "Open bets");

  await page.click("[data-box='5'] .seatbtn");
  await page.fill(".seatform [name=description]", "grey cap");
  await page.fill(".seatform [name=cents]", "2,000");
  await page.press({ key: "s", code: "KeyS", altKey: true });
  assert.match(page.text("[data-box='5'] header"), /W-/);
  assert.match(page.text("[data-box='5']"), /grey cap/);
  await page.fill(".chipform [name=player]", who);
  await page.click(page.$$(".chipform .bets button").find((one) => one.getAttribute("aria-label") === "Player"));
  await page.fill(".chipform [name=cents]", "400");
  await page.press({ key: "Enter", altKey: true });
  assert.equal(page.$(".chipform [name=cents]").value, "");
  await page.happens("a guest bets");

  await goesOn(page, "No more bets");
  await scans(page, "9C", "KS", "7D", "4H", "3D", "8S");
  assert.equal(lying(page), 4);
  assert.match(page.text("#keypad"), /held back/);
  assert.match(page.text(".fsteps .now"), /1 silent/);
  assert.equal(enterDoes(page), "Shift+Enter");
  page.key("Enter", { at: document.body }); // somebody is silent: this closes nothing
  await page.rest();
  await page.click(page.button("Full 400", `[data-player='${who}']`));
  assert.match(page.text(`[data-player='${who}']`), /Bought 400/);
  await goesOn(page, "Insurance closed");
  assert.match(main(page), /Enter the card/);
  page.types("3d");
  await page.rest();
  await goesOn(page, "Confirm three of diamonds");
  assert.equal(lying(page), 5);
  await goesOn(page, "Settle");
  while (!/Payouts done/.test(main(page))) {
    assert.match(main(page), /Losing bets|Paid/);
    await goesOn(page, ".");
  }
  await goesOn(page, "Payouts done");
  assert.match(main(page), /Open bets/);
});

test("a scanner is held at both windows of insurance", async (t) => {
  const page = await open(t, "desk-windows");
  await scans(page, "2C", "4H", "3D", "KS", "2S");
  assert.match(page.text("#keypad"), /held back/);
  assert.equal(lying(page), 4);
  assert.match(page.text(".offer .stamp"), /first/);
  await page.happens("declined");
  await goesOn(page, "Insurance closed");
  await scans(page, "2S", "8S");
  assert.match(page.text("#keypad"), /held back/);
  assert.equal(lying(page), 5);
  assert.match(page.text(".offer .stamp"), /second/);
  await page.happens("declined again");
  await goesOn(page, "Insurance closed");
  await scans(page, "8S");
  assert.equal(lying(page), 6);
  assert.match(main(page), /Settle/);
});

test("what lies outside the limits goes back by one press; who bet too little decides by a button", async (t) => {
  const page = await open(t, "desk-flags");
  assert.match(main(page), /No more bets/);
  await page.happens("chips");
  assert.equal(page.$$(".bx.flagged").length, 2);
  await goesOn(page, "Return the excess, 800");
  await goesOn(page, "Return the excess, 100");
  assert.match(main(page), /No more bets/);

  await page.happens("too little");
  assert.ok(page.$("[data-box='6']").classList.contains("flagged"));
  assert.ok(page.$("#main-button").disabled);
  const said = page.said.length;
  page.key("Enter", { at: document.body });
  const withdraw = page.button("Withdraw", "#rail");
  withdraw.focus();
  page.key("Enter", { at: withdraw }); // Enter decides for nobody
  await scans(page, "9C");
  assert.equal(page.said.length, said);
  page.key(" ", { at: page.button("Withdraw", "#rail") });
  await page.pass(REST_MS);
  assert.ok(!page.$("[data-box='6']").classList.contains("flagged"));

  page.$("#main-button").blur();
  for (let press = 0; press < 6; press++) page.key("Enter", { at: document.body }); // the first closes, the others are dead
  await page.pass(REST_MS);
  await scans(page, "8C", "KS", "KD", "9H");
  assert.equal(lying(page), 4);
  page.key("Enter", { at: document.body });
  await page.pass(100);
  assert.match(main(page), /Losing bets taken/);
  page.key("Enter", { at: document.body }); // so soon after the last it is dead
  await page.pass(REST_MS);
  assert.match(main(page), /Losing bets taken/);
});

test("who does not deal looks on: nothing is sent", async (t) => {
  const page = await open(t, "desk-looking");
  assert.match(title(page), /deals here/);
  assert.ok(page.$("#main-button").disabled);
  await page.press("Enter", "w", "r");
  await scans(page, "9C");
  assert.ok(!page.has(".seatbtn"));
  assert.match(page.text("#answer"), /held back/);
  assert.deepEqual([page.said, page.asked], [[], []]);
});

test("a lost line locks the entry and names the last card; what got lost is sent again", async (t) => {
  const page = await open(t, "desk-line");
  await scans(page, "9C");
  assert.equal(lying(page), 1);
  page.offline = true;
  page.line.lose();
  await page.rest();
  assert.match(page.text("#required"), /nine of clubs/);
  assert.match(page.text("#keypad"), /Locked/);
  await scans(page, "KS");
  assert.equal(lying(page), 1);
  page.offline = false;
  page.held = [];
  await page.pass(10_000);
  assert.equal(document.documentElement.dataset.link, "open");
  await scans(page, "KS");
  assert.equal(lying(page), 1, "the line is there, but not what the desk asked since");
  assert.match(page.text("#keypad"), /Locked/);
  const held = page.held;
  page.held = null;
  for (const one of held) one.go();
  await page.pass(3000);
  assert.equal(lying(page), 1, "nothing that was typed meanwhile is dealt");
  await scans(page, "KS");
  assert.equal(lying(page), 2);
  page.deaf = true;
  for (const letter of "7d") page.key(letter, { at: document.body });
  page.key("Enter", { at: document.body });
  await page.pass(2500);
  assert.match(page.text("#required .unsent"), /Not sent yet/);
  page.deaf = false;
  await page.pass(6000);
  assert.equal(lying(page), 3);
  assert.ok(!page.has("#required .unsent"));
  assert.equal(page.asked.at(-1).key, page.said.at(-1).key, "by the same key, so it is done once");
});

test("the last card is put right by a supervisor's PIN, with before and after in dollars", async (t) => {
  const page = await open(t, "desk-wrong");
  assert.match(main(page), /Settle/);
  await page.press("w");
  assert.match(page.text("#required"), /nine of hearts/);
  await scans(page, "7H");
  const lin = () => page.text(page.$$(".wr tr").find((one) => one.textContent.includes("Lin")));
  assert.match(lin(), /\+190.*−200/);
  await page.press("Escape");
  await page.pass(REST_MS);
  assert.match(main(page), /Settle/);
  await page.press("w");
  await scans(page, "7H");
  await goesOn(page, "Ask for the seven of hearts");
  assert.ok(page.$("#main-button").disabled, "without a PIN nothing is confirmed");
  await page.fill("#rail [name=person]", "pit-supervisor-1");
  await page.fill("#rail [name=pin]", "271828");
  await page.click("#main-button");
  assert.ok(page.shows("#answer"));
  assert.equal(page.$("#rail [name=pin]").value, "", "the PIN is forgotten");
  await page.fill("#rail [name=pin]", "314159");
  await page.click("#main-button");
  assert.match(title(page), /Player 8 over 7/);
});

test("payouts are ticked one at a time, undone, disputed, and ended by a press of their own", async (t) => {
  const page = await open(t, "desk-payouts");
  await goesOn(page, "Settle");
  assert.match(title(page), /Anwar\S* at box 1: 95/);
  for (let press = 0; press < 4; press++) page.key("Enter", { at: document.body });
  await page.pass(REST_MS);
  assert.match(title(page), /Lin\S* at box 2: 475/);
  assert.match(page.text(".pay .now .brk"), /4×100/);
  assert.match(main(page), /Paid, the last/);
  await page.press({ key: "Backspace", at: document.body });
  await page.pass(REST_MS);
  assert.match(title(page), /Anwar\S* at box 1: 95/);
  await goesOn(page, "Paid, next");
  await page.click(page.button("Disputed", ".paynow"));
  await page.fill(".paynow [name=note]", "Says it was 600.");
  await page.submit(".paynow form");
  await page.pass(REST_MS);
  assert.match(title(page), /Disputed: Lin/);
  assert.ok(page.$("#main-button").disabled);
  await page.happens("settled by the pit");
  await goesOn(page, "Paid, the last");
  await goesOn(page, "Payouts done");
  assert.match(main(page), /Open bets/);
});

test("cards are squeezed and taken back; the dealer names them", async (t) => {
  const page = await open(t, "desk-custody");
  const who = page.tape.notes.player;
  const wish = () => page.button("Banker's cards", ".sq");
  assert.match(wish().textContent, new RegExp(`may be asked by ${who}`));
  await page.happens("asked");
  assert.match(wish().textContent, /tap to allow/);
  await page.click(wish());
  await page.fill("#rail [name=person]", "pit-supervisor-1");
  await page.fill("#rail [name=pin]", "314159");
  await page.click(page.button(`Let ${who} squeeze`));
  assert.match(wish().textContent, new RegExp(`allowed to ${who}`));
  for (let card = 0; card < 4; card++) await goesOn(page, "Draw the card");
  await goesOn(page, "Handed over");
  const banker = () => page.text(page.$$(".ch").find((one) => one.textContent.includes("Banker")));
  assert.match(banker(), new RegExp(`with ${who}`));
  await page.press({ key: "b", at: document.body });
  await page.pass(REST_MS);
  assert.match(banker(), /with the dealer/);
  assert.match(main(page), /Handed over/);
  await page.press({ key: "t", at: document.body }); // not again: the dealer turns them, the Player's first
  await page.pass(REST_MS);
  for (const card of ["9C", "KD", "2H", "4S"]) await scans(page, card);
  assert.match(main(page), /Settle/);
});

test("two cases one after the other, and Enter chooses for nobody", async (t) => {
  const page = await open(t, "desk-cases");
  const { anwar, lin } = page.tape.notes;
  await page.press({ key: "r", at: document.body });
  await page.fill("#panel [name=case]", "drawn-together");
  assert.ok(!page.has("#panel [name=window], #panel [name=displayed]"), "what the case does not ask for is not there");
  await page.fill("#panel [name=order_known]", "false");
  await page.fill("#panel [name=drawn]", "10S 5");
  await page.click(page.button("hearts", "#panel .minipad"));
  assert.equal(page.text("#panel .cardfield small"), "ten of spades, five of hearts");
  await page.fill("#panel [name=note]", "One pull, two cards.");
  await page.submit("#panel form");
  assert.match(title(page), /Stopped/);
  await page.press({ key: "r", at: document.body });
  await page.fill("#panel [name=case]", "walks-away");
  await page.check(`#panel [name=players][value="${lin}"]`);
  await page.submit("#panel form");
  assert.match(page.text("#rail"), /One pull, two cards\./);
  assert.match(page.text("#rail"), /waits behind it/);
  await page.happens("ruled");
  assert.match(title(page), new RegExp(`Ask ${anwar}, ${lin}`));
  const row = (name) => page.$$("#rail tr").find((one) => one.textContent.includes(name));
  const said = page.said.length;
  const first = page.button("Continue", row(anwar));
  first.focus();
  for (let press = 0; press < 3; press++) page.key("Enter", { at: first });
  await page.rest();
  assert.equal(page.said.length, said);
  page.key(" ", { at: page.button("Continue", row(anwar)) });
  await page.pass(REST_MS);
  await page.click(page.button("Return", row(lin)));
  assert.match(title(page), /decide it here/);
});

test("the table is handed over with the PIN of who takes it", async (t) => {
  const page = await open(t, "desk-handover");
  await page.press({ key: "h", at: document.body });
  await page.pass(REST_MS);
  await page.fill("#panel [data-cents='100000']", "32");
  assert.match(page.text("#panel .sumline"), /32,000/);
  await page.fill("#panel [name=to]", "Jo");
  await page.fill("#panel [name=pin]", "314159");
  await page.submit("#panel form");
  assert.deepEqual(page.went, ["reload"]);
});

test("the pit is called, then told what for", async (t) => {
  const page = await open(t, "desk-call");
  await page.press({ key: "p", at: document.body });
  await page.fill("#panel input, #panel textarea", "Fill, please.");
  await page.click(page.button("Tell", "#panel"));
  assert.equal(page.asked.length, 2);
});
