// The drawer: one panel at a time. It is there while one of its panels is (table.css), and the felt makes room.

import { $, $$, button, icon } from "./dom.js";
import { wide } from "./stage.js";
import { t } from "./words.js";

/** Panels that are fetched when they are first asked for, and the modules that have them. */
const LATER = {
  "bet-tools": () => import("./bet-tools.js"),
  "round-history": () => import("./statement.js"),
  "round-statement": () => import("./statement.js"),
};

let coming = Promise.resolve();

/** Open that panel, or close it where it is open; some have parts to open at. */
export async function toggle(name, part) {
  coming = LATER[name]();
  await coming;
  $(name).toggle(part);
}

/** Once the panel that was asked for last is there, if it comes: a key right after it may be its own. */
export const opened = () => coming.catch(() => {});

/** Whether any panel is open. */
export const shown = () => [...$("#drawer").children].some((panel) => !panel.hidden);

/** Show this panel and no other; without one, none. */
export function only(panel) {
  for (const other of $("#drawer").children) other.hidden = other !== panel;
}

/** A button that closes something. */
export const closing = (close = () => only(null)) => button("quiet", close, { "aria-label": t("close") }, icon("close"));

/** Something cannot wait: what lies over it goes, which on a narrow screen is all that is open. */
export function makeWay(all = !wide.matches) {
  for (const dialog of $$("dialog[open]")) dialog.close();
  if (!all) return;
  only(null);
  document.dispatchEvent(new Event("make-way"));
}
