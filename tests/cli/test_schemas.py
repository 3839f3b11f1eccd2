"""Every command's JSON is what its published schema says, and every command has one."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
import typer.main

from cli.running import here
from each import each
from reading.composing import compose
from service.certifying import certificate
from service.tampering import FILES, make
from thirdcard.cli import app
from thirdcard.cli.schemas import FORMS, schema_of
from thirdcard.rulebook import load
from thirdcard.rulebook.lookup import identity
from thirdcard.school.item_types import KINDS
from thirdcard.service.api import reference

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery"  # noqa: S105 - of nobody
MBS, CBI, TBC = "mbs-tiger-v2", "rws-commission-insurance-v5", "rws-tiger-buffalo-commission-v2"
OWN = str(ROOT / "examples" / "rulebooks" / "ez-baccarat.toml")
SETTLE = ("settle", TBC, "--layout", "A", "--cards", "6C 3D KH AS 3C", "--bet", "player=100")
LINES = '{"id": 7, "cards": "9C 9H 9D 9S", "bets": {"tiger-pair": 500}}\n{"cards": "9C"}\nno\n'
ROUNDS = "table,shoe,round,cards,player,bet,stake\n" + "".join(
    f"one,1,{number},9C 9H 9D 9S,Wei,banker,{100 * number}\n" for number in range(1, 6)
)
# Of each schema the calls whose answer it describes; {house} and the like are files that are there.
CALLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "account": (
        ("account", "add", "Ada", "--role", "dealer", "--db", "{house}", "--password-stdin", "--json"),
        ("account", "role", "Ada", "--role", "auditor", "--db", "{house}", "--json"),
        ("account", "password", "Ada", "--db", "{house}", "--password-stdin", "--json"),
        ("account", "unlock", "Ada", "--db", "{house}", "--json"),
        ("account", "disable", "Ada", "--db", "{house}", "--json"),
    ),
    "account-list": (("account", "list", "--db", "{house}", "--json"),),
    "audit": (
        ("audit", "{house}", "--json"),
        ("restore", "{folder}/made.backup", "{folder}/again.db", "--json"),
    ),
    "backup": (("backup", "{house}", "{folder}/tables.backup", "--json"),),
    "evidence": (("evidence", "{house}", "tiger", "1", "--out", "{folder}/round.zip", "--json"),),
    "export": (
        ("export", "{house}", "--out", "{folder}/events.csv", "--json"),
        ("export", "{house}", "--postings", "--out", "{folder}/ledger.csv", "--json"),
    ),
    "shift": (("shift", "{house}", "--shift", "day", "--json"), ("shift", "{house}", "--day", "2027-01-15", "--json")),
    "find": (("find", "{house}", "--outcome", "banker", "--json"), ("find", "{house}", "player", "--json")),
    "insurance": (
        ("insurance", CBI, "--seen", "9C 9D KH", "--json"),
        ("insurance", CBI, "--cards", "6C 3D KH AS", "--json"),
    ),
    "key": (("key", "{house}", "--json"),),
    "odds": (
        ("odds", MBS, "--seen", "9C KD", "--plan", "banker=100,big-tiger=5", "--rounds", "100", "--json"),
        ("odds", MBS, "--effects", "--compare-decks", "--against", TBC, "--json"),
        ("odds", OWN, "--json"),
    ),
    "player-statement": (("table", "statement", "{log}", "ann", "--json"),),
    "protect": (
        ("protect", CBI, "--bet", "banker", "--cut", "14,52", "--shoes", "8", "--insurance", "--count", "--json"),
    ),
    "protect-known": (("protect", "known", MBS, "--bet", "banker", "--seen", "9C", "--json"),),
    "protect-price": (("protect", "price", MBS, "drawn-together", "--json"),),
    "protect-radar": (("protect", "radar", "{stakes}", "--rulebook", MBS, "--json"),),
    "report": (("report", MBS, "--out", "{folder}/report.html", "--json"),),
    "resettle": (("resettle", "{house}", "--under", TBC, "--json"),),
    "roads": (("roads", "BTBPPPBPBBPPBBBTTP", "--json"),),
    "rulebook": (("rules", "schema", "--json"),),
    "rulebook-added": (("rulebook", "add", OWN, "--db", "{house}", "--json"),),
    "rulebook-list": (("rulebook", "list", "--db", "{house}", "--json"),),
    "rules.check": (
        ("rules", "check", OWN, "--json"),
        ("rules", "check", MBS, "{broken}", "--json"),
        ("rules", "check", MBS, "--against", "{document}", "--json"),
    ),
    "rules.when": (
        ("rules", "when", "mbs-tiger", "--json"),
        ("rules", "when", "rws-tiger-buffalo-non-commission", "2025-08-08", "--json"),
    ),
    "rules.diff": (
        ("rules", "diff", "rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4", "--json"),
        ("rules", "diff", MBS, CBI, "--json"),
    ),
    "rules.interpretations": (("rules", "interpretations", "--json"),),
    "rules.list": (("rules", "list", "--rulebooks", "{folder}", "--json"),),
    "rules.new": (("rules", "new", "{folder}/mine.toml", "--yes", "--json"),),
    "rules.read": (("rules", "read", "{document}", "--json"),),
    "rules.show": tuple(("rules", "show", which, "--json") for which in (MBS, CBI, TBC, OWN)),
    "rules.test": (("rules", "test", "{folder}/mine.toml", "--write", "--json"),),
    "rules.trace": (("rules", "trace", "--json"), ("rules", "trace", OWN, "--json")),
    "ruling": (
        ("ruling", MBS, "drawn-together", "--order-unknown", "--stage", "initial-deal", "--json"),
        ("ruling", MBS, "drawn-together", "--json"),
    ),
    "ruling-cases": (("ruling", MBS, "--json"),),
    "schemas": (("schema", "--json"),),
    "school.drill": (("school", "drill", "third-card", "--seed", "x", "--count", "2", "--json"),),
    "school.items": (
        *(("school", "items", kind, "--rulebook", TBC, "--count", "3", "--level", "5", "--json") for kind in KINDS),
        ("school", "items", "pay", "--rulebook", OWN, "--questions", "--json"),
        ("school", "mine", "{house}", "tiger", "--json"),
        ("school", "mine", "{house}", "tiger", "--rounds", "1-2", "--kind", "third-card", "--questions", "--json"),
    ),
    "settle": ((*SETTLE, "--insure", "player:1=40", "--json"),),
    "settle-file": (("settle", MBS, "--layout", "A", "--in", "{rounds}", "--out", "{folder}/settled.csv", "--json"),),
    "settle-line": (("settle", MBS, "--layout", "A", "--jsonl"),),
    "simulate": (
        ("simulate", MBS, "--rounds", "2000", "--json"),
        ("simulate", CBI, "--plan", "labouchere", "--line", "1,2", "--sessions", "4", "--rounds", "20", "--side", "tie=1", "--insurance", "positive", "--json"),
    ),
    "table-script": (("table", "schema", "--json"),),
    "submission": (("submission", MBS, "--out", "{folder}/pack.zip", "--key", "{house}.key", "--shoes", "8", "--json"),),
    "table": (("table", "run", "{script}", "--json"),),
    "table-replay": (("table", "replay", "{log}", "--json"),),
    "table-statement": (("table", "statement", "{log}", "--json"),),
    "table-why": (("table", "why", "{example}", "16", "ann", "--json"),),
    "verify": (("verify", "{folder}/made.zip", "--json"),),
    "verify.submission": (("verify", "{folder}/made-pack.zip", "--json"),),
    "verify.certificate": (("verify", "{folder}/certificate.json", "--json"),),
}  # fmt: skip
BY_LINE = ("settle-line", "table")
# Commands whose answers are held against a schema in another test.
ELSEWHERE = {"serve": "serve", "account reset-codes": "account"}
FINDS = {
    "rules.check",
    "rules.read",
    "settle-line",
    "table",
    "audit",
    "find",
}  # status 1 where something is found
GROUPS = {"protect perfect": "protect"}  # the command that a rulebook in its place means


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("answers")
    house = make(folder, rounds=2)
    texts = {
        "document": ("rules.txt", compose(load(CBI)).replace("6 to 1", "7 to 1")),
        "broken": ("broken.toml", 'slug = "broken"\n'),
        "stakes": ("stakes.csv", ROUNDS),
        "rounds": ("rounds.csv", "cards,tiger-pair\n9C 9H 9D 9S,500\nnothing,5\n"),
    }
    script = (ROOT / "docs" / "table-example.jsonl").read_text(encoding="utf-8")
    for name, text in (*texts.values(), ("script.jsonl", f"{script}{{}}\n")):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "certificate.json").write_bytes(certificate())
    _, log, _ = here("table", "run", folder / "script.jsonl")
    (folder / "log.jsonl").write_text(log, encoding="utf-8")
    assert {*FILES} >= {house.name}
    here("backup", house, folder / "made.backup")
    here("evidence", house, "tiger", "1", "--out", folder / "made.zip")
    here("submission", MBS, "--out", folder / "made-pack.zip", "--key", f"{house}.key", "--shoes", "8")
    files = {name: str(folder / file) for name, (file, _) in texts.items()}
    return {
        "folder": str(folder),
        "house": str(house),
        "script": str(folder / "script.jsonl"),
        "example": str(ROOT / "docs" / "table-example.jsonl"),
        "log": str(folder / "log.jsonl"),
        **files,
    }


def strict(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """A schema by which a key that it does not name is wrong: releases may add some, this one has what it says."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(value) for key, value in schema.items()}
    properties = schema.get("properties")
    if isinstance(properties, dict) and schema.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


