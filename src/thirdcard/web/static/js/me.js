// One's own page: take play money, be shown by another name, make a guest an account. Times are said as people here do.

import "./purse.js";
import { ask } from "./api.js";
import { $, $$ } from "./dom.js";
import { attempt } from "./wrong.js";

const AS = { date: { dateStyle: "long" }, time: { dateStyle: "short", timeStyle: "short" } };

/** Do something, then show the page as it is now; whatever is wrong is said above. */
async function change(work) {
  await attempt(async () => {
    await work();
    location.reload();
  });
  $("#wrong").scrollIntoView({ block: "nearest" });
}

const on = (id, event, work) => $(id)?.addEventListener(event, work);

/** A form that a button opens. */
function opens(id, form) {
  on(id, "click", () => {
    const open = $(form).hidden;
    $(form).hidden = !open;
    $(id).setAttribute("aria-expanded", String(open));
    if (open) $("input", $(form)).focus();
  });
}

/** A form whose fields are sent as they are. */
function sends(id, method, path) {
  on(id, "submit", (event) => {
    event.preventDefault();
    change(() => ask(method, path, Object.fromEntries(new FormData(event.target))));
  });
}

for (const place of $$("time[data-as]")) {
  const at = new Date(place.dateTime);
  place.textContent = at.toLocaleString(document.documentElement.lang, AS[place.dataset.as]);
}
opens("#rename", "#nickname");
opens("#keep-open", "#keep-form");
on("#keep-later", "click", () => $("#keep").remove());
sends("#nickname", "PUT", "/api/me/nickname");
sends("#keep-form", "POST", "/api/me/account");
on("#daily", "click", () => change(() => ask("POST", "/api/me/wallet/daily")));
on("#fresh", "click", () => change(() => ask("POST", "/api/me/wallet/fresh-start")));
on("#go-on", "click", () => change(() => ask("POST", "/api/me/reality-check")));
document.addEventListener("refilled", () => location.reload());
