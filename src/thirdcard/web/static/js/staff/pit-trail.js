// All tables in a column, to go from one to another.

import { html } from "../dom.js";
import { table } from "../state.js";
import { draw } from "./pit-draw.js";
import { running } from "./pit-clock.js";
import { mark, stateName } from "./pit-names.js";
import { pit } from "./pit-watch.js";
import { t } from "./say.js";

const CALLS = new Set(["stopped", "held", "calling"]);

export function showTrail(place) {
  const { tables } = pit.seen;
  draw(
    place,
    tables.map((one) => [one.id, one.state, one.state_since]),
    () => [html("a", { href: "/pit" }, "‹", html("small", {}, t("overview"))), ...tables.map(row)],
  );
}

function row(one) {
  const waits = CALLS.has(one.state);
  return html(
    "a",
    {
      class: waits ? "al" : null,
      href: `/pit/${one.id}`,
      title: `${one.title}, ${stateName(one)}`,
      "aria-current": one.id === table.id ? "page" : null,
    },
    html("span", { class: "hidden" }, one.title),
    html("span", { "aria-hidden": "true" }, mark(one)),
    waits && one.state_since ? running(one.state_since, "small") : html("small", {}, stateName(one)),
  );
}
