"""`thirdcard settle` as other programs call it."""

import json
import signal
import subprocess
import sys
from importlib.metadata import version
from typing import Any, NamedTuple

import pytest

from cli.running import here
from thirdcard.rulebook import digest_of, load

pytestmark = pytest.mark.slow

TBC = "rws-tiger-buffalo-commission-v2"
CBI = "rws-commission-insurance-v5"
V4 = "rws-tiger-buffalo-non-commission-v4"
MBS = "mbs-tiger-v2"


class Done(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


def thirdcard(*arguments: str, stdin: bytes = b"") -> Done:
    """In this process, which is quicker than the program; `converse` starts that."""
    status, out, err = here(*arguments, stdin=stdin)
    return Done(status, out.encode(), err.encode())


def settled(*arguments: str) -> Any:  # noqa: ANN401 - JSON
    """The statement, without what every answer begins with."""
    done = thirdcard("settle", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    answer = json.loads(done.stdout)
    assert answer.pop("schema") == "thirdcard.settle.1"
    assert answer.pop("thirdcard") == version("thirdcard")
    assert answer.pop("digest") == digest_of(load(answer.pop("rulebook")))
    assert (answer.pop("layout"), answer.pop("decks")) == (arguments[arguments.index("--layout") + 1], 8)
    return answer


def test_a_statement_as_the_contract_has_it() -> None:
    statement = settled(
        TBC, "--layout", "A", "--cards", "6C 3D KH AS 3C",
        "--bet", "player=100", "--bet", "banker-char-siu=10", "--insure", "player:1=40",
    )  # fmt: skip
    assert statement == {
        "outcome": "banker",
        "player": {"cards": "6C KH", "points": 6},
        "banker": {"cards": "3D AS 3C", "points": 7},
        "bets": [
            {
                "bet": "player",
                "stake": 10000,
                "result": "lose",
                "odds": None,
                "net": -10000,
                "rules": ["3.16", "4.1.2"],
            },
            {
                "bet": "banker-char-siu",
                "stake": 1000,
                "result": "win",
                "odds": "15 to 1",
                "net": 15000,
                "rules": ["1.3", "4.1.14"],
            },
            {
                "bet": "player-insurance",
                "stake": 4000,
                "result": "win",
                "odds": "5 to 2",
                "net": 10000,
                "rules": ["3.11", "3.12", "3.12.1", "4.2.1", "4.1.15"],
                "window": 1,
            },
        ],
        "net": 15000,
    }


def test_dollars_and_cents_with_a_small_chip_unit() -> None:
    statement = settled(
        MBS, "--layout", "A", "--chip-unit", "0.20", "--cards", "2C 4H KD 5S", "--bet", "banker=12.60"
    )
    assert statement["net"] == 1197


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["mbs-tigr-v2", "--layout", "A", "--cards", "9C"], "there is no rulebook 'mbs-tigr-v2': did you mean mbs-tiger-v2"),
        ([MBS, "--layout", "Z", "--cards", "9C"], "mbs-tiger-v2 has no layout 'Z'"),
        ([MBS, "--cards", "9C"], "a round starts with four cards: 1 given"),
        ([MBS, "--layout", "A"], "no cards given"),
        ([MBS, "--layout", "A", "--cards", "9C 9X"], "'9X' is not a card"),
        ([MBS, "--layout", "A", "--cards", "9C 4H KD 2S", "--bet", "tie"], "'tie' is not a bet: expected NAME=DOLLARS"),
        ([MBS, "--layout", "A", "--cards", "9C 4H KD 2S", "--bet", "tie=ten"], "'ten' is not an amount"),
        ([MBS, "--layout", "A", "--cards", "9C 4H KD 2S", "--bet", "tie=-5"], "the stake on tie must be more than zero"),
        ([MBS, "--layout", "A", "--cards", "9C 4H KD 2S", "--bet", "tie=2.50"], "must be a multiple of the chip unit 1: got 2.50"),
        ([MBS, "--layout", "A", "--cards", "9C 4H KD 2S", "--bet", "tie=1", "--bet", "tie=2"], "the bet tie is given twice"),
        ([MBS, "--layout", "A", "--decks", "3", "--cards", "9C 4H KD 2S"], "is played with 4 to 10 decks"),
        ([MBS, "--layout", "A", "--decks", "many", "--cards", "9C"], "Invalid value for '--decks'"),
        ([MBS, "--layout", "A", "--chip-unit", "0.25", "--cards", "9C 4H KD 2S"], "the chip unit must be a positive multiple"),
        ([TBC, "--layout", "A", "--cards", "6C 3D KH AS 3C", "--bet", "player=10", "--insure", "player=5"], "'player=5' is not insurance"),
        ([TBC, "--layout", "A", "--cards", "6C 3D KH AS 3C", "--bet", "player=10", "--insure", "both:1=5"], "'both:1=5' is not insurance"),
        ([TBC, "--layout", "A", "--cards", "6C 3D KH AS 3C", "--bet", "player=10", "--insure", "player:1=50"], "at most 10 here (3.12.2)"),
        ([MBS, "--layout", "A", "--jsonl", "--bet", "tie=1"], "--jsonl reads rounds and prints a line for each: leave out --bet"),
        ([MBS, "--layout", "A", "--colour"], "No such option"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_on_standard_error(arguments: list[str], sentence: str) -> None:
    done = thirdcard("settle", *arguments, "--json")
    assert done.returncode == 2
    assert done.stdout == b""
    text = done.stderr.decode()
    assert text.startswith("thirdcard: ")
    assert text.count("\n") == 1
    assert sentence in text


GOOD = {"cards": "6C 3D KH AS 3C", "bets": {"player": 10000, "tie": 500}}
INSURED = GOOD | {"insure": [{"hand": "player", "window": 1, "stake": 2000}]}


def lines(*rounds: object) -> bytes:
    return b"".join((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in rounds)


BROKEN: list[tuple[bytes, str]] = [
    (b"{", "not JSON"),
    (b"\xff\xfe", "not a round"),
    (b"[" * 100_000, "nested too deeply"),
    (b"[]", "Expected `object`"),
    (b"null", "Expected `object`"),
    (b"{}", "missing required field `cards`"),
    (lines({"cards": 5, "bets": {}}), "Expected `str`, got `int` - at `$.cards`"),
    (lines(GOOD | {"colour": "red"}), "unknown field `colour`"),
    (lines(GOOD | {"bets": {"tie": 1.0}}), "the stake on tie must be a whole number of cents: got 1.0"),
    (lines(GOOD | {"bets": {"tie": True}}), "the stake on tie must be a whole number of cents: got True"),
    (lines(GOOD | {"bets": {"tie": "500"}}), "the stake on tie must be a whole number of cents: got '500'"),
    (lines(GOOD | {"bets": {"tie": None}}), "the stake on tie must be a whole number"),
    (b'{"cards": "6C 3D KH AS 3C", "bets": {"tie": NaN}}', "NaN is not a number here"),
    (b'{"cards": "6C 3D KH AS 3C", "bets": {"tie": 1e400}}', "the stake on tie must be a whole number"),
    (b'{"cards": "6C 3D KH AS 3C", "bets": {"tie": ' + b"9" * 5000 + b"}}", "a number in it is too long"),
    (lines(GOOD | {"bets": {"tie": 10**30}}), "too large"),
    (lines(GOOD | {"bets": {"tie": 0}}), "must be more than zero"),
    (lines(GOOD | {"bets": {"tie": 150}}), "must be a multiple of the chip unit"),
    (b'{"cards": "6C 3D KH AS 3C", "bets": {"tie": 100, "tie": 200}}', "the key 'tie' is given twice"),
    (lines(GOOD | {"bets": {"tye": 100}}), "did you mean tie"),
    (lines(GOOD | {"cards": "6C 3D KH AS"}), "a fifth card is missing"),
    (lines(INSURED | {"insure": [{"hand": "tie", "window": 1, "stake": 100}]}), "Invalid enum value 'tie'"),
    (lines(INSURED | {"insure": [{"hand": "player", "window": 2, "stake": 100}]}), "the Player drew no third card"),
    (lines(INSURED | {"insure": [{"hand": "player", "window": 1, "stake": 1.5}]}), "Expected `int`, got `float`"),
]  # fmt: skip


def test_jsonl_answers_every_line_and_goes_on_after_broken_ones() -> None:
    broken = [line.strip() for line, _ in BROKEN]
    done = thirdcard("settle", TBC, "--layout", "A", "--jsonl", stdin=lines(GOOD, *broken, INSURED))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert done.stderr == b""
    assert len(answers) == len(BROKEN) + 2
    assert answers[0]["net"] == -10500
    assert answers[-1]["net"] == -10500 + 5000
    for number, ((_, sentence), answer) in enumerate(zip(BROKEN, answers[1:-1], strict=True), start=2):
        assert answer["line"] == number
        assert sentence in answer["error"], answer


def test_jsonl_without_broken_lines_ends_with_status_0() -> None:
    done = thirdcard("settle", TBC, "--layout", "A", "--jsonl", stdin=lines(GOOD, INSURED))
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2
    assert thirdcard("settle", TBC, "--layout", "A", "--jsonl").returncode == 0


def test_jsonl_gives_the_same_statement_as_one_round() -> None:
    alone = settled(
        TBC, "--layout", "A", "--cards", "6C 3D KH AS 3C", "--bet", "player=100", "--bet", "tie=5"
    )
    done = thirdcard("settle", TBC, "--layout", "A", "--jsonl", stdin=lines(GOOD))
    assert json.loads(done.stdout) == alone


def converse() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "thirdcard", "settle", TBC, "--layout", "A", "--jsonl"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_jsonl_answers_before_it_reads_on() -> None:
    with converse() as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for _ in range(3):
            program.stdin.write(lines(GOOD))
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["net"] == -10500
        program.stdin.close()
        assert program.wait(timeout=300) == 0


def test_ctrl_c_ends_quietly_after_whole_lines() -> None:
    with converse() as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write(lines(GOOD))
        program.stdin.flush()
        assert json.loads(program.stdout.readline())["net"] == -10500
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=300) == 130
        assert program.stdout.read() == b""
        assert program.stderr.read() == b""
