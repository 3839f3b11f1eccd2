// Movement, played over what is shown. The page shows its state at once; what plays here only covers it for a moment
// and ends by itself, so a lost frame, a hidden tab or a skipped message leaves nothing wrong. Any of it can be ended
// at once. Only places and opacity move, by the Web Animations API.

import { $, html, still } from "./dom.js";
import { table } from "./state.js";

export const SLIDE_EASE = "cubic-bezier(.2,.8,.2,1)";
const USUAL_MS = 1200; // between two cards at a table of the usual pace

/** @type {Set<Animation>} */
const playing = new Set();
/** @type {Map<number, () => void>} */
const waiting = new Map(); // what is put off, by its timer

export const moves = () => !still() && !document.hidden;

/** Milliseconds at this table's pace: a quick table moves as much faster as its cards come. */
export const ms = (usual) => usual * Math.min(1, Math.max(0.3, (table.seen?.house.card_ms ?? USUAL_MS) / USUAL_MS));

/**
 * Play it, unless nothing is to move; `after` is waited for first. What it covers shows again when it is over.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {{ lasts: number, after?: number, easing?: string, fill?: FillMode, over?: () => void }} how
 */
export function play(element, frames, { lasts, after = 0, easing = "linear", fill = "backwards", over }) {
  if (!moves()) {
    over?.();
    return null;
  }
  const animation = element.animate(frames, { duration: lasts, delay: after, easing, fill });
  playing.add(animation);
  const done = () => {
    if (playing.delete(animation)) over?.();
  };
  animation.addEventListener("finish", done, { once: true });
  animation.addEventListener("cancel", done, { once: true });
  return animation;
}

let skipping = false;

/** Do it in so many milliseconds, also where nothing moves; at once where nobody looks, or when people skip to the end. */
export function later(wait, act) {
  if (wait <= 0 || document.hidden || skipping) {
    act();
    return;
  }
  const timer = setTimeout(() => {
    waiting.delete(timer);
    act();
  }, wait);
  waiting.set(timer, act);
}

/** The end of all that plays: each thing where it belongs, now. */
export function skip() {
  skipping = true;
  for (const [timer, act] of waiting) {
    clearTimeout(timer);
    waiting.delete(timer);
    act();
  }
  skipping = false;
  for (const animation of [...playing]) animation.finish();
}

export const busy = () => playing.size > 0 || waiting.size > 0;

// Things that fly --------------------------------------------------------------------------------------------

let air = null;

/** Something that flies over the page from one point of the screen to others; `path` has { x, y, at, opacity }. */
export function fly(thing, size, path, { lasts, after = 0, easing = "ease-out", over = null }) {
  if (!moves()) {
    over?.();
    return;
  }
  air ??= $("#table").appendChild(html("div", { class: "air", "aria-hidden": "true" }));
  const flier = html("div", { class: "flier" }, thing);
  air.append(flier);
  const frames = path.map(({ x, y, at, opacity = 1, lift = 0 }) => ({
    transform: `translate(${x - size / 2}px, ${y - size / 2 - lift}px)`,
    opacity,
    ...(at === undefined ? {} : { offset: at }),
  }));
  play(flier, frames, {
    lasts,
    after,
    easing,
    fill: "both",
    over: () => {
      flier.remove();
      over?.();
    },
  });
}

/** A tap on the felt, or a page that nobody looks at, ends what plays. */
export function watchMotion() {
  $(".stage").addEventListener("pointerdown", () => busy() && skip(), true);
  document.addEventListener("visibilitychange", () => document.hidden && skip());
  matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", skip);
}
