"""Documents of every form come back as the values they were written from; what is not certain is said."""

import re
from functools import cache
from pathlib import Path

import msgspec

from each import each
from reading.composing import STYLES, compose
from thirdcard.reading import Reading, draft_of, held, read_text
from thirdcard.reading.conditions import condition_of
from thirdcard.reading.figures import letters_in, numbers_in, odds_in, with_digits
from thirdcard.reading.sections import raw_of
from thirdcard.rulebook import load
from thirdcard.rulebook.diff import diff
from thirdcard.rulebook.load import check, packaged

HERE = Path(__file__).parent
CASES = [(slug, style) for slug in packaged() for style in STYLES]
ROW = re.compile(r"\n\n\[\[unconfirmed\]\]\nkey = .*\nline = .*\nreason = .*")


@cache
def document(slug: str, style: str = "plain") -> str:
    return compose(load(slug), STYLES[style])


@cache
def reading(name: str) -> Reading:
    return read_text((HERE / name).read_text(encoding="utf-8"))


# --- documents of books that there are --------------------------------------------------------------------


@each(("slug", "style"), CASES)
def test_every_value_of_a_book_is_read_back_from_its_document(slug: str, style: str) -> None:
    found = held(read_text(document(slug, style)), load(slug))
    assert [str(one) for one in found.findings] == []
    assert found.compared == found.agree > 400


@each(("slug", "style"), CASES)
def test_a_draft_that_is_confirmed_is_the_book(slug: str, style: str) -> None:
    draft = draft_of(read_text(document(slug, style)))
    assert (draft.nearest, draft.changed) == (slug, ())
    _, findings = check("draft.toml", draft.text)
    assert findings
    assert all("not confirmed" in one.finding for one in findings)
    confirmed, findings = check("draft.toml", ROW.sub("", draft.text))
    assert findings == []
    assert confirmed is not None
    assert diff(load(slug), confirmed) == diff(load(slug), load(slug))


def test_a_new_version_differs_where_it_differs() -> None:
    """The third version over the fourth, which alone is known."""
    old, new = load("rws-tiger-buffalo-non-commission-v3"), load("rws-tiger-buffalo-non-commission-v4")
    draft = draft_of(read_text(document(old.slug)), books=[new])
    confirmed, findings = check("draft.toml", ROW.sub("", draft.text))
    assert confirmed is not None, findings
    assert {one.key for one in draft.changed} >= {
        "document.version",
        "layouts.R.positions",
        "bets.tie.layouts",
    }
    changes = diff(old, confirmed)
    assert (changes.added, changes.removed, changes.changed) == ((), (), ())


def test_every_value_stands_with_its_paragraph_and_line() -> None:
    text = document("mbs-tiger-v2", "columns")
    lines = text.split("\n")
    for one in read_text(text).read:
        if one.kind == "pay lines":
            assert one.value in lines[one.line - 1]
        if one.kind == "paragraphs":
            assert lines[one.line - 1].lstrip("\f").startswith(f"{one.key}. ")


def test_the_draft_has_lines_beside_values_and_no_sentence_of_the_document() -> None:
    text = document("rws-commission-insurance-v5")
    written = draft_of(read_text(text)).text
    assert "# 4.1.3, line" in written
    for sentence in re.findall(r"[A-Z][^.\n]{40,}\.", text):
        assert sentence not in written


# --- documents that no book knows -------------------------------------------------------------------------


def tiers(name: str, bet: str) -> list[tuple[dict[str, object] | None, str, int]]:
    return [(tier.when, str(tier.line.odds), tier.line.place.line) for tier in reading(name).tiers[bet]]


