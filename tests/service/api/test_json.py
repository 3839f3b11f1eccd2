"""JSON that is not what was asked for: a 4xx that says so, and no event."""

import types
import typing
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest

from each import each
from service.api.serving import PASSWORD, Asking, Served, is_problem
from service.houses import new_table
from thirdcard.cards import Card
from thirdcard.money import LARGEST_STAKE
from thirdcard.rulebook.model import Side
from thirdcard.service.api import bodies

pytestmark = pytest.mark.server

COMMANDS = {str(made.__struct_config__.tag): asked for asked, made in bodies.MADE.items()}

# What stands where something else belongs, as it is written in JSON.
ODD_NUMBERS = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1.0",
    "1e3",
    "-0.0",
    "1e400",
    '"5"',
    "true",
    "0x10",
    "+1",
    "01",
    ".5",
]
NO_NUMBERS = [*ODD_NUMBERS, "[]", "{}", '""', "9" * 5000]
HUGE = ["-1", str(10**30), str(-(10**30)), str(2**63), str(2**64)]
NO_TEXT = ["5", "true", "[]", "{}", "1.5", "'single'", '"\\ud800"', '"\x01"', "unquoted"]
NO_BOOLEAN = ["0", "1", '"true"', '"yes"', "[]", "True"]
NO_CARD = ['"XX"', '"9c"', '"10C"', '""', "9", '["9C"]', '"9C "']
NO_CHOICE = ['"neither"', '"Player"', "5", "true"]
NO_ARRAY = ["5", "true", '"1"', "{}", "[1,]", "[", "[[]]"]


def wrong(kind: Any) -> Iterator[str]:  # noqa: ANN401
    """What is no value of a type, whatever the table says to the others."""
    origin, inner = get_origin(kind), get_args(kind)
    plain: dict[Any, list[str]] = {
        int: NO_NUMBERS,
        str: NO_TEXT,
        bool: NO_BOOLEAN,
        Card: NO_CARD,
        Side: NO_CHOICE,
        Literal: NO_CHOICE,
        dict: ["[]", "5", '"x"', '{"x": "nothing"}', "{x: 1}"],
        tuple: NO_ARRAY,
    }
    if origin in {typing.Union, types.UnionType}:
        yield from (text for text in wrong(inner[0]) if not fits(text, inner[1:]))
        return
    yield "null"
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield from ("[]", "5", '"x"', '{"unknown": 1}')
        for field in msgspec.structs.fields(kind):
            yield from (f'{{"{field.encode_name}": {text}}}' for text in wrong(field.type))
        return
    yield from (text for text in plain[kind if origin is None else origin] if not fits(text, (kind,)))
    if origin is tuple and inner[-1] is Ellipsis:
        yield from (f"[{text}]" for text in wrong(inner[0]))


def fits(text: str, kinds: tuple[Any, ...]) -> bool:
    """Whether a text is a value of one of these types."""
    try:
        msgspec.json.decode(text, type=typing.Union[kinds])  # noqa: UP007 - made of a tuple
    except (msgspec.MsgspecError, UnicodeError):
        return False
    return True


def right(kind: Any) -> object:  # noqa: ANN401
    """Some value of a type."""
    origin, inner = get_origin(kind), get_args(kind)
    plain: dict[Any, object] = {int: 1, str: "player", bool: True, Card: "9C", Side: "player"}
    if kind in plain:
        return plain[kind]
    if origin is Literal:
        return inner[0]
    if origin is tuple:
        return []
    return {}


def written(name: str, **changed: str) -> bytes:
    """A command as JSON, some fields as they are given."""
    fields = {
        one.encode_name: msgspec.json.encode(right(one.type)).decode()
        for one in msgspec.structs.fields(COMMANDS[name])
        if one.required
    }
    texts = {"command": f'"{name}"', **fields, **changed}
    return ("{" + ", ".join(f'"{field}": {text}' for field, text in texts.items()) + "}").encode()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """At `one` bets are open and at `two` two cards are out; a player sits at both, at `idle` nobody."""
    tables = [new_table(name) for name in ("one", "two", "idle")]
    with Served(tmp_path_factory.mktemp("house") / "house.db", *tables) as house:
        dealer, player = house.as_("dealer"), house.as_("player")
        for table in ("one", "two"):
            player.post(f"/api/tables/{table}/sit-down", {"box": 1, "cents": 1_000_000})
            dealer.does("new-shoe", table)
            dealer.does("open", table)
            player.does("place", table, box=1, bet="player", cents=10_000)
        dealer.does("close", "two")
        for card in ("9C", "4D"):
            dealer.does("draw", "two", card=card)
        house.as_("shift-manager").command("decline")  # refused, but now all of them are known here
        yield house


