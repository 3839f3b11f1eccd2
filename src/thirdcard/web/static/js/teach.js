// Teaching in place: help on every spot, the odds of the shoe, the roads in large, and a coach on the first visit.
// What these show is fetched when it is first asked for.

import { $, $$, html } from "./dom.js";
import { only } from "./panels.js";
import { on, option, seat, table } from "./state.js";

const HOLD_MS = 500;
const STILL = 10; // pixels that a finger may move while it holds a spot
const SPOT = "table-felt [data-bet], table-grid [data-bet]";
const ROOMY = matchMedia("(min-width: 1240px) and (min-height: 600px)");

let styled = null;

/** The look of it all, once. */
function style() {
  styled ??= new Promise((done) => {
    const href = new URL("../css/teach.css", import.meta.url).href;
    document.head.append(html("link", { rel: "stylesheet", href, onload: done, onerror: done }));
  });
  return styled;
}

const bring = (name) => Promise.all([import(name), style()]).then(([module]) => module);

/** Help on a spot; where a cell stands for several bets, on all of them. */
async function help(spot) {
  if (spot.dataset.bet.includes(" ")) return panel("bets-help");
  const { explain } = await bring("./help.js");
  return explain(spot);
}

const PANELS = { "bets-help": "./bets-help.js", "shoe-odds": "./shoe-odds.js" };

/** A panel of the drawer, or none where it is there already. */
async function panel(name) {
  await bring(PANELS[name]);
  const found = $(name);
  const opens = found.hidden;
  only(opens ? found : null);
  if (opens) found.show();
}

const showOdds = () => table.seen?.house.live_odds && panel("shoe-odds");
const showBets = () => panel("bets-help");
export const showRoads = async () => (await bring("./roads-large.js")).showRoads();

/** By a long press, or the menu that a second button brings; the click that ends a press is no bet. */
function watchPresses() {
  let held = null;
  let from = null;
  let helped = false;
  const spotOf = (event) => event.target.closest?.(SPOT);
  const drop = () => clearTimeout(held);
  const give = (spot) => {
    if (helped) return;
    helped = true;
    help(spot);
  };
  document.addEventListener("pointerdown", (event) => {
    const spot = spotOf(event);
    helped = false;
    drop();
    if (!spot || event.button !== 0) return;
    from = [event.clientX, event.clientY];
    held = setTimeout(() => give(spot), HOLD_MS);
  });
  document.addEventListener("pointermove", (event) => {
    if (from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > STILL) drop();
  });
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, drop);
  document.addEventListener(
    "click",
    (event) => {
      if (!helped || !spotOf(event)) return;
      helped = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  document.addEventListener("contextmenu", (event) => {
    const spot = spotOf(event);
    if (!spot) return;
    event.preventDefault();
    drop();
    give(spot);
  });
}

const KEYS = { o: showOdds, g: showRoads };

function watchKeys() {
  let over = null;
  document.addEventListener("pointerover", (event) => (over = event.target.closest?.(SPOT) ?? null));
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || target.matches("input, select, textarea")) return;
    if ($("squeeze-panel")?.hidden === false) return; // there the keys are the cards'
    if (event.key === "?") {
      const spot = target.closest(SPOT) ?? over;
      if (spot) help(spot);
      else showBets();
    } else if (KEYS[event.key.toLowerCase()]) KEYS[event.key.toLowerCase()]();
    else return;
    event.preventDefault();
  });
}

/** On the first visit, once there is something to do. */
function watchFirstVisit() {
  if (localStorage.getItem("coach")) return;
  let begun = false;
  on("options phase seats", async () => {
    if (begun || !seat() || table.seen.phase !== "betting" || !option("place")) return;
    begun = true;
    (await bring("./coach.js")).coach();
  });
}

/** A table to learn at says what its bets are when somebody comes for the first time; after the coach, one thing at a time. */
function watchGentle() {
  let met = false;
  on("house coached", () => {
    if (seat() && !localStorage.getItem("coach")) return;
    if (met || !table.seen.house.gentle || !ROOMY.matches || localStorage.getItem("bets-told")) return;
    met = true;
    localStorage.setItem("bets-told", "yes");
    showBets();
  });
}

export function watchLessons() {
  for (const button of $$("[data-lesson]")) {
    const lesson = { odds: showOdds, bets: showBets, roads: showRoads }[button.dataset.lesson];
    button.addEventListener("click", lesson);
  }
  on("house", () => {
    for (const button of $$('[data-lesson="odds"]')) button.hidden = !table.seen.house.live_odds;
  });
  $("#roads").addEventListener("click", () => ROOMY.matches && showRoads());
  watchPresses();
  watchKeys();
  watchFirstVisit();
  watchGentle();
}
