// What is drawn from state: templates laid out over lines, what is left out, and elements that stay.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./page.js";

async function drawing(t) {
  const page = await open(t, "several-none");
  const place = document.createElement("div");
  document.body.append(place);
  return { ...(await page.module("draw.js")), place };
}

test("line breaks of a template are not shown, spaces within a line are", async (t) => {
  const { draw, html, place } = await drawing(t);
  draw(
    place,
    html`<p
      class="a"
      title=${"b"}
    >
      ${"one"}
      <b>two</b> ${"three"}
    </p>`,
  );
  assert.equal(place.textContent, "onetwo three");
  assert.equal(place.firstElementChild.className, "a");
  assert.equal(place.firstElementChild.title, "b");
});

test("what is false, null or undefined is left out, as a child and as an attribute; nought is shown", async (t) => {
  const { draw, html, place } = await drawing(t);
  place.innerHTML = "<h1>of the server</h1>";
  draw(place, false, html`<p title=${null} lang=${false}>${[false, null, undefined, 0]}</p>`);
  assert.equal(place.textContent, "0");
  assert.deepEqual([...place.firstElementChild.attributes], []);
});

test("drawn again, an element stays with its focus and what is typed in it", async (t) => {
  const { draw, html, place } = await drawing(t);
  const show = (text) => draw(place, html`<label>${text}<input name="a"></label>`);
  show("before");
  const field = place.querySelector("input");
  field.value = "typed";
  field.focus();
  show("after");
  assert.equal(place.textContent, "after");
  assert.equal(place.querySelector("input"), field);
  assert.equal(field.value, "typed");
  assert.equal(document.activeElement, field);
});

test("a row of a list belongs to what it shows: the focus follows it, and goes with it", async (t) => {
  const { draw, html, listed, place } = await drawing(t);
  const show = (...names) => draw(place, listed(names, (name) => name, (name) => html`<button>${name}</button>`));
  show("a", "b", "c");
  const [first, second] = place.querySelectorAll("button");
  second.focus();
  show("b", "c");
  assert.equal(document.activeElement, second);
  assert.equal(second.textContent, "b");
  assert.ok(!first.isConnected);
  show("c");
  assert.ok(!second.isConnected);
  assert.equal(place.textContent, "c");
});
