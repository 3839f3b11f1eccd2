// A page in Node: the HTML that the server made, in a small DOM, with the real modules. The network is a tape that
// `tape.py` recorded of a real server; time stands still until a test lets it pass.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { mock } from "node:test";

const HERE = new URL(".", import.meta.url);
const BUILD = new URL("../../build/js/", HERE);
const SCRIPTS = new URL("../../src/thirdcard/web/static/", HERE);
const MODULES = new URL(process.env.NODE_MODULES ?? "../../.venv/npm/", HERE);
const { Window } = createRequire(new URL("package.json", MODULES))("happy-dom");
const ORIGIN = "http://house";
const FRAME_MS = 16;
const TURNS = 4; // in which all that was promised is done
const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
const GLOBALS = [
  "document", "customElements", "localStorage", "sessionStorage", "navigator", "Node", "NodeFilter", "Element", "HTMLElement",
  "SVGElement", "HTMLInputElement", "Event", "CustomEvent", "KeyboardEvent", "MouseEvent", "PointerEvent", "FormData",
  "MutationObserver", "ResizeObserver", "IntersectionObserver", "DOMRect", "DOMPoint", "DOMParser", "CSS", "File", "FileReader",
];
const BOUND = ["addEventListener", "removeEventListener", "dispatchEvent", "matchMedia", "getComputedStyle", "scrollTo"];

register("./fresh.js", import.meta.url);
let pages = 0;

/** What `tape.py` recorded by that name. */
export const recorded = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, BUILD), "utf8"));

const coming = new Set(); // modules that a page has asked for and not got yet

globalThis.bringing = (module) => {
  coming.add(module);
  const here = () => coming.delete(module);
  module.then(here, here);
  return module;
};

/** Let everything be done that was promised and waits for no time. */
export async function settle() {
  for (let turn = 0; turn < TURNS; turn++) {
    if (coming.size) await Promise.allSettled(coming);
    await new Promise((done) => setImmediate(done));
  }
}

const due = new Map(); // when each timer is due

/** Timers as they are, and when each is due: time then passes from one to the next. */
function watchTimers() {
  due.clear();
  for (const name of ["Timeout", "Interval"]) {
    const [set, clear] = [globalThis[`set${name}`], globalThis[`clear${name}`]];
    globalThis[`set${name}`] = (act, ms = 0, ...given) => {
      const timer = set(() => {
        if (name === "Interval") due.set(timer, Date.now() + ms);
        else due.delete(timer);
        act(...given);
      }, ms);
      due.set(timer, Date.now() + Math.max(ms, 1));
      return timer;
    };
    globalThis[`clear${name}`] = (timer) => {
      due.delete(timer);
      clear(timer);
    };
  }
}

/** A line to the server; what is said over it is looked up on the tape. */
class Line {
  static OPEN = 1;

  constructor(address, page) {
    this.address = address;
    this.page = page;
    this.readyState = Line.OPEN;
    page.lines.push(this);
  }

  send(text) {
    this.page.said.push(JSON.parse(text));
    if (!this.page.deaf) this.page.hear(this, JSON.parse(text));
  }

  bring(message) {
    if (this.readyState === Line.OPEN) this.onmessage?.({ data: JSON.stringify(message) });
  }

  close() {
    this.readyState = 3;
  }

