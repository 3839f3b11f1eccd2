"""What is behind a cell of a class, from the answers that are kept."""

import msgspec

from service.houses import CBI, TBC
from thirdcard.school.memory import GOOD
from thirdcard.school.progress import ItemName, Review
from thirdcard.service.learning.classes import BEHIND, SchoolClass, items_behind
from thirdcard.service.log.store.model import LearningWrite, ReviewRow
from thirdcard.service.log.store.sqlite import MemoryStore

MEMBERS = ("Mei", "Wei", "Teo")


def answer(person: str, number: int, rulebook: str) -> ReviewRow:
    item = ItemName(
        kind="pay",
        rulebook=rulebook,
        layout="A",
        decks=8,
        seed="s",
        number=number,
        level=1,
        skill="pay/tie/win",
    )
    given = Review(
        item=item,
        at=number,
        answers={},
        right=True,
        points=100,
        seconds=1.0,
        hint=False,
        grade=GOOD,
        paragraphs=("3.1",),
    )
    return ReviewRow(person=person, number=number, at=number, body=msgspec.json.encode(given))


def test_answers_by_another_rulebook_hide_none_by_the_class_s_own() -> None:
    """Everybody's latest are by another; the class's lie further back, as far as is looked."""
    store = MemoryStore()
    other = BEHIND - 5
    for person in MEMBERS:
        rows = [answer(person, number, TBC if number <= 5 else CBI) for number in range(1, 6 + other)]
        learner = LearningWrite(person=person, kind="learner", expected=0, body=b"{}")
        assert store.keep_learning([learner], rows)
    made = SchoolClass(title="Both", rulebook=TBC, layout="A", members=MEMBERS)
    for wanted in ({"kind": "pay"}, {"paragraph": "3.1"}, {}):
        behind = items_behind(store, made, **wanted)
        assert sorted(who for who, _ in behind) == sorted(MEMBERS * 5), wanted
    assert len(items_behind(store, made, member="Wei")) == 5
