"""Evidence of every kind of round is found true by both verifiers, and each byte of it that is changed is found."""

import asyncio
import json
import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from irregularities.every_case import EVERY_CASE, reported
from irregularities.situations import FACE_DOWN, INSURED, PLAYER_WINS, TBC, Scene
from service import hostile_evidence as hostile
from service.logs.keeping import HERE
from service.logs.test_logs import database
from service.playing import TABLES, House, seeded_shoes
from service.proving import HOUSE, NOW, of_table, play_out, proved
from thirdcard.cards import Card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.service.evidence import standalone
from thirdcard.service.evidence.gather import archive, gathered
from thirdcard.service.evidence.told import tell
from thirdcard.service.evidence.verify import verified
from thirdcard.service.keys import public_key, signing_key
from thirdcard.service.log import codec
from thirdcard.service.log.store import Store, open_store
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.table import commands
from thirdcard.table.events import RoundSettled

PUBLIC = public_key(HOUSE)
ALONE = Path(standalone.__file__)
replace = msgspec.structs.replace


def wrong(data: bytes, key: str = PUBLIC) -> list[str]:
    """What the verifier finds; the one by itself agrees."""
    report = verified(data, key)
    alone = [name for name, _, said in standalone.check(data, key) if said]
    found = [one.check for one in report.checks if one.wrong]
    assert [name for name in found if name not in ("settlement", "evidence", "records")] == alone
    assert report.ok == (not found)
    return found


# Every kind of round --------------------------------------------------------------------------------------


WHOLE = bool(os.environ.get("THIRDCARD_ALL_EVIDENCE"))  # every case of every document, and every byte


def some_cases() -> Iterator[tuple[str, str]]:
    """Every case, by one document after the other; with `WHOLE` every case of every document."""
    cases: dict[str, list[str]] = {}
    for slug, case in EVERY_CASE:
        cases.setdefault(case, []).append(slug)
    for turn, (case, books) in enumerate(cases.items()):
        yield from ((slug, case) for slug in (books if WHOLE else [books[turn % len(books)]]))


@pytest.mark.slow
def test_each_irregularity_is_proved_from_its_report_to_its_end() -> None:
    """Every case, as ruled at its table; those that end a round by voiding it too."""
    phases = set()
    for slug, case in some_cases():
        table = reported(slug, case)
        play_out(table)
        part, told, data = proved(of_table(table), table.state.rounds)
        assert wrong(data) == [], case
        mine = [one for one in told.rulings if one.case == case]
        assert mine, case
        assert mine[0].ruled is not None
        assert mine[0].remedies, case
        assert [one.chosen for one in mine[0].options].count(True) == 1, (slug, case)
        for option in mine[0].options:
            assert option.title
            assert [(one.player, one.box) for one in option.nets] == [
                (one.player, one.box) for one in mine[0].options[0].nets
            ]
        assert mine[0].rules or case == "not-covered"
        assert told.settlement == (table.current.settlement if told.phase == "settled" else None)
        assert [one.version for one in told.records] == [one.version for one in part.records]
        phases.add(told.phase)
    assert phases == {"settled", "void"}


@pytest.mark.parametrize("slug", INSURED)
def test_an_insured_round(slug: str) -> None:
    table = Scene(slug)
    table.reach("settled")
    _, told, data = proved(of_table(table), 1)
    assert wrong(data) == []
    assert told.settlement is not None
    bought = [line for line in told.settlement.lines if line.bet == "player-insurance"]
    assert [line.stake for line in bought] == [20_00]
    assert told.purchases[0].player == "ann"
    assert told.windows[1].offers
    assert told.nets == table.current.settlement.nets  # type: ignore[union-attr]
    said = {one.paragraph: one.says for one in told.paragraphs}
    assert {rule.partition("(")[0] for line in told.settlement.lines for rule in line.rules} <= said.keys()
    assert all(said.values())


def test_a_corrected_round_shows_before_and_after() -> None:
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.settle()
    before = dict(table.current.settlement.nets)  # type: ignore[union-attr]
    table.do(commands.Correct(by="sue", cards=parse_cards("2C 9H KD KS"), reason="misread"))
    _, told, data = proved(of_table(table), 1)
    assert wrong(data) == []
    (one,) = told.amendments
    assert (one.amended.by, one.amended.why) == ("sue", "misread") or one.amended.why == "misread"
    assert one.before.nets == before
    assert one.after.nets == told.nets != before
    assert one.before.cards == parse_cards(PLAYER_WINS)
    assert one.after.cards == parse_cards("2C 9H KD KS")


