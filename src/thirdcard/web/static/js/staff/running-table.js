// The set-up of a table that runs: what changes does so with its next round, on every board and page at once.

import { ask, get } from "../api.js";
import { $, html as element } from "../dom.js";
import { anew, draw, forget, html, icon, node } from "../draw.js";
import { command, follow } from "../socket.js";
import { table } from "../state.js";
import { own } from "../words.js";
import { andRefresh, desk, onDesk, posts, refresh, watchDesk } from "./desk.js";
import { answer, attempt, bookName, check, cites, money, select, t } from "./say.js";
import { amount, amountField, choices, labelled, limitsTable, readLimits, showFelt, showPlacard, unread } from "./setup.js";

// Closing a table step by step: last round, close, everybody's chips paid out, archive; and opening it again.

const PLAYING = ["betting", "adjusting", "dealing"];

/** Chips in front of people, by name, as of which version of the table. */
let racks = {};
let known = 0;

/** A manager reads what everybody has, also one who has done nothing at the table yet. */
async function lookAtRacks() {
  const { version, powers, players } = desk.seen;
  if (version === known || !(powers["close-table"].may || powers["open-table"].may)) return;
  const found = await get(`/api/tables/${table.id}/statement`);
  known = version;
  racks = Object.fromEntries(players.map((name) => [name, found.racks[name] ?? 0]));
}

const asks = (path, body) => async (event) => {
  event.currentTarget.disabled = true;
  andRefresh(posts(path, body, t("done")));
};

const button = (label, act, { enabled = true, kind = "" } = {}) =>
  html`<button class=${`btn sm ${kind}`.trim()} type="button" @click=${act} ?disabled=${!enabled}>${label}</button>`;

const step = (done, label, ...acts) =>
  html`<li class=${done ? "done" : null}>
    <span class="tick">${done ? icon("check") : ""}</span>
    <span>${label}</span>
    ${acts}
  </li>`;

/** Everybody with chips in front of them, those who sit first. */
function holders() {
  const { seats } = table.seen;
  const box = (name) => Number(Object.entries(seats).find(([, who]) => who === name)?.[0] ?? 0);
  return Object.entries(racks)
    .filter(([, cents]) => cents > 0)
    .map(([name, cents]) => ({ name, cents, box: box(name) }))
    .toSorted((a, b) => (a.box || 99) - (b.box || 99) || a.name.localeCompare(b.name));
}

function showClosing(place) {
  const { house, phase, round } = table.seen;
  const power = desk.seen.powers[house.closed ? "open-table" : "close-table"];
  const playing = PLAYING.includes(phase);
  const over = house.closed || (house.last_round > 0 && !playing && house.last_round <= round);
  const left = holders();
  const may = power.may;
  draw(
    place,
    html`<ol class="cl">
      ${step(
        house.closed || house.last_round > 0,
        house.last_round ? t("closing_last_is", { round: house.last_round }) : t("closing_last"),
        !house.closed && !house.last_round && button(t("closing_announce"), asks("last-round"), { enabled: may, kind: "primary" }),
        !house.closed && house.last_round > 0 && !over && button(t("closing_take_back"), asks("open"), { enabled: may }),
      )}
      ${step(
        house.closed,
        house.closed ? t("is_closed") : house.last_round && !over ? t("closing_after_last") : playing ? t("closing_round_on") : t("closing_close"),
        !house.closed && (over || !house.last_round) && button(t("close_table"), asks("close"), { enabled: may, kind: over ? "primary" : "" }),
      )}
      ${step(
        house.closed && !left.length,
        left.length ? t("closing_racks", { amount: money(left.reduce((sum, one) => sum + one.cents, 0)) }) : t("closing_no_racks"),
        left.length > 0 && button(t("closing_all"), asks("cash-out", {}), { enabled: may && over }),
      )}
      ${left.map((one) =>
        html`<li class="holder">
          <span>
            ${one.box ? t("closing_box", { box: one.box, name: one.name }) : one.name} <b>${money(one.cents)}</b>
          </span>
          ${button(t("closing_cash_out", { amount: money(one.cents) }), asks("cash-out", { player: one.name }), { enabled: may && over })}
        </li>`,
      )}
      ${step(
        house.archived,
        house.archived ? t("closing_archived") : t("closing_archive_it"),
        !house.archived && button(t("closing_archive"), asks("archive"), { enabled: may && house.closed && !left.length }),
        house.archived && button(t("closing_unarchive"), asks("unarchive"), { enabled: may }),
      )}
    </ol>`,
    html`<p class="hint padx">
      ${may ? t("closing_hint") : power.why || t("takes_manager")}
    </p>`,
    house.closed && !house.archived ? html`<p class="acts2">${button(t("open_table"), asks("open"), { enabled: may })}</p>` : "",
  );
}

