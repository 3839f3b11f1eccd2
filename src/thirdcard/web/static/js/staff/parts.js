// What the desk's panels are made of: headings, rows, ticks, chips, a PIN, cards by keypad.

import { $, html as element } from "../dom.js";
import { html, icon, node } from "../draw.js";
import { CHIPS, chipsOf, isRed, rankName, RANKS, SUITS } from "../facts.js";
import { table } from "../state.js";
import { bet, cardName, odds, own } from "../words.js";
import { card, cardRow, cards, field, glyph, mark, money, signed, t } from "./say.js";

const sheet = $("#staff").dataset.cards;
const PIN_DIGITS = 6;

/** How a control says which key does the same. */
export const key = (name) => name && html`<kbd class="key">${name}</kbd>`;

/** The required button while there is nothing to press. */
export const inert = (label) => ({ label, enabled: false, key: "" });

/** A panel under a heading; `small` stands beside it. */
export const panel = (kind, title, small, ...inside) =>
  html`<section class=${`panel ${kind}`.trim()}>
    <h2>${title}${small && html`<small>${small}</small>`}</h2>
    ${inside}
  </section>`;

/** Rows under column headings; a heading is its words, or words and a class. */
export function rows(kind, heads, ...lines) {
  const head = heads.map((one) => [one].flat()).map(([text, of]) => html`<th scope="col" class=${of}>${text}</th>`);
  return html`<table class="tb ${kind}"><thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table>`;
}

/** What may be longer than there is room for, and is scrolled by keys too. */
export const scrolled = (kind, label, inside) => html`<div class=${kind} tabindex="0" role="region" aria-label=${label}>${inside}</div>`;

/** Everybody with chips on the layout, box by box, insurance with the bets; late chips where they are asked for. */
export function people(stakes, { late = [] } = {}) {
  const found = new Map();
  const add = (one, standing, more) => {
    const key = `${one.box}/${one.player}`;
    if (!found.has(key)) found.set(key, { box: one.box, player: one.player, standing, stakes: [] });
    found.get(key).stakes.push({ ...one, ...more });
  };
  for (const one of stakes) add(one, !one.seated);
  for (const one of late) add(one, !one.seated, { late: true });
  for (const one of table.seen.purchases) add(one, table.seen.seats[one.box] !== one.player, { bet: `${one.hand}-insurance` });
  return [...found.values()].sort((a, b) => a.box - b.box || Number(a.standing) - Number(b.standing));
}

/** A hand of the round under its name and points, with what stands beside these and behind its cards. */
export function handOf(side, name, { kind = "hh", told = "", slot = null } = {}) {
  const { cards, points } = table.seen;
  const mine = cards.filter((one) => one.hand === side);
  const holder = mine.find((one) => one.held_by && !one.exposed)?.held_by;
  const small = holder ? t("held_by", { player: holder }) : told;
  return html`<div class=${kind}>
    <h2 class="hl">
      ${mark(side)}
      ${name !== bet(side).zh && html`<span>${name}</span>`}
      <b>${points[side] ?? (mine.length ? "?" : "–")}</b>
      ${small && html`<small>${small}</small>`}
    </h2>
    ${cardRow(mine.map((one) => one.card), slot)}
  </div>`;
}

/** After a correction: what each gets, or gives back; nothing if it changed nothing for anybody. */
export const differences = (found) =>
  !!found.length &&
  scrolled("scroll", t("differences"), rows(
    "differ",
    [t("differences"), [t("before"), "r"], [t("after"), "r"], [t("difference"), "r"]],
    ...found.map((one) =>
      html`<tr>
        <th scope="row">${one.player}</th>
        <td class="r">${signed(one.before)}</td>
        <td class="r">${signed(one.after)}</td>
        <td class="r net">
          ${t(one.difference > 0 ? "difference_pay" : "difference_collect", { amount: money(Math.abs(one.difference)) })}
        </td>
      </tr>`,
    ),
  ));

/** A tick as it stands, where it is no control. */
export const ticked = (on, kind = "") =>
  html`<span class=${`tick ${on ? "on" : kind}`.trim()} aria-hidden="true">${on && icon("check")}</span>`;

/** A button that is a tick. */
export const tick = (label, on, run, kind = "") =>
  html`<button
    type="button"
    class=${`tick ${on ? "on" : kind}`.trim()}
    aria-pressed=${String(on)}
    aria-label=${label}
    @click=${run}
  >${on && icon("check")}</button>`;

/** Chips of an amount, `[[cents, count], …]`. */
export const chipRow = (chips, size) =>
  html`<span class="brk">
    ${chips.map(
      ([cents, count]) => html`<span>${chipOf(cents, size)}<em>${count}<i>×</i>${money(cents)}</em></span>`,
    )}
  </span>`;

/** One chip as it looks; of a value that none is drawn for, nothing. */
export function chipOf(cents, size) {
  if (!CHIPS.includes(cents)) return null;
  return html`<svg class="chp" viewBox="0 0 104 104" width=${size} height=${size} aria-hidden="true">
    <use href="${sheet}#chip-${cents / 100}" width="104" height="104"></use>
  </svg>`;
}

