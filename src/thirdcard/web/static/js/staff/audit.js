// The auditor's pages: times as people read them, and shoes checked against what was promised.

import { get } from "../api.js";
import { $$ } from "../dom.js";
import { t } from "./say.js";

async function checkShoe(button) {
  const { table, shoe } = button.dataset;
  button.disabled = true;
  const found = await get(`/api/tables/${table}/shoes/${shoe}`);
  button.replaceWith(
    found.fits === null ? t("shoe_in_use") : found.fits ? `✓ ${t("shoe_fits")}` : `✗ ${t("shoe_differs")}`,
  );
}

for (const button of $$("[data-shoe]")) button.addEventListener("click", () => checkShoe(button));
for (const time of $$("time[data-at]"))
  time.textContent = new Date(Number(time.dataset.at) / 1000).toLocaleString("en-GB");
