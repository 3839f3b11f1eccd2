// What the felt and the phone's grid have in common: betting by click and keyboard, with a roving focus.

import { place, placeMost, undo } from "./play.js";
import { box } from "./state.js";

const STRAIGHT = 5; // how much a spot aside is worse than one farther ahead
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Let the spots under `root` that match `selector` take bets. */
export function betting(root, selector) {
  const spotOf = (event) => event.target.closest?.(selector);
  const bet = (spot) => place(Number(spot.dataset.box || box()), spot.dataset.bet);
  const takeBack = (spot) => undo({ box: Number(spot.dataset.box || box()), bet: spot.dataset.bet });

  root.addEventListener("click", (event) => {
    const spot = spotOf(event);
    if (spot && !closed(spot)) bet(spot);
  });
  root.addEventListener("keydown", (event) => {
    const spot = spotOf(event);
    if (!spot) return;
    if (event.key in ARROWS) {
      event.preventDefault();
      move(root, selector, spot, ARROWS[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (event.shiftKey) takeBack(spot);
      else if (!closed(spot)) bet(spot);
    } else if (event.key === "Backspace" || event.key === "Delete") {
      event.preventDefault();
      takeBack(spot);
    } else if (event.key.toLowerCase() === "m" && !closed(spot) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      placeMost(Number(spot.dataset.box || box()), spot.dataset.bet);
    }
  });
  root.addEventListener("focusin", (event) => {
    const spot = spotOf(event);
    if (spot) rove(root, selector, spot);
  });
}

const closed = (spot) => spot.getAttribute("aria-disabled") === "true";

/** One tab stop for all spots: the one that had the focus last. */
export function rove(root, selector, chosen = null) {
  const spots = [...root.querySelectorAll(selector)];
  const stop = chosen ?? spots.find((spot) => spot.getAttribute("tabindex") === "0") ?? spots[0];
  for (const spot of spots) spot.setAttribute("tabindex", spot === stop ? "0" : "-1");
}

/** To the nearest spot in a direction, with a preference for those straight ahead. */
function move(root, selector, from, [dx, dy]) {
  const centre = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = centre(from);
  let best = null;
  let least = Infinity;
  for (const spot of root.querySelectorAll(selector)) {
    if (spot === from) continue;
    const [sx, sy] = centre(spot);
    const ahead = (sx - x) * dx + (sy - y) * dy;
    const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
    if (ahead > 4 && ahead + STRAIGHT * aside < least) [best, least] = [spot, ahead + STRAIGHT * aside];
  }
  best?.focus();
}
