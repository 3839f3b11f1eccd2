"""Houses whose rounds are proved: tables of the irregularities' tests, as a store would keep them."""

from collections.abc import Iterator
from functools import partial

import thirdcard.table
from service.playing import KEY, logged, table_log
from thirdcard.service.evidence.gather import archive, gathered
from thirdcard.service.evidence.slices import Slice
from thirdcard.service.evidence.told import RoundEvidence, tell
from thirdcard.service.keys import signing_key
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.table import Table, commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.refusals import Refusal

HOUSE = signing_key(KEY)
NOW = 1_800_000_000_000_000


def of_table(table: Table, name: str = "one") -> Store:
    """A store with the log of that table."""
    store = MemoryStore()
    store.commit([logged(name, table_log(table.log))])
    return store


def proved(
    store: Store, number: int, name: str = "one", page: str = "<!doctype html>"
) -> tuple[Slice, RoundEvidence, bytes]:
    """The round's part of the log, what it tells, and the archive."""
    part, heads = gathered(store, name, number, HOUSE, NOW, reads_log=True)
    told = tell(part)
    return part, told, archive(part, heads, told, page, HOUSE, by="ada", now=NOW)


# Rounds to their end --------------------------------------------------------------------------------------

STAFF = ("sam", "ada")
# What is done first if it can be, to bring a round that was held up to its end.
FIRST = (
    commands.Rule, commands.Choose, commands.Settle, commands.Draw, commands.Expose, commands.CloseInsurance,
    commands.Decline, commands.TakeCards, commands.RejectExcess, commands.Close, commands.Remove,
    commands.NewShoe, commands.Dismiss, commands.Void,
)  # fmt: skip


def play_out(table: Table) -> None:
    """The round ruled on, played and settled, whatever had gone wrong."""
    for _ in range(80):
        current = table.state.round
        assert current is not None
        if current.phase in ("settled", "void") and current.pending is None:
            return
        ranked = next(filter(None, map(partial(_wishes, table), _people(table))), None)
        assert ranked, (current.phase, current.pending)
        made = thirdcard.table.Table.do(table, ranked[0])
        assert not isinstance(made, Refusal), made
    raise AssertionError("it never ends")


def _people(table: Table) -> Iterator[str]:
    """Who is asked first what there is to do: who rules, then who deals, then the players."""
    yield from (name for name in STAFF if name in table.state.staff)
    yield from table.state.players


def _wishes(table: Table, name: str) -> list[AnyCommand]:
    found = [option.command for option in table.legal(name, ())]
    return [one for kind in FIRST for one in found if type(one) is kind]
