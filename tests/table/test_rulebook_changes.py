"""The text that a table is played by: named by its first event, and changed between two rounds."""

import msgspec
import pytest

import thirdcard.table
from table.tables import MBS, TBC, V3, V4, Table, set_up
from thirdcard.cards import parse_cards
from thirdcard.errors import BadInput
from thirdcard.money import Odds
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import read, remember
from thirdcard.table import Setup, commands, replay, start
from thirdcard.table.commands import Changes
from thirdcard.table.events import BetsOpened, RoundSettled, RulebookChanged
from thirdcard.table.script import state_hash
from thirdcard.table.setup import Limit
from thirdcard.table.view import notices

replace = msgspec.structs.replace
TIE = "9C 8D KH AS"  # Player 9, Banker 9


def text(book: Rulebook) -> str:
    """The digest of a text that is known from now on."""
    return digest_of(remember(canonical(book)))


def nine_to_one(slug: str) -> Rulebook:
    book = load(slug)
    tie = book.bets["tie"]
    pays = tuple(replace(tier, odds=Odds("9 to 1")) for tier in tie.pays)
    return replace(book, bets={**book.bets, "tie": replace(tie, pays=pays)})


def by(rank: str, slug: str, digest: str = "", **more: object) -> commands.ChangeRulebook:
    return commands.ChangeRulebook(by=rank, rulebook=slug, digest=digest, **more)  # type: ignore[arg-type]


def tie_pays(table: Table) -> int:
    """A round that ends in a tie, with $100 on it."""
    table.do(commands.Open(by="dee"), commands.Place(by="ann", box=1, bet="tie", cents=100_00))
    table.do(commands.Close(by="dee"))
    table.do(*(commands.Draw(by="dee", card=card) for card in parse_cards(TIE)))
    events = table.do(commands.Settle(by="dee"))
    return next(one for one in events if isinstance(one, RoundSettled)).settlement.nets["ann"]


@pytest.mark.parametrize("slug", [TBC, MBS])
def test_the_first_event_names_the_text_that_is_played_by(slug: str) -> None:
    assert start(set_up(slug)).setup.digest == digest_of(load(slug))


def test_a_set_up_may_ask_for_one_text_of_a_rulebook() -> None:
    other = text(nine_to_one(TBC))
    assert start(set_up(TBC, digest=other[:12])).setup.digest == other
    with pytest.raises(BadInput, match="is not known here"):
        start(set_up(TBC, digest="0" * 64))


def test_a_set_up_without_a_text_goes_on_by_its_slug() -> None:
    """As logs of earlier releases have it; their hash stays what it was."""
    opened = start(set_up(TBC))
    old = replace(opened, setup=replace(opened.setup, digest=""))
    assert replay([old]).rulebook is load(TBC)
    assert state_hash(replay([old])) != state_hash(replay([opened]))
    plain = msgspec.to_builtins(replay([old]), str_keys=True)
    assert plain["setup"].pop("digest") == ""


def test_a_table_pays_by_its_own_text_and_by_another_from_the_next_round_on() -> None:
    table = Table(TBC)
    other = text(nine_to_one(TBC))
    assert tie_pays(table) == 800_00
    table.do(by("pam", TBC, other))
    assert table.state.setup.digest == digest_of(load(TBC)), "the last round stays what it was"
    assert any("From the next round on: " in str(one.said) for one in notices(table.state))
    assert table.view().digest == digest_of(load(TBC))
    assert tie_pays(table) == 900_00
    assert table.view().digest == other
    assert [(one.since, one.digest) for one in table.statement().texts] == [
        (1, digest_of(load(TBC))),
        (2, other),
    ]
    assert table.statement("ann").texts == table.statement().texts
    told = "\n".join(table.transcript())
    assert f"rulebook {TBC}, text {other[:12]}" in told
    assert "pam has the table play by another text from the next round on" in told


def test_a_settled_round_is_put_right_by_the_text_it_was_played_by() -> None:
    table = Table(TBC)
    tie_pays(table)
    table.do(by("pam", TBC, text(nine_to_one(TBC))))
    events = table.do(commands.Correct(by="sue", cards=parse_cards("9C 8D KH 2S"), reason="misread"))
    assert [one for one in events if isinstance(one, RoundSettled)][-1].settlement.nets["ann"] == -100_00
    back = table.do(commands.Correct(by="sue", cards=parse_cards(TIE), reason="right after all"))
    assert [one for one in back if isinstance(one, RoundSettled)][-1].settlement.nets["ann"] == 800_00


