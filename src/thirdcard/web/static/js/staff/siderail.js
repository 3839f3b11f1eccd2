// What stands at the right whatever the step: who deals, and the shoe.

import { html, icon } from "../draw.js";
import { table } from "../state.js";
import { deals, desk } from "./desk.js";
import { dutyPanel } from "./handover.js";
import { panel } from "./parts.js";
import { t } from "./say.js";
import { may, open } from "./shoe.js";

const CARDS_A_ROUND = 4.94; // on the average of all rounds

/** Cards left, where the cut card is, and the way to a new shoe. */
function shoePanel() {
  const { cards_left: left, shoe, cut_card_out: out } = table.seen;
  const to = Math.max(0, (left ?? 0) - desk.seen.present.cut);
  const text = out ? t("shoe_cut_out") : t("shoe_rounds", { rounds: Math.round(to / CARDS_A_ROUND) });
  const anew = deals() && may();
  if (shoe === null && !anew) return null;
  return panel(
    "",
    shoe === null ? t("shoe_none") : t("shoe_number", { shoe }),
    t("shoe_small"),
    html`<div class="dutyp">
      <div>${shoe === null ? [] : [html`<b>${t("shoe_left", { left, to })}</b>`, html`<p>${text}</p>`]}</div>
      ${anew && html`<button class="btn sm" type="button" @click=${open}>${icon("shuffle")}${t("new_shoe")}</button>`}
    </div>`,
  );
}

export const sideRail = () => [dutyPanel(), shoePanel()];
