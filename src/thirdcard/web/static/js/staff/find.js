// The auditor's search: times go by the clock of whoever asks.

import { $, $$ } from "../dom.js";

for (const ahead of $$('[name="ahead"]')) ahead.value = String(-new Date().getTimezoneOffset());
for (const time of $$("time[data-at]"))
  time.textContent = new Date(Number(time.dataset.at) / 1000).toLocaleString("en-GB");
const words = $('[name="words"]');
if (words && !words.value) words.focus();
