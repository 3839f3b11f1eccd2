// Sounds of the floor's desks: each has a picture and words as well. Volume and the click of cards are remembered.

import { $ } from "../dom.js";
import { draw, html, icon, node } from "../draw.js";
import { t } from "./say.js";

// What the pit hears, how loud, and the gesture that browsers want first: it is asked for once, and any will do.

const USUAL = 0.6; // how loud it is when it is switched on again

/** Ask for a gesture, unless sounds are off or there has been one. */
export function offerSounds() {
  if (!volume() || navigator.userActivation?.hasBeenActive) return;
  const off = () => setVolume(0);
  const offer = node(html`<div class="ring1" role="status">
    ${icon("sound")}
    <span>${t("pit_sounds_offer")}</span>
    <button type="button" class="btn sm" @click=${() => play("stopped")}>${t("pit_sounds_on")}</button>
    <button type="button" class="btn quiet sm" @click=${off}>${t("pit_sounds_off")}</button>
  </div>`);
  const done = () => {
    removeEventListener("click", done);
    removeEventListener("keyup", done);
    offer.remove();
  };
  addEventListener("click", done);
  addEventListener("keyup", done);
  $("#staff").append(offer);
}

/** Sound on or off, in the header. */
export function muteButton(place) {
  const tell = () => {
    place.setAttribute("aria-pressed", String(volume() > 0));
    draw(place, icon(volume() ? "sound" : "mute"));
  };
  place.addEventListener("click", () => {
    setVolume(volume() ? 0 : USUAL);
    play("call");
    tell();
  });
  tell();
}

/** How loud, and a button to hear it. */
export function soundRow() {
  const loud = node(html`<input
    type="range"
    min="0"
    max="1"
    step="0.1"
    value=${volume()}
    aria-label=${t("pit_sounds_volume")}
    @input=${() => setVolume(Number(loud.value))}
  >`);
  return html`<div class="snd">
    ${icon("sound")}
    <span>${t("pit_sounds_what")}</span>
    <button type="button" class="btn sm" @click=${() => play("stopped")}>${t("pit_sounds_test")}</button>
    <span aria-hidden="true">${t("pit_sounds_volume")}</span>
    ${loud}
  </div>`;
}

const VOLUME = "desk-volume";
const CLICK = "desk-click";
// Hertz and seconds of each tone, one after the other.
const TONES = {
  tick: [[180, 0.09]],
  click: [[900, 0.03]],
  call: [[660, 0.25]],
  stopped: [
    [520, 0.18],
    [780, 0.28],
  ],
  passed: [
    [660, 0.14],
    [660, 0.14],
    [880, 0.24],
  ],
};
let context = null;

/** How loud, from 0 to 1. */
export const volume = () => Number(localStorage.getItem(VOLUME) ?? 0.6);
export const setVolume = (loud) => localStorage.setItem(VOLUME, String(loud));
/** Whether a confirmed card clicks. */
export const clicks = () => localStorage.getItem(CLICK) === "yes";
export const setClicks = (yes) => localStorage.setItem(CLICK, yes ? "yes" : "no");

/** Make a sound by its name, if anybody has touched the page: browsers stay silent before. */
export function play(name) {
  if (!volume() || !navigator.userActivation?.hasBeenActive || (name === "click" && !clicks())) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [hertz, seconds] of TONES[name]) {
    const [source, gain] = [context.createOscillator(), context.createGain()];
    source.type = "triangle";
    source.frequency.value = hertz;
    gain.gain.setValueAtTime(0.3 * volume(), at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    source.connect(gain).connect(context.destination);
    source.start(at);
    source.stop(at + seconds);
    at += seconds;
  }
}
