"""`thirdcard evidence` and `thirdcard verify` as people call them."""

import json
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from irregularities.situations import TBC, Scene
from service.certifying import certificate, certificate_of_steps
from service.hostile_evidence import signed_certificate
from service.playing import KEY, logged, table_log
from service.store.server import Server
from thirdcard.cli import app
from thirdcard.errors import BadInput
from thirdcard.school.certificates import Certificate, CertificateCheck, follows
from thirdcard.school.exams import answers_hash
from thirdcard.service.evidence import verify
from thirdcard.service.keys import public_key, signing_key
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import EVIDENCE_MADE, Noted
from thirdcard.service.log.store import open_store
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.people.accounts import CONSOLE, NoteFact
from thirdcard.service.people.console import ConsoleNote, note_of

pytestmark = pytest.mark.slow

PUBLIC = public_key(signing_key(KEY))


def kept(where: str, key: Path) -> None:
    """A database with one round, and the key of its house."""
    table = Scene(TBC)
    table.reach("settled")
    store = open_store(where)
    store.commit([logged("one", table_log(table.log))])
    store.close()
    key.write_text(KEY.hex() + "\n", encoding="ascii")
    key.chmod(0o600)


def run(*args: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, [str(one) for one in args])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.exit_code, found.stdout


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("house") / "house.db"
    kept(str(path), Path(f"{path}.key"))
    return path


