// The dealing device, where a player draws: who has it, who may be given it, who only by leave of who stands higher.
// It changes hands by a press on that player's own button; Enter gives it to nobody.

import { html, icon } from "../draw.js";
import { book, table } from "../state.js";
import { why } from "./dealing.js";
import { Confirmer } from "./deliberate.js";
import { desk, does, may } from "./desk.js";
import { inert, panel } from "./parts.js";
import { cites, t } from "./say.js";
import { stakesPanel } from "./shoe.js";
import { perform, redraw } from "./steps.js";

const device = () => desk.seen.device;
let leave = null; // { player, pin }: somebody without a wager is to draw

export const step = {
  key: "device",
  now: () => table.seen.phase === "dealing" && !!device() && !device().holder && !table.seen.cards.length && desk.seen.next.kind === "wait" && !table.seen.held_up,
  required: () => ({ eyebrow: t("next_required"), title: t("device_who"), text: why(), button: inert(t("waiting")) }),
  rail: () => [devicePanel(), stakesPanel()],
};

const gives = (body, ...shown) =>
  html`<button type="button" class="btn" data-theirs @click=${() => perform(() => does(body))}>${shown}</button>`;

function lines() {
  const { holder, may: able, by_leave } = device();
  if (holder) {
    return [
      html`<p class="hint">${t("device_with", { player: holder })}${cites(device().rules, book())}</p>`,
      may("give-up-device").length > 0 && gives({ command: "give-up-device", player: holder }, icon("undo"), t("device_given_up", { player: holder })),
      may("take-device").length > 0 && gives({ command: "take-device" }, icon("undo"), t("do_take_device")),
    ];
  }
  return [
    html`<p class="hint">${t("device_nobody")}${cites(device().rules, book())}</p>`,
    able.map((player) => gives({ command: "give-device", player }, icon("seat"), t("do_give_device", { player }))),
    by_leave.map((player) => html`<button type="button" class="btn quiet" @click=${() => asks(player)}>${t("device_by_leave", { player })}</button>`),
    leave && by_leave.includes(leave.player) && [
      leave.pin.form,
      html`<button type="button" class="btn" @click=${() => perform(granted)}>${t("do_give_device", { player: leave.player })}</button>`,
    ],
  ];
}

function asks(player) {
  leave = { player, pin: new Confirmer(t("device_who_lets"), (one) => one.role !== "dealer") };
  redraw();
}

async function granted() {
  if (!leave.pin.form.reportValidity()) return;
  if (await leave.pin.confirm({ command: "give-device", player: leave.player })) leave = null;
}

/** What may be done about it, beside something else; nothing where the dealer keeps it. */
export const deviceLines = () => device() && html`<div class="stack padx">${lines()}</div>`;
export const devicePanel = () => device() && panel("", t("device"), "", deviceLines());
