"""The documents as data, from the package or from anywhere.

- `model.py` has the frozen types; `conditions.py` and `third_cards.py` say what a condition and a Table of
  Play mean.
- `load.py` finds a book by slug, file or value, `sources.py` where books are; `extending.py` with
  `plain.toml` fills in what a small book leaves out; `forms.py` is its canonical text and digest.
- Checks: `faults.py` (across fields), `contract.py` (what the engine relies on), `agreement.py` (what is
  stated twice), `proof.py` with `outcomes.py` (over everything that can be dealt); `findings.py` tells
  them.
- `remedies.py` has one row for each remedy, `facts.py` and `rulings.py` map facts to a ruling.
- `diff.py`, `schema.py`, `trace.py` with `trace.toml` and `interpretations.toml`; `writing.py` with
  `well_known.toml` writes new books.
"""

from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.load import Which, load, named, slugs
from thirdcard.rulebook.model import Rulebook

__all__ = ["Rulebook", "Which", "digest_of", "load", "named", "slugs"]
