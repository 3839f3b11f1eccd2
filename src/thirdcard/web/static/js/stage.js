// The stage: what is left for the felt between top bar, drawer and dock, and which drawing fits it.

import { $ } from "./dom.js";

/** Room enough for a felt; narrower or lower screens have a grid of one's own spots. */
export const wide = matchMedia("(min-width: 900px) and (min-height: 600px)");

/** Wide, but not high: hands at the left, spots at the right. phone.css says the same. */
export const low = matchMedia("(max-height: 599.98px) and (orientation: landscape)");

const SETTLE_MS = 120;
const LOWEST = 552; // units of a felt's height; table.css says the same, and the least of its width
const WIDEST = 1180; // and of its width, but beside a drawer
const STEP = 4; // units from one size of drawing to the next
const SCALES = { least: 50, most: 150, step: 5 }; // hundredths of a pixel to a unit

/** Call `fits` when the stage has come to another size, at most once in a while. */
export function watchStage(fits) {
  let due = null;
  const later = () => {
    clearTimeout(due);
    due = setTimeout(fits, SETTLE_MS);
  };
  new ResizeObserver(later).observe($(".stage"));
}

const step = (units) => Math.round(units / STEP) * STEP;

/** The shape of the felt that fills the stage, as its address says it. */
export function shape() {
  const stage = $(".stage");
  const { width, height } = stage.getBoundingClientRect();
  const least = Number(getComputedStyle(stage).getPropertyValue("--least")) || WIDEST;
  // Pixels; a stage that is not laid out yet, as in a frame, has none.
  const unit = Math.max(Math.min(height / LOWEST, width / least), SCALES.least / 100);
  const scale = Math.floor((100 * unit) / SCALES.step) * SCALES.step;
  return {
    width: Math.max(least, step(width / unit)),
    height: Math.max(LOWEST, step(height / unit)),
    scale: Math.min(Math.max(scale, SCALES.least), SCALES.most),
    beside: least < WIDEST,
  };
}
