"""Which version of a game is in force when: from what each book says, and what follows from the next."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from each import each
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.forms import canonical, from_canonical
from thirdcard.rulebook.load import check, timeline
from thirdcard.rulebook.lookup import timeline_on
from thirdcard.rulebook.sources import search_in
from thirdcard.rulebook.versions import Version, families, in_force, moment, starts

FAMILY = "rws-tiger-buffalo-non-commission"
V3, V4 = f"{FAMILY}-v3", f"{FAMILY}-v4"


def text(slug: str, **document: object) -> str:
    lines = "".join(f"{name} = {value!r}\n" for name, value in document.items())
    return f'slug = "{slug}"\n[document]\ntitle = "A game"\n{lines}'.replace("'", '"')


def book(slug: str, **document: object) -> Rulebook:
    made, findings = check(f"{slug}.toml", text(slug, **document))
    assert made is not None, findings
    return made


def wrong(**document: object) -> list[tuple[str, str]]:
    _, findings = check("game-v1.toml", text("game-v1", **document))
    return [(found.key, found.finding) for found in findings if found.level == "fault"]


@each(
    ("on", "slug"),
    [
        ("2025-08-08T07:59+08:00", V3),
        ("2025-08-08T08:00+08:00", V4),
        ("2025-08-08 07:59", V3),
        ("2025-08-08", V3),
        ("2025-08-09", V4),
        ("2025-08-07T23:59:59Z", V3),
        ("2025-08-08T00:00Z", V4),
        ("2025-08-07T20:00-04:00", V4),
        ("2024-12-06 08:00", V3),
        (date(2025, 8, 8), V3),
        (datetime(2025, 8, 8, 8), V4),  # noqa: DTZ001 - the book's own time
        (datetime(2025, 8, 8, tzinfo=UTC), V4),
        (datetime(2025, 8, 8, tzinfo=UTC) - timedelta(microseconds=1), V3),
    ],
)
def test_the_text_in_force_at_a_moment(on: str | date, slug: str) -> None:
    assert load(FAMILY, on=on).slug == slug


def test_a_version_by_its_own_slug_is_it_or_nothing() -> None:
    assert load(V4, on="2025-08-09").slug == V4
    with pytest.raises(BadInput, match=rf"^{V4} is not in force then, but {V3}: name the family, {FAMILY}$"):
        load(V4, on="2025-08-01")


@each(
    ("family", "on", "sentence"),
    [
        (FAMILY, "2024-12-06T07:59", f"no text of {FAMILY} is kept for 6 December 2024, 07:59 Singapore time: the first, {V3}, begins on 6 December 2024, 08:00 Singapore time"),
        (FAMILY, "8 August", "'8 August' is not a time: expected a date such as 2025-08-08, or with a time and a zone: 2025-08-08T08:00+08:00"),
        (FAMILY, "2025-02-30", "'2025-02-30' is not a time: "),
        (FAMILY, "2025-08-08T25:00", "'2025-08-08T25:00' is not a time: "),
        (FAMILY, "", "'' is not a time: "),
        ("rws-tiger", "2025-08-08", "there is no family of rulebooks 'rws-tiger': did you mean "),
        (load(V4), "2025-08-08", "`on` chooses among the versions of a family: name it, and not "),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_says_why(family: str, on: str, sentence: str) -> None:
    with pytest.raises(BadInput) as error:
        load(family, on=on)
    assert str(error.value).startswith(sentence)


def test_a_version_ends_where_the_next_begins() -> None:
    _, (before, after) = timeline(V3)
    assert before.ends == after.starts == moment("2025-08-08T08:00+08:00", UTC)
    assert after.ends is None
    told = timeline_on(FAMILY, "2025-08-08")
    assert [version.standing for version in told.versions] == ["holds", "comes"]
    assert told.on == "2025-08-08T00:00+08:00"
    assert timeline_on(FAMILY, "2024-01-01").holds is None
    assert [version.standing for version in timeline_on(FAMILY, "2030-01-01").versions] == ["held", "holds"]


def test_who_says_when_it_ends_leaves_a_gap() -> None:
    made = families(
        [
            book("game-v1", effective="2025-01-01", until="2025-06-01"),
            book("game-v2", version=2, effective="2026-01-01"),
        ]
    )["game"]
    assert in_force("game", made, "2025-05-31T23:59").book.slug == "game-v1"
    with pytest.raises(
        BadInput,
        match=r"^no text of game is in force on 1 June 2025, 00:00 Singapore time: the one before ended on 1 June 2025, 00:00 ",
    ):
        in_force("game", made, "2025-06-01")
    assert in_force("game", made, "2026-01-01").book.slug == "game-v2"


def test_an_end_after_the_next_beginning_changes_nothing() -> None:
    first, _ = families(
        [book("game-v1", effective="2025-01-01", until="2027-01-01"), book("game-v2", effective="2026-01-01")]
    )["game"]
    assert first.ends == moment("2026-01-01T00:00+08:00", UTC)


def test_a_book_without_a_date_is_never_in_force() -> None:
    dated, undated = families([book("game-v2", version=2), book("game-v1", effective="2025-01-01")])["game"]
    assert (undated.book.slug, undated.starts, undated.ends) == ("game-v2", None, None)
    assert dated.ends is None, "a text without a date ends no other"
    assert not undated.holds("2999-01-01")
    with pytest.raises(
        BadInput, match=r"^no text of game says from when it is in force: its `effective` is missing$"
    ):
        in_force("game", [undated], "2025-01-01")


def test_the_family_is_said_or_of_the_book_replaced_or_the_slug_without_its_version() -> None:
    books = [
        book("old-name-v1", effective="2020-01-01"),
        book("new-name-v2", version=2, effective="2021-01-01", replaces="old-name-v1"),
        book("newest", version=3, effective="2022-01-01", replaces="new-name-v2"),
        book("other", effective="2020-01-01", family="said"),
        book("heir-v2", effective="2023-01-01", replaces="gone-v1"),
        book("a", effective="2020-01-01", replaces="b"),
        book("b", effective="2021-01-01", replaces="a"),
    ]
    found = {
        family: [version.book.slug for version in versions] for family, versions in families(books).items()
    }
    assert found["old-name"] == ["old-name-v1", "new-name-v2", "newest"]
    assert found["said"] == ["other"]
    assert found["gone"] == ["heir-v2"]
    assert sorted(slug for slugs in found.values() for slug in slugs) == sorted(one.slug for one in books), (
        "also those in a circle"
    )


@each(
    ("document", "key", "begins"),
    [
        ({"effective": "from spring"}, "document.effective", "'from spring' is not a time: expected a date such as"),
        ({"effective": "2025-13-01"}, "document.effective", "'2025-13-01' is not a time"),
        ({"effective": "2025-01-01", "until": "later"}, "document.until", "'later' is not a time"),
        ({"until": "2025-01-01"}, "document.until", "says when it ends, but `effective` does not say when it begins"),
        ({"effective": "2025-01-01", "until": "2025-01-01"}, "document.until", "it ends 1 January 2025, 00:00 Singapore time, which is not after"),
        ({"replaces": "game-v1"}, "document.replaces", "a book cannot replace itself"),
        ({"family": "A Game"}, "document.family", "'A Game' is not a name"),
        ({"replaces": "../v0"}, "document.replaces", "'../v0' is not a name"),
    ],
)  # fmt: skip
def test_what_a_book_says_of_its_time_is_checked(document: dict[str, object], key: str, begins: str) -> None:
    found = wrong(**document)
    assert [one for one, _ in found] == [key]
    assert found[0][1].startswith(begins)


def test_a_zone_may_be_said_and_holds_for_the_books_own_times() -> None:
    made = book("game-v1", effective="2025-01-01 08:00-05:00", until="2026-01-01")
    (only,) = families([made])["game"]
    assert only.starts == datetime(2025, 1, 1, 13, tzinfo=UTC)
    assert only.ends == datetime(2026, 1, 1, 5, tzinfo=UTC)
    assert only.holds("2025-01-01 08:00")
    assert not only.holds("2025-01-01 08:00+08:00")


def test_an_old_text_without_a_time_that_can_be_read_still_replays() -> None:
    """What a log carries was accepted once; only new files are held to a time."""
    made = from_canonical(
        canonical(book("game-v1", effective="2025-01-01")).replace(b"2025-01-01", b"in January")
    )
    assert starts(made) is None
    assert not Version(made, starts(made), None).holds("2025-02-01")


def test_what_a_book_leaves_out_is_not_in_its_text() -> None:
    assert b"family" not in canonical(load(V3))
    assert digest_of(book("game-v1", family="game")) != digest_of(book("game-v1"))


def test_another_version_does_not_inherit_when_the_one_it_extends_came_into_force() -> None:
    for version, effective in ((5, ""), (4, "2025-08-08 08:00")):
        made, findings = check(
            "draft.toml", f'slug = "draft"\nextends = "{V4}"\n[document]\nversion = {version}\n'
        )
        assert made is not None, findings
        assert made.document.effective == effective
        assert made.document.title == load(V4).document.title


def test_books_from_folders_take_their_place(tmp_path: Path) -> None:
    (tmp_path / "five.toml").write_text(text(f"{FAMILY}-v5", version=5, effective="2027-01-01 08:00"))
    search_in(tmp_path)
    assert load(FAMILY, on="2027-01-01 08:00").document.version == 5
    assert load(FAMILY, on="2027-01-01 07:59").slug == V4