def test_evidence_is_written_and_verified(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "round.zip"
    status, said = run("evidence", db, "one", 1, "--out", out, "--by", "ada", "--lang", "zh")
    assert (status, PUBLIC in said) == (0, True)
    key = tmp_path / "house.pub"
    key.write_text(PUBLIC + "\n", encoding="ascii")
    for given in (PUBLIC, str(key)):
        status, said = run("verify", out, "--key", given, "--json")
        report = json.loads(said)
        assert (status, report["ok"], report["given"], report["by"]) == (0, True, True, "ada")
        assert report["schema"] == "thirdcard.verify.1"
        assert (report["rulebook"], report["round"]) == (TBC, 1)
    status, said = run("verify", out)
    assert status == 0
    assert "key inside" in " ".join(said.split())
    out.write_bytes(out.read_bytes().replace(b"Paragraph", b"paragraph", 1)[:-1])
    status, said = run("verify", out, "--json")
    assert (status, json.loads(said)["ok"]) == (1, False)
    assert run("verify", out)[0] == 1


def test_the_journal_has_that_it_was_taken(db: Path, tmp_path: Path) -> None:
    """Before it is given out, so also when it cannot be written."""
    before = taken(db)
    with pytest.raises(BadInput, match="cannot write"):
        run("evidence", db, "one", 1, "--out", tmp_path / "no" / "round.zip")
    run("evidence", db, "one", 1, "--out", tmp_path / "round.zip")
    assert taken(db)[len(before) :] == [{"table": "one", "round": 1, "by": CONSOLE}] * 2


def test_a_server_that_runs_takes_such_a_note_and_no_other() -> None:
    given: list[tuple[dict[str, NoteFact], bool]] = [
        ({"table": "one", "round": 1}, True),
        ({"table": 1, "round": "one"}, False),
        ({}, False),
    ]
    for facts, is_one in given:
        line = msgspec.json.encode(ConsoleNote(EVIDENCE_MADE, facts))
        assert (note_of(line) is not None) == is_one


def taken(db: Path) -> list[dict[str, str | int]]:
    with closing(open_store(str(db))) as store:
        notes = [event for event in map(event_of, store.read(JOURNAL)) if isinstance(event, Noted)]
    return [one.facts for one in notes if one.kind == EVIDENCE_MADE]


def test_the_page_alone(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "round.html"
    status, said = run("evidence", db, "one", 1, "--out", out, "--json")
    assert (status, json.loads(said)["schema"]) == (0, "thirdcard.evidence.1")
    page = out.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "src=" not in page
    assert "<link" not in page
    assert "4.1.2" in page


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("one", 2), "one has played no round 2"),
        (("two", 1), "there is no table 'two'"),
        (("one", 1, "--lang", "tlh"), "there is no language 'tlh'"),
        (("one", 1, "--key", "nowhere.key"), "there is no key nowhere.key"),
    ],
)
def test_what_cannot_be_is_a_sentence(db: Path, tmp_path: Path, args: tuple[object, ...], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        run("evidence", db, *args, "--out", tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


def test_neither_a_database_nor_a_key_is_made(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no database"):
        run("evidence", tmp_path / "none.db", "one", 1, "--out", tmp_path / "x.zip")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadInput, match="is no public key"):
        run("verify", tmp_path, "--key", "abc")


def test_out_of_postgresql(tmp_path: Path) -> None:
    server = Server()
    try:
        where, key, out = server.database(), tmp_path / "pg.key", tmp_path / "round.zip"
        kept(where, key)
        assert run("evidence", where, "one", 1, "--out", out, "--key", key)[0] == 0
        assert run("verify", out, "--key", PUBLIC)[0] == 0
    finally:
        server.stop()


def test_a_certificate_of_an_exam_is_verified_too(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    file.write_bytes(certificate())
    status, said = run("verify", file, "--key", PUBLIC)
    assert status == 0
    assert "Mei did not pass exam 20270115-00000000: all of it holds." in said
    file.write_bytes(certificate().replace(b"Mei", b"Wei"))
    status, said = run("verify", file)
    assert status == 1
    assert "not one that this key made for this text" in " ".join(said.split())
    file.write_bytes(b"{}")
    with pytest.raises(BadInput, match="neither evidence of a round nor a certificate"):
        run("verify", file)


def test_a_hostile_certificate_is_told_in_a_sentence(tmp_path: Path) -> None:
    """Signatures that are no hex, keys that are none, exams that nobody can have sat, renewals without end."""
    file, good = tmp_path / "certificate.json", json.loads(certificate())
    said = json.loads(good["text"])
    forms = [json.dumps(good | {"signature": wrong}).encode() for wrong in ("zz", "", "é", "f" * 128)]
    forms += [json.dumps(good | {"key": wrong}).encode() for wrong in ("zz", "", "f" * 64)]
    part = said["plan"]["parts"][0]
    plans: list[dict[str, object]] = [
        {"parts": [part] * 13},
        {"parts": [part | {"items": 100}] * 3},
        {"parts": [part | {"kind": "nothing"}]},
        {"parts": []},
        {"rulebook": "x" * 100},
        {"layout": "ZZ"},
        {"decks": 16},
        {"renews": "x@" + "0" * 64},
    ]
    texts = [said | {"plan": said["plan"] | plan} for plan in plans]
    others: list[dict[str, object]] = [
        {"digest": ""},
        {"seed": ""},
        {"answers": {"-1": {}}},
        {"struck": {"7" * 19: ""}},
        {"renews": {"exam": "", "rulebook": "", "digest": "", "sha256": ""}},
        {"person": 5},
    ]
    texts += [said | other for other in others]
    forms += [signed_certificate(json.dumps(text)) for text in texts]
    forms += [b"{" * 100_000, b'{"renews":' * 50_000, b"{" + b" " * 2_000_000]
    for form in forms:
        file.write_bytes(form)
        with suppress(BadInput):
            run("verify", file)
    renewal = json.loads(signed_certificate(json.dumps(texts[7])))
    chained = renewal
    for _ in range(200):
        chained = renewal | {"renews": chained}
    file.write_text(json.dumps(chained))
    looked_at = list[Certificate]()

    def looks(said: Certificate) -> Iterator[CertificateCheck]:
        looked_at.append(said)
        yield from follows(said)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "follows", looks)
        assert run("verify", file)[0] == 1
    assert len(looked_at) == 1 + verify.MOST_RENEWALS


def test_a_certificate_of_answers_in_steps_is_verified_and_one_other_step_is_found_out(
    tmp_path: Path,
) -> None:
    """Signed anew by the house itself, with the hash of what it then says: the items still tell."""
    file, stored = tmp_path / "certificate.json", certificate_of_steps()
    file.write_bytes(stored)
    status, said = run("verify", file, "--key", PUBLIC)
    assert status == 0, said
    assert "6 items made again and marked: 6 of 6 are right" in said
    text = json.loads(json.loads(stored)["text"])
    steps = [(place, name) for place, given in text["answers"].items() for name in given]
    assert len(steps) > 2 * len(text["answers"]), "several to an item"
    for place, name in steps:
        answers = {one: dict(given) for one, given in text["answers"].items()}
        said_before = answers[place].pop(name)
        if isinstance(said_before, int):
            answers[place][name] = said_before + 1  # a cent more
        digest = answers_hash({int(one): given for one, given in answers.items()})
        lie = json.dumps(text | {"answers": answers, "answers_sha256": digest})
        key = signing_key(KEY)
        signed = {"text": lie, "key": public_key(key), "signature": key.sign(lie.encode()).hex()}
        file.write_text(json.dumps(signed))
        status, said = run("verify", file, "--key", PUBLIC)
        assert (status, "marked again, 5 of 6 are right: it says 6 of 6 right" in said) == (1, True), said


def test_rounds_of_a_database_are_items(db: Path) -> None:
    status, said = run("school", "mine", db, "one", "--json")
    found = json.loads(said)
    assert (status, found["table"], found["first"], found["count"]) == (0, "one", 1, 1)
    assert {item["kind"] for item in found["items"]} >= {"third-card", "result"}
    assert all((item["table"], item["number"], item["seed"]) == ("one", 1, "log") for item in found["items"])
    status, said = run(
        "school", "mine", db, "one", "--rounds", "1", "--kind", "result", "--questions", "--json"
    )
    asked = json.loads(said)["items"]
    assert [item["kind"] for item in asked] == ["result"]
    assert "answer" not in said
    for wrong in (
        ("two",),
        ("one", "--rounds", "2"),
        ("one", "--rounds", "1-40"),
        ("one", "--rounds", "x"),
        ("one", "--kind", "fourth-card"),
    ):
        with pytest.raises(BadInput):
            run("school", "mine", db, *wrong)
