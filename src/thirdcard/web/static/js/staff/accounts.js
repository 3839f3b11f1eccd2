// Accounts: add one, change a role, set a new password, reset one-time codes, disable.

import { ask, get } from "../api.js";
import { $, html } from "../dom.js";
import { attempt, columns, field, formOf, select, t } from "./say.js";

const roles = JSON.parse($("#staff").dataset.roles);
const own = $("#staff").dataset.who;
const named = (role) => t(`role_${role.replaceAll("-", "_")}`);
const choices = (chosen) => roles.map((role) => [role, named(role), role === chosen]);

async function show() {
  const found = await get("/api/accounts");
  found.sort((a, b) => a.disabled - b.disabled || a.name.localeCompare(b.name));
  $("#accounts").replaceChildren(...found.map(row));
}

function row(one) {
  const status = one.disabled ? t("disabled") : one.locked ? t("locked") : t("active");
  const role = select(choices(one.role), {
    "aria-label": t("role_of", { name: one.name }),
    disabled: one.disabled || one.name === own,
  });
  role.addEventListener("change", () => change(one.name, { role: role.value }));
  const password = html("input", {
    type: "password",
    autocomplete: "new-password",
    placeholder: t("new_password"),
    "aria-label": t("password_of", { name: one.name }),
    disabled: one.disabled,
    maxlength: 1000,
  });
  const reset = html(
    "form",
    { class: "row" },
    password,
    html("button", { class: "btn sm", type: "submit", disabled: one.disabled }, t("set_password")),
  );
  reset.addEventListener("submit", (event) => {
    event.preventDefault();
    change(one.name, { password: password.value });
  });
  return html(
    "tr",
    { class: one.disabled ? "off" : null },
    html("th", { scope: "row" }, one.name, one.name === own && html("span", { class: "tag" }, t("you"))),
    html("td", {}, role),
    html("td", {}, html("span", { class: "tag" }, status)),
    html("td", {}, reset),
    html("td", { class: "r" }, one.codes && [resetCodes(one), " "], disable(one)),
  );
}

/** A disabled account stays so. */
function disable(one) {
  return twice(one, t("disable"), t("disable_sure", { name: one.name }), { disabled: true });
}

/** For a device that is lost. */
function resetCodes(one) {
  return twice(one, t("reset_codes"), t("reset_codes_sure", { name: one.name }), { codes: false });
}

/** Asked twice to be sure. */
function twice(one, label, sure, body) {
  const button = html(
    "button",
    { class: "btn sm", type: "button", disabled: one.disabled || one.name === own },
    label,
  );
  button.addEventListener("click", () => {
    if (button.classList.contains("danger")) change(one.name, body);
    else {
      button.classList.add("danger");
      button.textContent = sure;
    }
  });
  button.addEventListener("blur", () => {
    button.classList.remove("danger");
    button.textContent = label;
  });
  return button;
}

async function change(name, body) {
  await attempt(() => ask("PATCH", `/api/accounts/${encodeURIComponent(name)}`, body), "", t("done"));
  show();
}

function adding(place) {
  const send = async (given, form) => {
    const body = Object.fromEntries(given);
    if (await attempt(() => ask("POST", "/api/accounts", body), "", t("done"))) form.reset();
    show();
  };
  const name = html("input", { name: "name", required: true, maxlength: 40, autocomplete: "off" });
  const password = html("input", {
    name: "password",
    type: "password",
    required: true,
    maxlength: 1000,
    autocomplete: "new-password",
  });
  place.replaceChildren(
    formOf(
      send,
      columns(
        field(t("name"), name),
        field(t("password"), password),
        field(t("role"), select(choices("dealer"), { name: "role" })),
      ),
      html("button", { class: "btn primary", type: "submit" }, t("add_account")),
    ),
  );
}

adding($("#add"));
show();
