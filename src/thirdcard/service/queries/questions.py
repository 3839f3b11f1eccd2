"""A question in a person's words: "box 3 says banker 500 yesterday about ten", or the same in Chinese.

What is not understood is left out and named; where nothing else was said, that is told.
"""

import re
from collections.abc import Collection, Iterator
from datetime import date, datetime, time, timedelta, tzinfo

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import parse_dollars
from thirdcard.service.queries.finding import RoundQuestion
from thirdcard.service.queries.questions_zh import in_english, is_chinese
from thirdcard.strict import decodable
from thirdcard.words.saying import say

ABOUT = timedelta(minutes=45)  # on either side of a time that is told roughly
HOURS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
PASSED_OVER = frozenset((
    "a", "an", "and", "at", "bet", "by", "for", "had", "in", "it", "of", "on", "round", "rounds",
    "said", "says", "stake", "staked", "the", "was", "were", "where", "which", "with",
))  # fmt: skip
FLAGS = {
    "void": "void",
    "voided": "void",
    "corrected": "correction",
    "reversed": "reversal",
    "disputed": "dispute",
    "ruled": "ruling",
    "called": "call",
}
WON = frozenset(("won", "wins", "win"))
OUTCOMES = frozenset(("player", "banker", "tie"))
CAN_BE_SAID = (
    "a box, a bet, an amount (500, 500-1000), a name, a table, a round with its table, a paragraph, a case, "
    "void, corrected or disputed, who won, today, yesterday or 2026-11-16, and about ten, at 22:15 or "
    "19:45-20:15"
)
_CLOCK = r"(\d{1,2})(?::(\d\d))?(am|pm)?"


class HouseWords(msgspec.Struct, frozen=True, kw_only=True):
    """What words can mean in a house."""

    bets: Collection[str]
    tables: Collection[str]
    cases: Collection[str]
    now: datetime  # by the clock of the place
    titles: dict[str, str] = {}  # of tables, and which they are

    @property
    def zone(self) -> tzinfo:
        assert self.now.tzinfo is not None  # whoever asks says where
        return self.now.tzinfo


def asked(text: str, known: HouseWords, skipped: list[str] | None = None) -> list[RoundQuestion]:
    """What was asked; more than one question where the clock shows a time twice a day.

    To `skipped` comes what was not understood, where anything else was.
    """
    if is_chinese(text):
        text = in_english(text, bets=known.bets, cases=known.cases)
    words = text.replace(",", "").split()
    if not words:
        raise BadInput(say("what-is-remembered", can_be_said=CAN_BE_SAID))
    reading = _Reading(known)
    while words:
        words = words[reading.take(words) :]
    if reading.skipped and not (reading.said or reading.day or reading.times):
        raise BadInput(say("words-not-understood", words=" ".join(reading.skipped), can_be_said=CAN_BE_SAID))
    if skipped is not None:
        skipped += reading.skipped
    return list(reading.questions())