  /** As when the server or the network ends it. */
  lose(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

/** A movement: it ends when its time has passed, or is ended. */
function moving(dom, lasts) {
  const movement = new dom.EventTarget();
  const finish = () => movement.dispatchEvent(new dom.Event("finish"));
  const timer = setTimeout(finish, lasts);
  return Object.assign(movement, {
    finish() {
      clearTimeout(timer);
      finish();
    },
  });
}

class Page {
  constructor(tape, { screen = DESKTOP, kept = {}, still = true } = {}) {
    this.number = ++pages;
    this.tape = tape;
    this.at = 0; // steps of the tape that were played
    this.answers = {}; // what is told to who asks, by its address
    this.lines = []; // sockets, the last one last
    this.said = []; // what was sent over them
    this.workers = [];
    this.asked = []; // requests that change something: { method, path, body, key }
    this.looked = []; // addresses that were asked for
    this.went = []; // where the page led to
    this.wrong = []; // what the tape knows nothing of
    this.offline = false;
    this.deaf = false; // what is said over a line is not heard
    this.held = null; // requests that wait, while it is a list
    this.dom = new Window({
      url: tape.url,
      ...screen,
      settings: {
        disableJavaScriptFileLoading: true,
        disableJavaScriptEvaluation: true,
        disableCSSFileLoading: true,
        handleDisabledFileLoadingAsSuccess: true,
        disableIframePageLoading: true,
        errorCapture: "disabled",
        device: { prefersReducedMotion: still ? "reduce" : "no-preference" },
      },
    });
    this.dom.document.write(tape.html);
    for (const [name, value] of Object.entries({ coach: "yes", "bets-told": "yes", ...kept })) this.dom.localStorage.setItem(name, value);
    this.globals();
    this.take(tape.steps[0]);
  }

  globals() {
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: this.tape.now });
    watchTimers();
    const { dom, tape } = this;
    const page = this;
    const began = Date.now();
    const given = Object.fromEntries(GLOBALS.map((name) => [name, dom[name]]));
    for (const name of BOUND) given[name] = dom[name].bind(dom);
    Object.assign(given, {
      window: dom,
      location: this.place(),
      innerWidth: dom.innerWidth,
      innerHeight: dom.innerHeight,
      performance: { now: () => Date.now() - began },
      requestAnimationFrame: (act) => setTimeout(() => act(performance.now()), FRAME_MS),
      cancelAnimationFrame: (timer) => clearTimeout(timer),
      fetch: (address, asked) => this.fetch(String(address), asked),
      Worker: class extends dom.EventTarget {
        constructor() {
          super();
          page.workers.push(this);
        }
      },
      WebSocket: class extends Line {
        constructor(address) {
          super(address, page);
          queueMicrotask(() => page.opened(this));
        }
      },
    });
    for (const [name, value] of Object.entries(given)) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
    dom.Element.prototype.scrollIntoView = () => {};
    dom.Element.prototype.animate = (frames, { duration, delay = 0 }) => moving(dom, duration + delay);
    Object.defineProperty(dom.document, "hidden", { value: false, writable: true, configurable: true });
    dom.SVGElement.prototype.getScreenCTM = () => ({ a: 1, b: 0, c: 0, d: 1, e: 0, f: 0, inverse() { return this; } });
    this.url = new URL(tape.url);
  }

  /** The page's address; it leads nowhere, but is told where to. */
  place() {
    const page = this;
    const url = new URL(this.tape.url);
    return {
      origin: url.origin,
      pathname: url.pathname,
      host: url.host,
      hash: "",
      get search() { return url.search; },
      set search(to) { page.went.push(`${url.pathname}${to}`); },
      get href() { return url.href; },
      set href(to) { page.went.push(to); },
      assign: (to) => page.went.push(String(to)),
      replace: (to) => page.went.push(String(to)),
      reload: () => page.went.push("reload"),
    };
  }

  // The server -------------------------------------------------------------------------------------------------

  take(step) {
    Object.assign(this.answers, step.answers);
    this.at += 1;
  }

  /** The step that comes next on the tape, which the page has to have asked for. */
  due(asked, fits) {
    const step = this.tape.steps[this.at];
    if (step && fits(step)) return step;
    const wanted = step ? JSON.stringify(step.ask ?? (step.method ? [step.method, step.path, step.body] : step.name)) : "nothing more";
    this.wrong.push(`the page asks ${JSON.stringify(asked)}; the tape has ${wanted}`);
    return null;
  }

  hear(line, { key, ask }) {
    const step = this.due(ask, (one) => one.ask && same(without(one.ask, one.loose), without(ask, one.loose)));
    if (!step) return;
    this.take(step);
    queueMicrotask(() => this.bring(step, line, key));
  }

  bring(step, line = this.line, key = "") {
    for (const message of step.messages ?? []) line?.bring(message.key ? { ...message, key } : message);
  }

  get line() {
    return this.lines.at(-1);
  }

