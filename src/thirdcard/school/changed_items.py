"""What changed: the same facts under two rulebooks, each with its own answer."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

import msgspec

from thirdcard.cards import Card, format_cards, parse_cards
from thirdcard.play import bets as bet_rules
from thirdcard.play.insurance import open_offers, rows_at
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import digest_of
from thirdcard.rulebook.conditions import Outcome
from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.load import of_package, packaged
from thirdcard.rulebook.model import Bet, Offer, Procedure, Rulebook, Rules, Ruling, Side, TableOfPlay
from thirdcard.rulebook.outcomes import every_outcome, looks_of
from thirdcard.school.dealt_hands import SAMPLE_STAKE, dealt_to_points, fits_decks, result_in, varied
from thirdcard.school.insurance_items import by_size, may_be_open, odds_option
from thirdcard.school.item_types import Because, BetLine, ChangedFacts, Cost, hands_of
from thirdcard.school.making import (
    Ground,
    Made,
    OfferedChoice,
    amount,
    because,
    choice_part,
    cost,
    cost_of_net,
    made_of,
    one_of,
    phrase,
)
from thirdcard.school.patrons import PATRONS
from thirdcard.school.pay_items import ODD_STAKES
from thirdcard.school.result_items import ONLY_IF_PLAYER_WINS
from thirdcard.school.rule_items import (
    AT_DISCRETION,
    back_to,
    cards_for,
    cost_of_return,
    cost_of_ruling,
    effect_of,
    lines_for,
    read_by_interpretation,
    remedy_option,
)
from thirdcard.words.bet_names import INSURANCE

CLOSED = "closed"
ON_LAYOUT = ("offered", "not-offered", "no-layout")


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:
    """Each bet, window and irregularity that another document treats otherwise."""
    return tuple(_skills(book, layout))


def _skills(book: Rulebook, layout: str) -> Iterator[str]:
    for other in other_documents(book):
        for name in book.layouts[layout].bets:
            if name in other.bets and _differing_rounds(
                book.bets[name], other.bets[name], book.table_of_play
            ):
                yield f"differs/{other.slug}/bet/{name}"
        for letter in _differing_layouts(book, other):
            yield f"differs/{other.slug}/layout/{letter}"
        for window in (1, 2):
            if _differing_points(book, other, window):
                yield f"differs/{other.slug}/insurance/{window}"
        for procedure in book.procedures:
            if _differing_rulings(other, procedure):
                yield f"differs/{other.slug}/ruling/{procedure.case}"


def other_documents(book: Rulebook) -> list[Rulebook]:
    """The documents of the package that play by the same Table of Play, but not this one."""
    others = [of_package(slug) for slug in packaged() if slug != book.slug]
    return [
        rulebook
        for rulebook in others
        if _plays_alike(rulebook.table_of_play, book.table_of_play) and digest_of(rulebook) != digest_of(book)
    ]


def _plays_alike(one: TableOfPlay, other: TableOfPlay) -> bool:
    fields = ("natural", "player_draws", "banker_draws_if_player_stands", "banker_draws")
    return all(getattr(one, field) == getattr(other, field) for field in fields)


def make(ground: Ground, skill: str) -> Made | None:
    _, slug, what, name = skill.split("/")
    other = of_package(slug)
    if what == "bet":
        return _bet(ground, other, name)
    if what == "insurance":
        return _insurance(ground, other, int(name))
    if what == "layout":
        return _layout(ground, other, name)
    procedure = next(procedure for procedure in ground.book.procedures if procedure.case == name)
    return _ruling(ground, other, procedure)


def _there(book: Rulebook, rules: Rules) -> Because:
    """What the other document says; its paragraphs are not this one's."""
    return because("why-there", book=book.slug, paragraphs=" ".join(rules))


def _here(book: Rulebook, rules: Rules) -> Because:
    return because("why-here", rules, book=book.slug)