@each(
    ("bet", "expected", "layouts"),
    [
        ("player", [({"winner": ["player"]}, "1 to 1", 53)], None),
        ("banker", [({"winner": ["banker"]}, "0.95 to 1", 53)], None),
        ("tie", [({"winner": ["tie"]}, "9 to 1", 53)], None),
        ("lucky-nine", [({"winner": ["player"], "total": [9], "cards": 2}, "10 to 1", 54)], ["A", "C"]),
        ("phoenix", [({"winner": ["banker"], "total": [8], "cards": 3}, "25 to 1", 55)], ["A", "B", "C"]),
        ("phoenix-pair", [({"pair": "banker"}, "11 to 1", 57)], ["B"]),
        ("runaway", [({"winner": ["player"], "margin": [7, 8, 9]}, "8 to 1", 61)], ["C"]),
        ("sevens-tie", [({"winner": ["tie"], "total": [7]}, "70 to 1", 62)], ["C"]),
    ],
)
def test_prose_and_number_words(bet: str, expected: list[object], layouts: list[str] | None) -> None:
    assert tiers("phoenix.txt", bet) == expected
    assert reading("phoenix.txt").bets[bet].layouts == layouts


@each(
    ("bet", "expected", "layouts"),
    [
        ("player", [({"winner": ["player"]}, "1 to 1", 46)], None),
        (
            "banker",
            [
                ({"winner": ["banker"], "total": [6]}, "0.5 to 1", 47),
                ({"winner": ["banker"], "total": [1, 2, 3, 4, 5, 7, 8, 9]}, "1 to 1", 48),
            ],
            None,
        ),
        ("big-dragon", [({"winner": ["banker"], "total": [7], "cards": 3}, "40 to 1", 52)], ["B"]),
        ("small-dragon", [({"winner": ["banker"], "total": [7], "cards": 2}, "12 to 1", 53)], ["B"]),
    ],
)
def test_roman_chapters_and_a_column_of_conditions(
    bet: str, expected: list[object], layouts: list[str] | None
) -> None:
    assert tiers("harbour.txt", bet) == expected
    assert reading("harbour.txt").bets[bet].layouts == layouts


@each("name", ["phoenix.txt", "harbour.txt"])
def test_the_table_of_play_of_both(name: str) -> None:
    table = load("mbs-tiger-v2").table_of_play
    expected = raw_of(load("mbs-tiger-v2"))["table_of_play"]
    assert {key: reading(name).table_of_play[key] for key in expected if key != "rules"} == {
        key: value for key, value in expected.items() if key != "rules"
    }
    assert table.natural == (8, 9)


def test_rows_that_name_a_hand_in_place_of_a_bet() -> None:
    """Which of two bets is meant follows from the hand; a cell for several lines stands once."""
    text = """
1. Terms
1.1 Player Leap refers to a bet that wins:
1.1.1 when the Player Hand wins with a point total of 8 against the Banker Hand with a point total of 6; or
1.1.2 when the Player Hand wins with a point total of 9 against the Banker Hand with a point total of 7,
according to the number of cards.
1.2 Banker Leap refers to a bet that wins:
1.2.1 when the Banker Hand wins with a point total of 8 against the Player Hand with a point total of 6; or
1.2.2 when the Banker Hand wins with a point total of 9 against the Player Hand with a point total of 7,
according to the number of cards.
2. Pay
2.1 The settlement of Leap Bets:

Leap Bets
Bet	Number of Cards	Pays
Banker Hand wins over Player Hand by 2 points with a point total of 8 or 9	4 cards	10 to 1
	5 cards	15 to 1
Player Hand wins over Banker Hand by 2 points with a point total of 8 or 9	4 cards	12 to 1
	5 cards	18 to 1
"""
    read = read_text(text)
    told = {
        slug: [(one.when, str(one.line.odds)) for one in found] for slug, found in read.tiers.items() if found
    }
    wins = {"total": [8, 9], "margin": 2}
    assert told == {
        f"{hand}-leap": [
            ({"winner": [hand]} | wins | {"cards_in_all": cards}, odds)
            for cards, odds in zip((4, 5), paid, strict=True)
        ]
        for hand, paid in (("player", ("12 to 1", "18 to 1")), ("banker", ("10 to 1", "15 to 1")))
    }
    assert read.not_understood == []


def test_insurance_with_the_hand_in_a_column() -> None:
    read = reading("harbour.txt")
    assert [(one.hand, one.window, one.player, one.banker, str(one.odds)) for one in read.offers] == [
        ("player", 1, "6", "0-5", "3 to 1"),
        ("player", 1, "7", "0-5", "4 to 1"),
        ("banker", 2, "1", "2-6", "7 to 1"),
    ]
    assert read.caps["winnings_per_round"].value == "1"


