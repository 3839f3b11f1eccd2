"""Money on the floor over HTTP: counts by chip, fills and credits on numbered slips, differences that are answered."""

from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from thirdcard.service.api.access import AnyRequest, AtTable, TableVisit, needs
from thirdcard.service.api.asking import Accepted
from thirdcard.service.api.bodies import Body, Name, PinText, takes
from thirdcard.service.api.consoles import by_pin
from thirdcard.service.api.tables import carried_out
from thirdcard.service.log.floor_events import SlipKind
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import floats
from thirdcard.service.tables.money import Money, worth

Count = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
Pieces = Annotated[dict[int, Count], msgspec.Meta(max_length=16)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
Counted = Literal["opening", "closing", "check", "drop"]


class Signed(Body, frozen=True, kw_only=True):
    """The second of two people, by PIN; the first is signed in."""

    person: Name
    pin: PinText


class FirstCount(Body, frozen=True, kw_only=True):
    """Chips by value in cents; `1` is coins, in cents."""

    why: Counted
    pieces: Pieces


class SignedCount(Signed, frozen=True, kw_only=True):
    """`first` is what the count before it came to, in cents, where that differed."""

    why: Counted
    pieces: Pieces
    first: int | None = None


class CountChecked(msgspec.Struct, frozen=True, kw_only=True):
    """What was counted, and by how much that is not what the books come to; `off` is None if they do not tell."""

    counted: int
    off: int | None


class NewSlip(Body, frozen=True, kw_only=True):
    what: SlipKind
    pieces: Pieces


class VoidSlip(Signed, frozen=True, kw_only=True):
    reason: Text


class Answer(Body, frozen=True, kw_only=True):
    """`at`: when that count was, in microseconds."""

    at: int
    answer: Text


@get(
    "/tables/{table:str}/money", opt=needs("staff"), summary="Slips, and differences that wait for an answer"
)
async def show_money(at: AtTable) -> Money:
    """What the float should come to is told nobody before it is counted."""
    return at.live.money


@post("/tables/{table:str}/counts/check", opt=needs("staff"), status_code=200, **takes(FirstCount), summary="Whether a full count is what the books come to")  # fmt: skip
async def check_count(at: AtTable, data: JSONBody[FirstCount]) -> CountChecked:
    """Nothing is put on record."""
    counted, expected = worth(data.pieces), floats.expected(at.live, data.why)
    return CountChecked(counted=counted, off=None if expected is None else counted - expected)


@post("/tables/{table:str}/counts", opt=needs("staff"), status_code=200, **takes(SignedCount), summary="The float or the drop, counted by two people")  # fmt: skip
async def count(request: AnyRequest, at: AtTable, data: JSONBody[SignedCount]) -> Accepted:
    """A difference opens a case, which a supervisor answers in writing."""
    other = await _signs(request, at, data)
    return await carried_out(at, floats.count(at.person, other, data.why, data.pieces, data.first))


@post("/tables/{table:str}/slips", opt=needs("deal"), status_code=200, **takes(NewSlip), summary="Ask for a fill or a credit: it gets a number")  # fmt: skip
async def ask_slip(at: AtTable, data: JSONBody[NewSlip]) -> Accepted:
    return await carried_out(at, floats.ask_slip(at.person, data.what, data.pieces))


@post("/tables/{table:str}/slips/{number:int}/done", opt=needs("deal"), status_code=200, **takes(Signed), summary="The chips of a slip were counted and signed for by two people")  # fmt: skip
async def finish_slip(
    request: AnyRequest, at: AtTable, number: FromPath[int], data: JSONBody[Signed]
) -> Accepted:
    """The float counts them from here on."""
    other = await _signs(request, at, data)
    return await carried_out(at, floats.finish_slip(at.person, other, number))


@post("/tables/{table:str}/slips/{number:int}/void", opt=needs("deal"), status_code=200, **takes(VoidSlip), summary="A slip is void; its number stays on record")  # fmt: skip
async def void_slip(
    request: AnyRequest, at: AtTable, number: FromPath[int], data: JSONBody[VoidSlip]
) -> Accepted:
    other = await _signs(request, at, data)
    return await carried_out(at, floats.void_slip(at.person, other, number, data.reason))


@post("/tables/{table:str}/differences", opt=needs("staff"), status_code=200, **takes(Answer), summary="Answer in writing why a count was not what the books came to")  # fmt: skip
async def answer_difference(at: AtTable, data: JSONBody[Answer]) -> Accepted:
    return await carried_out(at, floats.answer_difference(at.person, data.at, data.answer))


async def _signs(request: AnyRequest, at: TableVisit, data: Signed) -> Person:
    account = await by_pin(request, at, data.person, data.pin)
    return Person(name=account.name, role=account.role)
