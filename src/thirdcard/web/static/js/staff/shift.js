// The shift desk: printing, the hours of the shifts, and counts, fills and credits of a float.

import { ask, Refused } from "../api.js";
import { $, $$ } from "../dom.js";

const MINUTES = 60;

$("#print").addEventListener("click", () => print());

/** Send what was typed; once it is on record the page shows it. */
function sending(form, asked) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wrong = $(".wrong", form);
    wrong.hidden = true;
    const button = $("button", form);
    button.disabled = true;
    try {
      await ask(...asked(form));
      location.reload();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.textContent = error.said;
      wrong.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}

const hours = $("#hours");
if (hours) {
  sending(hours, (form) => {
    const shifts = $$("fieldset", form)
      .map((one) => [$('[name="name"]', one).value.trim(), $('[name="begins"]', one).value])
      .filter(([name]) => name)
      .map(([name, begins]) => {
        const [hour, minute] = begins.split(":").map(Number);
        return { name, begins: hour * MINUTES + minute || 0 };
      });
    return ["PUT", "/api/shift-hours", { shifts, ahead: Number(form.elements.ahead.value) }];
  });
}

const float = $("#float");
if (float) {
  sending(float, (form) => {
    const { what, dollars } = form.elements;
    const cents = Math.round(Number(dollars.value) * 100);
    return ["POST", `/api/tables/${form.dataset.table}/float`, { what: what.value, cents }];
  });
}