def test_the_title_page_and_layouts() -> None:
    read = reading("harbour.txt")
    assert {key: one.value for key, one in read.values.items()} == {
        "document.title": "Dragon Harbour Baccarat",
        "document.operator": "DHC",
        "document.version": "3",
        "document.effective": "2026-05-01 09:30",
        "decks": "8 to 8",
    }
    assert {letter: (one.name, one.positions) for letter, one in read.layouts.items()} == {
        "A": ("Grand Table", (1, 12)),
        "B": ("Salon Table", (1, 7)),
    }
    assert read.not_understood == []
    assert read.irregularities == ["6.1", "6.2"]


def test_decks_that_are_no_range_are_a_persons_to_decide() -> None:
    doubts = reading("phoenix.txt").not_understood
    assert [(one.line, one.key) for one in doubts] == [(25, "decks")]
    draft = draft_of(reading("phoenix.txt"))
    assert ("decks", 25) in {(row.key, row.line) for row in draft.to_decide}


# --- nothing is guessed -----------------------------------------------------------------------------------

# What is changed in a document, and the key and words of what a person is told.
WRONG = {
    "odds that are smudged": (("22 to 1", "2? to 1"), "bets", "the odds cannot be read"),
    "a total twice": (("3\t0, 1, 2, 3, 4, 5, 6, 7, 9\t8", "3\t0, 1, 2, 3, 4, 5, 6, 7, 8, 9\t8"), "table_of_play.banker_draws.3", "not each card once"),
    "a row that is gone": (("5\t4-7\t0, 1, 2, 3, 8, 9\n", ""), "table_of_play.banker_draws.5", "nothing was understood"),
    "a bet that nobody defined": (("Tie wins\t8 to 1", "Tie wins\t8 to 1\nWild Goose wins\t9 to 1"), "bets", "no paragraph lists"),
    "a definition in riddles": (("with a point total of 6 in 3 cards", "when the moon is full"), "bets.big-tiger", "moon"),
    "a definition that contradicts": (("Tiger when Banker wins with a point total of 6 in 2 cards", "Tiger when Banker wins with a point total of 5 in 2 cards"), "bets.tiger.pays", "cannot both be right"),
    "two odds for one thing": (("Tie wins\t8 to 1", "Tie wins\t8 to 1\nTie wins\t9 to 1"), "bets.tie.pays", "8 to 1 by"),
    "a drawing that differs": (("Appendix B -", "BIG TIGER\n60 to 1\nAppendix B -"), "bets.big-tiger.pays", "shows 60 to 1"),
    "positions in a picture": (("a table with 1 to 9 playing positions", "(picture)"), "layouts.D.positions", "not said in words"),
    "a paragraph that is not there": (("5.3 ", "5.3 As in paragraph 4.9, "), "paragraphs", "cites 4.9"),
    "a paragraph twice": (("5.3 ", "5.2 Another thing.\n5.3 "), "paragraphs", "comes a second time"),
    "odds that count the stake": (("8 to 1", "9 for 1"), "bets.tie.pays", "counts the stake"),
    "two conditions in one": (("wins with a point total of 6 in 3 cards", "wins with 6 in 3 cards or the Player Hand wins with 9 in 2 cards"), "bets.big-tiger", "more than one condition"),
}  # fmt: skip


@each("what", list(WRONG))
def test_what_is_not_certain_is_told_with_its_line_and_marked_in_the_draft(what: str) -> None:
    (before, after), key, words = WRONG[what]
    plain = document("mbs-tiger-v2")
    assert before in plain
    text = plain.replace(before, after, 1)
    read = read_text(text)
    told = [one for one in read.not_understood if one.key == key and words in one.why]
    assert told, [(one.key, one.why) for one in read.not_understood]
    assert 0 < told[0].line <= text.count("\n")
    _, findings = check("draft.toml", draft_of(read).text)
    assert any(one.key == key and "not confirmed" in one.finding for one in findings) or any(
        one.key.startswith("bets") and "missing" in one.finding for one in findings
    )


