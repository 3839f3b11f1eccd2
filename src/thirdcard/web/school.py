"""The pages of the school: what is due, drills, exams and their certificates, classes, shifts.

For anybody who is signed in, guests too, of whom nothing is kept; what pages show comes from the API.
"""

from typing import Annotated

import msgspec
from litestar import MediaType, Response, Router, get
from litestar.params import FromPath, QueryParameter
from litestar.types import ControllerRouterHandler

from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.load import named
from thirdcard.school.item_types import KINDS, SPEEDS
from thirdcard.school.shift_script import MOST_PATRONS, MOST_ROUNDS
from thirdcard.service.api.access import AnyRequest, Asking, AtTable, Visit, guard, needs
from thirdcard.service.api.gate import language_of
from thirdcard.service.api.problems import Wrong
from thirdcard.service.people.roles import Permission, allowed
from thirdcard.web.answers import kept_nowhere, page
from thirdcard.web.draw import spots
from thirdcard.web.pages import render, usable
from thirdcard.web.pages.table_pages import named_otherwise
from thirdcard.web.staff import WRONG
from thirdcard.words import Language, words
from thirdcard.words.saying import say

FIRST_BOOK = "rws-tiger-buffalo-commission-v2"
TODAY = "today"  # the drill of all kinds: what is due
Slug = Annotated[str, QueryParameter(max_length=128)]
Letter = Annotated[str, QueryParameter(max_length=4)]


def _title(book: Rulebook, lang: Language) -> str:
    return f"{words(lang).name_of('books', book.slug, book.document.title)} v{book.document.version}"


def _page(request: AnyRequest, asking: Visit, view: str, slug: str = "", **values: object) -> Response[bytes]:
    """One of the school's pages, about one rulebook; nothing of it stays on a device that many use."""
    person, book, lang = asking.person, named(slug or FIRST_BOOK), language_of(request)
    html = render(
        f"school_{view}.html",
        lang=lang,
        page="school",
        here="school",
        query={name: value for name, value in request.query_params.items() if name != "lang"},
        view=view,
        person=person,
        works=not allowed(person.role, "play"),
        deals=allowed(person.role, "deal"),
        trains=allowed(person.role, "train"),
        book=book,
        books=usable(),
        names={rulebook.slug: _title(rulebook, lang) for rulebook in usable()},
        bets=named_otherwise(book, lang),
        kinds=KINDS,
        cases={
            procedure.case: words(lang).name_of("cases", procedure.case, procedure.title)
            for procedure in book.procedures
        },
        **values,
    )
    return kept_nowhere(page(request, html))


@get("/school", opt=needs(None))
async def school_home(request: AnyRequest, asking: Asking, rulebook: Slug = "") -> Response[bytes]:
    """What is due, the drills, what is remembered, the next exam."""
    return _page(request, asking, "home", rulebook)


@get("/school/drill/{kind:str}", opt=needs(None))
async def drill(
    request: AnyRequest, asking: Asking, kind: FromPath[str], rulebook: Slug = "", layout: Letter = ""
) -> Response[bytes]:
    """One page for all drills; `today` asks of all kinds what is due."""
    if kind not in (*KINDS, TODAY):
        raise Wrong(404, "no-such-page", say("no-such-drill", kind=kind[:40], kinds=tuple(KINDS)))
    return _page(request, asking, "drill", rulebook, kind=kind, layout=layout, speeds=SPEEDS)


@get("/school/felt/{slug:str}/{layout:str}", opt=needs(None))
async def felt_of_box(request: AnyRequest, slug: FromPath[str], layout: FromPath[str]) -> Response[bytes]:
    """The spots of a layout in the order of the felt, with words and odds: drills draw a box of them."""
    drawn = spots(named(slug), layout, language_of(request))
    return Response(msgspec.json.encode(drawn), media_type=MediaType.JSON)


@get("/school/shift", opt=needs("deal"))
async def new_shift(request: AnyRequest, asking: Asking, rulebook: Slug = "") -> Response[bytes]:
    """Where a table for practice is taken."""
    return _page(request, asking, "shift", rulebook, most_rounds=MOST_ROUNDS, most_patrons=MOST_PATRONS)


@get("/school/shifts/{table:str}", opt=needs(None))
async def shift_result(request: AnyRequest, at: AtTable) -> Response[bytes]:
    """How a shift was worked."""
    if at.live.practice is None:
        raise Wrong(404, "no-such-page", say("no-practice-table", id=at.live.id))
    slug = at.live.table.setup.rulebook
    return _page(request, at, "shift_result", slug, table=at.live.id)


BY_CLASS: dict[str, Permission | None] = {
    "class": "train",  # who is weak at what; a class is chosen or made there
    "own": "train",  # items of rounds that were played here
    "lesson": None,  # what a trainer chose, asked one by one
    "disputed": "train",  # items that people think are wrong, to be settled
}


def _by_class(view: str, role: Permission | None) -> ControllerRouterHandler:
    """A page about the class of that name."""

    @get(f"/school/{view}", opt=needs(role))
    async def shown(request: AnyRequest, asking: Asking, name: Slug = "") -> Response[bytes]:
        return _page(request, asking, view, name=name)

    return shown


@get("/school/exams/{exam:str}", opt=needs(None))
async def exam_page(request: AnyRequest, asking: Asking, exam: FromPath[str]) -> Response[bytes]:
    """An exam: what it asks, the sitting, the result."""
    return _page(request, asking, "exam", exam=exam)


@get("/school/exams/{exam:str}/certificate", opt=needs(None))
async def certificate(
    request: AnyRequest, asking: Asking, exam: FromPath[str], name: Slug = ""
) -> Response[bytes]:
    """The result on one sheet of paper."""
    return _page(request, asking, "certificate", exam=exam, name=name)


ROUTES: list[ControllerRouterHandler] = [
    school_home, drill, felt_of_box, new_shift, shift_result, exam_page, certificate,
    *(_by_class(view, role) for view, role in BY_CLASS.items()),
]  # fmt: skip
PAGES: list[ControllerRouterHandler] = [
    Router("/", route_handlers=ROUTES, guards=[guard], exception_handlers=WRONG, include_in_schema=False),
]
