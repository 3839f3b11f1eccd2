// One table of the pit: the round stays in view, and beside it whatever is to be decided there.

import { get } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, icon, node } from "../draw.js";
import { follow } from "../socket.js";
import { book, on, table } from "../state.js";
import { betName, own } from "../words.js";
import { showAlso } from "./also.js";
import { house, showAmend, showProposal } from "./house.js";
import { showChips } from "./chips.js";
import { andRefresh, desk, does, onDesk, posts, refresh, watchDesk } from "./desk.js";
import { head, ladder, meeting, record, rights, showPublic, steps, tabs, titleOf, wrote } from "./pit-case.js";
import { consequences, felt, notes, payouts, stakes } from "./pit-round.js";
import { hour, lasted, mark, now, onPit, pit, stateName } from "./pit-watch.js";
import { showReport } from "./report.js";
import { decision, showBeside } from "./ruling.js";
import { cites, columns, field, formOf, money, select, t } from "./say.js";

// All tables in a column, to go from one to another.

const CALLS = new Set(["stopped", "held", "calling"]);

function showTrail(place) {
  const { tables } = pit.seen;
  draw(place, html`<a href="/pit">‹<small>${t("overview")}</small></a>`, tables.map(row));
}

function row(one) {
  const waits = CALLS.has(one.state);
  const since = (waits && one.state_since) || null;
  return html`<a
    class=${waits ? "al" : null}
    href="/pit/${one.id}"
    title="${one.title}, ${stateName(one)}"
    aria-current=${one.id === table.id ? "page" : null}
  >
    <span class="hidden">${one.title}</span>
    <span aria-hidden="true">${mark(one)}</span>
    <small data-lasts=${since} .textContent=${since ? lasted(since) : stateName(one)}></small>
  </a>`;
}

// Who deals, and when somebody is to relieve them.

const DAY = 86_400_000_000; // microseconds
let shown = "";

/** Who deals now, and a form to plan the relief. */
async function showDuty(place, duty) {
  const key = JSON.stringify(duty);
  if (key === shown) return;
  shown = key;
  if (!duty) {
    draw(place, html`<p class="hint">${t("pit_deals_itself")}</p>`);
    return;
  }
  const people = await get(`/api/tables/${table.id}/staff`);
  const free = people.filter((one) => one.name !== duty.dealer);
  const told = duty.dealer
    ? t("pit_deals_since", { player: duty.dealer, time: hour(duty.since) })
    : t("pit_nobody_deals");
  const when = duty.relief_at ? t("pit_relief_at", { time: hour(duty.relief_at) }) : t("pit_relief_none");
  const who = duty.relief_by ? t("pit_relief_by", { player: duty.relief_by }) : "";
  const time = html`<input name="at" type="time" required .value=${duty.relief_at ? hour(duty.relief_at) : ""}>`;
  const options = free.map(
    (one) => [
      one.name,
      one.deals_at ? t("pit_deals_at", { player: one.name, table: one.deals_at }) : one.name,
      one.name === duty.relief_by,
    ],
  );
  draw(
    place,
    html`<p>${[told, when, who].filter(Boolean).join(" · ")}</p>`,
    formOf(
      plan,
      columns(
        field(t("pit_relief_when"), time),
        field(t("pit_relief_who"), select([["", t("pit_anybody")], ...options], { name: "dealer" })),
      ),
      html`<button class="btn sm" type="submit">${t("pit_relief_plan")}</button>`,
    ),
  );
}

/** The next time that the clock shows this, in microseconds. */
function next(text) {
  const [hours, minutes] = text.split(":").map(Number);
  const day = new Date(now() / 1000);
  day.setHours(hours, minutes, 0, 0);
  const at = day.getTime() * 1000;
  return at > now() - DAY / 48 ? at : at + DAY;
}

const plan = (given) =>
  andRefresh(posts("relief", { at: next(String(given.get("at"))), dealer: given.get("dealer") }, t("done")));

// What a table asks of the pit besides rulings: a call with the dealer's words, and chips that the pit decides on.

/** The dealer's call; play goes on meanwhile. */
function showCall(place, call) {
  const { called } = table.seen.house;
  const { note = "called", at: since = 0 } = call ?? {};
  place.hidden = !called;
  const lasting = since > 0 && html`<small data-lasts=${since} .textContent=${lasted(since)}></small>`;
  const come = () => posts("call/answer", undefined, t("done"));
  draw(
    place,
    html`<h2>
      ${icon("alert")} ${t("pit_call_title")} ${lasting}
    </h2>`,
    note === "called" ? html`<p class="hint">${t("pit_call_no_words")}</p>` : html`<q>${note}</q>`,
    html`<p class="hint">${t("pit_play_goes_on")}</p>`,
    html`<button type="button" class="btn warn" @click=${come}>${t("i_came")}</button>`,
  );
}

