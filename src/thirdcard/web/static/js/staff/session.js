// A desk whose session has ended says so and stays as it is, with all that was typed; signed in again, it goes on.

import { get } from "../api.js";
import { $ } from "../dom.js";
import { html, node } from "../draw.js";
import { restart } from "../socket.js";
import { table } from "../state.js";
import { t } from "./say.js";

const who = $("#staff").dataset.who;
let bar = null;

/** Say that somebody has to sign in again, which is done beside this page. */
export function signedOut() {
  if (bar) return;
  const link = html`<a class="btn" href="/sign-in" target="_blank" rel="noopener">${t("session_sign_in")}</a>`;
  bar = node(html`<div id="signed-out" class="wrong" role="alert"><span>${t("session_ended")}</span>${link}</div>`);
  document.body.append(bar);
}

/** Go on as before; where somebody else has signed in meanwhile the page is theirs, and made anew. */
export async function signedIn() {
  if (!bar) return;
  const { name } = await get("/api/me");
  if (name !== who) location.reload();
  bar.remove();
  bar = null;
  table.me = name;
  restart();
}
