"""A game's submission to its regulator: one archive, signed by the house, that anybody can work out again.

Every figure follows from the text of the book, the version before it, the decks, and the shoes that were
dealt with a seed: the same of these makes the same bytes, and `thirdcard verify` makes the figures again.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files as package_files
from typing import Any, Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from thirdcard.answers import told
from thirdcard.odds import by_decks, effects, fresh, offers
from thirdcard.odds.changes import changes, rules_diff, usual_decks
from thirdcard.protect.asking import Question, prepare
from thirdcard.protect.measures import protection
from thirdcard.protect.protect_run import ProtectRun
from thirdcard.protect.protection import Protection, Terms
from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.diff import diff
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import remember, usable
from thirdcard.rulebook.lookup import identity, schema_name
from thirdcard.rulebook.versions import families
from thirdcard.service.evidence.standalone import check, packed, unpacked
from thirdcard.service.evidence.verify import PartChecked
from thirdcard.service.keys import public_key
from thirdcard.simulate.sheet import crew_of
from thirdcard.simulate.work import execute
from thirdcard.strict import decodable

FIGURES: Final = "figures.json"
SHOES: Final = 1_000  # that are dealt to find what counting wins, unless more are asked for
MOST_SHOES: Final = 1_000_000
DEALT_AGAIN: Final = 20_000  # shoes that a check deals again
CLOSE: Final = 1e-6  # how far a figure of dealt shoes may be off on another machine


class SubmissionManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What was signed: `before` is the slug of the version before, empty where there is none."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    before: str
    before_digest: str
    version: int
    effective: str
    decks: int
    shoes: int
    seed: int
    prepared: str
    files: dict[str, str]


class VerifiedSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a submission; `key` is the one by which it was checked, `given` or else found inside."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    ok: bool
    version: int
    shoes: int
    key: str
    given: bool
    checks: tuple[PartChecked, ...]


def version_before(book: Rulebook) -> Rulebook | None:
    """The version of the same game that comes before a text in time; before one without a date, the last."""
    for versions in families((*(other for other in usable() if other.slug != book.slug), book)).values():
        books = [version.book for version in versions]
        if book in books:
            dated = [one.book for one in versions if one.starts is not None or one.book is book]
            earlier = dated[: dated.index(book)]
            return earlier[-1] if earlier else None
    return None


# --- the figures ------------------------------------------------------------------------------------------


def exact_figures(book: Rulebook, before: Rulebook | None, decks: int) -> dict[str, Any]:
    """All that is counted and not dealt, as plain values."""
    money = {}
    if before is not None:
        compared = changes(before, book, usual_decks(before, book))
        money = {"changes": told(rules_diff(before, diff(before, book), compared))}
    return {
        "odds": {
            str(number): {name: told(value) for name, value in of.items()}
            for number, of in by_decks(book).items()
        },
        "removal": {
            name: {rank.letter: str(change) for rank, change in of.items()}
            for name, of in effects(book, fresh(decks), tuple(book.bets)).items()
        },
        "insurance": [told(offer) for offer in offers(book, fresh(decks))] if book.insurance else [],
        **money,
    }


def counting_run(book: Rulebook, decks: int, shoes: int, seed: int) -> ProtectRun:
    """The shoes from which it is told what watching the cards wins."""
    asked = Question(decks=decks, shoes=shoes, seed=seed, levels=("1", "2", "3"))
    return prepare(book, asked)


def figures_text(exact: Mapping[str, Any], counting: Protection) -> bytes:
    """The figures as the archive has them."""
    return msgspec.json.format(msgspec.json.encode({**exact, "counting": told(counting)}), indent=1)


# --- the archive ------------------------------------------------------------------------------------------


def archive(  # noqa: PLR0913 - what it is made of
    book: Rulebook,
    before: Rulebook | None,
    figures: bytes,
    pages: Mapping[str, str],
    key: Ed25519PrivateKey,
    *,
    counting: Protection,
    prepared: str = "",
) -> bytes:
    """The submission of a book, signed; the same of the same."""
    found = {
        **{name: page.encode() for name, page in pages.items()},
        FIGURES: figures,
        "rulebook.json": canonical(book),
        **({} if before is None else {"rulebook-before.json": canonical(before)}),
        "verify.py": (package_files("thirdcard.service.evidence") / "standalone.py").read_bytes(),
    }
    said = SubmissionManifest(
        **identity("submission", book),
        before="" if before is None else before.slug,
        before_digest="" if before is None else digest_of(before),
        version=book.document.version,
        effective=book.document.effective,
        decks=counting.decks,
        shoes=counting.shoes,
        seed=counting.seed,
        prepared=prepared,
        files={name: sha256(data).hexdigest() for name, data in found.items()},
    )
    manifest = msgspec.json.encode(said)
    signed = f"{public_key(key)} {key.sign(manifest).hex()}\n".encode()
    return packed(found | {"manifest.json": manifest, "signature.txt": signed})


# --- and checked ------------------------------------------------------------------------------------------


def is_submission(data: bytes) -> bool:
    """Whether an archive says that it is one of these, also one that was changed since."""
    return f'"schema":"{schema_name("submission")}"'.encode() in data


def verified_submission(data: bytes, key: str = "") -> VerifiedSubmission:
    """What holds of a submission and what does not. Only what was signed is read any further."""
    found = [PartChecked(check=name, holds=holds, wrong=wrong) for name, holds, wrong in check(data, key)]
    said, used = None, key.lower()
    if not any(checked.wrong for checked in found):
        pack = unpacked(data)
        said = msgspec.json.decode(pack["manifest.json"], type=decodable(SubmissionManifest))
        used = used or pack["signature.txt"].decode()[:64]
        found += _again(pack, said)
    else:
        found.append(PartChecked(check="figures", holds="", wrong="not looked at: something above is wrong"))
    return VerifiedSubmission(
        **identity("verify.submission", None)
        | ({"rulebook": said.rulebook, "digest": said.digest} if said else {}),
        ok=not any(checked.wrong for checked in found),
        version=said.version if said else 0,
        shoes=said.shoes if said else 0,
        key=used,
        given=bool(key),
        checks=tuple(found),
    )


def _again(pack: Mapping[str, bytes], said: SubmissionManifest) -> Iterator[PartChecked]:
    """Every figure worked out once more from the texts inside."""
    try:
        book = remember(pack["rulebook.json"])
        before = remember(pack["rulebook-before.json"]) if said.before else None
        stated = msgspec.json.decode(pack[FIGURES])
        yield _compared(
            "figures",
            stated,
            lambda: exact_figures(book, before, said.decks),
            "odds, removal and insurance counted again",
        )
        if said.shoes > DEALT_AGAIN:
            told_of = f"{said.shoes:,} shoes are not dealt again here: more than {DEALT_AGAIN:,}"
            yield PartChecked(check="counting", holds=told_of, wrong="")
            return
        run = counting_run(book, said.decks, said.shoes, said.seed)
        yield _compared(
            "counting",
            stated,
            lambda: {"counting": told(protection(run, execute(run, crew_of(None)), Terms()))},
            f"{said.shoes:,} shoes dealt again with seed {said.seed}",
        )
    except Exception as error:  # noqa: BLE001 - anything may be signed
        yield PartChecked(check="figures", holds="", wrong=f"they cannot be worked out again: {error}")


def _compared(
    name: str, stated: Mapping[str, Any], work: Callable[[], Mapping[str, Any]], holds: str
) -> PartChecked:
    again = msgspec.json.decode(msgspec.json.encode(work()))
    wrong = next(_differs("", {key: stated.get(key) for key in again}, again), "")
    return PartChecked(check=name, holds="" if wrong else f"{holds}: the same", wrong=wrong)


def _differs(key: str, stated: object, again: object) -> Iterator[str]:
    """Where two answers part: text and whole numbers exactly, rounded numbers but for the last digits."""
    if isinstance(stated, dict) and isinstance(again, dict) and stated.keys() == again.keys():
        for name in again:
            yield from _differs(f"{key}.{name}".lstrip("."), stated[name], again[name])
    elif isinstance(stated, list) and isinstance(again, list) and len(stated) == len(again):
        for number, (one, other) in enumerate(zip(stated, again, strict=True)):
            yield from _differs(f"{key}[{number}]", one, other)
    elif isinstance(stated, float) and isinstance(again, float):
        if not math.isclose(stated, again, rel_tol=CLOSE, abs_tol=CLOSE):
            yield f"{key} is {stated}, and comes to {again}"
    elif stated != again:
        yield f"{key} is {stated!r:.60}, and comes to {again!r:.60}"