# --- bets -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _differing_rounds(here: Bet, there: Bet, table: TableOfPlay) -> tuple[str, ...]:
    """Rounds that the two documents pay otherwise."""
    whens = (*here.whens, *there.whens)
    return tuple(
        dealt.cards
        for dealt in every_outcome(table, looks_of(whens))
        if _ratio(here, dealt.outcome) != _ratio(there, dealt.outcome)
    )


def _ratio(bet: Bet, outcome: Outcome) -> tuple[str, Fraction | None]:
    result = bet_rules.result(bet, outcome)
    return result.verdict, result.odds.ratio if result.odds else result.returned


def _bet(ground: Ground, other: Rulebook, name: str) -> Made | None:
    chance, here, there = ground.chance, ground.book.bets[name], other.bets[name]
    table = ground.book.table_of_play
    deal = Deal(table, parse_cards(chance.pick(_differing_rounds(here, there, table))))

    def names(dealt: Deal) -> list[str]:
        return [result_in(bet, dealt).name for bet in (here, there)]

    come_to = names(deal)
    deal = varied(deal, chance, range(len(deal.cards)), lambda dealt: names(dealt) == come_to)
    if not fits_decks(deal.cards, ground.decks):
        return None
    if name == ONLY_IF_PLAYER_WINS and deal.player_points == 1 and deal.winner != "player":
        return None
    stake = chance.pick(ODD_STAKES) * 100
    came = [result_in(bet, deal) for bet in (here, there)]
    nets = [result.net(stake) for result in came]
    if nets[0] == nets[1] or not all(result.odds is None or result.odds.is_exact(stake) for result in came):
        return None
    rules = [result.rules for result in came]
    return made_of(
        ChangedFacts(
            other=other.slug,
            **hands_of(deal),
            lines=(BetLine(patron=PATRONS[0], bet=name, stake=stake),),
        ),
        (
            amount(key, phrase("ask-under", bet=name, stake_cents=stake, book=book.slug), net, own)
            for key, book, net, own in zip(
                ("here", "there"), (ground.book, other), nets, (rules[0], ()), strict=True
            )
        ),
        (_here(ground.book, rules[0]), _there(other, rules[1])),
        cost_of_net("cost-of-outcome", name, stake, wrong=nets[1], right=nets[0]),
    )


# --- layouts ----------------------------------------------------------------------------------------------


def _differing_layouts(book: Rulebook, other: Rulebook) -> list[str]:
    """Layouts that another version of the same document offers otherwise, or not at all."""
    mine, theirs = book.document, other.document
    if (mine.operator, mine.title) != (theirs.operator, theirs.title):
        return []
    return [
        letter
        for letter in dict.fromkeys((*book.layouts, *other.layouts))
        if _spots(book, letter) != _spots(other, letter)
    ]


def _spots(book: Rulebook, letter: str) -> frozenset[str] | None:
    layout = book.layouts.get(letter)
    return None if layout is None else frozenset(layout.bets)


def _on_layout(book: Rulebook, letter: str, bet: str) -> str:
    spots = _spots(book, letter)
    return "no-layout" if spots is None else "offered" if bet in spots else "not-offered"


def _layout(ground: Ground, other: Rulebook, letter: str) -> Made | None:
    """Whether a bet has a spot on a layout, in this version and in that."""
    chance = ground.chance
    bet, stake = chance.pick(tuple(ground.book.bets)), chance.pick(range(500, 200_000, 100))
    says = {one: phrase(f"layout-{one}") for one in ON_LAYOUT}
    here, there = (_on_layout(book, letter, bet) for book in (ground.book, other))
    if here == there:
        return None
    rules = _layout_rules(ground.book, letter)
    return made_of(
        ChangedFacts(
            other=other.slug, layout=letter, lines=(BetLine(patron=PATRONS[0], bet=bet, stake=stake),)
        ),
        (
            one_of(name, phrase("ask-layout-under", book=book.slug, letter=letter, bet=bet), right, says, own)
            for name, book, right, own in (
                ("here", ground.book, here, rules),
                ("there", other, there, ()),
            )
        ),
        (_here(ground.book, rules), _there(other, _layout_rules(other, letter))),
        cost("cost-at-risk", stake, cents=stake),
    )


