"""Write the log of this release, once: `python tests/service/logs/write.py`. What was written stays as it is."""

import json
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from service.logs.keeping import HERE, as_line
from service.playing import KEY, Log, logged, table_log
from service.tampering import make
from thirdcard.service.audit import anchor_all
from thirdcard.service.keys import subkey
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.codec import tag
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.sqlite import SqliteStore
from thirdcard.service.log.store.tables import BACKED_UP
from thirdcard.service.tables.live import recover
from thirdcard.table.script import Script

SCRIPTS = Path(__file__).parents[2] / "transcripts"
HOUSE: tuple[floor.AnyFloorEvent, ...] = (
    floor.TimerStarted(timer="betting", key="betting/1", ms=20_000),
    floor.SupervisorCalled(note="a chip too many"),
    floor.SupervisorCame(),
    floor.TableClosed(),
    floor.PaceChanged(pace=Pace(betting=30_000)),
    floor.TableReopened(),
)


def tables() -> Iterator[Log]:
    """Tables whose rounds have, between them, every kind of event: each adds some."""
    seen: set[str] = set()
    logs = [_run(file) for file in sorted(SCRIPTS.glob("*/**/*.jsonl"))]
    while True:
        best = max(logs, key=lambda log: (len({tag(one[0]) for one in log} - seen), -len(log)))
        new = {tag(one[0]) for one in best} - seen
        if not new:
            return
        seen |= new
        yield best


def _run(file: Path) -> Log:
    script = Script()
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        script.run(json.loads(line), number)
    assert script.table is not None
    return table_log(script.table.log)


def main() -> None:
    name = version("thirdcard")
    kept = HERE / f"{name}.jsonl"
    if kept.exists():
        sys.exit(f"{kept} is there, and stays: a new release writes its own")
    with tempfile.TemporaryDirectory() as folder:
        db = make(Path(folder), rounds=6, seed=2)
        store, anchor = SqliteStore(db), Anchor(f"{db}.anchor", subkey(KEY, "anchor"))
        found = list(tables())
        last = found[0][-1]
        found[0] += [(event, last[1] + place, "Sam") for place, event in enumerate(HOUSE)]
        for number, log in enumerate(found, start=1):
            store.commit([logged(f"table-{number}", log)])
        anchor_all(store, anchor)
        anchor.close()
        store.close()
        with open_snapshot(str(db)) as snapshot:
            lines = [as_line(table, row) for table in BACKED_UP for row in snapshot.rows(table)]
            lives = [recover(stream, snapshot.read(stream)) for stream in sorted(snapshot.heads())]
        kept.write_text("\n".join(lines) + "\n", encoding="utf-8")
        (HERE / f"{name}.anchor").write_bytes(Path(f"{db}.anchor").read_bytes())
    states = [live.state for live in lives if live.state is not None]
    ends = {
        live.id: {"rounds": state.rounds, "balances": state.balances}
        for live, state in zip([one for one in lives if one.state is not None], states, strict=True)
    }
    (HERE / f"{name}.json").write_text(json.dumps(ends, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
