// One table of the pit: an irregularity with its ruling, players' options, what the house may do.

import { ask, get } from "../api.js";
import { $, html, icon } from "../dom.js";
import { command, follow } from "../socket.js";
import { book, on, table } from "../state.js";
import { betName, language, own, phrase } from "../words.js";
import { showAlso } from "./also.js";
import { showAmend } from "./amend.js";
import { showChips } from "./chips.js";
import { desk, may, onDesk, refresh, watchDesk } from "./desk.js";
import { house } from "./house.js";
import { showReport } from "./report.js";
import { hands, payouts, stakes, steps } from "./round.js";
import { decision, showDismissals, showOrders } from "./ruling.js";
import { attempt, cites, clock, stakeText, t } from "./say.js";

const CHOICES = new Set(["options", "withdraw", "withdraw-all"]); // remedies that leave something to players
const slug = book;

function showRound() {
  $("#steps").replaceChildren(...steps());
  $("#hands").replaceChildren(...hands());
  showCall();
}

function showCall() {
  const { called } = table.seen.house;
  const place = $("#called");
  place.hidden = !called;
  if (!called) return;
  const come = html("button", { class: "btn", type: "button" }, t("i_came"));
  come.addEventListener("click", () =>
    attempt(() => ask("POST", `/api/tables/${table.id}/call/answer`), slug(), t("done")),
  );
  place.replaceChildren(
    icon("alert"),
    html("span", {}, t("dealer_calls", { note: called === "called" ? "" : called })),
    come,
  );
}

// The irregularity ------------------------------------------------------------------------------------------

let shown = "";

function showCase() {
  const { case: held } = desk.seen;
  $("#case").hidden = $("#side").hidden = !held;
  $("#plain").hidden = !!held;
  $("#money").replaceChildren(
    ...(desk.seen.payouts?.settled
      ? payouts(desk.seen.payouts, slug(), { sums: false })
      : [stakes()]
    ).filter(Boolean),
  );
  if (!held) {
    shown = "";
    return;
  }
  const waits = table.seen.reported.map((one) => one.case);
  const key = JSON.stringify([held, desk.seen.rank, waits, may("dismiss").length]);
  if (key === shown) return;
  const [before, , waited, dismissable] = shown ? JSON.parse(shown) : [];
  const fresh = before?.case !== held.case || before.ruled !== held.ruled;
  if (fresh || String(waited) !== String(waits) || dismissable !== may("dismiss").length)
    showDismissals($("#dismiss"));
  shown = key;
  if (fresh) decision($("#decide"), held, { onWay: showWay });
  showHead(held);
  showOptions(held);
  showRecord();
}

function showHead(held) {
  $("#case-head").replaceChildren(
    html("span", { class: "eyebrow" }, t("irregularity", { round: table.seen.round })),
    html("h2", { class: "serif" }, own("cases", held.case, held.title), ...cites(held.rules, slug())),
    html("p", { class: "facts-line" }, ...facts(held)),
    ...table.seen.reported.map((one) =>
      html("p", { class: "hint" }, t("waits_behind", { title: own("cases", one.case, one.title) }), ...cites(one.rules, slug())),
    ),
  );
  if (held.ruled) {
    $("#ladder").replaceChildren(html("p", { class: "notice" }, t("ruled_on")));
    $("#orders").replaceChildren();
    $("#remedies").replaceChildren(...held.left.map(([name, text]) => html("li", {}, own("remedies", name, text))));
  }
}

/** What is known of it, in words. */
function facts(held) {
  const found = Object.entries(held.facts).map(([name, value]) =>
    html("span", { class: "tag" }, phrase(`fact_${name}_${String(value).replaceAll("-", "_")}`)),
  );
  if (held.decided_by)
    found.push(html("span", { class: "tag" }, t("decided_by", { bet: betName(held.decided_by) })));
  if (held.drawn) found.push(html("span", { class: "tag" }, t("drawn_besides", { count: held.drawn })));
  return found;
}

