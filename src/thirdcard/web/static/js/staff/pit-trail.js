// All tables in a column, to go from one to another.

import { draw, html } from "../draw.js";
import { table } from "../state.js";
import { lasted } from "./pit-clock.js";
import { mark, stateName } from "./pit-names.js";
import { pit } from "./pit-watch.js";
import { t } from "./say.js";

const CALLS = new Set(["stopped", "held", "calling"]);

export function showTrail(place) {
  const { tables } = pit.seen;
  draw(place, html`<a href="/pit">‹<small>${t("overview")}</small></a>`, tables.map(row));
}

function row(one) {
  const waits = CALLS.has(one.state);
  const since = (waits && one.state_since) || null;
  return html`<a
    class=${waits ? "al" : null}
    href="/pit/${one.id}"
    title="${one.title}, ${stateName(one)}"
    aria-current=${one.id === table.id ? "page" : null}
  >
    <span class="hidden">${one.title}</span>
    <span aria-hidden="true">${mark(one)}</span>
    <small data-lasts=${since} .textContent=${since ? lasted(since) : stateName(one)}></small>
  </a>`;
}
