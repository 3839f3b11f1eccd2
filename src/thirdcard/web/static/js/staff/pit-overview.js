// The pit at a glance: a tile a table, what waits with the oldest first, what stands out, limits that change.

import { ask } from "../api.js";
import { $, html } from "../dom.js";
import { betName, own } from "../words.js";
import { draw } from "./pit-draw.js";
import { hour, running } from "./pit-clock.js";
import { mark, stateName, waitText, waitTitle } from "./pit-names.js";
import { road } from "./pit-road.js";
import { soundRow } from "./pit-sounds.js";
import { look, onPit, pit } from "./pit-watch.js";
import { attempt, cites, clock, field, formOf, money, signed, t } from "./say.js";

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
  return place >= 0 && place < KEYS ? html("kbd", { class: "key" }, place + 1) : null;
};

// Totals ------------------------------------------------------------------------------------------------------

function totals() {
  const { totals: sum, waiting, tables, shift, at } = pit.seen;
  const hours = shift.since ? (at - shift.since) / HOUR : 0;
  const stopped = tables.filter((one) => STOPPED.has(one.state)).map((one) => mark(one));
  const figures = [
    [t("pit_total_stopped"), sum.stopped, stopped.length ? stopped.join(", ") : "", sum.stopped],
    [
      t("pit_total_waiting"),
      sum.waiting,
      waiting.length ? [t("pit_oldest"), " ", running(waiting[0].since, "span")] : "",
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
    html(
      "div",
      { class: calls ? "a" : null },
      html("dt", {}, name),
      html("dd", {}, `${figure} `, more && html("small", {}, ...[more].flat())),
    ),
  );
}

// Tables ------------------------------------------------------------------------------------------------------

/** @type {Map<string, HTMLElement>} */
const tiles = new Map(); // by table: each stays where it is, and with it the focus

function showTiles() {
  const { tables } = pit.seen;
  for (const one of tables) {
    if (!tiles.has(one.id)) tiles.set(one.id, html("article", { "data-id": one.id }));
    const place = tiles.get(one.id);
    const focused = place.contains(document.activeElement) ? document.activeElement.tagName : "";
    const turn = pit.seen.waiting.findIndex((found) => found.table === one.id);
    if (draw(place, [one, turn], () => tile(one)) && focused) $(focused, place)?.focus();
    const kind = STOPPED.has(one.state) ? "stop" : calls(one) ? "waits" : CLOSED.has(one.state) ? "off" : "";
    place.className = `tt ${kind}`.trim();
  }
  draw($("#tiles"), tables.map((one) => one.id), () => tables.map((one) => tiles.get(one.id)));
}

function tile(one) {
  return [
    html(
      "header",
      {},
      html("span", { class: "tno", "aria-hidden": "true" }, mark(one)),
      html("h3", {}, html("a", { href: `/pit/${one.id}` }, one.title), html("small", {}, game(one))),
      html("div", { class: "state" }, ...state(one)),
    ),
    ...body(one),
    html("div", { class: "meta" }, html("span", {}, limits(one)), html("span", {}, dealer(one))),
    html(
      "footer",
      {},
      html(
        "span",
        { class: "occd" },
        seats(one),
        one.standing ? html("span", {}, t("pit_standing_more", { count: one.standing })) : null,
      ),
      one.win === null ? null : html("span", {}, `${t("pit_shift_win")} `, html("b", {}, signed(one.win))),
    ),
  ];
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
  if (STOPPED.has(one.state))
    return [running(one.stopped_at || one.state_since, "b"), html("span", {}, t("pit_stopped_for"))];
  const more = {
    insurance: () => (one.silent.length ? t("pit_silent_count", { count: one.silent.length }) : ""),
    payouts: () => t("pit_payouts_left", { count: one.payouts_left }),
    closed: () => t("pit_since", { time: hour(one.state_since) }),
    archived: () => t("pit_since", { time: hour(one.state_since) }),
  }[one.state];
  const text = more ? more() : "";
  const left = one.state === "bets-open" && one.timer ? Math.ceil(one.timer.left_ms / 1000) : 0;
  const timer = left ? t("pit_seconds", { seconds: left }) : "";
  const runs = calls(one) && one.state_since ? running(one.state_since, "span") : html("span", {}, text || timer);
  return [html("b", {}, stateName(one)), runs];
}

/** The road; of a table that waits, what for, and the way there. */
function body(one) {
  const { case: held, call } = one;
  if (held && STOPPED.has(one.state)) {
    const ranks = held.may ? t("pit_yours_to_decide") : t("takes_rank", { rank: held.decides_title });
    const who = held.players.length ? t("pit_waits_players", { players: held.players.join(", ") }) : ranks;
    return [
      html(
        "p",
        { class: "say1" },
        own("cases", held.case, held.title),
        ...cites(held.rules, one.rulebook),
        html("br"),
        html(
          "span",
          { class: "soft" },
          who,
          one.more_cases.length ? ` ${t("pit_more_cases", { count: one.more_cases.length })}` : "",
        ),
      ),
      held.note && html("p", { class: "say1 soft" }, `“${held.note}”`),
      html(
        "a",
        {
          class: "btn warn",
          href: `/pit/${one.id}`,
          onclick: (event) => open(event, one.id, held.players.length ? null : held),
        },
        t("pit_open_case"),
        keyOf(one.id),
      ),
    ].filter(Boolean);
  }
  if (call) {
    return [
      html(
        "p",
        { class: "say1" },
        call.note === "called" ? t("pit_call_no_words") : `“${call.note}”`,
        html("br"),
        html("span", { class: "soft" }, t("pit_play_goes_on")),
      ),
      html(
        "button",
        { class: "btn warn", type: "button", onclick: () => answer(one.id) },
        t("pit_answer_call"),
        keyOf(one.id),
      ),
    ];
  }
  return [
    one.results
      ? road(one.results, t("pit_road_of", { title: one.title }))
      : html("p", { class: "say1 soft" }, t("pit_no_rounds")),
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
    (_, place) => html("i", { class: place < one.seats_taken ? "t" : null }),
  );
  return html("span", { class: "occ", role: "img", "aria-label": label }, ...dots);
}

// What waits, what stands out ---------------------------------------------------------------------------------

const none = (text) => html("li", {}, html("span", {}), html("p", {}, text));
const number = (id) => html("b", { class: "bn", title: titleOf(id) }, mark({ id, title: titleOf(id) }));

const waits = (one, place) =>
  html(
    "li",
    {},
    number(one.table),
    html(
      "div",
      {},
      html(
        "b",
        {},
        html(
          "a",
          { class: "open", href: `/pit/${one.table}`, onclick: (event) => open(event, one.table, one) },
          waitTitle(one),
        ),
      ),
      html("p", {}, waitText(one), ...cites(one.rules, bookOf(one.table))),
    ),
    html("span", {}, running(one.since), " ", place < KEYS ? html("kbd", { class: "key" }, place + 1) : null),
  );

function alarm(one) {
  const told = one.corrections.map((found) => `${found.by} ${hour(found.at)}`).join(", ");
  return html(
    "li",
    {},
    number(one.table),
    html(
      "div",
      {},
      html(
        "b",
        {},
        html(
          "a",
          { class: "open", href: `/pit/${one.table}` },
          t(`pit_alarm_${one.kind.replaceAll("-", "_")}`, { count: one.count }),
        ),
      ),
      told && html("p", {}, told),
    ),
    one.since ? html("em", { class: "soft" }, hour(one.since)) : null,
  );
}

/** What changes of limits with the next round. */
function placards() {
  return pit.seen.tables
    .filter((one) => one.house.next_limits)
    .map((one) => {
      const { limits: coming, differential } = one.house.next_limits;
      const changed = Object.entries(coming).map(([bet, { min, max }]) =>
        `${betName(bet)} ${money(min)}–${max === null ? "" : money(max)}`,
      );
      const before = one.differential === null ? "–" : money(one.differential);
      const gap =
        differential !== one.differential && differential !== null
          ? t("pit_placard_differential", { before, after: money(differential) })
          : "";
      return html(
        "li",
        {},
        number(one.id),
        html("div", {}, html("b", {}, gap || t("pit_placard_limits")), html("p", {}, changed.slice(0, 3).join(" · "))),
        html("a", { class: "btn sm", href: `/staff/tables/${one.id}/setup` }, t("pit_placard_open")),
      );
    });
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
  const name = html("input", { name: "name", required: true, maxlength: 40, autocomplete: "off" });
  return [
    html("p", { class: "hint" }, started),
    formOf(
      start,
      html(
        "div",
        { class: "row" },
        field(t("pit_shift_name"), name),
        html("button", { class: "btn", type: "submit" }, t("pit_shift_start")),
      ),
    ),
  ];
}

function show() {
  const { seen } = pit;
  draw($("#kpis"), [seen.totals, seen.waiting[0]?.since, Math.floor(seen.at / 6e7)], totals);
  showTiles();
  $("#tiles").removeAttribute("aria-busy");
  draw($("#waiting"), seen.waiting, () => (seen.waiting.length ? seen.waiting.map(waits) : [none(t("nobody_calls"))]));
  draw($("#alarms"), seen.alarms, () => (seen.alarms.length ? seen.alarms.map(alarm) : [none(t("pit_no_alarms"))]));
  const coming = seen.tables.map((one) => [one.id, one.house.next_limits]);
  draw($("#placards"), coming, () => (placards().length ? placards() : [none(t("pit_no_placards"))]));
  if ($("#shift")) draw($("#shift"), seen.shift, shift);
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

$("#sounds").replaceChildren(soundRow());
$("#archived").addEventListener("click", archived);
addEventListener("keydown", onKey);
onPit(show);
