// One table of the pit: the round stays in view, and beside it whatever is to be decided there.

import { $ } from "../dom.js";
import { draw, html } from "../draw.js";
import { follow } from "../socket.js";
import { on, table } from "../state.js";
import { showAlso } from "./also.js";
import { showAmend, showProposal } from "./amend.js";
import { showChips } from "./chips.js";
import { desk, onDesk, refresh, watchDesk } from "./desk.js";
import { house } from "./house.js";
import { showCall, showFlags } from "./pit-calls.js";
import { head, ladder, meeting, record, rights, steps, tabs, titleOf, wrote } from "./pit-case.js";
import { showDuty } from "./pit-duty.js";
import { askToPass } from "./pit-pass.js";
import { showPublic } from "./pit-public.js";
import { consequences, felt, notes, payouts, stakes } from "./pit-round.js";
import { showTrail } from "./pit-trail.js";
import { onPit, pit } from "./pit-watch.js";
import { showReport } from "./report.js";
import { decision, showBeside } from "./ruling.js";
import { t } from "./say.js";

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
