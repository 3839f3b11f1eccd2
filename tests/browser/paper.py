"""What comes out of a printer, looked at: light, nothing cut off, every cell of every table there, a foot on each page."""

import re
from pathlib import Path

import pypdfium2
from playwright.sync_api import Page

from thirdcard import __version__

A4_INSIDE = 694  # pixels: 210 mm less the margins
TOO_WIDE = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  return width > 0 && !one.closest("svg svg, svg g") && (right > innerWidth + 2 || left < -2);
}).map((one) => `${one.tagName}.${one.getAttribute("class")}`).slice(0, 5)"""
CELLS = """() => {
  const found = [], all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (all.nextNode()) {
    const inside = all.currentNode.parentElement;
    if (!inside.closest("td, th, h1, h2, h3") || inside.closest("svg") || !inside.checkVisibility()) continue;
    if (inside.getBoundingClientRect().width > 2) found.push(all.currentNode.data);
  }
  return found;
}"""
PALE = """() => {
  const light = (colour) => {
    const [red, green, blue] = colour.match(/[0-9.]+/g).slice(0, 3).map((one) => {
      const part = one / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const clear = (colour) => /^rgba\\(.*, 0\\)$/.test(colour);
  return [...document.querySelectorAll("td, th")].filter((one) => one.innerText.trim() && one.checkVisibility()).filter((one) => {
    let under = one;
    while (under && clear(getComputedStyle(under).backgroundColor)) under = under.parentElement;
    const [ink, ground] = [light(getComputedStyle(one).color), under ? light(getComputedStyle(under).backgroundColor) : 1];
    return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05) < 4.5;
  }).map((one) => `${one.innerText.trim()} (${one.className})`).slice(0, 5);
}"""
FOOT = rf"thirdcard {re.escape(__version__)}\b.*20[0-9]{{2}}"
PLAIN = re.compile(r"[\W_]+")
MARGIN = 6  # points at the scale that pages are looked at
SCALE = 0.25


def printed(page: Page, path: Path) -> pypdfium2.PdfDocument:
    page.pdf(path=path, prefer_css_page_size=True, print_background=True)
    return pypdfium2.PdfDocument(path)


def faults_on_paper(page: Page, path: Path, *wanted: str, digest: bool = True) -> list[str]:
    """What is wrong with the page that is open once it is printed; `wanted` stands on it."""
    page.emulate_media(media="print")
    found = [f"too wide: {one}" for one in page.evaluate(TOO_WIDE)]
    found += [f"too pale to read: {one}" for one in page.evaluate(PALE)]
    cells = page.evaluate(CELLS)
    file = printed(page, path)
    page.emulate_media(media="screen")
    texts = [" ".join(one.get_textpage().get_text_bounded().split()) for one in file]
    whole = " ".join(texts)
    found += [f"not there: {words}" for words in wanted if words not in whole]
    found += [f"cut off: {one}" for one in cells if _plain(one) not in _plain(whole)]
    for place, (text, sheet) in enumerate(zip(texts, file, strict=True), start=1):
        shades = sheet.render(scale=SCALE, grayscale=True).to_numpy()
        wrong = {
            "no number": f"{place} / {len(texts)}" not in text,
            "no foot": not re.search(FOOT, text),
            "no digest": digest and "SHA-256" not in text,
            "dark": shades[0, 0] <= 250 or (shades > 200).mean() < 0.6,
            "in the margin": bool((shades[:, :MARGIN] < 200).any() or (shades[:, -MARGIN:] < 200).any()),
            "empty": len(text) < 100,
        }
        found += [f"page {place} of {len(texts)}: {name}" for name, is_so in wrong.items() if is_so]
    return found


def _plain(text: str) -> str:
    """Letters and figures alone: what a printer breaks, or writes in capitals, stays the same."""
    return PLAIN.sub("", text).casefold()
