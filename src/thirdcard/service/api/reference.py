"""Rules and odds over HTTP: the same values as `thirdcard rules`, `ruling`, `odds` and `insurance` print.

A rulebook that the house is given is checked first.
"""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from thirdcard.answers import told
from thirdcard.cards import Card, Rank, parse_cards
from thirdcard.errors import BadInput
from thirdcard.odds import Value, bet_values, offers, shoe, values
from thirdcard.odds.bet_values import edges
from thirdcard.odds.changes import changes, rules_diff, usual_decks
from thirdcard.odds.sheet import OddsAnswer
from thirdcard.play.settlement import DEFAULT_DECKS
from thirdcard.rulebook import digest_of, named, slugs
from thirdcard.rulebook.diff import diff
from thirdcard.rulebook.findings import Finding, RulebookError
from thirdcard.rulebook.forms import encode
from thirdcard.rulebook.load import catalogue, check
from thirdcard.rulebook.lookup import ListedRulebook, identity, listing, only_layout
from thirdcard.rulebook.model import Facts, Noticed, Rulebook, Stage
from thirdcard.rulebook.rulings import facts_asked, find_case, list_cases, rule_on
from thirdcard.rulebook.trace import interpretations, trace
from thirdcard.service.api.access import ANYBODY, AnyRequest, Asking, AtTable, needs
from thirdcard.service.api.bodies import Body, takes
from thirdcard.service.api.problems import Wrong
from thirdcard.service.people.roles import allowed
from thirdcard.service.queries.chances import seen_cards
from thirdcard.words.saying import say

Letter = Annotated[str | None, QueryParameter(max_length=2)]
Seen = Annotated[str, QueryParameter(max_length=2_000)]  # ten decks fit
YesNo: TypeAlias = FromQuery[bool | None]


def book_of(slug: str) -> Rulebook:
    """The rulebook of a slug, or one text of it by `slug@digest`; never a file."""
    try:
        return named(slug)
    except BadInput:
        raise Wrong(
            404, "no-such-rulebook", say("no-such-rulebook", slug=slug[:80], slugs=tuple(slugs()))
        ) from None


def plain(value: object) -> Response[Any]:
    """JSON of our own values, with fractions and odds as text."""
    return Response(msgspec.json.encode(value, enc_hook=encode), media_type=MediaType.JSON)


def described(schema: str, book: Rulebook, value: object) -> Response[Any]:
    """The same of something that a rulebook says, with the text that says it."""
    return plain(identity(schema, book) | msgspec.to_builtins(value, enc_hook=encode))


def found() -> list[ListedRulebook]:
    """Everything that was found; of a folder only its name, since where it lies is the house's business."""
    return [
        msgspec.structs.replace(rulebook, where=Path(rulebook.where).name)
        if rulebook.origin == "folder"
        else rulebook
        for rulebook in listing()
    ]


@get(
    ["/rules", "/rulebooks"], opt=ANYBODY, summary="Every rulebook that was found, from where, and its digest"
)
async def list_rules(request: AnyRequest) -> Response[Any]:
    return plain(await request.app.state.workers.do(found))


@get("/rules/{slug:str}", opt=ANYBODY, summary="A whole rulebook, every value with its paragraphs")
async def show_rules(slug: FromPath[str], layout: Letter = None) -> Response[Any]:
    book = book_of(slug)
    return described("rules.show", book, book if layout is None else only_layout(book, layout))


@get("/rules/{slug:str}/trace", opt=ANYBODY, summary="Where each paragraph is carried")
async def show_trace(slug: FromPath[str]) -> Response[Any]:
    book_of(slug)
    return plain([entry for entry in trace() if entry.slug == slug])


@get("/rules/{slug:str}/diff/{other:str}", opt=ANYBODY, summary="What another rulebook changes")
async def show_diff(request: AnyRequest, slug: FromPath[str], other: FromPath[str]) -> Response[Any]:
    """What it says otherwise, and what that does to money."""
    return await _worked_out(request, _diff, book_of(slug), book_of(other))


@get("/rules/{slug:str}/rulings", opt=ANYBODY, summary="The irregularities that a rulebook knows")
async def list_rulings(slug: FromPath[str]) -> Response[Any]:
    return plain(list_cases(book_of(slug)))


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
    given: dict[str, str | bool | None] = locals()
    facts = {name: value for name in Facts.__struct_fields__ if (value := given[name]) is not None}
    asked = facts_asked(find_case(book_of(slug), case))
    for name, value in facts.items():
        if value not in asked.get(name, (value,)):
            raise BadInput(say("case-does-not-come-up", case=case, what=name.replace("_", " "), what2=value))
    return described("ruling", book_of(slug), rule_on(book_of(slug), case, facts))


@get("/interpretations", opt=ANYBODY, summary="What the documents leave open, and how it is read here")
async def list_interpretations() -> Response[Any]:
    return plain(interpretations())


# Odds ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _odds(book: Rulebook, layout: str | None, decks: int, seen: tuple[Card, ...]) -> bytes:
    left = shoe(book, decks, seen)
    bets = bet_values.bets_on(book, layout)
    worth, before = values(book, left, bets), _of_fresh(book, decks)
    answer = OddsAnswer(
        decks=decks,
        seen=tuple(map(str, seen)),
        cards_left=left.cards,
        ranks=dict(zip(Rank, left.ranks, strict=True)),
        bets=worth,
        fresh=edges({bet: before[bet] for bet in bets}),
    )
    return msgspec.json.encode(identity("odds", book) | told(answer), enc_hook=encode)


