"""Pictures of a session run, drawn as SVG: how bankrolls spread, and where sessions end."""

from collections.abc import Iterable
from math import ceil, floor, log10
from pathlib import Path
from typing import NamedTuple

from thirdcard.drawing import (
    BAD_1,
    GOLD_1,
    GOLD_2,
    GOOD_1,
    NIGHT_1,
    NIGHT_2,
    NIGHT_4,
    SANS,
    SERIF,
    TEXT_1,
    TEXT_3,
    element,
    points,
    svg,
    text,
)
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.rulebook.load import SHOWN_DIGEST
from thirdcard.simulate.compiled import Integers, np
from thirdcard.simulate.kernel import NET
from thirdcard.simulate.results import Summary
from thirdcard.simulate.sessions import SessionRun

WIDTH, HEIGHT = 1200, 620
BANDS = ((5, 95, 0.22), (25, 75, 0.34))  # percentiles and how solid the band between them is
BINS = 40


class Frame(NamedTuple):
    """A panel's plotting area, and the values at its edges."""

    left: float
    top: float
    width: float
    height: float
    x: tuple[float, float]
    y: tuple[float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (
            self.left + (x - self.x[0]) / (self.x[1] - self.x[0]) * self.width,
            self.top + (self.y[1] - y) / (self.y[1] - self.y[0]) * self.height,
        )


def draw(run: SessionRun, sessions: Integers, paths: Integers, told: Summary) -> str:
    """Both charts on one sheet, with the figures that matter above them."""
    stakes = run.stakes
    title = f"{stakes.plan} on {stakes.bet}" if stakes.plan != stakes.bet else stakes.plan
    about = [
        f"{told.sessions:,} sessions",
        f"unit {format_dollars(stakes.unit)}",
        f"bankroll {format_dollars(stakes.bankroll)}",
        f"up to {run.rounds:,} rounds",
        f"{run.decks} decks",
    ]
    about += [f"{name} {format_dollars(stake)}" for name, stake in stakes.side.items()]
    if stakes.insurance != "never":
        about.append(f"insurance {stakes.insurance}")
    return svg(
        WIDTH,
        HEIGHT,
        element("rect", width=WIDTH, height=HEIGHT, fill=NIGHT_1),
        text(title[:1].upper() + title[1:], 40, 56, 28, fill=GOLD_1, font_family=SERIF),
        text(f"{run.rulebook} {run.digest[:SHOWN_DIGEST]} · {' · '.join(about)}", 40, 82, 14, fill=TEXT_3),
        *_figures(told),
        *_fan(run, paths),
        *_histogram(sessions[:, NET], told),
        width=WIDTH,
        height=HEIGHT,
        font_family=SANS,
        role="img",
        aria_label=f"{title}: bankroll over rounds and result of sessions",
    )


def _figures(told: Summary) -> Iterable[str]:
    figures = (
        ("mean result", _money(told.net.mean, sign=True)),
        ("ruined", f"{told.ends['ruin'].probability:.1%}"),
        ("ended ahead", f"{told.ahead.probability:.1%}"),
        ("median drawdown", _money(told.drawdown.quantiles["50%"])),
        ("cost per hour", _money(told.cost_per_hour)),
    )
    for number, (name, value) in enumerate(figures):
        x = 40 + number * 231
        yield element("line", x1=x, y1=108, x2=x + 196, y2=108, stroke=NIGHT_4)
        yield text(value, x, 140, 22, fill=TEXT_1)
        yield text(name, x, 160, 13, fill=TEXT_3)


def _fan(run: SessionRun, paths: Integers) -> Iterable[str]:
    """Bankroll over rounds: the median and bands that hold half and nine tenths of the sessions."""
    low, high = (np.percentile(paths, edge, axis=0) for edge in BANDS[0][:2])
    count = paths.shape[1]
    every = -(-run.rounds // (count - 1))
    rounds = [min(k * every, run.rounds) for k in range(count)]
    bottom, top = _margin(
        min(float(low.min()), run.stakes.bankroll), max(float(high.max()), run.stakes.bankroll)
    )
    frame = Frame(108, 214, 552, 326, (0, run.rounds), (max(bottom, 0.0), top))
    yield from _panel(frame, "Bankroll over rounds", x_money=False)
    for lower, upper, solid in BANDS:
        edge = np.percentile(paths, lower, axis=0), np.percentile(paths, upper, axis=0)
        outline = [frame.at(x, y) for x, y in zip(rounds, edge[1], strict=True)]
        outline += [frame.at(x, y) for x, y in zip(rounds[::-1], edge[0][::-1], strict=True)]
        yield element("polygon", points=points(outline), fill=GOLD_2, fill_opacity=solid)
    x0, start = frame.at(0, run.stakes.bankroll)
    end = x0 + frame.width
    yield element("line", x1=x0, y1=start, x2=end, y2=start, stroke=TEXT_3, stroke_dasharray="3 5")
    line = [frame.at(x, y) for x, y in zip(rounds, np.percentile(paths, 50, axis=0), strict=True)]
    yield element("polyline", points=points(line), fill="none", stroke=GOLD_1, stroke_width=2.5)
    keys = ((GOLD_1, 1.0, "median"), (GOLD_2, 0.49, "half of all"), (GOLD_2, 0.22, "nine in ten"))
    for number, (fill, solid, name) in enumerate(keys):
        x = frame.left + frame.width - 280 + number * 98
        yield element("rect", x=x, y=187, width=12, height=12, rx=3, fill=fill, fill_opacity=solid)
        yield text(name, x + 18, 198, 12, fill=TEXT_3)


def _histogram(net: Integers, told: Summary) -> Iterable[str]:
    """Sessions by result; one bin always begins at zero, so that no bar mixes gain and loss."""
    low, high = float(net.min()), float(net.max())
    width = max((high - low) / BINS, 1.0)
    first = floor(low / width)
    last = max(ceil((high + 1e-9) / width), first + 1)
    counts, edges = np.histogram(net, bins=np.arange(first, last + 1) * width)
    shares = counts / len(net)
    frame = Frame(768, 214, 372, 326, (float(edges[0]), float(edges[-1])), (0, float(shares.max()) * 1.08))
    yield from _panel(frame, "Result of a session", y_money=False)
    for share, left, right in zip(shares, edges[:-1], edges[1:], strict=True):
        if share:
            (x0, y0), (x1, y1) = frame.at(left, share), frame.at(right, 0)
            fill = GOOD_1 if left >= 0 else BAD_1
            wide = max(x1 - x0 - 1.2, 0.8)
            yield element("rect", x=x0, y=y0, width=wide, height=y1 - y0, fill=fill, fill_opacity=0.85)
    x, y = frame.at(told.net.mean, frame.y[1])
    yield element(
        "line", x1=x, y1=y, x2=x, y2=y + frame.height, stroke=GOLD_1, stroke_width=1.5, stroke_dasharray="5 4"
    )
    aside, anchor = (-6, "end") if x > frame.left + 0.8 * frame.width else (6, "start")
    mean = f"mean {_money(told.net.mean, sign=True)}"
    yield text(mean, x + aside, y + 14, 12, fill=GOLD_1, text_anchor=anchor)


def _panel(frame: Frame, title: str, *, x_money: bool = True, y_money: bool = True) -> Iterable[str]:
    """A panel's ground, title, grid lines and labels."""
    yield element(
        "rect",
        x=frame.left - 68,
        y=frame.top - 38,
        width=frame.width + 88,
        height=frame.height + 90,
        rx=12,
        fill=NIGHT_2,
        stroke=NIGHT_4,
    )
    yield text(title, frame.left - 48, frame.top - 16, 15, fill=GOLD_2)
    for value in _ticks(*frame.y):
        x, y = frame.at(frame.x[0], value)
        yield element("line", x1=x, y1=y, x2=x + frame.width, y2=y, stroke=NIGHT_4)
        label = _money(value) if y_money else f"{value * 100:.4g}%"
        yield text(label, x - 10, y + 4, 12, fill=TEXT_3, text_anchor="end")
    for value in _ticks(*frame.x):
        x, y = frame.at(value, frame.y[0])
        label = _money(value, sign=True) if x_money else f"{value:,.0f}"
        yield text(label, x, y + 22, 12, fill=TEXT_3, text_anchor="middle")
    unit = "dollars won or lost" if x_money else "rounds"
    middle, below = frame.left + frame.width / 2, frame.top + frame.height + 42
    yield text(unit, middle, below, 12, fill=TEXT_3, text_anchor="middle")


def _ticks(low: float, high: float) -> list[float]:
    """About five round values within the range."""
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough)
    return [k * step for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _margin(low: float, high: float) -> tuple[float, float]:
    space = max((high - low) * 0.06, 100.0)
    return low - space, high + space


def _money(cents: float, *, sign: bool = False) -> str:
    """Dollars as they fit a label: cents only where the amount is small."""
    whole = round(cents) if abs(cents) < 10_000 else round(cents / 100) * 100  # noqa: PLR2004 - 100 dollars
    return format_dollars(whole, sign=sign).replace("-", "\N{MINUS SIGN}")


def check_file(file: Path) -> None:
    """Refuse, before any work is done, a picture that could not be written at its end."""
    if file.suffix not in (".svg", ".png"):
        raise BadInput(f"a picture is a file named .svg or .png: got {file.name!r}")
    if not file.parent.is_dir():
        raise BadInput(f"there is no folder {str(file.parent)!r} for the picture")
    if file.suffix == ".png":
        _renderer()


def _renderer() -> object:
    try:
        import resvg_py  # noqa: PLC0415 - only those who want PNG have it
    except ModuleNotFoundError as error:
        raise BadInput("a PNG picture needs resvg: install thirdcard[plot], or name the file .svg") from error
    return resvg_py


def write(file: Path, svg: str) -> None:
    data = svg.encode()
    if file.suffix == ".png":
        data = bytes(_renderer().svg_to_bytes(svg_string=svg, zoom=2))  # type: ignore[attr-defined]
    try:
        file.write_bytes(data)
    except OSError as error:
        raise BadInput(f"cannot write the picture {file}: {error.strerror or error}") from error
