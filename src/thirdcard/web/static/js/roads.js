// The roads are drawn by the server; a result brings new ones. Narrow screens show one at a time.

import { $$, button, html } from "./dom.js";
import { on, table } from "./state.js";
import { t } from "./words.js";

let drawn = null;

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

/** Pages to swipe, with dots and arrows for those who do not. */
export function swipe(place) {
  const step = (by) => {
    const roads = $$("figure", place);
    const width = roads[0]?.getBoundingClientRect().width || 1;
    place.scrollBy({ left: by * width, behavior: "smooth" });
  };
  const dots = html("span", { class: "dots", "aria-hidden": "true" });
  const bar = html(
    "div",
    { class: "swipes" },
    button("quiet", () => step(-1), { "aria-label": t("road_before") }, "‹"),
    dots,
    button("quiet", () => step(1), { "aria-label": t("road_after") }, "›"),
  );
  place.after(bar);
  const mark = () => {
    const roads = $$("figure", place);
    const width = roads[0]?.getBoundingClientRect().width || 1;
    const at = Math.round(place.scrollLeft / width);
    dots.replaceChildren(...roads.map((_, page) => html("i", { class: page === at ? "on" : "" })));
  };
  place.addEventListener("scroll", mark, { passive: true });
  place.addEventListener("drawn", mark);
  mark();
  // Begin at the big road.
  requestAnimationFrame(() => {
    const second = $$("figure", place)[1];
    if (second && getComputedStyle(place).overflowX === "auto") place.scrollLeft = second.offsetLeft - place.offsetLeft;
    mark();
  });
}

