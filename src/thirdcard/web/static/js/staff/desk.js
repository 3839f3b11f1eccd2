// The desk: what the table's own view does not tell, and what this person may do, asked anew after every change.

import { get, Refused } from "../api.js";
import { on, table } from "../state.js";

export const desk = {
  /** @type {Desk} */
  seen: null,
  /** @type {Option[]} */
  options: [],
};

const FIELDS =
  "phase round cards stakes late gone offers held_up reported amendment settlement house racks owed seats shoe cut_card_out waiting device limits notices link";
const watchers = [];
let asking = false;
let again = false;

/** Call `show` after every change of the desk. */
export function onDesk(show) {
  watchers.push(show);
  if (desk.seen) show();
}

export function watchDesk() {
  on(FIELDS, refresh);
}

/** Ask once more, and once again if something changed meanwhile. */
export async function refresh() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    do {
      again = false;
      const [seen, options] = await Promise.all([
        get(`/api/tables/${table.id}/desk`),
        get(`/api/tables/${table.id}/legal`),
      ]);
      Object.assign(desk, { seen, options });
    } while (again);
    for (const show of watchers) show();
  } catch (error) {
    if (error instanceof Refused && error.status === 401)
      location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
    setTimeout(refresh, 2000);
  } finally {
    asking = false;
  }
}

export const may = (name) => desk.options.filter((one) => one.command.command === name);
