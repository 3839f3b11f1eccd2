"""People at a table over many rounds: commands in, events out, state a fold of events. Pure.

- `Table` (`table.py`) is one that can be held: `setup`, `commands`, `events`, `refusals`, `state`,
  `evolve`.
- `decide/` is private: a module for each subject. `rights/` says what people may do, `why` explains it,
  `legal` with `samples` lists it, `ranks` says who may act for whom.
- What follows from the record: `playing` (insurance), `settling`, `established` (what is certain),
  `reported` (what a report says), `ruled` (what a ruling comes to), `limits` and `flags`, `unseen` (what
  nobody has seen).
- What is told: `view`, `transcript`, `statements`, `script`; `settled_again` settles a round once more from
  cards and bets alone, and `ledger` has the money.
"""

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
