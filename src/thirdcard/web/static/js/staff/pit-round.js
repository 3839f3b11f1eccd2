// The round as it lies, also while a case is open: cards, stakes with insurance, and what each decision comes to.

import { html } from "../draw.js";
import { HANDS } from "../facts.js";
import { book, table } from "../state.js";
import { bet, betName } from "../words.js";
import { andRefresh, does, may, posts } from "./desk.js";
import { beside, boxCell, differences, handOf, people, rows, who } from "./parts.js";
import { decisionName } from "./pit-watch.js";
import { cites, glyph, mark, money, signed, t, told } from "./say.js";

const slug = book;

/** Both hands, and beside them the cards that came out besides, by case; `shown` is the case that is looked at. */
export function felt(cases, shown) {
  return [...HANDS.map((side) => handOf(side, bet(side).en)), ...beside(cases, shown)];
}

const everybody = () => people(table.seen.stakes, table.seen);
const stakeLine = (one) =>
  html`<span class=${one.window ? "bet1 ins" : "bet1"}>
    ${glyph(one.bet, one.window)}${` ${money(one.cents)}`}
    ${one.late && html`<small>${t("pit_late_chips")}</small>`}
  </span>`;

/** Chips as they lie. */
export function stakes() {
  const all = everybody();
  if (!all.length) return html`<p class="muted">${t("no_stakes")}</p>`;
  const total = (row) => row.stakes.reduce((sum, one) => sum + one.cents, 0);
  return rows(
    "",
    [t("box"), t("who"), t("stakes"), [t("total"), "r"]],
    ...all.map((row) =>
      html`<tr>
        ${boxCell(row.box)}
        <td class="who">${who(row)}</td>
        <td class="stk2">${row.stakes.map(stakeLine)}</td>
        <td class="r net">${money(total(row))}</td>
      </tr>`,
    ),
  );
}

/** What a settled round came to for each; no total of the house. */
export function payouts(paid) {
  const line = (one) =>
    html`<span class="bet1">
      ${glyph(one.bet, one.window)}${` ${one.net ? signed(one.net) : t(`result_${one.result}`)}`}
      ${one.net > 0 ? cites(one.rules.slice(-1), slug()) : []}
    </span>`;
  const all = rows(
    "",
    [t("box"), t("who"), t("lines"), [t("net"), "r"], [t("pit_paid_head"), "r"]],
    ...paid.people.map((row) =>
      html`<tr class=${row.disputed ? "hot" : null}>
        ${boxCell(row.box)}
        <td class="who">${who(row)}</td>
        <td class="stk2">${row.lines.map(line)}</td>
        <td class="r net">${signed(row.net)}</td>
        <td class="r">${standing(row)}</td>
      </tr>`,
    ),
  );
  return [all, differences(paid.differences)].filter(Boolean);
}

/** Whether somebody has been paid; a dispute is settled here, as paid or as still to be paid. */
function standing(row) {
  if (row.disputed) {
    const settle = (state) => () => andRefresh(posts("payouts", { box: row.box, player: row.player, state }, t("done")));
    return [
      html`<b class="amb">${t("pit_paid_disputed")}</b>`,
      row.note && html`<small>${`“${row.note}”`}</small>`,
      html`<div class="go">
        <button type="button" class="btn sm" @click=${settle("paid")}>${t("pit_settle_paid")}</button>
        <button type="button" class="btn sm" @click=${settle("to-pay")}>${t("pit_settle_to_pay")}</button>
      </div>`,
    ].filter(Boolean);
  }
  if (row.paid) return [html`<b class="ok">${t("pit_paid_yes")}</b>`];
  return [row.pays ? t("pit_paid_not_yet") : "–"];
}

// What each decision means ------------------------------------------------------------------------------------

const keyOf = (one) => `${one.box}/${one.player}`;

