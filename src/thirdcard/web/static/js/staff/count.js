// Chips counted by value: a row a chip, what is smaller in coins, and the sum.

import { $, $$ } from "../dom.js";
import { html, node } from "../draw.js";
import { TRAY } from "../facts.js";
import { chipOf, rows } from "./parts.js";
import { cents, money, t } from "./say.js";

const COINS = 1; // how the server calls what is smaller than any chip, in cents

const row = (value, name, control) => html`<tr>
  <td>${chipOf(value, 26)}</td>
  <td>${name}</td>
  <td class="r">${control}</td>
  <td class="r" data-value=${value}>–</td>
</tr>`;

const chips = (value) => row(value, money(value), html`<input
  name="count"
  data-cents=${value}
  inputmode="numeric"
  pattern="[0-9]*"
  maxlength="6"
  autocomplete="off"
  aria-label=${t("count_of", { chip: money(value) })}
>`);

const coins = () => row(COINS, t("count_coins"), html`<input
  name="count"
  data-cents=${COINS}
  inputmode="decimal"
  pattern="[0-9]*([.][0-9]{1,2})?"
  maxlength="9"
  autocomplete="off"
  aria-label=${t("count_coins")}
>`);

/** A table to fill in, and what is in it. */
export function counting() {
  const made = node(html`<div class="counting">${rows(
    "flt",
    [t("count_chip"), html`<span class="hidden">${t("count_value")}</span>`, [t("count_count"), "r"], [t("count_value"), "r"]],
    ...TRAY.toReversed().map(chips),
    coins(),
  )}<p class="sumline"><span>${t("count_counted")}<b class="gold">${money(0)}</b></span></p></div>`);
  const fields = () => $$("[name=count]", made);
  const pieces = () => Object.fromEntries(fields().filter((one) => one.value).map((one) => [
    one.dataset.cents,
    Number(one.dataset.cents) === COINS ? (cents(one.value) ?? 0) : Number(one.value) || 0,
  ]));
  const sum = () => Object.entries(pieces()).reduce((all, [value, count]) => all + Number(value) * count, 0);
  const show = () => {
    const found = pieces();
    for (const one of fields()) {
      const value = one.dataset.cents;
      $(`[data-value="${value}"]`, made).textContent = value in found ? money(Number(value) * found[value]) : "–";
    }
    $("b.gold", made).textContent = money(sum());
  };
  made.addEventListener("input", show);
  return {
    made,
    pieces,
    sum,
    filled: () => fields().some((one) => one.value),
    clear() {
      for (const one of fields()) one.value = "";
      show();
    },
  };
}
