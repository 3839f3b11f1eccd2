"""All that comes from outside, each as something that can grow: requests, messages, lines and files."""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

import thirdcard as tc
from hostile.growing import TEXTS, WHOLE, Grown, filled, in_fields
from hostile.house import LIMITS, Asked, House, filled_in
from hostile.measuring import Input
from hostile.samples import variants
from irregularities.situations import PLAYER_WINS, TBC, Scene
from service import hostile_evidence
from service.api.routes import Route
from service.certifying import certificate
from service.proving import of_table, proved
from thirdcard.cards import parse_cards, read_cards
from thirdcard.cli.settle import settle_lines
from thirdcard.errors import BadInput
from thirdcard.money import Odds, parse_dollars
from thirdcard.protect.watched_files import read_stakes
from thirdcard.roads import roads
from thirdcard.rulebook import forms
from thirdcard.rulebook.forms import LARGEST, from_canonical
from thirdcard.rulebook.load import _checked, check
from thirdcard.rulebook.sources import package_text
from thirdcard.school.certificates import MOST_BYTES as MOST_CERTIFICATE
from thirdcard.service.addresses import network_of
from thirdcard.service.api import bodies, server
from thirdcard.service.evidence import standalone
from thirdcard.service.evidence.verify import verified, verified_certificate
from thirdcard.service.people.console import note_of
from thirdcard.service.people.credentials import MOST_PASSWORD, check_password, check_person, plain_name
from thirdcard.service.queries.questions import HouseWords, asked, moment
from thirdcard.simulate.session_plans import read_ladder
from thirdcard.strict import LINE, json_of
from thirdcard.table.script import Script
from thirdcard.words import accepted

MBS = "mbs-tiger-v2"
FILE = 1 << 20  # bytes of a file whose reader has no limit of its own but that of its lines


# Requests -------------------------------------------------------------------------------------------------


def requests(house: House, route: Route) -> Iterator[Input]:
    """Every part of a request to a route."""
    role, path = house.role_for(route), filled_in(route.path)
    body = house.bodies.get((route.method, route.path))
    first = None if body is None else msgspec.json.encode(next(variants(body)))

    def one(name: str, made: Grown, part: str, feed: Callable[[bytes], Asked]) -> Input:
        full = f"{route.method} {route.path} {name}"
        return Input(full, made, LIMITS[part], lambda grown: house.ask(feed(grown), role), on_loop=True)

    for parameter in house.queries.get((route.method, route.path), ()):
        for kind, text in TEXTS.items():
            made = filled(_escaped(text), f"{parameter}=")
            yield one(
                f"?{parameter}: {kind}", made, "query", lambda grown: Asked(route.method, path, grown, first)
            )
    for part in (part for part in route.path.split("/") if part.startswith("{")):
        for kind in ("letters", "digits", "chinese", "points"):
            made = filled(TEXTS[kind], *_around(route.path, part))
            yield one(
                f"{part}: {kind}", made, "path", lambda grown: Asked(route.method, grown.decode(), b"", first)
            )
    for name, made in () if body is None else grown_bodies(body):
        yield one(name, made, "body", lambda grown: Asked(route.method, path, b"", grown))


def grown_bodies(kind: Any) -> Iterator[tuple[str, Grown]]:  # noqa: ANN401
    yield from ((f"body: {name}", made) for name, made in WHOLE.items())
    for number, given in enumerate(variants(kind)):
        tag = given.get("command", number) if isinstance(given, dict) else number
        yield from ((f"body {tag}: {name}", made) for name, made in in_fields(given))


def heads(house: House) -> Iterator[Input]:
    """What is read of every request, whatever it is for."""
    for header in (b"cookie", b"authorization", b"accept-language", b"origin", b"host", b"idempotency-key",
                   b"content-type", b"accept-encoding", b"x-other"):  # fmt: skip
        for kind, text in (
            TEXTS | {"cookies": "a=b; ", "languages": "en;q=0.5,", "bearer": "Bearer ", "ports": ":1"}
        ).items():
            made = filled(text if text.isascii() else "\u00e9")

            def feed(grown: bytes, header: bytes = header) -> int:
                return house.ask(Asked("GET", "/api/tables", headers=((header, grown),)), "player")

            yield Input(f"header {header.decode()}: {kind}", made, LIMITS["header"], feed, on_loop=True)
    for kind in ("letters", "commas", "percents", "alternatives"):
        ask = lambda grown: house.ask(Asked("GET", "/api/tables", grown), "nobody")  # noqa: E731
        yield Input(f"query: {kind}", filled(TEXTS[kind] + "&"), LIMITS["query"], ask, on_loop=True)


