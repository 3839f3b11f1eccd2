// Signing in and out, new accounts, guests. Whatever is wrong is said above the forms.

import { Refused, ask } from "./api.js";
import { $ } from "./dom.js";
import { t } from "./words.js";

/** Where to go afterwards: a page that the server knows as one of its own. */
const next = () => $("#doors")?.dataset.next ?? "/";

async function attempt(work) {
  $("#wrong").hidden = true;
  try {
    await work();
    location.assign(next());
  } catch (error) {
    const told = error instanceof Refused ? error.message : t("lost");
    $("#wrong").textContent = told.charAt(0).toUpperCase() + told.slice(1);
    $("#wrong").hidden = false;
  }
}

function on(id, event, work) {
  $(id)?.addEventListener(event, (happened) => {
    happened.preventDefault();
    attempt(() => work(happened.target));
  });
}

const fields = (form) => Object.fromEntries(new FormData(form));

on("#sign-in", "submit", (form) => ask("POST", "/api/sessions", fields(form)));
on("#register", "submit", async (form) => {
  await ask("POST", "/api/accounts", { ...fields(form), role: "player" });
  await ask("POST", "/api/sessions", fields(form));
});
on("#guest", "click", () => ask("POST", "/api/guests"));
on("#sign-out", "click", () => ask("DELETE", "/api/sessions/current"));
