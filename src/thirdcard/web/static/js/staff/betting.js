// Bets are open: what has to be cleared before they close, and chips recorded as they lie for people without a device.

import { $ } from "../dom.js";
import { html, icon, listed } from "../draw.js";
import { TRAY } from "../facts.js";
import { book, table } from "../state.js";
import { bet, betName } from "../words.js";
import { below } from "./between.js";
import { rest } from "./dealing.js";
import { desk, does, may } from "./desk.js";
import { chipOf, key as keyHint, panel } from "./parts.js";
import { answer, cents, cites, glyph, money, t } from "./say.js";
import { seatForm, startSeating } from "./seating.js";
import { boxOf, flagWords, onPick, seated, stakesIn } from "./seats.js";
import { sideRail } from "./shoe.js";
import { play } from "./sounds.js";
import { perform, redraw, secondsLeft } from "./steps.js";

const LAID = TRAY.slice(1, -1); // chips that are laid by a press
const flags = () => desk.seen.flags ?? [];

// What has to be cleared ----------------------------------------------------------------------------------

/**
 * The command that clears a flag, without what it is called.
 * @param {Record<string, any>} remedy
 */
function asked({ ...remedy }) {
  delete remedy.key;
  return remedy;
}
const label = (flag, remedy) =>
  t(`remedy_${remedy.key}`, {
    cents: money(remedy.cents ?? flag.cents),
    player: remedy.player ?? "",
    least: money(flag.bet ? table.seen.limits[flag.bet].min : 0),
  });
/** Who decides: the player whose bet is too small, the pit where the rules say so, else the dealer. */
const theirs = (flag) => flag.kind === "under-minimum";
const ours = (flag) => !theirs(flag) && !flag.decides && flag.remedies.length > 0;
/** What this person may do about it. */
const open = (flag) => (flag.decides ? flag.remedies.filter((one) => may(one.command).length > 0) : flag.remedies);

const flagKey = (flag) => `${flag.kind}/${flag.box}/${flag.players}/${flag.bet}`;
let told = ""; // the flags that were heard
function tick() {
  const now = flags().map(flagKey);
  if (now.some((one) => !told.includes(one))) play("tick");
  told = now.join();
}

function goesBack(flag) {
  return flag.back.flatMap(([player, , amount], place) => [
    place ? t("and_more") : "",
    html`<b>${`${player} ${money(amount)}`}</b>`,
  ]);
}

/** What is so, what goes back to whom or who chooses. */
function flagText(flag) {
  if (flag.decides && !open(flag).length) return [t("flag_pit_decides")];
  if (theirs(flag)) return [t("flag_player_chooses", { player: flag.players[0] })];
  if (!flag.back.length) return [t("flag_heavier", { bet: betName(flag.bet), players: flag.players.join(", ") })];
  return [t("goes_back"), " ", ...goesBack(flag)];
}

const flagTitle = (flag) => t(flag.box ? "flag_in_box" : "flag_in_table", { box: flag.box, what: flagWords(flag) });

function required() {
  const [first] = flags();
  const close = desk.seen.next.command?.command === "close";
  const rules = cites(desk.seen.next.rules, book());
  const eyebrow = t(table.seen.phase === "adjusting" ? "differential_eyebrow" : "bets_open_eyebrow");
  if (!first && !close && desk.seen.next.kind === "command") return rest.required();
  if (!first) {
    return {
      eyebrow,
      title: t(close ? "say_no_more_bets" : "next_wait"),
      text: close ? [t("bets_open_text"), ...rules] : [t("bets_open_wait")],
      timer: true,
      button: { label: t("go_close"), run: () => does({ command: "close" }), enabled: close, key: "Enter" },
    };
  }
  const one = ours(first);
  const [remedy] = first.remedies;
  return {
    eyebrow,
    title: flagTitle(first),
    text: [...flagText(first), ...cites(first.rules, book())],
    timer: true,
    amber: !one,
    button: one
      ? { label: label(first, remedy), run: () => does(asked(remedy)), key: "Enter" }
      : { label: t("go_close"), enabled: false, key: "Enter" },
    under: t("close_waits", { count: flags().length }),
  };
}

function flagRow(flag, place) {
  const first = place === 0 && ours(flag);
  return html`<li class=${place === 0 ? "first" : ""}>
    <b class="bn">${flag.box || "–"}</b>
    <div><b>${flagWords(flag)}</b><p>${flagText(flag)}${cites(flag.rules, book())}</p></div>
    <div class="go">
      ${first
        ? html`<span class="stamp a">${t("now")}</span>`
        : open(flag).map((remedy) =>
            html`<button
              class="btn sm"
              type="button"
              ?data-theirs=${theirs(flag)}
              @click=${() => perform(() => does(asked(remedy)))}
            >
              ${remedy.key === "return-excess" ? t("return_short", { cents: money(flag.cents) }) : label(flag, remedy)}
            </button>`,
          )}
    </div>
  </li>`;
}

function flagPanel() {
  const found = flags();
  if (!found.length) return null;
  const rows = html`<ul class="rows">${listed(found, flagKey, flagRow)}</ul>`;
  return panel("", t("flags_title"), t("flags_count", { count: found.length }), rows);
}

// Chips as they lie ---------------------------------------------------------------------------------------

const chosen = { player: "", box: 0, bet: "player" };

