"""The text that a run is played by goes with it: to threads, processes and clusters, and into what is saved."""

import multiprocessing
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from simulate.test_cli_simulate import answer, app
from thirdcard.errors import BadInput
from thirdcard.rulebook import digest_of, load
from thirdcard.rulebook.load import DOCUMENTS
from thirdcard.simulate import SessionRun, Stakes, TallyRun, Threads, execute
from thirdcard.simulate.shoe_run import Run

pytestmark = pytest.mark.slow

MBS = "mbs-tiger-v2"
SLUG = "closer-look"
STAKES = Stakes(bet="first-ace", side={"perfect-pair": 100})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A rulebook of somebody's own, whose file is not called as the book is."""
    return Path(shutil.copy(Path(__file__).with_name(f"{SLUG}.toml"), tmp_path / "mine.toml"))


def change(file: Path) -> None:
    file.write_text(file.read_text().replace("25 to 1", "24 to 1"))


def saved_run(file: Path) -> dict[str, Any]:
    saved: dict[str, Any] = msgspec.msgpack.decode(file.read_bytes())
    return saved


def played(run: Run) -> list[bytes]:
    return [array.tobytes() for array in run.play(0, run.chunks)]


def refused(*arguments: str) -> str:
    with pytest.raises(BadInput) as caught:
        CliRunner().invoke(app, arguments, catch_exceptions=False)
    return str(caught.value)


def test_a_rulebook_is_named_given_as_a_file_or_as_it_is(file: Path) -> None:
    book = load(file)
    runs = [
        TallyRun(rulebook=which, rounds=10) for which in (file, str(file), book, f"{SLUG}@{digest_of(book)}")
    ]
    assert runs == [runs[0]] * 4
    assert (runs[0].rulebook, runs[0].digest) == (SLUG, digest_of(book))


def test_a_text_of_the_package_goes_by_its_digest_alone() -> None:
    run = TallyRun(rulebook=MBS, rounds=10)
    assert (run.rulebook, run.digest, run.text) == (MBS, digest_of(load(MBS)), "")


def test_a_changed_copy_of_a_document_carries_its_text(tmp_path: Path) -> None:
    copy = tmp_path / f"{MBS}.toml"
    copy.write_text((DOCUMENTS / copy.name).read_text(encoding="utf-8"))
    assert TallyRun(rulebook=copy, rounds=10) == TallyRun(rulebook=MBS, rounds=10)
    copy.write_text(copy.read_text().replace('"8 to 1"', '"9 to 1"'))
    changed = TallyRun(rulebook=copy, rounds=10)
    assert changed.rulebook == MBS
    assert changed.text


@pytest.mark.parametrize("changed", [{"digest": "0" * 64}, {"rulebook": MBS}])
def test_a_run_whose_text_is_another_is_refused(file: Path, changed: dict[str, str]) -> None:
    run = TallyRun(rulebook=file, rounds=10)
    with pytest.raises(BadInput, match="the run's text is not the one it names: "):
        msgspec.structs.replace(run, **changed)


def test_a_text_that_is_not_here_is_refused() -> None:
    with pytest.raises(BadInput, match=f"the text {'0' * 64} of rulebook {MBS} is not known here"):
        TallyRun(rulebook=MBS, digest="0" * 64, rounds=10)


def test_a_process_that_never_saw_the_file_plays_by_its_text(file: Path) -> None:
    runs = (
        TallyRun(rulebook=file, rounds=100_000),
        SessionRun(rulebook=file, rounds=50, sessions=20, stakes=STAKES),
    )
    change(file)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        for run in runs:
            there = pool.submit(run.play, 0, run.chunks).result()
            assert [array.tobytes() for array in there] == played(run)


def test_threads_play_by_the_text_that_was_read(file: Path) -> None:
    run = TallyRun(rulebook=file, rounds=5_000_000)
    file.unlink()
    assert [array.tobytes() for array in execute(run, Threads(2)).total] == played(run)


def test_a_saved_run_goes_on_without_its_file(file: Path, tmp_path: Path) -> None:
    """The text that it carries stands in for a file that is gone, by the name of the book."""
    mine = file.rename(file.with_name(f"{SLUG}.toml"))
    saved = tmp_path / "run"
    first = answer(str(mine), "--rounds", "2000", "--checkpoint", str(saved))
    mine.unlink()
    for which in (str(mine), SLUG, f"{SLUG}@{first['digest'][:12]}"):
        again = answer(which, "--rounds", "2000", "--checkpoint", str(saved))
        assert (again["bets"], again["digest"]) == (first["bets"], first["digest"])
    assert "there is no file" in refused(str(file), "--rounds", "2000", "--checkpoint", str(saved))
    assert "there is no file" in refused(str(mine), "--rounds", "2000")
    longer = answer(SLUG, "--rounds", "3000", "--checkpoint", str(saved))
    assert (longer["rounds"], longer["digest"]) == (3000, first["digest"])
    assert "is a checkpoint of another run: it has rounds 3000, not 2000" in refused(
        SLUG, "--rounds", "2000", "--checkpoint", str(saved)
    )


