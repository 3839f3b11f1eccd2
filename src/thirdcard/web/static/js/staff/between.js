// What lies on the felt between rounds: the roads, and how the last round came out.

import { get } from "../api.js";
import { draw, html, node } from "../draw.js";
import { watchRoads } from "../roads.js";
import { recallRound, table } from "../state.js";
import { outcome } from "../words.js";
import { badge, t } from "./say.js";

let roads = null;

/** The bead plate and the big road beside the last result. */
export function below() {
  if (!roads) {
    roads = node(html`<div class="roads"></div>`);
    watchRoads(roads, `/tables/${table.id}/roads`);
    recall();
  }
  draw(row, roads, lastRound());
  return [row];
}

/** The round before this page was opened, if there was one. */
async function recall() {
  const [record] = await get(`/api/tables/${table.id}/rounds?limit=1`);
  if (record) recallRound(record);
}

const row = node(html`<div class="roadrow"></div>`);

function lastRound() {
  const { last } = table;
  if (!last) return html`<div class="lastr"><span class="eyebrow">${t("no_round_yet")}</span></div>`;
  const { settlement, round } = last;
  const tie = settlement.outcome === "tie";
  const facts = {
    outcome: outcome(settlement.outcome),
    high: Math.max(settlement.player, settlement.banker),
    low: Math.min(settlement.player, settlement.banker),
  };
  return html`<div class="lastr">
    <span class="eyebrow">${t("round_of", { round })}</span>
    <span class="serif">${badge(settlement.outcome)}${t(tie ? "last_tie" : "last_result", facts)}</span>
  </div>`;
}