@lru_cache(maxsize=64)
def _of_fresh(book: Rulebook, decks: int) -> dict[str, Value]:
    """What every bet is worth before the first card."""
    return values(book, shoe(book, decks))


@lru_cache(maxsize=64)
def _diff(before: Rulebook, after: Rulebook) -> bytes:
    money = changes(before, after, usual_decks(before, after))
    answer = rules_diff(before, diff(before, after), money)
    return msgspec.json.encode(identity("rules.diff", after) | told(answer), enc_hook=encode)


@lru_cache(maxsize=64)
def _insurance(book: Rulebook, decks: int, seen: tuple[Card, ...]) -> bytes:
    if book.insurance is None:
        raise BadInput(say("no-insurance", slug=book.slug))
    found = offers(book, shoe(book, decks, seen))
    return msgspec.json.encode(told(found), enc_hook=encode)


def _gone(seen: str) -> tuple[Card, ...]:
    """In an order of our own, so that the same cards are worked out once."""
    return tuple(sorted(parse_cards(seen), key=lambda card: card.value))


async def _worked_out(request: AnyRequest, work: Any, *args: object) -> Response[Any]:  # noqa: ANN401
    """By the process beside, in turn."""
    found = await request.app.state.workers.apart(work, *args)
    return Response(found, media_type=MediaType.JSON)


@get("/odds/{slug:str}", opt=ANYBODY, summary="The exact odds of every bet")
async def show_odds(
    request: AnyRequest,
    slug: FromPath[str],
    layout: Letter = None,
    decks: FromQuery[int] = DEFAULT_DECKS,
    seen: Seen = "",
) -> Response[Any]:
    return await _worked_out(request, _odds, book_of(slug), layout, decks, _gone(seen))


@get(
    "/insurance/{slug:str}",
    opt=ANYBODY,
    summary="Every insurance offer: how often it comes up, what it is worth",
)
async def show_insurance(
    request: AnyRequest, slug: FromPath[str], decks: FromQuery[int] = DEFAULT_DECKS, seen: Seen = ""
) -> Response[Any]:
    return await _worked_out(request, _insurance, book_of(slug), decks, _gone(seen))


@get("/tables/{table:str}/odds", opt=ANYBODY, summary="The exact odds of the cards left in the shoe")
async def show_live_odds(request: AnyRequest, at: AtTable) -> Response[Any]:
    """Of cards that everybody has seen; where the table lets players see them, else for staff alone."""
    staff = at.viewer is not None and allowed(at.viewer.role, "staff")
    if not staff and not (at.live.created and at.live.created.live_odds):
        raise Wrong(403, "no-live-odds", say("odds-not-shown"))
    setup, in_use = at.live.table.setup, at.live.table.shoe
    if in_use is None:
        raise Wrong(404, "no-shoe", say("no-shoe-in-use"))
    seen = seen_cards(at.live.table)
    return await _worked_out(request, _odds, setup.book, setup.layout, in_use.decks, seen)


# Rulebooks of the house -------------------------------------------------------------------------------


MOST_BYTES = 262_144  # of a body that holds a rulebook; those of the package have a tenth of it


class NewRulebook(Body, frozen=True, kw_only=True):
    """A rulebook's text, and what its file is called; what it extends is named by slug, never a file."""

    file: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    text: str


class TakenRulebook(msgspec.Struct, frozen=True, kw_only=True):
    """The house has it; `findings` are what is to be said of it all the same."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    findings: list[Finding]


@post("/rulebooks", opt=needs("add-rulebook"), request_max_body_size=MOST_BYTES, **takes(NewRulebook), summary="Give the house a rulebook, or a new text of one")  # fmt: skip
async def add_rulebook(request: AnyRequest, asking: Asking, data: JSONBody[NewRulebook]) -> TakenRulebook:
    """Checked first. Tables that are opened later play by it; those that run keep the text they have."""
    file = Path(data.file).name or "rulebook.toml"
    workers = request.app.state.workers
    book, findings = await workers.apart(check, file, data.text)
    clash = await workers.do(lambda: _clash(book)) if book is not None else ""
    faults = [finding for finding in findings if finding.level == "fault"]
    if book is None or faults:
        told = str(RulebookError(file, faults))
        raise Wrong(422, "bad-rulebook", told, findings=tuple(findings))
    if clash:
        raise Wrong(409, "rulebook-exists", clash, findings=tuple(findings))
    await asking.hall.add_rulebook(book, file, by=asking.person.name)
    return TakenRulebook(**identity("rulebook", book), findings=findings)


def _clash(book: Rulebook) -> str:
    """Why the house cannot be given it: its slug is that of a text which was not given to the house."""
    for entry in catalogue():
        own = entry.origin == "server" or (entry.book and digest_of(entry.book) == digest_of(book))
        if entry.slug == book.slug and not own:
            return f"another rulebook is called {book.slug} ({entry.origin}): give this one another slug"
    return ""
