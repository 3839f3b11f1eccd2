"""A game's submission: the same of the same, every figure worked out again, and whatever was changed is noticed."""

import json
import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.running import thirdcard
from service.playing import KEY
from thirdcard.odds import fresh, values
from thirdcard.protect.measures import protection
from thirdcard.protect.protection import Terms
from thirdcard.rulebook import Rulebook, digest_of, load, sources
from thirdcard.rulebook.load import read
from thirdcard.rulebook.sources import search_in
from thirdcard.service.evidence.standalone import packed, unpacked
from thirdcard.service.evidence.submission import (
    archive,
    counting_run,
    exact_figures,
    figures_text,
    is_submission,
    verified_submission,
    version_before,
)
from thirdcard.service.keys import public_key, signing_key
from thirdcard.simulate.sheet import crew_of
from thirdcard.simulate.work import execute
from thirdcard.web.pages.submission import pages

pytestmark = pytest.mark.slow

FAMILY = "rws-tiger-buffalo-non-commission"
V3, V4, CBI = f"{FAMILY}-v3", f"{FAMILY}-v4", "rws-commission-insurance-v5"
HOUSE = signing_key(KEY)
SHOES = 8


def made(slug: str, shoes: int = SHOES, prepared: str = "") -> bytes:
    book = load(slug)
    before, run = version_before(book), counting_run(book, 8, shoes, 1)
    found = protection(run, execute(run, crew_of(1)), Terms())
    shown = pages(book, before, run, found, prepared=prepared, lang="en")
    figures = figures_text(exact_figures(book, before, 8), found)
    return archive(book, before, figures, shown, HOUSE, counting=found, prepared=prepared)


@cache
def pack(slug: str) -> bytes:
    return made(slug)


def wrong(data: bytes, key: str = "") -> list[str]:
    return [check.check for check in verified_submission(data, key).checks if check.wrong]


