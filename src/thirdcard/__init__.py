"""Baccarat rulebooks made to run: settled, priced, simulated and ruled on, each answer with its paragraphs.

>>> import thirdcard as tc
>>> tc.settle("mbs-tiger-v2", "9C 9H 9D 9S", {"tiger-pair": 500})
<Statement: Player 8, Banker 8, tie, net +50,000 cents>

A rulebook is named by its slug, its file or itself; cards are text or values; money is whole cents. Nothing
is imported before it is asked for. `odds`, `simulate`, `protect` and `roads` can be called, and are modules.
"""

TYPE_CHECKING = False  # as `typing` has it, which alone takes longer to import than all of this
if TYPE_CHECKING:
    from typing import Any

    from thirdcard.cards import Card as Card
    from thirdcard.errors import BadInput as BadInput
    from thirdcard.odds.sheet import insurance as insurance
    from thirdcard.odds.sheet import odds as odds
    from thirdcard.play.settlement import Game as Game
    from thirdcard.play.settlement import settle as settle
    from thirdcard.protect.asking import protect as protect
    from thirdcard.roads import roads as roads
    from thirdcard.rulebook.load import load as load
    from thirdcard.rulebook.load import loads as loads
    from thirdcard.rulebook.load import slugs as slugs
    from thirdcard.rulebook.rulings import ruling as ruling
    from thirdcard.simulate.sheet import simulate as simulate
    from thirdcard.table.setup import Setup as Setup
    from thirdcard.table.table import Table as Table
    from thirdcard.web.draw.showing import felt as felt

    __version__: str

_HOMES = {
    "BadInput": "errors",
    "Card": "cards",
    "Game": "play.settlement",
    "Setup": "table.setup",
    "Table": "table.table",
    "felt": "web.draw.showing",
    "insurance": "odds.sheet",
    "load": "rulebook.load",
    "loads": "rulebook.load",
    "odds": "",
    "protect": "",
    "roads": "",
    "ruling": "rulebook.rulings",
    "settle": "play.settlement",
    "simulate": "",
    "slugs": "rulebook.load",
}  # where each name lives; a module that can be called has no other home
__all__ = (
    "BadInput", "Card", "Game", "Setup", "Table", "__version__", "felt", "insurance", "load", "loads",
    "odds", "protect", "roads", "ruling", "settle", "simulate", "slugs",
)  # fmt: skip


def __getattr__(name: str) -> "Any":  # noqa: ANN401 - whatever lives there
    from thirdcard.front import imported  # noqa: PLC0415 - nothing before it is asked for

    if name == "__version__":
        return imported("importlib.metadata:version")(__name__)
    if name not in _HOMES:
        raise AttributeError(f"thirdcard has no {name!r}: expected one of {', '.join(__all__)}")
    home = _HOMES[name]
    if not home:
        return imported(f"thirdcard.{name}")
    found = globals()[name] = imported(f"thirdcard.{home}:{name}")
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
