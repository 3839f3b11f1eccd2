// Text beside rule: the paragraph that is shown stands in view, J and K go on and back, and a copy of the document can be kept.

import { ask, saidOf } from "./api.js";
import { $ } from "./dom.js";

const here = $(".columns .here");
if (here) here.parentElement.scrollTop = here.offsetTop - here.parentElement.offsetTop - here.parentElement.clientHeight / 3;

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const next = { j: here?.nextElementSibling, k: here?.previousElementSibling }[event.key];
  next?.querySelector("a").click();
});

const form = $("#give-copy");
if (form) {
  const address = `/api/rules/${encodeURIComponent($(".beside").dataset.book)}/copy`;
  const change = async (method, body) => {
    try {
      await ask(method, address, body);
      location.reload();
    } catch (error) {
      $("output", form).textContent = saidOf(error, error.message);
    }
  };
  $("input", form).addEventListener("change", async (event) => change("PUT", { text: await event.target.files[0].text() }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    change("DELETE");
  });
}
