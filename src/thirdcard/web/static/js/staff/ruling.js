// The decision on a case: which one, whatever it leaves to a person, what the public reads, and the private reason.

import { ask } from "../api.js";
import { $$ } from "../dom.js";
import { draw, html, node } from "../draw.js";
import { book, table } from "../state.js";
import { betName } from "../words.js";
import { deliberate } from "./deliberate.js";
import { andRefresh, does } from "./desk.js";
import { goesTo, say, sentences } from "./pit-case.js";
import { decisionName } from "./pit-watch.js";
import { cards, cents, check, cites, field, formOf, money, t } from "./say.js";

const FEW = 2; // decisions that stand side by side
const TYPED = ["stakes", "amounts", "names", "substitutes", "order", "intended"];
const WAIT_MS = 300; // after the last key, before what was typed is worked out
const slug = book;

/**
 * The form for a case. `choose` is told which decision is looked at; `worked` gets it anew, worked out with what was
 * typed.
 */
export function decision(place, held, { choose, worked }) {
  if (held.ruled) {
    const silent = held.choosers.filter((one) => one.choice === "").map((one) => one.player);
    const text = silent.length ? t("waits_for", { players: silent.join(", ") }) : t("carried_out");
    draw(place, html`<p class="hint">${text}</p>`);
    return;
  }
  let chosen = null;
  let timer = 0;
  const parts = node(html`<div class="dec"></div>`);
  const refused = node(html`<p class="wrong" role="status" hidden></p>`);
  const public_ = sentences();
  const reason = node(html`<textarea name="reason" rows="2" maxlength="400"></textarea>`);
  const why = node(html`<p class="hint" aria-live="polite"></p>`);
  const form = node(html`<form class="dec">
    ${choices(held, pick)}${parts}
    <label class="field">
      ${goesTo(t("pit_said_in_public"), t("pit_who_public"), "g", "board")}${public_}
    </label>
    <label class="field">${goesTo(t("pit_reason_own"), t("pit_who_private"), "", "lock")}${reason}</label>
    ${refused}
  </form>`);
  form.addEventListener("submit", (event) => event.preventDefault());
  const rule = deliberate(
    t("rule"),
    () => {
      const inputs = chosen && said(chosen, form);
      return inputs && { command: "rule", inputs };
    },
    {
      done: async () => {
        if (public_.value) await say(public_.value);
      },
    },
  );

  function pick(one) {
    chosen = one;
    draw(parts); // what was typed for another decision goes
    draw(parts, asked(one, held));
    if (!public_.dataset.touched) public_.value = fitting(one);
    choose(one.key);
    state();
    work();
  }

  /** What is missing, or whose rank it takes. */
  function state() {
    if (!chosen) {
      rule.set(t("rule"), false);
      draw(why, t("pit_choose_decision"));
      return;
    }
    const { power } = chosen;
    const reasonless = chosen.asks.includes("reason") && !reason.value.trim();
    const inputs = said(chosen, form);
    rule.set(t("pit_rule_so", { what: chosen.title.sentence }), power.may && !reasonless && inputs !== null && refused.hidden);
    draw(why, power.may
      ? [reasonless ? t("give_reason") : inputs === null ? t("cannot_read") : t("pit_no_key")]
      : [t("takes_rank", { rank: power.why }), ...cites(power.rules, slug())]);
  }

  /** What was typed, worked out before anything is ruled. */
  function work() {
    clearTimeout(timer);
    refused.hidden = true;
    if (!chosen.asks.some((name) => TYPED.includes(name))) return;
    timer = setTimeout(async () => {
      const [looked, inputs] = [chosen, said(chosen, form)];
      if (inputs === null) return;
      let found;
      try {
        found = await ask("POST", `/api/tables/${table.id}/consequences`, { inputs });
      } catch {
        return; // the ruling itself is refused with the reason
      }
      if (chosen !== looked) return;
      if (found.decision) worked({ ...found.decision, key: looked.key, title: looked.title });
      refused.hidden = !found.refusal;
      if (found.refusal) {
        const { sentence, rules } = found.refusal;
        draw(refused, sentence, cites(rules, slug()));
      }
      state();
    }, WAIT_MS);
  }

  public_.addEventListener("change", () => (public_.dataset.touched = "yes"));
  form.addEventListener("input", ({ target }) => {
    if (!chosen || target === public_) return;
    state();
    if (target !== reason && target.name !== "decision") work();
  });
  draw(place, form, rule.made, why);
  const only = held.decisions.filter((one) => !one.override);
  if (only.length === 1) pick(only[0]);
  else state();
}

/** The sentence for the public that fits a decision. */
function fitting(one) {
  if (one.outcome === "void" || one.inputs.action === "void") return "round-void";
  return one.inputs.order?.length ? "order-named" : "";
}

/** Every decision, those that set a reading aside apart from the others. */
function choices(held, pick) {
  const usual = held.decisions.filter((one) => !one.override);
  const aside = held.decisions.filter((one) => one.override);
  const radio = (one) =>
    html`<input
      type="radio"
      name="decision"
      value=${one.key}
      @change=${() => pick(one)}
      ?checked=${usual.length === 1 && one === usual[0]}
    >`;
  const row = (one) => html`<label class="rank">
    ${radio(one)}
    <span>${decisionName(one)}${cites(one.title.rules, slug())}</span>
  </label>`;
  const made =
    usual.length > 1 && usual.length <= FEW
      ? html`<div class="seg" role="radiogroup" aria-label=${t("decision")}>
        ${usual.map((one) =>
          html`<label>${radio(one)}<span><span>${decisionName(one)}</span></span></label>`,
        )}
      </div>`
      : html`<div class="dec" role="radiogroup" aria-label=${t("decision")}>${usual.map(row)}</div>`;
  const readings = held.interpretations.flatMap((number) => [
    html`<a class="reading" href="/rules/interpretations#i-${number}" target="_blank" rel="noopener">
      ${t("pit_reading", { number })}
    </a>`,
    " ",
  ]);
  const more =
    aside.length &&
    html`<details class="more">
      <summary>${t("readings")}</summary>
      <div class="dec"><p>${readings}</p>${aside.map(row)}</div>
    </details>`;
  return more ? [made, more] : [made];
}

