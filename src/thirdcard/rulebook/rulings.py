"""Rulings a person can ask for: an irregularity, the facts, and what follows by the document."""

from collections.abc import Mapping
from difflib import get_close_matches

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.load import every_fact, fits
from thirdcard.rulebook.model import Procedure, Rulebook, Rules, Ruling

QUESTIONS = {
    "noticed": "When was it noticed?",
    "stage": "How far was the deal?",
    "outcome_established": "Is any bet of the layout already certain to win or lose?",
    "reconstructable": "Can the cards be reconstructed?",
    "order_known": "Is the order of the cards known?",
    "values_known": "Can the cards' values be found out from the device or surveillance?",
}
REMEDIES = {
    "void": "The round is void: every bet goes back, whatever its kind.",
    "continue": "The round goes on; every bet stays in play.",
    "stand": "Outcome and settlement stand; nothing is paid or collected again.",
    "reconstruct": "The cards are laid to the hands they belong to, in the order drawn.",
    "keep-for-next-round": "Cards that the round does not need stay in order and begin the next round.",
    "options": "Every player chooses: go on, or have the bets returned that are not yet won or lost.",
    "withdraw": "Players may withdraw wagers, one by one, that are not yet won or lost.",
    "withdraw-all": "Players may withdraw all of their wagers that are not yet won or lost, or none.",
    "decide-order": "The deciding rank says which card counts first.",
    "replace-cards": "The cards may be replaced with a new set.",
    "new-cards": "The cards are replaced before the next round.",
    "substitute-cards": "Two cards are set aside; the missing ones are determined and replaced from a deck.",
    "reject": "Bets in excess go back: standing players first, the latest placed first.",
    "pro-rata": "The heavier hand plays for its share of what is allowed; the rest of each stake goes back.",
    "raise-or-withdraw": "The player makes the bet good or takes it back before the close.",
    "settle": "The bet wins or loses as it lies.",
    "settle-once": "It wins or loses the first time; later ones by the same player go back.",
    "to-maximum": "The wager plays for the maximum; the rest goes back.",
    "remove": "The heavier hand is asked to decrease, the lighter may increase; then wagers are removed.",
    "refuse": "It has no effect: bets stay as they were at the close.",
    "pass-on": "The cards are retrieved and passed to the right person.",
    "dealer-exposes": "The dealer turns the cards.",
    "reopen": "After the reset betting opens again until the dealer closes it anew.",
    "late-insurance": "The insurance is offered now; its winnings are at most the original bet.",
    "return-original": "The original bet goes back to who meant to insure if that insurance would have won.",
    "correct-display": "The display is corrected; the outcome at the table is not touched.",
    "decide": "The deciding rank resolves it, with a recorded reason.",
}
OPTIONS = {
    "options": ("continue", "return undecided bets"),
    "withdraw": ("continue", "withdraw single wagers"),
    "withdraw-all": ("continue", "withdraw all wagers"),
    "raise-or-withdraw": ("raise", "withdraw"),
    "late-insurance": ("insure", "decline"),
}


IN_PLAY = ("settled as the cards fall",) * 3
CONSEQUENCES = {  # for Player and Banker bets, side bets, insurance; the first remedy that is here counts
    "void": ("returned",) * 3,
    "stand": ("settled as it was",) * 3,
    "options": (
        "the player's choice while undecided",
        "settled if decided, else the player's choice",
        "goes with its original bet",
    ),
    "withdraw": ("may be withdrawn while undecided",) * 3,
    "withdraw-all": ("may be withdrawn while undecided, all or none",) * 3,
    "pro-rata": ("plays for its share, the rest is returned", "not affected", "scaled with its original bet"),
    "reject": ("the excess is returned", "not affected", "not yet on offer"),
    "raise-or-withdraw": ("raised or taken back",) * 3,
    "settle-once": ("settled once, later returned",) * 3,
    "to-maximum": ("plays for the maximum, the rest is returned",) * 3,
    "remove": ("decreased, increased or removed", "not affected", ""),
    "refuse": ("as it lay at the close",) * 3,
    "late-insurance": ("stays in play", "stays in play", "offered now"),
    "return-original": (
        "returned if its insurance would have won",
        "settled as the cards fall",
        "what was bought is settled",
    ),
    "decide": ("as decided",) * 3,
}


class Answer(msgspec.Struct, frozen=True, kw_only=True):
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


def find_case(book: Rulebook, case: str) -> Procedure:
    cases = {procedure.case: procedure for procedure in book.procedures}
    if case not in cases:
        near = get_close_matches(case, cases, n=3, cutoff=0.4) or list(cases)
        raise BadInput(f"{book.slug} has no case {case!r}: did you mean {' or '.join(near)}?")
    return cases[case]


def facts_asked(procedure: Procedure) -> dict[str, tuple[str | bool, ...]]:
    """The facts that matter to a case, each with its possible values."""
    asked: dict[str, dict[str | bool, None]] = {}
    for facts in every_fact(procedure):
        for name, value in facts.items():
            asked.setdefault(name, {})[value] = None  # type: ignore[index]
    return {name: tuple(values) for name, values in asked.items()}


def rule_on(book: Rulebook, case: str, facts: Mapping[str, str | bool]) -> Answer:
    """The ruling for these facts, or what is left of the rulings while facts are open."""
    procedure = find_case(book, case)
    asked = facts_asked(procedure)
    for name in facts:
        if name not in asked:
            names = ", ".join(asked) or "none"
            raise BadInput(
                f"{name.replace('_', ' ')} does not matter to {case}: the facts that do are {names}"
            )
    left = tuple(
        ruling
        for ruling in procedure.rulings
        if any(fits(ruling.when, every) for every in every_fact(procedure) if _agree(every, facts))
    )
    remedies = tuple(dict.fromkeys(remedy for ruling in left for remedy in ruling.remedy))
    ranks = [rank.name for rank in book.ranks]
    return Answer(
        case=case,
        title=procedure.title,
        rules=tuple(dict.fromkeys(rule for ruling in left for rule in ruling.rules)),
        authority=max((ruling.decides for ruling in left), key=ranks.index),
        remedy=remedies,
        options=tuple(dict.fromkeys(o for remedy in remedies for o in OPTIONS.get(remedy, ()))),
        notes=tuple(REMEDIES[remedy] for remedy in remedies),
        bets=_bets(book, left[0]) if len(left) == 1 else {},
        interpretations=procedure.interpretations,
        facts=dict(facts),
        open_facts={} if len(left) == 1 else {n: v for n, v in asked.items() if n not in facts},
        rulings=left,
    )


def _bets(book: Rulebook, ruling: Ruling) -> dict[str, str]:
    """What happens to each kind of bet."""
    told = next((CONSEQUENCES[one] for one in ruling.remedy if one in CONSEQUENCES), IN_PLAY)
    kinds = ("Player and Banker bets", "side bets", "insurance")
    return {
        kind: what for kind, what in zip(kinds, told, strict=True) if kind != "insurance" or book.insurance
    }


def _agree(every: Mapping[str, object], given: Mapping[str, str | bool]) -> bool:
    return all(every[name] == value for name, value in given.items())
