// The big road of a shoe, small: a ring for each win, a stroke for a tie.

import { html, svg } from "../draw.js";

const ROWS = 6;
const COLUMNS = 20;
const CELL = 14;

/** Where each win lies, and how many ties followed it; ties before the first win lie with it. */
function laid(results) {
  const taken = new Map();
  const cells = [];
  let [column, row, streak, early] = [-1, 0, 0, 0];
  for (const one of results) {
    const last = cells.at(-1);
    if (one === "T") {
      if (last) last.ties++;
      else early++;
      continue;
    }
    if (last?.winner === one) {
      const down = row + 1 < ROWS && !taken.has(`${column}/${row + 1}`) && column === streak;
      if (down) row++;
      else column++;
    } else {
      streak = last ? streak + 1 : 0;
      while (taken.has(`${streak}/0`)) streak++;
      [column, row] = [streak, 0];
    }
    taken.set(`${column}/${row}`, true);
    cells.push({ winner: one, column, row, ties: last ? 0 : early });
  }
  return cells;
}

/** The newest columns as a picture that `label` names. */
export function road(results, label) {
  const cells = laid(results);
  const from = Math.max(0, Math.max(0, ...cells.map((one) => one.column)) - COLUMNS + 1);
  const [width, height] = [COLUMNS * CELL, ROWS * CELL];
  const lines = [
    ...Array.from({ length: COLUMNS + 1 }, (_, n) => `M${n * CELL} 0V${height}`),
    ...Array.from({ length: ROWS + 1 }, (_, n) => `M0 ${n * CELL}H${width}`),
  ];
  const shown = cells.filter((one) => one.column >= from);
  return html`<svg class="rroad" viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
    <path class="grid" d=${lines.join("")}></path>
    ${shown.flatMap((one) => {
      const [x, y] = [(one.column - from) * CELL + CELL / 2, one.row * CELL + CELL / 2];
      const name = `${one.winner.toLowerCase()}${one === cells.at(-1) ? " last" : ""}`;
      const ring = svg`<circle class=${name} cx=${x} cy=${y} r=${CELL / 2 - 2}></circle>`;
      return one.ties ? [ring, svg`<path class="t" d="M${x - 4} ${y + 4}L${x + 4} ${y - 4}"></path>`] : [ring];
    })}
  </svg>`;
}
