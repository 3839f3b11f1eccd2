// The filter over a rulebook's paragraphs. Without it the page shows them all.

import { $, $$ } from "./dom.js";

const form = $("#filter");
const told = form.querySelector("output");
const paragraphs = $$(".paragraph").map((element) => ({
  element,
  words: element.textContent.toLowerCase(),
}));

function show() {
  const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const status = form.elements.status.value;
  let found = 0;
  for (const one of paragraphs) {
    const fits = words.every((word) => one.words.includes(word));
    one.element.hidden = !fits || (status && one.element.dataset.status !== status);
    if (!one.element.hidden) found += 1;
  }
  for (const chapter of $$(".chapter")) {
    chapter.hidden = !chapter.querySelector(".paragraph:not([hidden])");
  }
  const narrowed = words.length || status;
  told.textContent = narrowed ? told.dataset.told.replace("{}", String(found)) : "";
}

/** A link to a paragraph that the filter hides clears the filter, then goes there. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.hidden) {
    form.reset();
    show();
    target.scrollIntoView();
  }
}

form.hidden = false;
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", reveal);
show(); // a browser that goes back keeps what was typed

// On a small screen the contents start folded.
if (matchMedia("(max-width: 900px)").matches) {
  $(".toc details").open = false;
}
