"""A table of rounds settled: what a bet pays is looked up by the outcome class of each round."""

import re
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from thirdcard.arrow import as_table, np, pa
from thirdcard.cards import Rank, Suit, format_cards, in_order, parse_cards, read_cards
from thirdcard.errors import BadInput
from thirdcard.money import DEFAULT_CHIP_UNIT, LARGEST_STAKE
from thirdcard.play.bets import result
from thirdcard.play.classes import PAIRS, outcomes
from thirdcard.play.settlement import Game, Insured, read_insurance
from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.rulebook import Which
from thirdcard.rulebook.conditions import PLAIN, pairs_of, sight_of
from thirdcard.rulebook.lookup import check_usual, offering
from thirdcard.rulebook.model import Bet, Side, TableOfPlay
from thirdcard.rulebook.third_cards import next_by_points

WIDTH: Final = 3  # characters from one card to the next: rank, suit, a space
NOTHING: Final = 255  # in place of a card
NEXT: Final = {None: 0, Side.PLAYER: 1, Side.BANKER: 2}

_RANKS, _SUITS = (np.full(256, NOTHING, np.uint8) for _ in range(2))
for _rank in Rank:
    _RANKS[ord(_rank.letter)] = _rank.value
for _number, _suit in enumerate(Suit):
    _SUITS[ord(_suit.value)] = _number
_POINTS = np.zeros(256, np.uint8)
_POINTS[1:14] = [rank.points for rank in Rank]


class CardColumns(NamedTuple):
    """Cards of rounds in the order drawn, six to a round, `NOTHING` where there is none."""

    ranks: Any  # rounds by six
    suits: Any
    count: Any  # of cards
    read: Any  # whether the text was cards and nothing else


def read_cards_of(column: pa.ChunkedArray) -> CardColumns:
    """The cards of each round from text such as `9C KD 9H 4S`."""
    text = column.cast(pa.large_string()).combine_chunks()
    if isinstance(text, pa.ChunkedArray):
        text = pa.concat_arrays(text.chunks) if text.num_chunks else pa.array([], pa.large_string())
    rounds = len(text)
    _, offsets_buffer, data_buffer = text.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64)[text.offset : text.offset + rounds + 1]
    data = np.frombuffer(data_buffer, np.uint8) if data_buffer else np.zeros(0, np.uint8)
    data = np.concatenate([data, np.zeros(WIDTH * LONGEST, np.uint8)])
    begin, length = offsets[:-1], np.diff(offsets)
    count = (length + 1) // WIDTH
    read = (length % WIDTH == WIDTH - 1) & (count <= LONGEST) & text.is_valid().to_numpy(zero_copy_only=False)
    ranks, suits = (np.full((LONGEST, rounds), NOTHING, np.uint8) for _ in range(2))
    for place in range(LONGEST):
        here = np.minimum(begin + WIDTH * place, len(data) - WIDTH)
        there = count > place
        ranks[place] = np.where(there, _RANKS[data[here]], NOTHING)
        suits[place] = np.where(there, _SUITS[data[here + 1]], NOTHING)
        known = (ranks[place] != NOTHING) & (suits[place] != NOTHING)
        spaced = (count == place + 1) | (data[here + 2] == ord(" "))
        read &= ~there | (known & spaced)
    return CardColumns(ranks, suits, count, read)


class RoundColumns(NamedTuple):
    """What the cards came to: class -1 where they are no whole round."""

    classes: Any
    player: Any  # points
    banker: Any


def play(table: TableOfPlay, drawn: CardColumns, decks: int) -> RoundColumns:
    """The outcome class of each round by that Table of Play, from so many decks."""
    ranks, count = drawn.ranks, drawn.count
    points = _POINTS[ranks]
    first, second = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    fifths, sixths = _nexts(table)
    due = fifths[first, second]
    after = np.where(due == NEXT[Side.PLAYER], sixths[first, second, points[4]], 0)
    whole = drawn.read & (count == INITIAL + (due != 0) + (after != 0))
    whole &= _held(drawn, decks)
    player_third, banker_fifth, banker_sixth = due == NEXT[Side.PLAYER], due == NEXT[Side.BANKER], after != 0
    player = (first + np.where(player_third, points[4], 0)) % 10
    banker = (second + np.where(banker_fifth, points[4], 0) + np.where(banker_sixth, points[5], 0)) % 10
    pairs = _pairs(ranks)
    number = player.astype(np.int32) * 10 + banker
    number = (number * 2 + player_third) * 2 + (banker_fifth | banker_sixth)
    return RoundColumns(np.where(whole, number * len(PAIRS) + pairs, -1), player, banker)