/** Everybody at the table with a box: seats first, then who stands. */
function people() {
  const all = desk.seen.players.filter((one) => !table.seen.gone.includes(one));
  return all.sort((a, b) => Number(seated(b)) - Number(seated(a)) || boxOf(a) - boxOf(b));
}

/** The field for the amount, while chips can be recorded. */
const typed = () => $(".chipform [name=cents]");

function choose(event) {
  chosen.player = event.target.value;
  chosen.box = boxOf(chosen.player) || 1;
  redraw();
}

onPick((box) => {
  const name = table.seen.seats[box];
  if (!typed() || !name) return;
  chosen.player = name;
  chosen.box = box;
});

function add(more) {
  typed().value = money((cents(typed().value) ?? 0) + more);
}

const lying = ({ player, box, bet: name }) =>
  stakesIn(box).find((one) => one.player === player && one.bet === name)?.cents ?? 0;

/** The amount that is filled in; null, and said so, if it is none. */
function amount() {
  const field = typed();
  const found = cents(field.value);
  if (!found) {
    answer(t("no_amount", { text: field.value || "–" }), { wrong: true });
    field.focus();
    return null;
  }
  return found;
}

/** Ask for it where it was meant to be when the dealer pressed, though somebody else may be chosen by now. */
async function send(body) {
  const field = typed();
  const { value } = field;
  if (!(await does(body))) return false;
  if (field.value !== value) return true; // the next amount is being typed
  field.value = "";
  field.blur(); // keys belong to the desk again
  return true;
}

function putDown() {
  const found = typed() ? amount() : null;
  const where = { ...chosen };
  if (found) perform(() => send({ command: "record-chips", ...where, cents: lying(where) + found }), { waits: true });
}

function takeBack() {
  const found = cents(typed().value);
  const body = { command: "take-back", ...chosen, ...(found ? { cents: found } : {}) };
  perform(() => send(body));
}

function chipForm() {
  const all = people();
  if (!all.includes(chosen.player)) {
    chosen.player = all.find((one) => one.startsWith("W-")) ?? all[0] ?? "";
    chosen.box = boxOf(chosen.player) || 1;
  }
  if (seated(chosen.player)) chosen.box = boxOf(chosen.player); // known of later than the name, or changed
  const nobody = !all.length;
  const option = (value, text, on) => html`<option value=${value} .selected=${on}>${text}</option>`;
  const named = (one) => (boxOf(one) ? t("box_and_name", { box: boxOf(one), player: one }) : one);
  const boxes = Array.from({ length: table.seen.positions }, (_, place) => place + 1);
  const values = LAID.filter((value) => value >= table.seen.house.chip_unit);
  const chip = (value) => html`<button
    type="button"
    aria-label=${t("add_chip", { cents: money(value) })}
    ?disabled=${nobody}
    @click=${() => add(value)}
  >${chipOf(value, 44)}</button>`;
  return html`<section class="panel chipform">
    <h2>${t("chips_lie")}<small>${t(nobody ? "nobody_plays" : "chips_lie_small")}</small></h2>
    <div class="lay">
      <div class="whobox">
        <label class="f">
          <span>${t("who")}</span>
          <select name="player" ?disabled=${nobody} @change=${choose}>
            ${all.map((one) => option(one, named(one), one === chosen.player))}
          </select>
        </label>
        <label class="f boxno" ?hidden=${!chosen.player || seated(chosen.player)}>
          <span>${t("box")}</span>
          <select name="box" ?disabled=${nobody} @change=${(event) => (chosen.box = Number(event.target.value))}>
            ${boxes.map((box) => option(box, box, box === chosen.box))}
          </select>
        </label>
      </div>
      <div class="f">
        <span>${t("bet")}</span>
        <div class="bets" role="group" aria-label=${t("bet")}>${table.seen.bets.map((name) => betButton(name, nobody))}</div>
      </div>
    </div>
    <div class="lay2">
      <div class="chprow">${values.map(chip)}</div>
      <label class="f">
        <span class="hidden">${t("amount")}</span>
        <input name="cents" inputmode="decimal" autocomplete="off" aria-label=${t("amount")} ?disabled=${nobody}>
      </label>
      <button class="btn" type="button" ?disabled=${nobody} @click=${takeBack}>${icon("undo")}${t("take_chips_back")}</button>
      <button class="btn" type="button" ?disabled=${nobody} @click=${putDown}>${t("put_down")}${keyHint("Alt ↵")}</button>
    </div>
  </section>`;
}

const betButton = (name, nobody) =>
  html`<button
    class="btn"
    type="button"
    aria-pressed=${String(name === chosen.bet)}
    aria-label=${betName(name)}
    title=${betName(name)}
    ?disabled=${nobody}
    @click=${() => {
      chosen.bet = name;
      redraw();
      $(`.chipform .bets [aria-pressed="true"]`)?.focus();
    }}
  >${bet(name).zh ? html`<span aria-hidden="true">${glyph(name)}</span>` : bet(name).en}</button>`;

export const step = {
  key: "betting",
  now: () => ["betting", "adjusting"].includes(table.seen.phase),
  label: () => (table.timer ? t("seconds", { seconds: secondsLeft() }) : ""),
  required() {
    tick();
    return required();
  },
  seat: startSeating,
  below,
  stage: chipForm,
  rail: () => [flagPanel(), seatForm(), sideRail()],
  keys(event) {
    if (event.altKey && event.key === "Enter") putDown();
    else return false;
    return true;
  },
};
