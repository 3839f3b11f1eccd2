// A round step by step, drawn as it lay: cards, chips, holders and roads, forward and back.

import { stack } from "../chips.js";
import { $, $$ } from "../dom.js";
import { draw, html } from "../draw.js";
import { HANDS } from "../facts.js";
import { betName, cardName, initials, outcome, phrase, shortMoney } from "../words.js";
import { card, cites, glyph, money, signed, t } from "./say.js";

const EVERY_MS = 900;
const steps = JSON.parse($("#replay").dataset.steps);
const items = $$("#replay > li");
const slider = $("#step");
const felt = $("#stage .felt");
const slug = $("#replay").dataset.text;
let now = 0;
let playing = 0;

const isPublic = () => $("#view [aria-pressed=true]").dataset.view === "public";

/** The cards as they lay: to the public only those that everybody had seen. */
function hands({ laid }) {
  const places = laid.desk.map((name, at) => ({ at, name: isPublic() && !laid.up[at] ? null : name, up: laid.up[at] }));
  const shown = HANDS.map((side, which) => {
    const mine = places.filter(({ at }) => laid.hands[at] === side);
    const holders = [...new Set(mine.map(({ at }) => laid.holders[at + 1]).filter(Boolean))];
    return html`<div class="rhand">
      <b>
        ${glyph(side)} ${betName(side)} ${laid.points ? html`<span class="rpts">${laid.points[which]}</span>` : null}
      </b>
      <div class="cards">${mine.map(({ name, up }) => faced(name, up))}</div>
      ${holders.length && !isPublic() ? html`<small>${t("replay_held", { player: holders.join(", ") })}</small>` : null}
    </div>`;
  });
  if (laid.besides.length && !isPublic())
    shown.splice(
      1,
      0,
      html`<div class="rhand besides">
        <div class="cards">${laid.besides.map((name) => card(name))}</div>
        <small>${t("replay_besides")}</small>
      </div>`,
    );
  draw($("#hands"), shown);
}

function faced(name, up) {
  return card(name, { down: !up });
}

const slotsOf = (spot) =>
  spot.dataset.slots.split(" ").map((slot) => {
    const [x, y, r] = slot.split(",").map(Number);
    return { x, y, r };
  });

/** Chips in the slots of their spots; people's names on the rail. To the public all of it was there to see. */
function chips({ stakes, laid }) {
  const layer = $(".chips", felt);
  const found = [];
  for (const spot of $$(".spot", felt)) {
    const bets = spot.dataset.bet.split(" ");
    const mine = stakes.filter((one) => String(one.box) === spot.dataset.box && bets.includes(one.bet));
    spot.classList.toggle("taken", mine.length > 0);
    if (mine.length) found.push(...heaped(spot, mine));
  }
  for (const half of $$(".insurance", felt)) {
    const bought = laid.purchases.filter((one) => `${one.hand}-insurance` === half.dataset.bet);
    half.classList.toggle("taken", bought.length > 0);
    if (bought.length) found.push(...heaped(half, bought));
  }
  draw(layer, found);
  for (const place of $$("[data-plate]", felt)) {
    const room = Number(place.dataset.room);
    const name = laid.seats[place.dataset.plate] ?? "";
    place.textContent = [...name].length > room ? `${[...name].slice(0, Math.max(1, room - 1)).join("")}…` : name;
  }
}

/** A stack for each person as long as there are slots; the last one has all that are left. */
function heaped(spot, mine) {
  const slots = slotsOf(spot);
  const { turn, tag } = spot.dataset;
  const many = Math.min(tag ? 1 : slots.length, mine.length);
  return Array.from({ length: many }, (_, place) => {
    const these = place === many - 1 ? mine.slice(place) : [mine[place]];
    const cents = these.reduce((sum, one) => sum + one.cents, 0);
    const who = these.length > 1 ? `+${these.length}` : initials(these[0].player);
    return stack(slots[place], {
      cents,
      label: { who: tag ? "" : who, amount: shortMoney(cents, 7) },
      own: false,
      turn: tag ? turn : 0,
      tag,
      size: 14,
    });
  });
}

const amount = (what, value) => (value === "" ? "–" : typeof value === "number" ? (what === "net" ? signed(value) : money(value)) : value);

function difference(one) {
  const who =
    one.what === "card"
      ? t("replay_place", { place: one.who })
      : `${one.box ? `${one.box} ` : ""}${one.who}${one.what === "net" ? `, ${t("replay_won")}` : ""}`;
  const face = (value) => (one.what === "card" ? (value ? cardName(value) : "–") : amount(one.what, value));
  return html`<tr>
    <th scope="row">${who}${one.bet ? " " : null}${one.bet ? glyph(one.bet) : null}</th>
    <td>${face(one.before)}</td>
    <td>→</td>
    <td><b>${face(one.after)}</b></td>
  </tr>`;
}

