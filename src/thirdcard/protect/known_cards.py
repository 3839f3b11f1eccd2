"""What it is worth to know a card: the value of each bet for somebody who bets only when it pays. Exact."""

from collections.abc import Iterable
from fractions import Fraction

from thirdcard.cards import Card, CardsLike, Rank, Suit, cards_of
from thirdcard.errors import BadInput
from thirdcard.odds.bet_values import values
from thirdcard.odds.compare import effects
from thirdcard.odds.compiled import Integers, np
from thirdcard.odds.composition import Composition, shoe
from thirdcard.play.bets import result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import LONGEST, Deal
from thirdcard.protect.deals import BY_RANK, PLACES, POINTS, Counted, Truths, can_be_known, deal
from thirdcard.protect.worths import Knowledge, KnownAnswer, KnownCards, Places, SortedBacks
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.lookup import check_usual
from thirdcard.rulebook.model import Bet, Rulebook

NEW_DECK = tuple(
    Card(rank.letter + suit.value) for suit in Suit for rank in Rank
)  # ace to king, suit by suit
MAIN = ("player", "banker")
HIGH = (6, 7, 8, 9)  # the points that those who sort backs tell from the others, if they see one card


def known(
    book: Rulebook,
    decks: int,
    seen: CardsLike = (),
    names: Iterable[str] | None = None,
    backs: tuple[int, ...] = HIGH,
) -> KnownAnswer:
    """What knowing a card of the next round is worth, for every bet or for some."""
    gone = cards_of(seen)
    left = shoe(book, decks, gone)
    found = known_cards(book, left, names)
    return KnownAnswer(
        decks=decks,
        seen=tuple(map(str, gone)),
        cards=left.cards,
        bets=found,
        main=best_of(left, found, MAIN) if all(name in found for name in MAIN) else {},
        best=best_of(left, found),
        backs=SortedBacks(backs, sorted_backs(book, left, found, backs)),
    )


def best_of(
    composition: Composition, found: dict[str, KnownCards], names: Iterable[str] | None = None
) -> dict[int, Knowledge]:
    """By place: the card there is known, and the unit goes on whichever of these bets is then worth most."""
    wanted = tuple(found if names is None else names)
    return {
        place: _by_rank(
            composition,
            {
                rank: max(
                    (
                        value
                        for name in wanted
                        if (value := found[name].places[place].by_rank[rank]) is not None
                    ),
                    default=None,
                )
                for rank in Rank
            },
        )
        for place in PLACES
    }


def known_cards(
    book: Rulebook, composition: Composition, names: Iterable[str] | None = None
) -> dict[str, KnownCards]:
    """For every bet, or for some."""
    check_usual(book, "cards are known among")
    countable = (name for name, bet in book.bets.items() if can_be_known(bet))
    wanted = tuple(countable if names is None else names)
    fresh = values(book, composition, wanted)
    removed = effects(book, composition, wanted)
    by_bet = {}
    for name in wanted:
        counted = deal(book.table_of_play, composition, book.bets[name])
        singly = {place: counted.known((place,)) for place in PLACES}
        ranks = {
            place: {
                rank: counts.value((int(BY_RANK[rank - 1]) if counted.letters == POINTS else rank - 1,))
                for rank in Rank
            }
            for place, counts in singly.items()
        }
        value = fresh[name].ev
        by_bet[name] = KnownCards(
            value=value,
            places={place: _by_rank(composition, ranks[place]) for place in PLACES},
            somewhere=_by_rank(
                composition, {rank: _mean([ranks[place][rank] for place in PLACES]) for rank in Rank}
            ),
            gone=_by_rank(
                composition,
                {rank: value + removed[name][rank] if rank in removed[name] else None for rank in Rank},
            ),
            everything=_chosen(counted.known(PLACES)),
            sorted_deck=_sorted(book, book.bets[name]),
        )
    return by_bet


