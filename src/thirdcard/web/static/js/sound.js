// Small sounds, made on the spot and off until somebody asks for them.

let context = null;
let on = localStorage.getItem("sound") === "on";

export const sounding = () => on;

export function toggle() {
  on = !on;
  localStorage.setItem("sound", on ? "on" : "off");
  if (on) tone(660, 0.05);
  return on;
}

const TONES = { chip: [1400, 0.03], card: [320, 0.06], result: [520, 0.16], last: [880, 0.04] };

export function sound(name) {
  if (on) tone(...TONES[name]);
}

function tone(hertz, seconds) {
  context ??= new AudioContext();
  const now = context.currentTime;
  const [source, volume] = [context.createOscillator(), context.createGain()];
  source.frequency.value = hertz;
  source.type = "triangle";
  volume.gain.setValueAtTime(0.08, now);
  volume.gain.exponentialRampToValueAtTime(0.0001, now + seconds);
  source.connect(volume).connect(context.destination);
  source.start(now);
  source.stop(now + seconds);
}
