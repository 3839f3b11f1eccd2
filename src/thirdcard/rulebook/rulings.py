"""Rulings a person can ask for: an irregularity, the facts, and what follows by the document."""

from collections.abc import Mapping
from difflib import get_close_matches

import msgspec

from thirdcard.errors import BadInput
from thirdcard.notebook import html_table
from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.load import Which, load
from thirdcard.rulebook.model import Facts, Procedure, Rulebook, Rules, Ruling
from thirdcard.rulebook.remedies import IN_PLAY, REMEDIES

QUESTIONS = {
    "noticed": "When was it noticed?",
    "stage": "How far was the deal?",
    "card_drawn": "Has a card of the round been drawn?",
    "outcome_established": "Is any bet of the layout already certain to win or lose?",
    "reconstructable": "Can the cards be reconstructed?",
    "order_known": "Is the order of the cards known?",
    "values_known": "Can the cards' values be found out from the device or surveillance?",
    "still_on_offer": "Can the window still be offered in the ordinary way?",
}


class RulingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What follows. `open_facts` still matter and were not given; then several rulings are left."""

    case: str
    title: str
    rules: Rules
    authority: str
    remedy: tuple[str, ...]
    options: tuple[str, ...]
    notes: tuple[str, ...]
    bets: dict[str, str]
    interpretations: tuple[int, ...]
    facts: dict[str, str | bool]
    open_facts: dict[str, tuple[str | bool, ...]]
    rulings: tuple[Ruling, ...]

    def __repr__(self) -> str:
        ordered = f"{', '.join(self.remedy)} ({self.authority})"
        if self.open_facts:
            ordered = f"{len(self.rulings)} rulings left, open: {', '.join(self.open_facts)}"
        return f"<RulingAnswer on {self.case}: {ordered}>"

    def _repr_html_(self) -> str:
        rows = (
            (", ".join(one.remedy), one.decides, _told_when(one.when), ", ".join(one.rules))
            for one in self.rulings
        )
        return html_table(self.title, ("Remedy", "Decides", "When", "Paragraphs"), rows)


class ListedCase(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity that a rulebook knows."""

    case: str
    title: str
    rules: Rules


def list_cases(book: Rulebook) -> list[ListedCase]:
    """The irregularities that a rulebook knows, in its order."""
    return [
        ListedCase(case=procedure.case, title=procedure.title, rules=procedure.rules)
        for procedure in book.procedures
    ]


def find_case(book: Rulebook, case: str) -> Procedure:
    cases = {procedure.case: procedure for procedure in book.procedures}
    if not cases:
        raise BadInput(f"{book.slug} rules on no irregularity")
    if case not in cases:
        near = get_close_matches(str(case), cases, n=3, cutoff=0.4) or list(cases)
        raise BadInput(f"{book.slug} has no case {case!r}: did you mean {' or '.join(near)}?")
    return cases[case]


def facts_asked(procedure: Procedure) -> dict[str, tuple[str | bool, ...]]:
    """The facts that matter to a case, each with its possible values."""
    asked: dict[str, dict[str | bool, None]] = {}
    for facts in every_fact(procedure):
        for name, value in facts.items():
            asked.setdefault(name, {})[value] = None  # type: ignore[index]
    return {name: tuple(values) for name, values in asked.items()}


def rule_on(book: Rulebook, case: str, facts: Mapping[str, str | bool]) -> RulingAnswer:
    """The ruling for these facts, or what is left of the rulings while facts are open."""
    procedure = find_case(book, case)
    asked = facts_asked(procedure)
    for name, value in facts.items():
        label = name.replace("_", " ")
        if name not in asked:
            names = ", ".join(asked) or "none"
            raise BadInput(f"{label} does not matter to {case}: the facts that do are {names}")
        if not any(one == value and type(one) is type(value) for one in asked[name]):
            raise BadInput(f"{label} is {' or '.join(map(_said, asked[name]))}: got {_said(value)}")
    left = tuple(
        ruling
        for ruling in procedure.rulings
        if any(fits(ruling.when, every) for every in every_fact(procedure) if _agree(every, facts))
    )
    remedies = tuple(dict.fromkeys(remedy for ruling in left for remedy in ruling.remedy))
    ranks = [rank.name for rank in book.ranks]
    return RulingAnswer(
        case=case,
        title=procedure.title,
        rules=tuple(dict.fromkeys(rule for ruling in left for rule in ruling.rules)),
        authority=max((ruling.decides for ruling in left), key=ranks.index),
        remedy=remedies,
        options=tuple(dict.fromkeys(o for remedy in remedies for o in REMEDIES[remedy].options)),
        notes=tuple(REMEDIES[remedy].sentence for remedy in remedies),
        bets=_bets(book, left[0]) if len(left) == 1 else {},
        interpretations=procedure.interpretations,
        facts=dict(facts),
        open_facts={} if len(left) == 1 else {n: v for n, v in asked.items() if n not in facts},
        rulings=left,
    )


def _bets(book: Rulebook, ruling: Ruling) -> dict[str, str]:
    """What becomes of each kind of bet, in the order of the remedies."""
    rows = [row.bets for row in map(REMEDIES.__getitem__, ruling.remedy) if row.bets] or [IN_PLAY]
    kinds = ("Player and Banker bets", "side bets", "insurance")
    return {
        kind: "; ".join(dict.fromkeys(words))
        for kind, words in zip(kinds, zip(*rows, strict=True), strict=True)
        if kind != "insurance" or book.insurance
    }


def _agree(every: Mapping[str, object], given: Mapping[str, str | bool]) -> bool:
    return all(every[name] == value for name, value in given.items())


def _said(value: str | bool) -> str:  # noqa: FBT001 - the value of a fact
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _told_when(when: Facts) -> str:
    asked = {name: getattr(when, name) for name in Facts.__struct_fields__}
    return "; ".join(
        f"{name.replace('_', ' ')} {' or '.join(map(_said, values))}"
        for name, values in asked.items()
        if values
    )


def ruling(rulebook: Which, case: str, **facts: str | bool) -> RulingAnswer:
    """What follows from an irregularity, by the document; facts that are not given leave several rulings.

    >>> ruling("mbs-tiger-v2", "drawn-together", order_known=False, stage="initial-deal").rules
    ('5.8.2', '5.8.2.1', '5.13')
    """
    return rule_on(load(rulebook), case, facts)
