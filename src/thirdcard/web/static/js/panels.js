// Panels beside the felt: at most one at a time, on the side away from one's own position, never over one's spots.

import { $ } from "./dom.js";
import { wide } from "./felt.js";
import { on } from "./state.js";

const GAP = 16;
const NARROW = 340;
const WIDEST = 500;
const CARDS_END = 232 / 634; // of the felt's height

/** Keep the panels where they cover neither cards nor own spots; too little room makes them sheets. */
export function watchPanels() {
  const settle = () => requestAnimationFrame(lay);
  addEventListener("resize", settle);
  wide.addEventListener("change", settle);
  $("table-felt").addEventListener("drawn", settle);
  on("box seats", settle);
}

function lay() {
  const panels = $("#panels");
  const stage = $(".stage").getBoundingClientRect();
  const own = $("table-felt .position.own .ground")?.getBoundingClientRect();
  panels.style.width = panels.style.maxHeight = "";
  delete panels.dataset.side;
  if (!wide.matches) return;
  const left = own ? own.left - stage.left - 2 * GAP : 0;
  const right = own ? stage.right - own.right - 2 * GAP : stage.width / 2;
  const room = Math.max(left, right);
  panels.dataset.side = room < NARROW ? "sheet" : right >= left ? "right" : "left";
  if (room < NARROW) return;
  const cloth = $(".cloth-box").getBoundingClientRect();
  panels.style.width = `${Math.min(WIDEST, room)}px`;
  panels.style.maxHeight = `${stage.bottom - cloth.top - cloth.height * CARDS_END - GAP}px`;
}

/** Show this panel and no other; without one, none. */
export function only(panel) {
  for (const other of $("#panels").children) if (other !== panel) other.hidden = true;
  if (panel) panel.hidden = false;
}
