"""`thirdcard evidence` and `thirdcard verify`: a round proved on paper, and the proof checked elsewhere."""

import re
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from thirdcard.cli.options import Json
from thirdcard.cli.output import console, plain, print_json, table
from thirdcard.cli.service import Key, Where, key_of, reading
from thirdcard.errors import BadInput
from thirdcard.service.clock import Clock
from thirdcard.service.evidence.standalone import MOST_BYTES
from thirdcard.service.evidence.submission import (
    VerifiedSubmission,
    is_submission,
    verified_submission,
)
from thirdcard.service.evidence.verify import (
    Verified,
    VerifiedCertificate,
    is_certificate,
    verified,
    verified_certificate,
)
from thirdcard.service.log.store import file_of, open_beside
from thirdcard.service.tables.rulebook_texts import remember_all
from thirdcard.strict import bytes_of
from thirdcard.words import languages

MOST_KEY_BYTES = 1_000  # of a file with a public key


def evidence(  # noqa: PLR0913, PLR0917 - these are the options people have
    where: Where,
    named: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id, as in its address.")],
    number: Annotated[int, typer.Argument(metavar="ROUND", min=1, help="The number of the round.")],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="The archive; with .html the page alone, to read and print.")
    ],
    key: Key = None,
    lang: Annotated[str, typer.Option(help="The language of the page: en, zh, zh-Hans.")] = "en",
    by: Annotated[str, typer.Option(help="For whom it is made, as the paper says.")] = "",
    json_output: Json = False,
) -> None:
    """Take a round out of a database, with all that proves it, signed by the house; its journal has that.

    thirdcard evidence thirdcard.db tiger 42 --out round-42.zip
    """
    from thirdcard.service.evidence.gather import gathered
    from thirdcard.service.keys import load_key, signing_key
    from thirdcard.service.people.console import note_evidence
    from thirdcard.web.pages.evidence import made

    if lang not in languages():
        raise BadInput(f"there is no language {lang!r}: choose one of {', '.join(languages())}")
    path, file = key or key_of(where), file_of(where)
    if file is not None and not file.is_file():
        raise BadInput(f"there is no database {file}")
    if not path.exists():
        raise BadInput(f"there is no key {path}: evidence is signed with the key of the house")
    signing = signing_key(load_key(path))
    now = Clock().wall()
    with reading(), closing(open_beside(where)) as store:
        remember_all(store)
        part, heads = gathered(store, named, number, signing, now, reads_log=True)
        note_evidence(store, named, number)
    proof = made(part, heads, signing, by=by, now=now, language=lang)
    try:
        out.write_bytes(proof.page.encode() if out.suffix == ".html" else proof.archive)
    except OSError as error:
        raise BadInput(f"cannot write {out}: {error.strerror}") from error
    if json_output:
        print_json(proof.told)
        return
    typer.echo(f"Round {number} of {named} is in {out}, {out.stat().st_size:,} bytes, signed by {proof.key}.")


def verify(
    file: Annotated[
        Path,
        typer.Argument(help="An archive of `thirdcard evidence` or `submission`, or an exam's certificate."),
    ],
    key: Annotated[
        str, typer.Option(metavar="HEX_OR_FILE", help="The public key of the house [the one inside].")
    ] = "",
    json_output: Json = False,
) -> None:
    """Check evidence without its database: signatures, chain, shoe, rulebook, and the round played again.

    Of a certificate: signature, answers, seal, and every item of the exam made and marked again. Of a
    submission: every byte, and all its figures worked out again.

    Status 1 if something is wrong. Without --key it shows that one house signed all of it, not which.
    """
    public = _public(key)
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)  # one more, so that what is too large is seen to be
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror}") from error
    report = _checked(data, public)
    if json_output:
        print_json(report)
    else:
        _show(report)
    raise typer.Exit(0 if report.ok else 1)


def _checked(data: bytes, key: str) -> Verified | VerifiedCertificate | VerifiedSubmission:
    if is_certificate(data):
        return verified_certificate(data, key)
    return verified_submission(data, key) if is_submission(data) else verified(data, key)


def _public(given: str) -> str:
    """A public key as it is given, or as the file holds it that is named."""
    text = given
    if given and not re.fullmatch("[0-9a-fA-F]{64}", given):
        try:
            text = bytes_of(Path(given), MOST_KEY_BYTES).decode("ascii").strip()
        except (OSError, ValueError):
            text = ""
        if not re.fullmatch("[0-9a-fA-F]{64}", text):
            raise BadInput(f"{given} is no public key: expected 64 hex digits, or a file that holds them")
    return text.lower()


def _show(report: Verified | VerifiedCertificate | VerifiedSubmission) -> None:
    rows = table("", "Check", "What was found")
    for check in report.checks:
        rows.add_row(
            "[red]✗[/]" if check.wrong else "✓", plain(check.check), plain(check.wrong or check.holds)
        )
    console().print(rows)
    if report.ok:
        console().print(f"[bold]{_about(report)}: all of it holds.[/]")
        if not report.given:
            console().print(f"By the key inside: compare {report.key} with what `thirdcard key` prints.")
    else:
        console().print("[bold]Something is wrong: this is not what the house signed.[/]")


def _about(report: Verified | VerifiedCertificate | VerifiedSubmission) -> str:
    if isinstance(report, VerifiedSubmission):
        return f"The submission of {plain(report.rulebook)}"
    if isinstance(report, Verified):
        return f"Round {report.round} of {plain(report.table)}"
    return f"{plain(report.person)} {'passed' if report.passed else 'did not pass'} exam {plain(report.exam)}"
