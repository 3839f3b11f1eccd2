// What the house may do about a round, and what it noted of the table. What a rank may not do is there, disabled,
// with the reason.

import { get } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, node } from "../draw.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { language } from "../words.js";
import { desk, refresh } from "./desk.js";
import { attempt, cites, clock, field, t } from "./say.js";

const MOST_EVENTS = 12;
const shown = {};

/** Draw each part again when what it depends on has changed, so that what is being typed stays. */
export function house() {
  const { powers } = desk.seen;
  part("void", powers.void, voiding);
  part("events", [table.seen.round, powers["read-significant"].may], events);
}

function part(name, depends, make) {
  const key = JSON.stringify(depends);
  if (shown[name] === key) return;
  shown[name] = key;
  draw($(`#house-${name}`), make(depends));
}

/** Why one may not, with its paragraphs; nothing if one may. */
export const barred = (power) =>
  power.may
    ? null
    : html`<p class="hint">
      ${power.why || t("takes_manager")}
      ${cites(power.rules, book())}
    </p>`;

/** A reason, kept for pit and audit. */
export const reasonField = () =>
  field(t("pit_reason_private"), html`<input name="reason" required maxlength="200" autocomplete="off">`);

function voiding(power) {
  const sure = html`<input type="checkbox" required>`;
  const form = node(html`<form>
    <fieldset class="stack plain" ?disabled=${!power.may}>
      ${reasonField()}
      <label class="chk">${sure}<span>${t("pit_void_sure")}</span></label>
      <button class="btn danger" type="submit">${t("void_round")}</button>
    </fieldset>
    ${barred(power)}
  </form>`);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reason = new FormData(form).get("reason");
    if (await attempt(() => command({ command: "void", reason }), book(), t("done"))) form.reset();
    refresh();
  });
  return form;
}

/** The table's own significant events, for those who may read them. */
function events() {
  const list = node(html`<ul class="rec2"></ul>`);
  const only = (text) => draw(list, html`<li class="muted">${text}</li>`);
  if (!desk.seen.powers["read-significant"].may) {
    only(t("takes_shift"));
    return list;
  }
  get(`/api/significant-events?limit=200&lang=${language}`).then(
    (found) => {
      const mine = found.filter((one) => one.stream === table.id).slice(0, MOST_EVENTS);
      if (mine.length) draw(list, mine.map(event));
      else only(t("no_events"));
    },
    () => {},
  );
  return list;
}

const event = (one) =>
  html`<li>
    <time>${clock(one.at)}</time>
    <span><b>${t(`kind_${one.kind.replaceAll("-", "_")}`)}</b> · ${one.by}<small>${one.what}</small></span>
  </li>`;