  /** A line is open: all that happened since the version that the page has, or everything. */
  opened(line) {
    if (this.offline) {
      line.lose();
      return;
    }
    const after = new URL(line.address.replace(/^ws/, "http")).searchParams.get("after");
    const messages = this.tape.steps.slice(0, this.at).flatMap((step) => step.messages ?? []);
    const from = after === null ? messages.findLastIndex((one) => one.view) : messages.findIndex((one) => one.from === Number(after));
    const { rejoined } = this.tape.steps[this.at - 1];
    if (from < 0 && rejoined) line.bring(rejoined);
    else if (from >= 0) messages.slice(from).filter((one) => "version" in one).forEach((one) => line.bring(one));
  }

  async fetch(address, { method = "GET", body, headers = {} } = {}) {
    const url = new URL(address, ORIGIN);
    if (url.pathname.endsWith(".svg") && !url.pathname.startsWith("/felt/")) return answered("<svg></svg>"); // faces of cards and chips are only drawn
    if (url.pathname.startsWith("/static/")) return answered(readFileSync(new URL(url.pathname.split("/").slice(3).join("/"), new URL("static/", BUILD)), "utf8"));
    url.searchParams.delete("v");
    const path = `${url.pathname}${url.search}`;
    const asked = { method, path, body: body && JSON.parse(body), key: "Idempotency-Key" in headers ? String(headers["Idempotency-Key"]) : undefined };
    if (method === "GET") this.looked.push(path);
    else this.asked.push(asked);
    if (this.held) await new Promise((done) => this.held.push({ ...asked, go: done }));
    if (this.offline) throw new TypeError("no network");
    return method === "GET" ? this.look(path) : this.act(asked);
  }

  look(path) {
    const found = this.answers[path] ?? this.answers[Object.keys(this.answers).find((one) => one.endsWith("*") && path.startsWith(one.slice(0, -1)))];
    if (!found) this.wrong.push(`the tape has no answer to ${path}`);
    return found ? answered(found.text, found.status) : answered("", 404);
  }

  act({ method, path, body, key }) {
    if (path.endsWith("/commands") && this.lost?.key === key) return this.again();
    const step = this.due([method, path, body], (one) =>
      path.endsWith("/commands") && one.ask ? same(without(one.ask, one.loose), without(body, one.loose)) : one.method === method && one.path === path && same(without(one.body, one.loose), without(body, one.loose)),
    );
    if (!step) return answered(JSON.stringify({ detail: "not on the tape", code: "no-tape" }), 400);
    this.take(step);
    queueMicrotask(() => this.bring(step));
    if (!step.ask) return answered(step.reply.text, step.reply.status);
    const last = step.messages.find((one) => one.key);
    return last.answer ? answered(JSON.stringify(last.answer)) : answered(JSON.stringify(last.problem), last.problem.status);
  }

  /** What a worker says; the pit's keeps time while nobody looks at the page. */
  async beats() {
    for (const one of this.workers) one.dispatchEvent(new this.dom.Event("message"));
    await this.rest();
  }

  /** Nobody looks at the page any more, or somebody does again. */
  hides(hidden = true) {
    this.dom.document.hidden = hidden;
    this.dom.document.dispatchEvent(new this.dom.Event("visibilitychange"));
  }

  /** The step that comes next happens by itself: it is called so. */
  async happens(name) {
    const step = this.due(name, (one) => one.name === name);
    assert.ok(step, this.wrong.at(-1));
    this.take(step);
    this.bring(step);
    await this.skips();
  }

  /** A tap on the felt: all that is being told is told. */
  async skips() {
    await settle();
    this.dom.document.querySelector(".stage")?.dispatchEvent(new this.dom.Event("pointerdown"));
    await this.rest();
  }

  // People -----------------------------------------------------------------------------------------------------

  /** A page that is left alone for a moment: options come some time after a change. */
  async rest() {
    await this.pass(500);
  }

  async pass(ms) {
    await settle();
    for (const end = Date.now() + ms; Date.now() < end; ) {
      const next = Math.min(end, ...due.values());
      mock.timers.tick(Math.max(1, next - Date.now()));
      await settle();
    }
  }

  $(selector) {
    const found = typeof selector === "string" ? this.dom.document.querySelector(selector) : selector;
    assert.ok(found, `there is no ${selector}`);
    return found;
  }

  $$(selector) {
    return [...this.dom.document.querySelectorAll(selector)];
  }

  has(selector) {
    return this.$$(selector).length > 0;
  }

  /** The words of an element, with single spaces. */
  text(selector) {
    return words(this.$(selector).textContent);
  }

