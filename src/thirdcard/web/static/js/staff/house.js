// What the house may do about a round, and what it noted of the table. What a rank may not do is there, disabled,
// with the reason.

import { get } from "../api.js";
import { $, html } from "../dom.js";
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
  $(`#house-${name}`).replaceChildren(make(depends));
}

/** Why one may not, with its paragraphs; nothing if one may. */
export const barred = (power) =>
  power.may
    ? null
    : html(
        "p",
        { class: "hint" },
        power.why || t("takes_manager"),
        ...cites(power.rules, book()),
      );

/** A reason, kept for pit and audit. */
export const reasonField = () =>
  field(t("pit_reason_private"), html("input", { name: "reason", required: true, maxlength: 200, autocomplete: "off" }));

function voiding(power) {
  const sure = html("input", { type: "checkbox", required: true });
  const form = html(
    "form",
    {},
    html(
      "fieldset",
      { class: "stack plain", disabled: !power.may },
      reasonField(),
      html("label", { class: "chk" }, sure, html("span", {}, t("pit_void_sure"))),
      html("button", { class: "btn danger", type: "submit" }, t("void_round")),
    ),
    barred(power),
  );
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
  const list = html("ul", { class: "rec2" });
  if (!desk.seen.powers["read-significant"].may) {
    list.append(html("li", { class: "muted" }, t("takes_shift")));
    return list;
  }
  get(`/api/significant-events?limit=200&lang=${language}`).then(
    (found) => {
      const mine = found.filter((one) => one.stream === table.id).slice(0, MOST_EVENTS);
      list.append(
        ...mine.map((one) =>
          html(
            "li",
            {},
            html("time", {}, clock(one.at)),
            html(
              "span",
              {},
              html("b", {}, t(`kind_${one.kind.replaceAll("-", "_")}`)),
              ` · ${one.by}`,
              html("small", {}, one.what),
            ),
          ),
        ),
      );
      if (!mine.length) list.append(html("li", { class: "muted" }, t("no_events")));
    },
    () => {},
  );
  return list;
}
