"""A book that says only what is its own: what it extends, and the plain game for sections left out.

Tables are merged key by key. Lists whose entries have names (tiers, ranks, procedures, offers and so on) are
merged by these names, and any other list is replaced as a whole; `"..."` in it stands for what was there
before. `remove` names what is taken away: `bets.tiger`, `layouts.*.bets.tiger`, `procedures.late-wager`.
"""

import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final

from thirdcard.rulebook.forms import Raw

PLAIN_GAME: Final = "plain"
DEEPEST: Final = 8  # books that extend one another
REST: Final = "..."
NAMED_BY: Final = ("case", "tier", "grants", "name", "shows")
OWN: Final = ("slug", "document", "extends", "remove", "paragraphs")  # never inherited from the plain game
DIRECTIVES: Final = ("extends", "remove")


@cache
def plain_game() -> Raw:
    """Punto banco as it is played everywhere, with nothing beside it: what a book does not speak of."""
    return tomllib.loads((files("thirdcard.rulebook") / "plain.toml").read_text(encoding="utf-8"))


def entry_name(entry: Raw) -> str | None:
    """What tells an entry of a list of tables from the others, if it has such a thing."""
    if "hand" in entry:
        parts = [entry.get(part) for part in ("hand", "window", "player", "banker")]
        return "{} {} at {} against {}".format(*parts)
    return next((str(entry[name]) for name in NAMED_BY if name in entry), None)


def whole(raw: Raw, find: Callable[[str], Raw]) -> Raw:
    """All that a file's values come to, `find` giving those of the book it extends."""
    base = raw.get("extends")
    if base == PLAIN_GAME:
        under: Raw = {**plain_game(), "assumed": sorted(set(plain_game()) - {"bets", "layouts"})}
    elif base is not None:
        under = find(base)
    else:
        under = _left_out(raw)
    own = {name: value for name, value in raw.items() if name not in DIRECTIVES}
    for path in raw.get("remove", ()):
        under = _without(under, path.split("."), path)
    made = _merged(under, own)
    made["assumed"] = [name for name in under.get("assumed", ()) if name not in own]
    if "layouts" not in made:
        made["layouts"] = {"A": {"positions": [1, 9], "bets": list(made.get("bets", ()))}}
    return {name: value for name, value in made.items() if value != [] or name != "assumed"}


def _left_out(raw: Raw) -> Raw:
    """The sections of the plain game that a book without a base leaves out."""
    missing = {name: value for name, value in plain_game().items() if name not in raw and name not in OWN}
    return {**missing, "assumed": sorted(missing)}


def _merged(under: Any, over: Any) -> Any:  # noqa: ANN401 - any values of a file
    if isinstance(under, dict) and isinstance(over, dict):
        made = dict(under)
        for name, value in over.items():
            made[name] = _merged(under[name], value) if name in under else value
        return made
    if isinstance(under, list) and isinstance(over, list):
        names = [entry_name(one) if isinstance(one, dict) else None for one in (*under, *over)]
        if over and None not in names:
            return list(_merged(*({entry_name(one): one for one in side} for side in (under, over))).values())
        if REST in over:
            at = over.index(REST)
            before, after = over[:at], over[at + 1 :]
            return [*before, *(one for one in under if one not in before and one not in after), *after]
    return over


def _without(value: Any, path: list[str], told: str) -> Any:  # noqa: ANN401 - any values of a file
    """The same without what the path leads to; KeyError where it leads nowhere."""
    name, rest = path[0], path[1:]
    if isinstance(value, dict):
        hit = list(_hits(value, name))
        if not hit:
            raise KeyError(told)
        if not rest:
            return {key: inner for key, inner in value.items() if key not in hit}
        changed, missed = dict(value), 0
        for key in hit:
            try:
                changed[key] = _without(value[key], rest, told)
            except KeyError:
                missed += 1
        if missed == len(hit):
            raise KeyError(told)
        return changed
    if isinstance(value, list):
        named = {entry_name(one) if isinstance(one, dict) else str(one): one for one in value}
        left = _without(named, path, told)
        return list(left.values())
    raise KeyError(told)


def _hits(value: Raw, name: str) -> Iterator[str]:
    yield from value if name == "*" else (key for key in value if key == name)
