"""What people send, read strictly: a key given twice, NaN, `1.0`, `true` or `"5"` for an amount are errors.

A command is sent without its `by`: that is whoever is signed in.
"""

import json
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from litestar.dto import AbstractDTO, DTOFieldDefinition
from litestar.openapi.spec import Reference, Schema
from litestar.typing import FieldDefinition

from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.money import LARGEST_STAKE
from thirdcard.play.tableau import LONGEST
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.queries.chips import OfChips
from thirdcard.service.tables.hall import NewTable
from thirdcard.service.tables.sealed_shoes import LONGEST_SEED
from thirdcard.strict import Bounds, bounded, decodable, decoded
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand, Command, why_unreadable
from thirdcard.table.state import Inputs

T = TypeVar("T")


MOST_BYTES = 65_536
BODY = Bounds(MOST_BYTES, values=5_000, depth=20, digits=20)


def decode(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """A value of the decoder's type; BadInput says what is wrong with the text, first of all that it is too much."""
    try:
        bounded(body, BODY)
    except BadInput as error:
        raise BadInput(f"the body cannot be read: {error}") from None
    value = typed(body, decoder)
    try:
        decoded(body)  # only to see that no key is given twice
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadInput(f"the body cannot be read: {error}") from None
    return value


def typed(body: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[T]) -> T:
    """The same for a part of a text that `decode` has read."""
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(f"the body cannot be read: {why_unreadable(error)}") from None
    except RecursionError:
        raise BadInput("the body is nested too deeply") from None


class StrictBody(AbstractDTO[T]):
    """Lets Litestar hand a body to `decode` and still describe its type in the OpenAPI document."""

    decoder: msgspec.json.Decoder[Any]

    def decode_bytes(self, value: bytes) -> Any:  # noqa: ANN401
        return decode(value, self.decoder)

    @classmethod
    def create_for_field_definition(
        cls, field_definition: FieldDefinition, handler_id: str, backend_cls: object = None
    ) -> None:
        """There is nothing to prepare."""

    @classmethod
    def create_openapi_schema(
        cls,
        field_definition: FieldDefinition,
        handler_id: str,  # noqa: ARG003
        schema_creator: Any,  # noqa: ANN401
    ) -> Reference | Schema:
        made: Reference | Schema = schema_creator.for_field_definition(field_definition)
        return made

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> list[DTOFieldDefinition]:  # type: ignore[override]  # noqa: ARG003
        return []

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:  # noqa: ARG003
        return False


def takes(wanted: Any) -> dict[str, Any]:  # noqa: ANN401
    """For a route: its body is of this type."""
    made = type("Strict", (StrictBody,), {"decoder": msgspec.json.Decoder(decodable(wanted), strict=True)})
    return {"dto": made, "return_dto": None}


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Strict: nothing that is not asked for."""


def _asked(made: type[Command]) -> type[msgspec.Struct]:
    """The command as it is sent."""
    info = msgspec.structs.fields(made)
    fields: list[Any] = []
    for field_info in info:
        if field_info.encode_name == "by":
            continue
        if field_info.required:
            fields.append((field_info.name, field_info.type))
        elif isinstance(field_info.default, msgspec.Struct):
            fields.append(
                (field_info.name, field_info.type, msgspec.field(default_factory=type(field_info.default)))
            )
        elif field_info.default is not msgspec.NODEFAULT:
            fields.append((field_info.name, field_info.type, field_info.default))
        else:
            fields.append(
                (field_info.name, field_info.type, msgspec.field(default_factory=field_info.default_factory))
            )
    return msgspec.defstruct(
        f"Ask{made.__name__}",
        fields,
        tag_field="command",
        tag=made.__struct_config__.tag,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        omit_defaults=True,
        namespace={"__doc__": made.__doc__},
    )


MADE: dict[type, type[Command]] = {_asked(made): made for made in get_args(AnyCommand)}
AskedCommand: Any = reduce(or_, MADE)  # the union of all that can be sent
MOST_TOGETHER = 100  # as many bets as somebody can have on a layout
AskedTogether = Annotated[list[AskedCommand], msgspec.Meta(min_length=1, max_length=MOST_TOGETHER)]
Asked: Any = AskedCommand | AskedTogether  # one command, or several that are done whole or not at all
KEY_PATTERN = r"^[!-~]+$"


def command_of(asked: msgspec.Struct, by: str) -> AnyCommand:
    """The command, said by whoever is signed in."""
    made: Callable[..., AnyCommand] = MADE[type(asked)]  # type: ignore[assignment]
    return made(by=by, **{name: getattr(asked, name) for name in asked.__struct_fields__})


class AskedOverSocket(Body, frozen=True, kw_only=True):
    """A message of the socket: what would be the header and the body of a request."""

    key: Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=KEY_PATTERN)]
    ask: msgspec.Raw


class AddSeed(Body, frozen=True, kw_only=True):
    """What a seated player adds to the shoe that comes next: printable characters, on one line."""

    seed: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_SEED)]


class SayReady(Body, frozen=True, kw_only=True):
    """Whether the rest of the time to bet is needed no more."""

    ready: bool = True


class SitDown(Body, frozen=True, kw_only=True):
    """Take a place with play money of your wallet: `box` for a seat, left out to stand; `cents` to bring.

    `usual` in place of them brings what is usual, if you have no chips there: half of the wallet, more or less.
    """

    cents: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_STAKE)] = 0
    usual: bool = False
    box: Annotated[int, msgspec.Meta(ge=1, le=64)] | None = None


class Credentials(Body, frozen=True, kw_only=True):
    name: Annotated[str, msgspec.Meta(max_length=200)]
    password: Annotated[str, msgspec.Meta(max_length=1000)]


class Nickname(Body, frozen=True, kw_only=True):
    """What others see of you."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class SignIn(Credentials, frozen=True, kw_only=True):
    """`code` of whoever has one-time codes: the one that the device shows, or a recovery code."""

    code: Annotated[str, msgspec.Meta(max_length=100)] = ""


class NewAccount(Credentials, frozen=True, kw_only=True):
    """`role` by an administrator only; without it a player's account is made."""

    role: str = "player"


class ChangeAccount(Body, frozen=True, kw_only=True):
    """`codes`: false takes the one-time codes off. `locked`: false lets who was barred try again.

    Nobody who is dealing is signed out by it unless `even_on_duty`.
    """

    role: str | None = None
    password: Annotated[str, msgspec.Meta(max_length=1000)] | None = None
    disabled: bool | None = None
    codes: bool | None = None
    locked: bool | None = None
    even_on_duty: bool = False


class ChangePassword(Body, frozen=True, kw_only=True):
    old: Annotated[str, msgspec.Meta(max_length=1000)]
    new: Annotated[str, msgspec.Meta(max_length=1000)]


PinText = Annotated[str, msgspec.Meta(max_length=16)]
Name = Annotated[str, msgspec.Meta(max_length=64)]


class SetPin(Body, frozen=True, kw_only=True):
    """Six digits, neither all alike nor a run."""

    password: Annotated[str, msgspec.Meta(max_length=1000)]
    pin: PinText


class Confirmed(Body, frozen=True, kw_only=True):
    """A command that `person` asks for, by PIN, at the desk of whoever is signed in there."""

    person: Name
    pin: PinText
    command: AskedCommand


AskedOfChips: Any = reduce(or_, (asked for asked, made in MADE.items() if made in get_args(OfChips)))


class AskedChips(Body, frozen=True, kw_only=True):
    """Ways in which somebody might record what lies there, or does no more."""

    commands: Annotated[list[AskedOfChips], msgspec.Meta(max_length=8)]


class DutyHandOver(Body, frozen=True, kw_only=True):
    """The dealer `to` takes the table over and proves it by PIN; `counted` is the float in cents."""

    to: Name
    pin: PinText
    counted: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_STAKE)] | None = None