def test_the_last_of_two_changes_counts() -> None:
    table, own = Table(TBC), digest_of(load(TBC))
    table.do(by("pam", TBC, text(nine_to_one(TBC))), by("pam", TBC, own))
    table.do(commands.Open(by="dee"))
    assert table.state.setup.digest == own
    assert [one.since for one in table.statement().texts] == [1]


def test_another_rulebook_whose_layout_fits() -> None:
    table = Table(V3, "C")
    table.do(by("pam", V4, layout="L", changes=Changes(limits={"*": Limit(20_00, 500_00)})))
    table.do(commands.Open(by="dee"))
    assert (table.state.setup.rulebook, table.state.setup.layout) == (V4, "L")
    assert table.state.rulebook is load(V4)
    assert table.state.setup.limit("tie") == Limit(20_00, 500_00)


def test_ranks_become_what_they_are_said_to_become() -> None:
    table = Table(TBC)
    small = text(SMALL)
    become = {"pit-manager": "inspector", "pit-supervisor": "inspector", "dealer": "croupier"}
    table.do(by("sam", "small", small, ranks=become))
    assert table.state.staff["dee"] == "dealer", "until the next round they are what they were"
    table.do(commands.Open(by="dee"))
    assert table.state.staff == {
        "dee": "croupier",
        "sue": "inspector",
        "pam": "inspector",
        "sam": "shift-manager",
    }
    table.do(commands.Close(by="dee"))


SMALL = read(
    "small.toml",
    """
slug = "small"
document = { title = "A small game" }

[[ranks]]
name = "croupier"
title = "Croupier"
pit_employee = true

[[ranks]]
name = "inspector"
title = "Inspector"
above = ["croupier"]

[[ranks]]
name = "shift-manager"
title = "Shift Manager"
above = ["inspector"]

[authority]
deals = { value = "croupier" }
amends = { value = "inspector" }
manages = { value = "shift-manager" }
decides = { value = "shift-manager" }

[betting]
opens = { value = "Your bets" }
closes = { value = "No more" }
withdrawn_after_close = { value = "still-plays" }
by_staff = { value = ["croupier"] }
final = { value = "next-round" }

[squeeze]
right = "largest-bet"
seated_only = false
permission = "inspector"

[[procedures]]
case = "interruption"
title = "Something stops the round"
about = ["interruption"]
rulings = [{ remedy = ["continue"], decides = "croupier" }]

[[procedures]]
case = "not-covered"
title = "Anything else"
about = ["uncovered"]
rulings = [{ remedy = ["decide"], decides = "shift-manager" }]

[bets.player]
name = "Player"
push = { when = { winner = ["tie"] } }
pays = [{ tier = "win", when = { winner = ["player"] }, odds = "1 to 1" }]

[bets.banker]
name = "Banker"
push = { when = { winner = ["tie"] } }
pays = [{ tier = "win", when = { winner = ["banker"] }, odds = "0.95 to 1" }]
""",
)
REFUSED = {
    "a player": ("wrong-rank", by("ann", TBC)),
    "a supervisor": ("wrong-rank", by("sue", TBC)),
    "no such rulebook": ("bad-setup", by("pam", "no-such-rulebook")),
    "a file": ("bad-setup", by("pam", "examples/rulebooks/ez-baccarat.toml")),
    "no such text": ("bad-setup", by("pam", TBC, "0" * 64)),
    "a rank that it has not": ("unknown-rank", by("pam", MBS)),
    "a rank that nobody has": ("unknown-rank", by("pam", TBC, ranks={"croupier": "dealer"})),
    "a rank that it has not either": ("unknown-rank", by("pam", TBC, ranks={"dealer": "croupier"})),
    "a layout that it has not": ("bad-setup", by("pam", TBC, layout="Z")),
    "limits for a bet that it has not": (
        "bad-setup",
        by("pam", TBC, changes=Changes(limits={"dragon": Limit(10_00), "*": Limit(10_00)})),
    ),
}


