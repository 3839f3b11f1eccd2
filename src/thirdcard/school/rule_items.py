"""Rule it: an irregularity with its facts. Who decides, by which paragraph, what follows, what comes back.

What a document leaves to somebody's discretion is not asked, nor what this project had to read into it.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from thirdcard.cards import Card, format_cards
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.load import of_package, packaged
from thirdcard.rulebook.model import Facts, Procedure, Rulebook, Rules, Ruling, Side
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.rulebook.rulings import rule_on
from thirdcard.school.dealt_hands import SAMPLE_STAKE, finished, first_cards, net_of
from thirdcard.school.item_types import Because, BetLine, Cost, ItemPart, RuleFacts
from thirdcard.school.making import (
    Ground,
    Made,
    OfferedChoice,
    amount,
    because,
    choice_part,
    cost,
    cost_of_cents,
    made_of,
    phrase,
)
from thirdcard.school.patrons import PATRONS
from thirdcard.school.squeeze_items import rank_part
from thirdcard.table.established import is_decided

DIFFERENTIAL_STEP = 100
AT_DISCRETION = frozenset(("decide", "remove", "remove-named", "return-original", "late-insurance"))
# Remedies whose paragraph says who decides; of all others an interpretation does, or nobody is named.
WHO_IS_NAMED = AT_DISCRETION | {"decide-order", "raise-or-withdraw", "substitute-cards"}
# Remedies that let players choose; `options` and `withdraw-all` are the same choice in two documents.
LETS_CHOOSE = {
    "options": "all-or-none",
    "withdraw-all": "all-or-none",
    "withdraw": "one-by-one",
    "raise-or-withdraw": "raise-or-withdraw",
    "offer": "insure-or-not",
    "late-insurance": "insure-or-not",
}
NEGLECTED_OFFER, TABLE_DIFFERENTIAL, NOT_RECONSTRUCTED, AFTER_A_VOID = 15, 17, 36, 40  # interpretations
KEPT_OFF = frozenset(("refuse", "reject", "raise-or-withdraw", "pro-rata", "to-maximum"))  # chips do not play
NOBODY = "nobody"
LATER = ("settled", "next-round")  # money has moved: what comes back is another sum
STAKES = range(5_000, 200_000, 500)


def read_by_interpretation(book: Rulebook, procedure: Procedure, ruling: Ruling) -> tuple[int, ...]:
    """The interpretations that decide a ruling, where the document alone does not."""
    when = ruling.when
    decisive = {
        NEGLECTED_OFFER: True,
        TABLE_DIFFERENTIAL: book.limits.differential.scope == "table" and when.card_drawn == (True,),
        NOT_RECONSTRUCTED: when.reconstructable == (False,),
        AFTER_A_VOID: "new-cards" in ruling.remedy,
    }
    return tuple(number for number in procedure.interpretations if decisive.get(number))


def branch(when: Facts) -> str:
    """A ruling's facts as part of a skill's name."""
    told = [
        f"{name.replace('_', '-')}-{'-or-'.join(str(value).lower() for value in values)}"
        for name in when.__struct_fields__
        if (values := getattr(when, name))
    ]
    return "+".join(told) or "always"


@lru_cache(maxsize=256)
def branches(book: Rulebook) -> dict[str, tuple[Procedure, Ruling]]:
    """Every ruling that the document makes by itself, by skill."""
    return {
        f"rule/{procedure.case}/{branch(ruling.when)}": (procedure, ruling)
        for procedure in book.procedures
        for ruling in procedure.rulings
        if not AT_DISCRETION & {*ruling.remedy} and not read_by_interpretation(book, procedure, ruling)
    }


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:  # noqa: ARG001 - the same on every layout
    return tuple(branches(book))


def make(ground: Ground, skill: str) -> Made | None:
    book = ground.book
    procedure, ruling = branches(book)[skill]
    facts = facts_for(ground, procedure, ruling)
    answer = rule_on(book, procedure.case, facts)
    if answer.open_facts or answer.rulings != (ruling,):
        return None
    known = cards_for(ground, facts)
    if known is None:
        return None
    lines = tuple(lines_for(ground))
    parts = [part for part in _parts(ground, procedure, ruling, facts, known, lines) if part]
    if not any(part.name == "remedy" for part in parts):
        return None
    differential = exceeded(ground, lines) if "differential" in procedure.about else 0
    if "differential" in procedure.about and not differential:
        return None  # these bets exceed none
    return made_of(
        RuleFacts(
            case=procedure.case,
            established=facts,
            cards=format_cards(known),
            lines=lines,
            differential=differential,
        ),
        parts,
        _reason(procedure, ruling, facts),
        cost_of_ruling(ground, ruling, facts, known, lines),
        paragraphs=ruling.rules,
    )


def exceeded(ground: Ground, lines: tuple[BetLine, ...]) -> int:
    """A differential that these bets exceed: in one box, or where the document says so on the whole table."""
    signed = [
        (line.box, line.stake if line.bet == Side.PLAYER else -line.stake)
        for line in lines
        if line.bet in tuple(Side)
    ]
    if ground.book.limits.differential.scope == "table":
        apart = abs(sum(cents for _, cents in signed))
    else:
        apart = max(abs(sum(cents for other, cents in signed if other == box)) for box, _ in signed)
    return apart // 2 // DIFFERENTIAL_STEP * DIFFERENTIAL_STEP


def facts_for(ground: Ground, procedure: Procedure, ruling: Ruling) -> dict[str, str | bool]:
    """Facts that have this ruling, any of them."""
    fitting = [facts for facts in every_fact(procedure) if fits(ruling.when, facts)]
    return dict(ground.chance.pick(fitting))  # type: ignore[arg-type]


def cards_for(ground: Ground, facts: Mapping[str, str | bool]) -> tuple[Card, ...] | None:
    """Cards beyond doubt that agree with the facts; `None` if these deals have none."""
    whole = finished(ground, first_cards(ground))
    for count in ground.chance.shuffled((0, *range(INITIAL, len(whole.cards) + 1))):
        if _agrees(ground, facts, whole, count):
            return whole.cards[:count]
    return None


def _agrees(ground: Ground, facts: Mapping[str, str | bool], whole: Deal, count: int) -> bool:
    """Whether so many cards fit what is said of the round."""
    all_there = count == len(whole.cards)
    noticed, stage = facts.get("noticed"), facts.get("stage")
    if (noticed == "bets-open" and count) or (noticed in LATER) != all_there:
        return False
    if stage is not None and (stage == "initial-deal") != (count < INITIAL):
        return False
    if facts.get("card_drawn", count > 0) != (count > 0):
        return False
    established = facts.get("outcome_established")
    known = whole.cards[:count]
    return established is None or any(decides(ground, known, bet) for bet in ground.bets) == established


def decides(ground: Ground, known: tuple[Card, ...], bet: str) -> bool:
    """Whether these cards have decided a bet, whatever comes next; before the first card none has."""
    return bool(known) and is_decided(ground.book.bets[bet], ground.book.table_of_play, known)


def lines_for(ground: Ground) -> Iterator[BetLine]:
    """Three patrons: one on a hand, one on a hand and another bet, one on another bet."""
    chance = ground.chance
    hands = chance.shuffled(tuple(Side))
    others = [bet for bet in ground.bets if bet not in tuple(Side)] or ["player"]
    bets = [(0, hands[0].value), (1, hands[1].value), (1, chance.pick(others)), (2, chance.pick(others))]
    for number, (who, bet) in enumerate(bets):
        yield BetLine(
            patron=PATRONS[who], bet=bet, stake=chance.pick(STAKES), box=2 * who + 1, order=number + 1
        )


# --- the five questions -----------------------------------------------------------------------------------


def _parts(  # noqa: PLR0913, PLR0917 - a case and what lies on the table
    ground: Ground,
    procedure: Procedure,
    ruling: Ruling,
    facts: Mapping[str, str | bool],
    known: tuple[Card, ...],
    lines: tuple[BetLine, ...],
) -> Iterator[ItemPart | None]:
    book = ground.book
    if WHO_IS_NAMED & {*ruling.remedy}:
        yield rank_part(book, "who", phrase("ask-who"), ruling.decides, ruling.rules)
    yield _paragraph(ground, procedure, ruling)
    yield _remedy(ground, procedure, ruling, facts)
    yield _options(ground, ruling)
    for patron, cents in back_to(ground, ruling, facts, known, lines).items():
        yield amount(f"back-{patron}", phrase("ask-back", patron=patron), cents, ruling.rules)


def _paragraph(ground: Ground, procedure: Procedure, ruling: Ruling) -> ItemPart | None:
    """The paragraph that no other ruling on the case has; wrong ones are those of other rulings."""
    if not ruling.rules:
        return None
    siblings = {rule for other in procedure.rulings if other is not ruling for rule in other.rules}
    right = next((rule for rule in ruling.rules if rule not in siblings), ruling.rules[0])
    near = [rule for other in procedure.rulings for rule in other.rules]
    far = [rule for case in ground.book.procedures for ruled in case.rulings for rule in ruled.rules]
    wrong = [
        rule
        for rule in (
            *near,
            *ground.recorded_first("paragraph", ground.chance.shuffled([*dict.fromkeys(far)])),
        )
        if not touches(rule, ruling.rules)
    ]
    own, *options = (
        OfferedChoice(rule, phrase("paragraph", paragraph=rule), rule) for rule in (right, *wrong)
    )
    order = sorted({right, *wrong}, key=_numbers)
    asks = phrase("ask-paragraph")
    return choice_part("paragraph", asks, own, options, paragraphs=ruling.rules, most=5, order=order)


def _numbers(rule: str) -> tuple[object, ...]:
    return tuple((len(one), one) for one in rule.split("."))


def touches(rule: str, rules: Rules) -> bool:
    """Whether a paragraph is one of these, stands above one or under one."""
    return any(
        rule == other or rule.startswith(f"{other}.") or other.startswith(f"{rule}.") for other in rules
    )


def effect_of(remedy: tuple[str, ...]) -> frozenset[str]:
    """What remedies change between them; two that change nothing come to the same."""
    return frozenset(LETS_CHOOSE.get(name, name) for name in remedy if REMEDIES[name].alters)


def _remedy(
    ground: Ground, procedure: Procedure, ruling: Ruling, facts: Mapping[str, str | bool]
) -> ItemPart | None:
    """What follows; wrong ones are what other documents and other branches say."""
    wrong = [
        remedy_option(remedy)
        for remedy in _other_remedies(ground, procedure, facts)
        if not _is_part_of(remedy, ruling.remedy)
    ]
    right, asks = remedy_option(ruling.remedy), phrase("ask-remedy")
    return choice_part("remedy", asks, right, wrong, paragraphs=ruling.rules, order=ground.chance)


def _is_part_of(remedy: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether it would be true but not the whole answer; that a void round goes on is never true."""
    return effect_of(remedy) < effect_of(right) and not ("void" in right and not effect_of(remedy))


