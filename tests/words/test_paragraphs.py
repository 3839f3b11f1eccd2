"""What paragraphs are called, on the tiles of a class."""

from pathlib import Path

from each import each
from thirdcard.rulebook import named
from thirdcard.rulebook.faults import citations
from thirdcard.rulebook.load import load, packaged
from thirdcard.words import Language, languages
from thirdcard.words.paragraphs import paragraph_titles

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"


@each("language", languages())
@each("book", [*packaged(), *(str(one) for one in sorted(EXAMPLES.glob("*.toml")))])
def test_every_paragraph_that_a_rulebook_rests_on_has_a_title(book: str, language: Language) -> None:
    loaded = load(book)
    found = paragraph_titles(loaded, language)
    assert found.keys() == {paragraph for _, paragraph in citations(loaded)}
    assert all(found.values())


def test_titles_are_the_bet_the_case_or_the_term() -> None:
    titles = paragraph_titles(named("rws-tiger-buffalo-commission-v2"), "en")
    assert {rule: titles[rule] for rule in ("3.12", "3.12.2", "3.15", "4.1.4", "4.1.5", "5.14", "5.17")} == {
        "3.12": "Insurance",
        "3.12.2": "Most at stake in each window",
        "3.15": "Table of Play",
        "4.1.4": "Player Pair · Banker Pair",
        "4.1.5": "Big Tiger · Small Tiger",
        "5.14": "Insurance was not offered",
        "5.17": "A void round",
    }
    assert paragraph_titles(named("mbs-tiger-v2"), "zh")["4.2"] == "虎對"
