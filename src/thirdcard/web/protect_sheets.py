"""Sheets of protection for pages: made one at a time in a process of their own, and kept for a while.

They need NumPy and Numba, which a server does without until somebody asks for one.
"""

import asyncio
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import msgspec

from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.forms import canonical, digest_of
from thirdcard.service.api.access import AnyRequest
from thirdcard.service.api.gate import language_of
from thirdcard.service.api.problems import Wrong
from thirdcard.words import words

if TYPE_CHECKING:
    from thirdcard.protect.radar_sheet import RadarAsked, RadarSheet
    from thirdcard.protect.sheet import Sheet

SHOES: Final = 2000
MOST_KEPT: Final = 16
LONGEST_SECONDS: Final = 900
NICE: Final = "15"


class Sheets:
    """What has been made, and what is being made."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], Any] = {}
        self._making: dict[tuple[object, ...], asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    def protection(self, book: Rulebook, decks: int) -> "Sheet | None":
        """The sheet of a rulebook if it is there; else it is being made from now on."""
        key = "sheet", digest_of(book), decks
        sheet: Sheet | None = self._find(key, canonical(book), (str(decks), str(SHOES)))
        return sheet

    def keep(self, book: Rulebook, decks: int, sheet: "Sheet") -> None:
        """Keep a sheet that was made elsewhere."""
        self._keep(("sheet", digest_of(book), decks), sheet)

    def radar(self, table: str, last: int, asked: "RadarAsked") -> "RadarSheet | None":
        """What the radar shows of a table up to a round, or the same."""
        key = "radar_sheet", table, last, asked.player
        sheet: RadarSheet | None = self._find(key, msgspec.msgpack.encode(asked), ())
        return sheet

    def _find(self, key: tuple[Any, ...], given: bytes, words: tuple[str, ...]) -> Any:  # noqa: ANN401 - by key
        if key not in self._made and key not in self._making and len(self._making) < MOST_KEPT:
            self._making[key] = asyncio.create_task(self._make(key, given, words))
        return self._made.get(key)

    def _keep(self, key: tuple[object, ...], sheet: object) -> None:
        while len(self._made) >= MOST_KEPT:
            del self._made[next(iter(self._made))]
        self._made[key] = sheet

    async def _make(self, key: tuple[Any, ...], given: bytes, words: tuple[str, ...]) -> None:
        module = f"thirdcard.protect.{key[0]}"
        try:
            async with self._turn:
                output = await _told_by(module, words, given)
            if output is not None:
                self._keep(key, import_module(module).decoded(output))
        finally:
            self._making.pop(key, None)


async def _told_by(module: str, words: tuple[str, ...], given: bytes) -> bytes | None:
    """What a process says that gives way to all others, and is ended if it takes too long."""
    process = await asyncio.create_subprocess_exec(
        "nice", "-n", NICE, sys.executable, "-m", module, *words,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        output, _ = await asyncio.wait_for(process.communicate(given), LONGEST_SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate(b"")  # until it has ended and its pipes are closed
    return output if process.returncode == 0 else None


def sheets_of(request: AnyRequest) -> Sheets:
    """Those of this server, if it has what they are made with."""
    if any(find_spec(part) is None for part in ("numpy", "numba")):
        raise Wrong(503, "unavailable", words(language_of(request)).ui["protect_needs"])
    state = request.app.state
    if "sheets" not in state:
        state.sheets = Sheets()
    sheets: Sheets = state.sheets
    return sheets