def test_a_bet_without_a_condition_gets_none() -> None:
    text = document("rws-tiger-buffalo-commission-v2")
    sentence = re.search(r'"Big Tiger" refers to a bet .*', text)
    assert sentence is not None
    read = read_text(text.replace(sentence[0], '"Big Tiger" stands on the felt.'))
    assert [tier.when for tier in read.tiers["big-tiger"]] == [None]
    assert "when" not in draft_of(read).text.partition("[bets.big-tiger]")[2].partition("[bets.")[0]


def test_rulings_are_listed_paragraph_by_paragraph_with_the_nearest_procedure() -> None:
    book = load("rws-tiger-buffalo-commission-v2")
    rows = {row.paragraph: row for row in draft_of(read_text(document(book.slug))).to_decide if row.nearest}
    assert list(rows) == [one for one in book.paragraphs if one.startswith("5.") and one.count(".") == 1]
    assert rows["5.11"].nearest == f"{book.slug}: drawn-together"
    assert rows["5.4"].key == "procedures.technical-interruption"


def test_a_book_that_extends_a_draft_is_not_confirmed_by_that(tmp_path: Path) -> None:
    draft = draft_of(read_text(document("mbs-tiger-v2")), "my-draft")
    (tmp_path / "my-draft.toml").write_text(draft.text, encoding="utf-8")
    over = 'slug = "over"\nextends = "my-draft.toml"\nunconfirmed = [{ key = "decks", line = 3, reason = "why" }]\n'
    _, findings = check("over.toml", over, tmp_path)
    assert len(findings) == len(draft.to_decide) + 1


# --- parts ------------------------------------------------------------------------------------------------


@each(
    ("text", "expected"),
    [
        ("0-1-2-3", [0, 1, 2, 3]),
        ("0-3", [0, 1, 2, 3]),
        ("0-2, 4", [0, 1, 2, 4]),
        ("7, 8 or 9", [7, 8, 9]),
        ("four to six", []),
        ("4 to 6", [4, 5, 6]),
        ('"0" - "5"', [0, 1, 2, 3, 4, 5]),
    ],
)
def test_numbers(text: str, expected: list[int]) -> None:
    assert numbers_in(text) == expected


@each(
    ("text", "expected"),
    [
        ("pays 35 to 1", ["35 to 1"]),
        ("at 0.95:1", ["0.95 to 1"]),
        ("pays even money", ["1 to 1"]),
        ("any card from 2 to 10", []),
        ("with 1 to 6 playing positions", []),
        ("a point total of 1 to 6", []),
        ("thirty-five to one and 3 to 2", ["35 to 1", "3 to 2"]),
        ("one hundred and fifty to one", ["150 to 1"]),
        ("36 for 1", ["35 to 1"]),
    ],
)
def test_odds(text: str, expected: list[str]) -> None:
    assert [one.text for one in odds_in(with_digits(text))] == expected


@each(
    ("text", "expected"),
    [
        ("as in Appendices A, B and D.", ["A", "B", "D"]),
        ('Appendix "A", "B" and "G" with', ["A", "B", "G"]),
        ("Layouts A to D", ["A", "B", "C", "D"]),
        ("Appendix A and Appendix C", ["A", "C"]),
        ("the layout of A Famous House", []),
    ],
)
def test_letters(text: str, expected: list[str]) -> None:
    assert letters_in(text) == expected


@each(
    ("text", "when"),
    [
        ("wins if the Banker wins by 4 to 9 points", {"winner": ["banker"], "margin": [4, 5, 6, 7, 8, 9]}),
        ("wins with a natural 9 of the Player", {"winner": ["player"], "total": [9], "cards": 2}),
        (
            "wins when the Player beats the Banker with a three-card 8",
            {"winner": ["player"], "total": [8], "cards": 3},
        ),
        ("wins if both hands form a pair of the same value", {"pair": "twin"}),
        ("wins when the hands tie on zero", {"winner": ["tie"], "total": [0]}),
        ("a total of five cards in both hands", {"cards_in_all": 5}),
    ],
)
def test_conditions(text: str, when: dict[str, object]) -> None:
    assert condition_of(text).when == when


def test_the_answer_can_be_told_to_programs() -> None:
    assert msgspec.json.encode([*reading("phoenix.txt").read, *reading("phoenix.txt").not_understood])