/** A part of the form with its own heading. */
const part = (legend, ...inside) => html`<fieldset class="field"><legend class="eyebrow">${legend}</legend>${inside}</fieldset>`;

/** The fields for what a decision leaves to the person. */
function asked(one, held) {
  const made = [];
  const asks = new Set(one.asks);
  if (asks.has("stakes")) {
    const rows = table.seen.stakes.map((stake, number) => stakeRow(stake, number, asks.has("amounts")));
    made.push(part(t("stakes_about"), ...rows));
  }
  if (asks.has("intended")) {
    const people = [...new Set(table.seen.stakes.map((stake) => stake.player))];
    made.push(part(t("intended"), ...people.map((player) => check(player, { name: "intended", value: player }))));
  }
  if (asks.has("order"))
    made.push(
      field(
        t("order_numbers", { count: held.in_question }),
        html`<input name="numbers" placeholder="2 1" inputmode="numeric" autocomplete="off">`,
      ),
    );
  if (asks.has("names") || asks.has("substitutes"))
    made.push(
      part(
        t("held_cards"),
        ...held.missing.map((place) =>
          field(
            t("substitute", { place }),
            html`<input name="lies" data-place=${place} placeholder="10S" autocomplete="off">`,
          ),
        ),
      ),
    );
  if (one.may_replace) made.push(check(t("replace_cards"), { name: "replace_cards" }));
  return made;
}

function stakeRow(stake, number, amounts) {
  const label = `${stake.box} ${stake.player} ${betName(stake.bet)} ${money(stake.cents)}`;
  const keeps =
    amounts &&
    html`<input
      name="amount"
      data-stake=${number}
      inputmode="decimal"
      placeholder=${t("keeps")}
      aria-label="${t("keeps")}: ${label}"
      autocomplete="off"
    >`;
  return html`<div class="row">${check(label, { name: "stakes", value: number })}${keeps}</div>`;
}

/** The ruling as it is sent; null if something that was typed cannot be read. */
function said(one, form) {
  const given = new FormData(form);
  const asks = new Set(one.asks);
  const inputs = { ...one.inputs };
  const reason = String(given.get("reason")).trim();
  if (reason) inputs.reason = reason;
  if (given.has("replace_cards")) inputs.replace_cards = true;
  const numbers = given.getAll("stakes").map(Number);
  const stakes = numbers.map((number) => table.seen.stakes[number]);
  if (asks.has("stakes")) inputs.stakes = stakes.map((stake) => [stake.player, stake.box, stake.bet]);
  if (asks.has("amounts")) {
    inputs.amounts = numbers.map((number) => cents($$(`[data-stake="${number}"]`, form)[0].value || "0"));
    if (inputs.amounts.includes(null)) return null;
  }
  if (asks.has("intended") && given.getAll("intended").length) inputs.intended = given.getAll("intended");
  if (asks.has("order")) {
    const places = String(given.get("numbers")).split(/[\s,]+/).filter(Boolean).map(Number);
    if (places.some((place) => !Number.isInteger(place))) return null;
    inputs.order = places;
  }
  const lies = $$("[name=lies]", form).filter((input) => input.value.trim());
  for (const name of ["names", "substitutes"]) {
    if (!asks.has(name) || !lies.length) continue;
    const found = lies.map((input) => [input.dataset.place, cards(input.value)?.[0]]);
    if (found.some(([, card]) => !card)) return null;
    inputs[name] = Object.fromEntries(found);
  }
  return inputs;
}

/** What else can be done about a case: passed up, dismissed or withdrawn with a reason, another one reported. */
export function showBeside(place, held, { pass, report }) {
  const withdraws = held.reported_by === table.me;
  const name = t(withdraws ? "pit_withdraw" : "pit_dismiss_short");
  const dismiss = async (given, form) => {
    const reason = String(given.get("dismissed")).trim();
    await andRefresh(does({ command: "dismiss", case: held.case, reason }, t("done")));
    form.hidden = true;
  };
  const form = node(formOf(
    dismiss,
    html`<label class="field">
      ${goesTo(t("pit_reason_own"), t("pit_who_private"), "", "lock")}
      <input name="dismissed" required maxlength="200" autocomplete="off">
    </label>`,
    html`<button class="btn" type="submit">${t(withdraws ? "pit_withdraw_report" : "dismiss")}</button>`,
  ));
  form.hidden = true;
  const open = () => {
    form.hidden = !form.hidden;
    if (!form.hidden) form.querySelector("input").focus();
  };
  draw(
    place,
    html`<div class="tri">
      <button
        type="button"
        class="btn"
        @click=${pass}
        id="pass-button"
        ?disabled=${!held.ranks_above.length}
        title="Alt U"
      >${t("pit_pass_up")}</button>
      <button type="button" class="btn" @click=${open} id="dismiss-button" ?disabled=${!held.dismiss.may}>
        ${`${name}…`}
      </button>
      <button type="button" class="btn" @click=${report}>${t("pit_report_another")}</button>
    </div>`,
    form,
    held.dismiss.may || held.ruled
      ? ""
      : html`<p class="hint">${held.dismiss.why}</p>`,
  );
}
