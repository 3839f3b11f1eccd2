// The pit at a glance: a tile a table, what waits with the oldest first, what stands out, limits that change.

import { ask } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, listed, svg } from "../draw.js";
import { betName, own } from "../words.js";
import { hour, lasted, look, mark, onPit, pit, stateName, waitText, waitTitle } from "./pit-watch.js";
import { soundRow } from "./sounds.js";
import { attempt, cites, clock, field, formOf, money, signed, t } from "./say.js";

// The big road of a shoe, small: a ring for each win, a stroke for a tie.

const ROWS = 6;
const COLUMNS = 20;
const CELL = 14;

/** Where each win lies, and how many ties followed it; ties before the first win lie with it. */
function laid(results) {
  const taken = new Map();
  const cells = [];
  let [column, row, streak, early] = [-1, 0, 0, 0];
  for (const one of results) {
    const last = cells.at(-1);
    if (one === "T") {
      if (last) last.ties++;
      else early++;
      continue;
    }
    if (last?.winner === one) {
      const down = row + 1 < ROWS && !taken.has(`${column}/${row + 1}`) && column === streak;
      if (down) row++;
      else column++;
    } else {
      streak = last ? streak + 1 : 0;
      while (taken.has(`${streak}/0`)) streak++;
      [column, row] = [streak, 0];
    }
    taken.set(`${column}/${row}`, true);
    cells.push({ winner: one, column, row, ties: last ? 0 : early });
  }
  return cells;
}

/** The newest columns as a picture that `label` names. */
export function road(results, label) {
  const cells = laid(results);
  const from = Math.max(0, Math.max(0, ...cells.map((one) => one.column)) - COLUMNS + 1);
  const [width, height] = [COLUMNS * CELL, ROWS * CELL];
  const lines = [
    ...Array.from({ length: COLUMNS + 1 }, (_, n) => `M${n * CELL} 0V${height}`),
    ...Array.from({ length: ROWS + 1 }, (_, n) => `M0 ${n * CELL}H${width}`),
  ];
  const shown = cells.filter((one) => one.column >= from);
  return html`<svg class="rroad" viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
    <path class="grid" d=${lines.join("")}></path>
    ${shown.flatMap((one) => {
      const [x, y] = [(one.column - from) * CELL + CELL / 2, one.row * CELL + CELL / 2];
      const name = `${one.winner.toLowerCase()}${one === cells.at(-1) ? " last" : ""}`;
      const ring = svg`<circle class=${name} cx=${x} cy=${y} r=${CELL / 2 - 2}></circle>`;
      return one.ties ? [ring, svg`<path class="t" d="M${x - 4} ${y + 4}L${x + 4} ${y - 4}"></path>`] : [ring];
    })}
  </svg>`;
}

const KEYS = 9;
const HOUR = 3.6e9; // microseconds
const STOPPED = new Set(["stopped", "held"]);
/** A dealer calls, or people wait for one. */
const calls = (one) => one.state === "calling" || (one.state === "no-dealer" && one.seats_taken + one.standing > 0);
const CLOSED = new Set(["closed", "archived"]);

const titleOf = (id) => pit.seen.tables.find((one) => one.id === id)?.title ?? id;
const bookOf = (id) => pit.seen.tables.find((one) => one.id === id)?.rulebook ?? "";
/** The place of a table's oldest call among those that keys open. */
const keyOf = (id) => {
  const place = pit.seen.waiting.findIndex((one) => one.table === id);
  return place >= 0 && place < KEYS ? html`<kbd class="key">${place + 1}</kbd>` : null;
};

// Totals ------------------------------------------------------------------------------------------------------