def remedy_option(remedy: tuple[str, ...]) -> OfferedChoice:
    joined = " ".join(remedy)
    return OfferedChoice(joined, phrase("remedy", remedies=joined), effect_of(remedy))


def _other_remedies(
    ground: Ground, procedure: Procedure, facts: Mapping[str, str | bool]
) -> Iterator[tuple[str, ...]]:
    """The same case in other documents, other branches of this one, then all that this document orders."""
    for slug in packaged():
        for about in procedure.about if slug != ground.book.slug else ():
            other = of_package(slug).procedure(about)
            for ruling in other.rulings if other else ():
                if fits_as_far(ruling.when, facts):
                    yield ruling.remedy
    yield from (ruling.remedy for ruling in procedure.rulings)
    rest = [ruling.remedy for other in ground.book.procedures for ruling in other.rulings]
    far = ground.chance.shuffled([one for one in rest if not AT_DISCRETION & {*one}])
    yield from (tuple(one.split()) for one in ground.recorded_first("remedy", map(" ".join, far)))
    yield ("void",)
    yield ("continue",)


def fits_as_far(when: Facts, facts: Mapping[str, str | bool]) -> bool:
    return all(value in (getattr(when, name) or (value,)) for name, value in facts.items())


def _options(ground: Ground, ruling: Ruling) -> ItemPart | None:
    """What players may choose between."""
    given = [LETS_CHOOSE[name] for name in ruling.remedy if name in LETS_CHOOSE]
    if len(set(given)) > 1:
        return None
    right = given[0] if given else NOBODY
    every = dict.fromkeys((right, NOBODY, "all-or-none", "one-by-one", "raise-or-withdraw"))
    own, *others = (OfferedChoice(one, phrase(f"options-{one}"), one) for one in every)
    asks = phrase("ask-options")
    return choice_part("options", asks, own, others, paragraphs=ruling.rules, order=ground.chance)