/** Chips that take a rank above the dealer's; `may`: this person's does. */
function showFlags(place, may) {
  const flags = (desk.seen.flags ?? []).filter((one) => one.decides);
  place.hidden = !flags.length;
  draw(place, flags.map((one) => flagged(one, may)));
}

function flagged(flag, may) {
  const facts = { cents: money(flag.cents), bet: flag.bet ? betName(flag.bet) : "" };
  const back = flag.back.map(([player, bet, cents]) =>
    html`<li>${t("pit_flag_back", { player, bet: betName(bet), cents: money(cents) })}</li>`,
  );
  const act = (body) => () => andRefresh(does(body, t("done")));
  const ways = flag.remedies.map(({ key, by, ...body }) =>
    html`<button type="button" class="btn warn" @click=${act(body)} ?disabled=${!may}>
      ${t(`remedy_${key}`, { ...body, cents: money(body.cents ?? 0) })}
    </button>`,
  );
  return html`<div class="dec">
    <h2>${t(`flag_${flag.kind}`, facts)}${cites(flag.rules, book())}</h2>
    ${back.length ? html`<ul class="hint">${back}</ul>` : null}
    <p class="hint">${t("pit_flag_decides", { rank: flag.who })}</p>
    <div class="acts">${ways}</div>
  </div>`;
}

// A case passed to the next rank: to somebody of it or to whoever comes, with why.

/** Ask to whom, and why. */
async function askToPass(place, held) {
  const titles = held.ranks_above.map((one) => one.title);
  const people = (await get(`/api/tables/${table.id}/staff`)).filter((one) =>
    titles.includes(one.title) && one.name !== table.me,
  );
  const rank = (title) => own("ranks", held.ranks_above.find((one) => one.title === title).rank, title);
  const choices = [
    ...people.map(
      (one) => [
        one.name,
        `${one.name}, ${rank(one.title)}`,
        one.deals_at ? t("pit_deals_now", { table: one.deals_at }) : "",
      ],
    ),
    ...held.ranks_above.map((one) => [one.rank, t("pit_whoever_is", { rank: own("ranks", one.rank, one.title) }), ""]),
  ];
  const close = () => {
    place.hidden = true;
    $("#pass-button")?.focus();
  };
  const send = async (given) => {
    const body = { case: held.case, to: given.get("to"), note: String(given.get("note")).trim() };
    if (await andRefresh(posts("cases/pass", body, t("done")))) close();
  };
  const may = held.who.some((one) => one.you && one.may);
  draw(
    place,
    html`<h2>${t("pit_pass_title", { title: titleOf(held) })}</h2>`,
    html`<p class="hint">${t(may ? "pit_pass_could" : "pit_pass_could_not")}${cites(held.rules, book())}</p>`,
    node(formOf(
      send,
      ...choices.map(([to, name, more], number) =>
        html`<label class="rank">
          <input type="radio" name="to" value=${to} required ?checked=${number === 0}>
          <span>${name}${more && html`<small>${more}</small>`}</span>
        </label>`,
      ),
      field(t("pit_reason_private"), html`<textarea name="note" rows="2" maxlength="200" required></textarea>`),
      html`<div class="acts2">
        <button class="btn" type="submit">${icon("alert")}${t("pit_pass_ring")}</button>
        <button type="button" class="btn quiet" @click=${close}>${t("pit_pass_keep")}</button>
      </div>`,
    )),
  );
  place.hidden = false;
  $("input", place)?.focus();
}

let number = 0; // the case that is looked at
let chosen = ""; // the decision that is looked at
let typed = null; // that decision, worked out with what was typed
let [formed, besides, told] = ["", "", ""]; // what is shown, so that what is being typed stays

const here = () => pit.seen?.tables.find((one) => one.id === table.id);

function showRound() {
  const cases = desk.seen?.cases ?? [];
  if (number >= cases.length) number = 0;
  const held = cases[number];
  $("#tabs").hidden = cases.length < 2;
  draw($("#tabs"), cases.length > 1 && tabs(cases, number, look));
  draw($("#head"), head(held, number, cases.length, here()));
  draw($("#felt"), felt(cases, number));
  $("#wrote").hidden = !held;
  draw($("#wrote"), held && wrote(held));
  showCall($("#called"), here()?.call);
  showFlags(
    $("#flagged"),
    pit.seen?.waiting.some((one) => one.table === table.id && one.kind === "removal" && one.may) ?? false,
  );
  showPublic($("#public"));
}

