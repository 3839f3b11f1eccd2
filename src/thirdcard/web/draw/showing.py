"""A felt as notebooks show it, and as a file."""

from base64 import b64encode
from functools import cache
from html import escape
from pathlib import Path

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, Which, load
from thirdcard.rulebook.lookup import find_layout
from thirdcard.strict import whole
from thirdcard.web.draw.felt import felt_svg

STYLE = Path(__file__).parents[1] / "static" / "css"


@cache
def _style() -> str:
    """What pages lay over a felt, for where there is no page."""
    css = "".join((STYLE / name).read_text(encoding="utf-8") for name in ("tokens.css", "felt.css"))
    return f"<style>{escape(css, quote=False)}</style>"


class FeltPicture:
    """The felt of a layout as one SVG text, with its style; a notebook shows it.

    >>> felt("mbs-tiger-v2", "A", boxes=6).svg[:4]
    '<svg'
    """

    def __init__(self, rulebook: Rulebook, layout: str, boxes: int, own: int | None) -> None:
        self.rulebook, self.layout, self.boxes = rulebook, layout, boxes
        start, mark, rest = felt_svg(rulebook, layout, boxes, own).partition(">")
        self.svg = f"{start}{mark}{_style()}{rest}"

    def __repr__(self) -> str:
        return f"<FeltPicture of {self.rulebook.slug}, layout {self.layout}, {self.boxes} boxes>"

    def _repr_html_(self) -> str:
        """As a picture, so that its style is nobody else's."""
        data = b64encode(self.svg.encode()).decode()
        return f'<img alt="{escape(repr(self))}" src="data:image/svg+xml;base64,{data}" width="100%">'


def felt(
    rulebook: Which, layout: str | None = None, *, boxes: int | None = None, own: int | None = None
) -> FeltPicture:
    """The felt of a layout, drawn from the rulebook; `own` is the box that it is drawn around.

    >>> felt("mbs-tiger-v2")
    <FeltPicture of mbs-tiger-v2, layout A, 8 boxes>
    """
    book = load(rulebook)
    letter = next(iter(book.layouts)) if layout is None else layout
    least, most = find_layout(book, letter).positions
    count = most if boxes is None else whole("the number of boxes", boxes)
    if not least <= count <= most:
        raise BadInput(f"layout {letter} of {book.slug} has {least} to {most} boxes: got {count}")
    if own is not None and not 1 <= whole("the own box", own) <= count:
        raise BadInput(f"the own box is one of 1 to {count}: got {own}")
    return FeltPicture(book, letter, count, own)
