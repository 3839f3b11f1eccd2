"""JSON from outside, read strictly: what msgspec lets pass and we do not."""

from typing import Any

from thirdcard.errors import BadInput


def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different; for `object_pairs_hook`."""
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"the key {twin!r} is given twice")
    return made
