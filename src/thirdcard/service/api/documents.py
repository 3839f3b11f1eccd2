"""Documents over HTTP: the house's own copy of one, a draft from one, and a rulebook held to one."""

from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, post, put
from litestar.params import FromPath, JSONBody

from thirdcard.answers import told
from thirdcard.reading import draft_of, held, read_text
from thirdcard.reading.files import text_of
from thirdcard.reading.report import ReadDocument, report_of
from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.findings import Finding
from thirdcard.rulebook.lookup import identity
from thirdcard.service.api.access import AnyRequest, Asking, needs
from thirdcard.service.api.bodies import Body, takes
from thirdcard.service.api.reference import MOST_BYTES, book_of, plain
from thirdcard.service.queries.documents import checked, copy_of
from thirdcard.service.turns import Workers

MOST_DOCUMENT_BYTES = 6_000_000  # of a body that holds a document, which has three quarters of it
FileName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class GivenCopy(Body, frozen=True, kw_only=True):
    """The text of a document, as the house has it."""

    text: Annotated[str, msgspec.Meta(min_length=1)]


class KeptCopy(msgspec.Struct, frozen=True, kw_only=True):
    """The house's own copy of a rulebook's document, by paragraph."""

    rulebook: str
    digest: str
    paragraphs: dict[str, str]


@get("/rules/{slug:str}/copy", opt=needs("read-documents"), summary="The house's own copy of a rulebook's document, by paragraph")  # fmt: skip
async def show_copy(asking: Asking, slug: FromPath[str]) -> KeptCopy:
    book = book_of(slug)
    return KeptCopy(rulebook=book.slug, digest=digest_of(book), paragraphs=await copy_of(asking.hall, book))


@put("/rules/{slug:str}/copy", opt=needs("add-rulebook"), status_code=204, request_max_body_size=MOST_BYTES, **takes(GivenCopy), summary="Keep the house's own copy of a document, for its staff alone")  # fmt: skip
async def keep_copy(
    request: AnyRequest, asking: Asking, slug: FromPath[str], data: JSONBody[GivenCopy]
) -> None:
    book = book_of(slug)
    text = await request.app.state.workers.apart(checked, book, data.text)
    await asking.hall.keep_document(book, text, by=asking.person.name)


@delete("/rules/{slug:str}/copy", opt=needs("add-rulebook"), status_code=204, summary="Take it back")
async def take_copy(asking: Asking, slug: FromPath[str]) -> None:
    await asking.hall.keep_document(book_of(slug), "", by=asking.person.name)


class GivenDocument(Body, frozen=True, kw_only=True):
    """A document as a file: text or PDF, its bytes in base64."""

    file: FileName
    data: bytes


class BookBeside(Body, frozen=True, kw_only=True):
    """A rulebook by its slug, and the document that it is to be held to."""

    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
    file: FileName
    data: bytes


class ReadDraft(msgspec.Struct, frozen=True, kw_only=True):
    """What was read of a document, and the draft of a rulebook: `text` is its file."""

    slug: str
    text: str
    report: ReadDocument


class HeldRulebook(msgspec.Struct, frozen=True, kw_only=True):
    """How a rulebook stands to a document: values compared, those that agree, and every difference."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    compared: int
    agree: int
    findings: tuple[Finding, ...]


@post("/documents/read", opt=needs("add-rulebook"), status_code=200, request_max_body_size=MOST_DOCUMENT_BYTES, **takes(GivenDocument), summary="Read a rules document: a draft rulebook, and what a person has to decide")  # fmt: skip
async def read_document(request: AnyRequest, data: JSONBody[GivenDocument]) -> Response[Any]:
    """Nothing is kept: the draft is given to the house as any rulebook is, once nothing in it is open."""
    return plain(await request.app.state.workers.apart(_read, data.file, data.data))


@post("/documents/check", opt=needs("add-rulebook"), status_code=200, request_max_body_size=MOST_DOCUMENT_BYTES, **takes(BookBeside), summary="Hold a rulebook to its document")  # fmt: skip
async def check_document(request: AnyRequest, data: JSONBody[BookBeside]) -> HeldRulebook:
    workers: Workers = request.app.state.workers
    return await workers.apart(_held, book_of(data.rulebook), data.file, data.data)


def _read(file: str, data: bytes) -> Any:  # noqa: ANN401 - JSON
    reading = read_text(text_of(file, data))
    draft = draft_of(reading)
    return told(ReadDraft(slug=draft.slug, text=draft.text, report=report_of(file, reading, draft)))


def _held(book: Rulebook, file: str, data: bytes) -> HeldRulebook:
    result = held(read_text(text_of(file, data)), book)
    return HeldRulebook(
        **identity("rules.check", book),
        compared=result.compared,
        agree=result.agree,
        findings=result.findings,
    )