def _layout_rules(book: Rulebook, letter: str) -> Rules:
    """What says which layouts there are, where there is no such one."""
    layout = book.layouts.get(letter)
    return layout.rules if layout else book.document.rules


# --- insurance --------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _differing_points(book: Rulebook, other: Rulebook, window: int) -> tuple[tuple[int, int], ...]:
    """Points at which the two documents offer other odds, or only one offers any."""
    if book.insurance is None and other.insurance is None:
        return ()
    cells = product(range(10), repeat=2)
    return tuple(
        (player, banker)
        for player, banker in cells
        if may_be_open(book.table_of_play, window, player, banker)
        and _rows(book, window, player, banker) != _rows(other, window, player, banker)
    )


def _rows(book: Rulebook, window: int, player: int, banker: int) -> tuple[tuple[Side, object], ...]:
    offers = rows_at(book.insurance, window, player, banker) if book.insurance else ()
    return tuple(sorted((offer.hand, offer.odds.ratio) for offer in offers))


def _insurance(ground: Ground, other: Rulebook, window: int) -> Made | None:
    chance = ground.chance
    deal = dealt_to_points(ground, window, *chance.pick(_differing_points(ground.book, other, window)))
    if deal is None:
        return None
    hand = chance.pick(tuple(Side))
    offers = [_offer(book, deal, hand) for book in (ground.book, other)]
    texts = [offer.odds.text if offer else CLOSED for offer in offers]
    if len({offer.odds.ratio if offer else None for offer in offers}) == 1:
        return None
    every = [
        row.odds for book in (ground.book, other) for row in (book.insurance.offers if book.insurance else ())
    ]
    closed = OfferedChoice(CLOSED, phrase("open-no"), CLOSED)
    options = [closed, *map(odds_option, chance.shuffled(every))]
    other_right = [option for option in options if option.key in texts]
    parts = [
        choice_part(
            name,
            phrase("ask-insurance-under", book=book.slug, hand=hand),
            next(option for option in options if option.key == text),
            ground.offered_first(name, (*other_right, *options)),
            paragraphs=offers[0].rules if name == "here" and offers[0] else (),
            most=5,
            order=(CLOSED, *by_size(every)),
        )
        for name, book, text in zip(("here", "there"), (ground.book, other), texts, strict=True)
    ]
    return made_of(
        ChangedFacts(other=other.slug, **hands_of(deal)),
        parts,
        (_why_offer(ground.book, offers[0], here=True), _why_offer(other, offers[1], here=False)),
        _cost_of_offer(hand, *offers),
    )


def _cost_of_offer(hand: Side, here: Offer | None, there: Offer | None) -> Cost:
    """Insured as the other document has it: not at all, against this one, or at other odds."""
    bet, stake = f"{hand}{INSURANCE}", SAMPLE_STAKE
    if here is None:
        return cost("cost-sold", stake, bet=bet, stake_cents=stake)
    right = here.odds.winnings_cents(stake)
    if there is None:
        return cost("cost-not-offered", right, bet=bet, stake_cents=stake, cents=right)
    return cost_of_net("cost-of-outcome", bet, stake, wrong=there.odds.winnings_cents(stake), right=right)


def _why_offer(book: Rulebook, offer: Offer | None, *, here: bool) -> Because:
    if book.insurance is None:
        return because("why-no-insurance", book=book.slug)
    rules = offer.rules if offer else book.insurance.rules
    return _here(book, rules) if here else _there(book, rules)


