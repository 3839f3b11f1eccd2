// Anybody checks a shoe: order and salt, once revealed, must give the number that was published before.

import { Refused, get } from "./api.js";
import { $, html } from "./dom.js";
import { t } from "./words.js";

const place = $("#shoe");
const { table, number } = place.dataset;
const COMMAND = `(printf '%s' "$SALT" | xxd -r -p; printf '%s' "$CARDS") | sha256sum`;

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** SHA-256 of the salt followed by the cards, worked out here. */
async function worked({ salt, cards }) {
  const both = new Uint8Array([...bytes(salt), ...new TextEncoder().encode(cards)]);
  return hex(await crypto.subtle.digest("SHA-256", both));
}

function line(label, ...value) {
  return html("div", { class: "line" }, html("dt", {}, label), html("dd", {}, ...value));
}

async function verdict(shoe) {
  if (!shoe.finished) return html("p", { class: "notice" }, t("shoe_in_use"));
  if (!crypto.subtle) return html("p", { class: "notice" }, t("shoe_no_crypto"));
  const fits = (await worked(shoe)) === shoe.commitment;
  return html("p", { class: fits ? "notice good" : "wrong" }, t(fits ? "shoe_fits" : "shoe_differs"));
}

async function show() {
  const shoe = await get(`/api/tables/${table}/shoes/${number}`);
  const cards = shoe.cards?.split(" ") ?? [];
  const parts = [
    await verdict(shoe),
    html(
      "dl",
      { class: "proof" },
      line(t("commitment"), html("code", {}, shoe.commitment)),
      shoe.finished && line(t("worked_out"), html("code", {}, crypto.subtle ? await worked(shoe) : "—")),
      shoe.salt && line(t("salt"), html("code", {}, shoe.salt)),
      shoe.cards && line(t("order", { count: cards.length }), html("code", { class: "cards" }, shoe.cards)),
    ),
    shoe.finished && html("p", { class: "muted" }, t("shoe_how")),
    shoe.finished && html("pre", {}, html("code", {}, COMMAND)),
  ];
  place.replaceChildren(...parts.filter(Boolean));
}

function wrong(error) {
  place.replaceChildren(html("p", { class: "wrong" }, error instanceof Refused ? error.message : t("lost")));
}

show().catch(wrong);
