// What the house may do at a table: void, correct, limits and set-up, pace, open and close. What a rank may not
// do is there, disabled, with the reason.

import { ask, get } from "../api.js";
import { $, html } from "../dom.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { betName, own } from "../words.js";
import { desk, refresh } from "./desk.js";
import { answer, attempt, bookName, cards, cents, check, cites, clock, field, money, select, t } from "./say.js";

const TIMES = ["betting", "insurance", "adjusting", "choice", "squeeze", "card", "result", "shuffle"];
const slug = book;
const plain = (amount) => (amount === null ? "" : money(amount));
const shown = {};

/** Draw each part again when what it depends on has changed, so that what is being typed stays. */
export function house() {
  const { powers, present, pace } = desk.seen;
  part("void", powers.void, voiding);
  part("correct", powers.correct, correcting);
  part("setup", [powers["change-setup"], present], () => setup(powers["change-setup"], present));
  part("rulebook", [powers["change-rulebook"], present.rulebook, present.digest, present.layout], () =>
    moving(powers["change-rulebook"], present),
  );
  part("pace", [powers["change-pace"], pace], () => pacing(powers["change-pace"], pace));
  part("doors", [table.seen.house.closed, powers["open-table"]], doors);
  part("events", [table.seen.round, powers["read-significant"].may], events);
}

function part(name, depends, make) {
  const key = JSON.stringify(depends);
  if (shown[name] === key) return;
  shown[name] = key;
  $(`#house-${name}`).replaceChildren(make(depends));
}

/** A form that is there but disabled where one may not. */
function form(power, send, ...inside) {
  const why = power.may
    ? null
    : html("p", { class: "hint" }, own("refusals", power.code, power.why) || t("takes_manager"), ...cites(power.rules, slug()));
  const made = html(
    "form",
    {},
    html("fieldset", { class: "stack plain", disabled: !power.may }, ...inside),
    why,
  );
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    await send(new FormData(made), made);
    refresh();
  });
  return made;
}

const act = (body, done = t("done")) => attempt(() => command(body), slug(), done);
const reason = () =>
  field(t("reason"), html("input", { name: "reason", required: true, maxlength: 200, autocomplete: "off" }));

function voiding(power) {
  const send = async (given, made) =>
    (await act({ command: "void", reason: given.get("reason") })) && made.reset();
  return form(
    power,
    send,
    reason(),
    html("button", { class: "btn danger", type: "submit" }, t("void_round")),
  );
}

function correcting(power) {
  const send = (given, made) => {
    const found = cards(given.get("cards"));
    if (!found) return answer(t("no_cards"), { wrong: true });
    return act({ command: "correct", cards: found, reason: given.get("reason") }).then(
      (done) => done && made.reset(),
    );
  };
  return form(
    power,
    send,
    field(
      t("cards_really"),
      html("input", { name: "cards", required: true, placeholder: "9C 7D KS 4H 3D", autocomplete: "off" }),
    ),
    reason(),
    html("button", { class: "btn", type: "submit" }, t("correct_cards")),
  );
}

function setup(power, present) {
  const rows = Object.entries(present.limits).map(([bet, limit]) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, betName(bet)),
      ...["min", "max"].map((end) =>
        html(
          "td",
          {},
          html("input", {
            name: `${end}/${bet}`,
            value: plain(limit[end]),
            inputmode: "decimal",
            "aria-label": `${betName(bet)} ${t(end)}`,
            autocomplete: "off",
          }),
        ),
      ),
    ),
  );
  return form(
    power,
    (given) => changeSetup(given, present),
    html(
      "table",
      { class: "limits" },
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          html("th", { scope: "col" }, t("bet")),
          html("th", { scope: "col" }, t("min")),
          html("th", { scope: "col" }, t("max")),
        ),
      ),
      html("tbody", {}, ...rows),
    ),
    html(
      "div",
      { class: "cols" },
      field(
        t("differential"),
        html("input", {
          name: "differential",
          value: plain(present.differential),
          inputmode: "decimal",
          autocomplete: "off",
        }),
      ),
      field(
        t("cut"),
        html("input", { name: "cut", type: "number", min: 0, max: present.most_cut, value: present.cut }),
      ),
      field(
        t("method"),
        select(
          present.methods.map((one) => [one.name, `${one.name} · ${own("methods", one.name, one.title)}`, one.name === present.method]),
          { name: "method" },
        ),
      ),
      table.seen.house.dealer === "staff" &&
        field(
          t("device"),
          select(
            ["shoe", "reader"].map((one) => [one, t(`device_${one}`), one === present.device]),
            { name: "device" },
          ),
        ),
      present.most_wagers !== null &&
        field(
          t("wagers_per_area"),
          html("input", {
            name: "wagers",
            type: "number",
            min: 1,
            max: present.most_wagers,
            value: present.wagers_per_area ?? present.most_wagers,
          }),
        ),
    ),
    waivable(present) && check(t("offer_insurance"), { name: "insurance", checked: present.insurance }),
    present.insurance !== null && !waivable(present) && html("p", { class: "hint" }, t("insurance_stays")),
    html("button", { class: "btn", type: "submit" }, t("from_next_round")),
  );
}

