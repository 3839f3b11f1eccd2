"""Rules and odds over HTTP: the same values as `thirdcard rules`, `ruling`, `odds` and `insurance` print."""

import asyncio
from collections import Counter
from functools import lru_cache
from typing import Annotated, Any, TypeAlias

import msgspec
from litestar import MediaType, Request, Response, Router, get
from litestar.params import FromPath, FromQuery, QueryParameter

from thirdcard.cards import Card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.odds import bets, offers, shoe, values
from thirdcard.odds.plain import bets_json, offer_json
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.diff import diff
from thirdcard.rulebook.load import encode
from thirdcard.rulebook.lookup import listing, only_layout
from thirdcard.rulebook.model import Noticed, Rulebook, Stage
from thirdcard.rulebook.rulings import facts_asked, find_case, rule_on
from thirdcard.rulebook.trace import interpretations, trace
from thirdcard.service.api.access import ANYBODY, hall_of, person_of
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.tables import table_of
from thirdcard.service.log.store import Store
from thirdcard.service.people.roles import allowed
from thirdcard.service.tables.live import Live, RoundRecord, unseen

AnyRequest = Request[Any, Any, Any]
Decks = Annotated[int, QueryParameter(ge=1, le=8)]
Letter = Annotated[str | None, QueryParameter(max_length=2)]
Seen = Annotated[str, QueryParameter(max_length=416 * 3)]
MOST_ROUNDS = 200  # no shoe has that many
YesNo: TypeAlias = FromQuery[bool | None]


def book_of(slug: str) -> Rulebook:
    if slug not in slugs():
        raise Wrong(404, "no-such-rulebook", f"there is no rulebook {slug!r}: they are {', '.join(slugs())}")
    return load(slug)


def plain(value: object) -> Response[Any]:
    """JSON of our own values, with fractions and odds as text."""
    return Response(msgspec.json.encode(value, enc_hook=encode), media_type=MediaType.JSON)


@get("/rules", opt=ANYBODY, summary="The rulebooks")
async def list_rules() -> Response[Any]:
    return plain(listing())


@get("/rules/{slug:str}", opt=ANYBODY, summary="A whole rulebook, every value with its paragraphs")
async def show_rules(slug: FromPath[str], layout: Letter = None) -> Response[Any]:
    book = book_of(slug)
    return plain(only_layout(book, layout) if layout is not None else book)


@get("/rules/{slug:str}/trace", opt=ANYBODY, summary="Where each paragraph is carried")
async def show_trace(slug: FromPath[str]) -> Response[Any]:
    book_of(slug)
    return plain([entry for entry in trace() if entry.slug == slug])


@get("/rules/{slug:str}/diff/{other:str}", opt=ANYBODY, summary="What another rulebook changes")
async def show_diff(slug: FromPath[str], other: FromPath[str]) -> Response[Any]:
    return plain(diff(book_of(slug), book_of(other)))


@get("/rules/{slug:str}/rulings", opt=ANYBODY, summary="The irregularities that a rulebook knows")
async def list_rulings(slug: FromPath[str]) -> Response[Any]:
    return plain([{"case": p.case, "title": p.title, "rules": p.rules} for p in book_of(slug).procedures])


@get("/rules/{slug:str}/rulings/{case:str}", opt=ANYBODY, summary="The ruling on an irregularity")
async def show_ruling(  # noqa: PLR0913, PLR0917 - each is a fact that may matter
    slug: FromPath[str],
    case: FromPath[str],
    noticed: FromQuery[Noticed | None] = None,
    stage: FromQuery[Stage | None] = None,
    card_drawn: YesNo = None,
    outcome_established: YesNo = None,
    reconstructable: YesNo = None,
    order_known: YesNo = None,
    values_known: YesNo = None,
    still_on_offer: YesNo = None,
) -> Response[Any]:
    """For the facts that are given; while others are open, every ruling that is left."""
    given: dict[str, str | bool | None] = {
        "noticed": noticed,
        "stage": stage,
        "card_drawn": card_drawn,
        "outcome_established": outcome_established,
        "reconstructable": reconstructable,
        "order_known": order_known,
        "values_known": values_known,
        "still_on_offer": still_on_offer,
    }
    facts = {name: value for name, value in given.items() if value is not None}
    asked = facts_asked(find_case(book_of(slug), case))
    for name, value in facts.items():
        if value not in asked.get(name, (value,)):
            raise BadInput(f"{case} does not come up with {name.replace('_', ' ')} {value}")
    return plain(rule_on(book_of(slug), case, facts))