const TIMES = ["betting", "insurance", "adjusting", "choice", "squeeze", "card", "result", "shuffle"];

/** The rulebook that the table will play by with its next round. */
const book = () => {
  const { rulebook, digest } = desk.seen.present;
  const found = choices.books[rulebook];
  return found?.text.endsWith(digest.slice(0, 12)) ? found : null;
};
const slug = () => `${desk.seen.present.rulebook}@${desk.seen.present.digest.slice(0, 12)}`;
const act = (body, done = t("from_next_round_done")) => attempt(() => command(body), slug(), done);

function show() {
  if (!book()) return location.reload(); // another text than the page was made with
  const { powers, present, pace } = desk.seen;
  anew("setup", [powers["change-setup"], present, table.seen.positions], () => setup(powers["change-setup"], present));
  anew("rulebook", [powers["change-rulebook"], present.rulebook, present.digest, present.layout], () =>
    moving(powers["change-rulebook"], present).catch(() => forget("rulebook")), // asked for with the next change
  );
  anew("pace", [powers["change-pace"], pace], () => pacing(powers["change-pace"], pace));
  return lookAtRacks().then(() => showClosing($("#closing > div")), () => {}); // what cannot be read now is asked for with the next change
}

/** Why a rank may not, beneath what it may not do. */
const barred = (power) =>
  power.may ? null : html`<p class="hint padx">
    ${power.why || t("takes_manager")}
    ${cites(power.rules, slug())}
  </p>`;

/** A form that is there but disabled where one may not. */
function formOf(power, send, ...inside) {
  const made = node(html`<form><fieldset class="plain" ?disabled=${!power.may}>${inside}</fieldset>${barred(power)}</form>`);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    await send(made.elements);
    refresh();
  });
  return made;
}

// Limits, method, insurance ---------------------------------------------------------------------------------

/** Insurance can be left out where the table is private and a player asked for it, and offered again. */
const waivable = (present) => present.insurance === false || (present.insurance && present.may_waive);

function setup(power, present) {
  const root = $("#staff");
  const form = $("#limits-form") ?? node(html`<form id="limits-form"></form>`);
  if (!form.isConnected) root.append(form);
  const belongs = { form: "limits-form", disabled: !power.may };
  const fields = form.elements;
  $("#bets-title").textContent = t("setup_bets_of", { layout: present.layout });
  draw($("#bets"), limitsTable(book(), present.layout, (bet) => present.limits[bet] ?? { min: 0, max: null }));
  for (const input of $("#bets").querySelectorAll("input")) for (const [name, value] of Object.entries(belongs)) value && input.setAttribute(name, value === true ? "" : value);
  draw(
    $("#game"),
    html`<p class="padx">
      <b>${bookName({ slug: present.rulebook, ...book() })}</b>
      <br>
      <span class="hint">
        ${t("plays_by", { slug: present.rulebook, digest: present.digest.slice(0, 12) })}
      </span>
    </p>`,
    html`<p class="acts2">
      <a class="btn sm" href="/pit/${table.id}">${t("nav_pit")}</a>
      ${table.seen.house.dealer === "staff" && html`<a class="btn sm" href="/dealer/${table.id}">${t("dealer_console")}</a>`}
      <a class="btn sm" href="/tables/${table.id}/board">${t("setup_board")}</a>
    </p>`,
  );
  draw(
    $("#amounts"),
    html`<div class="frm three">
      ${labelled(t("differential"), amountField("differential", present.differential, belongs))}
    </div>`,
    waivable(present) ? check(t("offer_insurance"), { name: "insurance", checked: present.insurance, ...belongs }) : html`<p class="hint padx">${present.insurance === null ? t("setup_no_insurance") : t("insurance_stays")}</p>`,
  );
  const ways = present.methods.map((one) => [one.name, `${one.name} · ${own("methods", one.name, one.title)}`, one.name === present.method]);
  draw($("#method"), html`<div class="frm three">
    ${labelled(t("method"), select(ways, { name: "method", ...belongs }))}
    ${table.seen.house.dealer === "staff" && labelled(t("device"), select(["shoe", "reader"].map((one) => [one, t(`device_${one}`), one === present.device]), { name: "device", ...belongs }))}
    ${labelled(t("cut"), element("input", { name: "cut", type: "number", min: 0, max: present.most_cut, value: present.cut, ...belongs }))}
    ${present.most_wagers !== null &&
      labelled(t("wagers_per_area"), element("input", { name: "wagers", type: "number", min: 1, max: present.most_wagers, value: present.wagers_per_area ?? present.most_wagers, ...belongs }))}
  </div>`);
  const go = element("button", { class: "btn primary huge", type: "submit", ...belongs }, t("from_next_round"));
  draw(
    $("#go"),
    go,
    html`<p class="hint">${power.may ? t("setup_everywhere") : ""}</p>`,
    barred(power) ? [barred(power)] : [],
  );
  showFelt(book(), present.layout, table.seen.positions);
  const showPrices = () => {
    const { limits } = readLimits(form, book().layouts[present.layout].bets);
    showPlacard({ title: table.seen.house.title, book: book(), layout: present.layout, limits, differential: amount(fields.differential), insurance: fields.insurance?.checked ?? present.insurance, closed: false });
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    changeSetup(form, present).then(refresh);
  };
  root.oninput = (event) => event.target.form === form && showPrices();
  showPrices();
}

