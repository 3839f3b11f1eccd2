"""Limits, people and rulings of a document against what its paragraphs say."""

from collections.abc import Iterator, Mapping
from typing import Any

from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.facts import asked_facts, every_fact
from thirdcard.rulebook.model import Cited, Method
from thirdcard.rulebook.rulings import find_case, rule_on

WORDS = {"yes": True, "no": False}


def says(fact: Cited[Any], value: object, by: str) -> None:
    """The value, and the paragraphs that state it."""
    assert (fact.value, fact.rules) == (value, tuple(by.split()))


def orders(book: Rulebook, case: str, about: str, rulings: str, *, needs: str | None = None) -> None:
    """A case's rulings: facts, rank, remedies and paragraphs a line, which together leave no facts out."""
    procedure = find_case(book, case)
    assert (procedure.about, procedure.needs) == (tuple(about.split()), needs)
    rows = list(_rows(rulings))
    assert asked_facts(procedure) == {name for facts, *_ in rows for name in facts}
    for facts in every_fact(procedure):
        ((_, rank, remedies, rules),) = [row for row in rows if _fits(row[0], facts)]
        answer = rule_on(book, case, facts)  # type: ignore[arg-type]
        assert (answer.authority, answer.remedy, answer.rules) == (rank, remedies, rules), facts
        assert answer.open_facts == {}


def _rows(text: str) -> Iterator[tuple[dict[str, object], str, tuple[str, ...], tuple[str, ...]]]:
    for line in text.strip().splitlines():
        facts, rank, remedies, rules = (part.strip() for part in line.split("|"))
        given = dict(fact.split() for fact in facts.split(",") if fact)
        known: dict[str, object] = {name: WORDS.get(value, value) for name, value in given.items()}
        yield known, rank, tuple(remedies.split()), tuple(rules.split())


def _fits(row: Mapping[str, object], facts: Mapping[str, object]) -> bool:
    return all(facts[name] == value for name, value in row.items())


def left_to(book: Rulebook, grants: str, rank: str, by: str) -> None:
    """What a paragraph leaves to a person of that rank."""
    (found,) = [one for one in book.discretions if one.grants == grants]
    assert (found.rank, found.rules) == (rank, tuple(by.split()))


def nothing_else_left(book: Rulebook, grants: str) -> None:
    assert {one.grants for one in book.discretions} == set(grants.split())


def ladder(book: Rulebook, above: dict[str, str], *, pit: str) -> None:
    """Each rank with those directly below it, and who is a pit employee."""
    assert {rank.name: " ".join(rank.above) for rank in book.ranks} == above
    assert [rank.name for rank in book.ranks if rank.pit_employee] == pit.split()


def method(book: Rulebook, name: str) -> Method:
    (found,) = [one for one in book.dealing if one.name == name]
    return found


def shown(book: Rulebook, by: str) -> str:
    """What people are shown by that paragraph."""
    (found,) = [one for one in book.notices if one.rules == (by,)]
    return found.shows
