// What a table asks of the pit besides rulings: a call with the dealer's words, and chips that the pit decides on.

import { ask } from "../api.js";
import { draw, html, icon } from "../draw.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { betName } from "../words.js";
import { desk, refresh } from "./desk.js";
import { lasted } from "./pit-clock.js";
import { attempt, cites, money, t } from "./say.js";

/** The dealer's call; play goes on meanwhile. */
export function showCall(place, call) {
  const { called } = table.seen.house;
  const { note = "called", at: since = 0 } = call ?? {};
  place.hidden = !called;
  const lasting = since > 0 && html`<small data-lasts=${since} .textContent=${lasted(since)}></small>`;
  const come = () => attempt(() => ask("POST", `/api/tables/${table.id}/call/answer`), book(), t("done"));
  draw(
    place,
    html`<h2>
      ${icon("alert")} ${t("pit_call_title")} ${lasting}
    </h2>`,
    note === "called" ? html`<p class="hint">${t("pit_call_no_words")}</p>` : html`<q>${note}</q>`,
    html`<p class="hint">${t("pit_play_goes_on")}</p>`,
    html`<button type="button" class="btn warn" @click=${come}>${t("i_came")}</button>`,
  );
}

/** Chips that take a rank above the dealer's; `may`: this person's does. */
export function showFlags(place, may) {
  const flags = (desk.seen.flags ?? []).filter((one) => one.decides);
  place.hidden = !flags.length;
  draw(place, flags.map((one) => flagged(one, may)));
}

function flagged(flag, may) {
  const facts = { cents: money(flag.cents), bet: flag.bet ? betName(flag.bet) : "" };
  const back = flag.back.map(([player, bet, cents]) =>
    html`<li>${t("pit_flag_back", { player, bet: betName(bet), cents: money(cents) })}</li>`,
  );
  const act = (body) => async () => {
    await attempt(() => command(body), book(), t("done"));
    refresh();
  };
  const ways = flag.remedies.map(({ key, by, ...body }) =>
    html`<button type="button" class="btn warn" @click=${act(body)} ?disabled=${!may}>
      ${t(`remedy_${key.replaceAll("-", "_")}`, { ...body, cents: money(body.cents ?? 0) })}
    </button>`,
  );
  return html`<div class="dec">
    <h2>${t(`flag_${flag.kind.replaceAll("-", "_")}`, facts)}${cites(flag.rules, book())}</h2>
    ${back.length ? html`<ul class="hint">${back}</ul>` : null}
    <p class="hint">${t("pit_flag_decides", { rank: flag.who })}</p>
    <div class="acts">${ways}</div>
  </div>`;
}
