// Anybody checks a shoe: the salt, once revealed, must be the one promised, and the order must follow from it.

import { get, saidOf } from "./api.js";
import { $, html } from "./dom.js";
import { orderOf, promiseOf } from "./shuffle.js";
import { t } from "./words.js";

const place = $("#shoe");
const { table, number } = place.dataset;
const COMMANDS = {
  1: `(printf '%s' "$SALT" | xxd -r -p; printf '%s' "$CARDS") | sha256sum`,
  2: `(printf 'thirdcard shoe 2\\n%s\\n%s\\n' "$TABLE" "$NUMBER"; printf '%s' "$SALT" | xxd -r -p) | sha256sum`,
};

function line(label, ...value) {
  return html("div", { class: "line" }, html("dt", {}, label), html("dd", {}, ...value));
}

const code = (text, kind = "") => html("code", { class: kind || false }, text);

/** What this browser works out of a finished shoe, if it can. */
async function worked(shoe) {
  if (!shoe.finished || !crypto.subtle) return null;
  return { promise: await promiseOf(table, shoe), order: await orderOf(table, shoe) };
}

function verdict(shoe, found) {
  if (!shoe.finished) return html("p", { class: "notice" }, t(isComing(shoe) ? "shoe_coming" : "shoe_in_use"));
  if (!found) return html("p", { class: "notice" }, t("shoe_no_crypto"));
  const fits = found.promise === shoe.commitment && found.order === shoe.cards;
  const told = shoe.form === 1 ? "shoe_fits" : "shoe_follows";
  return html("p", { class: fits ? "notice good" : "wrong" }, t(fits ? told : "shoe_differs"));
}

/** From the shoe in use to the one that takes seeds. */
function onwards(shoe) {
  const next = shoe.number + 1;
  return html("p", {}, html("a", { class: "cite", href: `/tables/${table}/shoes/${next}` }, t("shoe_next", { shoe: next })));
}

/** To the last one that can be checked whole. */
function before({ number: here }) {
  return html("p", {}, html("a", { class: "btn", href: `/tables/${table}/shoes/${here - 1}` }, t("shoe_before", { shoe: here - 1 })));
}

const isComing = (shoe) => shoe.form === 2 && shoe.decks === null;

const seedLines = ({ seeds }) =>
  seeds.length ? seeds.map(({ player, seed }) => html("div", {}, `${player}: `, code(seed))) : ["—"];

async function show() {
  const shoe = await get(`/api/tables/${table}/shoes/${number}`);
  const found = await worked(shoe);
  const count = shoe.cards?.split(" ").length;
  const parts = [
    verdict(shoe, found),
    html(
      "dl",
      { class: "proof" },
      line(t(shoe.form === 1 ? "commitment" : "promise"), code(shoe.commitment)),
      shoe.finished && line(t("worked_out"), code(found?.promise ?? "—")),
      shoe.form === 2 && line(t("seeds"), ...seedLines(shoe)),
      shoe.salt && line(t("salt"), code(shoe.salt)),
      shoe.cards && line(t("order", { count }), code(shoe.cards, "cards")),
    ),
    shoe.form === 2 && !shoe.finished && !isComing(shoe) && onwards(shoe),
    !shoe.finished && shoe.number > 1 && before(shoe),
    shoe.finished && html("p", { class: "muted" }, t(shoe.form === 1 ? "shoe_how" : "promise_how")),
    shoe.finished && html("pre", {}, code(COMMANDS[shoe.form])),
  ];
  place.replaceChildren(...parts.filter(Boolean));
}

function wrong(error) {
  place.replaceChildren(html("p", { class: "wrong" }, saidOf(error, t("lost"))));
}

show().catch(wrong);
