"""What changed: the same facts under two rulebooks, each with its own answer."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

import msgspec

from thirdcard.cards import Card, format_cards, parse_cards
from thirdcard.play import bets as bet_rules
from thirdcard.play.insurance import open_offers
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import digest_of
from thirdcard.rulebook.conditions import Outcome, sight_of
from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.load import of_package, packaged
from thirdcard.rulebook.model import Bet, Offer, Procedure, Rulebook, Rules, Ruling, Side, TableOfPlay
from thirdcard.rulebook.outcomes import every_outcome, looks_of
from thirdcard.school.dealt_hands import SAMPLE_STAKE, dealt_to_points, fits_decks
from thirdcard.school.item_types import (
    Because,
    BetLine,
    ChangedFacts,
    Cost,
    Ground,
    ItemPart,
    Made,
    OfferedChoice,
    Phrase,
    choice_part,
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
)

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
    found = [of_package(slug) for slug in packaged() if slug != book.slug]
    return [
        one
        for one in found
        if _plays_alike(one.table_of_play, book.table_of_play) and digest_of(one) != digest_of(book)
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
    return Because(Phrase("why-there", {"book": book.slug, "paragraphs": " ".join(rules)}))


def _here(book: Rulebook, rules: Rules) -> Because:
    return Because(Phrase("why-here", {"book": book.slug}), rules)


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
    came = bet_rules.result(bet, outcome)
    return came.verdict, came.tier.odds.ratio if came.tier else None


def _bet(ground: Ground, other: Rulebook, name: str) -> Made | None:
    chance, here, there = ground.chance, ground.book.bets[name], other.bets[name]
    table = ground.book.table_of_play
    deal = Deal(table, parse_cards(chance.pick(_differing_rounds(here, there, table))))
    for place in range(len(deal.cards)):
        cards = list(deal.cards)
        cards[place] = chance.card(cards[place].points)
        changed = Deal(table, tuple(cards))
        if _came(here, changed) == _came(here, deal) and _came(there, changed) == _came(there, deal):
            deal = changed
    if not fits_decks(deal.cards, ground.decks):
        return None
    if name == ONLY_IF_PLAYER_WINS and deal.player_points == 1 and deal.winner != "player":
        return None
    stake = chance.pick(ODD_STAKES) * 100
    nets, rules = [], []
    for bet in (here, there):
        came = bet_rules.result(bet, outcome_of(deal, sight_of(bet)))
        odds = came.tier.odds if came.tier else None
        if odds is not None and not odds.is_exact(stake):
            return None
        nets.append(bet_rules.net_cents(came.verdict, stake, odds))
        rules.append(came.rules)
    if nets[0] == nets[1]:
        return None
    blanks: dict[str, str | int] = {"bet": name, "stake_cents": stake}
    parts = tuple(
        ItemPart(
            name=key,
            asks=Phrase("ask-under", {**blanks, "book": book.slug}),
            form="cents",
            answer=net,
            paragraphs=rules[0] if key == "here" else (),
        )
        for key, book, net in zip(("here", "there"), (ground.book, other), nets, strict=True)
    )
    told: dict[str, str | int] = {**blanks, "wrong_net": nets[1], "right_net": nets[0]}
    return Made(
        facts=ChangedFacts(
            other=other.slug,
            cards=format_cards(deal.cards),
            player=format_cards(deal.player),
            banker=format_cards(deal.banker),
            lines=(BetLine(patron=PATRONS[0], bet=name, stake=stake),),
        ),
        parts=parts,
        reason=(_here(ground.book, rules[0]), _there(other, rules[1])),
        cost=Cost(Phrase("cost-of-outcome", told), abs(nets[0] - nets[1])),
    )


def _came(bet: Bet, deal: Deal) -> str:
    return bet_rules.result(bet, outcome_of(deal, sight_of(bet))).name


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
    options = {one: OfferedChoice(one, Phrase(f"layout-{one}"), one) for one in ON_LAYOUT}
    books, parts = (ground.book, other), []
    for name, book in zip(("here", "there"), books, strict=True):
        asks = Phrase("ask-layout-under", {"book": book.slug, "letter": letter, "bet": bet})
        right = options[_on_layout(book, letter, bet)]
        rules = _layout_rules(book, letter) if name == "here" else ()
        parts.append(choice_part(name, asks, right, options.values(), paragraphs=rules, order=ON_LAYOUT))
    if _on_layout(ground.book, letter, bet) == _on_layout(other, letter, bet) or None in parts:
        return None
    return Made(
        facts=ChangedFacts(
            other=other.slug, layout=letter, lines=(BetLine(patron=PATRONS[0], bet=bet, stake=stake),)
        ),
        parts=tuple(part for part in parts if part),
        reason=(
            _here(ground.book, _layout_rules(ground.book, letter)),
            _there(other, _layout_rules(other, letter)),
        ),
        cost=Cost(Phrase("cost-at-risk", {"cents": stake}), stake),
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
        if _can_be_open(book.table_of_play, window, player, banker)
        and _rows(book, window, player, banker) != _rows(other, window, player, banker)
    )


def _can_be_open(table: TableOfPlay, window: int, player: int, banker: int) -> bool:
    if banker in table.natural or (window == 1 and player in table.natural):
        return False
    if window == 1:
        return player in table.player_draws or banker in table.banker_draws_if_player_stands
    return any((player - before) % 10 in table.banker_draws[banker] for before in table.player_draws)


def _rows(book: Rulebook, window: int, player: int, banker: int) -> tuple[tuple[Side, object], ...]:
    offers = book.insurance.offers if book.insurance else ()
    return tuple(
        sorted(
            (offer.hand, offer.odds.ratio)
            for offer in offers
            if offer.window == window and player in offer.player and banker in offer.banker
        )
    )


def _insurance(ground: Ground, other: Rulebook, window: int) -> Made | None:
    chance = ground.chance
    deal = dealt_to_points(ground, window, *chance.pick(_differing_points(ground.book, other, window)))
    if deal is None:
        return None
    hand = chance.pick(tuple(Side))
    found = [_offer(book, deal, hand) for book in (ground.book, other)]
    texts = [offer.odds.text if offer else CLOSED for offer in found]
    if len({offer.odds.ratio if offer else None for offer in found}) == 1:
        return None
    every = [
        row.odds for book in (ground.book, other) for row in (book.insurance.offers if book.insurance else ())
    ]
    options = [
        OfferedChoice(odds.text, Phrase("odds", {"odds": odds.text}), odds) for odds in chance.shuffled(every)
    ]
    options.insert(0, OfferedChoice(CLOSED, Phrase("open-no"), CLOSED))
    by_size = [CLOSED, *(one.text for one in sorted({*every}, key=lambda odds: odds.ratio))]
    parts = []
    for name, book, text in zip(("here", "there"), (ground.book, other), texts, strict=True):
        right = next(option for option in options if option.key == text)
        asks = Phrase("ask-insurance-under", {"book": book.slug, "hand": hand.value})
        own = found[0].rules if name == "here" and found[0] else ()
        other_right = [option for option in options if option.key in texts]
        parts.append(
            choice_part(
                name,
                asks,
                right,
                ground.offered_first(name, (*other_right, *options)),
                paragraphs=own,
                most=5,
                order=by_size,
            )
        )
    if None in parts:
        return None
    return Made(
        facts=ChangedFacts(
            other=other.slug,
            cards=format_cards(deal.cards),
            player=format_cards(deal.player),
            banker=format_cards(deal.banker),
        ),
        parts=tuple(part for part in parts if part),
        reason=(_why_offer(ground.book, found[0], here=True), _why_offer(other, found[1], here=False)),
        cost=_cost_of_offer(hand, *found),
    )


def _cost_of_offer(hand: Side, here: Offer | None, there: Offer | None) -> Cost:
    """Insured as the other document has it: not at all, against this one, or at other odds."""
    blanks: dict[str, str | int] = {"bet": f"{hand}-insurance", "stake_cents": SAMPLE_STAKE}
    if here is None:
        return Cost(Phrase("cost-sold", blanks), SAMPLE_STAKE)
    right = here.odds.winnings_cents(SAMPLE_STAKE)
    if there is None:
        return Cost(Phrase("cost-not-offered", {**blanks, "cents": right}), right)
    wrong = there.odds.winnings_cents(SAMPLE_STAKE)
    told: dict[str, str | int] = {**blanks, "wrong_net": wrong, "right_net": right}
    return Cost(Phrase("cost-of-outcome", told), abs(wrong - right))


def _why_offer(book: Rulebook, offer: Offer | None, *, here: bool) -> Because:
    if book.insurance is None:
        return Because(Phrase("why-no-insurance", {"book": book.slug}))
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
    found = []
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
            found.append(_TwoRulings({**yours, **mine}, here, there, theirs))  # type: ignore[dict-item]
    return tuple(found)


def _ruling(ground: Ground, other: Rulebook, procedure: Procedure) -> Made | None:
    both = ground.chance.pick(_differing_rulings(other, procedure))
    known: tuple[Card, ...] | None = cards_for(ground, both.facts)
    if known is None:
        return None
    rest = [
        one.remedy for one in (*procedure.rulings, *both.other.rulings) if not AT_DISCRETION & {*one.remedy}
    ]
    pool = [both.here.remedy, both.there.remedy, *rest, ("void",), ("refuse",)]
    parts = []
    for name, book, ruling in zip(
        ("here", "there"), (ground.book, other), (both.here, both.there), strict=True
    ):
        own = effect_of(ruling.remedy)
        offered = [_option(remedy) for remedy in pool if not effect_of(remedy) < own]
        wrong = ground.offered_first(name, offered)
        asks = Phrase("ask-remedy-under", {"book": book.slug})
        rules = ruling.rules if name == "here" else ()
        parts.append(
            choice_part(name, asks, _option(ruling.remedy), wrong, paragraphs=rules, order=ground.chance)
        )
    if None in parts:
        return None
    readings = read_by_interpretation(ground.book, procedure, both.here)
    read = [Because(Phrase("why-interpretation", {"number": number})) for number in readings]
    for number in read_by_interpretation(other, both.other, both.there):
        told: dict[str, str | int] = {"book": other.slug, "number": number}
        read.append(Because(Phrase("why-interpretation-there", told)))
    lines = tuple(lines_for(ground))
    return Made(
        facts=ChangedFacts(
            other=other.slug,
            cards=format_cards(known),
            lines=lines,
            case=procedure.case,
            other_case=both.other.case,
            established=both.facts,
        ),
        parts=tuple(part for part in parts if part),
        reason=(_here(ground.book, both.here.rules), _there(other, both.there.rules), *read),
        cost=_cost_of_ruling(ground, both, known, lines),
    )


def _cost_of_ruling(
    ground: Ground, both: _TwoRulings, known: tuple[Card, ...], lines: tuple[BetLine, ...]
) -> Cost:
    """Ruled as the other document has it, where both say what goes back; else the commonest error here."""
    here, there = (back_to(ground, one, both.facts, known, lines) for one in (both.here, both.there))
    right, wrong = sum(here.values()), sum(there.values())
    if here and there and right != wrong:
        return cost_of_return(right, wrong)
    return cost_of_ruling(ground, both.here, both.facts, known, lines)


def _option(remedy: tuple[str, ...]) -> OfferedChoice:
    joined = " ".join(remedy)
    return OfferedChoice(joined, Phrase("remedy", {"remedies": joined}), effect_of(remedy))
