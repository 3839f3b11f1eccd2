"""Back-ups: one file that holds all of a database, whichever kind it came from and goes to.

Neither the key nor the anchor is in it: with the key a back-up would tell the cards of every shoe in use, and
an anchor in the same hands as the log would vouch for nothing.
"""

import contextlib
import os
from pathlib import Path

from thirdcard.errors import BadInput
from thirdcard.service.files import sync_folder
from thirdcard.service.log.store import file_of, open_snapshot, open_store, write_file


def backup(where: str, to: Path) -> int:
    """Write a back-up of all that is there at this moment, a server may run; the number of events in it.

    The file appears whole, on the disk and readable by its owner alone, or not at all.
    """
    if to.exists():
        raise BadInput(f"{to} is there already: a back-up never replaces a file")
    draft = to.with_name(f"{to.name}.part")
    with open_snapshot(where) as source:
        try:
            draft.unlink(missing_ok=True)
            events = write_file(source, draft)
            with draft.open("rb+") as written:
                os.fsync(written.fileno())
            to.hardlink_to(draft)  # unlike a rename this never replaces anything
            sync_folder(to.absolute().parent)
        except FileExistsError:
            raise BadInput(f"{to} is there already: a back-up never replaces a file") from None
        except OSError as error:
            raise BadInput(f"cannot write {to}: {error.strerror}") from None
        finally:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
    return events


def restore(file: Path, where: str) -> int:
    """Fill an empty place from a back-up, all of it or nothing; the number of events.

    BadInput if anything is there, be it one account: a back-up is never mixed with something else.
    """
    if file_of(str(file)) is None:
        raise BadInput("a back-up is a file")
    with open_snapshot(str(file)) as source, contextlib.closing(open_store(where)) as store:
        return store.fill(source)
