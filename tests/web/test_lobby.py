"""What the lobby says of a game follows from its rulebook."""

import pytest

from thirdcard.rulebook.load import load
from thirdcard.service.tables.hall import FIRST_TABLES
from thirdcard.web.pages.lobby import about, takes_commission
from thirdcard.words import languages, words


@pytest.mark.parametrize("lang", languages())
def test_a_line_says_no_commission_only_where_there_is_none(lang: str) -> None:
    none = words(lang).ui["lobby_chip_no_commission"]
    for table in FIRST_TABLES:
        book = load(table.setup.rulebook)
        line = about(table.id, book, lang)
        assert "{" not in line
        assert not (takes_commission(book) and none in line), (table.id, line)


def test_commission_is_told_as_the_book_has_it() -> None:
    assert about("tiger", load("mbs-tiger-v2"), "en").startswith("Banker pays 0.95 to 1. ")
    other = "a table of the house's own"
    assert about(other, load("mbs-tiger-v2"), "en").startswith("Banker pays 0.95 to 1. ")
    assert about(other, load("rws-tiger-buffalo-non-commission-v4"), "en").startswith(
        "No commission. Banker pays 1 to 2 on 6. "
    )
    assert about(other, load("examples/rulebooks/ez-baccarat.toml"), "zh").startswith("免佣。")
