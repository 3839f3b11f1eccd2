"""What differs between two rulebooks, value by value, with the paragraphs on both sides."""

from collections.abc import Iterator
from typing import Any

import msgspec

from thirdcard.rulebook.extending import entry_name
from thirdcard.rulebook.forms import encode
from thirdcard.rulebook.model import Rulebook, Rules

# What identifies a document rather than says something, and lists that follow from the rest.
SKIPPED = frozenset(("slug", "paragraphs", "not_carried", "unconfirmed", "assumed"))


class Difference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value at a key. `before` is absent where it was added, `after` where it was removed.

    `rules` are paragraphs of the newer document, of the older one where a value was removed;
    `rules_before` are those of the older one where a changed value stood under other numbers.
    """

    key: str
    before: Any = None
    after: Any = None
    rules: Rules
    rules_before: Rules = ()


class Diff(msgspec.Struct, frozen=True, kw_only=True):
    added: tuple[Difference, ...]
    removed: tuple[Difference, ...]
    changed: tuple[Difference, ...]


def diff(old: Rulebook, new: Rulebook) -> Diff:
    """From `old` to `new`. Paragraph numbers alone are not a difference: they differ between documents."""
    differences = list(_compare("", _Side(plain(old)), _Side(plain(new))))
    return Diff(
        added=tuple(difference for difference in differences if difference.before is None),
        removed=tuple(difference for difference in differences if difference.after is None),
        changed=tuple(
            difference
            for difference in differences
            if difference.before is not None and difference.after is not None
        ),
    )


def plain(rulebook: Rulebook) -> dict[str, Any]:
    """The rulebook as JSON has it."""
    value: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(rulebook, enc_hook=encode))
    return value


class _Side:
    """A value of one document with the paragraphs of the nearest table around it that cites any."""

    def __init__(self, value: Any, rules: Rules = ()) -> None:  # noqa: ANN401 - any JSON value
        self.value = value
        self.rules = tuple(value.get("rules", rules)) if isinstance(value, dict) else rules

    def __getitem__(self, name: str) -> "_Side":
        return _Side(self.value.get(name), self.rules)


def _compare(key: str, old: _Side, new: _Side) -> Iterator[Difference]:
    values = (old.value, new.value)
    if all(isinstance(value, list) for value in values):
        yield from _compare_lists(key, old, new)
    elif all(isinstance(value, dict) for value in values):
        for name in dict.fromkeys((*old.value, *new.value)):
            if name != "rules" and (key or name not in SKIPPED):
                inner = key if name == "value" else f"{key}.{name}".lstrip(".")
                yield from _compare(inner, old[name], new[name])
    elif old.value != new.value:
        yield Difference(
            key=key,
            before=old.value,
            after=new.value,
            rules=old.rules if new.value is None else new.rules,
            rules_before=() if None in values or old.rules == new.rules else old.rules,
        )


def _compare_lists(key: str, old: _Side, new: _Side) -> Iterator[Difference]:
    """Lists of tables by the names of their entries, lists of text as sets, others as a whole."""
    both = old.value + new.value
    if all(isinstance(value, dict) for value in both):
        yield from _compare(key, *(_Side(_named(side.value), side.rules) for side in (old, new)))
    elif all(isinstance(value, str) for value in both):
        for value in dict.fromkeys(both):
            yield from _compare(
                key, *(_Side(value if value in side.value else None, side.rules) for side in (old, new))
            )
    elif old.value != new.value:
        yield Difference(key=key, before=old.value, after=new.value, rules=new.rules)


def _named(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """A list of tables as a mapping, by what tells its entries apart."""
    return {entry_name(entry) or str(number): entry for number, entry in enumerate(entries)}
