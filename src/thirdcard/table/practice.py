"""A table for practice: who trains at it, at which post, and what its people do by a seed."""

from typing import Literal, TypeAlias

import msgspec

Post: TypeAlias = Literal["desk", "pit"]


class Practice(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """A shift as it was asked for; `trouble` is the percentage of rounds in which something goes wrong."""

    trainee: str
    post: Post
    seed: int
    rounds: int
    patrons: int
    trouble: int
