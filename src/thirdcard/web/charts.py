"""Charts for pages: bars that stretch with their column and keep the type at its size.

They add to `thirdcard.odds.charts`, whose heat map and colours they share. Each stands beside its numbers.
"""

from collections.abc import Mapping
from html import escape

from thirdcard.cards import Rank
from thirdcard.odds.charts import HUES, LINE, QUIET, heat, svg, text

__all__ = ["bar", "heat", "hue", "removal"]


def hue(side: str) -> str:
    """The colour of a side; gold for a bet on more than one of them."""
    return HUES.get(side, HUES["none"])


def bar(percent: float, low: float, high: float, side: str) -> str:
    """One bar on a scale from `low` to `high`, which zero lies between; it fills the width it is given."""
    zero = -low / (high - low) * 100
    size = max(abs(percent) / (high - low) * 100, 0.3)
    start = zero if percent >= 0 else zero - size
    return (
        '<svg class="bar" aria-hidden="true" focusable="false">'
        f'<rect x="{start:.2f}%" width="{size:.2f}%" height="100%" rx="2" fill="{hue(side)}"/>'
        f'<rect x="{zero:.2f}%" width="1" height="100%" fill="{LINE}"/></svg>'
    )


def removal(title: str, changes: Mapping[Rank, float], side: str) -> str:
    """Columns by rank, up where the player gains and down where the house does, the largest full height."""
    largest = max(map(abs, changes.values()))
    step, half, top = 17, 40, 6
    middle, width = top + half, step * len(Rank) + 6
    parts = [f'<rect x="0" y="{middle}" width="{width}" height="1" fill="{QUIET}"/>']
    for rank in Rank:
        x = 3 + step * (rank - 1)
        parts.append(text(x + step / 2, middle + half + 15, rank.letter, anchor="middle", fill=QUIET))
        if rank in changes:
            size = abs(changes[rank]) / largest * half if largest else 0
            y = middle - size if changes[rank] > 0 else middle
            told = f"{rank.letter}: {changes[rank]:+.2f}".replace("-", "\N{MINUS SIGN}")
            parts.append(
                f'<rect x="{x + 3}" y="{y:.1f}" width="{step - 6}" height="{max(size, 1):.1f}" '
                f'fill="{hue(side)}"><title>{escape(told)}</title></rect>'
            )
    parts.append(text(0, top + 6, "+", fill=QUIET))
    parts.append(text(0, middle + half, "\N{MINUS SIGN}", fill=QUIET))
    return svg(width, middle + half + 20, title, parts)
