"""Drawing as SVG text, for felt, cards, roads, charts and plots alike: elements, and one palette.

A drawing has no script, no inline style and no outside reference. It carries its colours as attributes, so it
is whole by itself; `web/static/css/tokens.css` has those that pages share, by the same names.
"""

from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Final, TypeAlias

NIGHT_1, NIGHT_2, NIGHT_4 = "#0a1411", "#0f1c18", "#21372f"
GOLD_1, GOLD_2 = "#f3e5bd", "#d9bc7a"
TEXT_1, TEXT_3, TEXT_INK = "#f6f2e8", "#97a69e", "#14110a"
PLAYER_2, BANKER_2, TIE_2 = "#2a66c4", "#c0342b", "#18784a"  # under white type, and on paper
PLAYER_4, BANKER_4, TIE_4 = "#5b95ec", "#e0645a", "#4fb87f"  # bars and lines on dark
WIN_1, GOOD_1, GOOD_2, BAD_1 = "#ffe9a8", "#8fe6b3", "#1f9d61", "#ffa59c"
PAPER, PAPER_LINE, WHITE, BLACK = "#fbf9f3", "#cfcab8", "#fff", "#000"
CARD_RED, CARD_BLACK, CARD_GOLD, CARD_BACK = "#c4271f", "#16181c", "#b8892b", "#14243a"
COSTS: Final = ("#fdf3d3", "#f3d27c", "#e0a548", "#bd7636", "#8f4128", "#5a1f1a")  # dearer is darker

# The faces of the pages, and two that are on most machines which draw without a browser.
SANS: Final = (
    "Inter, 'Segoe UI', Roboto, 'PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', 'Noto Sans TC', "
    "'Noto Sans', 'DejaVu Sans', sans-serif"
)
SERIF: Final = "'Iowan Old Style', 'Palatino Linotype', 'Noto Serif', Georgia, 'DejaVu Serif', serif"

Attribute: TypeAlias = str | float | None


def number(value: float, digits: int = 1) -> str:
    """At most so many decimals, and no more characters than needed."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, /, *inside: str, **attributes: Attribute) -> str:
    """An element around markup; `font_size` is `font-size`, `class_` is `class`, and None is left out."""
    start = f"<{tag}"
    for name, value in attributes.items():
        if value is not None:
            start += f'{_opened(name)}{escape(value) if isinstance(value, str) else number(value, 2)}"'
    return f"{start}>{''.join(inside)}</{tag}>" if inside else f"{start}/>"


@cache
def _opened(name: str) -> str:
    return f' {name.rstrip("_").replace("_", "-")}="'


def text(words: str, x: float | None, y: float, size: float, /, **attributes: Attribute) -> str:
    return element("text", escape(words), x=x, y=y, font_size=size, **attributes)


def title(words: str) -> str:
    """What a drawing, or a part of it, is called: shown by pointing at it."""
    return element("title", escape(words))


def points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def svg(width: float, height: float, /, *inside: str, **attributes: Attribute) -> str:
    """A whole drawing, in units of its own."""
    view = f"0 0 {number(width)} {number(height)}"
    return element("svg", *inside, xmlns="http://www.w3.org/2000/svg", viewBox=view, **attributes)