def _offer(book: Rulebook, deal: Deal, hand: Side) -> Offer | None:
    offers = open_offers(book.insurance, deal) if book.insurance else ()
    return next((offer for offer in offers if offer.hand is hand), None)


# --- rulings ----------------------------------------------------------------------------------------------


class _TwoRulings(msgspec.Struct, frozen=True):
    """The same facts, ruled on otherwise."""

    facts: dict[str, str | bool]
    here: Ruling
    there: Ruling
    other: Procedure


@lru_cache(maxsize=1024)
def _differing_rulings(other: Rulebook, procedure: Procedure) -> tuple[_TwoRulings, ...]:
    """Facts of a case on which the two documents differ in effect, neither of them by discretion."""
    differing = []
    theirs = next((one for one in other.procedures if one.about and one.about[0] in procedure.about), None)
    if (
        theirs is None
        or not procedure.about
        or (procedure.needs and theirs.needs not in (None, procedure.needs))
    ):
        return ()
    for mine, yours in product(every_fact(procedure), every_fact(theirs)):
        if any(mine.get(name, value) != value for name, value in yours.items()):
            continue
        here = next(ruling for ruling in procedure.rulings if fits(ruling.when, mine))
        there = next(ruling for ruling in theirs.rulings if fits(ruling.when, yours))
        if AT_DISCRETION & {*here.remedy, *there.remedy}:
            continue
        one, two = effect_of(here.remedy), effect_of(there.remedy)
        if not (one <= two or two <= one):
            differing.append(_TwoRulings({**yours, **mine}, here, there, theirs))  # type: ignore[dict-item]
    return tuple(differing)


def _ruling(ground: Ground, other: Rulebook, procedure: Procedure) -> Made | None:
    both = ground.chance.pick(_differing_rulings(other, procedure))
    known: tuple[Card, ...] | None = cards_for(ground, both.facts)
    if known is None:
        return None
    rulings = (*procedure.rulings, *both.other.rulings)
    rest = [ruling.remedy for ruling in rulings if not AT_DISCRETION & {*ruling.remedy}]
    pool = [both.here.remedy, both.there.remedy, *rest, ("void",), ("refuse",)]
    parts = []
    for name, book, ruling in zip(
        ("here", "there"), (ground.book, other), (both.here, both.there), strict=True
    ):
        own = effect_of(ruling.remedy)
        offered = [remedy_option(remedy) for remedy in pool if not effect_of(remedy) < own]
        parts.append(
            choice_part(
                name,
                phrase("ask-remedy-under", book=book.slug),
                remedy_option(ruling.remedy),
                ground.offered_first(name, offered),
                paragraphs=ruling.rules if name == "here" else (),
                order=ground.chance,
            )
        )
    read = [
        because("why-interpretation", number=number)
        for number in read_by_interpretation(ground.book, procedure, both.here)
    ]
    read += [
        because("why-interpretation-there", book=other.slug, number=number)
        for number in read_by_interpretation(other, both.other, both.there)
    ]
    lines = tuple(lines_for(ground))
    return made_of(
        ChangedFacts(
            other=other.slug,
            cards=format_cards(known),
            lines=lines,
            case=procedure.case,
            other_case=both.other.case,
            established=both.facts,
        ),
        parts,
        (_here(ground.book, both.here.rules), _there(other, both.there.rules), *read),
        _cost_of_ruling(ground, both, known, lines),
    )


def _cost_of_ruling(
    ground: Ground, both: _TwoRulings, known: tuple[Card, ...], lines: tuple[BetLine, ...]
) -> Cost:
    """Ruled as the other document has it, where both say what goes back; else the commonest error here."""
    here, there = (back_to(ground, ruling, both.facts, known, lines) for ruling in (both.here, both.there))
    right, wrong = sum(here.values()), sum(there.values())
    if here and there and right != wrong:
        return cost_of_return(right, wrong)
    return cost_of_ruling(ground, both.here, both.facts, known, lines)
