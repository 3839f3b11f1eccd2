"""`thirdcard submission`: what a new game's application asks for, in one signed archive."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from thirdcard.cli.long_runs import carry_out
from thirdcard.cli.options import Decks, Folders, Json, Slug
from thirdcard.cli.output import check_folder, interrupted, print_answer
from thirdcard.cli.service import DB, Key, key_of
from thirdcard.errors import BadInput
from thirdcard.rulebook import load
from thirdcard.rulebook.lookup import check_decks, usual_decks
from thirdcard.words import languages

LONGEST_DATE = 40


class SubmissionMade(msgspec.Struct, frozen=True, kw_only=True):
    """An archive that was written; `before` is the slug of the version before, if there is one."""

    file: str
    bytes: int
    before: str
    decks: int
    shoes: int
    seed: int
    key: str


def submission(  # noqa: PLR0913, PLR0917 - these are the options people have
    slug: Slug,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The archive; one that exists is replaced.")],
    key: Key = None,
    decks: Decks = None,
    shoes: Annotated[
        int | None, typer.Option(help="Shoes dealt to find what counting wins [1000]; more are more exact.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed deals the same shoes.")] = 1,
    date: Annotated[str, typer.Option(help="When it was prepared, as the paper is to say.")] = "",
    lang: Annotated[str, typer.Option(help="The language of the pages: en, zh, zh-Hans.")] = "en",
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """What a new game's application asks for, in one archive that the house signs and prints.

    Rules in plain words, layouts, exact odds, insurance, counting and where to cut, what changed since the
    version before. The same input makes the same bytes; `thirdcard verify` works all of it out again.

    thirdcard submission rws-tiger-buffalo-non-commission-v4 --out pack.zip
    """
    from thirdcard.protect.measures import protection
    from thirdcard.protect.protection import Terms
    from thirdcard.service.evidence.submission import (
        MOST_SHOES,
        SHOES,
        archive,
        counting_run,
        exact_figures,
        figures_text,
        version_before,
    )
    from thirdcard.service.keys import load_key, public_key, signing_key
    from thirdcard.web.pages.submission import pages

    check_folder(out)
    wanted = SHOES if shoes is None else shoes
    if not 1 <= wanted <= MOST_SHOES:
        raise BadInput(f"a submission is made with 1 to {MOST_SHOES:,} shoes: got {wanted:,}")
    if lang not in languages():
        raise BadInput(f"there is no language {lang!r}: choose one of {', '.join(languages())}")
    if len(date) > LONGEST_DATE or not date.isprintable():
        raise BadInput(f"the date is a line of at most {LONGEST_DATE} characters, such as 2025-07-22")
    path = key or key_of(DB)
    if not path.exists():
        raise BadInput(f"there is no key {path}: name the house's with --key, it signs the submission")
    signing = signing_key(load_key(path))
    book = load(slug)
    before, decks = version_before(book), check_decks(book, usual_decks(book, decks))
    run = counting_run(book, decks, wanted, seed)
    outcome = carry_out(run, None, None, None)
    found = protection(run, outcome, Terms())
    if found.partial:
        raise interrupted("interrupted: no submission was written")
    made = pages(book, before, run, found, prepared=date, lang=lang)
    figures = figures_text(exact_figures(book, before, decks), found)
    data = archive(book, before, figures, made, signing, counting=found, prepared=date)
    try:
        out.write_bytes(data)
    except OSError as error:
        raise BadInput(f"cannot write {out}: {error.strerror}") from error
    answer = SubmissionMade(
        file=str(out),
        bytes=len(data),
        before="" if before is None else before.slug,
        decks=decks,
        shoes=found.shoes,
        seed=seed,
        key=public_key(signing),
    )
    if json_output:
        print_answer("submission", book, answer)
        return
    counted = f"{answer.bytes:,} bytes, with {found.shoes:,} shoes"
    typer.echo(f"{book.slug} is in {out}, {counted}, signed by {answer.key}.")