def _nexts(table: TableOfPlay) -> tuple[Any, Any]:
    """Who draws the fifth card, by both totals, and who the sixth, by the Player's third card too."""
    fifths, sixths = np.zeros((10, 10), np.uint8), np.zeros((10, 10, 10), np.uint8)
    for player in range(10):
        for banker in range(10):
            fifths[player, banker] = NEXT[next_by_points(table, player, banker)]
            for third in range(10):
                sixths[player, banker, third] = NEXT[next_by_points(table, player, banker, (third,))]
    return fifths, sixths


def _pairs(ranks: Any) -> Any:  # noqa: ANN401 - arrays
    """The number of what the first two cards of both hands are, pairs or not."""
    kinds = np.zeros((2, 2, 2), np.int32)  # Player's pair, Banker's, of the same rank
    ace, two = Rank.ACE, Rank.TWO
    for player in (None, ace):
        for banker in (None, ace, two):
            same = player is not None and player is banker
            kinds[int(player is not None), int(banker is not None), int(same)] = PAIRS.index(
                pairs_of(player, banker)
            )
    player, banker = ranks[0] == ranks[2], ranks[1] == ranks[3]
    same = player & banker & (ranks[0] == ranks[1])
    return kinds[player.astype(np.uint8), banker.astype(np.uint8), same.astype(np.uint8)]


def _held(drawn: CardColumns, decks: int) -> Any:  # noqa: ANN401 - an array
    """Whether so many decks hold the cards of each round."""
    if decks >= LONGEST:
        return True
    cards = drawn.ranks.astype(np.uint16) * 4 + drawn.suits
    there = drawn.ranks != NOTHING
    most = np.zeros(cards.shape[1], np.uint8)
    for one in range(LONGEST):
        copies = ((cards == cards[one]) & there & there[one]).sum(axis=0, dtype=np.uint8)
        most = np.maximum(most, copies)
    return most <= decks


# --- a table of rounds, settled ---------------------------------------------------------------------------


CARDS: Final = "cards"
HANDS: Final = ("player_cards", "banker_cards")
NEAR: Final = 0.8  # how like a bet's name that of a column may be
INSURANCE: Final = "-insurance:"  # player-insurance:1 is bought on the Player in the first window


def settle_frame(  # noqa: PLR0913 - what a table of rounds has
    rulebook: Which,
    frame: Any,  # noqa: ANN401 - whatever speaks Arrow
    *,
    layout: str | None = None,
    decks: int | None = None,
    unit: int = DEFAULT_CHIP_UNIT,
    lenient: bool = False,
) -> pa.Table:
    """The same table with what each round came to.

    A round is the column `cards` in the order drawn, or the hands `player_cards` and `banker_cards`; with
    `lenient` also as others write cards, `9c` or `10♣`. A column named like a bet holds stakes in cents,
    nothing or 0 where there is none; `player-insurance:1` holds insurance on the Player in the first window.
    Other columns are passed through, unless one of numbers is called nearly like a bet. Added are `outcome`,
    `player_points`, `banker_points`, `BET_net` for each bet, `net`, and `error`: one sentence where a round
    cannot be settled.

    >>> rounds = {"cards": ["9C 9H 9D 9S", "9C"], "tiger-pair": [500, 500], "table": ["a", "b"]}
    >>> settled = settle_frame("mbs-tiger-v2", rounds)
    >>> settled["net"].to_pylist(), settled["error"].is_valid().to_pylist()
    ([50000, None], [False, True])
    """
    table = as_table(frame)
    game = Game(rulebook, layout, decks=decks, unit=unit)
    check_usual(game.rulebook, "tables of rounds have")
    names = [name for name in table.column_names if name in game.rulebook.bets]
    _check_columns(table, game)
    offering(game.rulebook, names, layout)
    text, drawn = _cards_in(table, lenient=lenient)
    played = play(game.rulebook.table_of_play, drawn, game.decks)
    stakes = {name: _stakes(table, name) for name in names}
    insured = {name: _stakes(table, name) for name in table.column_names if INSURANCE in name}
    rows = _Rows(game, text, played, stakes, insured)
    return _with(table, rows.columns())


