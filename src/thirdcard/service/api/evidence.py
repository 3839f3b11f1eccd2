"""Evidence of rounds, over HTTP; the journal has who took it before it is given out.

The archive and the page are drawn by `web`, which has the routes for them.
"""

from litestar import get
from litestar.params import FromPath

from thirdcard.service.api.access import AnyRequest, AtTable, TableVisit, needs
from thirdcard.service.api.consoles import Lang
from thirdcard.service.api.problems import Wrong
from thirdcard.service.evidence.gather import gathered
from thirdcard.service.evidence.slices import Slice
from thirdcard.service.evidence.told import RoundEvidence, tell
from thirdcard.service.log.anchor import SignedHeads
from thirdcard.service.log.floor_events import EVIDENCE_MADE
from thirdcard.service.people.roles import allowed
from thirdcard.service.turns import Workers
from thirdcard.words import ENGLISH, languages
from thirdcard.words.saying import say


async def taken(at: TableVisit, number: int) -> tuple[Slice, SignedHeads, int]:
    """A round's part of the log for who asks, on record, and the time that it was asked at."""
    if not 0 < number <= at.live.table.rounds:
        raise Wrong(404, "no-such-round", say("rounds-played", id=at.live.id, rounds=at.live.table.rounds))
    hall, now = at.hall, at.hall.clock.wall()
    part, heads = await hall.engine.reading(
        lambda: gathered(
            hall.engine.store,
            at.live.id,
            number,
            hall.heads.key,
            now,
            reads_log=allowed(at.person.role, "read-log"),
        )
    )
    await hall.note(EVIDENCE_MADE, {"table": at.live.id, "round": number, "by": at.person.name})
    return part, heads, now


@get("/tables/{table:str}/rounds/{number:int}/evidence", opt=needs("evidence"), summary="Everything that a round's records say")  # fmt: skip
async def show_evidence(
    request: AnyRequest, at: AtTable, number: FromPath[int], lang: Lang = ENGLISH
) -> RoundEvidence:
    """With names, rulings and the paragraphs of everything. `/audit/ID/rounds/N/evidence.zip` is the archive that proves it."""
    part, _, _ = await taken(at, number)
    workers: Workers = request.app.state.workers
    return await workers.do(lambda: tell(part, lang if lang in languages() else ENGLISH))
