// Stands between the pages and the network, and keeps one page for when there is none. Tables, people and the API
// are never kept: what is not from the network now is not shown.

/** @type {any} a service worker, which the types of pages know nothing of */
const here = self;
const KEPT = "offline";
const PAGE = "/offline";
const ANY = { ignoreSearch: true, ignoreVary: true };

/** The page, and the files that it names. */
async function keep() {
  const kept = await caches.open(KEPT);
  const answer = await fetch(PAGE, { cache: "reload" });
  const files = [...(await answer.clone().text()).matchAll(/(?:href|src)="(\/static\/[^"]+\.(?:css|svg))"/g)];
  for (const old of await kept.keys()) await kept.delete(old);
  await Promise.all([kept.put(PAGE, answer), kept.addAll(files.map(([, address]) => address))]);
}

async function orElse(request, kept) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(kept, ANY)) ?? Response.error();
  }
}

here.addEventListener("install", (event) => event.waitUntil(keep().then(() => here.skipWaiting())));
here.addEventListener("activate", (event) => event.waitUntil(here.clients.claim()));
here.addEventListener("fetch", (event) => {
  const { mode, destination } = event.request;
  if (mode === "navigate") event.respondWith(orElse(event.request, PAGE));
  else if (destination === "style") event.respondWith(orElse(event.request, event.request));
});
