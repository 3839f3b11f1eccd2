// The dealer's voice, by the browser's own speech: English, Mandarin, Cantonese, where the device has such voices.
// Off until somebody chooses it.

import { aside } from "./sound.js";
import { tell } from "./state.js";
import { language } from "./words.js";

/** Tongues by name: the languages of voices that speak it, the best first. */
const TONGUES = { english: ["en-gb", "en-sg", "en"], mandarin: ["zh-cn", "zh-tw", "zh-sg", "cmn"], cantonese: ["zh-hk", "yue"] };
// What a dealer calls out; cards and points between them are shown.
const CALLED = new Set(["place-your-bets", "no-more-bets", "insurance-offered", "third-card", "result", "deciding"]);

const kept = { tongue: localStorage.getItem("voice") ?? "", loud: Number(localStorage.getItem("voice-volume") ?? 80) / 100 };

export const tongue = () => kept.tongue;
export const voiceLoudness = () => kept.loud;

export function setTongue(name) {
  kept.tongue = name;
  localStorage.setItem("voice", name);
  tell("sound");
}

export function setVoiceLoudness(share) {
  kept.loud = share;
  localStorage.setItem("voice-volume", String(Math.round(share * 100)));
}

const plain = (lang) => lang.toLowerCase().replace("_", "-");

function voiceOf(name) {
  const voices = globalThis.speechSynthesis?.getVoices() ?? [];
  for (const lang of TONGUES[name] ?? []) {
    const found = voices.find((voice) => plain(voice.lang).startsWith(lang));
    if (found) return found;
  }
  return null;
}

/** The tongues that this device speaks. */
export const tongues = () => Object.keys(TONGUES).filter(voiceOf);

/** Call `act` now, and when the device has found its voices. */
export function onVoices(act) {
  act();
  globalThis.speechSynthesis?.addEventListener("voiceschanged", act);
}

/** Say what the dealer calls out of these announcements, the last one where there are several. */
export function call(said) {
  const last = said.filter((one) => CALLED.has(one.key)).at(-1);
  const voice = kept.tongue && !document.hidden && !aside() ? voiceOf(kept.tongue) : null;
  if (!last || !voice) return;
  const english = language === "en";
  const words = new SpeechSynthesisUtterance(english === (kept.tongue === "english") ? last.sentence : last.beside);
  words.voice = voice;
  words.lang = voice.lang;
  words.volume = kept.loud;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}
