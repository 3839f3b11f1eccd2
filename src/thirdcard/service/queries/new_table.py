"""What would be wrong with a table that somebody is setting up, field by field, before it is made."""

from collections.abc import Iterator
from typing import Any

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import DEFAULT_CHIP_UNIT
from thirdcard.rulebook.model import Rules
from thirdcard.service.people.roles import Person, rank_at
from thirdcard.service.tables import duty, plans
from thirdcard.service.tables.hall import Hall, NewTable, check_name_and_title
from thirdcard.table import Setup, replay, start
from thirdcard.table.ranks import outranks, titles_that_may
from thirdcard.table.refusals import Refusal
from thirdcard.table.setup import DEFAULT_CUT, EVERY_OTHER, Limit, check
from thirdcard.table.view import ShownNotice, notices
from thirdcard.words.saying import said_of, say, told
from thirdcard.words.saying import whole as sentence

replace = msgspec.structs.replace
# What is looked at together, after all that is named before it: the first of them is the field at fault.
TOGETHER: tuple[tuple[str, ...], ...] = (
    ("decks",),
    ("chip_unit",),
    ("positions",),
    ("cut",),
    ("wagers_per_area",),
    ("method", "high_limit", "device"),
    ("insurance", "private"),
)


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """`field` is the way to what is wrong: `title`, `setup.decks`, `setup.limits.banker`."""

    field: str
    text: str
    rules: Rules = ()


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing is wrong where there are no faults; `notes` are what the rules want displayed there."""

    faults: tuple[Fault, ...]
    notes: tuple[ShownNotice, ...]


def not_for(person: Person, setup: Setup) -> Refusal | None:
    """What holds for changing to a method holds for setting a table up with it (MBS 3.9.2)."""
    if _refused(check, setup) is not None:
        return None  # nobody may
    method, rank = setup.dealing, rank_at(person.role, setup.book)
    if method.allowed_by is None or (rank and outranks(setup.book, rank, method.allowed_by)):
        return None
    ranks = titles_that_may(setup.book, method.allowed_by)
    return Refusal("wrong-rank", say("method-needs-rank", name=method.name, ranks=ranks), method.rules)


def checked(hall: Hall, wanted: NewTable, person: Person) -> Checked:
    faults = tuple(_faults(hall, wanted))
    no = None if faults else not_for(person, wanted.setup)
    if no is not None:
        faults = (Fault(field="setup.method", text=sentence(told(no.said)), rules=no.rules),)
    return Checked(faults=faults, notes=() if faults else _displayed(wanted.setup))


def _faults(hall: Hall, wanted: NewTable) -> Iterator[Fault]:
    if hall.table(wanted.id) is not None:
        yield Fault(field="id", text=sentence(told(say("table-exists", id=wanted.id))))
    for field, sample in (("id", {"title": "Table"}), ("title", {"id": "table"})):
        no = _refused(check_name_and_title, replace(wanted, **sample))
        if no is not None:
            yield Fault(field=field, text=_in_words(no))
    no = _refused(plans.check_pace, wanted.pace)
    if no is not None:
        yield Fault(field="pace", text=_in_words(no))
    yield from _setup_faults(wanted.setup)


def _in_words(no: BadInput) -> str:
    return sentence(told(said_of(no)))


def _displayed(setup: Setup) -> tuple[ShownNotice, ...]:
    return tuple(ShownNotice(told(notice.said), notice.rules) for notice in notices(replay([start(setup)])))


def _refused(check: Any, wanted: Any) -> BadInput | None:  # noqa: ANN401 - any check of any value
    try:
        check(wanted)
    except BadInput as no:
        return no
    return None


def _setup_faults(wanted: Setup) -> Iterator[Fault]:
    """Each field is put into a set-up that is otherwise in order: all that is wrong is told at once."""
    plain = _plain(wanted)
    if isinstance(plain, Fault):
        yield plain
        return
    for fields in TOGETHER:
        tried = replace(plain, **{name: getattr(wanted, name) for name in fields})
        no = _refused(check, tried)
        if no is None:
            plain = tried if fields != ("chip_unit",) else _in_units(tried)
        else:
            yield Fault(field=f"setup.{fields[0]}", text=_in_words(no), rules=tuple(no.rules))
    every = plain.limits[EVERY_OTHER]
    for bet, limit in wanted.limits.items():
        no = _refused(check, replace(plain, limits={EVERY_OTHER: every, bet: limit}))
        if no is not None:
            yield Fault(field=f"setup.limits.{bet}", text=_in_words(no), rules=tuple(no.rules))
    yield from _differential_fault(plain, wanted)


def _plain(wanted: Setup) -> Setup | Fault:
    """A set-up of the same rulebook and layout with which nothing is wrong."""
    try:
        book = wanted.book
    except BadInput as no:
        return Fault(field="setup.rulebook", text=_in_words(no))
    if wanted.layout not in book.layouts:
        no_layout = say("no-such-layout", layout=wanted.layout, layouts=tuple(book.layouts))
        return Fault(field="setup.layout", text=sentence(told(no_layout)))
    methods = [method for method in book.dealing if method.area != "high-limit" and method.device != "player"]
    return Setup(
        rulebook=wanted.rulebook,
        digest=wanted.digest,
        layout=wanted.layout,
        positions=book.layouts[wanted.layout].positions[0],
        limits={EVERY_OTHER: Limit(DEFAULT_CHIP_UNIT)},
        differential=DEFAULT_CHIP_UNIT,
        method=methods[0].name if methods else "",
        decks=book.decks.min,
        cut=DEFAULT_CUT,
    )


def _in_units(plain: Setup) -> Setup:
    unit = plain.chip_unit
    return replace(plain, limits={EVERY_OTHER: Limit(unit)}, differential=unit)


def _differential_fault(plain: Setup, wanted: Setup) -> Iterator[Fault]:
    no = _refused(check, replace(plain, differential=wanted.differential))
    if no is not None:
        yield Fault(field="setup.differential", text=_in_words(no), rules=tuple(no.rules))
        return
    whole = replace(plain, limits=wanted.limits, differential=wanted.differential)
    no = _refused(check, whole)
    if no is not None and all(_fits(plain, bet, limit) for bet, limit in wanted.limits.items()):
        yield Fault(field="setup.limits", text=_in_words(no), rules=tuple(no.rules))
    elif why := duty.unplayable(whole):
        yield Fault(field="setup.differential", text=sentence(told(why)))


def _fits(plain: Setup, bet: str, limit: Limit) -> bool:
    every = plain.limits[EVERY_OTHER]
    return _refused(check, replace(plain, limits={EVERY_OTHER: every, bet: limit})) is None
