"""Signed heads: anybody can check them by the public key, and a log that was cut or rewritten does not fit them."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from service.playing import KEY, House, seeded_shoes
from service.tampering import Copy, make
from thirdcard.errors import BadInput
from thirdcard.service.keys import public_key, signing_key
from thirdcard.service.log.anchor import SignedHeads, heads_of, sign
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import HEADS_SIGNED, Noted
from thirdcard.service.log.store import open_store
from thirdcard.service.log.store.model import JOURNAL, Head
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.tables import head_signing

pytestmark = pytest.mark.slow

HOUSE, OTHER = signing_key(KEY), signing_key(bytes(32))
HEADS = {"tiger": Head(7, bytes(range(32))), "journal": Head(1, bytes(32))}
replace = msgspec.structs.replace


# What is signed -------------------------------------------------------------------------------------------


def test_the_public_key_is_all_it_takes() -> None:
    signed = sign(HOUSE, HEADS, 1_800_000_000_000_000)
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key(HOUSE)))
    key.verify(bytes.fromhex(signed.signature), signed.text.encode())
    assert signed.text == (
        "thirdcard heads 1800000000000000\n"
        f"journal 1 {'00' * 32}\n"
        f"tiger 7 {bytes(range(32)).hex()}\n"
    )  # fmt: skip
    assert heads_of(signed) == heads_of(signed, public_key(HOUSE)) == HEADS


@pytest.mark.parametrize(
    "changed",
    [
        {"text": sign(HOUSE, {"tiger": Head(8, bytes(32))}, 0).text},
        {"signature": "00" * 64},
        {"signature": "not hex"},
        {"key": public_key(OTHER)},
        {"key": "00"},
    ],
)
def test_whatever_is_changed_is_found(changed: dict[str, str]) -> None:
    with pytest.raises(BadInput, match="signature of the heads is wrong"):
        heads_of(replace(sign(HOUSE, HEADS, 0), **changed))


def test_what_another_house_signed_is_not_ours() -> None:
    with pytest.raises(BadInput, match="not this house's"):
        heads_of(sign(OTHER, HEADS, 0), public_key(HOUSE))


# When -----------------------------------------------------------------------------------------------------


def notes(house: House) -> list[dict[str, Head]]:
    found = house.hall.engine.store.read(JOURNAL)
    told = [event for event in map(event_of, found) if isinstance(event, Noted)]
    signed = [msgspec.convert(one.facts, SignedHeads) for one in told if one.kind == HEADS_SIGNED]
    return [heads_of(one, public_key(HOUSE)) for one in signed]


def test_what_changed_is_signed_for_once_and_after_a_while() -> None:
    async def main() -> None:
        store = MemoryStore()
        async with House(store) as house:
            with seeded_shoes(house.random):
                await house.play("tiger", 2)
            await house.hall.note_heads(waiting=3_600.0)
            assert notes(house) == [], "it can wait"
            house.clock.wait(3_600.0)
            await house.hall.note_heads(waiting=3_600.0)
            assert notes(house)[0]["tiger"] == store.heads()["tiger"]
            assert set(notes(house)[0]) == {"tiger", "insured", "squeezed", "by-hand", "journal"}, (
                "wallets too"
            )
            await house.hall.note_heads()
            assert len(notes(house)) == 1, "the note itself is nothing to sign for"
            await house.hall.note("clock-changed", {"by_ms": 5})
            await house.hall.note_heads()
            assert set(notes(house)[1]) == {"journal"}

    asyncio.run(main())


def test_a_card_that_nobody_has_seen_is_in_no_hash_that_is_told() -> None:
    async def main() -> None:
        async with House(MemoryStore()) as house:
            with seeded_shoes(house.random):
                hidden = 0
                await house.sit("squeezed")
                for _ in range(60):
                    await house.step("squeezed")
                    live, told = house.live("squeezed"), heads_of(house.hall.heads.current())["squeezed"]
                    house.clock.wait(head_signing.FRESH)
                    if live.hides_from:
                        hidden += 1
                        assert told.version < live.version
                    else:
                        told = heads_of(house.hall.heads.current())["squeezed"]
                        assert told == Head(live.version, live.head)
                assert hidden > 5

    asyncio.run(main())


# Against the log ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = make(tmp_path_factory.mktemp("house"), rounds=2)

    async def sign_for_all() -> None:
        async with House(open_store(str(db)), Path(f"{db}.anchor")) as house:
            await house.hall.note("clock-changed", {"by_ms": 5})
            await house.hall.note_heads()

    asyncio.run(sign_for_all())
    return db


@pytest.fixture
def house(original: Path, tmp_path: Path) -> Copy:
    return Copy(original, tmp_path / "copy")


def kept(house: Copy, key: bytes = KEY) -> Path:
    """What somebody kept of where the logs ended."""
    store = open_store(str(house.db))
    path = house.db.with_name("kept.json")
    path.write_bytes(msgspec.json.encode(sign(signing_key(key), store.heads(), 0)))
    store.close()
    return path


def test_what_was_signed_in_the_journal_is_held_against_the_logs(house: Copy) -> None:
    assert house.problems == []
    house.rewrite("by-hand", house.log("by-hand")[:-1])
    assert any("but it was signed at event" in one or "was signed" in one for one in house.unanchored)


def test_heads_that_somebody_kept_find_a_log_that_was_cut_with_its_anchor_and_its_journal(
    house: Copy,
) -> None:
    file = kept(house)
    assert house.audited(file).problems == ()
    house.rewrite(JOURNAL, [one for one in house.log(JOURNAL) if not isinstance(one[0], Noted)])
    house.rewrite("by-hand", house.log("by-hand")[:-1])
    assert house.unanchored == [], "the control: nothing else tells"
    house.anchor.unlink()
    told = {one.table: one.what for one in house.audited(file).problems}
    assert "was signed" in told["by-hand"]
    assert "it was signed at event" in told["journal"]


def test_heads_that_are_not_ours_or_not_there_are_told(house: Copy) -> None:
    (problem,) = house.audited(kept(house, bytes(32))).problems
    assert "not this house's" in problem.what
    (problem,) = house.audited(house.db.with_name("nowhere")).problems
    assert "nowhere is missing" in problem.what
    with pytest.raises(BadInput, match="does not hold signed heads"):
        house.audited(house.key)


def test_a_signature_that_was_changed_in_the_journal_is_found_without_the_anchor(house: Copy) -> None:
    def forged(event: Noted) -> Noted:
        return replace(event, facts=event.facts | {"signature": "00" * 64})

    log = house.log(JOURNAL)
    place = next(
        n for n, (event, *_) in enumerate(log) if isinstance(event, Noted) and event.kind == HEADS_SIGNED
    )
    event, at, by = log[place]
    assert isinstance(event, Noted)
    log[place] = forged(event), at, by
    house.rewrite(JOURNAL, log)
    assert [one for one in house.unanchored if "signature of the heads is wrong" in one]
