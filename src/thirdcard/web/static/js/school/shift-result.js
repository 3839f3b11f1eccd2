// How a shift was worked: the score, seconds a round, what happened and what was made of it, with its paragraphs.

import { get } from "../api.js";
import { $, html, icon, svg } from "../dom.js";
import { cardName } from "../words.js";
import { attempt, betName, book, books, cites, money, panel, rows, scrolled, skillName, t, table, until } from "./kit.js";

const place = $("#shift");
const [HIGH, WIDE] = [190, 800];

function dial(score) {
  const around = 2 * Math.PI * 60;
  return svg(
    "svg",
    { class: "dial", viewBox: "0 0 144 144", width: 144, height: 144, role: "img", "aria-label": t("score_of", { score }) },
    svg("circle", { class: "bg", cx: 72, cy: 72, r: 60 }),
    svg("circle", { class: "fg", cx: 72, cy: 72, r: 60, "stroke-dasharray": `${(around * score) / 100} ${around}`, transform: "rotate(-90 72 72)" }),
    svg("text", { x: 72, y: 80, "text-anchor": "middle", "font-size": 46 }, score),
    svg("text", { class: "of", x: 72, y: 102, "text-anchor": "middle", "font-size": 13 }, t("of_100")),
  );
}

function verdict(marks) {
  const wrong = marks.payouts - marks.payouts_right;
  const missed = marks.troubles.filter((one) => one.points < one.most).length;
  if (!wrong && !missed && !marks.faults.length) return t("shift_clean");
  return t("shift_short", { wrong, missed });
}

function part(one, marks) {
  const more = {
    money: t("shift_money", { right: marks.payouts_right, all: marks.payouts }),
    procedure: t("shift_faults", { count: marks.faults.filter((fault) => !["payout", "order"].includes(fault.kind)).length }),
    rulings: t("shift_right", { noticed: marks.troubles.filter((mark) => mark.points > 0).length, right: marks.rulings_right, all: marks.troubles.length }),
    pace: t("shift_pace", { seconds: Math.round(marks.seconds), par: marks.par }),
  }[one.name];
  return html("div", {}, html("span", { class: "eyebrow" }, t(`part_${one.name}`)), html("b", {}, one.points, html("small", {}, ` / ${one.most}`)), html("em", {}, more));
}

// Pace ------------------------------------------------------------------------------------------------------

