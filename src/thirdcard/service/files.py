"""Files on any system: made for their owner alone, held by one process at a time, kept when power goes."""

import os
from pathlib import Path

from filelock import lock_descriptor

PRIVATE = 0o600
WHOLE = getattr(os, "O_BINARY", 0)  # where line ends would be rewritten otherwise
HAS_MODES = os.name == "posix"  # elsewhere a file's mode does not say who may read it


def open_private(path: str | Path, *, adding: bool = False) -> int:
    """Open for reading and writing; one that is made is its owner's alone, and no child process gets it."""
    return os.open(path, os.O_RDWR | os.O_CREAT | (os.O_APPEND if adding else 0) | WHOLE, PRIVATE)


def hold(file: int, *, wait: bool = False) -> bool:
    """Keep other processes from holding the same file; the system lets go of it however this one ends.

    Nobody else may read a held file on every system, so what others read has its lock in a file beside it.
    """
    return lock_descriptor(file, blocking=wait)


def hold_beside(path: str | Path) -> int | None:
    """Hold the lock of a file that others read, in a file beside it; None if another process has it."""
    file = open_private(f"{path}.lock")
    try:
        held = hold(file)
    except BaseException:
        os.close(file)
        raise
    if held:
        return file
    os.close(file)
    return None


def sync_folder(folder: Path) -> None:
    """What was made in a folder stays in it when the power goes; some systems see to that themselves."""
    if not HAS_MODES:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
