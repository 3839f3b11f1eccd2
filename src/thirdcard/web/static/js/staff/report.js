// Reporting an irregularity: the case from the rulebook's list, and what is known of it.

import { get } from "../api.js";
import { $, html } from "../dom.js";
import { command } from "../socket.js";
import { book, table } from "../state.js";
import { desk, may, refresh } from "./desk.js";
import { outcome, own } from "../words.js";
import { attempt, cards, check, cites, field, select, t } from "./say.js";

const ASKED = ["order_known", "values_known"]; // the other facts the table knows itself
let listed = null; // the rulebook's cases, by name
let which = null; // the choice of a case, while there is a form
let shown = { people: "", cases: "" };

/** Keep the form in step with what may be reported now; what was filled in stays. */
export async function showReport(place) {
  const slug = book();
  listed ??= await get(`/api/rules/${slug}/rulings`);
  const possible = new Set(may("report").map((one) => one.command.case));
  const cases = listed.filter((one) => possible.has(one.case));
  const key = { people: desk.seen.players.join(), cases: cases.map((one) => one.case).join() };
  const [people, changed] = [key.people !== shown.people, key.cases !== shown.cases];
  shown = key;
  if (!cases.length) {
    which = null;
    if (changed || people) place.replaceChildren(html("p", { class: "muted" }, t("nothing_to_report")));
  } else if (people || !which) place.replaceChildren(form(cases, slug));
  else if (changed) offer(cases);
}

/** The cases that are possible now; the one that was chosen stays, whatever becomes of it. */
function offer(cases) {
  const { value } = which;
  const kept = listed.filter((one) => one.case === value && !cases.includes(one));
  const options = [...cases, ...kept].map((one) => html("option", { value: one.case }, own("cases", one.case, one.title)));
  which.replaceChildren(html("option", { value: "" }, t("choose_case")), ...options);
  which.value = value;
}

function form(cases, slug) {
  which = select([], { name: "case", required: true });
  offer(cases);
  const facts = html("div", { class: "facts" });
  which.addEventListener("change", () => ask(which.value, facts, slug));
  const people = desk.seen.players.map((player) => check(player, { name: "players", value: player }));
  const boxes = Array.from({ length: table.seen.positions }, (_, place) => [place + 1, place + 1]);
  const made = html(
    "form",
    { class: "stack" },
    field(t("what_happened"), which),
    facts,
    html(
      "div",
      { class: "cols" },
      field(
        t("cards_out"),
        html("input", { name: "drawn", placeholder: "6D ??", autocomplete: "off", spellcheck: "false" }),
      ),
      field(
        t("cards_about"),
        html("input", { name: "cards", placeholder: "3 4", inputmode: "numeric", autocomplete: "off" }),
      ),
      field(
        t("cards_seen"),
        html("input", { name: "shown", placeholder: "5 6", inputmode: "numeric", autocomplete: "off" }),
      ),
      table.seen.house.face_down &&
        field(
          t("cards_show"),
          html("input", { name: "names", placeholder: "3=9C", autocomplete: "off", spellcheck: "false" }),
        ),
      table.seen.house.insurance &&
        field(
          t("window"),
          select(
            [
              ["", "–"],
              ["1", t("window_1")],
              ["2", t("window_2")],
            ],
            { name: "window" },
          ),
        ),
      field(
        t("displayed"),
        select([["", "–"], ...["player", "banker", "tie"].map((one) => [one, outcome(one)])], {
          name: "displayed",
        }),
      ),
      field(t("box"), select([["", "–"], ...boxes], { name: "box" })),
      field(t("earlier_round"), html("input", { name: "round", inputmode: "numeric", autocomplete: "off" })),
    ),
    people.length
      ? html("fieldset", { class: "field" }, html("legend", { class: "eyebrow" }, t("whom")), ...people)
      : null,
    html("button", { class: "btn", type: "submit" }, t("report")),
  );
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    send(made, slug);
  });
  return made;
}

/** Ask for the facts that matter to a case and that the table cannot know. */
async function ask(name, facts, slug) {
  facts.replaceChildren();
  if (!name) return;
  const { open_facts: open } = await get(`/api/rules/${slug}/rulings/${name}`);
  if (which?.value !== name) return; // another was chosen meanwhile
  const one = listed.find((found) => found.case === name);
  facts.replaceChildren(
    html("p", { class: "note" }, t("by_paragraphs"), ...cites(one.rules, slug)),
    ...ASKED.filter((fact) => fact in open).map((fact) =>
      field(
        t(`ask_${fact}`),
        select(
          [
            ["", "–"],
            ["true", t("yes")],
            ["false", t("no")],
          ],
          { name: fact, required: true },
        ),
      ),
    ),
  );
}

const split = (text) => (text ?? "").split(/[\s,]+/).filter(Boolean);

/** Cards that came out, `??` for one that nobody has seen; null if one of them is no card. */
function came(text) {
  const found = split(text).map((one) => (one === "??" ? null : (cards(one)?.[0] ?? "")));
  return found.includes("") ? null : found;
}

/** What shows where, `3=9C 5=KD`; null if that cannot be read. */
function showing(text) {
  const found = split(text).map((one) => one.split("="));
  const good = found.every(([place, name]) => /^[1-6]$/.test(place) && name && cards(name)?.length === 1);
  return good ? Object.fromEntries(found.map(([place, name]) => [place, cards(name)[0]])) : null;
}

/** Whether a field can be read; one that cannot is pointed at. */
function read(made, name, value) {
  const one = made.elements[name];
  if (value !== null) one?.removeAttribute("aria-invalid");
  else {
    one.setAttribute("aria-invalid", "true");
    one.focus();
  }
  return value !== null;
}

async function send(made, slug) {
  const given = new FormData(made);
  const [drawn, names] = [came(given.get("drawn")), showing(given.get("names"))];
  if (!read(made, "drawn", drawn) || !read(made, "names", names)) return;
  const body = { command: "report", case: given.get("case") };
  if (drawn.length) body.drawn = drawn;
  if (Object.keys(names).length) body.names = names;
  for (const name of ["cards", "shown"]) {
    const places = split(given.get(name)).map(Number);
    if (places.length) body[name] = places;
  }
  if (given.get("window")) body.window = Number(given.get("window"));
  if (given.get("displayed")) body.displayed = given.get("displayed");
  if (given.getAll("players").length) body.players = given.getAll("players");
  if (given.get("box")) body.box = Number(given.get("box"));
  if (given.get("round")) body.round = Number(given.get("round"));
  for (const fact of ASKED) if (given.get(fact)) body[fact] = given.get(fact) === "true";
  if (await attempt(() => command(body), slug, t("reported"))) {
    made.reset();
    $(":focus")?.blur(); // Enter is for what is due
    made.querySelector(".facts").replaceChildren();
    refresh();
  }
}