/** The same amount with one of the largest chips changed into smaller ones, `times` over; then as it was. */
export function otherChips(chips, times) {
  let made = chips;
  for (let number = 0; number < times; number++) {
    const [largest] = made.find(([cents]) => cents > CHIPS[0]) ?? [];
    if (!largest) return chips;
    const counts = new Map(made);
    counts.set(largest, counts.get(largest) - 1);
    for (const [value, count] of chipsOf(largest, CHIPS.filter((one) => one < largest))) {
      counts.set(value, (counts.get(value) ?? 0) + count);
    }
    made = [...counts].filter(([, count]) => count).sort(([a], [b]) => b - a);
  }
  return made;
}

/** Bets with what becomes of them, as a dealer says it. */
export function betLines(lines) {
  return lines.flatMap((line, number) => [
    number ? " · " : "",
    glyph(line.bet, line.window),
    " ",
    line.net > 0 && line.odds
      ? t("pay_at", { stake: money(line.stake), odds: odds(line.odds) })
      : `${money(line.stake)} ${line.net ? signed(line.net) : t(`result_${line.result}`)}`,
  ]);
}

/** Somebody at a box; who stands behind it is said so. */
export const who = ({ player, standing }) => (standing ? t("standing", { player }) : player);

export const boxCell = (box) => html`<td><b class="bn">${box}</b></td>`;

/** Somebody a row: the box, who with what is told `beneath`, and a figure under its heading. */
export const byPerson = (everybody, heading, beneath, figure) =>
  rows("sm7", [t("box"), t("who"), [heading, "r"]], ...everybody.map((one) =>
    html`<tr>${boxCell(one.box)}<td>${who(one)}${beneath(one)}</td><td class="r net">${figure(one)}</td></tr>`,
  ));

/** The field for somebody's own PIN. */
export const pinField = (label, name = "pin") =>
  field(
    label,
    html`<input
      name=${name}
      type="password"
      class="pin6"
      inputmode="numeric"
      autocomplete="off"
      required
      maxlength=${PIN_DIGITS}
      pattern="[0-9]{${PIN_DIGITS}}"
      title=${t("pin_digits")}
    >`,
  );

/** The cards that came out besides, by case; those of the case that is looked at are in question. */
export const beside = (cases, shown = 0) =>
  cases.flatMap((held, number) => {
    const apart = held.cards.filter((one) => !one.recorded);
    const name = number === shown ? t("pit_in_question") : t("pit_of_case", { number: number + 1 });
    if (!apart.length) return [];
    return html`<div class="togp">
      <span class="eyebrow">${name}</span>
      <div class="tog">${apart.map((one) => card(one.card))}</div>
    </div>`;
  });

// Cards by keypad ----------------------------------------------------------------------------------------------

export const UNSEEN = "??";

/** Cards as they are typed or pressed, `10S 9C ??`; null if one of them is no card. */
export function cardsIn(text) {
  const found = text.split(/[\s,]+/).filter(Boolean).map((one) => (one === UNSEEN ? null : (cards(one)?.[0] ?? "")));
  return found.includes("") ? null : found;
}

/** A field for cards with a keypad of its own; `unseen` where a card may be one that nobody has seen. */
export function cardField(label, attributes, { unseen = false } = {}) {
  const input = element("input", { class: "cards-in", autocomplete: "off", spellcheck: "false", ...attributes });
  const told = node(html`<small class="hint" aria-live="polite"></small>`);
  const tell = () => {
    const found = cardsIn(input.value);
    if (found) input.removeAttribute("aria-invalid");
    told.textContent = found ? found.map((one) => cardName(one)).join(", ") : t("no_cards");
  };
  const put = (text) => {
    const open = /(^|[\s,])(10|[A2-9TJQKa-z])$/.test(input.value);
    input.value += open || !input.value ? text : ` ${text}`;
    input.setSelectionRange(input.value.length, input.value.length);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  input.addEventListener("input", tell);
  const press = (text, shown, name, kind = "") =>
    html`<button type="button" class=${`kp ${kind}`.trim()} aria-label=${name} @click=${() => put(text)}>
      ${shown}
    </button>`;
  const erase = () => {
    input.value = input.value.trimEnd().replace(/(10|\?\?|.)$/, "").trimEnd();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const rub = html`<button type="button" class="btn sm" @click=${erase}>${icon("undo")}${t("erase")}</button>`;
  const pad = html`<div class="minipad" role="group" aria-label=${label}>
    ${RANKS.map(rankName).map((rank) => press(rank, rank, rank))}
    ${Object.entries(SUITS).map(
      ([suit, mark]) => press(suit, mark, own("cards", `suit-${suit}`), isRed(suit) ? "red" : ""),
    )}
    ${unseen && press(UNSEEN, UNSEEN, t("card_unseen"))}
  </div>`;
  return html`<div class="field cardfield">
    <label><span class="eyebrow">${label}</span>${input}</label>
    ${rub}${pad}${told}
  </div>`;
}
