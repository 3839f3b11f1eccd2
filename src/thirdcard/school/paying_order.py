"""The order of paying, a mark of its own: what is lost is taken before what is won is paid.

A document prescribes it that ends a round with payment: MBS 1.1.7 has the losing wagers collected and the
winning ones paid. The RWS documents end a round when all are settled, in whatever order (TBC and TBN 1.25,
CBI 1.17), and nothing is marked there. A bet that is returned is neither, and comes at any time.
"""

from collections.abc import Mapping, Sequence

from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Rulebook, Rules

PAYMENT = "payment"


def order_rules(book: Rulebook) -> Rules:
    """The paragraphs that prescribe the order; none where a document does not."""
    final = book.betting.final
    return final.rules if final.value == PAYMENT else ()


def is_in_order(nets: Mapping[str, int], settled: Sequence[str]) -> bool:
    """Whether lines were settled in order; `nets` are theirs by name, each of which is settled once."""
    if sorted(settled) != sorted(nets):
        raise BadInput(
            f"the order has every line of the box once, {', '.join(nets)}: got {', '.join(settled)}"
        )
    signs = [(nets[name] > 0) - (nets[name] < 0) for name in settled]
    moved = [sign for sign in signs if sign]
    return moved == sorted(moved)