def known_places(book: Rulebook, composition: Composition, name: str, places: Places) -> Knowledge:
    """What it is worth to know the cards at several places at once."""
    if not places or any(place not in PLACES for place in places) or len({*places}) < len(places):
        raise BadInput(
            f"places are 1 to {LONGEST}, each at most once: got {', '.join(map(str, places)) or 'none'}"
        )
    return _chosen(deal(book.table_of_play, composition, book.bets[name]).known(places))


def sorted_backs(
    book: Rulebook, composition: Composition, names: Iterable[str], group: Iterable[int] = HIGH
) -> dict[int, Knowledge]:
    """By the first so many cards: of each its back tells whether its points are in the group, and no more.

    The unit goes on whichever of these bets is then worth most, if any pays.
    """
    in_group = np.isin(np.arange(POINTS), list(group))
    deals = [deal(book.table_of_play, composition, book.bets[name]) for name in names]
    knowledge = {}
    for seen in PLACES:
        rounds: dict[tuple[bool, ...], int] = {}
        most: dict[tuple[bool, ...], Fraction] = {}
        for counts in deals:
            counted = counts.known(PLACES[:seen])
            backs = in_group if counts.letters == POINTS else in_group[BY_RANK]
            by_back = Counted(_halved(counted.rounds, backs), _halved(counted.net, backs), counted.per)
            for at in np.ndindex(by_back.rounds.shape):
                rounds[at] = int(by_back.rounds[at])
                most[at] = max(most.get(at, Fraction(0)), by_back.value(at) or Fraction(0))
        every = sum(rounds.values())
        knowledge[seen] = Knowledge(
            worth=sum((rounds[at] * value for at, value in most.items()), Fraction(0)) / every,
            bets=Fraction(sum([rounds[at] for at, value in most.items() if value]), every),
        )
    return knowledge


def _halved(counts: Integers, told: Truths) -> Integers:
    """Counts added up on every axis by whether its letter is told: first those that are not."""
    for axis in range(counts.ndim):
        halves = [counts.compress(which, axis=axis).sum(axis=axis) for which in (~told, told)]
        counts = np.stack(halves, axis=axis)
    return counts


def _chosen(counted: Counted) -> Knowledge:
    """A unit is staked wherever what is known makes the bet pay."""
    pays = counted.net > 0
    rounds = int(counted.rounds.sum())
    return Knowledge(
        worth=Fraction(int(counted.net[pays].sum()), rounds * counted.per),
        bets=Fraction(int(counted.rounds[pays].sum()), rounds),
    )


def _by_rank(composition: Composition, by_rank: dict[Rank, Fraction | None]) -> Knowledge:
    """One card is known: it is of each rank as often as the shoe holds it."""
    good = {rank: value for rank, value in by_rank.items() if value is not None and value > 0}
    share = {rank: Fraction(composition.ranks[rank - 1], composition.cards) for rank in Rank}
    return Knowledge(
        worth=sum((share[rank] * value for rank, value in good.items()), Fraction(0)),
        bets=sum((share[rank] for rank in good), Fraction(0)),
        by_rank=by_rank,
    )


def _mean(found: list[Fraction | None]) -> Fraction | None:
    told = [value for value in found if value is not None]
    return sum(told, Fraction(0)) / len(told) if told else None


def _sorted(book: Rulebook, bet: Bet) -> Knowledge:
    """Six cards in a row of a new deck, from any of its places alike; after the last comes the first."""
    won, bets = Fraction(0), 0
    for start in range(len(NEW_DECK)):
        cards = tuple(NEW_DECK[(start + step) % len(NEW_DECK)] for step in range(LONGEST))
        settled = result(bet, outcome_of(Deal(book.table_of_play, cards), sight_of(bet)))
        if settled.tier is not None:
            won += settled.tier.odds.ratio
            bets += 1
    return Knowledge(worth=won / len(NEW_DECK), bets=Fraction(bets, len(NEW_DECK)))