/** One way to rule: its steps, who decides, where each order of cards leads. */
function showWay(way, held) {
  $("#remedies").replaceChildren(
    ...way.remedies.map(([name, text]) => html("li", {}, own("remedies", name, text))),
    html("li", { class: "by" }, t("by_paragraphs"), ...cites(way.rules, slug())),
  );
  $("#ladder").replaceChildren(
    html("span", { class: "eyebrow" }, t("who_decides")),
    html(
      "ul",
      { class: "ladder" },
      ...way.ladder.map((rung) =>
        html(
          "li",
          { class: `${rung.may ? "yes" : "no"} ${rung.you ? "you" : ""}` },
          own("ranks", rung.rank, rung.title),
          html("small", {}, rung.you ? t("you") : rung.may ? t("may") : t("may_not")),
        ),
      ),
    ),
  );
  showOrders($("#orders"), way.inputs.includes("order") ? held.orders : [], slug());
}

/** Players' options, to be recorded for who cannot do it at a screen. */
function showOptions(held) {
  const place = $("#options");
  const asked = held.choosers.some((one) => one.choice !== null);
  const offers = held.ways.some((way) => way.remedies.some(([name]) => CHOICES.has(name)));
  place.hidden = !held.choosers.length || !(asked || offers);
  const done = held.choosers.filter((one) => one.choice).length;
  const rows = held.choosers.map((one) => {
    const stake = one.stakes[0];
    const options = may("choose").filter((option) => option.command.player === one.player);
    return html(
      "tr",
      {},
      html("td", { class: "pos" }, stake?.box ?? ""),
      html("td", {}, stake && !stake.seated ? t("standing", { player: one.player }) : one.player),
      html("td", { class: "ls" }, ...one.stakes.map(stakeText)),
      html(
        "td",
        { class: "r" },
        ...(options.length ? options.flatMap((option) => choose(option, one.stakes)) : [chosen(one)]),
      ),
    );
  });
  $("#options-count").textContent = asked
    ? t("answered", { done, all: held.choosers.length })
    : t("not_yet_asked");
  $("#options-rows").replaceChildren(...rows);
}

function chosen(one) {
  if (!one.choice) return html("span", { class: "muted" }, one.choice === null ? "–" : t("choice_open"));
  return html("span", { class: "ch" }, icon("check"), t(`choice_${one.choice}`));
}

/** A button for the choice; where wagers may come off singly, one for each of them too. */
function choose(option, stakes) {
  const { by, ...body } = option.command;
  const singly = option.free?.includes("wagers") && stakes.length > 1 ? stakes : [];
  const ways = [
    [t(`choose_${body.choice}`), body],
    ...singly.map((one) => [
      t("return_one", { bet: betName(one.bet) }),
      { ...body, wagers: [[one.box, one.bet]] },
    ]),
  ];
  return ways.map(([name, asked]) => {
    const send = async () => {
      await attempt(() => command(asked), slug(), t("done"));
      refresh();
    };
    return html("button", { class: "btn sm", type: "button", onclick: send }, name);
  });
}

async function showRecord() {
  const steps = await get(`/api/tables/${table.id}/record?lang=${language}`);
  const from = Math.max(
    0,
    steps.findLastIndex((one) => one.name === "irregularity-reported"),
  );
  const lines = steps.slice(from).filter((one) => one.told.length);
  $("#record").replaceChildren(
    ...lines.map((one) =>
      html(
        "li",
        {},
        html("time", {}, clock(one.at)),
        html("span", {}, one.told.join(" · "), ...cites(one.rules, slug())),
      ),
    ),
  );
}

on("phase cards points offers house held_up reported amendment settlement link", showRound);
onDesk(() => {
  showRound();
  showCase();
  showAlso($("#also"));
  showChips($("#chips"));
  showReport($("#report"));
  showAmend($("#amend"));
  house();
});
watchDesk();
follow(() => {});