  texts(selector) {
    return this.$$(selector).map((one) => words(one.textContent));
  }

  /** Whether it can be seen as far as `hidden` goes. */
  shows(selector) {
    return this.$$(selector).some((one) => !one.closest("[hidden]"));
  }

  /** The button within that says these words. */
  button(name, within = "body") {
    const all = [...this.$(within).querySelectorAll("button, a, summary, [role=tab]")];
    const found = all.find((one) => [words(one.textContent), one.getAttribute("aria-label") ?? ""].some((said) => said.includes(name)) && !one.closest("[hidden]"));
    assert.ok(found, `no button ${name} among ${all.map((one) => words(one.textContent)).join(" | ")}`);
    return found;
  }

  async click(what) {
    const found = this.$(what);
    assert.ok(!found.disabled, `${words(found.textContent)} cannot be pressed`);
    found.dispatchEvent(new this.dom.MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
    await this.rest();
  }

  async fill(what, value) {
    const field = this.$(what);
    field.focus?.();
    field.value = value;
    for (const name of ["input", "change"]) field.dispatchEvent(new this.dom.Event(name, { bubbles: true }));
    await this.rest();
  }

  async check(what, on = true) {
    const field = this.$(what);
    field.checked = on;
    for (const name of ["input", "change"]) field.dispatchEvent(new this.dom.Event(name, { bubbles: true }));
    await this.rest();
  }

  async submit(form) {
    this.$(form).dispatchEvent(new this.dom.Event("submit", { bubbles: true, cancelable: true }));
    await this.rest();
  }

  /** One key, where the focus is; what a browser does with it by itself too. */
  key(name, { at = this.dom.document.activeElement ?? this.dom.document.body, ...more } = {}) {
    const event = new this.dom.KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more });
    at.dispatchEvent(event);
    if (event.defaultPrevented) return;
    if (at.matches("button, a, summary") && !at.disabled && (name === "Enter" || name === " ")) at.click();
    else if (at.matches("input") && name === "Enter") at.form?.dispatchEvent(new this.dom.Event("submit", { bubbles: true, cancelable: true }));
    else if (at.matches("input, textarea") && name.length === 1) {
      at.value += name;
      at.dispatchEvent(new this.dom.Event("input", { bubbles: true }));
    }
  }

  async press(...names) {
    for (const name of names) {
      if (typeof name === "object") this.key(name.key, name);
      else this.key(name);
      await this.rest();
    }
  }

  /** Keys one after the other, as a scanner types: nothing is waited for. */
  types(text) {
    for (const letter of text) this.key(letter);
  }

  /** The module of that name, as this page has it. */
  module(name) {
    return import(new URL(`js/${name}?page-${this.number}`, SCRIPTS).href);
  }

  async start() {
    const scripts = this.$$("script[type=module]").map((one) => /\/(?:js|joined)\/(.+)$/.exec(one.getAttribute("src"))[1]);
    for (const name of scripts.filter((one) => one !== "app.js")) {
      const done = this.module(name);
      await this.rest();
      await done;
    }
    await this.rest();
  }
}

const words = (text) => text.replace(/\s+/g, " ").trim();

const answered = (text, status = 200) => ({
  ok: status < 300,
  status,
  statusText: String(status),
  text: async () => text,
  json: async () => JSON.parse(text),
});

const without = (body, names = []) => (names.length && body && typeof body === "object" ? Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name))) : body);

/** Whether both ask for the same; of several commands, which are done whole or not at all, in any order. */
function same(one, other) {
  const sorted = (asked) => (Array.isArray(asked) ? asked.map((each) => JSON.stringify(each, Object.keys(each).sort())).sort() : asked ?? null);
  try {
    assert.deepEqual(sorted(other), sorted(one));
    return true;
  } catch {
    return false;
  }
}

/** Open a page as it is on the tape; when the test is over, nothing may have been asked that is not. */
export async function open(t, name, options = {}) {
  const tape = typeof name === "string" ? recorded(name) : name;
  const page = new Page(tape, options);
  t.after(async () => {
    mock.timers.reset();
    if (options.careless) return;
    for (const one of page.wrong) t.diagnostic(one);
    assert.deepEqual(page.wrong, []);
  });
  if (options.begin !== false) await page.start();
  return page;
}
