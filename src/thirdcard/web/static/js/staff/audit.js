// The auditor's pages: a round step by step, and shoes checked against what was promised.

import { get } from "../api.js";
import { $, $$ } from "../dom.js";
import { t } from "./say.js";

function replay(list) {
  const steps = $$(":scope > li", list);
  const slider = $("#step");
  const show = (number) => {
    const now = Math.min(Math.max(number, 1), steps.length);
    slider.value = now;
    steps.forEach((step, place) => {
      step.hidden = $("#one").checked && place !== now - 1;
      step.toggleAttribute("data-now", place === now - 1);
    });
    $("#where").textContent = t("step_of", { now, all: steps.length });
    $("#before").disabled = now === 1;
    $("#after").disabled = now === steps.length;
  };
  const move = (by) => show(Number(slider.value) + by);
  slider.max = steps.length;
  slider.addEventListener("input", () => show(Number(slider.value)));
  $("#before").addEventListener("click", () => move(-1));
  $("#after").addEventListener("click", () => move(1));
  $("#one").addEventListener("change", () => move(0));
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea")) return;
    if (event.key === "ArrowRight") move(1);
    if (event.key === "ArrowLeft") move(-1);
  });
  $("#player").hidden = false;
  show(1);
}

async function checkShoe(button) {
  const { table, shoe } = button.dataset;
  button.disabled = true;
  const found = await get(`/api/tables/${table}/shoes/${shoe}`);
  button.replaceWith(
    found.fits === null ? t("shoe_in_use") : found.fits ? `✓ ${t("shoe_fits")}` : `✗ ${t("shoe_differs")}`,
  );
}

if ($("#replay")) replay($("#replay"));
for (const button of $$("[data-shoe]")) button.addEventListener("click", () => checkShoe(button));
for (const time of $$("time[data-at]"))
  time.textContent = new Date(Number(time.dataset.at) / 1000).toLocaleString("en-GB");
