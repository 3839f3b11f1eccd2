"""What people send. A command is sent without its `by`: that is whoever is signed in."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Annotated, Any, get_args

import msgspec

from thirdcard.money import LARGEST_STAKE
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.tables.hall import NewTable
from thirdcard.service.tables.sealed_shoes import LONGEST_SEED
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand, Command


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Strict: nothing that is not asked for."""


def _asked(made: type[Command]) -> type[msgspec.Struct]:
    """The command as it is sent."""
    info = msgspec.structs.fields(made)
    fields: list[Any] = []
    for one in info:
        if one.encode_name == "by":
            continue
        if one.required:
            fields.append((one.name, one.type))
        elif isinstance(one.default, msgspec.Struct):
            fields.append((one.name, one.type, msgspec.field(default_factory=type(one.default))))
        elif one.default is not msgspec.NODEFAULT:
            fields.append((one.name, one.type, one.default))
        else:
            fields.append((one.name, one.type, msgspec.field(default_factory=one.default_factory)))
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
MOST_BYTES = 65_536


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


class SitDown(Body, frozen=True, kw_only=True):
    """Take a place with play money: `box` for a seat, left out to stand; `cents` to bring."""

    cents: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_STAKE)] = 0
    box: Annotated[int, msgspec.Meta(ge=1, le=64)] | None = None


class Credentials(Body, frozen=True, kw_only=True):
    name: Annotated[str, msgspec.Meta(max_length=200)]
    password: Annotated[str, msgspec.Meta(max_length=1000)]


class SignIn(Credentials, frozen=True, kw_only=True):
    """`code` of whoever has one-time codes: the one that the device shows, or a recovery code."""

    code: Annotated[str, msgspec.Meta(max_length=100)] = ""


class NewAccount(Credentials, frozen=True, kw_only=True):
    """`role` by an administrator only; without it a player's account is made."""

    role: str = "player"


class ChangeAccount(Body, frozen=True, kw_only=True):
    """`codes`: false takes the one-time codes off."""

    role: str | None = None
    password: Annotated[str, msgspec.Meta(max_length=1000)] | None = None
    disabled: bool | None = None
    codes: bool | None = None


class ChangePassword(Body, frozen=True, kw_only=True):
    old: Annotated[str, msgspec.Meta(max_length=1000)]
    new: Annotated[str, msgspec.Meta(max_length=1000)]


class Call(Body, frozen=True, kw_only=True):
    """The dealer asks for a supervisor."""

    note: Annotated[str, msgspec.Meta(max_length=200)] = ""


__all__ = ["AskedCommand", "NewTable", "Pace", "command_of", "commands"]
