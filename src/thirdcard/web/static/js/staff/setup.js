// What a new table and one that runs have in common: the felt as chosen, bets with their limits, the placard.

import { $, html as element } from "../dom.js";
import { draw, html } from "../draw.js";
import { language, odds } from "../words.js";
import { cents, money, t } from "./say.js";

const VERSION = new URL(import.meta.url).pathname.split("/")[2];
export const choices = JSON.parse($("#staff").dataset.choices);

/** A labelled field. */
export const labelled = (label, control, ...more) => html`<label class="f"><span>${label}</span>${control}${more}</label>`;

/** An amount to be typed; empty where there is none. */
export const amountField = (name, value, more = {}) =>
  element("input", { name, value: value === null || value === undefined ? "" : money(value), inputmode: "decimal", autocomplete: "off", ...more });

/** What was typed as an amount: cents, undefined if nothing, null if it is none. */
export const amount = (input) => (input.value.trim() ? cents(input.value) : undefined);

/** What is said of a field that holds nothing to be read. */
export const unread = (input) =>
  input.value.trim()
    ? t("no_amount", { text: input.value })
    : t("setup_empty", { field: input.getAttribute("aria-label") ?? $("span", input.closest("label")).textContent });

/** The layout with its boxes, drawn; each is fetched once. */
export async function showFelt(book, layout, positions) {
  const [low, high] = book.layouts[layout].positions;
  const fits = Math.min(Math.max(Number(positions) || high, low), high);
  const name = `${book.text}/${layout}/${fits}/0.svg`;
  const place = $("#felt");
  if (place.dataset.shown === name) return;
  place.dataset.shown = name;
  const answer = await fetch(`/felt/${name}?v=${VERSION}&lang=${language}`);
  if (place.dataset.shown !== name || !answer.ok) return;
  const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  drawn.setAttribute("aria-hidden", "true");
  draw(place, drawn);
  place.setAttribute("role", "img"); // and not before it has a name
  place.setAttribute("aria-label", t("setup_felt", { layout, positions: fits, count: book.layouts[layout].bets.length }));
}

/** Every bet of a layout by name, what it pays, and fields for the least and the most. */
export function limitsTable(book, layout, limits) {
  const rows = book.layouts[layout].bets.map((name) => {
    const { name: said, zh, side, pays } = book.bets[name];
    const limit = limits(name);
    const end = (which, value, more) =>
      html`<td>${amountField(`${which}/${name}`, value, { "aria-label": `${said} ${t(which)}`, ...more })}</td>`;
    return html`<tr>
      <td><span class="zh ${side}" lang="zh-Hant">${zh}</span></td>
      <th scope="row">${said}</th>
      <td class="muted">${odds(pays)}</td>
      ${end("min", limit.min)}${end("max", limit.max, { placeholder: t("setup_none") })}
    </tr>`;
  });
  const heads = ["", t("bet"), t("setup_pays"), t("setup_from"), t("setup_up_to")];
  return html`<table class="lim">
    <thead>
      <tr>${heads.map((head) => (head ? html`<th scope="col">${head}</th>` : html`<td></td>`))}</tr>
    </thead>
    <tbody>${rows}</tbody>
  </table>`;
}

/** Limits as typed, by bet, and the fields that hold no amount. */
export function readLimits(form, bets) {
  const limits = {};
  const wrong = [];
  for (const bet of bets) {
    const [low, high] = ["min", "max"].map((end) => form.elements[`${end}/${bet}`]);
    const [min, max] = [amount(low), amount(high)];
    if (min === null || min === undefined) wrong.push(low);
    if (max === null) wrong.push(high);
    limits[bet] = { min: min ?? 0, max: max ?? null };
  }
  return { limits, wrong };
}

// The placard -----------------------------------------------------------------------------------------------

const both = (key) => choices.placard[key];
const line = ([en, zh], value) => [
  html`<dt><span lang="en">${en}</span><em lang="zh-Hant">${zh}</em></dt>`,
  html`<dd>${value}</dd>`,
];
const range = ({ min, max }) => (max === null ? `${money(min)} –` : `${money(min)} – ${money(max)}`);

/** What stands at the table, in both languages: hands first, then bets that share their limits. */
export function showPlacard({ title, book, layout, limits, differential, insurance, closed }) {
  const offered = book.layouts[layout].bets;
  const hands = offered.filter((name) => book.bets[name].main);
  const groups = new Map();
  for (const name of offered.filter((one) => !hands.includes(one))) {
    const key = JSON.stringify(limits[name]);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const names = (group) =>
    group.length > 4
      ? both("side_bets")
      : ["en", "zh"].map((tongue, place) => group.map((name) => book.bets[name][tongue]).join(place ? " " : ", "));
  const least = hands.length ? Math.min(...hands.map((name) => limits[name].min)) : null;
  const most = hands.map((name) => limits[name]).find((limit) => limit.max !== null);
  draw(
    $("#placard"),
    html`<h2>${title || "…"}</h2>`,
    html`<p class="game">
      <span lang="en">${book.titles[0]}</span>
      ${book.titles[1] !== book.titles[0] && [" ", html`<span lang="zh-Hant">${book.titles[1]}</span>`]}
    </p>`,
    html`<dl class="big">
      ${least === null ? [] : line(both("minimum"), money(least))}${most ? line(both("maximum"), money(most.max)) : []}
      ${differential ? line(both("differential"), money(differential)) : []}
    </dl>`,
    html`<dl>${[...groups.values()].flatMap((group) => line(names(group), range(limits[group[0]])))}</dl>`,
    html`<p>${terms(book, hands, insurance, closed)}</p>`,
  );
}

function terms(book, hands, insurance, closed) {
  const said = [];
  if (hands.includes("banker")) said.push(both("pays").map((text, place) => text.replace("{odds}", book.bets.banker.pays.replace(" to ", both("to")[place]))));
  if (book.insurance) said.push(both(insurance ? "insurance" : "no_insurance"));
  if (closed) said.push(both("private"));
  return [
    html`<span lang="en">${said.map(([en]) => en).join(" ")}</span>`,
    " ",
    html`<span lang="zh-Hant">${said.map(([, zh]) => zh).join("")}</span>`,
  ];
}
