"""The house itself: the key it is known by, and what it signs."""

from importlib.metadata import version

import msgspec
from litestar import get

from thirdcard.service.api.access import ANYBODY, Asking
from thirdcard.service.log.anchor import SignedHeads


class HouseKey(msgspec.Struct, frozen=True, kw_only=True):
    """`key` is the Ed25519 public key that the house signs with, in hex."""

    thirdcard: str
    key: str


@get("/house", opt=ANYBODY, summary="The public key of the house")
async def show_house(asking: Asking) -> HouseKey:
    return HouseKey(thirdcard=version("thirdcard"), key=asking.hall.heads.public)


@get("/heads", opt=ANYBODY, summary="Where every log ends, signed by the house, for anybody to keep")
async def show_heads(asking: Asking) -> SignedHeads:
    """A table's log as it was when every card on record had been seen.

    `thirdcard audit DATABASE --heads FILE` holds a kept answer against the log.
    """
    return asking.hall.heads.current()