function totals() {
  const { totals: sum, waiting: [oldest], tables, shift, at } = pit.seen;
  const hours = shift.since ? (at - shift.since) / HOUR : 0;
  const stopped = tables.filter((one) => STOPPED.has(one.state)).map((one) => mark(one));
  const figures = [
    [t("pit_total_stopped"), sum.stopped, stopped.length ? stopped.join(", ") : "", sum.stopped],
    [
      t("pit_total_waiting"),
      sum.waiting,
      oldest && html`${t("pit_oldest")} <span data-lasts=${oldest.since} .textContent=${lasted(oldest.since)}></span>`,
      sum.waiting,
    ],
    [t("pit_total_open"), sum.open, t("pit_of", { all: sum.tables })],
    [t("pit_total_seats"), sum.seats_taken, t("pit_of", { all: sum.seats })],
    [
      t("pit_total_rounds"),
      sum.rounds,
      hours > 0 && sum.open ? t("pit_per_hour", { rounds: (sum.rounds / hours / sum.open).toFixed(0) }) : "",
    ],
    ...(sum.win === null ? [] : [[t("pit_total_win"), signed(sum.win), ""]]),
  ];
  return figures.map(([name, figure, more, calls]) =>
    html`<div class=${calls ? "a" : null}>
      <dt>${name}</dt>
      <dd>${`${figure} `}${more && html`<small>${more}</small>`}</dd>
    </div>`,
  );
}

// Tables ------------------------------------------------------------------------------------------------------

/** Stopped tables first, the longest before the others; then who calls, the rest, and closed ones. */
const turn = (one) => (STOPPED.has(one.state) ? 0 : calls(one) ? 1 : CLOSED.has(one.state) ? 3 : 2);
const inTurn = (a, b) => turn(a) - turn(b) || (turn(a) ? 0 : a.stopped_at - b.stopped_at);

function tile(one) {
  const kind = STOPPED.has(one.state) ? "stop" : calls(one) ? "waits" : CLOSED.has(one.state) ? "off" : "";
  return html`<article class=${`tt ${kind}`.trim()} data-id=${one.id}>
    <header>
      <span class="tno" aria-hidden="true">${mark(one)}</span>
      <h3><a href="/pit/${one.id}">${one.title}</a><small>${game(one)}</small></h3>
      <div class="state">${state(one)}</div>
    </header>
    ${body(one)}
    <div class="meta"><span>${limits(one)}</span><span>${dealer(one)}</span></div>
    <footer>
      <span class="occd">
        ${seats(one)}
        ${one.standing > 0 && html`<span>${t("pit_standing_more", { count: one.standing })}</span>`}
      </span>
      ${one.win !== null && html`<span>${t("pit_shift_win")} <b>${signed(one.win)}</b></span>`}
    </footer>
  </article>`;
}

