// What the pages of the school share: their words, paragraphs, cards, bets, bars, and how well something is remembered.

import { get } from "../api.js";
import { $, html, svg } from "../dom.js";
import { bet, betName, cardName, language, money, own, phrase } from "../words.js";

// The table of play as somebody remembers it: Banker's two cards down, Player's third card across, – where the Player stands.

const THIRDS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-"];
const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];
const [SIDE, GAP, LEFT, TOP] = [26, 2, 24, 22];
const x = (column) => LEFT + column * (SIDE + GAP) + (column === 10 ? 8 : 0);
const y = (row) => TOP + row * (SIDE + GAP);

/**
 * Drawn from skills by name; `row` is lit and told with letters, `cell` is the one asked. Before an answer no letter is
 * shown.
 */
export function tableMap(known, { row = null, cell = "", draws = null } = {}) {
  const cells = ROWS.flatMap((points) =>
    THIRDS.map((third, column) => {
      const here = `third-card/banker/${points}/${third}`;
      const one = known.get(here);
      const lit = row === null || row === points;
      const kind = `mc ${tone(one?.remembered)}${lit ? "" : " dimmed"}${here === cell ? " cur" : ""}`;
      return svg(
        "g",
        { class: kind },
        svg("rect", { x: x(column), y: y(points), width: SIDE, height: SIDE, rx: 4 }),
        draws && svg("text", { x: x(column) + SIDE / 2, y: y(points) + 17, "text-anchor": "middle", "font-size": 12 }, draws(points, third)),
      );
    }),
  );
  const heads = THIRDS.map((third, column) => svg("text", { class: "ax", x: x(column) + SIDE / 2, y: 14, "text-anchor": "middle", "font-size": 12 }, third === "-" ? "–" : third));
  const sides = ROWS.map((points) => svg("text", { class: points === row ? "ax lit" : "ax", x: 14, y: y(points) + 18, "text-anchor": "middle", "font-size": 12 }, points));
  const sure = [...known].filter(([skill]) => skill.startsWith("third-card/banker/")).map(([, one]) => one.remembered);
  const mean = sure.length ? Math.round((100 * sure.reduce((sum, one) => sum + one, 0)) / sure.length) : 0;
  return svg(
    "svg",
    { class: "mem", viewBox: `0 0 ${x(10) + SIDE + 2} ${y(7) + SIDE + 2}`, role: "img", "aria-label": t("map_label", { met: sure.length, mean }) },
    ...heads,
    ...sides,
    ...cells,
  );
}

/** @type {HTMLElement} */
export const root = $("#school");
export const { book, kind = "", exam = "", table = "", layout = "", name = "", who = "" } = root.dataset;
export const lang = `lang=${language}`;
/** @type {Record<string, string>} what rulebooks are called */
export const books = JSON.parse(root.dataset.books || "{}");

/** @type {Record<string, string>} what irregularities are called */
const cases = JSON.parse(root.dataset.cases || "{}");
export const caseName = (one) => cases[one] ?? own("cases", one, one);

/** A phrase of the school: `school_KEY`. */
export const t = (key, facts = {}) => phrase(`school_${key}`, facts);

/** A drill by its kind, and the same in the language beside. */
export const kindName = (one) => t(`kind_${one}`);
export const kindBeside = (one) => t(`kind_${one}_beside`);

/** Paragraphs as links into the reader. */
export const cites = (rules, slug = book) =>
  (rules ?? []).flatMap((rule) => [" ", html("a", { class: "cite", href: `/rules/${slug}#p-${rule.split("(")[0]}` }, rule)]);

/** A card as it is dealt, or the back of one. */
export function card(value, { across = false, cut = "small" } = {}) {
  const use = svg("use", { href: `${root.dataset.cards}#${value ? `${cut}-${value}` : "card-back"}`, width: 100, height: 140 });
  return svg(
    "svg",
    { class: across ? "pc across" : "pc", viewBox: across ? "0 0 140 100" : "0 0 100 140", role: "img", "aria-label": cardName(value) },
    across ? svg("g", { transform: "translate(140 0) rotate(90)" }, use) : use,
  );
}

/** The Chinese name of a bet in the colour of its side; `title` says it in words. */
export function glyph(of, window) {
  const said = bet(window ? `${of}-insurance` : of);
  return html("span", { class: `zh ${said.side}`, lang: "zh-Hant", title: betName(of) }, said.zh);
}

const icons = {
  "third-card": "M4 4h7v10H4zM13 4h7v10h-7zM9 17h7v4H9z",
  result: "M4 5h16v11H10l-4 4v-4H4z",
  pay: "M9 4a6 6 0 1 1 0 12A6 6 0 0 1 9 4M15 8a6 6 0 1 1-6 12",
  insurance: "M12 3l7 3v6c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6z",
  limits: "M4 20V10M10 20V4M16 20v-7M3 20h18",
  squeeze: "M6 4h9l3 3v13H6zM15 4v3h3",
  spot: "M2 12c2.500-4.500 6-6.500 10-6.500s7.500 2 10 6.500c-2.500 4.500-6 6.500-10 6.500S4.500 16.500 2 12M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6",
  rule: "M5 20h9M8 4l6 6M6 6l6 6M10 8l9 9",
  changed: "M7 3v18M17 3v18M4 8h6M14 15h6",
  shift: "M4 8h16v11H4zM9 8V5h6v3M4 13h16",
  today: "M5 4h14v16H5zM9 9l2 2 4-4M9 15h6",
};

