"""What a store keeps of the school: what people have learnt, the answers they gave, and exams."""
# ruff: noqa: S608 - what is put into a statement's text are our own names

import hashlib
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from thirdcard.service.log.store.model import MANY, KeptDocument, LearningWrite, ReviewRow
from thirdcard.service.log.store.people import fold
from thirdcard.service.log.store.reading import Changing, Writing, marks
from thirdcard.service.log.store.tables import EXAMS, LEARNING, REVIEWS, Table

LAST = chr(0x10FFFF)  # after every text
LATEST_REVIEWS = """SELECT r.person, r.number, r.at, r.body FROM (
SELECT column1 AS person, (SELECT max(number) FROM reviews WHERE person = column1) AS top
FROM (VALUES {names}) AS names) AS who
JOIN reviews AS r ON r.person = who.person AND r.number > who.top - ?
WHERE {holds} > 0 ORDER BY who.top - r.number, r.person LIMIT ?"""


def vouched(document: KeptDocument) -> str:
    """By which the journal knows what was written of an exam."""
    return hashlib.sha256(f"{document.version}\n".encode() + document.body).hexdigest()


class _Faster(Exception):  # noqa: N818 - not a fault
    """Somebody else changed it first: nothing of this is to be written."""


def _keep(
    writing: Writing, table: Table[KeptDocument], key: Sequence[str], expected: int, body: bytes
) -> None:
    """A document of so many changes once more; new for `expected` 0."""
    if expected:
        sql = f"UPDATE {table.name} SET body = ?, version = version + 1 WHERE {table.at_key} AND version = ?"
        written = writing.ask(f"{sql} RETURNING version", (body, *key, expected))
    else:
        written = writing.ask(f"{table.insert} RETURNING version", table.values(KeptDocument(1, body), *key))
    _or_overtaken(written)


def _or_overtaken(written: list[Any]) -> None:
    if not written:
        raise _Faster


class SchoolStore(Changing):
    """Documents that are changed by who saw them last, and answers; names of people in whatever case.

    >>> from thirdcard.service.log.store import open_store
    >>> store = open_store("memory:")
    >>> store.keep_exam("spring", "", expected=0, body=b"items")
    True
    >>> store.keep_exam("spring", "", expected=0, body=b"others")  # who changes it has seen version 1
    False
    >>> store.exam("spring")
    KeptDocument(version=1, body=b'items')
    >>> store.close()
    """

    def learning(self, name: str, kind: str) -> KeptDocument | None:
        """What is known of somebody's learning, of one kind."""
        return self.first(LEARNING, LEARNING.at_key, fold(name), kind)

    def all_learning(self, name: str, prefix: str = "") -> list[tuple[str, KeptDocument]]:
        """All kinds that begin so, in order."""
        where = "person = ? AND kind >= ? AND kind < ? ORDER BY kind"
        return self._documents(LEARNING, "kind", where, fold(name), prefix, prefix + LAST)

    def learning_of(self, names: Collection[str], kind: str) -> dict[str, KeptDocument]:
        """What is known of several people's learning, of one kind, by their folded names."""
        keys = {fold(name) for name in names}
        where = f"person IN ({marks(keys)}) AND kind = ?"
        return dict(self._documents(LEARNING, "person", where, *keys, kind)) if keys else {}

    def learning_of_all(
        self, kind: str, *, after: str = "", limit: int = 100
    ) -> list[tuple[str, KeptDocument]]:
        """What is known of one kind, by whose it is, in the order of names and from the one after `after`."""
        where = "kind = ? AND person > ? ORDER BY person LIMIT ?"
        return self._documents(LEARNING, "person", where, kind, after, limit)

    def reviews(self, name: str, *, before: int = MANY, limit: int = 100) -> list[ReviewRow]:
        """Somebody's answers in the school, the latest first, those with a number below `before`."""
        where = "person = ? AND number < ? ORDER BY number DESC LIMIT ?"
        return list(self.every(REVIEWS, where, fold(name), before, limit))

    def latest_reviews(
        self, names: Collection[str], *, each: int, limit: int, holding: bytes = b""
    ) -> list[ReviewRow]:
        """Of the latest so many answers of `each` of these people those whose body is `holding` something.

        The last of everybody come first, then the last but one, and so on.
        """
        keys = {fold(name) for name in names}
        wanted = LATEST_REVIEWS.format(names=", ".join(["(?)"] * len(keys)), holds=self.dialect.HOLDS)
        rows = self._ask(wanted, (*keys, each, holding, limit)) if keys else ()
        return [REVIEWS.made(row) for row in rows]

    def keep_learning(self, writes: Sequence[LearningWrite], reviews: Sequence[ReviewRow] = ()) -> bool:
        """Write all of it or, if somebody was faster, nothing and False."""
        in_order = sorted(writes, key=lambda write: (fold(write.person), write.kind))
        try:
            with self._writing() as writing:
                for write in in_order:
                    _keep(writing, LEARNING, (fold(write.person), write.kind), write.expected, write.body)
                for row in reviews:
                    answer = msgspec.structs.replace(row, person=fold(row.person))
                    _or_overtaken(writing.ask(f"{REVIEWS.insert} RETURNING number", REVIEWS.values(answer)))
        except _Faster:
            return False
        return True

    def forget_learning(self, name: str) -> None:
        """All that is known of somebody's learning; exams are not part of it."""
        with self._writing() as writing:
            for table in (LEARNING, REVIEWS):
                writing.ask(f"DELETE FROM {table.name} WHERE person = ? RETURNING person", (fold(name),))

    def drop_learning(self, name: str, kind: str) -> None:
        self._drop(LEARNING, fold(name), kind)

    def exam(self, exam: str, name: str = "") -> KeptDocument | None:
        """An exam, or somebody's sitting of it."""
        return self.first(EXAMS, EXAMS.at_key, exam, fold(name))

    def exams(self, name: str = "", *, after: str = "", limit: int = 100) -> list[tuple[str, KeptDocument]]:
        """Exams whose names follow, or somebody's sittings, in order."""
        where = "person = ? AND exam > ? ORDER BY exam LIMIT ?"
        return self._documents(EXAMS, "exam", where, fold(name), after, limit)

    def sittings(self, exam: str) -> list[tuple[str, KeptDocument]]:
        """All sittings of an exam, by the folded names of who sat."""
        return self._documents(EXAMS, "person", "exam = ? AND person <> '' ORDER BY person", exam)

    def keep_exam(self, exam: str, name: str, *, expected: int, body: bytes) -> bool:
        """An exam or a sitting, new for `expected` 0; False if somebody was faster."""
        try:
            with self._writing() as writing:
                _keep(writing, EXAMS, (exam, fold(name)), expected, body)
        except _Faster:
            return False
        return True

    def _documents(
        self,
        table: Table[KeptDocument],
        by: str,
        where: str,
        *parameters: Any,  # noqa: ANN401
    ) -> list[tuple[str, KeptDocument]]:
        return [(name, document) for (name,), document in self.keyed(table, where, *parameters, beside=(by,))]