def test_a_saved_run_is_not_mixed_with_another_text(file: Path, tmp_path: Path) -> None:
    saved = tmp_path / "run"
    run = (str(file), "--bet", "first-ace", "--sessions", "20", "--checkpoint", str(saved))
    first = answer(*run)
    before = saved.read_bytes()
    change(file)
    now, own = digest_of(load(file))[:12], first["digest"][:12]
    for asked in (run, (*run, "--sessions", "40")):  # nor is a longer run made of both
        assert refused(*asked) == (
            f"{saved} is a checkpoint of another text of {SLUG}: it has {own}, not {now}; "
            f"to go on by its own, name {SLUG}@{own}"
        )
    assert saved.read_bytes() == before
    assert answer(f"{SLUG}@{own}", *run[1:])["net"] == first["net"]


def test_a_file_that_is_broken_meanwhile_is_told(file: Path, tmp_path: Path) -> None:
    mine = file.rename(file.with_name(f"{SLUG}.toml"))
    saved = tmp_path / "run"
    answer(str(mine), "--rounds", "2000", "--checkpoint", str(saved))
    mine.write_text(mine.read_text().replace("25 to 1", "twice"))
    assert "odds" in refused(str(mine), "--rounds", "2000", "--checkpoint", str(saved))


def test_a_run_saved_by_an_earlier_release_goes_on(tmp_path: Path) -> None:
    """It has no digest, and was played by a text of the package."""
    saved = tmp_path / "run"
    run = TallyRun(rulebook=MBS, rounds=3_000_000)
    expected = played(run)
    execute(run, Threads(1), checkpoint=saved)
    earlier = saved_run(saved)
    del earlier["run"]["digest"], earlier["run"]["text"]
    half = run.empty()
    run.merge(half, run.play(0, 1), 0)
    earlier |= {"done": 1, "arrays": [half[0].tobytes()]}
    saved.write_bytes(msgspec.msgpack.encode(earlier))
    seen: list[int] = []
    outcome = execute(run, Threads(1), checkpoint=saved, progress=seen.append)
    assert seen[0] == 2
    assert [array.tobytes() for array in outcome.total] == expected


def test_a_run_saved_by_an_earlier_release_is_not_of_a_changed_copy(tmp_path: Path) -> None:
    saved, copy = tmp_path / "run", tmp_path / f"{MBS}.toml"
    copy.write_text((DOCUMENTS / copy.name).read_text(encoding="utf-8").replace('"8 to 1"', '"9 to 1"'))
    execute(TallyRun(rulebook=MBS, rounds=1000), Threads(1), checkpoint=saved)
    earlier = saved_run(saved)
    del earlier["run"]["digest"], earlier["run"]["text"]
    saved.write_bytes(msgspec.msgpack.encode(earlier))
    with pytest.raises(
        BadInput, match=f"is a checkpoint of another text of {MBS}: it has [0-9a-f]{{12}}, not"
    ):
        execute(TallyRun(rulebook=copy, rounds=1000), Threads(1), checkpoint=saved)


@pytest.mark.parametrize("text", ["{", "{}", 5])
def test_a_saved_run_whose_text_is_damaged(file: Path, tmp_path: Path, text: object) -> None:
    saved = tmp_path / "run"
    execute(TallyRun(rulebook=file, rounds=1000), Threads(1), checkpoint=saved)
    found = saved_run(saved)
    found["run"]["text"] = text
    saved.write_bytes(msgspec.msgpack.encode(found))
    assert re.search(
        r"run is damaged: its rulebook cannot be read$", refused(SLUG, "--checkpoint", str(saved))
    )


def test_the_counts_of_tiers_are_saved_too(file: Path, tmp_path: Path) -> None:
    saved = tmp_path / "run"
    run = TallyRun(rulebook=file, rounds=1000)
    execute(run, Threads(1), checkpoint=saved)
    found = saved_run(saved)
    saved.write_bytes(msgspec.msgpack.encode({**found, "arrays": found["arrays"][:1]}))
    with pytest.raises(BadInput, match=r"is damaged: 16000 bytes where 16\d\d\d should be"):
        execute(run, Threads(1), checkpoint=saved)


@pytest.mark.parametrize("options", [("--rounds", "1000"), ("--sessions", "5")])
def test_the_json_says_which_text(file: Path, options: tuple[str, ...]) -> None:
    found = answer(str(file), *options)
    assert (found["schema"], found["rulebook"]) == ("thirdcard.simulate.1", SLUG)
    assert found["digest"] == digest_of(load(file))
    assert found["thirdcard"]
    assert "text" not in found


def test_a_book_of_a_folder_goes_by_its_slug(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(SLUG, "--rounds", "1000").startswith(f"there is no rulebook '{SLUG}'")
    monkeypatch.setenv("THIRDCARD_RULEBOOKS", str(file.parent))
    assert answer(SLUG, "--rounds", "1000")["bets"] == answer(str(file), "--rounds", "1000")["bets"]
