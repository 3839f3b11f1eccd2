"""What an audit cannot tell, and why; everything else that is stored it holds against something."""

import msgspec


class Uncovered(msgspec.Struct, frozen=True):
    """What of a table of the store somebody may change without being found out; `rows` come and go."""

    table: str
    columns: tuple[str, ...]
    why: str
    rows: bool = False


UNCOVERED = (
    Uncovered(
        "sessions",
        ("token_hash", "created", "seen"),
        "who is signed in is in no log: whoever can write to the database can sign others out",
        rows=True,
    ),
    Uncovered(
        "accounts",
        ("created", "failures", "locked_until"),
        "no note has the time to the microsecond, and wrong passwords are counted here alone",
    ),
    Uncovered(
        "learning",
        ("person", "kind", "version", "body"),
        "what people have learnt is told to them, and no log depends on it",
        rows=True,
    ),
    Uncovered(
        "reviews",
        ("person", "number", "at", "body"),
        "what they answered in the school is as well",
        rows=True,
    ),
    Uncovered(
        "left_notes",
        ("number", "body"),
        "what a command leaves for a running server is in its journal within a second",
        rows=True,
    ),
    Uncovered("results", ("time",), "how long people play is told to them, and no log depends on it"),
    Uncovered("tallies", ("time",), "it sums that up"),
    Uncovered("postings", ("n",), "it only orders what one event moved"),
    Uncovered(
        "events", ("seq",), "where several processes write, the order among tables is kept nowhere else"
    ),
    Uncovered(
        "leases",
        ("stream", "holder", "term", "until"),
        "which process deals at a table for the next seconds is kept nowhere else",
        rows=True,
    ),
)
# What no column tells.
BESIDES = (
    "answers to refused commands, and those that earlier releases gave",
    "guests who are gone",
    "unused parts of a file",
)