function facts({ version, by, name, hash, rules, postings, stakes, laid }) {
  const staked = stakes.reduce((sum, one) => sum + one.cents, 0);
  const net = Object.values(laid.nets).reduce((sum, one) => sum + one, 0);
  const rows = [
    [t("replay_record"), `#${version} · ${by}`],
    [t("replay_kind"), name],
    [t("replay_before"), short(steps[now - 1]?.hash ?? "")],
    [t("replay_hash"), short(hash)],
    [t("replay_paragraphs"), html`<span>${cites(rules, slug)}</span>`],
    [t("replay_moved"), postings.map(([account, cents]) => `${account} ${signed(cents)}`).join(", ") || "–"],
    [t("replay_money"), t("replay_staked", { staked: money(staked), net: signed(net) })],
  ];
  draw($("#facts"), rows.flatMap(([key, value]) => [html`<dt>${key}</dt>`, html`<dd>${value}</dd>`]));
}

const short = (hash) => (hash ? `${hash.slice(0, 8)} … ${hash.slice(-8)}` : "–");

function written({ laid }) {
  const said = laid.saying ? t("replay_said", { sentence: phrase(`public_${laid.saying}`) }) : t("replay_not_said");
  draw(
    $("#wrote"),
    laid.wrote && !isPublic() ? [html`<blockquote>${`“${laid.wrote}”`}</blockquote>`] : [],
    html`<p class="soft">${said}</p>`,
  );
}

function show(to) {
  now = Math.min(Math.max(to, 0), steps.length - 1);
  const step = steps[now];
  slider.value = String(now + 1);
  items.forEach((item, place) => item.toggleAttribute("data-now", place === now));
  items[now].scrollIntoView({ block: "nearest" });
  $("#where").textContent = t("replay_step", { now: now + 1, all: steps.length });
  $("#when").textContent = new Date(step.at / 1000).toLocaleTimeString("en-GB");
  $("#what").textContent = isPublic()
    ? step.laid.saying
      ? phrase(`public_${step.laid.saying}`)
      : step.laid.points
        ? outcome(winner(step.laid.points))
        : ""
    : (step.told[0] ?? "");
  hands(step);
  chips(step);
  written(step);
  facts(step);
  const found = isPublic() ? step.laid.differs.filter((one) => one.what === "card" || one.what === "net") : step.laid.differs;
  draw($("#changed"), found.length
    ? html`<table><tbody>${found.map(difference)}</tbody></table>`
    : html`<p class="muted">${t("replay_nothing")}</p>`);
  for (const road of $$(".road")) road.hidden = road.dataset.results !== step.laid.results;
  for (const one of $$("[data-private], #facts")) one.hidden = isPublic();
  $("#before").disabled = now === 0;
  $("#after").disabled = now === steps.length - 1;
  if (now === steps.length - 1) stop();
}

const winner = ([player, banker]) => (player > banker ? "player" : banker > player ? "banker" : "tie");

function stop() {
  clearInterval(playing);
  playing = 0;
  $("#play").setAttribute("aria-pressed", "false");
}

function play() {
  if (playing) {
    stop();
    return;
  }
  if (now === steps.length - 1) show(0);
  $("#play").setAttribute("aria-pressed", "true");
  playing = setInterval(() => show(now + 1), EVERY_MS);
}

const KEYS = {
  ArrowRight: () => show(now + 1),
  ArrowLeft: () => show(now - 1),
  " ": play,
  e: () => $("#evidence").click(),
};

async function start() {
  const answer = await fetch($("#sprite").href);
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.body.prepend(...drawn.body.children);
  slider.max = String(steps.length);
  slider.addEventListener("input", () => show(Number(slider.value) - 1));
  $("#before").addEventListener("click", () => show(now - 1));
  $("#after").addEventListener("click", () => show(now + 1));
  $("#play").addEventListener("click", play);
  for (const one of $$("#view button"))
    one.addEventListener("click", () => {
      for (const other of $$("#view button")) other.setAttribute("aria-pressed", String(other === one));
      show(now);
    });
  items.forEach((item, place) => $(".rstep", item).addEventListener("click", () => show(place)));
  document.addEventListener("keydown", (event) => {
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    event.preventDefault();
    act();
  });
  $("#staff").classList.add("drawn");
  for (const one of $$("#stage, .rpanels, #player, #view, #facts")) one.hidden = false;
  show(0);
}

if (steps.length) start();
