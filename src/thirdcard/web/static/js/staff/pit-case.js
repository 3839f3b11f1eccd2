// A case: what was reported and in whose words, who may decide it, its steps, and the record since the stop.

import { get } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, icon } from "../draw.js";
import { book, table } from "../state.js";
import { betName, language, otherLang, own, phrase } from "../words.js";
import { andRefresh, posts } from "./desk.js";
import { rows } from "./parts.js";
import { hour, lasted, stateName } from "./pit-watch.js";
import { cites, clock, t, told } from "./say.js";

// What board and players read: one of a fixed list of sentences, in both languages, chosen and never typed.

const list = $("#sentences").content.firstElementChild;
/** @type {HTMLSelectElement} */
let which = null;
let shown = null;

/** The sentence of that key in both languages. */
function lines(key) {
  const { textContent, dataset } = $(`option[value="${key}"]`, list);
  return [html`<b>${textContent}</b>`, html`<em lang=${otherLang}>${dataset.beside}</em>`];
}

export function showPublic(place) {
  const { saying = "", title } = table.seen.house;
  if (shown === saying) return;
  shown = saying;
  which ??= sentences();
  const seen = saying ? [...lines(saying), html`<span>${title}</span>`] : [html`<span>${t("pit_say_silent")}</span>`];
  draw(
    place,
    html`<div class="pubv" aria-live="polite">${seen}</div>`,
    html`<div class="says1">
      ${which}
      <button type="button" class="btn" @click=${() => say(which.value)}>${t("pit_say_it")}</button>
    </div>`,
  );
}

/** Say it to everybody; nothing if it is empty. */
export const say = (sentence) => posts("say", { sentence }, t("done"));

/** The list, to choose from with a ruling. */
export function sentences() {
  const made = /** @type {HTMLSelectElement} */ (list.cloneNode(true));
  made.setAttribute("aria-label", t("pit_say_which"));
  return made;
}

const slug = book;
export const titleOf = (held) => own("cases", held.case, held.title);

/** One tab a case, where there are several. */
export function tabs(cases, shown, choose) {
  return cases.map((one, number) =>
    html`<button
      type="button"
      class="ctab"
      role="tab"
      aria-selected=${String(number === shown)}
      @click=${() => choose(number)}
    >
      <span class="n">${number + 1}</span>
      <span><b>${titleOf(one)}</b><small>${standing(one)}</small></span>
      <em data-lasts=${one.reported_at} .textContent=${lasted(one.reported_at)}></em>
    </button>`,
  );
}

function standing(one) {
  if (one.ruled) return t("pit_case_ruled");
  if (one.passed_to && !one.taken_by) return t("pit_case_passed", { to: own("ranks", one.passed_to, one.passed_to) });
  const first = one.first ? t("pit_case_first") : t("pit_case_waits");
  return one.taken_by ? `${t("pit_case_taken", { player: one.taken_by })} · ${first}` : first;
}

/** What is to be decided, and for how long the table has stood still. */
export function head(held, number, count, seen) {
  const { round, shoe, house: { title } } = table.seen;
  const stoppedAt = seen?.stopped_at || held?.reported_at;
  const place = [t("pit_round_of", { round }), shoe && t("pit_shoe_of", { shoe })].filter(Boolean).join(" · ");
  const name = seen ? stateName(seen) : title;
  if (!held)
    return [html`<div><span class="eyebrow">${place}</span><h1 class="serif">${name}</h1></div>`];
  const facts = { number: number + 1, count, time: clock(held.reported_at), player: held.reported_by };
  const take = () => andRefresh(posts("cases/take", { case: held.case }, t("done")));
  return [
    html`<div>
      <span class="eyebrow">${`${t("pit_case_of", facts)} · ${place}`}</span>
      <h1 class="serif">${titleOf(held)}${cites(held.rules, slug())}</h1>
    </div>`,
    html`<div class="stopf">
      ${held.take.may && html`<button type="button" class="btn warn sm" @click=${take}>${t(held.taken_by ? "pit_take_over" : "pit_take_case")}</button>`}
      <div>
        <b data-lasts=${stoppedAt} .textContent=${lasted(stoppedAt)}></b>
        <span>${t("pit_stopped_since", { time: clock(stoppedAt) })}</span>
      </div>
    </div>`,
  ];
}

