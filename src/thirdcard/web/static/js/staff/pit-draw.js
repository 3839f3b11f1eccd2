// A part of a page is drawn again only when what it shows has changed, so that focus and what is typed stay.

const drawn = new WeakMap();

/** Fill `place` with what `make` gives, unless it was made of the same before; whether it was filled. */
export function draw(place, depends, make) {
  const key = JSON.stringify(depends);
  if (drawn.get(place) === key) return false;
  drawn.set(place, key);
  place.replaceChildren(...[make()].flat().filter(Boolean));
  return true;
}
