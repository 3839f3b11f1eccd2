"""The radar: whose stakes follow the exact value of a bet more closely than chance has it, alone or in teams.

It names evidence and never a verdict: how large the statistic is, how often reshuffled shoes give one as
large, and how many were watched. See `following` for what the statistic is.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil, log1p
from typing import Final, NamedTuple

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Card
from thirdcard.errors import BadInput
from thirdcard.odds.compiled import Floats, Integers, compiled, np
from thirdcard.odds.composition import VALUES, fresh
from thirdcard.odds.kernel import Kernel, drawing
from thirdcard.play.bets import result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, LONGEST, Deal
from thirdcard.protect.deals import Truths
from thirdcard.protect.following import Habit, features, habit, reshuffled, statistic, told_apart
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.lookup import check_decks, check_usual, no_such_bet
from thirdcard.rulebook.model import Rulebook

ONE_IN: Final = 100  # a house that looks at everybody wants one false alarm in so many such looks
MARGIN: Final = (
    1.3  # the line is so much stricter: what habits and a library of shoes leave over, as measured
)
RESHUFFLES: Final = 800
MOST_RESHUFFLES: Final = 100_000
ENOUGH_AS_LARGE: Final = 10  # then the chance is known well enough: nothing is going on
LIBRARY: Final = 600  # other shoes that patterns are laid over
MOST_OF_A_SIZE: Final = {2: 100, 3: 40, 4: 40, 5: 40}  # companies that are looked at
HANDS: Final = {"banker": 1, "player": -1, "tie": 0}


class WatchedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round as the radar takes it: the cards in the order drawn, and stakes in cents by player and bet.

    Rounds of a shoe are given in their order, all of them from its first. A card that was never turned is
    `None`. A player without a stake may be named, to say that he was there.
    """

    table: str
    shoe: str
    number: int
    cards: tuple[Card | None, ...]
    stakes: dict[str, dict[str, int]]


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """One player, or a team as if it were one, and the bet whose value the stakes follow most.

    `chance` is the share of reshuffles with a statistic as large; `corrected` the chance that any of all who
    were watched would reach it. `worth_betting` are rounds with a value above zero, `bet_then` those of them
    with a bet; stakes are in cents. `beyond` says that the corrected chance is within what the house has set.
    """

    players: tuple[str, ...]
    bet: str
    shoes: int
    rounds: int
    bets: int
    statistic: float
    reshuffles: int
    as_large: int
    largest: float
    line: float  # 99% of the reshuffles are under it
    chance: float
    corrected: float
    beyond: bool
    worth_betting: int
    bet_then: int
    mean_stake_above: float
    mean_stake_below: float
    staked: int
    expected: float


