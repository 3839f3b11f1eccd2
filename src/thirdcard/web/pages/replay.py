"""A round looked at again: the felt it was played on, the roads at each step, its steps for a script."""

from collections.abc import Sequence

import msgspec

from thirdcard.roads import parse_results
from thirdcard.roads import roads as roads_of
from thirdcard.rulebook.forms import encode
from thirdcard.service.queries.replay import DrawnStep
from thirdcard.table.setup import Setup
from thirdcard.web.draw.felt import felt_svg
from thirdcard.web.draw.stage import FeltStage
from thirdcard.web.roads_svg import big_road_svg
from thirdcard.words import Language

STAGE = FeltStage(width=1368, height=552, scale=75)
COLUMNS, CELL = 26, 14


def shown(setup: Setup, steps: Sequence[DrawnStep], lang: Language) -> dict[str, object]:
    """What the page draws with: a felt whose boxes are those with people or chips, a road for each result."""
    taken = {box for step in steps for box in step.laid.seats}
    taken |= {stake.box for step in steps for stake in step.stakes}
    most = max(
        (stake for step in steps for stake in step.stakes), key=lambda stake: stake.cents, default=None
    )
    felt = felt_svg(
        setup.book,
        setup.layout,
        setup.positions,
        most.box if most is not None else None,
        lang,
        stage=STAGE,
        taken=frozenset(taken) or None,
        watching=True,
    )
    results = dict.fromkeys(step.laid.results for step in steps)
    return {
        "felt": felt,
        "roads": {result: _road(result, lang) for result in results},
        "data": msgspec.json.encode(steps, enc_hook=encode).decode(),
    }


def _road(results: str, lang: Language) -> str:
    cells = roads_of(parse_results(results)).big_road if results else ()
    return big_road_svg(cells, columns=COLUMNS, cell=CELL, lang=lang)
