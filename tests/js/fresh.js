// Modules of a page are made anew for each page that a test opens: what one of them imports has its number too. What
// they ask for later is noted, so that a test can wait until it is there.

const LATER = /\bimport\(([^()]*)\)/g;

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const { search } = new URL(context.parentURL ?? found.url);
  if (!search || !found.url.startsWith("file:")) return found;
  const url = new URL(found.url);
  url.search = search;
  return { ...found, url: url.href, format: "module" };
}

export async function load(url, context, next) {
  const found = await next(url, context);
  if (!new URL(url).search) return found;
  return { ...found, source: String(found.source).replace(LATER, "globalThis.bringing(import($1))") };
}
