// Spots with a roving focus: one tab stop for all of them, arrow keys from one to the next.

const STRAIGHT = 5; // how much a spot aside is worse than one farther ahead
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** One tab stop for all spots: the one that had the focus last. */
export function rove(root, selector, chosen = null) {
  const spots = [...root.querySelectorAll(selector)];
  const stop = chosen ?? spots.find((spot) => spot.getAttribute("tabindex") === "0") ?? spots[0];
  for (const spot of spots) spot.setAttribute("tabindex", spot === stop ? "0" : "-1");
}

/** To the nearest spot in a direction, with a preference for those straight ahead. */
export function move(root, selector, from, [dx, dy]) {
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

let pointed = false; // what has the focus got it by a press, not by a key
let pressing = false;

/** Whether the focus came by a press: then keys do what the buttons that name them say, and nothing to what has it. */
export const isPointed = () => pointed;

addEventListener("pointerdown", () => (pointed = pressing = true), true);
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => (pressing = false), true);
addEventListener("focusin", () => (pointed &&= pressing), true);
addEventListener("keydown", ({ key }) => (key === "Tab" || key in ARROWS) && (pointed = false), true);
