// Sounds of the floor's desks: each has a picture and words as well. Volume and the click of cards are remembered.

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
