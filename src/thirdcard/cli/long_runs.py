"""Runs that take long: who does the work, a bar for those who wait, a file to go on from."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from thirdcard.errors import BadInput

if TYPE_CHECKING:
    from thirdcard.simulate import RunOutcome
    from thirdcard.simulate.shoe_run import Run
    from thirdcard.simulate.work import Crew, Progress

MILLION = 1_000_000

Workers = Annotated[int | None, typer.Option(help="Threads here; all processors if left out.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="A Dask cluster, such as tcp://localhost:8786."),
]
Checkpoint = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Keep the run here, and go on where it stopped.")
]


def carry_out(run: "Run", workers: int | None, cluster: str | None, checkpoint: Path | None) -> "RunOutcome":
    """Play a run to its end, or to where Ctrl-C ends it."""
    from thirdcard.simulate import execute

    crew = _crew(workers, cluster)
    if cluster is None:
        run.warm()
    with _progress(run) as progress:
        return execute(run, crew, checkpoint=checkpoint, progress=progress)


def _crew(workers: int | None, cluster: str | None) -> "Crew":
    if cluster is not None:
        if workers is not None:
            raise BadInput("--workers are threads here and --cluster has its own: leave one of them out")
        from thirdcard.simulate.cluster import Cluster

        return Cluster(cluster)
    from thirdcard.simulate.sheet import crew_of

    return crew_of(workers)


@contextmanager
def _progress(run: "Run") -> Iterator["Progress | None"]:
    """A bar with rate and time left on standard error, if somebody can see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=None if run.open_end else run.size(run.chunks), rate="")

        def tell(done: int) -> None:
            speed = bar.tasks[task].speed or 0
            shown = f"{speed / MILLION:.1f} million" if speed >= MILLION else f"{speed:,.0f}"
            bar.update(task, completed=run.size(done), rate=f"{shown} {run.unit}/s" if speed else "")

        yield tell