class Relief(Body, frozen=True, kw_only=True):
    """When the dealer is to be relieved, in microseconds of UTC, 0 for not at all; by whom, if that is known."""

    at: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    dealer: Name = ""


Words = Annotated[str, msgspec.Meta(max_length=200)]


class NewPatron(Body, frozen=True, kw_only=True):
    """A walk-in: `name` as in W-Tan, the next number without one; `description` for staff alone."""

    name: Name = ""
    description: Words = ""
    box: Annotated[int, msgspec.Meta(ge=1, le=64)] | None = None
    cents: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_STAKE)] = 0


class Described(Body, frozen=True, kw_only=True):
    description: Words


class TypedInputs(Body, frozen=True, kw_only=True):
    """What a ruling would say."""

    inputs: Inputs = msgspec.field(default_factory=Inputs)


class TypedCards(Body, frozen=True, kw_only=True):
    """The cards of the round as they lie, in the order drawn; null for one that nobody has seen."""

    cards: Annotated[list[Card | None], msgspec.Meta(min_length=1, max_length=LONGEST)]


class Call(Body, frozen=True, kw_only=True):
    """The dealer asks for a supervisor."""

    note: Annotated[str, msgspec.Meta(max_length=200)] = ""


__all__ = ["AskedCommand", "NewTable", "Pace", "command_of", "commands"]
