// Documents: a rulebook's draft from one, with all that a person has to decide; and a rulebook held to one.
// A row is confirmed by taking it out of the draft, so the draft alone says what is open.

import { ask, saidOf } from "../api.js";
import { $ } from "../dom.js";
import { draw, html } from "../draw.js";
import { t } from "./say.js";

const LARGEST = 4_000_000; // bytes that the server reads
const ROW = "\n[[unconfirmed]]\n";
const form = $("#document");
const draft = $("#draft");
const { text, make } = draft.elements;
let read = null; // what the server read, with the draft as it was written

/** The rows of a draft that are open: each is a table of its own at the end. */
const openRows = (written) => `\n${written}`.split(ROW).slice(1);

const keyOf = (row) => JSON.parse(/^key = (".*")$/m.exec(row)?.[1] ?? '""');

/** The draft without the first row of a key. */
function without(written, key) {
  const [before, ...rows] = `\n${written}`.split(ROW);
  const at = rows.findIndex((row) => keyOf(row) === key);
  return [before, ...rows.filter((_, number) => number !== at)].join(ROW).slice(1);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const what = event.submitter?.value ?? "read";
  const file = form.elements.file.files[0];
  outcome("");
  draw($("#report"));
  draft.hidden = true;
  if (file.size > LARGEST) {
    outcome(t("too_large", { bytes: file.size.toLocaleString("en"), most: LARGEST.toLocaleString("en") }), "wrong");
    return;
  }
  busy(true);
  try {
    const given = { file: file.name, data: await base64(file) };
    if (what === "check") held(await ask("POST", "/api/documents/check", { rulebook: form.elements.rulebook.value, ...given }));
    else show(await ask("POST", "/api/documents/read", given));
  } catch (error) {
    outcome(saidOf(error, t("no_answer")), "wrong");
  } finally {
    busy(false);
  }
});

async function base64(file) {
  const url = await new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

function busy(on) {
  $("#progress").hidden = !on;
  for (const button of form.querySelectorAll("button")) button.disabled = on;
}

function outcome(said, kind) {
  draw($("#outcome"), said ? html`<p class=${kind}>${said}</p>` : null);
}

// A draft -------------------------------------------------------------------------------------------------------

function show(found) {
  read = found;
  text.value = found.text;
  draft.hidden = false;
  draw($("#report"), report());
  count();
}

/** How many values of each kind were read, in their order. */
function kinds(values) {
  const counts = new Map();
  for (const { kind } of values) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function report() {
  const { report: told } = read;
  return html`<section class="banner"><h2></h2>
      <p>${t("document_read", { values: told.read.length, lines: told.lines, pages: told.pages })}</p></section>
    <div class="columns">
      <section class="panel"><h2>${t("document_kinds")}</h2><dl class="terms">
        ${[...kinds(told.read)].map(([kind, many]) => html`<div><dt>${t(`document_${kind.replaceAll(" ", "_")}`)}</dt><dd>${many}</dd></div>`)}
      </dl></section>
      <section class="panel"><h2>${t("document_not_understood")} <small>${told.not_understood.length}</small></h2>
        ${told.not_understood.map((doubt) => html`<article><p class="at">${t("document_line", { line: doubt.line, page: doubt.page })}</p>
          <blockquote lang="en">${doubt.text}</blockquote><p lang="en">${doubt.why}</p></article>`)}
        ${told.not_understood.length ? null : html`<p class="soft">${t("document_all_placed")}</p>`}
        <h2>${t("document_to_decide")} <small>${told.to_decide.length}</small></h2>
        ${told.to_decide.map(rowOf)}
      </section>
      <section class="panel"><h2>${t("document_differs")}</h2>
        <p>${t("document_nearest", { book: told.nearest, same: told.shared, of: told.compared })}</p>
        ${told.changed.map((change) => html`<article class="change"><code>${change.key}</code>
          <p><del>${change.before || "–"}</del> → <ins>${change.after || "–"}</ins> <small>${change.paragraph}</small></p>
          ${change.edge_after === null ? null : html`<p class="soft">${t("document_edge", { before: percent(change.edge_before_approx), after: percent(change.edge_after_approx) })}</p>`}
        </article>`)}
        ${told.changed.length ? null : html`<p class="soft">${t("document_same")}</p>`}
      </section>
    </div>`;
}

const percent = (share) => (100 * share).toFixed(2);

function rowOf(row) {
  return html`<article class="row"><div><p class="at">${[row.paragraph, row.line ? t("document_at", { line: row.line }) : ""].filter(Boolean).join(", ")}</p>
    <code>${row.key}</code><p lang="en">${row.why}</p></div>
    <button class="btn quiet" data-key=${row.key} @click=${confirm}>${t("document_confirm")}</button></article>`;
}

/** Pressed again it is taken back: the draft as it was written has the row. */
function confirm({ currentTarget: button }) {
  const { key } = button.dataset;
  const taken = button.getAttribute("aria-pressed") === "true";
  if (taken) text.value = `${text.value.trimEnd()}\n${ROW}${openRows(read.text).find((row) => keyOf(row) === key).trimEnd()}\n`;
  else text.value = without(text.value, key);
  button.setAttribute("aria-pressed", String(!taken));
  count();
}

function count() {
  const left = openRows(text.value).length;
  make.disabled = left > 0;
  make.textContent = left ? t("document_rows_left", { count: left }) : t("document_make");
  const told = $("#report .banner h2");
  if (told) told.textContent = left ? t("document_draft", { count: left }) : t("document_nothing_open");
}

text.addEventListener("input", count);

draft.elements.keep.addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
  link.download = `${read.slug}.toml`;
  link.click();
  URL.revokeObjectURL(link.href);
});

draft.addEventListener("submit", async (event) => {
  event.preventDefault();
  make.disabled = true;
  try {
    const taken = await ask("POST", "/api/rulebooks", { file: `${read.slug}.toml`, text: text.value });
    location.assign(`/rules/${taken.rulebook}`);
  } catch (error) {
    outcome(saidOf(error, t("no_answer")), "wrong");
    draw($("#report"), html`<section class="panel">${differences(error.findings ?? [])}</section>`);
    count();
  }
});

// A rulebook held to its document -------------------------------------------------------------------------------

function held(found) {
  const { findings, agree, compared, rulebook } = found;
  draw($("#report"), html`<section class="banner"><h2>${findings.length ? t("document_is_not", { count: findings.length }) : t("document_is")}</h2>
      <p>${t("document_compared", { agree, compared, book: rulebook })}</p></section>
    <section class="panel">${differences(findings)}</section>`);
}

function differences(findings) {
  return html`<table class="findings"><thead><tr><th scope="col">${t("document_line_head")}</th><th scope="col">${t("document_key")}</th><th scope="col">${t("document_finding")}</th></tr></thead>
    <tbody lang="en">${findings.map(({ line, key, finding }) => html`<tr><td>${line || ""}</td><td><code>${key}</code></td><td>${finding}</td></tr>`)}</tbody></table>`;
}
