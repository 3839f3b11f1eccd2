"""`thirdcard table` as labs and other programs call it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, TypeAlias, get_args

import pytest

from thirdcard.cli import main
from thirdcard.rulebook import digest_of, load
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent
from thirdcard.table.refusals import Code

pytestmark = pytest.mark.slow

MBS = "mbs-tiger-v2"
SETUP = {
    "rulebook": MBS,
    "layout": "A",
    "positions": 5,
    "limits": {"*": {"min": 1000, "max": 100000}},
    "staff": {"dee": "dealer", "sam": "gaming-shift-manager"},
}
ROUND: list[dict[str, Any]] = [
    {"command": "join", "by": "ann"},
    {"command": "buy-in", "by": "ann", "cents": 100000},
    {"command": "new-shoe", "by": "dee"},
    {"command": "open", "by": "dee"},
    {"command": "place", "by": "ann", "box": 1, "bet": "banker", "cents": 10000},
    {"command": "close", "by": "dee"},
    *({"command": "draw", "by": "dee", "card": card} for card in ("4C", "9H", "2D", "KS")),
    {"command": "settle", "by": "dee"},
]


Done: TypeAlias = subprocess.CompletedProcess[bytes]


def started(*arguments: str, stdin: bytes = b"") -> Done:
    """The program in a process of its own."""
    command = [sys.executable, "-m", "thirdcard", "table", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=300)


def thirdcard(*arguments: str, stdin: bytes = b"") -> Done:
    """The same in this process, which is quicker; `test_the_program_itself` has them agree."""
    out, err = TextIOWrapper(BytesIO(), encoding="utf-8"), TextIOWrapper(BytesIO(), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["thirdcard", "table", *arguments])
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin), encoding="utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as ended:
            main()
    printed = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        printed.append(stream.buffer.read())
    status = ended.value.code
    assert isinstance(status, int)
    return Done([], status, *printed)


def text(*lines: object) -> bytes:
    """Lines of JSON; a string stands for itself."""
    written = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return "".join(f"{line}\n" for line in written).encode()


def answers(*lines: object, status: int = 0) -> list[Any]:
    done = thirdcard("run", stdin=text(*lines))
    assert (done.returncode, done.stderr) == (status, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


def complaint(done: Done) -> str:
    """The one sentence of a run that could not be made."""
    (line,) = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (2, b"")
    assert line.startswith("thirdcard: ")
    return line.removeprefix("thirdcard: ")


def test_the_program_itself() -> None:
    script = text(SETUP, *ROUND, "nope")
    for arguments, stdin in ((("run",), script), (("run", "--transcript"), script), (("run",), b"")):
        alone, here = started(*arguments, stdin=stdin), thirdcard(*arguments, stdin=stdin)
        assert (alone.returncode, alone.stdout, alone.stderr) == (here.returncode, here.stdout, here.stderr)


# run ------------------------------------------------------------------------------------------------------


def test_one_line_for_each_and_one_that_sums_up() -> None:
    told = answers(SETUP, *ROUND)
    assert [one.get("line") for one in told] == [*range(1, len(ROUND) + 2), None]
    assert all(list(one) == ["line", "events"] for one in told[1:-1])
    assert list(told[0]) == ["line", "events", "text"]
    assert told[0]["events"][0]["event"] == "table-opened"
    assert told[0]["events"][0]["setup"]["limits"] == SETUP["limits"]
    assert told[1] == {"line": 2, "events": [{"event": "player-joined", "player": "ann"}]}
    assert told[5]["events"] == [
        {
            "event": "stake-set",
            "postings": [["rack:ann", -10000], ["box:1", 10000]],
            "why": "placed",
            "stake": {
                "player": "ann",
                "box": 1,
                "bet": "banker",
                "cents": 10000,
                "order": 1,
                "seated": False,
            },
            "before": 0,
        }
    ]
    (settled,) = told[-2]["events"]
    assert settled["settlement"]["lines"] == [
        {
            "player": "ann",
            "box": 1,
            "bet": "banker",
            "stake": 10000,
            "result": "win",
            "odds": "0.95 to 1",
            "net": 9500,
            "rules": ["3.16", "4.1"],
        }
    ]
    last = told[-1]
    assert last.pop("hash").isalnum()
    assert last == {
        "schema": "thirdcard.table.1",
        "thirdcard": version("thirdcard"),
        "rulebook": MBS,
        "digest": digest_of(load(MBS)),
        "racks": {"ann": 109500},
        "house": -9500,
        "rounds": 1,
        "event_count": 12,
        "form": 2,
        "summary": True,
    }


def test_a_file_and_standard_input_give_the_same(tmp_path: Path) -> None:
    file = tmp_path / "script.jsonl"
    file.write_bytes(text(SETUP, *ROUND))
    assert started("run", str(file)).stdout == thirdcard("run", stdin=file.read_bytes()).stdout


def test_a_refusal_does_not_end_the_run() -> None:
    small = {"command": "place", "by": "ann", "box": 1, "bet": "banker", "cents": 500}
    told = answers(SETUP, *ROUND[:4], small, *ROUND[4:])
    assert told[5] == {
        "line": 6,
        "refusal": {
            "code": "below-minimum",
            "sentence": "Banker takes at least 10, not 5",
            "key": "below-minimum",
            "facts": {"bet": "banker", "least": 1000, "cents": 500},
            "rules": ["3.5.1"],
        },
    }
    assert told[-1]["racks"] == {"ann": 109500}


UNREADABLE = {
    '{"command": "join"': "not JSON: ",
    "": "not JSON: ",
    '{"command": "fly", "by": "ann"}': "'fly'",
    '{"by": "ann"}': "command",
    '{"command": "join"}': "`by`",
    '{"command": "join", "by": "bob", "colour": 1}': "`colour`",
    '{"command": "join", "by": "bob", "by": "cat"}': "the key 'by' is given twice",
    '{"command": "buy-in", "by": "ann", "cents": 1.0}': "Expected `int`, got `float`",
    '{"command": "buy-in", "by": "ann", "cents": true}': "Expected `int`, got `bool`",
    '{"command": "buy-in", "by": "ann", "cents": "5"}': "Expected `int`, got `str`",
    '{"command": "buy-in", "by": "ann", "cents": NaN}': "NaN is not a number here",
    '{"command": "buy-in", "by": "ann", "cents": Infinity}': "Infinity is not a number here",
    '{"command": "buy-in", "by": "ann", "cents": null}': "Expected `int`, got `null`",
    '{"command": "draw", "by": "dee", "card": "1H"}': "'1H'",
    '{"command": "reveal-first", "by": "dee", "hand": "tie"}': "'tie'",
    "[]": "Expected `object`, got `array`",
    "7": "Expected `object`, got `int`",
    "[" * 100_000: "",
}


def test_an_unreadable_line_is_named_and_the_run_goes_on() -> None:
    told = answers(SETUP, ROUND[0], *UNREADABLE, *ROUND[1:], status=1)
    found = told[2 : 2 + len(UNREADABLE)]
    assert [list(one) for one in found] == [["line", "error"]] * len(UNREADABLE)
    assert [one["line"] for one in found] == list(range(3, 3 + len(UNREADABLE)))
    wrong = [
        (line[:60], one["error"])
        for (line, error), one in zip(UNREADABLE.items(), found, strict=True)
        if error not in one["error"]
    ]
    assert wrong == []
    assert told[-1]["racks"] == {"ann": 109500}


def test_bytes_that_are_no_text_are_an_unreadable_line() -> None:
    done = thirdcard("run", stdin=text(SETUP) + b"\xff\xfe\n" + text(ROUND[0]))
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, told[1]["line"], "error" in told[1]) == (1, 2, True)
    assert told[-1]["racks"] == {"ann": 0}


def test_a_huge_amount_is_refused_and_nothing_breaks() -> None:
    huge = {"command": "buy-in", "by": "ann", "cents": 10**30}
    told = answers(SETUP, ROUND[0], huge, *ROUND[1:])
    assert told[2]["refusal"]["code"] == "above-maximum"


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ({"rulebook": "nope"},),
        ({**SETUP, "positions": 99},),
        ({**SETUP, "positions": 5.0},),
        ({**SETUP, "colour": 1},),
        (ROUND[0],),
    ],
    ids=["nothing", "incomplete", "unplayable", "a float", "unknown field", "a command"],
)
def test_without_a_set_up_nothing_can_be_run(lines: tuple[object, ...]) -> None:
    done = thirdcard("run", stdin=text(*lines))
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "thirdcard: no table was set up: the first line must be a set-up that can be played\n"
    )
    assert [list(json.loads(line)) for line in done.stdout.splitlines()] == [["line", "error"]] * len(lines)


def test_a_set_up_that_cannot_be_played_says_why() -> None:
    done = thirdcard("run", stdin=text({**SETUP, "positions": 99}))
    (answer,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert answer == {"line": 1, "error": "layout A has 1 to 8 positions: got 99"}


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "none.jsonl"
    assert complaint(thirdcard("run", str(missing))) == f"cannot read {missing}: No such file or directory"
    assert complaint(thirdcard("replay", str(missing))).startswith("cannot read ")


# --transcript ---------------------------------------------------------------------------------------------


def test_the_readable_form() -> None:
    done = thirdcard("run", "--transcript", stdin=text(SETUP, *ROUND))
    told = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert told[0] == "Tiger Baccarat, MBS version 2"
    assert "Round 1: Place your bets, please  [3.1]" in told
    assert told[-2:] == [
        "Banker wins, 9 over 6",
        "  ann box 1: Banker 100 wins at 0.95 to 1: +95  [3.16, 4.1]",
    ]


def test_the_readable_form_tells_unreadable_lines_on_standard_error() -> None:
    done = thirdcard("run", "--transcript", stdin=text(SETUP, "nope", *ROUND))
    assert done.returncode == 1
    assert done.stderr.decode().startswith("thirdcard: line 2: not JSON")
    assert "Banker wins, 9 over 6" in done.stdout.decode()


# replay ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def log() -> str:
    """What a run printed, a refusal and an unreadable line among it."""
    small = {"command": "place", "by": "ann", "box": 1, "bet": "banker", "cents": 500}
    done = thirdcard("run", stdin=text(SETUP, *ROUND[:4], small, "nope", *ROUND[4:]))
    return done.stdout.decode()


def replayed(tmp_path: Path, log: str) -> Done:
    file = tmp_path / "log.jsonl"
    file.write_text(log, encoding="utf-8")
    return started("replay", str(file))


def test_a_log_comes_to_the_same_hash(tmp_path: Path, log: str) -> None:
    done = replayed(tmp_path, log)
    assert (done.returncode, done.stderr) == (0, b"")
    answer = json.loads(done.stdout)
    written = json.loads(log.splitlines()[-1])["hash"]
    assert answer == {
        "schema": "thirdcard.table-replay.1",
        "thirdcard": version("thirdcard"),
        "rulebook": MBS,
        "digest": digest_of(load(MBS)),
        "events": 12,
        "hash": written,
        "written": written,
        "same": True,
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('["rack:ann",100000]', '["rack:ann",900000]'),
        ('"card":"KS"', '"card":"KD"'),
        ('"net":9500', '"net":10000'),
        ('"player-joined","player":"ann"', '"player-joined","player":"eve"'),
        ('"min":1000', '"min":2000'),
    ],
)
def test_a_tampered_log_does_not(tmp_path: Path, log: str, before: str, after: str) -> None:
    assert before in log
    done = replayed(tmp_path, log.replace(before, after, 1))
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["same"] is False
    assert answer["hash"] != answer["written"]


def test_a_log_with_an_event_taken_out_does_not(tmp_path: Path, log: str) -> None:
    lines = [line for line in log.splitlines() if '"9H"' not in line]
    done = replayed(tmp_path, "\n".join(lines))
    assert (done.returncode, json.loads(done.stdout)["same"]) == (1, False)


def test_a_log_without_its_last_line_is_the_same_as_nothing_written(tmp_path: Path, log: str) -> None:
    done = replayed(tmp_path, "\n".join(log.splitlines()[:-1]))
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["written"], answer["same"]) == (1, None, False)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda log: log.replace('"bets-opened"', '"bets-begun"'), "is not a line of a table's log"),
        (lambda log: log.replace("{", "", 1), "is not a line of a table's log"),
        (
            lambda log: "\n".join(line for line in log.splitlines() if "bets-opened" not in line),
            "does not fold",
        ),
        (lambda log: "\n".join(log.splitlines()[1:]), "holds no table"),
        (lambda log: log.replace(MBS, "mbs-tiger-v9"), "of rulebook mbs-tiger-v9 is not known here"),
        (lambda _: "", "holds no table"),
    ],
    ids=["unknown event", "no JSON", "no round", "no set-up", "no such rulebook", "empty"],
)
def test_what_is_no_log_is_one_sentence(tmp_path: Path, log: str, change: Any, told: str) -> None:  # noqa: ANN401
    assert told in complaint(replayed(tmp_path, change(log)))


def test_a_log_reads_as_its_run_did(tmp_path: Path, log: str) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(log, encoding="utf-8")
    done = started("replay", str(file), "--transcript")
    assert done.stdout == thirdcard("run", "--transcript", stdin=text(SETUP, *ROUND)).stdout


# schema ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    done = thirdcard("schema")
    assert (done.returncode, done.stderr) == (0, b"")
    made = json.loads(done.stdout)
    assert isinstance(made, dict)
    return made


KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def faults(schema: dict[str, Any], part: dict[str, Any], value: Any, where: str = "$") -> Iterator[str]:  # noqa: ANN401
    """What of a value a part of the schema does not allow, as far as these schemas go."""
    if "$ref" in part:
        yield from faults(schema, schema["$defs"][part["$ref"].rpartition("/")[2]], value, where)
        return
    if "anyOf" in part:
        if all(list(faults(schema, one, value, where)) for one in part["anyOf"]):
            yield f"{where} is none of {len(part['anyOf'])}"
        return
    if "enum" in part and value not in part["enum"]:
        yield f"{where} is not of the enum"
    kind = part.get("type")
    if kind and (not isinstance(value, KINDS[kind]) or (kind != "boolean" and isinstance(value, bool))):
        yield f"{where} is no {kind}"
    elif isinstance(value, dict):
        yield from object_faults(schema, part, value, where)
    elif isinstance(value, list):
        prefix = part.get("prefixItems", [])
        for number, one in enumerate(value):
            items = prefix[number] if number < len(prefix) else part.get("items")
            if isinstance(items, dict):
                yield from faults(schema, items, one, f"{where}[{number}]")


def object_faults(
    schema: dict[str, Any], part: dict[str, Any], value: dict[str, Any], where: str
) -> Iterator[str]:
    properties, others = part.get("properties", {}), part.get("additionalProperties", True)
    yield from (f"{where} lacks {name}" for name in part.get("required", ()) if name not in value)
    for name, one in value.items():
        if name in properties:
            yield from faults(schema, properties[name], one, f"{where}.{name}")
        elif others is False:
            yield f"{where} has {name}"
        elif isinstance(others, dict):
            yield from faults(schema, others, one, f"{where}.{name}")


def named(schema: dict[str, Any], kind: str, field: str) -> set[str]:
    """The names under which the schema knows commands or events."""
    refs = [one["$ref"].rpartition("/")[2] for one in schema["properties"][kind]["anyOf"]]
    return {name for ref in refs for name in schema["$defs"][ref]["properties"][field]["enum"]}


def test_every_command_event_and_refusal_is_in_the_schema(schema: dict[str, Any]) -> None:
    assert set(schema["properties"]) >= {"setup", "command", "event", "refusal"}
    assert named(schema, "command", "command") == {one.__struct_config__.tag for one in get_args(AnyCommand)}
    assert named(schema, "event", "event") == {one.__struct_config__.tag for one in get_args(AnyEvent)}
    assert set(schema["$defs"]["ToldRefusal"]["properties"]["code"]["enum"]) == set(get_args(Code))


def test_every_reference_in_the_schema_leads_somewhere(schema: dict[str, Any]) -> None:
    def refs(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            if "$ref" in value:
                yield value["$ref"]
            for one in value.values():
                yield from refs(one)
        elif isinstance(value, list):
            for one in value:
                yield from refs(one)

    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    found = set(refs(schema))
    assert found
    assert {ref.removeprefix("#/$defs/") for ref in found} <= set(schema["$defs"])


def test_what_is_read_and_written_fits_the_schema(schema: dict[str, Any], log: str) -> None:
    parts = schema["properties"]
    assert list(faults(schema, parts["setup"], SETUP)) == []
    for command in ROUND:
        assert list(faults(schema, parts["command"], command)) == []
    written = [json.loads(line) for line in log.splitlines()]
    events = [event for one in written for event in one.get("events", ())]
    assert len(events) == 12
    for event in events:
        assert list(faults(schema, parts["event"], event)) == []
    (refusal,) = [one["refusal"] for one in written if "refusal" in one]
    assert list(faults(schema, parts["refusal"], refusal)) == []


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("command", {"command": "buy-in", "by": "ann", "cents": "5"}),
        ("command", {"command": "buy-in", "by": "ann", "cents": 1.5}),
        ("command", {"command": "buy-in", "by": "ann", "cents": True}),
        ("command", {"command": "buy-in", "by": "ann"}),
        ("command", {"command": "fly", "by": "ann"}),
        ("command", {"command": "join", "by": "ann", "colour": 1}),
        ("command", {"command": "draw", "by": "dee", "card": "1H"}),
        ("setup", {**SETUP, "positions": "5"}),
        ("setup", {**SETUP, "colour": 1}),
        ("setup", {name: value for name, value in SETUP.items() if name != "layout"}),
        ("event", {"event": "stake-set"}),
        ("refusal", {"code": "nope", "sentence": "", "rules": []}),
    ],
)
def test_the_schema_turns_away_what_the_run_does(schema: dict[str, Any], kind: str, value: object) -> None:
    assert list(faults(schema, schema["properties"][kind], value))


def test_a_log_that_does_not_fold_reads_as_one_sentence(tmp_path: Path, log: str) -> None:
    file = tmp_path / "log.jsonl"
    lines = [line for line in log.splitlines() if "bets-opened" not in line]
    file.write_text("\n".join(lines), encoding="utf-8")
    assert "does not fold" in started("replay", str(file), "--transcript").stderr.decode().splitlines()[-1]


# A rulebook from a file ------------------------------------------------------------------------------------

GAME = """
slug = "house-game"
extends = "plain"
document = { title = "House Game" }
[bets.tie]
pays = [{ tier = "win", when = { winner = ["tie"] }, odds = "9 to 1" }]
"""
OWN = {**SETUP, "staff": {"dee": "dealer", "sam": "shift-manager"}}


@pytest.fixture
def own_log(tmp_path: Path) -> Path:
    """What a run printed whose set-up names a file, which is gone since."""
    book = tmp_path / "game.toml"
    book.write_text(GAME, encoding="utf-8")
    done = started("run", stdin=text({**OWN, "rulebook": str(book)}, *ROUND))
    assert (done.returncode, done.stderr) == (0, b"")
    book.unlink()
    log = tmp_path / "log.jsonl"
    log.write_bytes(done.stdout)
    return log


def test_a_table_is_run_by_a_file_and_replayed_without_it(own_log: Path) -> None:
    first, *_, last = (json.loads(line) for line in own_log.read_text(encoding="utf-8").splitlines())
    setup = first["events"][0]["setup"]
    assert (setup["rulebook"], setup["digest"]) == ("house-game", last["digest"])
    assert str(own_log.parent) not in own_log.read_text(encoding="utf-8"), "no path is in a log"
    answer = json.loads(started("replay", str(own_log)).stdout)
    assert (answer["same"], answer["digest"]) == (True, last["digest"])
    told = started("replay", str(own_log), "--transcript").stdout.decode()
    assert f"rulebook house-game, text {last['digest'][:12]}" in told
    statement = json.loads(started("statement", str(own_log), "--json").stdout)
    assert statement["texts"] == [
        {"since": 1, "rulebook": "house-game", "digest": last["digest"], "effective": ""}
    ]


def test_a_text_that_was_changed_is_not_the_one_that_was_dealt_by(own_log: Path) -> None:
    log = own_log.read_text(encoding="utf-8").replace('"odds":"9 to 1"', '"odds":"8 to 1"')
    own_log.write_text(log, encoding="utf-8")
    assert "of rulebook house-game is not known here" in complaint(started("replay", str(own_log)))


def test_a_file_that_does_not_check_is_one_line_with_all_its_faults(tmp_path: Path) -> None:
    book = tmp_path / "game.toml"
    wrong = GAME.replace('odds = "9 to 1"', 'odds = "lots"') + "[bets.mine]\nname = 5\npays = []\n"
    book.write_text(wrong, encoding="utf-8")
    done = started("run", stdin=text({**OWN, "rulebook": str(book)}))
    told = json.loads(done.stdout.splitlines()[0])["error"]
    assert done.returncode == 2
    assert "bets.tie" in told
    assert "bets.mine" in told


# statement ------------------------------------------------------------------------------------------------


def test_statements_of_a_log(tmp_path: Path, log: str) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(log, encoding="utf-8")
    whole = json.loads(started("statement", str(file), "--json").stdout)
    assert whole["drop"] - whole["paid_out"] == sum(whole["racks"].values()) + whole["house"] + whole["lying"]
    ann = json.loads(started("statement", str(file), "ann", "--json").stdout)
    assert (ann["net"], ann["balance"]) == (9500, whole["racks"]["ann"])
    assert b"Net +95" in started("statement", str(file), "ann").stdout
    assert b"House" in started("statement", str(file)).stdout
    unknown = started("statement", str(file), "zed")
    assert (unknown.returncode, unknown.stdout) == (2, b"")
    assert unknown.stderr.startswith(b"thirdcard: 'zed' has no chips in this log")


# why ------------------------------------------------------------------------------------------------------

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "table-example.jsonl"


def test_why_somebody_may_and_why_somebody_else_may_not() -> None:
    yes = thirdcard("why", str(EXAMPLE), "16", "ann", "insure")
    assert (yes.returncode, yes.stderr) == (0, b"")
    assert yes.stdout.decode() == (
        "yes  insure player in box 3, window 1: window 1 is open by right at 5 to 2: up to 100  4.1.15, 3.12.2\n"
    )
    no = thirdcard("why", str(EXAMPLE), "16", "bob", "decline")
    assert (no.returncode, no.stderr) == (0, b"")
    assert no.stdout.decode() == (
        "no   say no to insurance: nothing is offered to bob  3.11, 3.12, 3.12.1, 4.2.1\n"
    )


def test_without_a_right_all_are_told_and_line_0_is_the_last() -> None:
    last = len(EXAMPLE.read_bytes().splitlines())
    every, same = (thirdcard("why", str(EXAMPLE), line, "ann").stdout for line in ("0", str(last)))
    assert every == same
    assert [line.split()[0] for line in every.decode().splitlines()] == ["no"] * 6


def test_why_as_json_names_the_text_it_goes_by() -> None:
    done = thirdcard("why", str(EXAMPLE), "26", "bob", "choose", "--json")
    book = load("rws-tiger-buffalo-commission-v2")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == {
        "schema": "thirdcard.table-why.1",
        "thirdcard": version("thirdcard"),
        "rulebook": book.slug,
        "digest": digest_of(book),
        "why": [
            {
                "person": "bob",
                "right": "choose",
                "what": "choose",
                "may": True,
                "because": "neither won nor lost yet: Banker in box 3",
                "rules": ["5.11", "5.11.1", "5.11.2", "5.13", "5.13.1", "5.13.2", "5.13.3"],
                "code": "",
            }
        ],
    }


def test_why_not_has_the_code_of_the_refusal() -> None:
    (told,) = json.loads(thirdcard("why", str(EXAMPLE), "28", "bob", "choose", "--json").stdout)["why"]
    assert (told["may"], told["because"], told["code"]) == (False, "no choice is offered now", "no-choice")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("32", "ann"), f"{EXAMPLE} has 31 lines: there is no line 32"),
        (("8", "zed"), "'zed' does not play at this table; at it: ann, bob"),
        (("1", "ann"), "'ann' does not play at this table; at it: nobody"),
        (
            ("8", "ann", "fly"),
            "there is no right 'fly': expected one of insure, decline, choose, withdraw, squeeze, device",
        ),
    ],
    ids=["no such line", "plays not", "plays not yet", "no such right"],
)
def test_what_cannot_be_told_of_is_one_sentence(arguments: tuple[str, ...], told: str) -> None:
    assert complaint(thirdcard("why", str(EXAMPLE), *arguments)) == told


def test_why_by_a_script_that_cannot_be_read_up_to_there(tmp_path: Path) -> None:
    file = tmp_path / "script.jsonl"
    file.write_bytes(text(SETUP, ROUND[0], "nope", ROUND[1]))
    assert complaint(thirdcard("why", str(file), "4", "ann")).startswith("line 3: not JSON: ")
    assert thirdcard("why", str(file), "2", "ann").returncode == 0
    file.write_bytes(text(ROUND[0]))
    assert complaint(thirdcard("why", str(file), "1", "ann")).startswith("line 1: not a set-up: ")
    file.write_bytes(b"")
    assert complaint(thirdcard("why", str(file), "0", "ann")).startswith("no table was set up")
    assert complaint(thirdcard("why", str(tmp_path / "none"), "0", "ann")).startswith("cannot read ")
