// A slip is printed: three copies on one sheet, with the time of the place.

import { $, $$ } from "../dom.js";

for (const time of $$("time[data-at]"))
  time.textContent = new Date(Number(time.dataset.at) / 1000).toLocaleString("en-GB");
$("#print").addEventListener("click", () => print());
