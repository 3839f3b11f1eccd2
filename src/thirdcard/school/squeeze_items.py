"""Squeeze: who has the right to it, who gives leave, who turns the cards by which method of dealing."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from thirdcard.rulebook.model import Method, Rulebook, Side
from thirdcard.school.item_types import Because, BetLine, Cost, ItemPart, Phrase, SqueezeFacts
from thirdcard.school.making import Ground, Made, because, cost, joined, made_of, one_of, phrase
from thirdcard.school.patrons import PATRONS, closed_round, setup_for
from thirdcard.table.ranks import discretion
from thirdcard.table.rights.squeezing import handlers, in_line
from thirdcard.table.state import State

DEALER = "dealer"
HOLDERS = ("dealer", "players")
LEAVES = ("asks-first", "by-right")


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:  # noqa: ARG001 - the same on every layout
    """The right by hand, where a method lets players have the cards, and what each method says."""
    names = [
        f"squeeze/right/{method.name}/{hand}"
        for method in book.dealing
        if may_squeeze(method)
        for hand in Side
    ]
    return (*names, *(f"squeeze/method/{method.name}" for method in book.dealing)) if names else ()


def may_squeeze(method: Method) -> bool:
    return method.face_down and method.handles == "players" and method.device == "dealer"


def make(ground: Ground, skill: str) -> Made | None:
    what, name, *rest = skill.split("/")[1:]
    method = next(method for method in ground.book.dealing if method.name == name)
    hand = Side(rest[0]) if rest else ground.chance.pick(tuple(Side))
    lines = tuple(_lines(ground, hand))
    high_limit = method.area == "high-limit"
    bare = setup_for(
        ground, minimum=1_000, maximum=None, differential=None, method=name, high_limit=high_limit
    )
    if method.device == "player":
        bare = msgspec.structs.replace(bare, setup=msgspec.structs.replace(bare.setup, device="reader"))
    state = msgspec.structs.replace(bare, players=PATRONS[: len(lines)], round=closed_round(lines))
    return made_of(
        SqueezeFacts(lines=lines, method=name, hand=hand.value, high_limit=high_limit),
        (_right if what == "right" else _method)(ground, state, lines, method, hand),
        _reason(ground, state, lines, hand, method),
        _cost(ground, state, lines, hand, method),
        paragraphs=method.rules,
    )


def _lines(ground: Ground, hand: Side) -> Iterator[BetLine]:
    """Three patrons bet on the hand, one on the other, one has bets on both; one stands."""
    chance = ground.chance
    bets = [hand, hand, hand, hand.other, hand.other, chance.pick(tuple(Side))]
    standing = chance.below(5)
    for number, bet in enumerate(chance.shuffled(bets)):
        who = number % 5
        yield BetLine(
            patron=PATRONS[who],
            bet=bet.value,
            stake=chance.pick(range(5_000, 200_000, 500)),
            box=who + 1 if who != standing else (standing + 1) % 5 + 1,
            seated=who != standing,
            order=number + 1,
        )


def _right(
    ground: Ground, state: State, lines: tuple[BetLine, ...], _: Method, hand: Side
) -> Iterator[ItemPart | None]:
    rights, current = ground.book.squeeze, state.round
    line = in_line(state, current, hand) if current else []
    if not line or not _is_plain(ground, lines, hand, line[0]):
        return
    yield one_of("right", phrase("ask-right", hand=hand), line[0], _patrons(lines), rights.rules)
    leave = LEAVES[0] if rights.right == "largest-bet" else LEAVES[1]
    ways = {leave: phrase(f"leave-{leave}") for leave in LEAVES}
    yield one_of("leave", phrase("ask-leave"), leave, ways, rights.rules)


def _patrons(lines: tuple[BetLine, ...]) -> dict[str, Phrase]:
    return {person: phrase("patron", patron=person) for person in sorted({line.patron for line in lines})}


def _is_plain(ground: Ground, lines: tuple[BetLine, ...], hand: Side, first: str) -> bool:
    """No equal amounts, and one person however "highest" is read: interpretation 30 decides nothing."""
    rights = ground.book.squeeze
    counted = [line for line in lines if line.seated or not rights.seated_only]
    on_hand = [bet_line for bet_line in counted if bet_line.bet == hand.value]
    over = on_hand if rights.right != "largest-bet" else counted
    totals: dict[str, int] = {}
    for bet_line in over:
        totals[bet_line.patron] = totals.get(bet_line.patron, 0) + bet_line.stake
    best = sorted(totals.values(), reverse=True)[:2]
    if len(best) != len(set(best)) or totals.get(first) != best[0]:
        return False
    single = max(over, key=lambda bet_line: bet_line.stake)
    return rights.right != "largest-bet" or (
        single.patron == first and [bet_line.stake for bet_line in over].count(single.stake) == 1
    )


def _method(
    ground: Ground, state: State, lines: tuple[BetLine, ...], method: Method, hand: Side
) -> Iterator[ItemPart | None]:
    says = {holder: phrase(f"holder-{holder}") for holder in HOLDERS}
    device = "dealer" if method.device == "dealer" else "players"
    for part, holder in (("device", device), ("handles", method.handles)):
        yield one_of(part, phrase(f"ask-{part}", method=method.name), holder, says, method.rules)
    if method.device == "dealer":
        yield _turns(ground, state, lines, hand)
    if method.allowed_by is not None:
        asks = phrase("ask-allows", method=method.name)
        yield rank_part(ground.book, "allows", asks, method.allowed_by, method.rules)
    let = discretion(ground.book, "any-squeezer")
    if let is not None and may_squeeze(method):
        yield rank_part(ground.book, "lets", phrase("ask-lets"), let.rank, let.rules)


def _turns(ground: Ground, state: State, lines: tuple[BetLine, ...], hand: Side) -> ItemPart | None:
    """Who turns a hand's first card if nobody has asked for anything."""
    current = state.round
    if current is None:
        return None
    by_right = handlers(state, current, 1 if hand is Side.PLAYER else 2)
    if by_right and not _is_plain(ground, lines, hand, by_right[0]):
        return None
    says = {DEALER: phrase("holder-dealer"), **_patrons(lines)}
    rules = joined(state.setup.dealing.rules, ground.book.squeeze.rules)
    first = by_right[0] if by_right else DEALER
    return one_of("turns", phrase("ask-turns", hand=hand), first, says, rules)


