// What the whole table has on each bet, as a quiet line at its spot: no names, no order, nothing that moves.

import { $, $$, html } from "./dom.js";
import { on, table } from "./state.js";
import { money, t } from "./words.js";

const totals = () => {
  const sums = {};
  for (const { bet, cents } of table.seen.stakes) sums[bet] = (sums[bet] ?? 0) + cents;
  return sums;
};

function show() {
  const sums = totals();
  const most = Math.max(1, ...Object.values(sums));
  for (const place of $$("table-felt .crowd")) line(place, sums[place.dataset.bet] ?? 0, most);
  for (const spot of $$("table-grid .pspot")) bar(spot, sums[spot.dataset.bet] ?? 0, most);
}

/** On the felt, where the drawing has a place for it. */
function line(place, sum, most) {
  const part = $(".part", place);
  part.setAttribute("stroke-dasharray", `${(100 * sum) / most} 200`);
  place.classList.toggle("some", sum > 0);
  const words = $("text", place);
  if (words) words.textContent = sum ? t("table_has", { amount: money(sum) }) : "";
}

/** In the grid of a narrow screen, along the foot of the spot. */
function bar(spot, sum, most) {
  const found = $(".crowd-bar", spot) ?? spot.appendChild(html("i", { class: "crowd-bar", "aria-hidden": "true" }, html("i")));
  found.hidden = !sum;
  found.firstChild.style.width = `${(100 * sum) / most}%`;
}

export function watchCrowd() {
  on("stakes", show);
  $("table-felt").addEventListener("drawn", show);
}
