"""A rulebook that the house is given over HTTP, checked first."""

from pathlib import Path
from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.findings import Finding, RulebookError
from thirdcard.rulebook.load import catalogue, check
from thirdcard.rulebook.lookup import identity
from thirdcard.service.api.access import AnyRequest, Asking, needs
from thirdcard.service.api.bodies import Body
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.api.problems import Wrong

MOST_BYTES = 262_144  # of a body that holds a rulebook; those of the package have a tenth of it


class NewRulebook(Body, frozen=True, kw_only=True):
    """A rulebook's text, and what its file is called; what it extends is named by slug, never a file."""

    file: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    text: str


class TakenRulebook(msgspec.Struct, frozen=True, kw_only=True):
    """The house has it; `findings` are what is to be said of it all the same."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    findings: list[Finding]


@post("/rulebooks", opt=needs("add-rulebook"), request_max_body_size=MOST_BYTES, **takes(NewRulebook), summary="Give the house a rulebook, or a new text of one")  # fmt: skip
async def add_rulebook(request: AnyRequest, asking: Asking, data: JSONBody[NewRulebook]) -> TakenRulebook:
    """Checked first. Tables that are opened later play by it; those that run keep the text they have."""
    file = Path(data.file).name or "rulebook.toml"
    workers = request.app.state.workers
    book, findings = await workers.do(lambda: check(file, data.text))
    clash = await workers.do(lambda: _clash(book)) if book is not None else ""
    faults = [finding for finding in findings if finding.level == "fault"]
    if book is None or faults:
        told = str(RulebookError(file, faults))
        raise Wrong(422, "bad-rulebook", told, findings=tuple(findings))
    if clash:
        raise Wrong(409, "rulebook-exists", clash, findings=tuple(findings))
    await asking.hall.add_rulebook(book, file, by=asking.person.name)
    return TakenRulebook(**identity("rulebook", book), findings=findings)


def _clash(book: Rulebook) -> str:
    """Why the house cannot be given it: its slug is that of a text which was not given to the house."""
    for entry in catalogue():
        own = entry.origin == "server" or (entry.book and digest_of(entry.book) == digest_of(book))
        if entry.slug == book.slug and not own:
            return f"another rulebook is called {book.slug} ({entry.origin}): give this one another slug"
    return ""


router = Router("", route_handlers=[add_rulebook], tags=["rules and odds"])
