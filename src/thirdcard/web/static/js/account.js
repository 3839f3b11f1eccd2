// Signing in and out, new accounts, guests, one-time codes. Whatever is wrong is said above the forms.

import { Refused, ask } from "./api.js";
import { $, $$, html } from "./dom.js";
import { phrase } from "./words.js";
import { attempt } from "./wrong.js";

const STAY = "stay";

/** Where to go afterwards: a page that the server knows as one of its own. */
const next = () => $("#doors")?.dataset.next ?? "/";

/** Do something, then go on; `work` says so if there is another step first. */
const goOn = (work) =>
  attempt(async () => {
    if ((await work()) !== STAY) location.assign(next());
  });

function on(id, event, work) {
  $(id)?.addEventListener(event, (happened) => {
    happened.preventDefault();
    goOn(() => work(happened.target));
  });
}

const fields = (form) => Object.fromEntries(new FormData(form));

async function signIn(form) {
  try {
    return await ask("POST", "/api/sessions", fields(form));
  } catch (error) {
    if (error.code === "code-needed") return second();
    if (error.code !== "codes-first") throw error;
    $("#enrol-first").hidden = false;
    return begin(form);
  }
}

/** The password was right: a code is asked for too. */
function second() {
  $("#second").hidden = false;
  $("#second input").required = true;
  $("#second input").focus();
  return STAY;
}

/** Whose codes are being set up: name and password go with the first code too. */
let whose = {};

async function begin(form) {
  const { name, password } = fields(form);
  whose = { name, password };
  const { secret, qr } = await ask("POST", "/api/codes", whose);
  $("#enrol .qr").innerHTML = qr;
  $("#enrol code").textContent = secret.match(/.{1,4}/g).join(" ");
  return show("#enrol", "#enrol input");
}

async function confirm(form) {
  const { recovery } = await ask("PUT", "/api/codes", { ...whose, ...fields(form) });
  whose = {};
  $("#enrol .qr").replaceChildren();
  $("#enrol code").textContent = "";
  $("#recovery ul").replaceChildren(...recovery.map((one) => html("li", {}, html("code", {}, one))));
  return show("#recovery", "#recovery");
}

/** This step and no other. */
function show(step, focus) {
  for (const other of $$(".doors, #doors > .panel")) other.hidden = true;
  $(step).hidden = false;
  $(focus).focus();
  return STAY;
}

/** Typed twice, so that nobody is left with a PIN that they did not mean. */
async function setPin(form) {
  const { password, pin, again } = fields(form);
  $("#pin-done").hidden = true;
  if (pin !== again) throw new Refused({ said: phrase("own_pin_differs") });
  await ask("PUT", "/api/me/pin", { password, pin });
  form.reset();
  $("#pin-done").hidden = false;
  return STAY;
}

on("#sign-in", "submit", signIn);
on("#pin-set", "submit", setPin);
on("#codes-begin", "submit", begin);
on("#codes-confirm", "submit", confirm);
on("#codes-off", "submit", (form) => ask("POST", "/api/codes/off", fields(form)));
on("#codes-done", "click", () => {});
on("#register", "submit", async (form) => {
  await ask("POST", "/api/accounts", { ...fields(form), role: "player" });
  await ask("POST", "/api/sessions", fields(form));
});
on("#guest", "click", () => ask("POST", "/api/guests"));
on("#sign-out", "click", () => ask("DELETE", "/api/sessions/current"));
