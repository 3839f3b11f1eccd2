// Who deals: one person at a time, by name. Signing on, and handing the table over with its chips counted and the PIN
// of who takes it; the desk then goes on as that person.

import { ask, get } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, icon, node } from "../draw.js";
import { book, table } from "../state.js";
import { counting } from "./count.js";
import { desk, posts, waitFor } from "./desk.js";
import { inert, key, panel as panelOf, pinField } from "./parts.js";
import { attempt, clock, field, formOf, select, t } from "./say.js";
import { closePanel, openPanel, redraw } from "./steps.js";

const duty = () => desk.seen?.duty;
const staffed = () => table.seen?.house.dealer === "staff";
const path = (more) => `/api/tables/${table.id}/${more}`;

// Signing on ---------------------------------------------------------------------------------------------------

export const step = {
  key: "duty",
  now: () => staffed() && !!duty() && duty().dealer !== table.me,
  required() {
    const { dealer, since } = duty();
    if (!dealer) {
      return {
        eyebrow: t("duty_nobody"),
        title: t("duty_sign_on", { table: table.seen.house.title }),
        text: [t("duty_sign_on_text")],
        button: {
          label: t("duty_i_deal"),
          run: () => posts("dealer"),
          enabled: true,
          key: "Enter",
        },
      };
    }
    return {
      eyebrow: t("duty_another"),
      title: t("duty_deals", { dealer }),
      text: [t("duty_deals_text", { dealer, since: clock(since) })],
      button: inert(t("duty_watching", { dealer })),
      second: signsOff() && { label: t("duty_sign_off", { dealer }), run: signOff, key: "" },
    };
  },
};

/** Whether the one who looks on is above a dealer; nothing else tells this page. */
function signsOff() {
  if (!floor) people().then(redraw);
  return floor?.some((one) => one.name === table.me && one.role !== "dealer");
}
/** One's own going, between rounds; the server says why not. */
async function goes() {
  if (await signOff()) location.assign("/staff");
}
const signOff = () => attempt(() => ask("DELETE", path("dealer")), book(), t("done"));

/** Who deals since when, who comes next, and the way to hand over. */
export function dutyPanel() {
  if (!staffed() || !duty()?.dealer) return null;
  const { dealer, since, relief_at: at, relief_by: by } = duty();
  const relief = at ? t("duty_relief", { time: clock(at).slice(0, 5), dealer: by || "–" }) : t("duty_no_relief");
  return panelOf(
    "",
    t("duty_title"),
    t("duty_small"),
    html`<div class="dutyp">
      <div><b>${t("duty_since", { dealer, since: clock(since).slice(0, 5) })}</b><p>${relief}</p></div>
      <div class="stack">
        <button type="button" class="btn sm" @click=${open}>${icon("swap")}${t("duty_hand_over_or_go")}${key("H")}</button>
        <button type="button" class="btn sm" @click=${() => openPanel("float")}>${icon("wallet")}${t("float_title")}</button>
      </div>
    </div>`,
  );
}

// Handing over -------------------------------------------------------------------------------------------------

let form = null;
const count = counting();

export const open = () => openPanel("handover");

export const panel = {
  name: "handover",
  title: () => t("hand_over_title"),
  open(place) {
    if (!form || form.dataset.dealer !== (duty()?.dealer ?? "")) {
      form = made();
      form.dataset.dealer = duty()?.dealer ?? "";
    }
    if (desk.seen.case) draw(place, html`<p class="whynot" role="status">${t("duty_case_first")}</p>`);
    else if (form.parentElement !== place) {
      draw(place, form);
      offer();
    }
  },
};

let floor = null; // everybody of the floor, once it was asked

async function people() {
  await attempt(async () => {
    floor = await get(path("staff"));
  }, book());
}

/** Who may take over: everybody with a PIN who does not deal elsewhere. */
async function offer() {
  await people();
  const elsewhere = (one) => !!one.deals_at && one.deals_at !== table.id;
  const said = (one) => {
    if (one.role !== "dealer") return t("pin_no_dealer", { name: one.name });
    if (!one.pin) return t("pin_none", { name: one.name });
    return elsewhere(one) ? t("pin_deals_at", { name: one.name, table: one.deals_at }) : one.name;
  };
  const others = (floor ?? []).filter((one) => one.name !== duty()?.dealer);
  const free = (one) => one.role === "dealer" && one.pin && !elsewhere(one);
  draw(
    $("[name=to]", form),
    html`<option value="">${t("pin_person")}</option>`,
    others.map(
      (one) => html`<option
        value=${one.name}
        ?disabled=${!free(one)}
        ?selected=${one.name === duty()?.relief_by && free(one)}
      >${said(one)}</option>`,
    ),
  );
}

function made() {
  const person = select([["", t("pin_person")]], { name: "to", required: true });
  const found = node(formOf(
    send,
    html`<p class="hint padx">${t("hand_over_text", { dealer: duty()?.dealer ?? "" })}</p>`,
    count.made,
    html`<div class="sticks">
      <p class="hint">${t("count_optional")}</p>
      <div class="pin">${field(t("who_takes_over"), person)}${pinField(t("pin_own"))}</div>
      <div class="acts2">
        <button class="btn primary" type="submit">${t("hand_over_go")}</button>
        <button class="btn" type="button" @click=${goes}>${icon("back")}${t("duty_sign_off_own")}</button>
        <button class="btn quiet" type="button" @click=${closePanel}>${t("count_not_now")}</button>
      </div>
    </div>`,
  ));
  return found;
}

async function send(given) {
  const body = { to: given.get("to"), pin: given.get("pin") };
  if (count.filled()) body.counted = count.sum();
  const done = await waitFor(posts("hand-over", body));
  $("[name=pin]", form).value = "";
  if (done) location.reload(); // the desk goes on as who has taken over
}
