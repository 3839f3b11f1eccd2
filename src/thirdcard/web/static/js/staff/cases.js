// A case at the desk: who decides it, what each decision would do for everybody, and players' choices by their own
// buttons. What a dealer may decide is decided here; all else waits for the pit.

import { html, icon, listed, node } from "../draw.js";
import { book, table } from "../state.js";
import { betName, outcome, own, phrase } from "../words.js";
import { andRefresh, desk, does, may, posts } from "./desk.js";
import { boxCell, byPerson, inert, panel, rows } from "./parts.js";
import { badge, cards, cites, field, money, signed, stakeText, t, told } from "./say.js";
import { openPanel, redraw } from "./steps.js";

const cases = () => desk.seen?.cases ?? [];
const here = () => cases()[0];
const titled = (one) => own("cases", one.case, one.title);
const choosing = (one) => (one.ruled ? one.choosers.filter((player) => player.choice === "") : []);
const SAID_HERE = new Set(["reason", "names"]); // what a decision may ask for at the desk; all else is said at the pit
/** Decisions that this person may take here. */
const mine = (one) => (one.ruled ? [] : one.decisions.filter(
  (found) => found.power.may && found.asks.every((name) => SAID_HERE.has(name)),
));

export const step = {
  key: "case",
  now: () => !!here(),
  label: () => t("stopped"),
  required,
  answers,
  rail,
};

function required() {
  const one = here();
  const silent = choosing(one).map((player) => player.player);
  const common = { eyebrow: t("case_eyebrow", { round: table.seen.round }), amber: true };
  const report = { label: t("case_another"), run: another, key: "" };
  if (silent.length) {
    const players = silent.join(", ");
    return {
      ...common,
      title: t("case_ask", { players }),
      text: [t("case_ask_text"), ...cites(one.rules, book())],
      button: asked(silent),
      second: report,
    };
  }
  if (one.ruled) return {
    ...common,
    title: titled(one),
    text: [t("carried_out")],
    button: waiting(),
    second: report,
  };
  if (mine(one).length) return {
    ...common,
    title: t("case_yours", { title: titled(one) }),
    text: [t("case_yours_text"), ...cites(one.rules, book())],
    button: deciding(one),
    second: report,
  };
  const rank = one.decisions[0]?.power.why || decider(one);
  const taken = one.taken_by ? t("case_taken", { person: one.taken_by }) : t("case_waits", { rank });
  return {
    ...common,
    title: t("case_stopped", { title: titled(one) }),
    text: [taken, ...cites(one.rules, book())],
    button: waiting(),
    second: report,
  };
}

const decider = (one) => one.who?.find((rung) => rung.may)?.title ?? "";
const waiting = () => inert(t("waiting"));
const asked = (silent) => inert(t("case_to_ask", { count: silent.length }));
/** One decision is pressed here, one of several at the right; no key takes it. */
function deciding(one) {
  const [only, ...others] = mine(one);
  if (others.length) return inert(t("case_choose", { count: mine(one).length }));
  return { label: t("rule"), run: () => rule(only), enabled: !missing(only), key: "" };
}

async function another() {
  openPanel("report");
  return true;
}

/** At each box, who there has yet to choose. */
function answers(box) {
  const held = choosing(here()).filter((one) => one.stakes.some((stake) => stake.box === box));
  const staked = table.seen.stakes.some((one) => one.box === box);
  if (!held.length) return staked ? html`<div class="ansx na">${t("wrong_box")}</div>` : null;
  return held.map((one) => html`<div class="ansx wait">${icon("clock")}${t("case_box", { player: one.player })}</div>`);
}

// The right column ---------------------------------------------------------------------------------------------

function rail() {
  const one = here();
  return [about(one), choices(one), decisions(one), ...cases().slice(1).map(behind)].filter(Boolean);
}

function about(one) {
  const facts = Object.entries(one.facts).map(([name, value]) => factOf(name, value));
  return panel(
    "",
    titled(one),
    one.reported_by ? t("case_by", { player: one.reported_by }) : "",
    one.note && html`<blockquote class="padx note">${one.note}</blockquote>`,
    html`<ul class="plain padx">
      ${facts.filter(Boolean).map((text) => html`<li>${text}</li>`)}
      ${one.decided_by && html`<li>${t("decided_by", { bet: betName(one.decided_by) })}</li>`}
    </ul>`,
    !one.ruled && listed([one], (found) => found.case, withdraw),
  );
}

const factOf = (name, value) => {
  const text = phrase(`fact_${name}_${value}`);
  return text.startsWith("fact_") ? "" : text;
};

/** Take a report back: whoever may rule on it does; else the pit is asked to. */
function withdraw(one) {
  const mayDo = may("dismiss").some((found) => found.command.case === one.case);
  const send = async (given, form) => {
    const text = given.get("reason").trim();
    const note = t("case_dismiss_note", { title: titled(one), reason: text });
    const dismiss = () => does({ command: "dismiss", case: one.case, reason: text }, t("done"));
    if (await andRefresh(mayDo ? dismiss() : posts("call", { note }, t("called")))) form.reset();
  };
  const name = t(mayDo ? "case_withdraw" : "case_ask_pit");
  return html`<details class="more padx">
    <summary>${name}</summary>
    <form class="frm one" @submit=${send}>
      ${field(t("case_why_withdraw"), html`<input name="reason" required maxlength="200" autocomplete="off">`)}
      <button class="btn sm" type="submit">${name}</button>
    </form>
  </details>`;
}

