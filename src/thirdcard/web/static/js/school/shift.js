// Deal a shift: a table for practice is taken, with its rulebook, patrons, rounds and share of trouble.

import { ask, get } from "../api.js";
import { $ } from "../dom.js";
import { attempt } from "./kit.js";

const form = $("#shift-form");
const open = ((await attempt(() => get("/api/school/shifts"))) ?? []).find((one) => !one.over);
if (open) {
  const link = $("#shift-open");
  $("a", link).href = open.post === "desk" ? `/dealer/${open.table}` : `/pit/${open.table}`;
  link.hidden = false;
}
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(form);
  const seed = Number(given.get("seed"));
  const made = await attempt(() =>
    ask("POST", "/api/school/shifts", {
      rulebook: given.get("rulebook"),
      post: given.get("post"),
      rounds: Number(given.get("rounds")),
      patrons: Number(given.get("patrons")),
      trouble: Number(given.get("trouble")),
      face_down: given.get("face_down") === "yes",
      ...(seed ? { seed } : {}),
    }),
  );
  if (made) location.href = made.page;
});