def _escaped(text: str) -> str:
    return text if text.isalnum() or text in "-.,*" else "".join(f"%{byte:02X}" for byte in text.encode())


def _around(path: str, part: str) -> tuple[str, str]:
    head, _, tail = path.partition(part)
    return filled_in(head), filled_in(tail)


def messages(house: House, role: str = "player") -> Iterator[Input]:
    """What is said over a socket, to the server that makes messages of bytes, and to the table."""
    envelope = {"key": "k", "ask": {"command": "place", "box": 1, "bet": "banker", "cents": 1000}}
    shapes = [*WHOLE.items(), *in_fields(envelope)]
    shapes += [("in the message: " + name, _in_message(made)) for name, made in WHOLE.items()]
    talk = house.socket(role)
    for name, made in shapes:
        yield Input(f"message of {role}, {name}", made, LIMITS["message"], talk.say, on_loop=True)
    for kind in ("letters", "chinese"):
        made = filled(TEXTS[kind])
        yield Input(f"frames: {kind}", made, LIMITS["message"], _frames, on_loop=True)


def _in_message(made: Grown) -> Grown:
    return lambda size: b'{"key":"k","ask":' + made(max(1, size - 20)) + b"}"


def _frames(grown: bytes) -> None:
    for data in (
        b"\x81\x8a\0\0\0\0" + grown,
        grown,
        b"\x81\xfe" + len(grown).to_bytes(2, "big") + b"\0\0\0\0" + grown,
    ):
        server.whole_message(data)
        server.lacking(data, 0)


# Readers --------------------------------------------------------------------------------------------------


def lenient(read: Callable[[Any], object]) -> Callable[[bytes], object]:
    """What a reader of text says of some bytes; that it refuses them is an answer too."""

    def feed(grown: bytes) -> object:
        try:
            return read(grown.decode(errors="replace"))
        except BadInput as error:
            return error

    return feed


def _checks_book(grown: bytes) -> None:
    """As if nobody had asked for the same before."""
    forms.values_of.cache_clear()
    _checked.cache_clear()
    check("book.toml", grown.decode(errors="replace"))


def _verifies(grown: bytes) -> None:
    standalone.is_signed.cache_clear()
    verified(grown)


def refusing(read: Callable[[bytes], object]) -> Callable[[bytes], object]:
    """The same for a reader of bytes."""

    def feed(grown: bytes) -> object:
        try:
            return read(grown)
        except BadInput as error:
            return error

    return feed


def _names(name: str) -> None:
    plain_name(name)
    check_person(name)


HOUSE_WORDS = HouseWords(
    bets={"banker", "player", "tie"}, tables={"one"}, cases={"late-bet"}, now=moment(1.8e9, UTC)
)
# Short texts, by their names: at most so many characters reach them, or so many bytes.
TEXT_READERS: Mapping[str, tuple[Callable[[str], object], int]] = {
    "a password": (lambda text: check_password(text, name="Mei", role="player"), MOST_PASSWORD),
    "a name": (_names, 1_000),
    "a question in words": (lambda text: asked(text, HOUSE_WORDS), 200 * 4),
    "cards": (parse_cards, LINE.size),
    "cards as others write them": (read_cards, LINE.size),
    "dollars": (parse_dollars, LINE.size),
    "odds": (Odds, LARGEST),
    "results of a road": (roads, LIMITS["header"]),
    "languages": (accepted, LIMITS["header"]),
    "an address": (network_of, LIMITS["header"]),
}


def texts() -> Iterator[Input]:
    for name, (read, most) in TEXT_READERS.items():
        for kind, text in TEXTS.items():
            on_loop = most <= LIMITS["body"]
            yield Input(f"{name}: {kind}", filled(text), most, lenient(read), on_loop=on_loop)