def test_the_commands_are_all_of_them() -> None:
    assert len(COMMANDS) == len(get_args(bodies.commands.AnyCommand)) > 30


@each("name", COMMANDS)
def test_a_field_of_another_type(served: Served, name: str) -> None:
    dealer, before = served.as_("dealer"), served.versions()
    accepted = {}
    for field in msgspec.structs.fields(COMMANDS[name]):
        for text in wrong(field.type):
            answer = dealer.post("/api/tables/one/commands", written(name, **{field.encode_name: text}))
            if not is_problem(answer, 400):
                accepted[field.name, text] = answer.status_code, answer.text
    assert accepted == {}
    assert served.versions() == before


@pytest.mark.gate("place", "insure", "buy-in", "choose", "sit")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_number_that_is_none_of_this_world(served: Served, name: str) -> None:
    """Negative or huge, in whatever phase and by whomever."""
    numbers = [
        (field.encode_name, text if field.type in (int, int | None) else f"[{text}]")
        for field in msgspec.structs.fields(COMMANDS[name])
        if "int" in str(field.type)
        for text in HUGE
    ]
    numbers = [
        (field, f'[[{text[1:-1]}, "player"]]' if field == "wagers" else text) for field, text in numbers
    ]
    before = served.versions()
    for table in ("one", "two", "idle"):
        for role in ("player", "dealer", "shift-manager"):
            for field, text in numbers:
                answer = served.as_(role).post(
                    f"/api/tables/{table}/commands", written(name, **{field: text})
                )
                assert is_problem(answer, 400, 422), (table, role, field, text, answer.text)
    assert served.versions() == before


@each("name", COMMANDS)
def test_fields_that_are_missing_unknown_or_given_twice(served: Served, name: str) -> None:
    dealer, before = served.as_("dealer"), served.versions()
    fields = [one.encode_name for one in msgspec.structs.fields(COMMANDS[name])]
    whole = written(name)
    bad = [
        whole[:-1] + b', "extra": 1}',
        whole[:-1] + b', "by": "thirdcard"}',
        whole[:-1] + f', "command": "{name}"}}'.encode(),
        *(written(name) [:-1] + f', "{field}": 1, "{field}": 1}}'.encode() for field in fields),
    ]  # fmt: skip
    for one in msgspec.structs.fields(COMMANDS[name]):
        if one.required:
            plain = msgspec.json.decode(whole)
            plain.pop(one.encode_name)
            bad.append(msgspec.json.encode(plain))
    for body in bad:
        answer = dealer.post("/api/tables/one/commands", body)
        assert is_problem(answer, 400), (body, answer.text)
    assert served.versions() == before


# Whole bodies -------------------------------------------------------------------------------------------

