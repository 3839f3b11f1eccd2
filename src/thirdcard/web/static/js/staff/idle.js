// Between rounds: payouts are done, and bets may be opened.

import { command } from "../socket.js";
import { book, table } from "../state.js";
import { below } from "./between.js";
import { desk } from "./desk.js";
import { why } from "./dealing.js";
import { seatForm, startSeating } from "./seating.js";
import { attempt, cites, t } from "./say.js";
import { sideRail } from "./siderail.js";

const opens = () => desk.seen.next.command?.command === "open";

export const step = {
  key: "idle",
  now: () => opens() || ["idle", "settled", "void"].includes(table.seen.phase),
  required() {
    const able = opens();
    const { closed } = table.seen.house;
    return {
      eyebrow: t(closed ? "closed" : "next_required"),
      title: t(closed && !able ? "table_is_closed" : "open_the_bets"),
      text: able ? [t("open_text"), ...cites(desk.seen.next.rules, book())] : why(),
      button: {
        label: t("go_open"),
        run: () => attempt(() => command({ command: "open" }), book()),
        enabled: able,
        key: "Enter",
      },
    };
  },
  seat: startSeating,
  below,
  rail: () => [seatForm(), sideRail()],
};