@get("/interpretations", opt=ANYBODY, summary="What the documents leave open, and how it is read here")
async def list_interpretations() -> Response[Any]:
    return plain(interpretations())


# Odds ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _odds(slug: str, layout: str | None, decks: int, seen: tuple[Card, ...]) -> bytes:
    book = load(slug)
    left = shoe(book, decks, seen)
    worth = values(book, left, bets.bets_on(book, layout))
    answer = {"decks": decks, "cards_left": left.cards, "bets": bets_json(worth)}
    return msgspec.json.encode(answer, enc_hook=encode)


@lru_cache(maxsize=64)
def _insurance(slug: str, decks: int, seen: tuple[Card, ...]) -> bytes:
    book = load(slug)
    if book.insurance is None:
        raise BadInput(f"{slug} has no insurance")
    found = offers(book, shoe(book, decks, seen))
    return msgspec.json.encode([offer_json(one) for one in found], enc_hook=encode)


def _gone(seen: str) -> tuple[Card, ...]:
    """In an order of our own, so that the same cards are worked out once."""
    return tuple(sorted(parse_cards(seen), key=lambda card: card.value))


async def _worked_out(request: AnyRequest, work: Any, *args: object) -> Response[Any]:  # noqa: ANN401
    """One at a time, away from the event loop."""
    async with request.app.state.working:
        found = await asyncio.to_thread(work, *args)
    return Response(found, media_type=MediaType.JSON)


@get("/odds/{slug:str}", opt=ANYBODY, summary="The exact odds of every bet")
async def show_odds(
    request: AnyRequest, slug: FromPath[str], layout: Letter = None, decks: Decks = 8, seen: Seen = ""
) -> Response[Any]:
    book_of(slug)
    return await _worked_out(request, _odds, slug, layout, decks, _gone(seen))


@get(
    "/insurance/{slug:str}",
    opt=ANYBODY,
    summary="Every insurance offer: how often it comes up, what it is worth",
)
async def show_insurance(
    request: AnyRequest, slug: FromPath[str], decks: Decks = 8, seen: Seen = ""
) -> Response[Any]:
    book_of(slug)
    return await _worked_out(request, _insurance, slug, decks, _gone(seen))


@get("/tables/{table:str}/odds", opt=ANYBODY, summary="The exact odds of the cards left in the shoe")
async def show_live_odds(request: AnyRequest, table: FromPath[str]) -> Response[Any]:
    """Of cards that everybody has seen; where the table lets players see them, else for staff alone."""
    hall = hall_of(request)
    live = table_of(hall, table)
    person = await person_of(request)
    staff = person is not None and allowed(person.role, "staff")
    if not staff and not (live.created and live.created.live_odds):
        raise Wrong(403, "no-live-odds", "this table does not show the odds of its shoe")
    setup, state = live.table.setup, live.table
    if state.shoe is None:
        raise Wrong(404, "no-shoe", "there is no shoe in use")
    seen = await hall.engine.reading(seen_cards, hall.engine.store, live)
    return await _worked_out(request, _odds, setup.rulebook, setup.layout, state.shoe.size // 52, seen)


def seen_cards(store: Store, live: Live) -> tuple[Card, ...]:
    """The cards of the shoe in use that everybody has seen, in an order of our own.

    A round may leave cards that were never turned, so where cards lie face down only those count that finished
    rounds have shown.
    """
    state, current = live.table, live.table.round
    assert state.shoe is not None  # asked for while there is one
    if not state.setup.dealing.face_down and not live.unturned:
        counts = Counter(state.shoe.drawn)
        counts.subtract(card.value for card in unseen(state))
        return _in_order(counts)
    shown: list[Card | None] = [one.name for one in state.shoe.waiting if one.face_up]
    for row in store.rounds(live.id, limit=MOST_ROUNDS):
        record = msgspec.json.decode(row.body, type=RoundRecord)
        if record.shoe == state.shoe.number and (current is None or record.number != current.number):
            shown += [one.card for one in record.cards]
    if current is not None and current.shoe == state.shoe.number:
        shown += [one.name for one in current.drawn if one.face_up]
    return _in_order(Counter(card.value for card in shown if card is not None))


def _in_order(counts: Counter[str]) -> tuple[Card, ...]:
    return tuple(Card(name) for name in sorted(counts) for _ in range(counts[name]))


ROUTES = [
    list_rules, show_rules, show_trace, show_diff, list_rulings, show_ruling, list_interpretations, show_odds,
    show_insurance, show_live_odds,
]  # fmt: skip
router = Router("", route_handlers=ROUTES, tags=["rules and odds"])