export const kindIcon = (one) =>
  svg(
    "svg",
    { class: "kic", viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 1.7, "stroke-linejoin": "round", "aria-hidden": "true" },
    svg("path", { d: icons[one] }),
  );

const STEPS = [0.95, 0.85, 0.75, 0.62, 0.5];

/** The tone for how well something is remembered: `k0` is sure, `k5` hardly, `kn` never met. */
export function tone(remembered) {
  if (remembered === null || remembered === undefined) return "kn";
  const place = STEPS.findIndex((least) => remembered >= least);
  return `k${place < 0 ? STEPS.length : place}`;
}

/** What the tones mean. */
export const ramp = () => html("p", { class: "ramp" }, html("em", {}, t("surely")), ...["k0", "k1", "k2", "k3", "k4", "k5"].map((one) => html("i", { class: one })), html("em", {}, t("hardly")));

/** A bar that is so full; its number stands beside it. */
export const bar = (share) =>
  svg(
    "svg",
    { class: "bar", viewBox: "0 0 200 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "tr", width: 200, height: 10 }),
    svg("rect", { class: "fl", width: Math.max(0, Math.min(1, share)) * 200, height: 10 }),
  );

export const panel = (kind, title, small, ...inside) =>
  html("section", { class: `panel ${kind}`.trim() }, html("h2", {}, title, small && html("small", {}, ...[small].flat())), ...inside);

/** Rows under column headings; a heading is its words, or words and a class. */
export function rows(kind, heads, ...lines) {
  const head = heads.map((one) => [one].flat()).map(([text, of]) => html("th", { scope: "col", class: of }, text));
  return html("table", { class: kind || null }, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...lines));
}

/** What may be wider than the page, and is scrolled by keys too. */
export const scrolled = (label, ...inside) => html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...inside);

/** A labelled control of a form. */
export const field = (label, control) => html("label", { class: "field" }, html("span", {}, label), control);

/** Steps of a reason, each with its paragraphs. */
export const because = (steps, slug = book) => html("ol", { class: "why" }, ...steps.map((one) => html("li", {}, one.says, ...cites(one.paragraphs, slug))));

const said = $("#said");

/** Read aloud by screen readers. */
export function announce(text) {
  said.textContent = "";
  setTimeout(() => (said.textContent = text), 30);
}

export const day = (micros) => new Date(micros / 1000).toLocaleDateString(root.dataset.locale, { day: "numeric", month: "long", year: "numeric" });
export const moment = (micros) =>
  new Date(micros / 1000).toLocaleString(root.dataset.locale, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** When something comes back, from now: `3 min`, `1 day`, `4 days`. */
export function until(micros, now = Date.now() * 1000) {
  const minutes = Math.max(0, (micros - now) / 60e6);
  if (minutes < 90) return t("minutes", { count: Math.max(1, Math.round(minutes)) });
  if (minutes < 20 * 60) return t("hours", { count: Math.round(minutes / 60) });
  const days = Math.round(minutes / 1440);
  return days > 1 ? t("days", { count: days }) : t("one_day");
}

/** An item by its name, made again with its answers; nothing where its table has it no more. */
export async function solved(item) {
  const { seed, number, layout: letter, decks, skill, level, recorded } = item;
  if (item.table) {
    const asked = new URLSearchParams({ first: number, count: "1", kind: item.kind, level });
    return (await get(`/api/school/tables/${item.table}/items?${asked}&${lang}`)).items.find((one) => one.name.skill === skill);
  }
  const asked = new URLSearchParams({ seed, first: number, layout: letter, decks, skill, level, solved: "true" });
  for (const one of recorded) asked.append("recorded", one);
  return (await get(`/api/school/items/${item.rulebook}/${item.kind}?${asked}&${lang}`)).items[0];
}

/** What a skill is called: the cell of the table of play, the bet, the case; else its own name. */
export function skillName(skill) {
  const [of, ...parts] = skill.split("/");
  if (of === "third-card" && parts[0] === "banker") {
    return t(parts[2] === "stands" ? "skill_banker_alone" : "skill_banker", { points: parts[1], third: parts[2] });
  }
  if (of === "third-card") return t(`skill_${parts[0]}`, { points: parts[1] });
  if (of === "rule") return caseName(parts[0]);
  if (of === "spot") return t(`skill_spot_${parts[0]}`);
  if (of === "differs") return [books[parts[0]] ?? parts[0], ...parts.slice(1).map(word)].join(" · ");
  return parts.map(word).join(" · ");
}

function word(part) {
  const named = betName(part);
  return named === part ? part.replaceAll("-", " ") : named;
}

export { betName, money };
export { attempt, complain } from "../wrong.js";
