"""What a release wrote is read by every later one: `write.py` keeps a log of each, which nobody ever changes."""

import json
from pathlib import Path
from typing import get_args

import pytest

from service.logs.keeping import HERE, Kept
from service.playing import KEY
from thirdcard.service.audit import audit_store
from thirdcard.service.keys import subkey
from thirdcard.service.log.anchor import read_anchor
from thirdcard.service.log.codec import event_of, tag
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store import open_snapshot, write_file
from thirdcard.service.tables.live import recover

LOGS = sorted(HERE.glob("*.jsonl"))
# Kinds of events that no release has written yet: the next one writes them all, and then none is left here.
UNRELEASED = {
    "amendment-dropped", "amendment-proposed", "cards-amended", "cards-laid", "checkpointed", "chips-put-right", "decided-settled",
    "display-corrected", "late-chips-recorded", "neglect-found", "no-insurance-requested", "player-left", "player-ready", "players-seen", "record-amended",
    "case-passed-up", "case-taken", "dispute-settled", "last-round-announced", "payout-disputed", "payout-ticked", "payout-unticked",
    "confirmed-at-desk", "dealer-relieved", "dealer-signed-off", "dealer-signed-on", "relief-planned", "move-planned",
    "payouts-done", "said-in-public", "shift-started", "table-archived", "table-unarchived",
    "remedy-needless", "report-dismissed", "report-ended", "rulebook-changed", "seed-added", "shoe-promised", "shoe-sealed", "stakes-decided", "third-card-requested", "walked-away",
    "player-known-as", "wallet-granted", "float-counted", "float-filled", "float-credited", "payout-named",
    "slip-asked", "slip-done", "slip-voided", "drop-counted", "difference-answered",
}  # fmt: skip


def database(log: Path, folder: Path) -> str:
    write_file(Kept(log), folder / "house.db")
    return str(folder / "house.db")


def test_every_kind_of_event_is_in_the_log_of_some_release() -> None:
    kinds = {kind.__struct_config__.tag for kind in get_args(Logged)}
    found = {row[5] for log in LOGS for row in Kept(log).rows("events")}
    assert found | UNRELEASED == kinds
    assert not found & UNRELEASED


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_the_log_of_a_release_is_replayed_and_audited(log: Path, tmp_path: Path) -> None:
    anchored = read_anchor(log.with_suffix(".anchor"), subkey(KEY, "anchor"))
    with open_snapshot(database(log, tmp_path)) as snapshot:
        lives = {stream: recover(stream, snapshot.read(stream)) for stream in snapshot.heads()}
        report = audit_store(snapshot, [anchored], KEY)
    ends = {
        stream: {"rounds": live.state.rounds, "balances": live.state.balances}
        for stream, live in lives.items()
        if live.state is not None
    }
    assert ends == json.loads(log.with_suffix(".json").read_text(encoding="utf-8"))
    assert report.problems == ()
    assert report.events == sum(live.version for live in lives.values())


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_the_events_of_a_release_keep_their_names(log: Path, tmp_path: Path) -> None:
    with open_snapshot(database(log, tmp_path)) as snapshot:
        stored = [one for stream in snapshot.heads() for one in snapshot.read(stream)]
    assert [tag(event_of(one)) for one in stored] == [one.name for one in stored]
