// Modules of a page are made anew for each page that a test opens: what one of them imports has its number too.

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const { search } = new URL(context.parentURL ?? found.url);
  if (!search || !found.url.startsWith("file:")) return found;
  const url = new URL(found.url);
  url.search = search;
  return { ...found, url: url.href, format: "module" };
}
