// Where a newcomer sits well.

/** The free box that suits a newcomer: near the middle, rather beside people; null if all are taken. */
export function bestSeat(positions, seats) {
  const far = (box) => Math.abs(box - (positions + 1) / 2) - (seats[box - 1] || seats[box + 1] ? 1.25 : 0);
  const free = Array.from({ length: positions }, (_, place) => place + 1).filter((box) => !seats[box]);
  return free.sort((a, b) => far(a) - far(b) || a - b)[0] ?? null;
}
