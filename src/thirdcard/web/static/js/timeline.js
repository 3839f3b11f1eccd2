// The moment on the line of time: a field or a key chooses it, and the address keeps it. Staff move tables here.

import { ask, saidOf } from "./api.js";
import { $, $$ } from "./dom.js";

const form = $("#moment");
const field = form.elements.namedItem("on");
const DAY_MS = 86_400_000;

form.addEventListener("change", () => field.value && form.requestSubmit());

/** So many days or months away; the field has no zone, and needs none. */
function shift(days, months) {
  const at = new Date(`${field.value}Z`);
  if (Number.isNaN(at.getTime())) return;
  if (months) at.setUTCMonth(at.getUTCMonth() + months);
  else at.setTime(at.getTime() + days * DAY_MS);
  field.value = at.toISOString().slice(0, 16);
  form.requestSubmit();
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) shift(step, event.shiftKey ? step : 0);
  else if (event.key === "t" || event.key === "T") $("#today").click();
});

for (const button of $$("[data-move], [data-stay]")) {
  button.addEventListener("click", async () => {
    const { move, stay } = button.dataset;
    button.disabled = true;
    try {
      await (move ? ask("POST", `/api/tables/${move}/move`, {}) : ask("POST", `/api/tables/${stay}/stay`));
      location.reload();
    } catch (error) {
      button.disabled = false;
      $("#moved").textContent = saidOf(error, $("#moved").dataset.lost);
    }
  });
}
