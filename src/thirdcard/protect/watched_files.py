"""Files of rounds and stakes for the radar: CSV, a line a stake, or JSON lines, one a round.

CSV has a heading with `shoe`, `round`, `cards`, `player`, `bet` and `stake` (in dollars), and may have
`table`. Cards stand at least once for each round; a line without a player is a round that nobody bet in. JSON
lines are `{"table": "1", "shoe": "1", "round": 1, "cards": "6C 3D KH AS", "stakes": {"S4": {"tie": 500}}}`,
in cents.
"""

import csv
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from thirdcard.cards import Card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.money import parse_dollars
from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.protect.radar import WatchedRound
from thirdcard.strict import LINE, decodable, json_of, lines_of

LONGEST_NUMBER: Final = 12  # digits
NEEDED: Final = ("shoe", "round", "cards", "player", "bet", "stake")


class StakesLine(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A line of JSON: a round with its stakes in cents."""

    shoe: str | int
    round: int
    cards: str
    stakes: dict[str, dict[str, int]] = {}
    table: str = ""


def read_stakes(file: Path) -> list[WatchedRound]:
    """The rounds of a file, by its ending: `.csv`, or `.jsonl` and any other for JSON lines."""
    read = from_csv if file.suffix.lower() == ".csv" else from_jsonl
    try:
        with file.open("rb") as source:
            return list(_in_order(read(_texts(source, file.name), file.name)))
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror}") from error


def _texts(source: BinaryIO, name: str) -> Iterator[str]:
    """The lines as text; BadInput for what is none, or too long for a line."""
    for number, line in enumerate(lines_of(source), start=1):
        if len(line) > LINE.size:
            raise BadInput(f"{name}, line {number}: it is too long: at most {LINE.size:,} bytes are read")
        try:
            yield (line.removeprefix(BOM_UTF8) if number == 1 else line).decode()
        except UnicodeDecodeError:
            raise BadInput(f"cannot read {name}: it is not text") from None


def _in_order(rounds: Iterable[tuple[str, WatchedRound]]) -> Iterator[WatchedRound]:
    """Rounds with where they stand; BadInput where one is missing, comes twice or is out of its place.

    What was not seen changes every value after it. Numbers begin with 1 in a shoe, or go on at a table.
    """
    at_shoe: dict[tuple[str, str], int] = {}
    at_table: dict[str, int] = {}
    for where, watched in rounds:
        last = at_shoe.get((watched.table, watched.shoe))
        expected = {1, at_table.get(watched.table, 0) + 1} if last is None else {last + 1}
        if watched.number not in expected:
            due = " or ".join(map(str, sorted(expected)))
            raise BadInput(
                f"{where}: round {watched.number} of shoe {watched.shoe} stands where round {due} was "
                "expected; give every round of a shoe in order from its first, or leave the shoe out"
            )
        at_shoe[watched.table, watched.shoe] = at_table[watched.table] = watched.number
        yield watched


def from_jsonl(lines: Iterable[str], name: str) -> Iterator[tuple[str, WatchedRound]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            one = msgspec.convert(json_of(line.encode()), decodable(StakesLine))
            cards = parse_cards(one.cards)
        except (ValueError, BadInput, msgspec.ValidationError) as error:
            raise BadInput(f"{name}, line {number}: {error}") from error
        place = f"{name}, line {number}"
        yield place, _checked(one.table, str(one.shoe), one.round, cards, one.stakes, place)


def from_csv(lines: Iterable[str], name: str) -> Iterator[tuple[str, WatchedRound]]:
    """Lines of one round are put together, in the order in which rounds come first."""
    reader = csv.DictReader(lines)
    try:
        heading = reader.fieldnames or ()
    except csv.Error as error:
        raise BadInput(f"{name}: its heading cannot be read: {error}") from error
    missing = [column for column in NEEDED if column not in heading]
    if missing:
        raise BadInput(f"{name} has no column {' or '.join(missing)}: its heading needs {', '.join(NEEDED)}")
    cards: dict[tuple[str, str, int], tuple[Card, ...]] = {}
    stakes: dict[tuple[str, str, int], dict[str, dict[str, int]]] = {}
    where: dict[tuple[str, str, int], str] = {}
    for row in _rows(reader, name):
        place = f"{name}, line {reader.line_num}"
        try:
            at = row.get("table") or "", row["shoe"] or "", _number(row["round"])
            dealt = parse_cards(row["cards"] or "")
            cents = _cents(row)
        except BadInput as error:
            raise BadInput(f"{place}: {error}") from error
        if dealt and cards.get(at, dealt) != dealt:
            raise BadInput(f"{place}: round {at[2]} of shoe {at[1]} was told with other cards before")
        where.setdefault(at, place)
        if dealt:
            cards[at] = dealt
        bets = stakes.setdefault(at, {})
        if row["player"]:
            own = bets.setdefault(row["player"], {})
            if row["bet"]:
                own[row["bet"]] = own.get(row["bet"], 0) + cents
    for at, bets in stakes.items():
        yield where[at], _checked(*at, cards.get(at, ()), bets, where[at])


def _rows(reader: "csv.DictReader[str]", name: str) -> Iterator[dict[str | Any, str | Any]]:
    try:
        yield from reader
    except csv.Error as error:  # a quotation that goes on and on
        raise BadInput(f"{name}, line {reader.line_num}: {error}") from error


def _number(text: str | None) -> int:
    if not (text and len(text) <= LONGEST_NUMBER and text.isascii() and text.isdigit()):
        raise BadInput(f"{text or ''!r} is not a round: expected its number in the shoe, such as 1")
    return int(text)


def _cents(row: dict[str | Any, str | Any]) -> int:
    """The stake of a line; who is only named has neither bet nor stake."""
    if None in row:
        raise BadInput("there are more cells than the heading has columns")
    cents = parse_dollars(row["stake"]) if row["stake"] else 0
    if (row["bet"] and not row["stake"]) or (cents and not (row["bet"] and row["player"])):
        raise BadInput("a stake needs a player, a bet and an amount: leave bet and stake empty for none")
    return cents


def _checked(  # noqa: PLR0913, PLR0917 - what a line holds
    table: str,
    shoe: str,
    number: int,
    cards: tuple[Card, ...],
    stakes: dict[str, dict[str, int]],
    where: str,
) -> WatchedRound:
    if not INITIAL <= len(cards) <= LONGEST:
        raise BadInput(f"{where}: a round has {INITIAL} to {LONGEST} cards, got {len(cards)}")
    if any(cents < 0 for bets in stakes.values() for cents in bets.values()):
        raise BadInput(f"{where}: a stake is not below zero")
    return WatchedRound(table=table, shoe=shoe, number=number, cards=cards, stakes=stakes)
