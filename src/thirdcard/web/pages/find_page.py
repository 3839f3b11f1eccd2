"""The form by which an auditor looks for rounds: what was typed as a question, what was found as a file."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import urlencode

from thirdcard.errors import BadInput
from thirdcard.money import parse_dollars
from thirdcard.rulebook import Rulebook
from thirdcard.service.api.history import FARTHEST, INSURANCE, FindRounds
from thirdcard.service.log.codec import OF_ROUNDS
from thirdcard.service.queries.finding import RoundFound, RoundQuestion, told_cards
from thirdcard.web.csv_rows import Row
from thirdcard.words import Language, bet_name, words

TEXTS = ("table", "player", "bet", "outcome", "case", "rule", "staff", "flag")
FIELDS = (*TEXTS, "words", "box", "round", "from", "to", "since", "until", "player-cards", "banker-cards")
OUTCOMES = ("player", "banker", "tie", "void")
COLUMNS = (
    "at", "table", "round", "outcome", "player_cards", "banker_cards", "player", "box", "bet", "stake", "net",
    "cases", "flags", "staff",
)  # fmt: skip
LONGEST = 200  # characters of a field


def wanted(typed: Mapping[str, str]) -> FindRounds:
    """BadInput says which field is wrong."""
    if long := next((name for name, value in typed.items() if len(value) > LONGEST), None):
        raise BadInput(f"{long} is at most {LONGEST} characters long")
    since, until = times(typed)
    least, most = _cents(typed, "from"), _cents(typed, "to")
    cards = {hand: typed[f"{hand}-cards"] for hand in ("player", "banker") if typed.get(f"{hand}-cards")}
    question = RoundQuestion(
        **{name: typed.get(name, "").strip() for name in TEXTS},
        box=_whole(typed, "box", 0, 16),
        number=_whole(typed, "round", 0, 2**53),
        least=least,
        most=most,
        cards=cards,
        since=since,
        until=until,
    )
    ahead = _whole(typed, "ahead", -FARTHEST, FARTHEST)
    return FindRounds(
        question=question, words=typed.get("words", ""), ahead=ahead, after=typed.get("after", "")
    )


def times(typed: Mapping[str, str]) -> tuple[int, int]:
    """From when until when, by the clock of whoever asks; 0 where nothing was typed."""
    zone = timezone(timedelta(minutes=_whole(typed, "ahead", -FARTHEST, FARTHEST)))
    return _moment(typed, "since", zone), _moment(typed, "until", zone)


def _whole(typed: Mapping[str, str], name: str, low: int, high: int) -> int:
    text = typed.get(name, "").strip() or "0"
    if not text.lstrip("-").isdecimal() or len(text) > len(str(high)) + 1 or not low <= int(text) <= high:
        raise BadInput(f"{name} is a whole number from {low} to {high}, not “{text}”")
    return int(text)


def _cents(typed: Mapping[str, str], name: str) -> int:
    text = typed.get(name, "").replace(",", "").strip()
    return parse_dollars(text) if text else 0


def _moment(typed: Mapping[str, str], name: str, zone: timezone) -> int:
    text = typed.get(name, "").strip()
    if not text:
        return 0
    try:
        return round(datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()) * 1_000_000
    except (ValueError, OverflowError):
        raise BadInput(f"“{text}” is no time: write it as 2026-11-16T19:45") from None


def choices(books: Collection[Rulebook], lang: Language) -> dict[str, list[tuple[str, str]]]:
    """What can be chosen, with what it is called."""
    lexicon = words(lang)
    bets = INSURANCE | {name for book in books for name in book.bets}
    cases = {
        procedure.case: lexicon.name_of("cases", procedure.case, procedure.title)
        for book in books
        for procedure in book.procedures
    }
    return {
        "bets": sorted(((name, bet_name(name, lang)) for name in bets), key=lambda one: one[1]),
        "cases": sorted(cases.items(), key=lambda one: one[1]),
        "outcomes": [(name, lexicon.ui[f"find_won_{name}"]) for name in OUTCOMES],
        "flags": [(name, lexicon.ui[f"staff_kind_{name.replace('-', '_')}"]) for name in OF_ROUNDS],
    }


def address(typed: Mapping[str, str], after: str, kind: str = "") -> str:
    kept = {name: value for name, value in typed.items() if value and name not in ("after", "lang")}
    return f"/audit/find{kind}?{urlencode(kept | ({'after': after} if after else {}))}"


def csv_rows(rounds: Iterable[RoundFound]) -> Iterator[Row]:
    """One for each stake that fitted, or for a round without any; amounts in cents, times in UTC."""
    yield COLUMNS
    for played in rounds:
        when = datetime.fromtimestamp(played.at / 1e6, UTC).isoformat(timespec="seconds")
        hands = [told_cards(played.cards.get(hand, ())) for hand in ("player", "banker")]
        besides = [";".join(some) for some in (played.cases, played.flags, played.staff)]
        stakes: list[Row] = [(s.player, s.box, s.bet, s.cents, s.net) for s in played.stakes]
        for stake in stakes or [("",) * 5]:
            yield (when, played.table, played.number, played.outcome, *hands, *stake, *besides)
