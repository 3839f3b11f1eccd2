"""People at a table over many rounds: commands in, events out, state a fold of events. Pure."""

from thirdcard.table.decide import decide
from thirdcard.table.evolve import evolve, replay, start
from thirdcard.table.legal import legal
from thirdcard.table.refusals import Refusal
from thirdcard.table.setup import Setup
from thirdcard.table.state import State
from thirdcard.table.table import Table, carry_out, refusal
from thirdcard.table.view import view

__all__ = [
    "Refusal", "Setup", "State", "Table", "carry_out", "decide", "evolve", "legal", "refusal", "replay",
    "start", "view",
]  # fmt: skip