class _Reading:
    def __init__(self, known: HouseWords) -> None:
        self.known = known
        self.said: dict[str, str | int] = {}
        self.day: date | None = None
        self.times: list[tuple[time, time]] = []
        self.skipped: list[str] = []

    def take(self, words: list[str]) -> int:
        """How many of the words were one thing."""
        first, rest = words[0].casefold(), [word.casefold() for word in words[1:]]
        for reader in (self._named, self._phrase, self._time, self._amount):
            if count := reader(first, rest, words):
                return count
        if first in PASSED_OVER:
            return 1
        if words[0][0].isupper() or words[0].startswith(("W-", "guest-")):
            self._say("player", words[0])
            return 1
        self.skipped.append(words[0])
        return 1

    def _say(self, name: str, value: str | int) -> None:
        if self.said.get(name, value) != value:
            raise BadInput(say("asked-twice", said=self.said[name], what=value))
        self.said[name] = value

    def _named(self, first: str, rest: list[str], words: list[str]) -> int:
        """A word that says what the next one is."""
        if not rest:
            return 0
        if first in ("box", "round") and rest[0].isdecimal():
            self._say("box" if first == "box" else "number", int(rest[0]))
        elif first == "table":
            self._say("table", self._table(words[1]))
        elif first in ("dealer", "supervisor", "staff"):
            self._say("staff", words[1])
        elif first == "patron":
            self._say("player", words[1])
        else:
            return 0
        return 2

    def _table(self, word: str) -> str:
        """A table by its id, or by what its title says after "Table"."""
        wanted = word.casefold()
        tables = [table for table in self.known.tables if table.casefold() == wanted]
        tables += [
            table
            for title, table in self.known.titles.items()
            if title.casefold() in (wanted, f"table {wanted}")
        ]
        if not tables:
            raise BadInput(say("no-such-table", word=word, tables=tuple(sorted(self.known.tables))))
        return tables[0]

    def _phrase(self, first: str, rest: list[str], words: list[str]) -> int:  # noqa: ARG002
        """What has a name of its own, of as many words as it has."""
        if first in OUTCOMES and rest and rest[0] in WON:
            self._say("outcome", first)
            return 2
        for kind, names in (("case", self.known.cases), ("bet", self.known.bets)):
            for count in range(6, 0, -1):
                name = "-".join([first, *rest][:count])
                if count <= 1 + len(rest) and name in names:
                    self._say(kind, name)
                    return count
        if first in FLAGS:
            self._say("flag", FLAGS[first])
        elif re.fullmatch(r"\d+(\.\d+)+", first) and not re.fullmatch(r"\d+\.\d\d", first):
            self._say("rule", first)
        elif first.startswith(("§", "para.")) and len(first) > 1:
            self._say("rule", first.removeprefix("§").removeprefix("para."))
        else:
            return 0
        return 1

    # Times

    def _time(self, first: str, rest: list[str], words: list[str]) -> int:  # noqa: ARG002
        if first in ("today", "yesterday"):
            self.day = self.known.now.date() - timedelta(days=first == "yesterday")
            return 1
        if re.fullmatch(r"\d{4}-\d\d-\d\d", first):
            self.day = _day(first)
            return 1
        if span := re.fullmatch(r"(\d{1,2}:\d\d)-(\d{1,2}:\d\d)", first):
            self.times = [(_clock(span[1])[0], _clock(span[2])[0])]
            return 1
        if first in ("about", "around", "at") and rest and (clocks := _clock(rest[0])):
            self.times = [_around(clock) for clock in clocks]
            return 2
        if ":" in first and (clocks := _clock(first)):
            self.times = [_around(clock) for clock in clocks]
            return 1
        return 0

    # Amounts

    def _amount(self, first: str, rest: list[str], words: list[str]) -> int:  # noqa: ARG002
        if first in ("over", "from") and rest:
            self._say("least", parse_dollars(rest[0]))
            return 2
        if re.fullmatch(r"\d+(\.\d\d)?k?(-\d+(\.\d\d)?k?)?", first):
            least, _, most = first.partition("-")
            self._say("least", _cents(least))
            self._say("most", _cents(most or least))
            return 1
        return 0

    def questions(self) -> Iterator[RoundQuestion]:
        plain = msgspec.convert(self.said, decodable(RoundQuestion))
        if self.day is None and not self.times:
            yield plain
            return
        day = self.day or self.known.now.date()
        for begin, end in self.times or [(time.min, time.min)]:
            try:
                since = datetime.combine(day, begin, self.known.zone)
                until = datetime.combine(day, end, self.known.zone)
                until += timedelta(days=until <= since)
                yield msgspec.structs.replace(plain, since=_micros(since), until=_micros(until))
            except OverflowError:  # the day after the last, or the first of the calendar elsewhere
                raise BadInput(say("no-such-day", text=day.isoformat())) from None


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadInput(say("no-such-day", text=text)) from None


def _clock(text: str) -> list[time]:
    """What a clock may have shown: ten is in the morning and in the evening. Nothing if it is no time."""
    if text in HOURS:
        return [time(HOURS[text] % 12), time(HOURS[text] % 12 + 12)]
    match = re.fullmatch(_CLOCK, text)
    if not match:
        return []
    hour, minute = int(match[1]), int(match[2] or 0)
    if hour > 23 or minute > 59:  # noqa: PLR2004
        raise BadInput(say("no-such-time", text=text))
    if match[3]:
        return [time(hour % 12 + 12 * (match[3] == "pm"), minute)]
    if match[2] or hour > 12:  # noqa: PLR2004
        return [time(hour, minute)]
    return [time(hour % 12, minute), time(hour % 12 + 12, minute)]


def _around(clock: time) -> tuple[time, time]:
    middle = datetime.combine(date(2000, 1, 2), clock)
    return (middle - ABOUT).time(), (middle + ABOUT).time()


def _cents(text: str) -> int:
    return parse_dollars(text.removesuffix("k")) * (1_000 if text.endswith("k") else 1)


def moment(seconds: float, zone: tzinfo) -> datetime:
    """A time by the clock of a place."""
    return datetime.fromtimestamp(seconds, zone)


def _micros(moment: datetime) -> int:
    return round(moment.timestamp()) * 1_000_000
