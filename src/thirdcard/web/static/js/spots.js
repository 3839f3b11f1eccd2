// What the felt and the phone's grid have in common: betting by click and keyboard, with a roving focus.

import { place, placeMost, undo } from "./play.js";
import { ARROWS, move, rove } from "./roving.js";
import { box } from "./state.js";

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
