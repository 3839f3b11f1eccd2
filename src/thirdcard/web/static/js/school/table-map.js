// The table of play as somebody remembers it: Banker's two cards down, Player's third card across, – where the Player stands.

import { svg } from "../dom.js";
import { t, tone } from "./kit.js";

const THIRDS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-"];
const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];
const [SIDE, GAP, LEFT, TOP] = [26, 2, 24, 22];
const x = (column) => LEFT + column * (SIDE + GAP) + (column === 10 ? 8 : 0);
const y = (row) => TOP + row * (SIDE + GAP);

/**
 * Drawn from skills by name; `row` is lit and told with letters, `cell` is the one asked. Before an answer no letter is
 * shown.
 */
export function tableMap(known, { row = null, cell = "", draws = null } = {}) {
  const cells = ROWS.flatMap((points) =>
    THIRDS.map((third, column) => {
      const here = `third-card/banker/${points}/${third}`;
      const one = known.get(here);
      const lit = row === null || row === points;
      const kind = `mc ${tone(one?.remembered)}${lit ? "" : " dimmed"}${here === cell ? " cur" : ""}`;
      return svg(
        "g",
        { class: kind },
        svg("rect", { x: x(column), y: y(points), width: SIDE, height: SIDE, rx: 4 }),
        draws && svg("text", { x: x(column) + SIDE / 2, y: y(points) + 17, "text-anchor": "middle", "font-size": 12 }, draws(points, third)),
      );
    }),
  );
  const heads = THIRDS.map((third, column) => svg("text", { class: "ax", x: x(column) + SIDE / 2, y: 14, "text-anchor": "middle", "font-size": 12 }, third === "-" ? "–" : third));
  const sides = ROWS.map((points) => svg("text", { class: points === row ? "ax lit" : "ax", x: 14, y: y(points) + 18, "text-anchor": "middle", "font-size": 12 }, points));
  const sure = [...known].filter(([skill]) => skill.startsWith("third-card/banker/")).map(([, one]) => one.remembered);
  const mean = sure.length ? Math.round((100 * sure.reduce((sum, one) => sum + one, 0)) / sure.length) : 0;
  return svg(
    "svg",
    { class: "mem", viewBox: `0 0 ${x(10) + SIDE + 2} ${y(7) + SIDE + 2}`, role: "img", "aria-label": t("map_label", { met: sure.length, mean }) },
    ...heads,
    ...sides,
    ...cells,
  );
}