@cache
def validator(name: str) -> Any:  # noqa: ANN401 - whatever the library has
    return jsonschema_rs.validator_for(strict(schema_of(name)))


def wrong(name: str, answer: object) -> list[str]:
    return [f"{error.instance_path}: {error.message[:300]}" for error in validator(name).iter_errors(answer)]


def answers(name: str, call: tuple[str, ...], places: dict[str, str]) -> list[Any]:
    stdin = {"settle-line": LINES, "account": f"{PASSWORD}\n", "school.drill": "d\ns\n"}.get(name, "")
    status, out, err = here(*(one.format(**places) for one in call), stdin=stdin)
    assert status in ((0, 1) if name in FINDS or "--in" in call else (0,)), (call, err)
    return [json.loads(line) for line in out.splitlines()] if name in BY_LINE else [json.loads(out)]


@each("name", sorted(CALLS))
def test_every_answer_is_as_its_schema_says(name: str, places: dict[str, str]) -> None:
    for call in CALLS[name]:
        for answer in answers(name, call, places):
            if name in ("rulebook", "table-script"):
                assert answer == json.loads(json.dumps(schema_of(name)))
                continue
            assert wrong(name, answer) == [], " ".join(call)
            if isinstance(answer, dict) and "schema" in answer:
                assert answer["schema"] == f"thirdcard.{name}.1"


