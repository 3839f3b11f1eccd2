// The table's sounds, made on the spot. Off until somebody chooses them; nothing is even set up before.

import { tell } from "./state.js";

const KEPT = "sounds"; // the volume in percent, by this name in the browser's own store

let context = null;
let noise = null;
let volume = Number(localStorage.getItem(KEPT) ?? 0) / 100;

export const loudness = () => volume;
/** Whether this browser was asked before, or has chosen. */
export const chosen = () => localStorage.getItem(KEPT) !== null;

export function setLoudness(share) {
  volume = share;
  localStorage.setItem(KEPT, String(Math.round(share * 100)));
  tell("sound");
}

// A tick of filtered noise, a ring of some frequency, or both: [kind, when, hertz, seconds, strength].
const CLACK = [["noise", 0, 4200, 0.03, 0.5], ["ring", 0, 2300, 0.05, 0.12]];
const at = (seconds, sounds) => sounds.map(([kind, when, ...rest]) => [kind, when + seconds, ...rest]);
const SOUNDS = {
  chip: CLACK,
  slide: [["noise", 0, 1100, 0.26, 0.22]],
  flip: [["noise", 0, 2600, 0.05, 0.4], ["noise", 0.04, 900, 0.08, 0.25]],
  sweep: [["noise", 0, 700, 0.45, 0.3], ...at(0.1, CLACK), ...at(0.24, CLACK), ...at(0.33, CLACK)],
  pay: [0, 0.07, 0.13, 0.2].flatMap((seconds) => at(seconds, CLACK)),
  last: [["ring", 0, 880, 0.08, 0.2]],
  win: [["ring", 0, 523, 0.22, 0.16], ["ring", 0.11, 659, 0.22, 0.16], ["ring", 0.22, 784, 0.4, 0.18]],
};

/** Of several tables side by side only the one that has the keys is heard. */
export const aside = () => document.documentElement.classList.contains("aside");

/** @param {keyof typeof SOUNDS} name */
export function sound(name) {
  if (!volume || document.hidden || aside()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  for (const one of SOUNDS[name]) make(one);
}

function make([kind, when, hertz, seconds, strength]) {
  const start = context.currentTime + when;
  const gain = context.createGain();
  gain.gain.setValueAtTime(strength * volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  const source = kind === "ring" ? ring(hertz) : hiss(hertz, gain);
  if (kind === "ring") source.connect(gain);
  gain.connect(context.destination);
  source.start(start);
  source.stop(start + seconds);
}

function ring(hertz) {
  const source = context.createOscillator();
  source.type = "triangle";
  source.frequency.value = hertz;
  return source;
}

function hiss(hertz, into) {
  noise ??= whiteNoise();
  const source = context.createBufferSource();
  source.buffer = noise;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = hertz;
  filter.Q.value = 0.9;
  source.connect(filter).connect(into);
  return source;
}

function whiteNoise() {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let place = 0; place < data.length; place += 1) data[place] = Math.random() * 2 - 1;
  return buffer;
}
