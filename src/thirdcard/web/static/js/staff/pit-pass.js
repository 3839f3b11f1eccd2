// A case passed to the next rank: to somebody of it or to whoever comes, with why.

import { ask, get } from "../api.js";
import { $ } from "../dom.js";
import { draw, html, icon, node } from "../draw.js";
import { book, table } from "../state.js";
import { own } from "../words.js";
import { refresh } from "./desk.js";
import { titleOf } from "./pit-case.js";
import { attempt, cites, field, formOf, t } from "./say.js";

/** Ask to whom, and why. */
export async function askToPass(place, held) {
  const titles = held.ranks_above.map((one) => one.title);
  const people = (await get(`/api/tables/${table.id}/staff`)).filter((one) =>
    titles.includes(one.title) && one.name !== table.me,
  );
  const rank = (title) => own("ranks", held.ranks_above.find((one) => one.title === title).rank, title);
  const choices = [
    ...people.map(
      (one) => [
        one.name,
        `${one.name}, ${rank(one.title)}`,
        one.deals_at ? t("pit_deals_now", { table: one.deals_at }) : "",
      ],
    ),
    ...held.ranks_above.map((one) => [one.rank, t("pit_whoever_is", { rank: own("ranks", one.rank, one.title) }), ""]),
  ];
  const close = () => {
    place.hidden = true;
    $("#pass-button")?.focus();
  };
  const send = async (given) => {
    const body = { case: held.case, to: given.get("to"), note: String(given.get("note")).trim() };
    if (await attempt(() => ask("POST", `/api/tables/${table.id}/cases/pass`, body), book(), t("done"))) close();
    refresh();
  };
  const may = held.who.some((one) => one.you && one.may);
  draw(
    place,
    html`<h2>${t("pit_pass_title", { title: titleOf(held) })}</h2>`,
    html`<p class="hint">${t(may ? "pit_pass_could" : "pit_pass_could_not")}${cites(held.rules, book())}</p>`,
    node(formOf(
      send,
      ...choices.map(([to, name, more], number) =>
        html`<label class="rank">
          <input type="radio" name="to" value=${to} required ?checked=${number === 0}>
          <span>${name}${more && html`<small>${more}</small>`}</span>
        </label>`,
      ),
      field(t("pit_reason_private"), html`<textarea name="note" rows="2" maxlength="200" required></textarea>`),
      html`<div class="acts2">
        <button class="btn" type="submit">${icon("alert")}${t("pit_pass_ring")}</button>
        <button type="button" class="btn quiet" @click=${close}>${t("pit_pass_keep")}</button>
      </div>`,
    )),
  );
  place.hidden = false;
  $("input", place)?.focus();
}