PLACE = b'{"command": "place", "box": 1, "bet": "player", "cents": 1000}'
BROKEN = {
    "empty": b"",
    "blank": b" \n",
    "null": b"null",
    "a number": b"5",
    "text": b'"place"',
    "an array": b"[]",
    "an array in an array": b"[[" + PLACE + b"]]",
    "cut off": PLACE[:-1],
    "cut in a text": PLACE[:15],
    "two": PLACE + PLACE,
    "something after it": PLACE + b" x",
    "a comma too many": PLACE[:-1] + b",}",
    "single quotes": PLACE.replace(b'"', b"'"),
    "a comment": PLACE + b" // a bet",
    "a byte-order mark": b"\xef\xbb\xbf" + PLACE,
    "sixteen bits": PLACE.decode().encode("utf-16"),
    "thirty-two bits": PLACE.decode().encode("utf-32"),
    "not UTF-8": PLACE.replace(b"player", b"pl\xff\xfeyer"),
    "half a pair": PLACE.replace(b"player", b"\\ud83d"),
    "a null byte": PLACE + b"\x00",
    "a null byte in a text": PLACE.replace(b"player", b"pla\x00yer"),
    "no command": b'{"box": 1, "bet": "player", "cents": 1000}',
    "unknown command": PLACE.replace(b"place", b"steal"),
    "the command's name in capitals": PLACE.replace(b"place", b"PLACE"),
    "a command of many": PLACE.replace(b'"place"', b'["place", "place"]'),
    "a command that is a number": PLACE.replace(b'"place"', b"5"),
    "the same key twice": PLACE[:-1] + b', "cents": 1000}',
    "the same key twice, escaped": PLACE[:-1] + b', "\\u0063ents": 1000}',
    "nested deeply": b"[" * 30_000 + b"]" * 30_000,
    "objects nested deeply": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "a deep extra": PLACE[:-1] + b', "extra": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "a huge array": b"[" + b"0," * 30_000 + b"0]",
    "a huge array in it": PLACE.replace(b"1000", b"[" + b"0," * 30_000 + b"0]"),
    "a huge number": PLACE.replace(b"1000", b"9" * 60_000),
    "a huge exponent": PLACE.replace(b"1000", b"1e999999999"),
    "a long key": b'{"' + b"a" * 60_000 + b'": 1}',
    "many keys": b"{" + b",".join(b'"k%d": 1' % number for number in range(5_000)) + b"}",
    "NaN": b"NaN",
    "a form": b"command=place&box=1&bet=player&cents=1000",
    "compressed": b"\x1f\x8b\x08\x00" + b"\x00" * 500,
}  # fmt: skip
TAKING = {
    "/api/tables/one/commands": ("POST", "player"),
    "/api/tables/one/sit-down": ("POST", "player"),
    "/api/tables/one/seeds": ("POST", "player"),
    "/api/tables/one/ready": ("POST", "player"),
    "/api/me/habits": ("PUT", "player"),
    "/api/tables": ("POST", "shift-manager"),
    "/api/tables/one/pace": ("POST", "shift-manager"),
    "/api/tables/one/call": ("POST", "dealer"),
    "/api/sessions": ("POST", "player"),
    "/api/accounts": ("POST", "administrator"),
    "/api/accounts/player-1": ("PATCH", "administrator"),
    "/api/me/password": ("PUT", "player"),
}


@pytest.mark.parametrize("path", TAKING)
def test_bodies_that_cannot_be_read(served: Served, path: str) -> None:
    method, role = TAKING[path]
    before = served.versions()
    found = {}
    for name, body in BROKEN.items():
        answer = served.as_(role).post(path, body, method=method)
        if not is_problem(answer, 400):
            found[name] = answer.status_code, answer.text[:200]
    assert found == {}
    assert served.versions() == before


def test_the_right_body_is_read(served: Served) -> None:
    """So that the others are refused for what is wrong with them."""
    assert served.as_("player").post("/api/tables/one/commands", PLACE).status_code == 200
    spaced = b" \r\n\t" + PLACE.replace(b"player", b"\\u0070layer") + b"\n"
    assert served.as_("player").post("/api/tables/one/commands", spaced).status_code == 200


KINDS = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "",
    "nonsense",
]


@pytest.mark.parametrize(
    "kind", [*KINDS, "application/msgpack", "application/x-msgpack", "application/json; charset=utf-16"]
)
def test_the_kind_that_is_claimed(served: Served, kind: str) -> None:
    """A page of another site can send forms and plain text without asking first: they are not read."""
    asked, before = served.as_("player"), served.versions()
    headers = {"Idempotency-Key": f"kind {kind}".replace(" ", "-"), "Content-Type": kind}
    answer = asked.http.post("/api/tables/one/commands", content=PLACE, headers=headers)
    assert is_problem(answer, 400, 415), (answer.status_code, answer.text)
    assert served.versions() == before


def test_nothing_is_unpacked(served: Served) -> None:
    """A little that would become a lot is read as it is, and is no JSON."""
    headers = {"Idempotency-Key": "bomb", "Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = served.as_("player").http.post(
        "/api/tables/one/commands", content=BROKEN["compressed"], headers=headers
    )
    assert is_problem(answer, 400, 415)


@pytest.mark.parametrize("key", ["", "a b", "x" * 65, "schlüssel", "\x7f"])
def test_keys_that_are_none(served: Served, key: str) -> None:
    before = served.versions()
    headers = {b"Idempotency-Key": key.encode("latin-1"), b"Content-Type": b"application/json"}
    answer = served.as_("player").http.post("/api/tables/one/commands", content=PLACE, headers=headers)
    assert answer.status_code == 400, answer.text
    assert served.versions() == before


def test_a_command_without_a_key(served: Served) -> None:
    answer = served.as_("player").http.post(
        "/api/tables/one/commands", content=PLACE, headers={"Content-Type": "application/json"}
    )
    assert is_problem(answer, 400)
    assert "Idempotency-Key" in answer.json()["detail"]


