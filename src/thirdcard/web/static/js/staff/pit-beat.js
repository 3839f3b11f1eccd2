// A worker that says when to look again: its timers run on in a tab that nobody sees.

const LOOK_MS = 2000;

setInterval(() => postMessage(null), LOOK_MS);