def commands(group: Any, path: str = "") -> Iterator[str]:  # noqa: ANN401 - Typer's own Click
    for name, one in group.commands.items():
        whole = f"{path} {name}".strip()
        if hasattr(one, "commands"):
            yield from commands(one, whole)
        else:
            yield whole


@each("command", sorted(commands(typer.main.get_command(app))))
def test_every_command_has_a_schema_and_is_held_to_it(command: str) -> None:
    told = GROUPS.get(command, command)
    called = [" ".join(call) for calls in CALLS.values() for call in calls]
    assert told in ELSEWHERE or any(f"{one} ".startswith(f"{told} ") for one in called), (
        f"nobody holds the JSON of `thirdcard {command}` to a schema: give it --json, add a row with the type of "
        f"its answer to FORMS in src/thirdcard/cli/schemas.py, and a call of it to CALLS here"
    )


def test_every_schema_is_of_something_and_is_a_schema() -> None:
    assert {*CALLS, *ELSEWHERE.values()} == {*FORMS}
    for name in FORMS:
        assert jsonschema_rs.meta.is_valid(schema_of(name)), name


def test_a_key_too_few_and_one_too_many_are_noticed(places: dict[str, str]) -> None:
    (answer,) = answers("settle", CALLS["settle"][0], places)
    assert wrong("settle", answer) == []
    assert wrong("settle", answer | {"new": 1})
    assert wrong("settle", {key: value for key, value in answer.items() if key != "net"})
    assert wrong("settle", answer | {"net": 1.5})
    assert wrong("settle", answer | {"schema": "thirdcard.odds.1"})


def test_rules_and_odds_of_a_server_have_the_same_schemas() -> None:
    book, other = (reference.book_of(slug) for slug in (CBI, MBS))
    odds = msgspec.json.decode(reference._odds(book, None, 8, reference._gone("9C KD")))  # noqa: SLF001
    assert wrong("odds", odds) == []
    assert odds["seen"] == ["9C", "KD"]
    assert wrong("rules.diff", msgspec.json.decode(reference._diff(book, other))) == []  # noqa: SLF001
    assert wrong("insurance", msgspec.json.decode(reference._insurance(book, 8, ()))) == []  # noqa: SLF001
    shown = reference.described("rules.show", book, book).content
    assert wrong("rules.show", msgspec.json.decode(shown)) == []
    assert identity("odds", book).items() <= odds.items()


def test_a_schema_goes_by_its_short_and_its_whole_name() -> None:
    short, whole = (here("schema", name) for name in ("odds", "thirdcard.odds.1"))
    assert short == whole
    assert json.loads(short[1])["title"] == "thirdcard.odds.1"
    status, out, err = here("schema", "ods")
    assert (status, out) == (2, "")
    assert "did you mean odds" in err
