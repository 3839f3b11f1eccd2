// People without a device, as staff know them: who they are, their buy-ins, and the way out.

import { ask, get } from "../api.js";
import { draw, html, icon, listed, node } from "../draw.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { desk } from "./desk.js";
import { answer, attempt, cents, money, t } from "./say.js";
import { boxOf, described, kindOf, seated, stakes } from "./seats.js";
import { filled, patronsPath, WALK_IN } from "./seating.js";
import { perform, redraw } from "./steps.js";

const pathOf = (player) => patronsPath(`/${encodeURIComponent(player)}`);

/** Learn the descriptions that staff gave; one that was typed here is known before the server tells it. */
async function learn() {
  for (const { name, description } of await get(patronsPath())) if (description) described.set(name, description);
}

let known = "";
/** Ask for descriptions again when somebody without a device is new, once a round while one has none. */
export function keepDescriptions() {
  const names = desk.seen.players.filter((one) => one.startsWith(WALK_IN));
  const round = names.every((one) => described.has(one)) ? "" : table.seen.round;
  const now = `${names.join()}/${round}`;
  if (now === known || !names.length) return;
  known = now;
  learn().then(redraw, () => (known = ""));
}

// Everybody at the table ------------------------------------------------------------------------------------

let about = ""; // whose buy-in is being typed, or whose description

const typing = { key: "", input: null };

function field(key, label, value) {
  if (typing.key !== key) {
    const input = node(html`<input autocomplete="off" aria-label=${label} maxlength="80" value=${value}>`);
    Object.assign(typing, { key, input });
  }
  return html`<label class="f">${typing.input}</label>`;
}

const close = () => {
  about = typing.key = "";
  redraw();
};

function buyIn(player) {
  const amount = cents(typing.input.value);
  if (!amount) {
    answer(t("no_amount", { text: typing.input.value || "–" }), { wrong: true });
    return;
  }
  perform(async () => {
    const told = t("bought_in", { player, cents: money(amount) });
    const done = await attempt(() => command({ command: "buy-in", player, cents: amount }), book(), told);
    if (done) close();
    return done;
  });
}

function describe(player) {
  const description = typing.input.value.trim();
  perform(async () => {
    const done = await attempt(() => ask("PATCH", pathOf(player), { description }), book());
    if (!done) return false;
    described.set(player, description);
    close();
    return true;
  });
}

const leave = (player) =>
  perform(async () => {
    const rack = table.seen.racks[player] ?? 0;
    const done = await attempt(
      () => ask("DELETE", pathOf(player)),
      book(),
      t("cashed_out", { player, cents: money(rack) }),
    );
    if (done) close();
    return done;
  });

const small = (text, name, run, { kind = "", disabled = false, title = null } = {}) =>
  html`<button class="btn sm ${kind}" type="button" aria-label=${name} title=${title} ?disabled=${disabled} @click=${run}>
    ${text}
  </button>`;

/** What is asked about somebody: a buy-in, a description, whether they go. */
const asked = (player) => ({
  [`buy/${player}`]: () => [
    field(about, t("buy_in_of", { player }), ""),
    small(t("buy_in"), t("buy_in_of", { player }), () => buyIn(player)),
  ],
  [`text/${player}`]: () => [
    field(about, t("description_of", { player }), described.get(player) ?? ""),
    small(t("keep"), t("keep_of", { player }), () => describe(player)),
  ],
  [`out/${player}`]: () => [
    html`<span class="amb">${t("cash_out_sure", { cents: money(table.seen.racks[player] ?? 0) })}</span>`,
    small(t("cash_out"), t("cash_out_of", { player }), () => leave(player), { kind: "warn" }),
  ],
});

/** What may be done for a walk-in; whoever has a device does it there. */
function choices(player, on) {
  const start = (what) => () => {
    about = `${what}/${player}`;
    redraw();
    typing.input?.focus();
  };
  const stays = { disabled: on > 0, title: on > 0 ? t("chips_on_layout") : null };
  return [
    small(t("buy_in"), t("buy_in_of", { player }), start("buy")),
    small(t("describe"), t("description_of", { player }), start("text")),
    small(t("cash_out"), t("cash_out_of", { player }), start("out"), stays),
  ];
}

/** Whoever has cashed out and gone is listed no more, even if the round that they played is. */
const here = (player) =>
  !player.startsWith(WALK_IN) || seated(player) || table.seen.racks[player] > 0 || staked(player) > 0;

const staked = (player) =>
  stakes().filter((one) => one.player === player).reduce((sum, one) => sum + one.cents, 0);

function row(player) {
  const on = staked(player);
  const facts = {
    kind: boxOf(player) ? kindOf(player) : t("stands"),
    rack: money(table.seen.racks[player] ?? 0),
    stake: money(on),
  };
  const asking = asked(player)[about]?.();
  const walkIn = player.startsWith(WALK_IN);
  return html`<li data-player=${player}>
    <b class="bn">${boxOf(player) || "–"}</b>
    <div><b>${player}</b><p>${t("rack_and_stake", facts)}</p></div>
    <div class="go">
      ${asking ?? (walkIn ? choices(player, on) : [])}
      ${asking && small(icon("close"), t("cancel"), close, { kind: "quiet" })}
    </div>
  </li>`;
}

/** Everybody at the table, their racks, and somebody new. */
export const panel = {
  name: "patrons",
  title: () => t("patrons_title"),
  open(place) {
    const people = desk.seen.players.filter(here);
    const rows = people.length ? listed(people, (name) => name, row) : html`<li><span></span><p>${t("nobody_plays")}</p></li>`;
    draw(place, html`<ul class="rows">${rows}</ul>`, filled());
  },
};
