// The menu: coming and going, money from the wallet, and on narrow screens what the top bar has on wide ones.

import { get } from "./api.js";
import { $, $$ } from "./dom.js";
import { shownRack } from "./counting.js";
import { send } from "./play.js";
import { joined, on, option, seat, table, tell } from "./state.js";
import { money, signed } from "./words.js";

const BRING = 100_000; // cents of the wallet at a time
let wallet = 0; // cents, as far as this page knows
let sat = null; // where I sat when the wallet was asked for

/** Show something wherever it has a place; without it, the place goes. */
function show(name, text) {
  for (const place of $$(`[data-show="${name}"]`)) {
    place.textContent = text;
    if (place.parentElement.matches("small, span span")) place.parentElement.hidden = !text;
  }
}

/** Other tables move it too: asked for when I sit down, bring chips, or look. */
async function askWallet() {
  if (!joined() || !table.plays) return;
  try {
    ({ cents: wallet } = await get("/api/me/wallet"));
    show("wallet", money(wallet));
  } catch {
    show("wallet", "");
  }
  offerMore();
}

async function askSession() {
  if (!table.me || !table.plays) return;
  try {
    const { rounds, net } = await get("/api/me/results");
    show("session", rounds ? signed(net) : "");
  } catch {
    show("session", "");
  }
}

const brings = () => Math.min(BRING, option("buy-in")?.most ?? 0, wallet - (wallet % table.seen.house.chip_unit));

function offerMore() {
  $("#top-up").hidden = brings() <= 0;
}

export function watchMenu() {
  const menu = $("#menu");
  for (const opens of $$("#menu-button, .pocket")) {
    opens.addEventListener("click", () => {
      menu.showModal();
      tell("menu");
      askWallet();
      askSession();
    });
  }
  menu.addEventListener("click", (event) => {
    const does = event.target.closest("[data-does]")?.dataset.does;
    if (does) $(`#${does}`).click();
    if (event.target === menu || event.target.closest("button, a")) menu.close();
  });
  $("#top-up").addEventListener("click", async () => {
    await send({ command: "buy-in", cents: brings() }, $(".pocket"));
    askWallet();
  });
  on("racks seats counting", () => {
    show("rack", joined() ? money(shownRack()) : "—");
    $(".pocket").hidden = !joined();
    if (sat !== seat()) askWallet();
    sat = seat();
  });
  on("options", offerMore);
}
