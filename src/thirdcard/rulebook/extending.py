"""A book that says only what is its own: what it extends, and the plain game for sections left out.

Tables are merged key by key. Lists whose entries have names (tiers, ranks, procedures, offers and so on) are
merged by these names, and any other list is replaced as a whole; `"..."` in it stands for what was there
before. `remove` names what is taken away: `bets.tiger`, `layouts.*.bets.tiger`, `procedures.late-wager`.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final, cast

from thirdcard.rulebook.forms import Fault, Raw

PLAIN_GAME: Final = "plain"
DEEPEST: Final = 8  # books that extend one another
MOST_REMOVED: Final = 200
REST: Final = "..."
NAMED_BY: Final = ("case", "tier", "grants", "name", "shows")
OWN: Final = (
    "slug",
    "document",
    "extends",
    "remove",
    "paragraphs",
    "not_carried",
    "unconfirmed",
)  # never inherited from the plain game
DIRECTIVES: Final = ("extends", "remove")
TIMES: Final = ("effective", "until", "replaces")  # of one version of a document


@cache
def plain_game() -> Raw:
    """Punto banco as it is played everywhere, with nothing beside it: what a book does not speak of."""
    return tomllib.loads((files("thirdcard.rulebook") / "plain.toml").read_text(encoding="utf-8"))


def entry_name(entry: Raw) -> str | None:
    """What tells an entry of a list of tables from the others, if it has such a thing."""
    if "hand" in entry:
        parts = [entry.get(part) for part in ("hand", "window", "player", "banker")]
        return "{} {} at {} against {}".format(*parts)
    if "reason" in entry:
        return f"{entry.get('key')} at {entry.get('line')}"
    return next((str(entry[name]) for name in NAMED_BY if name in entry), None)


def _begin(raw: Raw) -> str:
    """How a file that has bets and nothing else becomes a book."""
    if "bets" not in raw or "document" in raw:
        return ""
    return f"; a file of a few bets begins with slug = 'my-game', extends = '{PLAIN_GAME}' and document.title"


def directive_faults(raw: Raw) -> Iterator[Fault]:
    """What is wrong with the values that say how the others are read."""
    if not isinstance(raw.get("slug"), str):
        yield "slug", f"expected the name of the rulebook, such as 'my-game-v1'{_begin(raw)}"
    if "assumed" in raw:
        yield "assumed", "is worked out from the sections that are missing, not given"
    if not isinstance(raw.get("extends", ""), str):
        yield "extends", "expected one slug, or one file in the same folder"
    remove = raw.get("remove", [])
    if not isinstance(remove, list) or not all(isinstance(one, str) for one in remove):
        yield "remove", "expected a list of keys, such as 'bets.tiger'"
    elif len(remove) > MOST_REMOVED:
        yield "remove", f"{len(remove):,} keys: at most {MOST_REMOVED} can be removed"


def whole(raw: Raw, under: Raw | None) -> tuple[Raw, list[str]]:
    """All that a file's values come to over those of the book it extends, and what it removes in vain."""
    if under is None:
        under = _plain() if raw.get("extends") == PLAIN_GAME else _left_out(raw)
    missed = []
    for path in raw.get("remove", ()):
        try:
            under = _without(under, path.split("."))
        except KeyError:
            missed.append(path)
    own = {name: value for name, value in raw.items() if name not in DIRECTIVES}
    under = _undated(under, own)
    return {
        **_merged(under, own),
        "assumed": [one for one in under.get("assumed", ()) if one not in own],
    }, missed


def _undated(under: Raw, own: Raw) -> Raw:
    """Without the times of a book of which this is another version: each has its own, or none."""
    before, now = under.get("document"), own.get("document")
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return under
    if now.get("version", before.get("version")) == before.get("version"):
        return under
    return {**under, "document": {name: value for name, value in before.items() if name not in TIMES}}


def finished(made: Raw) -> Raw:
    """The same as a rulebook has it: one layout with every bet where none is drawn."""
    if "layouts" in made:
        return made
    bets = made["bets"] if isinstance(made.get("bets"), dict) else ()
    layouts = {"A": {"positions": [1, 9], "bets": list(bets)}}
    return {**made, "layouts": layouts, "assumed": sorted((*made.get("assumed", ()), "layouts"))}


def _plain() -> Raw:
    return {**plain_game(), "assumed": sorted(set(plain_game()) - {"bets"})}


def _left_out(raw: Raw) -> Raw:
    """The sections of the plain game that a book without a base leaves out."""
    missing = {name: value for name, value in plain_game().items() if name not in raw and name not in OWN}
    return {**missing, "assumed": sorted(missing)}


def _merged(under: Any, over: Any) -> Any:  # noqa: ANN401 - any values of a file
    if isinstance(under, dict) and isinstance(over, dict):
        merged = dict(under)
        for name, value in over.items():
            merged[name] = _merged(under[name], value) if name in under else value
        return merged
    if isinstance(under, list) and isinstance(over, list):
        below, above = _by_name(under), _by_name(over)
        if above and below is not None:
            return list(_merged(below, above).values())
        if REST in over:
            at = over.index(REST)
            before, after = over[:at], over[at + 1 :]
            return [*before, *(one for one in under if one not in before and one not in after), *after]
    return over


def _by_name(entries: list[Any]) -> Raw | None:
    """The entries of a list by their names, if each has one of its own."""
    named = {entry_name(entry): entry for entry in entries if isinstance(entry, dict)}
    return None if None in named or len(named) < len(entries) else cast("Raw", named)


def _without(value: Any, path: list[str]) -> Any:  # noqa: ANN401 - any values of a file
    """The same without what the path leads to; KeyError where it leads nowhere."""
    if isinstance(value, dict):
        return dict(_left(value.items(), path))
    if isinstance(value, list):
        names = (entry_name(one) if isinstance(one, dict) else str(one) for one in value)
        return [inner for _, inner in _left(zip(names, value, strict=True), path)]
    raise KeyError


def _left(entries: Iterable[tuple[Any, Any]], path: list[str]) -> list[tuple[Any, Any]]:
    """The named entries that are left; `*` stands for every name."""
    wanted, rest = path[0], path[1:]
    left, found = [], False
    for name, inner in entries:
        if wanted not in ("*", name):
            left.append((name, inner))
        elif not rest:
            found = True
        else:
            try:
                left.append((name, _without(inner, rest)))
                found = True
            except KeyError:
                left.append((name, inner))
    if not found:
        raise KeyError
    return left