function pace({ rounds, par }) {
  const most = Math.max(par * 1.5, ...rounds.map((one) => one.seconds), 1);
  const y = (seconds) => HIGH - 34 - (seconds / most) * (HIGH - 64);
  const step = (WIDE - 50) / Math.max(rounds.length, 1);
  const kind = (one) => (one.trouble && !one.noticed ? "miss" : one.wrong ? "money" : one.trouble ? "ruling" : "");
  const marks = { miss: "!", money: "×", ruling: "§" };
  return svg(
    "svg",
    { class: "pace", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": t("pace_label", { rounds: rounds.length, par }) },
    svg("line", { class: "par", x1: 40, x2: WIDE, y1: y(par), y2: y(par) }),
    svg("text", { class: "ax gold", x: WIDE - 4, y: y(par) - 5, "text-anchor": "end", "font-size": 12 }, t("par", { par })),
    svg("text", { class: "ax", x: 32, y: y(0) + 4, "text-anchor": "end", "font-size": 12 }, "0"),
    svg("text", { class: "ax", x: 32, y: y(par) + 4, "text-anchor": "end", "font-size": 12 }, par),
    ...rounds.flatMap((one, at) => {
      const x = 44 + at * step;
      const wide = Math.max(4, Math.min(22, step - 4));
      return [
        svg("rect", { class: `pb ${kind(one)}${one.slow ? " slow" : ""}`, x, y: y(one.seconds), width: wide, height: Math.max(1, y(0) - y(one.seconds)), rx: 2 }),
        kind(one) && svg("text", { class: `pm ${kind(one)}`, x: x + wide / 2, y: y(one.seconds) - 6, "text-anchor": "middle", "font-size": 13 }, marks[kind(one)]),
        (one.number === 1 || one.number % 5 === 0) && svg("text", { class: "ax", x: x + wide / 2, y: HIGH - 6, "text-anchor": "middle", "font-size": 12 }, one.number),
      ];
    }),
  );
}

const key = () =>
  html("span", { class: "keyl" }, ...[["g", t("key_plain")], ["r", `§ ${t("key_trouble")}`], ["m", `× ${t("key_payout")}`], ["x", `! ${t("key_missed")}`], ["s", t("slow")]].flatMap(([kind, said]) => [html("i", { class: `sw ${kind}` }), said]));

/** What was over par, and what took longest there. */
function slow(marks) {
  const found = marks.rounds.filter((one) => one.slow);
  if (!found.length) return html("p", { class: "muted slows" }, t("slow_none"));
  const line = (one) => t("slow_round", { round: one.number, seconds: Math.round(one.seconds), wait: Math.round(one.slow.seconds), before: t(`wait_${one.slow.before}`) });
  return html("details", { class: "slows" }, html("summary", {}, t("slow_title"), " ", html("b", {}, found.length)), html("ul", {}, ...found.map((one) => html("li", {}, line(one)))));
}

// What happened ---------------------------------------------------------------------------------------------

function events(marks) {
  const troubles = marks.troubles.map((one) => ({ round: one.trouble.round, told: [t(`trouble_${one.trouble.kind}`, { player: one.trouble.player, cents: money(Math.abs(one.trouble.cents)), bet: one.trouble.bet ? betName(one.trouble.bet) : "", box: one.trouble.box })], rules: one.rules.slice(0, 1), did: t(`did_${one.did}`), ok: one.points === one.most, points: `${one.points} / ${one.most}` }));
  const faults = marks.faults.map((one) => ({ round: one.round, told: [fault(one)], rules: one.rules.slice(-2), did: one.kind === "payout" ? t("paid_wrong", { said: money(one.said) }) : t(`fault_${one.kind}_did`), ok: false, points: `−${one.points}` }));
  return [...troubles, ...faults].sort((one, other) => one.round - other.round);
}

function fault(one) {
  if (one.kind === "payout") return t("fault_payout", { player: one.player, box: one.box, right: money(one.right) });
  if (one.kind === "card") return t("fault_card", { entered: cardName(one.cards[0]), came: cardName(one.cards[1]) });
  return t(`fault_${one.kind}`, { player: one.player, box: one.box });
}

function what(marks) {
  const found = events(marks);
  const line = (one) => html("tr", {}, html("td", { class: "serif rn" }, one.round), html("td", {}, ...one.told, ...cites(one.rules)), html("td", {}, html("span", { class: one.ok ? "okd" : "no" }, icon(one.ok ? "check" : "close"), one.did)), html("td", { class: "r" }, one.points));
  const all = () => scrolled(t("what_happened"), rows("", [t("round"), t("event"), t("you"), [t("points"), "r"]], ...found.map(line)));
  return panel("sh3", t("what_happened"), "", found.length ? all() : html("p", { class: "muted" }, t("shift_nothing")));
}

// Into the schedule ------------------------------------------------------------------------------------------

function learning({ about, learnt }) {
  const wrong = learnt.filter((one) => !one.right);
  const [next, ...others] = learnt.filter((one) => one.right && one.due).sort((one, other) => one.due - other.due);
  const kinds = new Set(wrong.map((one) => one.kind));
  const back = (one) => (one.due ? t("learnt_wrong", { when: until(one.due) }) : t("learnt_forgotten"));
  return panel(
    "sh4",
    t("into_schedule"),
    "",
    wrong.length
      ? html("ul", { class: "into" }, ...wrong.slice(0, 5).map((one) => html("li", {}, html("b", {}, skillName(one.skill)), html("small", {}, back(one), ...cites(one.paragraphs.slice(0, 2), about.rulebook)))))
      : html("p", { class: "muted" }, t("nothing_missed")),
    next && html("p", { class: "muted" }, t("learnt_right", { count: others.length + 1, when: until(next.due) })),
    wrong.length > 0 && html("a", { class: "btn primary full", id: "practise", href: `/school/drill/${kinds.size > 1 ? "today" : wrong[0].kind}?rulebook=${book}` }, t("practise_now"), html("kbd", {}, "Enter")),
    html("a", { class: "btn full", href: `/school/shift?rulebook=${book}` }, t("next_shift")),
  );
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target !== document.body) return;
  $("#practise")?.click();
});

function show(result) {
  const { about, marks } = result;
  place.replaceChildren(
    html(
      "section",
      { class: "panel sh1" },
      html(
        "div",
        { class: "sc" },
        dial(marks.score),
        html("div", {}, html("p", { class: "eyebrow" }, t("shift_about_line", { book: books[about.rulebook] ?? about.rulebook, layout: about.layout, rounds: marks.rounds.length, minutes: about.minutes })), html("h1", {}, verdict(marks)), html("p", { class: "soft" }, t("shift_seed", { seed: about.seed, patrons: about.patrons, troubles: marks.troubles.length }))),
      ),
      html("div", { class: "parts" }, ...marks.parts.map((one) => part(one, marks))),
    ),
    panel("sh2", t(about.post === "pit" ? "pace_cases" : "pace_rounds"), key(), pace(marks), slow(marks)),
    learning(result),
    what(marks),
  );
}

const found = await attempt(() => get(`/api/school/shifts/${table}`));
if (found) show(found);