def back_to(
    ground: Ground,
    ruling: Ruling,
    facts: Mapping[str, str | bool],
    known: tuple[Card, ...],
    lines: tuple[BetLine, ...],
) -> dict[str, int]:
    """What comes back to each patron if each takes all that the ruling lets them; empty if not asked.

    A void returns everything; a choice returns the bets that the cards beyond doubt have not decided.
    """
    remedy = {*ruling.remedy}
    if facts.get("noticed") in LATER or remedy & {"settle-decided", "reject", "pro-rata", "to-maximum"}:
        return {}
    chosen = {LETS_CHOOSE[name] for name in remedy if name in LETS_CHOOSE}
    if "void" in remedy:
        back = [True] * len(lines)
    elif chosen & {"all-or-none", "one-by-one"}:
        back = [not decides(ground, known, line.bet) for line in lines]
    elif remedy <= {"continue", "reconstruct"}:
        back = [False] * len(lines)
    else:
        return {}
    returned = dict.fromkeys((line.patron for line in lines), 0)
    for line, comes in zip(lines, back, strict=True):
        returned[line.patron] += line.stake if comes else 0
    return returned


def cost_of_ruling(
    ground: Ground,
    ruling: Ruling,
    facts: Mapping[str, str | bool],
    known: tuple[Card, ...],
    lines: tuple[BetLine, ...],
) -> Cost:
    """The commonest errors: voiding what goes on, going on with what is void, letting chips play."""
    right = back_to(ground, ruling, facts, known, lines)
    everything = sum(line.stake for line in lines)
    if right:
        return cost_of_return(sum(right.values()), 0 if sum(right.values()) == everything else everything)
    if facts.get("noticed") in LATER:
        outcome = outcome_of(Deal(ground.book.table_of_play, known), sight_of_all(ground.book))
        moved = sum(abs(net_of(ground.book, line.bet, outcome, line.stake)) for line in lines)
        key = "cost-kept" if effect_of(ruling.remedy) else "cost-undone"
        return cost_of_cents(key, moved) if moved else cost("cost-same-lines", 0)
    if KEPT_OFF & {*ruling.remedy}:
        return cost("cost-let-play", SAMPLE_STAKE, stake_cents=SAMPLE_STAKE)
    return cost_of_cents("cost-stays" if "stand" in ruling.remedy else "cost-returned", everything)


def cost_of_return(right: int, wrong: int) -> Cost:
    """More goes back than is to, or less."""
    return cost_of_cents("cost-not-returned" if wrong < right else "cost-returned", abs(wrong - right))


def _reason(procedure: Procedure, ruling: Ruling, facts: Mapping[str, str | bool]) -> Iterator[Because]:
    yield because("why-case", procedure.rules, case=procedure.case, title=procedure.title)
    established = " ".join(f"{name}={value}" for name, value in facts.items())
    if established:
        yield because("why-facts", facts=established)
    yield because("remedy", ruling.rules, remedies=" ".join(ruling.remedy))
    if WHO_IS_NAMED & {*ruling.remedy}:
        yield because("so-decides", ruling.rules, rank=ruling.decides)
