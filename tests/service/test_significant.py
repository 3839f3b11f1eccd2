"""The significant-event log says what happened, and what was before: never nothing."""

import msgspec
import pytest

from irregularities.situations import PLAYER_WINS, TBC, Scene
from service.houses import timed
from service.playing import House
from service.test_codec import HOUSE, KINDS, filled, stored
from thirdcard.cards import parse_cards
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import EVERYDAY, SIGNIFICANT, event_of, tag
from thirdcard.service.log.floor_events import Logged, Pace
from thirdcard.service.log.floor_words import WITHOUT_CARDS, what_happened
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.queries.log_lines import significant_events
from thirdcard.service.queries.redaction import CARD_FIELDS
from thirdcard.service.tables import plans
from thirdcard.table import commands, events
from thirdcard.table.commands import Changes
from thirdcard.table.setup import Limit, Setup
from thirdcard.table.state import Inputs, Settlement
from thirdcard.words import languages, words

ENGLISH, CHINESE = words("en"), words("zh")
SETUP = Setup(rulebook=TBC, layout="A", positions=6, limits={"*": Limit(1000, 100_000)}, differential=500_000)
OTHER = msgspec.structs.replace(SETUP, limits={"*": Limit(2000, 100_000)}, differential=800_000)
# Events whose values have to be those of a table; all others are made of anything.
OF_A_TABLE: dict[type, Logged] = {
    events.SetupChanged: events.SetupChanged(by="mia", setup=OTHER, before=SETUP),
    events.RulebookChanged: events.RulebookChanged(
        by="mia", setup=OTHER, before=SETUP, ranks={"dealer": "dealer"}
    ),
    events.RoundSettled: events.RoundSettled(
        settlement=Settlement(outcome="banker", player=3, banker=7, lines=()),
        player_pair=False,
        banker_pair=False,
    ),
    **{type(event): event for event in HOUSE},
}


def of(kind: type) -> Logged:
    made: Logged = OF_A_TABLE.get(kind) or filled(msgspec.inspect.type_info(kind))
    return made


@pytest.mark.parametrize("language", languages())
def test_every_kind_says_something(language: str) -> None:
    """In full, and while its round has cards that nobody may read."""
    said = words(language)
    kinds = {*SIGNIFICANT, events.RoundSettled, floor.Noted}
    assert kinds <= set(KINDS)
    for kind in kinds:
        for covered in (False, True):
            assert len(what_happened(said, of(kind), covered=covered)) > 4, (kind, covered)


@pytest.mark.parametrize("language", languages())
def test_every_note_of_the_journal_has_a_sentence_and_one_that_has_none_tells_its_facts(
    language: str,
) -> None:
    said = words(language)
    for kind in said.sections["journal"]:
        assert kind not in EVERYDAY
        blank = floor.Noted(kind=kind, facts={})
        assert what_happened(said, blank) == kind.replace("-", " "), "facts of another release"
    other = floor.Noted(kind="something-new", facts={"table": "one", "sha256": "ab"})
    assert what_happened(said, other) == "table one"


def test_nothing_that_may_hold_a_card_is_told_of_a_round_with_cards_that_nobody_may_read() -> None:
    for kind in SIGNIFICANT:
        hidden = set(CARD_FIELDS.get(tag(of(kind)), ()))
        assert hidden <= WITHOUT_CARDS.get(kind, {}).keys(), kind
    ruled = events.IrregularityRuled(
        case="drawn-together",
        by="sue",
        facts={},
        remedies=("void-round",),
        inputs=Inputs(reason="the king of spades"),
    )
    assert "king" in what_happened(ENGLISH, ruled)
    assert "king" not in what_happened(ENGLISH, ruled, covered=True)


# Old and new ----------------------------------------------------------------------------------------------


def test_limits_say_what_they_were_and_what_they_are() -> None:
    changed = events.SetupChanged(by="mia", setup=OTHER, before=SETUP)
    assert what_happened(ENGLISH, changed) == (
        "mia changes the set-up from the next round on; limits: every bet from 10 to 1,000 → "
        "every bet from 20 to 1,000; differential: 5,000 → 8,000"
    )
    assert "5,000 → 8,000" in what_happened(CHINESE, changed)
    old = events.SetupChanged(by="mia", setup=OTHER)
    assert "every bet: from 20 to 1,000" in what_happened(ENGLISH, old), "of an earlier release"


def test_a_second_change_before_the_round_begins_is_told_from_the_first() -> None:
    table = Scene(TBC)
    for most in (200_00, 300_00):
        table.do(commands.ChangeSetup(by="sam", changes=Changes(limits={"*": Limit(5_00, most)})))
    told = list(table.transcript())
    assert any("to 200 → " in line and "to 300" in line for line in told), told[-4:]


def test_pace_and_rank_say_what_they_were() -> None:
    pace = floor.PaceChanged(pace=Pace(betting=5_000), before=Pace())
    assert what_happened(ENGLISH, pace) == "The pace is changed. Betting, s: 20 → 5"
    rank = events.StaffAssigned(by="sam", person="dee", rank="pit-manager", before="dealer")
    assert what_happened(ENGLISH, rank) == "sam makes dee pit manager, who was dealer"


def test_a_correction_says_what_each_had_and_has() -> None:
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.settle()
    had = table.current.settlement.nets  # type: ignore[union-attr]
    made = table.do(commands.Correct(by="sue", cards=parse_cards("2C 9H KD KS"), reason="misread"))
    (reversed_,) = [one for one in made if isinstance(one, events.SettlementReversed)]
    assert reversed_.nets == had == {"ann": 100_00, "bob": -100_00}
    assert (
        what_happened(ENGLISH, reversed_)
        == "sue reverses the settlement: misread; ann had +100; bob had -100"
    )
    (amended,) = [one for one in made if isinstance(one, events.RecordAmended)]
    told = what_happened(ENGLISH, amended)
    assert "settlement ann: +100 instead of" in told or "+100" in told


@pytest.mark.parametrize("event", [event for event in HOUSE if hasattr(event, "before")], ids=tag)
def test_an_event_of_an_earlier_release_is_read_without_what_was_before(event: Logged) -> None:
    kept = stored(event)
    body = {name: value for name, value in msgspec.json.decode(kept.body).items() if name != "before"}
    old = msgspec.structs.replace(kept, schema=kept.schema - 1, body=msgspec.json.encode(body))
    assert event_of(old) == msgspec.structs.replace(event, before=None)
    assert what_happened(ENGLISH, event_of(old))


# In a house -----------------------------------------------------------------------------------------------


@timed
async def test_the_log_of_a_house_says_what_happened_in_each_language() -> None:
    async with House(MemoryStore()) as house:
        await house.play_by_hand("by-hand")
        await house.hall.engine.ask("by-hand", plans.close_table(), actor="sam")
        await house.hall.engine.ask("by-hand", plans.reopen_table(), actor="sam")
        found = await significant_events(house.hall, before=None, limit=200)
        assert {"void", "reversal", "correction", "table"} <= {one.kind for one in found}
        assert all(one.what for one in found)
        rounds = house.live("by-hand").table.rounds
        assert any(
            one.what.startswith(f"The table is closed after {rounds} rounds; players have ") for one in found
        )
        chinese = await significant_events(house.hall, before=None, limit=200, language="zh")
        assert all(one.what for one in chinese)
        assert [one.what for one in found] != [one.what for one in chinese]
