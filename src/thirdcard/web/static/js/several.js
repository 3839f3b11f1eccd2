// Tables side by side, each a page of its own in a frame. Keys go to the one that has the focus, and only that one
// makes a sound; the others say so in their tab when they ask for something.

import { $, $$ } from "./dom.js";

const frames = $$("#several iframe");
const tabs = $$(".tab [data-at]");
const TWO = matchMedia("(min-width: 1600px)");
const FOUR = matchMedia("(min-width: 1920px) and (min-height: 880px)");

let shown = []; // places of the frames on the screen
let attended = 0;

const most = () => (FOUR.matches ? 4 : TWO.matches ? 2 : 1);

/** As many as the screen takes, the one that has the focus always among them. */
function lay() {
  const fits = Math.min(most(), frames.length);
  shown = shown.slice(0, fits);
  if (!shown.includes(attended)) shown = [...shown.slice(0, fits - 1), attended];
  for (let at = 0; shown.length < fits; at++) if (!shown.includes(at)) shown.push(at);
  $("#several").dataset.shown = shown.length;
  frames.forEach((frame, at) => {
    frame.hidden = !shown.includes(at);
    frame.style.order = shown.indexOf(at);
    if (!frame.hidden && !frame.src) frame.src = frame.dataset.src;
  });
}

/** The keys and the sounds are with this table now. A frame whose page is still coming is told when it has (`met`). */
function attend(at) {
  attended = at;
  if (!shown.includes(at)) lay();
  frames.forEach((frame, place) => {
    frame.classList.toggle("attended", place === at);
    frame.contentDocument?.documentElement?.classList.toggle("aside", place !== at);
  });
  tabs.forEach((tab, place) => tab.setAttribute("aria-pressed", String(place === at)));
}

function go(at) {
  attend((at + frames.length) % frames.length);
  frames[attended].focus();
  frames[attended].contentWindow.focus();
}

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.("input, select, textarea")) return;
  const by = { "[": -1, "]": 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  go(attended + by);
}

/** A frame that has come: what it does is ours to know, since it is a page of ours. */
function met(frame, at) {
  const { contentWindow: inside, contentDocument: page } = frame;
  page.documentElement.classList.add("framed");
  inside.addEventListener("focus", () => attend(at));
  inside.addEventListener("pointerdown", () => attend(at), true);
  inside.addEventListener("keydown", keys);
  page.addEventListener("click", outwards, true);
  $("#account", page)?.addEventListener("person", ({ detail }) => anew(detail, at));
  asking(page, at);
  attend(attended);
}

/** A link leads this whole window there, not one frame of it. */
function outwards(event) {
  const link = event.target.closest?.("a[href]:not([target])");
  if (link) link.target = "_top";
}

/** Somebody sat down as a guest in one frame: so they are in all of them. */
function anew(name, at) {
  frames.forEach((frame, place) => {
    const root = frame.contentDocument && $("#table", frame.contentDocument);
    if (place !== at && root && root.dataset.who !== name) frame.contentWindow.location.reload();
  });
}

/** Insurance waits for an answer, cards for being turned, and bets are about to close, also at a table that one does not look at. */
function asking({ documentElement: root }, at) {
  const prompt = $("insurance-prompt", root);
  if (!prompt) return;
  const [sign, middle] = [$(".asks", tabs[at]), $("table-middle", root)];
  const closes = () => middle?.classList.contains("urgent") && $("table-tray:not(.closed)", root) && !$(".pocket", root)?.hidden;
  const tell = () => {
    const what = !prompt.hidden ? "insurance" : root.classList.contains("squeezing") ? "squeeze" : at !== attended && closes() ? "closing" : "";
    sign.hidden = !what;
    sign.textContent = sign.dataset[what] ?? "";
  };
  const watch = new MutationObserver(tell);
  watch.observe(prompt, { attributes: true, attributeFilter: ["hidden"] });
  for (const one of middle ? [root, middle] : [root]) watch.observe(one, { attributes: true, attributeFilter: ["class"] });
  tell();
}

frames.forEach((frame, at) => frame.addEventListener("load", () => met(frame, at)));
tabs.forEach((tab, at) => tab.addEventListener("click", () => go(at)));
for (const size of [TWO, FOUR]) size.addEventListener("change", lay);
if (frames.length) {
  document.addEventListener("keydown", keys);
  lay();
  attend(0);
}
