"""Makes `figures.md`: published values of bets beside ours, each counted anew."""

import tomllib
from decimal import ROUND_HALF_EVEN, Decimal
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from thirdcard.odds import fresh, values
from thirdcard.odds.bet_values import Value
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.load import read

HERE: Final = Path(__file__).parent
EXAMPLES: Final = HERE.parent / "examples" / "rulebooks"
PAGE: Final = HERE / "figures.md"
DATA: Final = tomllib.loads((HERE / "figures.toml").read_text(encoding="utf-8"))
HEAD: Final = """\
# Published figures

Values of bets as others have published them, each counted anew from a sample rulebook of
`examples/rulebooks` or one that `docs/figures.toml` has: what a unit staked is worth on average, from a
fresh shoe. `make docs` writes this page, and the tests count every line again. "Not noted" are figures that
were in these tests before their sources were.

| bet | pays | decks | published | ours | agrees | source |
| --- | --- | --- | --- | --- | --- | --- |
"""


class Figure(NamedTuple):
    """One published value, to all the digits that are printed; a `note` says what is wrong with it."""

    book: str
    bet: str
    decks: int
    published: str
    source: str
    note: str = ""

    @property
    def value(self) -> Value:
        return _value(self.book, self.bet, self.decks)

    @property
    def ours(self) -> Decimal:
        """To as many digits as are published."""
        ev = self.value.ev
        return (Decimal(ev.numerator) / ev.denominator).quantize(Decimal(self.published), ROUND_HALF_EVEN)

    @property
    def agrees(self) -> bool:
        return self.ours == Decimal(self.published)


FIGURES: Final = tuple(Figure(**row) for row in DATA["figures"])


@cache
def book_of(name: str) -> Rulebook:
    text = DATA["books"].get(name)
    file = f"{name}.toml"
    return read(file, f'slug = "{name}"\n{text}', EXAMPLES) if text else load(EXAMPLES / file)


@cache
def _value(book: str, bet: str, decks: int) -> Value:
    return values(book_of(book), fresh(decks), [bet])[bet]


def page() -> str:
    """The whole page."""
    lines = [_line(figure) for figure in FIGURES]
    errata = [
        f"- **{figure.value.bet.name}**, {figure.published} with {figure.decks} decks: {figure.note}"
        for figure in FIGURES
        if figure.note
    ]
    agreeing = sum(figure.agrees for figure in FIGURES)
    told = f"\n{agreeing} of {len(FIGURES)} agree to the last digit.\n\n## Where print differs\n\n"
    return HEAD + "\n".join(lines) + "\n" + told + "\n".join(errata) + "\n"


def _line(figure: Figure) -> str:
    odds = ", ".join(dict.fromkeys(tier.odds.text for tier in figure.value.bet.pays))
    agrees = "yes" if figure.agrees else "no, see below"
    cells = (figure.value.bet.name, odds, figure.decks, figure.published, figure.ours, agrees, figure.source)
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
