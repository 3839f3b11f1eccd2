// What the pit hears, how loud, and the gesture that browsers want first: it is asked for once, and any will do.

import { $ } from "../dom.js";
import { draw, html, icon, node } from "../draw.js";
import { t } from "./say.js";
import { play, setVolume, volume } from "./sounds.js";

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