/** The rulebook without what its title adds in brackets, its version, the layout. */
const game = (one) =>
  [
    own("books", one.rulebook, one.rulebook_title).replace(/\s*[(\uff08].*/, ""),
    t("pit_version_of", { version: one.rulebook_version }),
    one.layout,
    one.house.face_down && t("pit_face_down"),
  ].filter(Boolean).join(" · ");

function state(one) {
  const since = one.stopped_at || one.state_since;
  if (STOPPED.has(one.state))
    return html`<b data-lasts=${since} .textContent=${lasted(since)}></b><span>${t("pit_stopped_for")}</span>`;
  const more = {
    insurance: () => (one.silent.length ? t("pit_silent_count", { count: one.silent.length }) : ""),
    payouts: () => t("pit_payouts_left", { count: one.payouts_left }),
    closed: () => t("pit_since", { time: hour(one.state_since) }),
    archived: () => t("pit_since", { time: hour(one.state_since) }),
  }[one.state];
  const text = more ? more() : "";
  const left = one.state === "bets-open" && one.timer ? Math.ceil(one.timer.left_ms / 1000) : 0;
  const timer = left ? t("pit_seconds", { seconds: left }) : "";
  const runs = calls(one) && one.state_since;
  return html`
    <b>${stateName(one)}</b>
    <span data-lasts=${runs || null} .textContent=${runs ? lasted(runs) : text || timer}></span>
  `;
}

/** The road; of a table that waits, what for, and the way there. */
function body(one) {
  const { case: held, call } = one;
  if (held && STOPPED.has(one.state)) {
    const ranks = held.may ? t("pit_yours_to_decide") : t("takes_rank", { rank: held.decides_title });
    const who = held.players.length ? t("pit_waits_players", { players: held.players.join(", ") }) : ranks;
    return [
      html`<p class="say1">
        ${own("cases", held.case, held.title)}${cites(held.rules, one.rulebook)}
        <br>
        <span class="soft">
          ${who}${one.more_cases.length ? ` ${t("pit_more_cases", { count: one.more_cases.length })}` : ""}
        </span>
      </p>`,
      held.note && html`<p class="say1 soft">${`“${held.note}”`}</p>`,
      html`<a
        class="btn warn"
        href="/pit/${one.id}"
        @click=${(event) => open(event, one.id, held.players.length ? null : held)}
      >${t("pit_open_case")}${keyOf(one.id)}</a>`,
    ].filter(Boolean);
  }
  if (call) {
    return [
      html`<p class="say1">
        ${call.note === "called" ? t("pit_call_no_words") : `“${call.note}”`}
        <br>
        <span class="soft">${t("pit_play_goes_on")}</span>
      </p>`,
      html`<button class="btn warn" type="button" @click=${() => answer(one.id)}>
        ${t("pit_answer_call")}${keyOf(one.id)}
      </button>`,
    ];
  }
  return [
    one.results
      ? road(one.results, t("pit_road_of", { title: one.title }))
      : html`<p class="say1 soft">${t("pit_no_rounds")}</p>`,
  ];
}

/** To the table; who opens a case that they may decide looks after it, unless somebody does. */
async function open(event, id, held) {
  event.preventDefault();
  if (held?.case && held.may && !held.taken_by)
    await attempt(() => ask("POST", `/api/tables/${id}/cases/take`, { case: held.case }), bookOf(id));
  location.assign(`/pit/${id}`);
}

const answer = async (id) => {
  await attempt(() => ask("POST", `/api/tables/${id}/call/answer`), bookOf(id), t("done"));
  look();
};

const limits = (one) =>
  [
    t("pit_limit_min", { cents: money(one.minimum) }),
    one.differential === null
      ? one.maximum !== null && t("pit_limit_max", { cents: money(one.maximum) })
      : t("pit_limit_differential", { cents: money(one.differential) }),
  ]
    .filter(Boolean)
    .join(" · ");

function dealer(one) {
  if (one.house.dealer !== "staff") return t("pit_deals_itself");
  const { duty } = one;
  const relief = duty.relief_at ? t("pit_relief_at", { time: hour(duty.relief_at) }) : "";
  return [duty.dealer || t("pit_nobody_deals"), relief].filter(Boolean).join(" · ");
}

function seats(one) {
  const label = t("pit_seats_told", { taken: one.seats_taken, all: one.seats });
  const dots = Array.from(
    { length: one.seats },
    (_, place) => html`<i class=${place < one.seats_taken ? "t" : null}></i>`,
  );
  return html`<span class="occ" role="img" aria-label=${label}>${dots}</span>`;
}

// What waits, what stands out ---------------------------------------------------------------------------------

const none = (text) => html`<li><span></span><p>${text}</p></li>`;
const number = (id) => html`<b class="bn" title=${titleOf(id)}>${mark({ id, title: titleOf(id) })}</b>`;

const waits = (one, place) =>
  html`<li>
    ${number(one.table)}
    <div>
      <b>
        <a
          class="open"
          href="/${one.kind === "difference" ? "dealer" : "pit"}/${one.table}"
          @click=${(event) => one.kind !== "difference" && open(event, one.table, one)}
        >
          ${waitTitle(one)}
        </a>
      </b>
      <p>${waitText(one)}${cites(one.rules, bookOf(one.table))}</p>
    </div>
    <span>
      <em data-lasts=${one.since} .textContent=${lasted(one.since)}></em>${" "}
      ${place < KEYS && html`<kbd class="key">${place + 1}</kbd>`}
    </span>
  </li>`;

function alarm(one) {
  const told = one.corrections.map((found) => `${found.by} ${hour(found.at)}`).join(", ");
  return html`<li>
    ${number(one.table)}
    <div>
      <b>
        <a class="open" href="/pit/${one.table}">
          ${t(`pit_alarm_${one.kind}`, { count: one.count })}
        </a>
      </b>
      ${told && html`<p>${told}</p>`}
    </div>
    ${one.since ? html`<em class="soft">${hour(one.since)}</em>` : null}
  </li>`;
}

/** What changes of a table's limits with the next round. */
function placard(one) {
  const { limits: coming, differential } = one.house.next_limits;
  const changed = Object.entries(coming).map(([bet, { min, max }]) =>
    `${betName(bet)} ${money(min)}–${max === null ? "" : money(max)}`,
  );
  const before = one.differential === null ? "–" : money(one.differential);
  const gap =
    differential !== one.differential && differential !== null
      ? t("pit_placard_differential", { before, after: money(differential) })
      : "";
  return html`<li>
    ${number(one.id)}
    <div><b>${gap || t("pit_placard_limits")}</b><p>${changed.slice(0, 3).join(" · ")}</p></div>
    <a class="btn sm" href="/staff/tables/${one.id}/setup">${t("pit_placard_open")}</a>
  </li>`;
}

function shift() {
  const { shift: now } = pit.seen;
  const started = now.name
    ? t("pit_shift_is", { name: now.name, time: clock(now.since), player: now.by })
    : t("pit_shift_none");
  const start = async (given, form) => {
    const name = String(given.get("name")).trim();
    if (await attempt(() => ask("POST", "/api/shift", { name }), "", t("done"))) form.reset();
    look();
  };
  const name = html`<input name="name" required maxlength="40" autocomplete="off">`;
  return [
    html`<p class="hint">${started}</p>`,
    formOf(
      start,
      html`<div class="row">
        ${field(t("pit_shift_name"), name)}
        <button class="btn" type="submit">${t("pit_shift_start")}</button>
      </div>`,
    ),
  ];
}

function show() {
  const { seen } = pit;
  const list = (place, items, key, row, otherwise) =>
    draw($(place), items.length ? listed(items, key, row) : none(t(otherwise)));
  draw($("#kpis"), totals());
  draw($("#tiles"), listed(seen.tables.toSorted(inTurn), (one) => one.id, tile));
  $("#tiles").removeAttribute("aria-busy");
  list("#waiting", seen.waiting, (one) => `${one.table}/${one.kind}/${one.since}`, waits, "nobody_calls");
  list("#alarms", seen.alarms, (one) => `${one.table}/${one.kind}`, alarm, "pit_no_alarms");
  list("#placards", seen.tables.filter((one) => one.house.next_limits), (one) => one.id, placard, "pit_no_placards");
  if ($("#shift")) draw($("#shift"), shift());
  const name = seen.shift.name ? t("pit_shift_since", { name: seen.shift.name, time: hour(seen.shift.since) }) : "";
  $("#subheading").textContent = name;
}

/** 1 to 9 open what waits at that place in the list. */
function onKey(event) {
  const typing = event.target.closest?.("input, select, textarea");
  if (typing || event.altKey || event.ctrlKey || event.metaKey || !/^[1-9]$/.test(event.key)) return;
  const one = pit.seen?.waiting[Number(event.key) - 1];
  if (one) open(event, one.table, one);
}

function archived({ currentTarget }) {
  pit.archived = !pit.archived;
  currentTarget.setAttribute("aria-pressed", String(pit.archived));
  look();
}

draw($("#sounds"), soundRow());
$("#archived").addEventListener("click", archived);
addEventListener("keydown", onKey);
onPit(show);
