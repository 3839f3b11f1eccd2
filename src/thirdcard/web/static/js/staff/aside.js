// A paragraph beside the work: a citation opens it over the right column, Esc closes it, and the table behind stays
// in use. What it shows comes from the rulebook's own page, in the page's language.

import { $, $$ } from "../dom.js";
import { draw, html, icon, node } from "../draw.js";
import { HANDS } from "../facts.js";
import { t } from "./say.js";

const address = (href) => {
  const found = /\/rules\/([^/#?]+)#p-([^/?]+)$/.exec(href);
  return found && { slug: found[1], number: decodeURIComponent(found[2]) };
};

/** @type {Map<string, Promise<Document>>} */
const pages = new Map(); // rulebooks that were read, by slug
let panel = null; // what is open
let opener = null; // the citation that opened it
let trail = []; // the paragraphs that were read before
const STANDS = 6; // points of two cards from which on the Player takes no third

/** The rulebook's page, asked for once. */
function read(slug) {
  if (!pages.has(slug)) {
    const asked = fetch(`/rules/${slug}`).then(async (answer) => {
      if (!answer.ok) throw new Error(answer.statusText);
      return new DOMParser().parseFromString(await answer.text(), "text/html");
    });
    asked.catch(() => pages.delete(slug));
    pages.set(slug, asked);
  }
  return pages.get(slug);
}

/** The table as it is seen, on a page that follows one. */
const seen = async () => ($("#table") ? (await import("../state.js")).table.seen : null);

/** Open a paragraph of a rulebook; nothing of the page behind changes. */
async function show(where) {
  if (!panel) {
    panel = node(html`<aside id="para" class="para" aria-labelledby="para-title"></aside>`);
    $("#staff").append(panel);
  }
  fill(where, [html`<p class="muted" role="status">${t("aside_reading")}</p>`]);
  $("#para-title").focus();
  const mine = panel;
  let parts;
  try {
    parts = told(await read(where.slug), where, await seen());
  } catch {
    parts = [html`<p role="alert">${t("aside_no_answer")}</p>`];
  }
  if (panel !== mine || mine.dataset.number !== where.number) return;
  fill(where, parts);
  $("td.here", mine)?.scrollIntoView({ block: "nearest", inline: "center" });
}

function fill(where, parts) {
  const focused = panel.contains(document.activeElement);
  panel.dataset.number = where.number;
  const before = trail.at(-1);
  draw(
    panel,
    html`<header>
      <h2 id="para-title" tabindex="-1">${t("aside_paragraph", { number: where.number })}</h2>
      <button type="button" class="btn quiet" @click=${close} aria-label="${t("aside_close")}, Esc">
        ${icon("close")}
        <kbd class="key">Esc</kbd>
      </button>
    </header>`,
    html`<div class="para-text" tabindex="0" role="region" aria-labelledby="para-title">${parts}</div>`,
    html`<p class="hist">
      ${before && html`<button type="button" class="btn sm" @click=${back}>
        ${t("aside_back", { number: before.number })}
      </button>`}
      <a class="btn sm quiet" href="/rules/${where.slug}#p-${where.number}" target="_blank" rel="noopener">
        ${t("aside_rulebook")}
      </a>
    </p>`,
  );
  if (focused) $("#para-title").focus();
}

function back() {
  show(trail.pop());
}

function close() {
  panel?.remove();
  panel = null;
  trail = [];
  const href = opener?.getAttribute("href");
  const again = opener?.isConnected ? opener : $$("a.cite").find((one) => one.getAttribute("href") === href);
  again?.focus();
}

// What a paragraph says ---------------------------------------------------------------------------------------

/** The paragraph in our words, with those under it, and what the rulebook's page derives from it. */
function told(page, { slug, number }, now) {
  const own = paragraph(page, number);
  const under = own ? $$(`[id^="${own.id}."]`, page) : [];
  const text = [own, ...under].filter(Boolean).map((one) => excerpt(one, own));
  const used = uses(page, own ? own.id : `p-${number}`);
  const links = [...text, ...used].flatMap((one) => $$("a", one));
  for (const one of links) one.setAttribute("href", `/rules/${slug}${one.hash || ""}`);
  for (const one of [...text, ...used].flatMap((part) => $$("[id]", part))) one.removeAttribute("id");
  for (const one of used.flatMap((part) => $$("table:has([data-points])", part))) inThisHand(one, now);
  return [
    ...(text.length ? text : [html`<p class="muted">${t("aside_unknown", { number })}</p>`]),
    ...inThisRound(slug, number),
    ...used,
    html`<p class="src">${t("aside_source", { book: $("h1", page).textContent.trim(), digest: digest(page) })}</p>`,
  ];
}

/** What the desk says of this very round by that paragraph. */
function inThisRound(slug, number) {
  const said = $$("#required p").filter((one) => $(`a.cite[href$="/${slug}#p-${number}"]`, one));
  if (!said.length) return [];
  const texts = said.map((one) => html`<p>${uncited(one)}</p>`);
  return [html`<div class="now-so"><b class="eyebrow">${t("aside_this_round")}</b>${texts}</div>`];
}

/** What a sentence says, without the paragraphs that it cites. */
function uncited(sentence) {
  const said = sentence.cloneNode(true);
  for (const one of $$(".cite", said)) one.remove();
  return said.textContent;
}

/** The Table of Play for the hands as they lie: the Banker's row is lit, and where the Player points once that is known. */
function inThisHand(grid, now) {
  const { cards = [], points = {} } = now ?? {};
  const [player, banker] = HANDS.map((side) => cards.filter((one) => one.hand === side && one.exposed));
  if (banker.length !== 2 || player.length < 2 || points.banker === null) return;
  const third = player[2] ? String(valueOf(player[2].card)) : points.player >= STANDS ? "stands" : "";
  const row = $(`[data-points="${points.banker}"]`, grid);
  row?.classList.add("here");
  if (third) $(`[data-third="${third}"]`, row ?? grid)?.classList.add("here");
}

const valueOf = (card) => ("TJQK".includes(card[0]) ? 0 : card[0] === "A" ? 1 : Number(card[0]));

const digest = (page) => $(".hero code", page)?.textContent.trim() ?? "";

/** The article of a paragraph; of an item that has none, that of the paragraph it belongs to. */
function paragraph(page, number) {
  for (let name = number; name; name = name.split(".").slice(0, -1).join(".")) {
    const found = page.getElementById(`p-${name}`);
    if (found) return found;
  }
  return null;
}

function excerpt(article, first) {
  const text = $("p[lang]", article) ?? $(".sources", article);
  const body = document.importNode(text, true);
  if (article === first) return node(html`<div class="says-so">${body}</div>`);
  return node(html`<div class="item"><b>${article.id.slice(2)}</b>${body}</div>`);
}

/** What else of the rulebook's page cites it, under the headings that it has there. */
function uses(page, id) {
  const found = [];
  for (const section of $$("section.panel", page)) {
    const parts = new Set($$(`a.cite[href$="#${id}"]`, section).map((one) => unit(one, section)));
    parts.delete(null);
    if (parts.size) found.push(node(html`<h3>${heading(section)}</h3>`), ...laid([...parts], heading(section)));
  }
  return found;
}

const heading = (section) => $("h2", section).firstChild.textContent.trim();

/** The smallest whole that a citation stands in: a term, a bet's rows, a row, a ruling, else its section's table. */
function unit(cite, section) {
  const found = cite.closest(".terms > div, tbody[id], .ruling, .layouts > li") ?? cite.closest("tbody > tr, li");
  return found ?? (section.contains(cite.closest("p.note, h2")) ? $("table", section) : null);
}

function laid(parts, title) {
  const made = [];
  const terms = parts.filter((one) => one.matches("div:not(.ruling)"));
  if (terms.length) made.push(node(html`<dl class="terms">${terms.map(copy)}</dl>`));
  const rows = parts.filter((one) => one.matches("tr, tbody"));
  if (rows.length) {
    const { tHead } = rows[0].closest("table");
    const bodies = rows.map((one) => (one.matches("tr") ? html`<tbody>${copy(one)}</tbody>` : copy(one)));
    made.push(scrolled(html`<table>${tHead ? copy(tHead) : null}${bodies}</table>`, title));
  }
  for (const one of parts.filter((part) => part.matches("table"))) made.push(scrolled(copy(one), title));
  for (const one of parts.filter((part) => part.matches(".ruling, li"))) {
    const of = one.closest("article") && $("h3", one.closest("article")).textContent;
    made.push(node(html`<div class="item">${of && html`<b>${of}</b>`}${copy(one.matches("li") ? wrap(one) : one)}</div>`));
  }
  return made;
}

const copy = (one) => document.importNode(one, true);
const wrap = (item) => {
  const made = item.ownerDocument.createElement("div");
  made.append(...[...item.childNodes].map((one) => one.cloneNode(true)));
  return made;
};
const scrolled = (one, title) =>
  node(html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>${one}</div>`);

// When it opens and closes -----------------------------------------------------------------------------------

/** A plain click on a citation opens it here; with a key held down it goes where links go. */
function onClick(event) {
  const cite = event.target.closest?.("a.cite");
  const where = cite && !event.ctrlKey && !event.metaKey && !event.shiftKey && address(cite.href);
  if (!where || !$("#staff").contains(cite)) return;
  event.preventDefault();
  if (panel?.contains(cite)) trail.push({ slug: where.slug, number: panel.dataset.number });
  else {
    opener = cite;
    trail = [];
  }
  show(where);
}

function onKey(event) {
  if (event.key !== "Escape" || !panel) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // it closes this and nothing else
  close();
}

document.addEventListener("click", onClick);
document.addEventListener("keydown", onKey, { capture: true });
