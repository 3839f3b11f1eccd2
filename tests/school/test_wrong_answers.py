"""Wrong answers that people give: counted, and offered by items whose names say so."""

import msgspec
import pytest

from thirdcard.errors import BadInput
from thirdcard.rulebook import load
from thirdcard.school.item_types import Item
from thirdcard.school.items import make, mark, skills
from thirdcard.school.progress import ItemName, name_of
from thirdcard.school.wrong_answers import MOST_ANSWERS, WrongAnswers, to_offer, with_wrong

TBC = "rws-tiger-buffalo-commission-v2"
CBI = "rws-commission-insurance-v5"


def offered(item: Item) -> dict[str, list[str]]:
    return {part.name: [choice.key for choice in part.choices] for part in item.parts}


def more(item: Item, book: str) -> list[str]:
    """Wrong choices that other items of the kind offer and this one does not."""
    own = offered(item)
    found = set()
    for skill in skills(item.kind, book):
        other = make(item.kind, book, "others", 0, skill=skill)
        found |= {f"{part}:{key}" for part, keys in offered(other).items() if part in own for key in keys if key not in own[part]}  # fmt: skip
    return sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "book"), [("rule", TBC), ("spot", TBC), ("insurance", CBI), ("changed", TBC)]
)
def test_an_item_offers_the_wrong_choice_that_its_name_asks_for_and_is_else_the_same(
    kind: str, book: str
) -> None:
    changed = 0
    for number in range(12):
        plain = make(kind, book, "recorded", number)
        for one in more(plain, book):
            try:
                item = make(kind, book, "recorded", number, skill=plain.skill, recorded=(one,))
            except BadInput:
                continue  # it comes to the same as the right one, or is told apart from it by nobody
            part, _, key = one.partition(":")
            assert key in offered(item)[part]
            assert {name: len(keys) for name, keys in offered(item).items()} == {name: len(keys) for name, keys in offered(plain).items()}  # fmt: skip
            assert item.facts == plain.facts
            assert [each.answer for each in item.parts] == [each.answer for each in plain.parts]
            assert name_of(item).recorded == (one,)
            assert make(kind, book, "recorded", number, skill=plain.skill, recorded=(one,)) == item
            changed += 1
    assert changed > 5


def test_what_cannot_be_offered_is_refused() -> None:
    item = make("rule", TBC, "recorded", 0)
    right = next(part for part in item.parts if part.name == "remedy")
    for wrong in ("remedy:no-such", "colour:red", f"remedy:{right.answer}"):
        with pytest.raises(BadInput, match="cannot offer"):
            make("rule", TBC, "recorded", 0, skill=item.skill, recorded=(wrong,))


def test_names_of_earlier_releases_are_read() -> None:
    plain = msgspec.to_builtins(name_of(make("pay", TBC, "before", 0)))
    plain.pop("recorded")
    assert msgspec.convert(plain, ItemName).recorded == ()


def test_wrong_answers_are_counted_and_the_commonest_is_offered_first() -> None:
    item = make("rule", TBC, "recorded", 0)
    part = next(one for one in item.parts if one.name == "remedy")
    wrong = [choice.key for choice in part.choices if choice.key != part.answer]
    kept: WrongAnswers = {}
    for key in (wrong[0], wrong[1], wrong[1], str(part.answer)):
        kept = with_wrong(kept, item, mark(item, {"remedy": key}), {"remedy": key})
    assert {key: one.count for key, one in kept["remedy"].items()} == {wrong[0]: 1, wrong[1]: 2}
    assert list(to_offer(kept, item)) == [], "it is offered already"
    bare = msgspec.structs.replace(part, choices=tuple(one for one in part.choices if one.key not in wrong))
    other = msgspec.structs.replace(item, parts=(bare,))
    assert list(to_offer(kept, other)) == [f"remedy:{wrong[1]}"], "once is not common"
    paid = make("pay", TBC, "recorded", 0)
    first = paid.parts[0]
    assert isinstance(first.answer, int)
    for cents in (first.answer + 5, first.answer - 5, first.answer + 10):
        kept = with_wrong(kept, paid, mark(paid, {first.name: cents}), {first.name: cents})
    assert {key: one.count for key, one in kept[first.name].items()} == {"wrong-more": 2, "wrong-less": 1}
    spot = make("spot", TBC, "recorded", 0, skill="spot/nothing")
    for number in range(1, MOST_ANSWERS + 3):
        given = {"step": str(number)}
        kept = with_wrong(kept, spot, mark(spot, given), given)
    assert len(kept["step"]) <= MOST_ANSWERS


def test_every_kind_says_what_its_commonest_error_costs() -> None:
    """Where it changes money at all: a third card too many may change nothing on any bet."""
    book = load(TBC)
    for kind in ("third-card", "pay", "insurance", "limits", "rule", "spot", "changed"):
        made = [make(kind, book, "cost", number, level=2) for number in range(30)]
        assert any(item.cost.cents > 0 for item in made), kind