/** Only what is otherwise than before is asked for; what cannot be read is pointed at, and stays. */
async function changeSetup(form, present) {
  const fields = form.elements;
  const { limits, wrong } = readLimits(form, book().layouts[present.layout].bets);
  const differential = amount(fields.differential);
  if (differential === null || (differential === undefined && present.differential !== null)) wrong.push(fields.differential);
  for (const input of [fields.cut, fields.wagers]) if (input?.value === "") wrong.push(input);
  for (const input of form.elements) input.removeAttribute("aria-invalid");
  if (wrong.length) {
    wrong.forEach((input) => input.setAttribute("aria-invalid", "true"));
    wrong[0].focus();
    answer(unread(wrong[0]), { wrong: true });
    return;
  }
  const changes = {};
  const before = Object.fromEntries(Object.keys(limits).map((bet) => [bet, { min: present.limits[bet].min, max: present.limits[bet].max }]));
  if (JSON.stringify(limits) !== JSON.stringify(before)) changes.limits = limits;
  if (differential !== undefined && differential !== present.differential) changes.differential = differential;
  if (Number(fields.cut.value) !== present.cut) changes.cut = Number(fields.cut.value);
  if (fields.method.value !== present.method) changes.method = fields.method.value;
  if (fields.wagers && Number(fields.wagers.value) !== (present.wagers_per_area ?? present.most_wagers)) changes.wagers_per_area = Number(fields.wagers.value);
  if (fields.insurance && fields.insurance.checked !== present.insurance) changes.insurance = fields.insurance.checked;
  if (fields.device && fields.device.value !== present.device) changes.device = fields.device.value;
  if (!Object.keys(changes).length) answer(t("nothing_changed"));
  else await act({ command: "change-setup", changes });
}

// Rulebook and pace -----------------------------------------------------------------------------------------

/** Another text of the rules, from the next round on: of this rulebook or of another. */
async function moving(power, present) {
  const all = (await get("/api/rulebooks")).filter((one) => !one.problem);
  const which = select(all.map((one) => [`${one.slug}@${one.digest}`, `${bookName(one)} · ${one.digest.slice(0, 12)}`, one.slug === present.rulebook]), { name: "rulebook" });
  const layout = node(html`<select name="layout"></select>`);
  const fit = () => {
    const chosen = all.find((one) => `${one.slug}@${one.digest}` === which.value);
    const letters = Object.keys(chosen.layouts);
    draw(layout, letters.map((letter) => html`<option value=${letter}>${letter}</option>`));
    layout.value = letters.includes(present.layout) ? present.layout : letters[0];
  };
  which.addEventListener("change", fit);
  fit();
  const send = () => {
    const [rulebook, digest] = which.value.split("@");
    return act({ command: "change-rulebook", rulebook, digest, layout: layout.value });
  };
  const button = html`<button class="btn" type="submit">${t("from_next_round")}</button>`;
  draw(
    $("#rulebook"),
    formOf(power, send, html`<div class="frm">${labelled(t("rulebook"), which)}${labelled(t("layout"), layout)}</div>`, html`<p class="acts2">${button}</p>`),
  );
}

function pacing(power, pace) {
  const send = (fields) => {
    const body = Object.fromEntries(TIMES.map((name) => [name, Math.round(Number(fields[name].value) * 1000)]));
    return attempt(() => ask("POST", `/api/tables/${table.id}/pace`, body), slug(), t("done"));
  };
  const seconds = TIMES.map((name) =>
    labelled(t(`time_${name}`), html`<input name=${name} type="number" min="0" max="600" step="0.1" .value=${String(pace[name] / 1000)} required>`),
  );
  const button = html`<button class="btn" type="submit">${t("change_pace")}</button>`;
  draw($("#pace"), formOf(power, send, html`<div class="frm four">${seconds}</div>`, html`<p class="acts2">${button}</p>`));
}

onDesk(show);
watchDesk();
follow(() => {});
