// Rulebooks of the house: all that were found, and one more from a file, checked before it is taken. The text
// stays in the page whatever the answer, so it can be mended and given again.

import { ask, get, saidOf } from "../api.js";
import { $ } from "../dom.js";
import { draw, html } from "../draw.js";
import { originOf, own, t } from "./say.js";

const LARGEST = 250_000; // bytes that the server takes at once
const DIGITS = 12;
const form = $("#give");
const { file: name, text } = form.elements;

async function show() {
  const found = await get("/api/rulebooks");
  draw($("#books"), found.map(row));
}

function row(one) {
  const title = own("books", one.slug, one.title) || one.slug;
  return html`<tr class=${one.problem ? "off" : null} data-slug=${one.slug}>
    <th scope="row">
      ${one.problem ? one.slug : html`<a href="/rules/${one.slug}">${title}</a>`}
      ${one.problem ? null : html`<small class="soft">${` ${one.slug}`}</small>`}
    </th>
    <td>${one.version || ""}</td>
    <td>${originOf(one)}</td>
    <td><code title=${one.digest}>${one.digest.slice(0, DIGITS)}</code></td>
    <td lang=${one.problem ? "en" : null}>${one.problem || t("usable")}</td>
  </tr>`;
}

// A file that is chosen or dropped ----------------------------------------------------------------------------

async function read(file) {
  if (!file) return;
  told();
  draw($("#outcome"));
  if (file.size > LARGEST) {
    outcome(t("too_large", { bytes: file.size.toLocaleString("en"), most: LARGEST.toLocaleString("en") }), "wrong");
    return;
  }
  name.value = file.name;
  text.value = await file.text();
  text.focus();
}

$("#chosen").addEventListener("change", (event) => read(event.target.files[0]));
const drop = $("#drop");
for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  read(event.dataTransfer.files[0]);
});

// What the server says of it ----------------------------------------------------------------------------------

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  told();
  draw($("#outcome"));
  busy(true);
  try {
    const taken = await ask("POST", "/api/rulebooks", { file: name.value, text: text.value });
    outcome(t("rulebook_taken", { slug: taken.rulebook, digest: taken.digest.slice(0, DIGITS) }), "notice");
    told(taken.findings);
    await show();
  } catch (error) {
    const { findings = [] } = error;
    outcome(findings.length ? t("rulebook_refused", { count: findings.length }) : saidOf(error, t("no_answer")), "wrong");
    told(findings);
  } finally {
    busy(false);
  }
});

function busy(on) {
  $("#progress").hidden = !on;
  form.querySelector("button").disabled = on;
}

function outcome(said, kind) {
  draw($("#outcome"), html`<p class=${kind}>${said}</p>`);
}

/** Everything that was found, in a table; nothing hides it. */
function told(findings = []) {
  const place = $("#findings");
  place.hidden = !findings.length;
  draw(place.querySelector("tbody"), findings.map(({ level = "fault", key, finding, example = "" }) =>
      html`<tr class=${level}>
        <td><span class="tag ${level}">${t(`level_${level}`)}</span></td>
        <td><code>${key}</code></td>
        <td>${finding}</td>
        <td>${example}</td>
      </tr>`,
  ));
}

show();