/** The dealer's own words, and what is known of it. */
export function wrote(held) {
  const facts = Object.entries(held.facts).map(([name, value]) => phrase(`fact_${name}_${value}`));
  if (held.decided_by) facts.push(t("decided_by", { bet: betName(held.decided_by) }));
  if (held.drawn) facts.push(t("drawn_besides", { count: held.drawn }));
  return [
    held.reported_at &&
      html`<span class="eyebrow">
        ${t("pit_dealer_wrote", { player: held.reported_by, time: clock(held.reported_at) })}
      </span>`,
    held.note ? html`<q>${held.note}</q>` : html`<p class="muted">${t("pit_wrote_nothing")}</p>`,
    html`<div class="fx">${facts.map((one) => html`<span class="stamp">${one}</span>`)}</div>`,
    held.taken_by && html`<p class="hint">${t("pit_case_taken", { player: held.taken_by })}</p>`,
    held.passed_to &&
      html`<p class="hint">${t("pit_case_passed", { to: own("ranks", held.passed_to, held.passed_to) })}</p>`,
  ].filter(Boolean);
}

/** The ruling step by step: what is done, what is due now, what comes; paragraphs where others begin to hold. */
export const steps = (held) =>
  held.steps.map((one, place) => {
    const rules = String(one.rules) === String(held.steps[place - 1]?.rules) ? [] : one.rules;
    const kind = { done: "ok", now: "here" }[one.state] ?? "";
    return html`<li class=${kind}><span>${stepText(one)}${cites(rules, slug())}</span></li>`;
  });

function stepText({ kind, facts }) {
  if (kind === "fact") return phrase(`fact_${facts.name}_${facts.value}`);
  if (kind === "established") return t("decided_by", { bet: betName(facts.bet) });
  if (kind === "remedy") {
    const said = own("remedies", facts.remedy, facts.sentence);
    return facts.of ? `${said} (${t("answered", { done: facts.done, all: facts.of })})` : said;
  }
  return t(`pit_step_${kind}`, { rank: facts.rank ?? "" });
}

/** Who may decide, by their exact ranks. */
export const ladder = (rungs) =>
  html`<ul class="lad">
    ${rungs.map((rung) =>
      html`<li class="${rung.may ? "yes" : "no"}${rung.you ? " you" : ""}">
        ${own("ranks", rung.rank, rung.title)}
        <small>${rung.you ? t("you") : rung.may ? t("may") : t("may_not")}</small>
      </li>`,
    )}
  </ul>`;

/** What everybody concerned may do now and why, or why not; what one reason decides for somebody is one line. */
export function rights(held) {
  const lines = new Map();
  for (const one of held.rights) {
    const key = JSON.stringify([one.person, one.may, one.because, one.rules]);
    lines.set(key, { ...one, things: [...(lines.get(key)?.things ?? []), one.what] });
  }
  const line = ({ person, things, may, because, rules }) =>
    html`<tr>
      <td>${person}</td>
      <td>${things.join(phrase("list_join"))}</td>
      <td>${t(may ? "may" : "may_not")}</td>
      <td>${because}${cites(rules, slug())}</td>
    </tr>`;
  return rows("rights", [t("who"), t("pit_right"), t("pit_may"), t("pit_because")], ...[...lines.values()].map(line));
}

/** How two cases bear on each other. */
export function meeting(held) {
  if (!held.meets) return null;
  return html`<p class="meet"><b>${t("pit_how_they_meet")}</b> ${told(held.meets, slug())}</p>`;
}

/** What happened since the round was stopped, the newest first; without a stop, of the whole round. */
export async function record(since) {
  const steps = await get(`/api/tables/${table.id}/record?lang=${language}`);
  const lines = steps.filter((one) => one.told.length && one.at >= since).reverse();
  return lines.map((one) =>
    html`<li>
      <time title=${hour(one.at)}>${clock(one.at)}</time>
      <span>
        ${one.told.join(" · ")}${one.by && !one.told[0].startsWith(one.by) ? ` (${one.by})` : ""}
        ${cites(one.rules, slug())}
      </span>
    </li>`,
  );
}

/** A word on where something goes that is typed. */
export const goesTo = (label, where, kind, sign) =>
  html`<span class="lbl">${label}<span class=${`stamp ${kind}`.trim()}>${icon(sign)}${where}</span></span>`;