function relief() {
  const one = here();
  if (one && table.seen) showDuty($("#duty"), one.house.dealer === "staff" ? one.duty : null);
}

function look(which) {
  [number, chosen, typed] = [which, "", null];
  show();
}

/** The stakes, and of a case what each decision means. */
function showMoney(held) {
  const paid = desk.seen.payouts;
  const title = t(held?.decisions.length ? "pit_decisions_mean" : paid?.settled ? "payouts" : "stakes_lying");
  draw($("#money-title"), title, held?.decisions.length > 0 && html`<small>${t("pit_no_house_total")}</small>`);
  const known = held?.decisions.map((one) => (one.key === typed?.key ? typed : one)) ?? [];
  const decisions = known.filter((one) => !one.override || one.key === chosen);
  draw($("#money"), held ? consequences(held, decisions, chosen) : paid?.settled ? payouts(paid) : stakes());
  draw($("#notes"), held && [meeting(held), notes(decisions)]);
}

function showCase(held) {
  for (const name of ["ruling", "deciders", "decision"]) $(`#${name}`).hidden = !held;
  $("#rights").hidden = !held?.rights.length;
  draw($("#rights-of"), held && rights(held));
  if (!held) {
    [formed, besides] = ["", ""];
    $("#pass").hidden = true;
    return;
  }
  draw($("#remedies"), steps(held));
  draw(
    $("#deciders"),
    html`<h2>${t("who_decides")}</h2>`,
    ladder(held.decisions.find((one) => one.key === chosen)?.who ?? held.who),
  );
  const form = JSON.stringify(
    [
      held.case,
      number,
      held.ruled,
      held.decisions.map((one) => [one.key, one.inputs, one.asks, one.power]),
      held.choosers.map((one) => one.choice),
    ],
  );
  if (form !== formed) {
    formed = form;
    [chosen, typed] = ["", null];
    const after = t("pit_ruled_after", { title: titleOf(desk.seen.cases[0]) });
    if (number) draw($("#decide"), html`<p class="hint">${after}</p>`);
    else decision($("#decide"), held, { choose, worked });
  }
  const key = JSON.stringify([held.case, number, held.dismiss, held.reported_by, held.ranks_above, held.ruled]);
  if (key === besides) return;
  besides = key;
  showBeside($("#beside"), held, { pass: () => askToPass($("#pass"), held), report: openReport });
}

function choose(key) {
  [chosen, typed] = [key, null];
  showMoney(desk.seen.cases[number]);
  const found = desk.seen.cases[number].decisions.find((one) => one.key === key);
  draw($("#deciders"), html`<h2>${t("who_decides")}</h2>`, ladder(found.who));
}

function worked(decided) {
  typed = decided;
  showMoney(desk.seen.cases[number]);
}

function openReport() {
  const panel = $("#report-panel");
  panel.open = true;
  panel.scrollIntoView({ block: "nearest" });
  panel.querySelector("select, input")?.focus();
}

/** What happened since the stop, or in the round. */
async function showRecord(held) {
  const key = `${desk.seen.version}/${!!held}`;
  if (key === told) return;
  told = key;
  const since = held ? Math.min(...desk.seen.cases.map((one) => one.reported_at)) : 0;
  $("#record-since").textContent = t(held ? "pit_since_stop" : "pit_this_round");
  draw($("#record"), await record(since));
}

function show() {
  const held = desk.seen.cases?.[number];
  showRound();
  relief();
  showCase(held);
  showMoney(held);
  showRecord(held);
  showProposal($("#proposed"));
  showAlso($("#also"));
  showChips($("#chips"));
  showReport($("#report"));
  showAmend($("#amend"));
  house();
}

addEventListener("keydown", (event) => {
  if (event.altKey && event.code === "KeyU") $("#pass-button")?.click();
});
on("phase cards points offers house held_up reported amendment settlement link", () => desk.seen && showRound());
onPit(() => {
  showTrail($("#trail"));
  relief();
  if (!desk.seen) return;
  if (here()?.version > desk.seen.version) refresh(); // what the table's own view does not tell
  showRound();
});
onDesk(show);
watchDesk();
follow(() => {});