@pytest.mark.parametrize(("code", "command"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_refused(code: str, command: commands.ChangeRulebook) -> None:
    assert Table(TBC).refused(command).code == code


def test_decks_that_the_other_text_does_not_allow_are_refused() -> None:
    fewer = replace(load(TBC), decks=replace(load(TBC).decks, max=6))
    refusal = Table(TBC).refused(by("pam", TBC, text(fewer)))
    assert refusal.code == "bad-setup"
    assert "decks" in refusal.sentence


def test_a_bet_that_the_other_text_does_not_have_is_refused_while_it_has_limits() -> None:
    book = load(TBC)
    layouts = {
        letter: replace(one, bets=tuple(bet for bet in one.bets if bet != "tie"))
        for letter, one in book.layouts.items()
    }
    without = text(replace(book, layouts=layouts, bets={k: v for k, v in book.bets.items() if k != "tie"}))
    table = Table(TBC, limits={"tie": Limit(10_00), "*": Limit(10_00)})
    assert table.refused(by("pam", TBC, without)).code == "bad-setup"
    table.do(by("pam", TBC, without, changes=Changes(limits={"*": Limit(10_00)})))
    table.do(commands.Open(by="dee"))
    assert table.refused(commands.Place(by="ann", box=1, bet="tie", cents=10_00)).code == "not-on-layout"


def test_not_while_a_round_is_played() -> None:
    table = Table(TBC)
    table.do(commands.Open(by="dee"))
    assert table.refused(by("pam", TBC)).code == "wrong-phase"
    table.do(commands.Close(by="dee"))
    assert table.refused(by("pam", TBC)).code == "wrong-phase"


def test_nobody_gets_a_rank_that_the_next_round_does_not_have() -> None:
    table = Table(TBC, staff={"dee": "dealer", "sam": "shift-manager"})
    table.do(by("sam", "small", text(SMALL), ranks={"dealer": "croupier"}))
    assert table.refused(commands.Assign(by="sam", person="pia", rank="pit-manager")).code == "unknown-rank"
    table.do(commands.Assign(by="sam", person="pia", rank="dealer"), commands.Open(by="dee"))
    assert table.state.staff["pia"] == "croupier"


def test_a_log_with_a_change_comes_to_the_same_state_again() -> None:
    table = Table(TBC)
    table.do(by("pam", TBC, text(nine_to_one(TBC))))
    tie_pays(table)
    assert [type(one) for one in table.log if isinstance(one, RulebookChanged | BetsOpened)]
    assert state_hash(replay(table.log)) == state_hash(table.state)


# Small books ----------------------------------------------------------------------------------------------


def small(**changed: object) -> Setup:
    values: dict[str, object] = {
        "rulebook": "small",
        "digest": text(SMALL),
        "layout": "A",
        "positions": 5,
        "limits": {"*": Limit(10_00, 2_000_00)},
        "staff": {"dee": "croupier", "ida": "inspector", "bo": "shift-manager"},
    }
    return Setup(**(values | changed))  # type: ignore[arg-type]


def test_a_table_of_a_small_book_says_what_there_is_not() -> None:
    plain = remember(
        canonical(
            read(
                "plain-game.toml", 'slug = "plain-game"\nextends = "plain"\ndocument = { title = "Plain" }\n'
            )
        )
    )
    setup = small(rulebook="plain-game", digest=digest_of(plain), staff={"dee": "dealer"})
    told = [str(one.said) for one in notices(replay([start(setup)]))]
    assert told == [
        "No insurance is offered in this game",
        "The rules name no irregularities: the Shift Manager decides on them",
    ]
    assert [str(one.said) for one in notices(replay([start(small())]))] == told[:1], (
        "it has procedures of its own"
    )
    for slug in (TBC, MBS):
        assert not set(told) & {str(one.said) for one in notices(replay([start(set_up(slug))]))}


def test_a_document_without_paragraphs_is_told_without_them() -> None:
    lines = "\n".join(small_table_told())
    assert "A small game, version 1" in lines
    assert "[]" not in lines
    assert "()" not in lines


def small_table_told() -> list[str]:
    table = thirdcard.table.Table(small())
    table.do(commands.Join(by="ann"), commands.BuyIn(by="ann", cents=1_000_00))
    table.do(commands.NewShoe(by="dee"), commands.Open(by="dee"))
    table.do(commands.Place(by="ann", box=1, bet="player", cents=100_00), commands.Close(by="dee"))
    table.do(*(commands.Draw(by="dee", card=card) for card in parse_cards("9C 8D KH 2S")))
    table.do(commands.Settle(by="dee"))
    return list(table.transcript())