/** Insurance can be left out where the table is private and a player asked for it, and offered again. */
const waivable = (present) => present.insurance === false || (present.insurance && present.may_waive);

/** Only what is otherwise than before is asked for. */
function changeSetup(given, present) {
  const changes = {};
  const amount = (text) => (text.trim() ? cents(text) : undefined);
  const limits = Object.fromEntries(
    Object.keys(present.limits).map((bet) => [
      bet,
      { min: amount(given.get(`min/${bet}`)), max: amount(given.get(`max/${bet}`)) ?? null },
    ]),
  );
  const wrong = [
    ...Object.values(limits).flatMap((one) => [one.min]),
    amount(given.get("differential")),
  ].includes(null);
  if (wrong) return answer(t("no_amount", { text: "" }), { wrong: true });
  if (JSON.stringify(limits) !== JSON.stringify(present.limits)) changes.limits = limits;
  const differential = amount(given.get("differential"));
  if (differential !== undefined && differential !== present.differential)
    changes.differential = differential;
  if (Number(given.get("cut")) !== present.cut) changes.cut = Number(given.get("cut"));
  if (given.get("method") !== present.method) changes.method = given.get("method");
  const wagers = Number(given.get("wagers"));
  if (given.get("wagers") && wagers !== (present.wagers_per_area ?? present.most_wagers))
    changes.wagers_per_area = wagers;
  if (waivable(present) && given.has("insurance") !== present.insurance)
    changes.insurance = given.has("insurance");
  if (given.get("device") && given.get("device") !== present.device) changes.device = given.get("device");
  if (!Object.keys(changes).length) return answer(t("nothing_changed"));
  return act({ command: "change-setup", changes }, t("from_next_round_done"));
}

function pacing(power, pace) {
  const send = (given) => {
    const body = Object.fromEntries(TIMES.map((name) => [name, Math.round(Number(given.get(name)) * 1000)]));
    return attempt(() => ask("POST", `/api/tables/${table.id}/pace`, body), slug(), t("done"));
  };
  const seconds = TIMES.map((name) =>
    field(
      t(`time_${name}`),
      html("input", {
        name,
        type: "number",
        min: 0,
        max: 600,
        step: 0.1,
        value: pace[name] / 1000,
        required: true,
      }),
    ),
  );
  return form(
    power,
    send,
    html("div", { class: "cols" }, ...seconds),
    html("button", { class: "btn", type: "submit" }, t("change_pace")),
  );
}

function doors() {
  const { closed } = table.seen.house;
  const power = desk.seen.powers[closed ? "open-table" : "close-table"];
  const send = () =>
    attempt(() => ask("POST", `/api/tables/${table.id}/${closed ? "open" : "close"}`), slug(), t("done"));
  return form(
    power,
    send,
    html("p", { class: "note" }, t(closed ? "is_closed" : "is_open")),
    html("button", { class: "btn", type: "submit" }, t(closed ? "open_table" : "close_table")),
  );
}

/** Another text of the rules, from the next round on: of this rulebook or of another. */
function moving(power, present) {
  const which = html("select", { name: "rulebook", required: true });
  const layout = html("select", { name: "layout" });
  const send = async (given) => {
    const [rulebook, digest] = given.get("rulebook").split("@");
    await act({ command: "change-rulebook", rulebook, digest, layout: given.get("layout") }, t("from_next_round_done"));
  };
  get("/api/rulebooks").then((found) => {
    const books = found.filter((one) => !one.problem);
    const fit = () => {
      const chosen = books.find((one) => `${one.slug}@${one.digest}` === which.value);
      const letters = Object.keys(chosen.layouts).map((letter) => [letter, letter, letter === present.layout]);
      layout.replaceChildren(...select(letters).children);
    };
    const options = books.map((one) => {
      const name = `${bookName(one)} · ${one.digest.slice(0, 12)}`;
      return [`${one.slug}@${one.digest}`, name, one.slug === present.rulebook];
    });
    which.replaceChildren(...select(options).children);
    which.addEventListener("change", fit);
    fit();
  }, () => {});
  return form(
    power,
    send,
    html("p", { class: "note" }, t("plays_by", { slug: present.rulebook, digest: present.digest.slice(0, 12) })),
    field(t("rulebook"), which),
    field(t("layout"), layout),
    html("button", { class: "btn", type: "submit" }, t("from_next_round")),
  );
}

/** The table's own significant events, for those who may read them. */
function events() {
  const list = html("ul", { class: "rec" });
  if (!desk.seen.powers["read-significant"].may) {
    list.append(html("li", { class: "muted" }, t("takes_shift")));
    return list;
  }
  get("/api/significant-events?limit=200").then(
    (found) => {
      const own = found.filter((one) => one.stream === table.id).slice(0, 12);
      list.append(
        ...own.map((one) =>
          html(
            "li",
            {},
            html("time", {}, clock(one.at)),
            html("span", {}, `${t(`kind_${one.kind.replaceAll("-", "_")}`)} · ${one.by}`),
          ),
        ),
      );
      if (!own.length) list.append(html("li", { class: "muted" }, t("no_events")));
    },
    () => {},
  );
  return list;
}