/** The decisions side by side, a row a player; `chosen` is the one that is looked at. */
export function consequences(held, decisions, chosen) {
  const found = new Map();
  for (const one of decisions.flatMap((decision) => decision.results)) found.set(keyOf(one), one);
  for (const one of everybody()) if (!found.has(keyOf(one))) found.set(keyOf(one), one);
  const all = [...found.values()].sort((a, b) => a.box - b.box || a.standing - b.standing);
  const asked = decisions.some((decision) =>
    decision.results.some((one) => one.asked),
  ) || held.choosers.some((one) => one.choice !== null);
  const columns = decisions.map((one) => [
    [html`<span class="hd">${decisionName(one)}</span>`, outcomeOf(one)],
    one.key === chosen ? "r pick" : "r",
  ]);
  const last = asked ? [
    [[html`<span class="hd">${t("pit_bet_back")}</span>`, t("pit_own_choice")], "r"],
    [t("pit_asked_by_name"), "r"],
  ] : [];
  return rows(
    "cons",
    [t("box"), t("who"), t("pit_stakes_open"), ...columns, ...last],
    ...all.map((row) => line(row, held, decisions, chosen, asked)),
  );
}

function outcomeOf({ outcome, points }) {
  if (outcome === "void") return t("phase_void");
  const { player, banker } = points;
  if (player === undefined) return "";
  const winner = outcome && mark(outcome);
  return html`<small>${winner}${` ${outcome === "player" ? `${player} : ${banker}` : `${banker} : ${player}`}`}</small>`;
}

function line(row, held, decisions, chosen, asked) {
  const options = may("choose").filter((one) => one.command.player === row.player);
  const chooser = held.choosers.find((one) => one.player === row.player);
  const mine = decisions.map((one) => one.results.find((found) => keyOf(found) === keyOf(row)));
  const cells = mine.map((one, place) =>
    html`<td class="r net${decisions[place].key === chosen ? " pick" : ""}">${amount(one)}</td>`,
  );
  const back = mine.find((one) => one?.asked);
  return html`<tr class=${options.length ? "hot" : null}>
    ${boxCell(row.box)}
    <td class="who">${who(row)}</td>
    <td class="stk2">${(row.stakes ?? []).map(stakeLine)}</td>
    ${cells}
    ${asked
      ? [
          html`<td class="r same">${back && back.net_returned !== null ? signed(back.net_returned) : "–"}</td>`,
          html`<td class="r">${option(options, chooser)}</td>`,
        ]
      : []}
  </tr>`;
}

/** In dollars; of what is open, what is certain so far. */
function amount(one) {
  if (!one) return [html`<span class="same">–</span>`];
  const back = one.back ? html`<small>${t("pit_goes_back", { cents: money(one.back) })}</small>` : null;
  if (one.net !== null) return one.net ? [signed(one.net), back] : [html`<span class="same">0</span>`, back];
  return [one.certain ? signed(one.certain) : "", html`<small>${t("pit_still_open")}</small>`, back];
}

/** What a player chose, or a button for each choice, to be recorded for who says it. */
function option(options, chooser) {
  const lying = chooser?.stakes ?? [];
  if (options.length) return [html`<div class="go">${options.flatMap((one) => choices(one, lying))}</div>`];
  if (!chooser || chooser.choice === null) return [html`<span class="same">–</span>`];
  const kind = { continue: "ok", return: "soft" }[chooser.choice] ?? "amb";
  return [html`<span class=${kind}>${chooser.choice ? t(`choice_${chooser.choice}`) : t("choice_open")}</span>`];
}

/** A button for the choice; where wagers may come off singly, one for each of them too. */
function choices(one, lying) {
  const { by, ...body } = one.command;
  const singly = one.free?.includes("wagers") && lying.length > 1 ? lying : [];
  const ways = [
    [t(`choose_${body.choice}`), body],
    ...singly.map(
      (stake) => [t("return_one", { bet: betName(stake.bet) }), { ...body, wagers: [[stake.box, stake.bet]] }],
    ),
  ];
  return ways.map(([name, asked]) => {
    const send = () => andRefresh(does(asked, t("done")));
    const spoken = `${body.player}: ${name}`;
    return html`<button class="btn sm" type="button" aria-label=${spoken} @click=${send}>${name}</button>`;
  });
}

/** What follows from each decision, in words with its paragraphs. */
export const notes = (decisions) =>
  html`<ul class="notes2">
    ${decisions
      .filter((one) => one.notes.length)
      .map((one) =>
        html`<li>
          <b>${decisionName(one)}: </b>
          ${one.notes.flatMap((note) => [...told(note, slug()), "; "]).slice(0, -1)}
        </li>`,
      )}
  </ul>`;