QUERIES = [
    "/api/tables/one/rounds?limit=0", "/api/tables/one/rounds?limit=201", "/api/tables/one/rounds?limit=-1",
    "/api/tables/one/rounds?limit=1.5", "/api/tables/one/rounds?limit=", "/api/tables/one/rounds?limit=NaN",
    "/api/tables/one/rounds?limit=" + "9" * 4000, "/api/tables/one/rounds?before=-1",
    f"/api/tables/one/rounds?before={10**30}", "/api/tables/one/rounds?before=x",
    "/api/significant-events?before=-1", f"/api/significant-events?before={2**64}",
    "/api/tables/one/log?after=-1", f"/api/tables/one/log?after={10**30}",
    "/api/me/rounds?after=x", "/api/me/rounds?after=1.2", "/api/me/rounds?after=1.one.-1", "/api/me/rounds?after=1.%00.1",
    f"/api/me/rounds?after={10**30}.one.1", "/api/me/rounds?after=" + "1" * 101,
    "/api/odds/mbs-tiger-v2?decks=0", "/api/odds/mbs-tiger-v2?decks=11", "/api/odds/mbs-tiger-v2?layout=ZZ",
    "/api/odds/mbs-tiger-v2?seen=XX", "/api/odds/mbs-tiger-v2?decks=1&seen=9C,9C", "/api/insurance/mbs-tiger-v2",
    "/api/rules/mbs-tiger-v2?layout=abc", "/api/rules/mbs-tiger-v2/rulings/drawn-together?stage=never",
    "/api/rules/mbs-tiger-v2/rulings/drawn-together?order_known=perhaps",
    "/api/rules/mbs-tiger-v2/rulings/drawn-together?noticed=settled",
    "/api/tables/one/legal?player=" + "x" * 65,
    "/api/tables/one/why?right=" + "x" * 17,
]  # fmt: skip


@each("query", QUERIES, ids=lambda query: query[:60])
def test_questions_that_make_no_sense(served: Served, query: str) -> None:
    role = "player" if "/me/" in query else "shift-manager"
    assert is_problem(served.as_(role).get(query), 400), served.as_(role).get(query).text


ADDRESSES = ["rounds/0", "rounds/-1", f"rounds/{10**30}", "rounds/" + "9" * 4000, "rounds/x", "rounds/1.0", "rounds/%00", "shoes/-1",
             f"shoes/{10**30}", "statements/%00", "statements/%ff", "statements/" + "x" * 4000, "nothing"]  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address[:40])
def test_addresses_of_nothing(served: Served, address: str) -> None:
    assert is_problem(served.as_("shift-manager").get(f"/api/tables/one/{address}"), 404)


def test_amounts_at_the_edge(served: Served) -> None:
    """The largest amount goes in; one cent more does not, and no sum of them gets out of hand."""
    rich = Asking(served, served.account("Rich", "player"))
    most = LARGEST_STAKE
    answers = [rich.post("/api/tables/idle/sit-down", {"cents": cents}) for cents in (most + 1, 2**63, -1)]
    assert [answer.status_code for answer in answers] == [400, 400, 400]
    for _ in range(3):
        rich.post("/api/tables/idle/sit-down", {"cents": most})
    racks = rich.get("/api/tables/idle").json()["you"].get("racks", {})
    assert 0 <= racks.get("Rich", 0) <= 2**53


def test_people_sent_wrongly(served: Served) -> None:
    admin = served.as_("administrator")
    bad: list[dict[str, object]] = [
        {"name": "A", "password": PASSWORD}, {"name": "x" * 25, "password": PASSWORD}, {"name": "Wei\x00", "password": PASSWORD},
        {"name": "Wei Wei", "password": PASSWORD}, {"name": "../Wei", "password": PASSWORD}, {"name": "rack:Wei", "password": PASSWORD},
        {"name": "thirdcard", "password": PASSWORD}, {"name": "guest-ABCDE", "password": PASSWORD},
        {"name": "Wei2", "password": "short"}, {"name": "Wei2", "password": "x" * 1001}, {"name": "Wei2", "password": "password1234"},
        {"name": "Wei2", "password": PASSWORD, "role": None}, {"name": "Wei2", "password": PASSWORD, "role": "Dealer"},
        {"name": 5, "password": PASSWORD}, {"name": "player-1", "password": PASSWORD}, {"name": "PLAYER-1", "password": PASSWORD},
    ]  # fmt: skip
    for body in bad:
        assert is_problem(admin.post("/api/accounts", body), 400), body
    assert not served.hall.people.find("Wei2")
