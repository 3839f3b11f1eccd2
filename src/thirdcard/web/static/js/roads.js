// The roads are drawn by the server; a result brings new ones. Narrow screens show one of them until asked for all.

import { button, html, icon } from "./dom.js";
import { wide } from "./stage.js";
import { on, table } from "./state.js";
import { t } from "./words.js";

let drawn = null;

const SHAPES = "shapes"; // the setting: marks have characters, dots and crosses besides their colour
export const shapes = () => document.documentElement.classList.contains(SHAPES);
export function setShapes(on) {
  document.documentElement.classList.toggle(SHAPES, on);
  localStorage.setItem(SHAPES, on ? "yes" : "");
}
setShapes(localStorage.getItem(SHAPES) === "yes");

/** Fetch the roads again whenever they changed, into `place`. */
export function watchRoads(place, address) {
  on("roads", async () => {
    const now = JSON.stringify(table.seen.roads.bead_plate);
    if (drawn === null && place.dataset.beads === String(table.seen.roads.bead_plate.length)) {
      drawn = now; // what the page came with
      return;
    }
    if (drawn === now) return;
    drawn = now;
    const answer = await fetch(address);
    if (!answer.ok || drawn !== now) return;
    place.innerHTML = await answer.text();
    place.dispatchEvent(new Event("drawn"));
  });
}

const COLUMNS = 15; // of the big road on a narrow screen
const SQUARE = 20; // units of a drawn road

/** As much of the big road as a narrow screen has room for: its newest columns, from the first while they fit. */
export function cropRoad(place) {
  const crop = () => {
    const road = place.querySelector(".big-road svg");
    if (!road) return;
    road.dataset.whole ??= road.getAttribute("viewBox");
    const [, , whole, high] = road.dataset.whole.split(" ").map(Number);
    const ends = [...road.querySelectorAll(".mark")].map((mark) => Number(/\((\d+)/.exec(mark.getAttribute("transform"))?.[1] ?? 0));
    const used = Math.ceil(Math.max(0, ...ends) / SQUARE) + 1;
    const first = Math.min(Math.max(0, used - COLUMNS), whole / SQUARE - COLUMNS) * SQUARE;
    const large = wide.matches || place.parentNode.classList.contains("all-roads");
    road.setAttribute("viewBox", large ? road.dataset.whole : `${first} 0 ${COLUMNS * SQUARE} ${high}`);
    road.setAttribute("width", large ? whole : COLUMNS * SQUARE);
    road.setAttribute("height", high);
  };
  place.addEventListener("drawn", crop);
  wide.addEventListener("change", crop);
  crop();
}

/** On narrow screens one road stands for all: the button shows the others, large. */
export function allRoads(place) {
  const label = t("all_roads");
  const open = () => {
    place.parentNode.classList.toggle("all-roads");
    place.dispatchEvent(new Event("drawn"));
  };
  const more = button("", open, { class: "btn all", "aria-label": label }, html("span", {}, label));
  more.prepend(icon("chart"));
  place.after(more);
}
