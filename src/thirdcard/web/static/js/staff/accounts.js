// Accounts: add one; change a role, a password or a state, each by a button and a dialog that says what it means.

import { ask, get, saidOf } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, node } from "../draw.js";
import { answer, attempt, columns, field, formOf, select, t } from "./say.js";

const roles = JSON.parse($("#staff").dataset.roles);
const own = $("#staff").dataset.who;
const dialog = $("#change");
const named = (role) => t(`role_${role}`);
const address = (one) => `/api/accounts/${encodeURIComponent(one.name)}`;

/** All of them as they are now; where that cannot be read, those of before stay. */
async function show() {
  try {
    const found = await get("/api/accounts");
    found.sort((a, b) => a.disabled - b.disabled || a.name.localeCompare(b.name));
    draw($("#accounts"), found.map(row));
  } catch (error) {
    answer(saidOf(error, t("no_answer")), { wrong: true });
  }
}

function row(one) {
  const act = (label, open) =>
    html`<button class="btn sm" type="button" @click=${() => open(one)} aria-haspopup="dialog">${label}</button>`;
  const mine = one.name === own;
  return html`<tr class=${one.disabled ? "off" : null} data-name=${one.name}>
    <th scope="row">${one.name}${mine && [" ", html`<span class="tag">${t("you")}</span>`]}</th>
    <td class="role">${named(one.role)}</td>
    <td>${states(one)}</td>
    <td class="r">
      ${!one.disabled &&
        html`<span class="row">
          ${!mine && act(t("account_role"), changeRole)}${act(t("account_password"), changePassword)}
          ${one.locked && act(t("account_unlock"), unlock)}${one.pin && act(t("account_pin"), resetPin)}
          ${one.codes && !mine && act(t("reset_codes"), resetCodes)}${!mine && act(t("disable"), disable)}
        </span>`}
    </td>
  </tr>`;
}

/** What is so of an account: in use or not, and at which table its person deals now. */
function states(one) {
  const said = [one.disabled ? t("disabled") : one.locked ? t("locked") : t("active")];
  if (one.pin) said.push(t("account_has_pin"));
  if (one.codes) said.push(t("account_has_codes"));
  if (one.deals_at) said.push(t("account_deals_at", { table: one.deals_at }));
  return said.flatMap((text) => [html`<span class="tag">${text}</span>`, " "]);
}

// One dialog for whatever is changed ------------------------------------------------------------------------

/**
 * Ask whether it is meant: `parts` say what changes; `body` is what is sent, or null while something is missing.
 * Whoever deals just now is named by the server, and it is asked once more.
 */
function sure(one, { title, parts = [], label, body, send = (given) => ask("PATCH", address(one), given) }) {
  const said = node(html`<p class="wrong" role="alert" hidden></p>`);
  const go = node(html`<button class="btn primary" type="submit">${label}</button>`);
  const form = node(html`<form class="stack">
    <h2 id="change-title">${title}</h2>
    ${parts}${said}
    <p class="acts">
      ${go}
      <button class="btn quiet" type="button" @click=${() => dialog.close()}>${t("account_keep")}</button>
    </p>
  </form>`);
  const check = () => (go.disabled = body() === null);
  let even = {};
  form.addEventListener("input", check);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = true;
    try {
      await send({ ...body(), ...even });
      dialog.close();
      answer(t("done"));
    } catch (error) {
      draw(said, saidOf(error, t("no_answer")));
      said.hidden = false;
      if (error.code === "on-duty") {
        even = { even_on_duty: true };
        go.textContent = t("account_even_so");
        go.classList.replace("primary", "danger");
      }
      check();
      return;
    }
    show();
  });
  draw(dialog, form);
  check();
  dialog.showModal();
}

function changeRole(one) {
  const list = select([["", t("account_choose")], ...roles.filter((role) => role !== one.role).map((role) => [role, named(role)])], {
    name: "role",
  });
  const from = node(html`<p class="fromto"><b>${named(one.role)}</b> → <b>…</b></p>`);
  const means = node(html`<p class="note">${t("account_role_lead")}</p>`);
  list.addEventListener("change", () => {
    from.lastChild.textContent = list.value ? named(list.value) : "…";
    means.textContent = list.value ? t(`role_means_${list.value}`) : t("account_role_lead");
  });
  sure(one, {
    title: t("account_role_of", { name: one.name }),
    parts: [field(t("account_new_role"), list), from, means, html`<p class="hint">${t("account_signs_out", { name: one.name })}</p>`],
    label: t("account_role_confirm"),
    body: () => (list.value ? { role: list.value } : null),
  });
}

function changePassword(one) {
  const input = node(html`<input type="password" autocomplete="new-password" maxlength="1000">`);
  sure(one, {
    title: t("password_of", { name: one.name }),
    parts: [field(t("new_password"), input), html`<p class="hint">${t("account_signs_out", { name: one.name })}</p>`],
    label: t("set_password"),
    body: () => (input.value ? { password: input.value } : null),
  });
}

const plain = (title, text, label, body) => (one) =>
  sure(one, { title: t(title, { name: one.name }), parts: [html`<p class="note">${t(text, { name: one.name })}</p>`], label: t(label), body: () => body });

const unlock = plain("account_unlock_of", "account_unlock_more", "account_unlock", { locked: false });
const disable = plain("account_disable_of", "account_disable_more", "disable", { disabled: true });
const resetCodes = plain("account_codes_of", "reset_codes_sure", "reset_codes", { codes: false });

function resetPin(one) {
  sure(one, {
    title: t("account_pin_of", { name: one.name }),
    parts: [html`<p class="note">${t("account_pin_more", { name: one.name })}</p>`],
    label: t("account_pin"),
    body: () => ({}),
    send: () => ask("DELETE", `${address(one)}/pin`),
  });
}

// A new one -------------------------------------------------------------------------------------------------

function adding(place) {
  const send = async (given, form) => {
    const body = Object.fromEntries(given);
    if (await attempt(() => ask("POST", "/api/accounts", body), "", t("done"))) form.reset();
    show();
  };
  const name = html`<input name="name" required maxlength="40" autocomplete="off">`;
  const password = html`<input name="password" type="password" required maxlength="1000" autocomplete="new-password">`;
  const choices = roles.map((role) => [role, named(role), role === "dealer"]);
  draw(place, formOf(
    send,
    columns(
      field(t("name"), name),
      field(t("password"), password),
      field(t("role"), select(choices, { name: "role" })),
    ),
    html`<button class="btn primary" type="submit">${t("add_account")}</button>`,
  ));
}

adding($("#add"));
show();
