"""What comes of reading a document, for people and programs: what was read, what was not, what is open, and what it costs."""

from fractions import Fraction

import msgspec

from thirdcard.odds import fresh, values
from thirdcard.odds.bet_values import edges
from thirdcard.reading.draft import Draft, ToDecide
from thirdcard.reading.model import Doubt, Statement
from thirdcard.reading.reader import Reading
from thirdcard.rulebook import load
from thirdcard.rulebook.load import check
from thirdcard.rulebook.lookup import usual_decks


class ChangedValue(msgspec.Struct, frozen=True, kw_only=True):
    """A value that differs from the nearest book, and what that does to the house edge of its bet."""

    key: str
    before: str
    after: str
    paragraph: str
    line: int
    edge_before: Fraction | None = None
    edge_after: Fraction | None = None


class ReadDocument(msgspec.Struct, kw_only=True):
    """What was read of a document, what was not understood, and what a person has to decide, by line."""

    document: str
    title: str
    pages: int
    lines: int
    draft: str
    nearest: str
    nearest_digest: str
    shared: int
    compared: int
    read: tuple[Statement, ...]
    not_understood: tuple[Doubt, ...]
    changed: tuple[ChangedValue, ...]
    to_decide: tuple[ToDecide, ...]


def report_of(name: str, reading: Reading, draft: Draft, file: str = "") -> ReadDocument:
    """The report on a document of that name; `file` is where the draft was written."""
    before, after = _edges(draft)
    title = reading.values.get("document.title")
    return ReadDocument(
        document=name,
        title=title.value if title else "",
        pages=reading.pages,
        lines=reading.lines,
        draft=file,
        nearest=draft.nearest,
        nearest_digest=draft.nearest_digest,
        shared=draft.shared,
        compared=draft.compared,
        read=tuple(reading.read),
        not_understood=tuple(reading.not_understood),
        changed=tuple(
            ChangedValue(
                **msgspec.structs.asdict(one),
                edge_before=before.get(_bet(one.key)),
                edge_after=after.get(_bet(one.key)),
            )
            for one in draft.changed
        ),
        to_decide=draft.to_decide,
    )


def _bet(key: str) -> str:
    """The bet whose pay line a key is."""
    parts = key.split(".")
    return parts[1] if parts[0] == "bets" and "pays" in parts else ""


def _edges(draft: Draft) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """The house edges of the nearest book and of the draft, where the draft is sound but for what is open."""
    if not any(_bet(one.key) for one in draft.changed):
        return {}, {}
    book, findings = check(f"{draft.slug}.toml", draft.text)
    is_open = {row.key for row in draft.to_decide}
    if book is None or any(one.level == "fault" and one.key not in is_open for one in findings):
        return {}, {}
    made = []
    for which in (load(draft.nearest), book):
        found = edges(values(which, fresh(usual_decks(which))))
        made.append({name: edge.house_edge for name, edge in found.items() if edge.house_edge is not None})
    return made[0], made[1]