def _check_columns(table: pa.Table, game: Game) -> None:
    """A column of numbers that is called nearly like a bet is a slip: it would settle as nothing."""
    bets = game.rulebook.bets
    insurance = {f"{side}{INSURANCE}{window}" for side in Side for window in (1, 2)}
    known = {*bets, *insurance, *HANDS, CARDS}
    added = {"outcome", "player_points", "banker_points", "net", "error", *(f"{name}_net" for name in known)}
    for field in table.schema:
        numbers = pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
        if field.name in known | added or not numbers:
            continue
        plain = re.sub(r"[ _]+", "-", field.name.strip().lower())
        near = get_close_matches(plain, sorted({*bets, *insurance}), n=1, cutoff=NEAR)
        if near:
            raise BadInput(
                f"there is no bet {field.name!r}: did you mean {near[0]!r}? "
                "A column of numbers that is no stake needs a name that is less like a bet's"
            )


class _Rows:
    """All rounds of a table: those that can be looked up, and the others one by one."""

    def __init__(
        self,
        game: Game,
        text: pa.ChunkedArray,
        played: RoundColumns,
        stakes: dict[str, Any],
        insured: dict[str, Any],
    ) -> None:
        self.game, self.text, self.played, self.stakes, self.insured = game, text, played, stakes, insured
        self.good = played.classes >= 0
        for stake in stakes.values():
            self.good = self.good & (stake >= 0) & (stake <= LARGEST_STAKE) & (stake % game.unit == 0)
        self.alone = np.zeros(len(self.good), bool)  # rounds that the class does not settle
        for stake in insured.values():
            self.alone |= stake != 0
        for name, stake in stakes.items():
            if sight_of(game.rulebook.bets[name]) is not PLAIN:
                self.alone |= stake != 0
        self.alone |= ~self.good

    def columns(self) -> dict[str, Any]:
        classes = np.where(self.good, self.played.classes, 0)
        nets = {
            name: self._net(self.game.rulebook.bets[name], classes, stake)
            for name, stake in self.stakes.items()
        }
        bought = {name: np.zeros(len(classes), np.int64) for name in self.insured}
        winners = np.sign(self.played.banker.astype(np.int8) - self.played.player.astype(np.int8))
        errors: list[tuple[int, str]] = []
        for row in np.flatnonzero(self.alone).tolist():
            try:
                self._one(row, nets, bought)
            except BadInput as error:
                self.good[row] = False
                errors.append((row, str(error)))
            else:
                self.good[row] = True
        return self._laid(winners, nets | bought, dict(errors))

    def _one(self, row: int, nets: dict[str, Any], bought: dict[str, Any]) -> None:
        """Settle a round as any other, and put its lines into the columns."""
        given = self.text[row].as_py()
        if given is None:
            raise BadInput(
                f"no cards in row {row + 1}: expected all cards in the order drawn, such as 9C 4H 7D 2S"
            )
        bets = {name: stake for name, column in self.stakes.items() if (stake := int(column[row]))}
        wishes: list[Insured] = []
        for name, column in self.insured.items():
            if column[row]:
                hand, _, window = name.partition(INSURANCE)
                wishes += read_insurance({f"{hand}:{window}": int(column[row])})
        statement = self.game.settle(parse_cards(given), bets, wishes)
        for line in statement.bets:
            if line.window is None:
                nets[line.bet][row] = line.net
            else:
                bought[f"{line.bet}:{line.window}"][row] = line.net

    def _net(self, bet: Bet, classes: Any, stake: Any) -> Any:  # noqa: ANN401 - arrays
        if sight_of(bet) is not PLAIN:
            return np.zeros(len(classes), np.int64)
        numerators, denominators = _pays(bet)
        return np.where(self.good, stake * numerators[classes] // denominators[classes], 0)

    def _laid(self, winners: Any, nets: dict[str, Any], errors: dict[int, str]) -> dict[str, Any]:  # noqa: ANN401
        bad = ~self.good
        sentences = np.full(len(bad), None, object)
        for row, sentence in errors.items():
            sentences[row] = sentence
        outcome = pa.DictionaryArray.from_arrays(pa.array(winners % 3, pa.int8(), mask=bad), list(_BY_SIGN))
        total = sum(nets.values(), start=np.zeros(len(bad), np.int64))
        return {
            "outcome": outcome.cast(pa.string()),
            "player_points": pa.array(self.played.player, mask=bad),
            "banker_points": pa.array(self.played.banker, mask=bad),
            **{f"{name}_net": pa.array(net, mask=bad) for name, net in nets.items()},
            "net": pa.array(total, mask=bad),
            "error": pa.array(sentences, pa.string()),
        }


_BY_SIGN: Final = ("tie", "banker", "player")  # of the Banker's points less the Player's, modulo three


def _pays(bet: Bet) -> tuple[Any, Any]:
    """What a unit wins in each class, as a ratio; a loss is -1, a push 0."""
    numerators, denominators = [], []
    for outcome in outcomes():
        settled = result(bet, outcome)
        odds = settled.tier.odds.ratio if settled.tier else settled.returned - 1
        pair = (-1, 1) if settled.verdict == "lose" else odds.as_integer_ratio()
        numerators.append(pair[0])
        denominators.append(pair[1])
    return np.array(numerators, np.int64), np.array(denominators, np.int64)


def _stakes(table: pa.Table, name: str) -> Any:  # noqa: ANN401 - an array
    """A column of stakes in whole cents; nothing is no stake."""
    column = table[name]
    if pa.types.is_floating(column.type):  # as pandas has whole numbers where some are missing
        column = _whole(column)
    if not (pa.types.is_integer(column.type) or pa.types.is_null(column.type)):
        raise BadInput(f"the stakes in column {name} must be whole numbers of cents: got {column.type}")
    filled = column.cast(pa.int64()).fill_null(0)
    return filled.to_numpy()


def _whole(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Whole numbers, where all are; what is no number is none."""
    values = column.fill_null(float("nan")).to_numpy()
    there = ~np.isnan(values)
    if not (np.isfinite(values[there]) & (values[there] == np.trunc(values[there]))).all():
        return column
    return pa.chunked_array([pa.array(np.where(there, values, 0).astype(np.int64), mask=~there)])


def _cards_in(table: pa.Table, *, lenient: bool) -> tuple[pa.ChunkedArray, CardColumns]:
    """The cards of each round in the order drawn, as text and as read; what cannot be read stays as it is."""
    if CARDS in table.column_names:
        text = _text(table, CARDS)
    elif all(name in table.column_names for name in HANDS):
        hands = zip(*(_text(table, name).to_pylist() for name in HANDS), strict=True)
        text = _column([_laid_out(*pair, lenient=lenient) for pair in hands])
    else:
        raise BadInput(
            f"expected a column {CARDS!r}, or {' and '.join(HANDS)}: got {', '.join(table.column_names)}"
        )
    drawn = read_cards_of(text)
    odd = np.flatnonzero(~drawn.read)
    if not len(odd):
        return text, drawn
    written = text.to_pylist()
    for row in odd.tolist():
        written[row] = _rewritten(written[row], lenient=lenient)
    text = _column(written)
    return text, read_cards_of(text)


def _column(texts: list[str | None]) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(texts, pa.large_string())])


def _text(table: pa.Table, name: str) -> pa.ChunkedArray:
    kind = table[name].type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind)):
        raise BadInput(f"the column {name} holds cards as text, such as 9C 4H 7D 2S: got {kind}")
    return table[name].cast(pa.large_string())


def _rewritten(text: str | None, *, lenient: bool) -> str | None:
    """As the house writes cards, if it is cards."""
    try:
        return text and format_cards(read_cards(text) if lenient else parse_cards(text))
    except BadInput:
        return text


def _laid_out(player: str | None, banker: str | None, *, lenient: bool) -> str | None:
    if player is None or banker is None:
        return None
    read = read_cards if lenient else parse_cards
    try:
        return format_cards(in_order(read(player), read(banker)))
    except BadInput:
        return f"{player} {banker}"


def _with(table: pa.Table, columns: dict[str, Any]) -> pa.Table:
    """The table with these columns behind its own; one of the same name is replaced."""
    kept = [name for name in table.column_names if name not in columns]
    selected = table.select(kept)
    for name, column in columns.items():
        selected = selected.append_column(name, column)
    return selected
