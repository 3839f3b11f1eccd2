// Cards that I hold face down: peel them back by dragging or with the slider, then turn them; or pass.

import { button, html, svg } from "./dom.js";
import { only } from "./panels.js";
import { send } from "./play.js";
import { mine, on, option, options, table } from "./state.js";
import { cardName, hand as handName, t } from "./words.js";

class SqueezePanel extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    this.setAttribute("role", "dialog");
    this.setAttribute("aria-label", t("squeeze"));
    on("cards options phase", () => this.show());
  }

  show() {
    const all = table.seen.cards.filter((card) => card.held_by === table.me && table.me && !card.exposed && card.card);
    const held = all.filter((card) => card.hand === all[0].hand); // one hand after the other
    const key = JSON.stringify([held, options("expose"), options("refuse-cards")]);
    if (key === this.shown) return;
    this.shown = key;
    if (!held.length) {
      this.hidden = true;
      return;
    }
    this.replaceChildren(
      html("h2", {}, t("squeeze_title", { hand: handName(held[0].hand) })),
      html("p", { class: "muted" }, t("squeeze_how")),
      html("div", { class: "peels" }, held.map((card) => peel(card))),
      html("div", { class: "go" }, ...this.buttons(held)),
    );
    only(this);
  }

  buttons(held) {
    const all = held.map((card) => card.place);
    const whole = options("expose").find((one) => String(one.command.cards) === String(all)) ?? option("expose");
    const pass = option("refuse-cards", { hand: held[0].hand });
    return [
      whole && button("primary", () => send(whole.command), {}, t("turn_over")),
      pass && button("", () => send(pass.command), {}, t("pass_cards")),
    ].filter(Boolean);
  }
}

const within = (percent) => Math.max(-100, Math.min(100, percent));

/** A large card under its back; as much of it shows as the slider, or the drag from any edge, has uncovered. */
function peel({ card }) {
  const face = picture(`card-${card}`, "face");
  const back = picture("card-back", "cover");
  const slider = html("input", { type: "range", min: 0, max: 100, value: 0, "aria-label": t("peel") });
  const frame = html("div", { class: "peel" }, face, back);
  let start = null;
  const uncover = (x, y) => {
    const [left, top] = [x > 0 ? x : 0, y > 0 ? y : 0];
    back.style.clipPath = `inset(${top}% ${x < 0 ? -x : 0}% ${y < 0 ? -y : 0}% ${left}%)`;
    const far = Math.max(Math.abs(x), Math.abs(y));
    frame.classList.toggle("known", far > 60);
    if (far > 60) slider.setAttribute("aria-valuetext", cardName(card));
    else slider.removeAttribute("aria-valuetext");
  };
  slider.addEventListener("input", () => uncover(0, -slider.value));
  frame.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!start) return;
    const { width, height } = frame.getBoundingClientRect();
    const [x, y] = [((event.clientX - start[0]) * 100) / width, ((event.clientY - start[1]) * 100) / height];
    const across = Math.abs(x) > Math.abs(y);
    uncover(across ? within(x) : 0, across ? 0 : within(y));
  });
  for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, () => (start = null));
  return html("div", { class: "peeling" }, frame, slider);
}

function picture(symbol, kind) {
  const card = svg("use", { href: `#${symbol}`, width: 100, height: 140 });
  return html("div", { class: kind }, svg("svg", { viewBox: "0 0 100 140", "aria-hidden": "true" }, card));
}

/** Asking for the cards before they come. The rules let me ask for a moment only, so a wish can be left here. */
class SqueezeRequests extends HTMLElement {
  connectedCallback() {
    this.wish = false;
    on("options phase stakes house", () => this.show());
  }

  show() {
    const most = options("request-squeeze").sort((a, b) => b.command.cards.length - a.command.cards.length)[0];
    if (most && this.wish) {
      this.wish = false;
      send(most.command);
    }
    const held = table.seen.cards.some((card) => card.held_by === table.me && table.me);
    const passes = held ? [] : options("refuse-cards");
    this.replaceChildren(
      ...(this.canWish(most) ? [this.wishButton()] : []),
      ...passes.map(passButton),
      ...REQUESTS.flatMap(([name, words]) => options(name).map(({ command }) => request(command, words))),
    );
  }

  canWish(offered) {
    const { phase, house } = table.seen;
    return offered || (house.face_down && phase === "betting" && mine().length > 0);
  }

  wishButton() {
    const toggle = () => {
      this.wish = !this.wish;
      this.show();
    };
    const pressed = { "aria-pressed": String(this.wish) };
    return button("quiet", toggle, pressed, t(this.wish ? "squeeze_asked" : "ask_squeeze"));
  }
}

// What else a player may ask of the House.
const REQUESTS = [
  ["request-banker-third-first", "ask_third_first"],
  ["request-no-insurance", "ask_no_insurance"],
];
const request = (command, words) => button("quiet", () => send(command), {}, t(words));

const passButton = ({ command }) =>
  button("quiet", () => send(command), {}, t("pass_hand", { hand: handName(command.hand) }));

customElements.define("squeeze-panel", SqueezePanel);
customElements.define("squeeze-requests", SqueezeRequests);

