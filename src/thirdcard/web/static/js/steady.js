// Nothing that can be pressed moves under a finger: whoever presses the same place again within a second means what was
// there. A press on something that has come there since is let go.

export const CALM_MS = 1000;
const NEAR = 10; // pixels
const PRESSABLE = "button, a, summary, label, [role=button], .spot, .pspot, .plate, .position";

let last = null; // { x, y, at, what }

/** When something was pressed last, by the page's own clock. */
export const lastUse = () => last?.at ?? -CALM_MS;

/** What somebody means by a press: the same while it stays, however it is drawn. */
function meant(target) {
  const found = target?.closest?.(PRESSABLE);
  if (!found) return "";
  const { box, bet, act, keep, at, cents } = { ...found.closest(".position")?.dataset, ...found.dataset };
  const known = [box, bet, act, keep, at, cents].join("/");
  return /[^/]/.test(known) ? known : found.id || found.getAttribute("class") + found.textContent;
}

export function watchPresses() {
  let swallows = false;
  const down = ({ clientX: x, clientY: y, target }) => {
    const now = { x, y, at: performance.now(), what: meant(target) };
    const soon = last && now.at - last.at < CALM_MS && Math.hypot(x - last.x, y - last.y) < NEAR;
    swallows = soon && now.what !== last.what;
    last = swallows ? { ...last, at: now.at } : now;
  };
  const click = (event) => {
    if (!swallows || !event.isTrusted) return;
    swallows = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("pointerdown", down, true);
  document.addEventListener("click", click, true);
}