def test_a_round_dealt_face_down_and_squeezed() -> None:
    table = Scene(TBC, **FACE_DOWN[TBC])
    table.bets()
    table.close()
    table.do(commands.RequestSqueeze(by="ann", cards=(3,)))
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(3,)))
    table.deal(PLAYER_WINS)
    table.do(commands.HandOver(by="dee", cards=(3,), player="ann"))
    with pytest.raises(BadInput, match=r"nobody has seen|not over"):
        proved(of_table(table), 1)
    play_out(table)
    _, told, data = proved(of_table(table), 1)
    assert wrong(data) == []
    assert [one.card for one in told.cards] == list(table.current.cards)
    assert all(one.face_up for one in told.cards)
    assert "cards-handed" in [one.name for one in told.records]


def test_a_round_that_is_not_over_or_was_never_played_is_refused() -> None:
    table = Scene(TBC)
    table.dealt("2C 4H")
    with pytest.raises(BadInput, match="round 1 of one is not over yet"):
        proved(of_table(table), 1)
    with pytest.raises(BadInput, match="one has played no round 2"):
        proved(of_table(table), 2)
    with pytest.raises(BadInput, match="there is no table 'two'"):
        proved(of_table(table), 1, "two")


# A house that was played in ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house() -> Store:
    """Automatic tables with shoes that ended, one dealt by hand with a correction and voids, and signed notes."""
    store = MemoryStore()

    async def main() -> None:
        async with House(store) as played:
            with seeded_shoes(played.random):
                for one in TABLES:
                    if one.dealer == "automatic":
                        await played.play(one.id, 6)
                    else:
                        await played.play_by_hand(one.id)
                await played.hall.note_heads()
                await played.play("tiger", 2)

    asyncio.run(main())
    return store


def finished(store: Store) -> Iterator[tuple[str, int]]:
    for one in TABLES:
        yield from ((one.id, row.number) for row in reversed(store.rounds(one.id)))


def opened(store: Store) -> tuple[str, int]:
    """A round dealt card by card from a shoe that was opened since, some records before a signed head."""
    for table, number in finished(store):
        part, told, _ = proved(store, number, table)
        if part.after and told.shoe.first and part.shoe.cards:
            return table, number
    raise AssertionError


@pytest.mark.slow
def test_rounds_of_a_house_lead_to_heads_that_it_signed_meanwhile(house: Store) -> None:
    """The records between a round and the head are told by their digests alone."""
    after, dealt, seen = [], 0, set[str]()
    for table, number in finished(house):
        part, told, data = proved(house, number, table)
        assert wrong(data) == [], (table, number)
        after.append(len(part.after))
        dealt += bool(told.shoe.first and part.shoe.cards)
        seen.add(told.phase)
        text = standalone.unpacked(data)
        mine = {stored.version for stored in part.records}
        others = [codec.content(one) for one in house.read(table) if one.version not in mine]
        assert not [line for line in others if line in text["log.txt"]], "other rounds"
        assert "house" not in json.loads(text["start.json"])["balances"]
    assert max(after) > 50, "up to the note"
    assert min(after) == 0, "signed now, where there is no note yet"
    assert dealt >= 3, "cards compared with a shoe that was opened"
    assert seen == {"settled", "void"}


def test_the_chips_of_people_who_had_no_part_are_not_told(house: Store) -> None:
    part, _, _ = proved(house, 2, "by-hand")
    assert {account.partition(":")[2] for account in part.start.balances} == {"Wei", "Mei"}


@pytest.mark.slow
def test_logs_of_an_earlier_release_are_proved_by_a_head_signed_now(tmp_path: Path) -> None:
    store = open_store(database(HERE / "0.1.0.jsonl", tmp_path))
    try:
        done = 0
        for table in sorted(store.heads().keys() - {JOURNAL}):
            for row in store.rounds(table, limit=2):
                part, _, data = proved(store, row.number, table)
                assert wrong(data) == [], (table, row.number)
                assert part.after == ()
                done += 1
        assert done > 3
    finally:
        store.close()


