"""What commands have left for a running server: accounts, rulebooks and evidence for its journal."""

import asyncio
import contextlib
import logging

from thirdcard.service.log.store.model import StoreDown, StoreFull
from thirdcard.service.people.accounts import CONSOLE
from thirdcard.service.people.console import note_of
from thirdcard.service.tables.engine import Unavailable
from thirdcard.service.tables.hall import Hall

LOOK_SECONDS = 0.5
log = logging.getLogger("thirdcard")


async def take_in_notes(hall: Hall) -> None:
    """Write into the journal what was done beside this server: accounts are seen anew, rulebooks taken."""
    engine, store = hall.engine, hall.engine.store
    while not store.shared:
        with contextlib.suppress(Unavailable, StoreDown, StoreFull):
            for note in await engine.reading(store.left_notes):
                await _take_in(hall, note.body)
                await engine.writing(store.drop_note, note)
        await asyncio.sleep(LOOK_SECONDS)


async def _take_in(hall: Hall, line: bytes) -> None:
    note = note_of(line)
    if note is None:
        log.warning("something was left for the journal that does not belong there")
        return
    if note.text:
        await hall.add_rulebook(note.book, str(note.facts["file"]), by=CONSOLE)
        return
    await hall.note(note.kind, {**note.facts, "by": CONSOLE})
    if not note.account:
        return
    name = note.account
    hall.people.forget(name)
    if note.kind in ("account-unlocked", "password-changed"):
        hall.people.forgive(name)
    if note.kind != "account-unlocked":
        hall.end_readers(viewer=name)