/** Who may choose, each with buttons of their own; nothing is chosen beforehand. */
function choices(one) {
  if (!one.ruled || !one.choosers.length) return null;
  const line = (found) =>
    html`<tr class=${found.choice === "" ? "hot" : ""}>
      ${boxCell(found.stakes[0]?.box ?? "")}
      <td>${found.player}<small>${found.stakes.flatMap((stake) => [stakeText(stake), " "])}</small></td>
      <td class="r">${found.choice === "" ? chooserButtons(found) : t(`choice_${found.choice}`)}</td>
    </tr>`;
  const inOrder = one.choosers.toSorted((a, b) => (a.stakes[0]?.box ?? 0) - (b.stakes[0]?.box ?? 0));
  const answered = one.choosers.filter((found) => found.choice).length;
  return panel(
    "",
    t("options"),
    t("answered", { done: answered, all: one.choosers.length }),
    rows("ia", [t("box"), t("who"), [t("choice"), "r"]], ...inOrder.map(line)),
  );
}

function chooserButtons({ player, stakes }) {
  const listed = may("choose").filter((one) => one.command.player === player);
  const press = (label, body) => html`<button
    type="button"
    class="btn sm"
    data-theirs
    @click=${() => andRefresh(does({ command: "choose", player, ...body }))}
  >${label}</button>`;
  const singly = listed.some((one) => one.free?.includes("wagers")) && stakes.length > 1;
  return html`<div class="go">
    ${press(t("choose_continue"), { choice: "continue" })}${press(t("choose_return"), { choice: "return" })}
    ${singly ? stakes.map(
      (one) => press(t("return_one", { bet: betName(one.bet) }), { choice: "return", wagers: [[one.box, one.bet]] }),
    ) : []}
  </div>`;
}

// Decisions ----------------------------------------------------------------------------------------------------

let reason = null;
/** @type {Map<number, any>} */
const lies = new Map(); // the fields for cards that have no name yet, by place

/** What lies at the places that a decision asks about, as it is typed; null while one of them cannot be read. */
function named(one) {
  const found = one.missing.map((place) => [place, cards(lies.get(place)?.value ?? "")?.[0]]);
  return found.every(([, card]) => card) ? Object.fromEntries(found) : null;
}

/** A field for each card that a decision needs the name of. */
function namesOf(one) {
  for (const place of one.missing) {
    if (!lies.has(place)) lies.set(place, node(html`<input name="lies" placeholder="10S" autocomplete="off" @input=${redraw}>`));
  }
  return one.missing.map((place) => field(t("substitute", { place }), lies.get(place)));
}

function decisions(one) {
  const found = mine(one);
  if (!found.length) return null;
  reason ??= node(html`<textarea name="reason" rows="2" maxlength="400" @input=${redraw}></textarea>`);
  const asks = found.some((decision) => decision.asks.includes("reason"));
  return panel(
    "grow",
    t("decision"),
    t("case_decide_small"),
    asks && html`<div class="frm one">${field(t("reason"), reason)}</div>`,
    found.some((decision) => decision.asks.includes("names")) && html`<div class="frm">${namesOf(one)}</div>`,
    ...found.map(decided),
  );
}

/** What somebody is certain to win or lose while the rest is open. */
const sofar = (one) => (one.certain ? t("case_certain", { cents: signed(one.certain) }) : t("wrong_open"));
const missing = (found) =>
  (found.asks.includes("reason") && !reason?.value.trim()) || (found.asks.includes("names") && !named(here()));

function decided(found) {
  const beneath = (one) => [
    one.back > 0 && html`<small>${t("wrong_back", { cents: money(one.back) })}</small>`,
    one.asked && html`<small>${t("case_may_choose")}</small>`,
  ];
  const net = (one) => (one.net === null ? sofar(one) : signed(one.net));
  return html`<article class="decision">
    <h3>${found.outcome && badge(found.outcome)}<span>${told(found.title, book())}</span></h3>
    <p class="hint">
      ${found.remedies.map(([name, sentence]) => `${own("remedies", name, sentence)} `)}${cites(found.rules, book())}
    </p>
    ${found.outcome && html`<p class="hint">${outcome(found.outcome)}</p>`}
    ${found.results.length > 0 && byPerson(found.results, t("net"), beneath, net)}
    <button type="button" class="btn" ?disabled=${missing(found)} @click=${() => rule(found)}>
      ${t("rule")}
    </button>
  </article>`;
}

async function rule(found) {
  const inputs = { ...found.inputs };
  const text = reason?.value.trim();
  if (text) inputs.reason = text;
  if (found.asks.includes("names")) inputs.names = named(here());
  const done = await andRefresh(posts("rule", { inputs }, t("done")));
  if (done) {
    reason = null;
    lies.clear();
  }
  return done;
}

/** A case that waits behind this one. */
const behind = (one) => panel(
  "",
  titled(one),
  t("case_behind"),
  html`<p class="hint padx">${one.meets ? told(one.meets, book()) : []}</p>`,
  withdraw(one),
);
