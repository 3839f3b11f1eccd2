"""Draw the icons of the installed app anew (`make icons`): two hands and the third card across, on felt.

A maskable icon fills its square, and what matters lies in the middle four fifths.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from playwright.sync_api import sync_playwright  # noqa: E402

from browser.eyes import launched  # noqa: E402

FOLDER = HERE.parent / "src" / "thirdcard" / "web" / "static" / "app"
SIZES = {"192": 192, "512": 512, "maskable": 512}
CARD = (
    '<rect width="36" height="50" rx="5" fill="#fbf7ec"/>'
    '<path d="{}" transform="translate(8 15)scale(.2)" fill="{}"/>'
)
HEART = (
    "M50 90C20 64 6 47 6 30 6 16 17 7 29 7c10 0 17 6 21 14C54 13 61 7 71 7c12 0 23 9 23 23 0 17-14 34-44 60Z"
)
SPADE = (
    "M50 5c8 19 43 38 43 61 0 12-9 19-20 19-8 0-14-4-18-10 1 9 4 16 10 21H35c6-5 9-12 10-21"
    "-4 6-10 10-18 10C16 85 7 78 7 66 7 43 42 24 50 5Z"
)


def drawn(name: str) -> str:
    corner, scale = (0, 1.0) if name == "maskable" else (28, 1.18)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="100%" height="100%">
<rect width="128" height="128" rx="{corner}" fill="#14503f"/>
<g transform="translate(64 64)scale({scale})translate(-64 -64)">
<g transform="translate(25 23)">{CARD.format(SPADE, "#1d2733")}</g>
<g transform="translate(67 23)">{CARD.format(HEART, "#c4312b")}</g>
<rect x="38" y="78" width="52" height="34" rx="5" fill="#d9bc7a"/>
<path d="M64 84 74 95 64 106 54 95Z" fill="#5b4310"/></g></svg>"""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for name, size in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f'<body style="margin:0;background:transparent">{drawn(name)}</body>')
            page.screenshot(path=FOLDER / f"icon-{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
