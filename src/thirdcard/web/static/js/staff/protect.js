/* Game protection: a sheet that is being made is asked for again; the radar is opened with a reason. */
import { ask, saidOf } from "../api.js";
import "../words.js";

const page = /** @type {HTMLElement} */ (document.querySelector("#staff"));
const wait = Number(page.dataset.wait ?? 0);
if (wait) setTimeout(() => location.reload(), wait * 1000);

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#reason"));
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const reason = String(new FormData(form).get("reason") ?? "");
  const answer = /** @type {HTMLElement} */ (document.querySelector("#answer"));
  try {
    await ask("POST", `/api/tables/${page.dataset.table}/radar`, { reason, seat: form.dataset.seat ?? "" });
    location.reload();
  } catch (error) {
    answer.textContent = saidOf(error, String(error));
    answer.hidden = false;
  }
});