class Radar(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody who was watched, the least chance first; `looks` is how many were tried, teams too.

    `pairs` are teams of two that stand out, `teams` larger ones.
    """

    decks: int
    shoes: int
    rounds: int
    players: int
    looks: int
    one_in: int
    seed: int
    alone: tuple[Followed, ...]
    pairs: tuple[Followed, ...]
    teams: tuple[Followed, ...] = ()
    unvaried: tuple[str, ...] = ()  # too few bets, or stakes that never varied: nothing can be said

    @property
    def everybody(self) -> tuple[Followed, ...]:
        return (*self.teams, *self.pairs, *self.alone)


class ShoeValues(NamedTuple):
    """One shoe as it was played: values by round and bet, who won each round, and which bets hit."""

    rounds: tuple[WatchedRound, ...]
    values: Floats
    hands: Integers
    hits: Integers


class StakePattern(NamedTuple):
    """Stakes on one bet over the shoes of a player or a pair."""

    bet: str
    stakes: Floats
    values: Floats
    habit: Habit


def values_of_shoe(book: Rulebook, decks: int, kernel: Kernel, rounds: Sequence[WatchedRound]) -> ShoeValues:
    """The exact value of every bet before each round, for the cards that had not been seen by then."""
    left, before = fresh(decks), []
    hands = np.zeros(len(rounds), np.int64)
    hits = np.zeros((len(rounds), len(kernel.names)), np.int64)
    for at, watched in enumerate(rounds):
        if left.cards < LONGEST:
            raise BadInput(f"{_where(watched)}: no round is left in a shoe of {decks} decks")
        before.append(left.by_card)
        told = tuple(card for card in watched.cards if card is not None)
        try:
            left = left.without(told)
        except BadInput as error:
            raise BadInput(f"{_where(watched)}: {error}") from error
        if len(told) == len(watched.cards) >= INITIAL:
            deal = Deal(book.table_of_play, told)
            hands[at] = HANDS[deal.winner]
            for number, name in enumerate(kernel.names):
                bet = book.bets[name]
                hits[at, number] = result(bet, outcome_of(deal, sight_of(bet))).verdict == "win"
    return ShoeValues(tuple(rounds), kernel.values(before), hands, hits)


def _where(one: WatchedRound) -> str:
    at = f"table {one.table}, " if one.table else ""
    return f"{at}shoe {one.shoe}, round {one.number}"


class Watch:
    """Rounds and stakes laid out for looking: shoes in their order, and who was at which."""

    def __init__(
        self,
        book: Rulebook,
        decks: int,
        rounds: Iterable[WatchedRound],
        *,
        seed: int = 1,
        library: int = LIBRARY,
    ) -> None:
        check_usual(book, "the radar watches")
        check_decks(book, decks)
        self.book, self.decks, self.seed = book, decks, seed
        by_shoe: dict[tuple[str, str], list[WatchedRound]] = defaultdict(list)
        for watched in rounds:
            by_shoe[watched.table, watched.shoe].append(watched)
        if not by_shoe:
            raise BadInput("there are no rounds to look at")
        staked = {
            bet: None
            for shoe in by_shoe.values()
            for watched in shoe
            for bets in watched.stakes.values()
            for bet in bets
        }
        for bet in staked:
            if bet not in book.bets:
                raise no_such_bet(book, bet)
        self.kernel = Kernel(book, tuple(name for name in book.bets if name in staked))
        self.shoes = [values_of_shoe(book, decks, self.kernel, shoe) for shoe in by_shoe.values()]
        self.at: dict[str, list[int]] = defaultdict(list)
        for number, shoe in enumerate(self.shoes):
            for player in dict.fromkeys(player for played in shoe.rounds for player in played.stakes):
                self.at[player].append(number)
        self._library = library
        self.fresh = dict(
            zip(self.kernel.names, self.kernel.values(fresh(decks).by_card)[0].tolist(), strict=True)
        )
        self._chance = np.random.default_rng(seed)

    @property
    def rounds(self) -> int:
        return sum(len(shoe.rounds) for shoe in self.shoes)

    def library(self, name: str) -> Floats:
        """Values of the bet in other shoes, by shoe and round; beyond the end of a shoe its last."""
        dealt = dealt_shoes(self.book, self.decks, self._library, self.seed + 1, self.kernel.names)
        longest = max(len(shoe.rounds) for shoe in self.shoes)
        reach = np.minimum(np.arange(longest)[None, :], dealt.lengths[:, None] - 1)
        found: Floats = np.take_along_axis(dealt.values[:, :, self.kernel.names.index(name)], reach, axis=1)
        return np.ascontiguousarray(told_apart(found, self.fresh[name]))

    def patterns(self, players: tuple[str, ...], upto: int | None = None) -> Iterator[StakePattern]:
        """Of each bet that these players made, together; of their first shoes if so many are asked for."""
        numbers = sorted({number for player in players for number in self.at[player]})[:upto]
        shoes = [self.shoes[number] for number in numbers]
        lengths = np.array([len(shoe.rounds) for shoe in shoes])
        hands = np.concatenate([shoe.hands for shoe in shoes])
        for column, name in enumerate(self.kernel.names):
            stakes = np.array(
                [
                    sum(played.stakes.get(player, {}).get(name, 0) for player in players)
                    for shoe in shoes
                    for played in shoe.rounds
                ],
                float,
            )
            if not stakes.any():
                continue
            hits = np.concatenate([shoe.hits[:, column] for shoe in shoes])
            found = habit(features(hands, hits, (stakes > 0).astype(np.int64), lengths), stakes, lengths)
            if found is not None:
                values = np.concatenate([shoe.values[:, column] for shoe in shoes])
                yield StakePattern(name, stakes, values, found)

    def statistic(self, pattern: StakePattern) -> float:
        return statistic(pattern.habit, told_apart(pattern.values, self.fresh[pattern.bet]))

    def strength(self, players: tuple[str, ...]) -> float:
        """The largest statistic of these players together."""
        return max(map(self.statistic, self.patterns(players)), default=0.0)

    def reshuffle(self, patterns: Sequence[StakePattern], count: int) -> Floats:
        """The largest statistic of these patterns over other shoes, so many times."""
        out = np.zeros(count)
        shoes = int(patterns[0].habit.shoes[-1]) + 1
        picks = self._chance.integers(0, self._library, (count, shoes))
        for pattern in patterns:
            reshuffled(*pattern.habit, picks, self.library(pattern.bet), out)
        return out

    def look(self, players: tuple[str, ...], looks: int, one_in: int) -> Followed | None:
        """At one player, or at a team as if it were one; none where nothing varies."""
        patterns = list(self.patterns(players))
        if not patterns:
            return None
        found = [self.statistic(pattern) for pattern in patterns]
        largest = max(found)
        pattern = patterns[found.index(largest)]
        wanted = min(max(RESHUFFLES, ceil(1.5 * MARGIN * looks * one_in)), MOST_RESHUFFLES)
        made = self.reshuffle(patterns, RESHUFFLES // 4)
        while len(made) < wanted and int((made >= largest).sum()) < ENOUGH_AS_LARGE:
            made = np.concatenate((made, self.reshuffle(patterns, min(len(made) * 3, wanted - len(made)))))
        as_large = int((made >= largest).sum())
        chance = (as_large + 1) / (len(made) + 1)
        corrected = float(-np.expm1(looks * log1p(-chance))) if chance < 1 else 1.0
        return _followed(
            players,
            pattern,
            statistic=largest,
            reshuffles=len(made),
            as_large=as_large,
            largest=float(made.max()),
            line=float(np.quantile(made, 0.99)),
            chance=chance,
            corrected=corrected,
            beyond=corrected <= 1 / (one_in * MARGIN),
        )

    def companies(self) -> list[tuple[str, ...]]:
        """Who was at the same shoes, two to five of them; of each size those who shared most."""
        at = {player: frozenset(shoes) for player, shoes in self.at.items()}
        level: dict[tuple[str, ...], frozenset[int]] = {(player,): at[player] for player in sorted(at)}
        found: list[tuple[str, ...]] = []
        for most in MOST_OF_A_SIZE.values():
            larger = {
                (*company, player): shared
                for company, shoes in level.items()
                for player in at
                if player > company[-1] and (shared := shoes & at[player])
            }
            first = sorted(larger, key=lambda company: (-len(larger[company]), company))[:most]
            level = {company: larger[company] for company in first}
            found += first
        return found


def radar(watch: Watch, *, one_in: int = ONE_IN, teams: bool = True) -> Radar:
    """Look at everybody alone and at everybody in company.

    One false alarm in so many looks: half of it is for players alone and half for companies, each corrected
    for how many there are. Who stands out is not counted again in company; a company that stands out is
    told with the others who make it stand out more.
    """
    players, companies = sorted(watch.at), watch.companies() if teams else []
    share = 2 if companies else 1
    alone = {player: watch.look((player,), share * len(players), one_in) for player in players}
    noticed = [followed for followed in alone.values() if followed is not None]
    beyond = {player for followed in noticed if followed.beyond for player in followed.players}
    together: list[Followed] = []
    for company in companies:
        one = watch.look(company, share * len(companies), one_in) if beyond.isdisjoint(company) else None
        if one is not None and one.beyond:
            one = _with_others(watch, one, companies, one_in)
            beyond.update(one.players)
            together.append(one)
    together.sort(key=_strangest)
    return Radar(
        decks=watch.decks,
        shoes=len(watch.shoes),
        rounds=watch.rounds,
        players=len(players),
        looks=len(players) + len(companies),
        one_in=one_in,
        seed=watch.seed,
        alone=tuple(sorted(noticed, key=_strangest)),
        pairs=tuple([followed for followed in together if len(followed.players) == 2]),  # noqa: PLR2004 - a pair
        teams=tuple([followed for followed in together if len(followed.players) > 2]),  # noqa: PLR2004
        unvaried=tuple(player for player, followed in alone.items() if followed is None),
    )


def _with_others(watch: Watch, one: Followed, companies: list[tuple[str, ...]], one_in: int) -> Followed:
    """A company that stands out, and those at the same shoes with whom it stands out most."""
    larger = [company for company in companies if {*one.players} < {*company}]
    best = max(larger, key=watch.strength, default=())
    if best and watch.strength(best) > one.statistic:
        found = watch.look(best, 2 * len(companies), one_in)
        return found if found is not None and found.beyond else one
    return one


def _strangest(one: Followed) -> tuple[float, float]:
    return one.chance, -one.statistic


def _followed(players: tuple[str, ...], pattern: StakePattern, **measured: object) -> Followed:
    stakes, above = pattern.stakes, pattern.values > 0
    with_bet = stakes > 0

    def mean(of: Truths) -> float:
        return float(stakes[of].mean()) if of.any() else 0.0

    return Followed(
        players=players,
        bet=pattern.bet,
        shoes=int(pattern.habit.shoes[-1]) + 1,
        rounds=len(stakes),
        bets=int(with_bet.sum()),
        worth_betting=int(above.sum()),
        bet_then=int((above & with_bet).sum()),
        mean_stake_above=mean(above & with_bet),
        mean_stake_below=mean(~above & with_bet),
        staked=int(stakes.sum()),
        expected=float((stakes * pattern.values).sum()),
        **measured,  # type: ignore[arg-type]
    )


# --- other shoes ------------------------------------------------------------------------------------------


RANKS = len(VALUES)


class DealtShoes(NamedTuple):
    """Shoes as they were dealt; what lies beyond a shoe's last round is 0.

    `lengths` are rounds by shoe; `values` are by shoe, round and bet of `names`; `classes` are outcomes as
    `play.classes` numbers them.
    """

    names: tuple[str, ...]
    lengths: Integers
    values: Floats
    classes: Integers


@compiled
def _deal_shoe(  # noqa: PLR0913, PLR0917 - a kernel takes its arrays one by one
    cards: Integers, first: Integers, replies: Integers, points: Integers, left: Integers, classes: Integers
) -> int:
    """Deal one shuffled shoe to the end; fills what is left before each round, and outcomes."""
    at, rounds, size = 0, 0, len(cards)
    counts = np.zeros(52, np.int64)
    for card in cards:
        counts[card] += 1
    ranks = 13
    while size - at >= LONGEST and rounds < len(classes):
        left[rounds] = counts
        used = 4
        p1, b1, p2, b2 = cards[at], cards[at + 1], cards[at + 2], cards[at + 3]
        player = (points[p1 % ranks] + points[p2 % ranks]) % 10
        banker = (points[b1 % ranks] + points[b2 % ranks]) % 10
        due = first[player, banker]
        player_third, banker_third = 0, 0
        if due == 1:
            third = points[cards[at + 4] % ranks]
            reply = replies[banker, third]
            player = (player + third) % 10
            player_third, used = 1, 5
            if reply:
                banker = (banker + points[cards[at + 5] % ranks]) % 10
                banker_third, used = 1, 6
        elif due == 2:  # noqa: PLR2004 - the Banker's
            banker = (banker + points[cards[at + 4] % ranks]) % 10
            banker_third, used = 1, 5
        pairs = 0
        if p1 % ranks == p2 % ranks:
            pairs = 1
            if b1 % ranks == b2 % ranks:
                pairs = 4 if p1 % ranks == b1 % ranks else 3
        elif b1 % ranks == b2 % ranks:
            pairs = 2
        classes[rounds] = (((player * 10 + banker) * 2 + player_third) * 2 + banker_third) * 5 + pairs
        for card in cards[at : at + used]:
            counts[card] -= 1
        at += used
        rounds += 1
    return rounds


@lru_cache(maxsize=8)
def dealt_shoes(
    book: Rulebook, decks: int, shoes: int, seed: int, names: tuple[str, ...] | None = None
) -> DealtShoes:
    """So many shuffled shoes dealt to the end; the same seed deals the same cards."""
    chance = np.random.default_rng((seed, decks))
    first, replies = drawing(book.table_of_play)
    points = np.array(VALUES, np.int64)
    cards = np.repeat(np.arange(CARDS_IN_A_DECK), decks)
    longest = len(cards) // 4
    left = np.zeros((shoes, longest, CARDS_IN_A_DECK), np.int64)
    classes = np.zeros((shoes, longest), np.int64)
    lengths = np.zeros(shoes, np.int64)
    for shoe in range(shoes):
        lengths[shoe] = _deal_shoe(
            chance.permutation(cards), first, replies, points, left[shoe], classes[shoe]
        )
    most = int(lengths.max())
    kernel = Kernel(book, names)
    played = np.arange(most) < lengths[:, None]
    values = np.zeros((shoes, most, len(kernel.names)))
    values[played] = kernel.values(left[:, :most][played])
    return DealtShoes(kernel.names, lengths, values, classes[:, :most])