def test_who_does_not_read_logs_waits_until_the_shoe_with_cards_that_nobody_saw_is_gone() -> None:
    table = Scene(TBC, device="reader", **FACE_DOWN[TBC])
    table.dealt(PLAYER_WINS)
    table.report("not-covered")
    table.rule("sam", action="void", reason="a phone rang")
    with pytest.raises(BadInput, match="nobody has seen"):
        gathered(of_table(table), "one", 1, HOUSE, NOW, reads_log=True)
    table.open()
    store = of_table(table)
    told = tell(gathered(store, "one", 1, HOUSE, NOW, reads_log=True)[0])
    assert told.phase == "void"
    with pytest.raises(BadInput, match="nobody has seen"):
        gathered(store, "one", 1, HOUSE, NOW, reads_log=False)
    table.do(commands.Void(by="sam", reason="enough"))
    table.do(commands.NewShoe(by="dee"))
    gathered(of_table(table), "one", 1, HOUSE, NOW, reads_log=False)


# Tampering --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def evidence(house: Store) -> bytes:
    """Of a round with a shoe that was opened and a head some records later."""
    table, number = opened(house)
    return proved(house, number, table)[2]


def test_each_byte_that_is_changed_is_found(evidence: bytes) -> None:
    """Every byte of what is around the files and of what signs them, and some of every file."""
    places, at = set[int](), 0
    files = standalone.unpacked(evidence)
    for name, data in files.items():
        at = evidence.index(data, at + 30 + len(name)) if data else at
        start = at - 30 - len(name)
        places.update(range(start, at))
        whole = name in ("signature.txt", "heads.json")
        places.update(range(at, at + len(data), 1 if whole else max(1, len(data) // 60)))
        places.add(at + len(data) - 1)
        at += len(data)
    places.update(range(at, len(evidence)))
    assert len(places) > 1_500
    for place in sorted(places):
        changed = bytearray(evidence)
        changed[place] ^= 1 << place % 8
        assert [said for _, _, said in standalone.check(bytes(changed), PUBLIC) if said], place
    for place in sorted(places)[::40]:
        changed = bytearray(evidence)
        changed[place] ^= 0x20
        assert wrong(bytes(changed)), place


@pytest.mark.skipif(not WHOLE, reason="minutes: THIRDCARD_ALL_EVIDENCE=1")
def test_every_byte_of_a_round_and_some_of_every_kind_of_round_are_found_when_changed() -> None:
    """Whatever they are part of: of one archive all, of each other some hundreds."""
    for place, (slug, case) in enumerate(some_cases()):
        table = reported(slug, case)
        play_out(table)
        _, _, data = proved(of_table(table), table.state.rounds)
        for at in range(place, len(data), 499 if place else 1):  # of the first all, of each other some others
            changed = bytearray(data)
            changed[at] ^= 1 << at % 8
            assert any(said for _, _, said in standalone.check(bytes(changed), PUBLIC)), (slug, case, at)


def test_what_is_cut_appended_removed_added_or_put_in_another_order_is_found(evidence: bytes) -> None:
    files = standalone.unpacked(evidence)
    others = [
        evidence[:-1],
        evidence[1:],
        evidence[: len(evidence) // 2],
        b"",
        evidence + b"\0",
        b"PK" + evidence,
    ]
    others += [standalone.packed({one: files[one] for one in files if one != name}) for name in files]
    others.append(standalone.packed(files | {"more.txt": b""}))
    others.append(standalone.packed(dict(reversed(files.items()))))
    for data in others:
        assert wrong(data)


def test_every_field_that_is_changed_with_all_digests_made_good_is_found(evidence: bytes) -> None:
    """Who can do all but sign: only the signature is against it. Signed again, the key is another."""
    files = standalone.unpacked(evidence)
    other = signing_key(bytes(32))
    for name in ("evidence.json", "chain.json", "shoe.json", "start.json", "heads.json"):
        changed = files | {name: files[name].replace(b'"', b' "', 1)}
        assert wrong(resigned(changed, None)) == ["signature", "settlement", "evidence"]
        assert "signature" in wrong(resigned(changed, other))


def resigned(files: dict[str, bytes], key: Ed25519PrivateKey | None) -> bytes:
    """The archive with a manifest that fits, signed by that key or with the signature that it had."""
    said = json.loads(files["manifest.json"])
    said["files"] = {name: standalone.sha256(files[name]) for name in said["files"]}
    manifest = json.dumps(said).encode()
    signed = files["signature.txt"]
    if key is not None:
        signed = f"{public_key(key)} {key.sign(manifest).hex()}\n".encode()
    return standalone.packed(files | {"manifest.json": manifest, "signature.txt": signed})


def test_a_settlement_that_the_house_itself_signed_wrongly_is_found() -> None:
    """Records that hang together and are signed, but pay what is not due: only playing it again tells."""
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.settle()
    last = table.log[-1]
    assert isinstance(last, RoundSettled)
    lines = tuple(replace(line, net=line.net + 100) for line in last.settlement.lines)
    table.log[-1] = replace(last, settlement=replace(last.settlement, lines=lines))
    _, _, data = proved(of_table(table), 1)
    assert wrong(data) == ["settlement"]


def test_evidence_that_does_not_follow_from_its_records_is_found() -> None:
    """A house that tells something else than its log says."""
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.settle()
    part, heads = gathered(of_table(table), "one", 1, HOUSE, NOW, reads_log=True)
    told = replace(tell(part), nets={"ann": 1, "bob": 2})
    assert wrong(archive(part, heads, told, "", HOUSE, by="", now=NOW)) == ["evidence"]


def test_a_card_that_did_not_come_out_of_the_shoe_is_found(house: Store) -> None:
    table, number = opened(house)
    part, heads = gathered(house, table, number, HOUSE, NOW, reads_log=True)
    told = tell(part)
    first = told.shoe.cards[0]
    other = next(card for card in Card if card != first)
    lie = replace(told, shoe=replace(told.shoe, cards=(other, *told.shoe.cards[1:])))
    assert wrong(archive(part, heads, lie, "", HOUSE, by="", now=NOW)) == ["shoe", "settlement", "evidence"]


def test_another_key_is_told_and_the_key_inside_is_said_to_be_that() -> None:
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.settle()
    _, _, data = proved(of_table(table), 1)
    other = public_key(signing_key(bytes(32)))
    assert wrong(data, other) == ["signature", "settlement", "evidence"]
    report = verified(data)
    assert (report.ok, report.given, report.key) == (True, False, PUBLIC)
    assert "the key inside" in report.checks[2].holds
    assert "the key given" in verified(data, PUBLIC.upper()).checks[2].holds


# The verifier that stands by itself ---------------------------------------------------------------------------


def test_it_is_short_and_needs_the_standard_library_alone(evidence: bytes, tmp_path: Path) -> None:
    assert len(ALONE.read_text(encoding="utf-8").splitlines()) < 240
    files = standalone.unpacked(evidence)
    assert files["verify.py"] == ALONE.read_bytes()
    (tmp_path / "verify.py").write_bytes(files["verify.py"])
    (tmp_path / "round.zip").write_bytes(evidence)
    (tmp_path / "bad.zip").write_bytes(evidence[:-1] + b"\1")
    for name, status in (("round.zip", 0), ("bad.zip", 1)):
        found = subprocess.run(
            [sys.executable, "-I", "-S", "verify.py", name, PUBLIC],
            cwd=tmp_path, capture_output=True, check=False, encoding="utf-8",
        )  # fmt: skip
        assert found.returncode == status, found
        assert ("WRONG" in found.stdout) == bool(status)


def test_the_other_one_loads_nothing_that_serves_or_stores() -> None:
    told = (
        "import sys, thirdcard.service.evidence.verify; "
        "print(*{name.partition('.')[0] for name in sys.modules}, *sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, check=True, encoding="utf-8")
    loaded = set(found.stdout.split())
    assert "thirdcard.service.evidence.verify" in loaded
    assert not loaded & {
        "litestar",
        "uvicorn",
        "cryptography",
        "sqlite3",
        "psycopg",
        "argon2",
        "jinja2",
        "numpy",
    }
    assert "thirdcard.service.tables.hall" not in loaded


# RFC 8032, section 7.1: public key, message and signature of tests 1 to 3
VECTORS = (
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "", "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72", "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82", "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
)  # fmt: skip


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_signatures_are_those_of_rfc_8032(key: str, message: str, signature: str) -> None:
    text = bytes.fromhex(message)
    assert standalone.is_signed(key, signature, text)
    assert not standalone.is_signed(key, signature, text + b"\0")
    assert not standalone.is_signed(VECTORS[0][0] if key != VECTORS[0][0] else VECTORS[1][0], signature, text)


def test_signatures_are_judged_as_by_cryptography() -> None:
    for number in range(6):
        made = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        key, text = public_key(made), b"round %d" % number
        signature = made.sign(text).hex()
        assert standalone.is_signed(key, signature, text)
        scalar = int.from_bytes(bytes.fromhex(signature[64:]), "little") + standalone.ORDER
        again = signature[:64] + scalar.to_bytes(32, "little").hex()
        assert not standalone.is_signed(key, again, text), "the same number, written otherwise"
        for place in (0, 40, 64, 127):
            digit = "0" if signature[place] != "0" else "1"
            assert not standalone.is_signed(key, signature[:place] + digit + signature[place + 1 :], text)
        assert not standalone.is_signed(key, signature.upper(), text), "hex in one way only"


# The chain ----------------------------------------------------------------------------------------------------


def test_records_of_an_earlier_release_and_of_this_one_chain_alike() -> None:
    table = Scene(TBC)
    records = of_table(table).read("one")
    before = records[2]
    assert codec.fits(before.hash, records[3])
    old = replace(records[3], hash=codec.chained_before(before.hash, records[3]))
    assert codec.fits(before.hash, old)
    assert old.hash != records[3].hash
    assert not codec.fits(before.hash, replace(old, by="somebody"))


# What hostile files may cost ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (hostile.overlapping, "added or removed"),
        (hostile.many_files, "more than 40 files"),
        (hostile.squeezed, "added or removed"),
        (hostile.too_large, "larger than 8,000,000 bytes"),
    ],
)
def test_what_an_archive_may_cost_is_known_before_it_is_read(made: Callable[[], bytes], said: str) -> None:
    """No more memory than a few times the file, whatever its index promises."""
    data = made()
    tracemalloc.start()
    try:
        (_, holds, found), *_ = standalone.check(data, "")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert not holds
    assert said in found
    assert peak < 3 * len(data) + 1_000_000
    assert not verified(data).ok


def test_a_shoe_of_many_decks_is_not_shuffled(evidence: bytes) -> None:
    data = hostile.with_value(evidence, "shoe.json", "decks", 10**9)
    (found,) = [wrong for name, _, wrong in standalone.check(data, "") if name == "shoe"]
    assert found == "the order of the cards is not that of its decks"


@pytest.mark.parametrize("name", ["chain.json", "heads.json", "evidence.json", "manifest.json"])
def test_a_file_of_more_values_than_evidence_has_is_not_decoded(evidence: bytes, name: str) -> None:
    files = standalone.unpacked(evidence)
    many = files[name].rstrip()[:-1] + b', "more": [' + b"[]," * standalone.MOST_VALUES + b"1]}"
    found = [wrong for _, _, wrong in standalone.check(standalone.packed(files | {name: many}), "")]
    assert any("more than 200,000 values" in wrong for wrong in found)


def test_whatever_a_stranger_signs_is_told_in_sentences(evidence: bytes) -> None:
    """Every value of every file in every other form: nothing is a traceback, and nothing is said in Python's words."""
    files = standalone.unpacked(evidence)
    others: tuple[Any, ...] = (None, -1, 10**30, "", "x" * 300, "ff", [], {}, [[]], True)
    for name in ("manifest.json", "chain.json", "heads.json", "shoe.json", "evidence.json", "start.json"):
        for key in json.loads(files[name]):
            for other in others:
                data = hostile.with_value(evidence, name, key, other)
                found = [wrong for _, _, wrong in standalone.check(data, "") if wrong]
                report = verified(data)
                said = found + [one.wrong for one in report.checks]
                assert not [one for one in said if re.search("fromhex|unpack|zip", one.partition("(")[0])], (
                    said
                )


def test_a_signature_that_is_no_hex_is_wrong_and_so_is_a_key_that_is_none() -> None:
    key, message, signature = VECTORS[1][0], b"r", VECTORS[1][2]
    assert standalone.is_signed(key, signature, message)
    for other in ("", "g" * 128, signature[:-1], "é" * 128, "0" * 127):
        assert not standalone.is_signed(key, other, message)
        assert not standalone.is_signed(other[:64], signature, message)
    assert not standalone.is_signed("f" * 64, signature, message), "no point of the curve"
