// What is said aloud and shown for a moment: the dealer's announcements, refusals, the last seconds.

import { saidOf } from "./api.js";
import { $, button, html } from "./dom.js";
import { cite, table } from "./state.js";
import { otherLang, t } from "./words.js";

const SHOWN_MS = 4000;
// What stands as the announcement; cards and points are heard, but do not take its place.
const QUIET = new Set(["card", "card-face-down", "third-card", "points", "pair", "cards-shown", "insurance-closed"]);

/** The dealer speaks: the last thing that matters is shown, all of it is heard. */
export function announce(said) {
  if (!said.length) return;
  const heard = $("#polite");
  if (heard) heard.textContent = said.map((one) => one.sentence).join(". ");
  const loud = said.filter((one) => !QUIET.has(one.key)).at(-1);
  if (loud) show(loud);
}

export function show({ sentence, beside }) {
  for (const place of document.querySelectorAll(".says")) {
    place.replaceChildren(
      html("b", { class: "serif" }, sentence),
      html("span", { class: "serif", lang: otherLang }, beside),
    );
    place.classList.toggle("long", sentence.length > 44);
  }
}

/** What stands, for whoever comes in between two announcements. */
export function showStanding() {
  const now = table.stands.at(-1);
  if (now && !$(".says").textContent.trim()) show(now);
}

export function alarm(text) {
  $("#assertive").textContent = text;
}

let toast = null;

/** Why something was refused and what can be done, beside the place it was asked at; for four seconds, or until the next. */
export function refuse(error, at = null, remedies = []) {
  toast?.end();
  const said = saidOf(error, t("no_answer"));
  const rules = error.rules ?? [];
  const box = html(
    "div",
    { class: "toast" },
    html("b", {}, said),
    rules.length > 0 && citations(rules),
    remedies.length > 0 && acts(remedies, () => toast?.end()),
  );
  document.body.append(box);
  beside(box, at);
  at?.classList.add("refused");
  alarm(said);
  const timer = setTimeout(() => toast?.end(), SHOWN_MS);
  toast = {
    end() {
      clearTimeout(timer);
      box.remove();
      at?.classList.remove("refused");
      toast = null;
    },
  };
}

/** Buttons that do what can be done instead: `[words, act]` each, and what is over then. */
export const acts = (remedies, over) =>
  html(
    "span",
    { class: "acts" },
    remedies.map(([words, act]) =>
      button("", () => {
        over();
        act();
      }, {}, words),
    ),
  );

/** Do something that the server may refuse; a refusal is told `near` where it was asked for. Whether it was done. */
export async function attempt(work, near = null) {
  try {
    await work();
    return true;
  } catch (error) {
    refuse(error, near);
    return false;
  }
}

/** Above the spot if there is room, else below; never outside the window. */
function beside(box, at) {
  const place = at?.getBoundingClientRect() ?? new DOMRect(innerWidth / 2, innerHeight / 2, 0, 0);
  const { width, height } = box.getBoundingClientRect();
  const x = Math.min(Math.max(place.x + place.width / 2 - width / 2, 8), innerWidth - width - 8);
  const above = place.y - height - 8;
  box.style.left = `${x}px`;
  box.style.top = `${above > 8 ? above : Math.min(place.bottom + 8, innerHeight - height - 8)}px`;
}

/** Paragraph numbers, linked to the rules reader. */
export function citations(rules) {
  const link = (rule) => html("a", { class: "cite", href: cite(rule), target: "_blank", rel: "noopener" }, rule);
  return html("span", { class: "cites" }, rules.flatMap((rule) => [link(rule), " "]));
}
