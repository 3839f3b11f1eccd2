"""Results by bet: read like a mapping, with the nearest names where there is no such bet."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from thirdcard.rulebook.lookup import no_such_bet
from thirdcard.rulebook.model import Rulebook

T = TypeVar("T")

if TYPE_CHECKING:
    _ByName = Mapping[str, T]
else:

    class _ByName(Generic[T]):
        """What a mapping has, and no mapping by its type: polars would take its values for one row."""

        keys, values, items = Mapping.keys, Mapping.values, Mapping.items


class ByBet(_ByName[T]):
    """Something of each bet; one that is not there is told as everywhere, with the nearest names."""

    def __init__(self, rulebook: Rulebook, found: dict[str, T]) -> None:
        self.rulebook, self._found = rulebook, found

    def __getitem__(self, bet: str) -> T:
        if bet not in self._found:
            raise no_such_bet(self.rulebook, bet)
        return self._found[bet]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ByBet | Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, bet: object) -> bool:
        return bet in self._found

    def get(self, bet: str, default: T | None = None) -> T | None:  # type: ignore[override]
        return self._found.get(bet, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)
