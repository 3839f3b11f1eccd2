// Rulebooks of the house: all that were found, and one more from a file, checked before it is taken. The text
// stays in the page whatever the answer, so it can be mended and given again.

import { ask, get, Refused } from "../api.js";
import { $, html } from "../dom.js";
import { originOf, own, t } from "./say.js";

const LARGEST = 250_000; // bytes that the server takes at once
const DIGITS = 12;
const form = $("#give");
const { file: name, text } = form.elements;

async function show() {
  const found = await get("/api/rulebooks");
  $("#books").replaceChildren(...found.map(row));
}

function row(one) {
  const title = own("books", one.slug, one.title) || one.slug;
  return html(
    "tr",
    { class: one.problem ? "off" : null, "data-slug": one.slug },
    html(
      "th",
      { scope: "row" },
      one.problem ? one.slug : html("a", { href: `/rules/${one.slug}` }, title),
      one.problem ? null : html("small", { class: "soft" }, ` ${one.slug}`),
    ),
    html("td", {}, one.version || ""),
    html("td", {}, originOf(one)),
    html("td", {}, html("code", { title: one.digest }, one.digest.slice(0, DIGITS))),
    html("td", { lang: one.problem ? "en" : null }, one.problem || t("usable")),
  );
}

// A file that is chosen or dropped ----------------------------------------------------------------------------

async function read(file) {
  if (!file) return;
  told();
  $("#outcome").replaceChildren();
  if (file.size > LARGEST) {
    outcome(t("too_large", { bytes: file.size.toLocaleString("en") }), "wrong");
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
  $("#outcome").replaceChildren();
  busy(true);
  try {
    const taken = await ask("POST", "/api/rulebooks", { file: name.value, text: text.value });
    outcome(t("rulebook_taken", { slug: taken.rulebook, digest: taken.digest.slice(0, DIGITS) }), "notice");
    told(taken.findings);
    await show();
  } catch (error) {
    if (!(error instanceof Refused)) outcome(t("no_answer"), "wrong");
    else {
      const { findings } = error;
      outcome(findings.length ? t("rulebook_refused", { count: findings.length }) : error.said, "wrong");
      told(findings);
    }
  } finally {
    busy(false);
  }
});

function busy(on) {
  $("#progress").hidden = !on;
  form.querySelector("button").disabled = on;
}

function outcome(said, kind) {
  $("#outcome").replaceChildren(html("p", { class: kind }, ...[said].flat()));
}

/** Everything that was found, in a table; nothing hides it. */
function told(findings = []) {
  const place = $("#findings");
  place.hidden = !findings.length;
  place.querySelector("tbody").replaceChildren(
    ...findings.map(({ level = "fault", key, finding, example = "" }) =>
      html(
        "tr",
        { class: level },
        html("td", {}, html("span", { class: `tag ${level}` }, t(`level_${level}`))),
        html("td", {}, html("code", {}, key)),
        html("td", {}, finding),
        html("td", {}, example),
      ),
    ),
  );
}

show();
