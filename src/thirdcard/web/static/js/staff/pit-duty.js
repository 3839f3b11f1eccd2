// Who deals, and when somebody is to relieve them.

import { ask, get } from "../api.js";
import { draw, html } from "../draw.js";
import { book, table } from "../state.js";
import { hour, now } from "./pit-clock.js";
import { refresh } from "./desk.js";
import { attempt, columns, field, formOf, select, t } from "./say.js";

const DAY = 86_400_000_000; // microseconds
let shown = "";

/** Who deals now, and a form to plan the relief. */
export async function showDuty(place, duty) {
  const key = JSON.stringify(duty);
  if (key === shown) return;
  shown = key;
  if (!duty) {
    draw(place, html`<p class="hint">${t("pit_deals_itself")}</p>`);
    return;
  }
  const people = await get(`/api/tables/${table.id}/staff`);
  const free = people.filter((one) => one.name !== duty.dealer);
  const told = duty.dealer
    ? t("pit_deals_since", { player: duty.dealer, time: hour(duty.since) })
    : t("pit_nobody_deals");
  const when = duty.relief_at ? t("pit_relief_at", { time: hour(duty.relief_at) }) : t("pit_relief_none");
  const who = duty.relief_by ? t("pit_relief_by", { player: duty.relief_by }) : "";
  const time = html`<input name="at" type="time" required .value=${duty.relief_at ? hour(duty.relief_at) : ""}>`;
  const options = free.map(
    (one) => [
      one.name,
      one.deals_at ? t("pit_deals_at", { player: one.name, table: one.deals_at }) : one.name,
      one.name === duty.relief_by,
    ],
  );
  draw(
    place,
    html`<p>${[told, when, who].filter(Boolean).join(" · ")}</p>`,
    formOf(
      (given) => plan(given),
      columns(
        field(t("pit_relief_when"), time),
        field(t("pit_relief_who"), select([["", t("pit_anybody")], ...options], { name: "dealer" })),
      ),
      html`<button class="btn sm" type="submit">${t("pit_relief_plan")}</button>`,
    ),
  );
}

/** The next time that the clock shows this, in microseconds. */
function next(text) {
  const [hours, minutes] = text.split(":").map(Number);
  const day = new Date(now() / 1000);
  day.setHours(hours, minutes, 0, 0);
  const at = day.getTime() * 1000;
  return at > now() - DAY / 48 ? at : at + DAY;
}

async function plan(given) {
  const body = { at: next(String(given.get("at"))), dealer: given.get("dealer") };
  await attempt(() => ask("POST", `/api/tables/${table.id}/relief`, body), book(), t("done"));
  refresh();
}