def signed_again(data: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """The archive with something else in it, signed by the house all the same."""
    files = unpacked(data)
    change(files)
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {name: sha256(files[name]).hexdigest() for name in manifest["files"]}
    files["manifest.json"] = msgspec.json.encode(manifest)
    files["signature.txt"] = f"{public_key(HOUSE)} {HOUSE.sign(files['manifest.json']).hex()}\n".encode()
    return packed(files)


def test_the_same_input_makes_the_same_bytes() -> None:
    assert made(CBI) == pack(CBI)
    assert b"Prepared 2025-07-22." in unpacked(made(CBI, prepared="2025-07-22"))["submission.html"]


def test_it_holds_what_an_application_asks_for() -> None:
    files, book = unpacked(pack(V4)), load(V4)
    assert {
        "submission.html",
        "odds.html",
        "protection.html",
        "changes.html",
        "figures.json",
        "rulebook.json",
        "rulebook-before.json",
        "verify.py",
    } < files.keys()
    figures = json.loads(files["figures.json"])
    edge = values(V4, fresh(6), ["tiger-tie"])["tiger-tie"].house_edge
    assert figures["odds"]["6"]["tiger-tie"]["house_edge"] == f"{edge.numerator}/{edge.denominator}"
    assert figures["odds"].keys() == {str(decks) for decks in range(4, 11)}
    assert figures["removal"].keys() == figures["counting"]["bets"].keys() == book.bets.keys()
    assert figures["counting"]["shoes"] >= SHOES
    assert next(one["key"] for one in figures["changes"]["added"]).startswith("layouts.R")
    page = files["submission.html"].decode()
    assert digest_of(book) in page
    assert digest_of(load(V3)) in page
    for bet in book.bets.values():
        assert bet.name in page
    assert page.count('src="data:image/svg+xml') == len(book.layouts)
    assert f"{figures['counting']['shoes']:,} shoes, seed 1" in page
    assert "test_1_28_small_tiger" in page


def test_no_page_leads_out_or_was_made_on_a_day() -> None:
    for name, data in unpacked(pack(V4)).items():
        if name.endswith(".html"):
            text = data.decode()
            assert re.findall(r'(?:href|src)="(?!#|data:)[^"]*"', text) == [], name
            assert re.findall(r"202[6-9]-\d\d-\d\d", text) == [], name


def test_insurance_is_valued_where_it_is_offered() -> None:
    files = unpacked(pack(CBI))
    offers = json.loads(files["figures.json"])["insurance"]
    assert len(offers) > 20
    assert {"ev", "probability", "odds"} <= offers[0].keys()
    assert "changes.html" not in files, "no version before it is known"
    assert wrong(pack(CBI)) == []


def test_all_of_it_holds_without_a_store() -> None:
    report = verified_submission(pack(V4), public_key(HOUSE))
    assert (report.ok, report.given, report.rulebook, report.version) == (True, True, V4, 4)
    assert [check.check for check in report.checks] == [
        "archive",
        "manifest",
        "signature",
        "rulebook",
        "figures",
        "counting",
    ]
    assert is_submission(pack(V4))


def test_whatever_is_changed_is_noticed() -> None:
    files = unpacked(pack(V4))
    for name in files:
        changed = packed({**files, name: files[name].replace(b"1", b"2", 1)})
        assert is_submission(changed) or name == "manifest.json"
        assert wrong(changed), name
    assert "manifest" in wrong(packed({name: data for name, data in files.items() if name != "odds.html"}))
    assert wrong(pack(V4)[:-1])[0] == "archive"
    other = public_key(signing_key(bytes(32)))
    assert wrong(pack(V4), other)[0] == "signature"


def change(text: str, other: str) -> Callable[[dict[str, bytes]], None]:
    def edit(files: dict[str, bytes]) -> None:
        assert text.encode() in files["figures.json"], text
        files["figures.json"] = files["figures.json"].replace(text.encode(), other.encode(), 1)

    return edit


def test_a_figure_that_does_not_follow_is_noticed_though_the_house_signed_it() -> None:
    figures: dict[str, Any] = json.loads(unpacked(pack(V4))["figures.json"])
    edge = figures["odds"]["8"]["tie"]["house_edge"]
    assert wrong(signed_again(pack(V4), change(f'"{edge}"', '"1/7"'))) == ["figures"]
    units = figures["counting"]["cuts"]["14"]["bets"]["small-tiger"]["perfect"]["units_per_shoe"]
    assert wrong(
        signed_again(pack(V4), change(f'"units_per_shoe": {units}', f'"units_per_shoe": {units + 0.01}'))
    ) == ["counting"]
    report = verified_submission(signed_again(pack(V4), change(f'"{edge}"', '"1/7"')))
    assert [check.wrong for check in report.checks if check.wrong] == [
        f"odds.8.tie.house_edge is '1/7', and comes to '{edge}'"
    ]

    def other_text(files: dict[str, bytes]) -> None:
        files["rulebook.json"] = files["rulebook-before.json"]

    assert wrong(signed_again(pack(V4), other_text))[0] == "rulebook"


def book(slug: str, **document: object) -> Rulebook:
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in document.items())
    return read(f"{slug}.toml", f'slug = "{slug}"\n[document]\ntitle = "A game"\n{lines}')


def test_the_version_before_is_found_by_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_folders", [])
    assert version_before(load(V4)) is load(V3)
    assert version_before(load(V3)) is None
    assert version_before(book(f"{FAMILY}-v5", version=5, effective="2027-01-01")) is load(V4)
    assert version_before(book(f"{FAMILY}-v5", version=5)) is load(V4), "a draft without a date"
    assert version_before(book("renamed-v1", effective="2027-01-01", replaces=V4)) is load(V4)
    assert version_before(book("other-v2", version=2, effective="2027-01-01")) is None
    (tmp_path / "five.toml").write_text(f'slug = "{FAMILY}-v5"\n[document]\ntitle = "A game"\nversion = 5\n')
    search_in(tmp_path)
    assert version_before(load(V4)) is load(V3), "one without a date comes before none"
    assert version_before(book(f"{FAMILY}-v6", version=6)) is load(V4), "not even before another draft"


def test_without_a_key_nothing_is_written(tmp_path: Path) -> None:
    done = thirdcard("submission", V4, "--out", str(tmp_path / "a.zip"), "--key", str(tmp_path / "no.key"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"thirdcard: there is no key {tmp_path / 'no.key'}: ")
    assert not (tmp_path / "a.zip").exists()