def lines() -> Iterator[Input]:
    """JSON lines of the command line, one line and many."""
    game = tc.Game(MBS, "A")
    a_round = {
        "cards": "9C 4H 7D 2S",
        "bets": {"small-tiger": 1000},
        "insure": [{"hand": "player", "window": 1, "stake": 5}],
        "id": "x",
    }

    def settles(grown: bytes) -> None:
        settle_lines(game, io.BytesIO(grown), io.BytesIO())

    def scripts(grown: bytes) -> None:
        script = Script()
        for number, line in enumerate(grown.splitlines(), start=1):
            try:
                script.run(json_of(line), number)
            except (ValueError, msgspec.ValidationError):
                continue

    setup = json.loads(
        (Path(__file__).parents[2] / "docs" / "table-example.jsonl").read_text("utf-8").splitlines()[0]
    )
    for name, made in (*WHOLE.items(), *in_fields(a_round)):
        yield Input(f"settle --jsonl: {name}", made, LINE.size, settles)
    yield Input("settle --jsonl: many lines", filled(json.dumps(a_round) + "\n"), FILE // 4, settles)
    for name, made in (*WHOLE.items(), *in_fields(setup)):
        yield Input(f"table run: {name}", made, LINE.size, scripts)


def files(folder: Path, archive: bytes) -> Iterator[Input]:
    """Archives, certificates, rulebooks, ladders, files of stakes, notes of commands."""
    for name, made in (*WHOLE.items(), *archives(archive)):
        yield Input(f"verify: {name}", made, standalone.MOST_BYTES // 4, _verifies)
        yield Input(f"the verifier by itself: {name}", made, standalone.MOST_BYTES // 4, standalone.check)
    signed = json.loads(certificate())
    for name, made in (*WHOLE.items(), *in_fields(signed), *_in_signed(signed)):
        yield Input(f"verify a certificate: {name}", made, MOST_CERTIFICATE, refusing(verified_certificate))
    yield from stakes(folder)
    for name, made in (*TOML.items(), *((name, filled(text)) for name, text in TEXTS.items())):
        yield Input(f"ladder: {name}", made, LARGEST, _of_file(folder / "ladder.toml", read_ladder))
        yield Input(f"rulebook: {name}", made, LARGEST, _checks_book)
    for name, made in book_parts():
        yield Input(f"rulebook: {name}", made, LARGEST, _checks_book)
    for name, made in WHOLE.items():
        yield Input(f"canonical text: {name}", made, LARGEST, refusing(from_canonical))
        yield Input(f"a note of a command: {name}", made, bodies.MOST_BYTES, note_of)


def stakes(folder: Path) -> Iterator[Input]:
    """Files of rounds and stakes for the radar."""
    of_lines, of_rows = _of_file(folder / "s.jsonl", read_stakes), _of_file(folder / "s.csv", read_stakes)
    line = {"table": "1", "shoe": "1", "round": 1, "cards": "6C 3D KH AS", "stakes": {"S4": {"tie": 500}}}
    for name, made in (*WHOLE.items(), *in_fields(line)):
        yield Input(f"radar: {name}", made, LINE.size, of_lines)
    heading = "shoe,round,cards,player,bet,stake\n"
    rows = {
        f"rows {row[:6]!r}": row for row in ("1,1,6C 3D KH AS,S4,tie,5\n", '"1,1,"', "1,1,6C 3D KH AS,,,\n")
    }
    for name, text in (TEXTS | rows).items():
        yield Input(f"radar, CSV: {name}", filled(text, heading), LINE.size, of_rows)


def _of_file(path: Path, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    def feed(grown: bytes) -> object:
        path.write_bytes(grown)
        return read(path)

    return refusing(feed)


TOML: Mapping[str, Grown] = {
    "tables within tables": lambda size: b"[" + b".".join([b"a"] * (size // 2)) + b"]",
    "keys of many parts": lambda size: b".".join([b"a"] * (size // 2)) + b" = 1",
    "quoted keys of many parts": lambda size: b".".join([b'"a"'] * (size // 4)) + b" = 1",
    "many tables": lambda size: b"".join(b"[a%d]\n" % number for number in range(size // 9)),
    "one table again": filled("[a]\n"),
    "tables of tables": filled("[[a]]\n"),
    "tables that go deeper": lambda size: b"".join(b"[%s]\n" % b".".join([b"a"] * (n % 10 + 1)) for n in range(size // 14)),
    "many keys": lambda size: b"".join(b"k%d = 1\n" % number for number in range(size // 12)),
    "dotted keys": lambda size: b"".join(b"a.k%d = 1\n" % number for number in range(size // 14)),
    "lists": lambda size: b"a = " + b"[" * (size // 2) + b"]" * (size // 2),
    "a long list": filled("1, ", "a = [", "]"),
    "inline tables": filled("{b = 1}, ", "a = [", "]"),
    "inline tables in one another": lambda size: b"a = " + b"{a=" * (size // 4) + b"1" + b"}" * (size // 4),
    "a long text": filled("a", 'a = "', '"'),
    "a text of many lines": filled("a\n", 'a = """', '"""'),
    "a text that nobody closes": filled("a\n", 'a = """'),
    "quotes that nobody closes": filled('"', "a = "),
    "escapes": filled("\\u00e9", 'a = "', '"'),
    "a number": filled("9", "a = "),
    "underscores": filled("9_", "a = ", "9"),
    "dates": filled("2026-11-16, ", "a = [", "]"),
    "comments": filled("# a\n"),
    "a comment": filled("#"),
    "returns": filled("\r\n"),
    "points": filled("."),
}  # fmt: skip


def book_parts() -> Iterator[tuple[str, Grown]]:
    """A real document with one of its parts many times over."""
    text = package_text(MBS)
    for kind, part in {
        "bets": '\n[bets.b%d]\nname = "B"\nrules = ["1.1"]\npays = [{ odds = "1 to 1", when = { winner = "player" } }]\n',
        "layouts": '\n[layouts.L%d]\nrules = ["1.1"]\nbets = ["banker"]\npositions = [1, 7]\n',
        "ranks": '\n[[ranks]]\nname = "rank-%d"\nrules = ["1.1"]\n',
        "paragraphs": '\n[paragraphs."9.%d"]\nstatus = "definition"\n',
        "notices": '\n[[notices]]\ntext = "n%d"\nrules = ["1.1"]\n',
    }.items():
        yield f"many {kind}", _repeated(text, part)


def _repeated(text: str, part: str) -> Grown:
    count = len(part.encode()) + 3

    def made(size: int) -> bytes:
        left = max(0, size - len(text.encode()))
        return (text + "".join(part % number for number in range(left // count))).encode()

    return made


def archives(evidence: bytes) -> Iterator[tuple[str, Grown]]:
    """Archives as a stranger makes and signs them."""
    files_ = standalone.unpacked(evidence)
    yield "files", lambda size: hostile_evidence.many_files(max(1, size // 110))
    yield (
        "entries that overlap",
        lambda size: hostile_evidence.overlapping(max(1, min(200, size // 1_000)), max(1, size // 2)),
    )
    yield "compressed zeros", lambda size: hostile_evidence.squeezed(size * 20)
    yield "something behind it", lambda size: evidence + bytes(size)
    for name in files_:
        if name.endswith((".json", ".txt")) and name != "signature.txt":
            for kind in ("letters", "lines", "commas"):
                yield f"{name}: {kind}", _longer(files_, name, filled(TEXTS[kind]))
    for name in ("chain.json", "shoe.json", "evidence.json", "start.json", "heads.json"):
        for kind, made in in_fields(json.loads(files_[name])):
            if kind.endswith((": a list", ": keys", ": cards", ": lists")):
                yield f"{name}, {kind}", _instead(files_, name, made)


def _longer(files_: dict[str, bytes], name: str, made: Grown) -> Grown:
    return lambda size: hostile_evidence.signed_archive(files_ | {name: files_[name] + made(size)})


def _instead(files_: dict[str, bytes], name: str, made: Grown) -> Grown:
    return lambda size: hostile_evidence.signed_archive(files_ | {name: made(size)})


def _in_signed(signed: dict[str, Any]) -> Iterator[tuple[str, Grown]]:
    said = json.loads(signed["text"])
    for name, made in in_fields(said):
        yield f"signed {name}", partial(_resigned, made)


def _resigned(made: Grown, size: int) -> bytes:
    return hostile_evidence.signed_certificate(made(size).decode(errors="replace"))


def evidence() -> bytes:
    """An archive of a round, as a house makes it."""
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.settle()
    return proved(of_table(table), 1)[2]
