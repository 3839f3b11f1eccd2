"""The facts that a ruling turns on."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final, get_args

from thirdcard.rulebook.model import Facts, Noticed, Procedure, Stage

FACT_VALUES: Final[dict[str, tuple[object, ...]]] = {"noticed": get_args(Noticed), "stage": get_args(Stage)}


def every_fact(procedure: Procedure) -> Iterator[dict[str, object]]:
    """Each combination of the facts that the procedure asks for."""
    asked = [
        name
        for name in Facts.__struct_fields__
        if any(getattr(ruling.when, name) for ruling in procedure.rulings)
    ]
    for values in product(*(FACT_VALUES.get(name, (False, True)) for name in asked)):
        yield dict(zip(asked, values, strict=True))


@cache
def asked_facts(procedure: Procedure) -> frozenset[str]:
    """The facts that a procedure's rulings turn on."""
    return frozenset(name for facts in every_fact(procedure) for name in facts)


def fits(when: Facts, facts: dict[str, object]) -> bool:
    """Whether a ruling is for these facts."""
    return all(value in (getattr(when, name) or (value,)) for name, value in facts.items())
