"""The rulebook's words and the engine's hands fit each other: nothing is named that nobody carries out."""

from typing import get_args

from each import each
from thirdcard.rulebook.model import About
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.table import commands, events
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import ALWAYS, DECISIONS, WHILE_AMENDING, WHILE_PAUSED
from thirdcard.table.decide.conditions import CONDITIONS
from thirdcard.table.decide.inputs import NEEDS
from thirdcard.table.decide.remedies import HANDLERS
from thirdcard.table.events import AnyEvent, tag_of
from thirdcard.table.evolve import CHANGES
from thirdcard.table.evolve_round import ROUND_CHANGES
from thirdcard.table.reported import AFTER_PAYMENT, ANY_TIME, DETAILS
from thirdcard.table.rights.choosing import CHOICES
from thirdcard.table.state import Inputs
from thirdcard.table.transcript import TOLD
from thirdcard.words import ENGLISH, words

DECIDED = "decide"  # becomes the action that was decided on


def test_every_remedy_is_carried_out_and_nothing_else() -> None:
    assert {*HANDLERS, *CHOICES, DECIDED} == set(REMEDIES)
    assert not set(HANDLERS) & set(CHOICES)


@each("remedy", REMEDIES.values(), ids=lambda one: one.name)
def test_a_remedy_asks_for_inputs_that_there_are(remedy: object) -> None:
    assert set(remedy.asks) <= set(Inputs.__struct_fields__)  # type: ignore[attr-defined]


def test_whatever_a_remedy_must_be_told_is_asked_for() -> None:
    assert set(NEEDS) <= set(REMEDIES)
    assert all(REMEDIES[name].asks for name in NEEDS)


def test_every_action_of_a_decision_is_a_remedy() -> None:
    actions = set(get_args(Inputs.__annotations__["action"])) - {""}
    assert actions <= set(REMEDIES)
    assert {row.name for row in REMEDIES.values() if row.at_discretion} <= actions


def test_every_kind_of_irregularity_says_what_may_be_told_of_it() -> None:
    kinds = set(get_args(About))
    assert set(DETAILS) == kinds
    assert set(CONDITIONS) <= kinds
    assert kinds >= ANY_TIME >= AFTER_PAYMENT


def test_details_are_fields_of_a_report() -> None:
    assert frozenset().union(*DETAILS.values()) <= set(commands.Report.__struct_fields__)


def test_every_command_is_decided_and_every_event_applied_and_told() -> None:
    kinds = set(get_args(AnyCommand))
    assert set(DECISIONS) == kinds
    assert ALWAYS <= WHILE_PAUSED <= kinds
    assert ALWAYS <= WHILE_AMENDING <= kinds
    told = set(get_args(AnyEvent)) - {events.TableOpened}
    assert {*CHANGES, *ROUND_CHANGES} == told
    assert not set(CHANGES) & set(ROUND_CHANGES)
    assert set(TOLD) <= told
    assert all(tag_of(kind) in words(ENGLISH).sections["transcript"] for kind in told - set(TOLD))