def rank_part(book: Rulebook, name: str, asks: Phrase, right: str, rules: tuple[str, ...]) -> ItemPart | None:
    """Which rank may, the lowest that does: every rank of the ladder is there to choose."""
    says = {rank.name: phrase("rank", rank=rank.name) for rank in book.ranks}
    return one_of(name, asks, right, says, rules)


def _reason(
    ground: Ground, state: State, lines: tuple[BetLine, ...], hand: Side, method: Method
) -> Iterator[Because]:
    rights = ground.book.squeeze
    yield because("why-method", method.rules, method=method.name)
    if may_squeeze(method):
        if rights.right == "largest-bet":
            yield because("why-largest-bet", rights.rules)
        else:
            yield because("why-largest-total", rights.rules, hand=hand)
        if rights.seated_only:
            yield because("why-seated-only", rights.rules)
        first = _first_in_line(ground, state, lines, hand)
        if first is not None:
            yield because("so-first-in-line", rights.rules, **first)


def _first_in_line(
    ground: Ground, state: State, lines: tuple[BetLine, ...], hand: Side
) -> dict[str, str | int] | None:
    """Who has the right to a hand, and the amount that gives it."""
    line = in_line(state, state.round, hand) if state.round else []
    if not line:
        return None
    mine = [bet_line for bet_line in lines if bet_line.patron == line[0]]
    if ground.book.squeeze.right == "largest-bet":
        return {"patron": line[0], "cents": max(bet_line.stake for bet_line in mine)}
    return {
        "patron": line[0],
        "cents": sum(bet_line.stake for bet_line in mine if bet_line.bet == hand.value),
    }


def _cost(ground: Ground, state: State, lines: tuple[BetLine, ...], hand: Side, method: Method) -> Cost:
    """Bets are settled by the cards, whoever turns them: no money moves, a right or a method is broken."""
    first = _first_in_line(ground, state, lines, hand) if may_squeeze(method) else None
    if first is None:
        return cost("cost-of-method", 0, method=method.name)
    return cost("cost-of-right", 0, **first)
