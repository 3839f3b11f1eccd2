// Chips in the air: from the rack to a spot and back, losers to the dealer, winnings to the spot, then home.

import { chip, pieces } from "./chips.js";
import { $, $$ } from "./dom.js";
import { countIn } from "./counting.js";
import { fly, later, ms, moves } from "./motion.js";
import { sound } from "./sound.js";
import { mine, on, table } from "./state.js";

const [BET, SWEEP, PAY, REST, HOME] = [180, 520, 420, 300, 460];
const [APART, BOXES_APART] = [30, 60];
const LIFT = 18; // pixels, half way
const MOST = 40; // chips in the air at once
const SIZE = 30; // where nothing tells how large chips are there

const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
const seen = (element) => element && element.getBoundingClientRect().width > 0;

/** Where chips lie that are bet there, on the screen; null if it is not shown. */
function lying(box, bet) {
  const spot = $$(`.shown [data-bet~="${bet}"]`).find((one) => !one.dataset.box || Number(one.dataset.box) === box);
  if (!seen(spot)) return null;
  const [x, y, r] = (spot.dataset.slots ?? "").split(" ")[0].split(",").map(Number);
  if (!(r > 0)) return { ...middle(($(".pc", spot) ?? spot).getBoundingClientRect()), size: SIZE };
  const matrix = spot.ownerSVGElement.getScreenCTM();
  const at = new DOMPoint(x, y).matrixTransform(matrix);
  return { x: at.x, y: at.y, size: 2 * r * matrix.a };
}

/** Where one's own chips come from: that chip of the row, else the row. */
function handful(cents) {
  const from = $(`.chipbtn[data-cents="${cents}"]`) ?? $('.chipbtn[aria-checked="true"]');
  return seen(from) ? middle(from.getBoundingClientRect()) : home();
}

/** Where one's own money is told. */
const home = () => {
  const place = [...$$("table-purse .rack"), $(".pocket"), $(".dock")].find(seen);
  return middle(place.getBoundingClientRect());
};

/** Where the dealer's float is: the middle of the felt's far edge. */
function dealer() {
  const { x, y, width } = $(".stage").getBoundingClientRect();
  return { x: x + width / 2, y: y + 10 };
}

/** Where somebody else's winnings go: to the name on the rail. */
function seatOf(box) {
  const plate = $(`.shown [data-plate="${box}"]`);
  return seen(plate) ? middle(plate.getBoundingClientRect()) : null;
}

function send(cents, size, path, how) {
  const face = chip(pieces(cents)[0], size);
  fly(face, size, path, how);
}

const half = (from, to) => ({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, lift: LIFT });

// Betting ----------------------------------------------------------------------------------------------------

let sent = []; // as it was
let own = new Map(); // one's own stakes, as they were, each with its round

function bets() {
  const fresh = table.sent.filter((bet) => !sent.includes(bet));
  sent = [...table.sent];
  fresh.forEach(({ box, bet, cents }, place) => {
    const to = lying(box, bet);
    if (!to || !moves()) {
      sound("chip");
      return;
    }
    const from = handful(cents);
    const over = () => sound("chip");
    send(cents, to.size, [from, half(from, to), to], { lasts: ms(BET), after: place * APART, over });
  });
}

/** Chips that I took back go home; only while bets are open, or they were lost or paid. */
function returned() {
  const { round: present } = table.seen;
  const now = new Map(mine().map((stake) => [`${stake.box}/${stake.bet}`, { ...stake, round: present }]));
  const before = own;
  own = now;
  if (table.seen.phase !== "betting") return;
  let place = 0;
  for (const [key, { box, bet, cents, round }] of before) {
    const left = now.get(key)?.cents ?? 0;
    const from = left < cents && round === present ? lying(box, bet) : null;
    if (!from) continue;
    const to = handful(cents - left);
    send(cents - left, from.size, [from, half(from, to), to], { lasts: ms(BET), after: place * APART });
    place += 1;
  }
}

// The result -------------------------------------------------------------------------------------------------

let settled = null; // the round whose result was played

function result() {
  const { settlement, round, phase } = table.seen;
  const fresh = settlement && phase === "settled" && settled !== null && settled !== round;
  settled = settlement ? round : (settled ?? 0);
  if (!fresh) return;
  const lines = settlement.lines.filter((line) => !line.bet.endsWith("-insurance"));
  const mineNow = settlement.lines.filter((line) => line.player === table.me);
  const won = mineNow.filter((line) => line.net > 0).reduce((sum, line) => sum + line.net, 0);
  if (moves()) {
    const swept = sweep(lines.filter((line) => line.net < 0));
    pay(lines.filter((line) => line.net > 0), swept, won > 0);
  }
  if (won > 0) later(moves() ? ms(PAY) : 0, () => sound("win"));
}

/** Losing chips go to the dealer, box by box from the right; how long that takes. */
function sweep(lost) {
  const to = dealer();
  const found = lost.map((line) => ({ line, from: lying(line.box, line.bet) })).filter(({ from }) => from);
  const boxes = [...new Set(found.sort((a, b) => b.from.x - a.from.x).map(({ line }) => line.box))];
  for (const { line, from } of found.slice(0, MOST)) {
    const path = [from, { ...between(from, to, 0.85), at: 0.85 }, { ...to, opacity: 0 }];
    const after = ms(boxes.indexOf(line.box) * BOXES_APART);
    send(line.stake, from.size, path, { lasts: ms(SWEEP), after, easing: "ease-in" });
  }
  if (found.length) sound("sweep");
  return found.length ? ms(SWEEP + BOXES_APART * (boxes.length - 1)) : 0;
}

const between = (from, to, part) => ({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });

/** Winnings come to the spot, rest there, and go home; one's own are counted into the rack. */
function pay(won, wait, counts) {
  const from = dealer();
  const whole = PAY + REST + HOME;
  for (const line of won.slice(0, MOST)) {
    const spot = lying(line.box, line.bet);
    if (!spot) continue;
    const to = line.player === table.me ? home() : (seatOf(line.box) ?? spot);
    const path = [
      { ...from, opacity: 0 },
      { ...between(from, spot, 0.2), at: 0.05 },
      { ...spot, at: PAY / whole },
      { ...spot, at: (PAY + REST) / whole },
      { ...to, opacity: line.player === table.me ? 1 : 0 },
    ];
    send(line.net, spot.size, path, { lasts: ms(whole), after: wait });
  }
  if (won.length) later(wait + ms(PAY), () => sound("pay"));
  if (counts) countIn(wait + ms(whole));
}

export function watchFlights() {
  on("sent", bets);
  on("stakes round phase", returned);
  on("settlement phase", result);
}
