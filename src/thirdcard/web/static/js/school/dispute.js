// "I think this is wrong": a reason is asked for, and how the engine worked the answer out is shown at once.

import { ask } from "../api.js";
import { button, html } from "../dom.js";
import { announce, attempt, cites, lang, t } from "./kit.js";

/** How an answer was worked out: step by step, part by part, and what makes the item again. */
export function trace({ steps, parts, command }, slug) {
  return [
    html("ol", { class: "why" }, ...steps.map((one) => html("li", {}, one.says, ...cites(one.paragraphs, slug)))),
    html(
      "table",
      { class: "tiny" },
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, t("asked")), html("th", { scope: "col" }, t("right_answer")), html("th", { scope: "col" }, t("paragraph")))),
      html("tbody", {}, ...parts.map((one) => html("tr", {}, html("th", { scope: "row" }, one.asks), html("td", {}, one.right), html("td", {}, ...cites(one.paragraphs.slice(0, 4), slug))))),
    ),
    html("p", { class: "muted" }, t("made_again_by")),
    html("p", { class: "scroll", tabindex: "0" }, html("code", {}, command)),
  ];
}

/** Ask why an item is thought to be wrong; `number` is that of the answer. */
export function dispute(number, slug) {
  const before = document.activeElement;
  const dialog = html("dialog", { class: "panel dispute", "aria-labelledby": "dispute-title", onclose: () => closed() });
  const title = html("h2", { id: "dispute-title", tabindex: "-1" }, t("i_think_wrong"));
  const closed = () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  };
  const end = () => dialog.close();

  async function send(event) {
    event.preventDefault();
    const reason = String(new FormData(event.target).get("reason")).trim();
    const said = await attempt(() => ask("POST", `/api/school/answers/${number}/dispute?${lang}`, { reason }));
    if (!said) {
      end();
      return;
    }
    title.textContent = t("dispute_sent");
    dialog.replaceChildren(title, html("p", { class: "muted" }, t("dispute_trace")), ...trace(said.trace, slug), html("p", { class: "acts" }, button("primary", end, {}, t("close"))));
    title.focus();
    announce(t("dispute_sent"));
  }

  dialog.append(
    title,
    html(
      "form",
      { onsubmit: send },
      html("label", { class: "field" }, html("span", {}, t("dispute_why")), html("textarea", { name: "reason", required: true, minlength: 3, maxlength: 500, rows: 4, autofocus: true })),
      html("p", { class: "muted" }, t("dispute_how")),
      html("p", { class: "acts" }, html("button", { type: "submit", class: "btn primary" }, t("dispute_send")), button("", end, {}, t("cancel"))),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
