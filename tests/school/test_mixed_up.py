"""What may have been mixed up: wrong answers are led back to where they would have been right."""

from collections.abc import Iterator, Mapping

import pytest

from school.test_items import BOOKS, CBI, MBS, TBC, V3, some
from thirdcard.rulebook import load
from thirdcard.school.in_words import say
from thirdcard.school.item_types import (
    KINDS,
    Because,
    InsuranceFacts,
    Item,
    PayFacts,
    Phrase,
    RuleFacts,
    SpotFacts,
    ThirdCardFacts,
)
from thirdcard.school.items import make
from thirdcard.school.mixed_up import mixed_up
from thirdcard.school.progress import Given
from thirdcard.school.rule_items import effect_of
from thirdcard.words import languages, words


def right(item: Item) -> dict[str, Given]:
    return {part.name: part.answer for part in item.parts}


def found(item: Item, wrong: Mapping[str, Given]) -> Because | None:
    return mixed_up(item, load(item.rulebook), {**right(item), **wrong})


def of_skill(kind: str, book: str, skill: str, count: int = 12, level: int = 2) -> Iterator[Item]:
    yield from (make(kind, book, "mixed", number, skill=skill, level=level) for number in range(count))


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_mixed_up_in_a_right_answer_and_every_wrong_choice_can_be_told(kind: str) -> None:
    told = 0
    for book in BOOKS:
        for item in some(kind, book, 6, seed="mixed"):
            assert mixed_up(item, book, right(item)) is None
            for part in item.parts:
                for choice in part.choices if part.form == "choice" else ():
                    if choice.key != part.answer:
                        one = mixed_up(item, book, {**right(item), part.name: choice.key})
                        for language in languages() if one else ():
                            assert one is not None
                            says = say(one.says, words(language), book)
                            assert says, item.skill
                            assert "{" not in says
                        told += one is not None
    assert told


def test_the_banker_on_6_is_taken_for_one_against_no_third_card() -> None:
    """RWS 3.13: with no third card for the Player, the Banker on 6 stands; 3.15 has the rows."""
    for item in of_skill("third-card", TBC, "third-card/banker/6/6"):
        one = found(item, {"banker": "stand"})
        assert one is not None
        assert (one.says.key, one.says.blanks, one.paragraphs) == (
            "mixed-alone-stand",
            {"points": 6},
            ("3.13",),
        )


def test_the_total_is_taken_for_the_card() -> None:
    """RWS 3.15: the Banker on 5 draws against 4 to 7, whatever the Player's total becomes."""
    for item in of_skill("third-card", TBC, "third-card/banker/5/4"):
        assert isinstance(item.facts, ThirdCardFacts)
        one = found(item, {"banker": "stand"})
        assert one is not None
        total = item.facts.player_points
        key = "mixed-total-stand" if total in (0, 1, 2, 3, 8, 9) else "mixed-against-stand"
        assert (one.says.key, one.paragraphs) == (key, ("3.15",))
    for item in of_skill("third-card", TBC, "third-card/natural/8"):
        assert isinstance(item.facts, ThirdCardFacts)
        would = "draw" if item.facts.player_points < 6 else "stand"
        one = found(item, {"player": would})
        assert one is not None
        assert one.says.key == f"mixed-no-natural-{would}"


def key_of(item: Item, cents: int) -> str | None:
    """What is recognised in an amount for the line that the item is about."""
    assert isinstance(item.facts, PayFacts)
    bet = item.skill.split("/")[1]
    number = next(n for n, line in enumerate(item.facts.lines, start=1) if line.bet == bet)
    one = found(item, {f"line-{number}": cents})
    return one.says.key if one else None


def stake_of(item: Item) -> int:
    assert isinstance(item.facts, PayFacts)
    return next(line.stake for line in item.facts.lines if line.bet == item.skill.split("/")[1])


def test_usual_slips_of_payments_are_recognised() -> None:
    """MBS 4.1 (commission 5%), RWS V3 4.1.1 (the Banker on 6 pays 1 to 2), MBS 4.2 (tiers)."""
    for item in of_skill("pay", MBS, "pay/banker/win", level=1):
        stake = stake_of(item)
        assert key_of(item, stake) == "mixed-no-commission"
        assert key_of(item, stake * 39 // 20) == "mixed-with-stake"
        assert key_of(item, -stake) == "mixed-won-taken"
        assert key_of(item, 0) == "mixed-won-left"
        assert key_of(item, stake * 3) is None, "nothing is guessed"
    for item in of_skill("pay", V3, "pay/banker/on-6", level=1):
        stake = stake_of(item)
        assert key_of(item, stake) == "mixed-no-half"
        assert key_of(item, stake * 45 // 100) == "mixed-commission-on-stake"
    for item in of_skill("pay", V3, "pay/banker/other-points", level=1):
        assert key_of(item, stake_of(item) // 2) == "mixed-tier"
        assert key_of(item, stake_of(item) * 19 // 20) == "mixed-commission-taken"
    for item in of_skill("pay", MBS, "pay/tiger-pair/single", level=1):
        assert key_of(item, stake_of(item) * 20) == "mixed-tier"
    for item in of_skill("pay", MBS, "pay/player/push", level=1):
        assert key_of(item, -stake_of(item)) == "mixed-push-taken"
    for item in of_skill("pay", MBS, "pay/player/lose", level=1):
        assert key_of(item, stake_of(item)) == "mixed-sign"
        assert key_of(item, 0) == "mixed-lost-left"


def test_insurance_at_another_row_is_recognised() -> None:
    """CBI 4.1.3: each row has its odds; 3.12.2 caps the winnings, in Tiger Buffalo the stake."""
    rows = load(CBI).insurance
    assert rows is not None
    for item in of_skill("pay", CBI, "pay/banker-insurance/1", level=1):
        assert isinstance(item.facts, PayFacts)
        number, line = next((n, one) for n, one in enumerate(item.facts.lines, start=1) if one.window)
        answer = right(item)[f"line-{number}"]
        for cents in {line.stake * 2, line.stake * 4} - {answer}:
            one = found(item, {f"line-{number}": cents})
            assert one is not None
            assert one.says.key == "mixed-row"
            assert one.says.blanks["odds"] == f"{cents // line.stake} to 1"
    for item in of_skill("insurance", CBI, "insurance/1/0-5"):
        assert isinstance(item.facts, InsuranceFacts)
        part = next(one for one in item.parts if one.name == "cap")
        patron = part.asks.blanks["patron"]
        original = next(line.stake for line in item.facts.lines if line.patron == patron)
        whole = found(item, {"cap": original})
        assert whole is not None
        assert (whole.says.key, whole.says.blanks["paragraphs"]) == ("mixed-cap-stake-book", "3.12.2")


@pytest.mark.parametrize("slug", [MBS, TBC, V3])
def test_a_wrong_remedy_is_led_back_to_a_ruling_that_orders_it(slug: str) -> None:
    """Another document on the same case, else another branch, else another case of this one."""
    book, keys = load(slug), set()
    for item in some("rule", book, 40):
        assert isinstance(item.facts, RuleFacts)
        part = next(one for one in item.parts if one.name == "remedy")
        for choice in part.choices:
            one = found(item, {"remedy": choice.key}) if choice.key != part.answer else None
            if one is None:
                continue
            keys.add(one.says.key)
            cases = [p for p in book.procedures if p.case == one.says.blanks.get("case", item.facts.case)]
            if one.says.key == "mixed-book":
                cases = list(load(str(one.says.blanks["book"])).procedures)
            wanted = effect_of(tuple(choice.key.split()))
            assert any(effect_of(ruling.remedy) == wanted for case in cases for ruling in case.rulings)
    assert {"mixed-book", "mixed-case"} <= keys


def test_a_stop_before_the_error_or_long_after_it_is_told_as_such() -> None:
    item = make("spot", TBC, "mixed", 0, skill="spot/wrong-winner")
    assert isinstance(item.facts, SpotFacts)
    at = item.facts.steps[int(str(right(item)["step"])) - 1].at_ms
    for moment, key in ((at - 1, "mixed-stopped-early"), (at + 4_100, "mixed-stopped-late")):
        one = found(item, {"step": moment})
        assert one is not None
        assert one.says.key == key


def test_what_was_answered_for_the_other_document_is_exchanged() -> None:
    amounts = [item for item in some("changed", load(TBC), 60) if item.parts[0].form == "cents"]
    assert amounts
    for item in amounts:
        one = found(item, {"here": right(item)["there"]})
        assert one == Because(Phrase("mixed-exchanged", {"book": item.facts.other}))  # type: ignore[union-attr]


def test_what_others_answer_is_told_where_nothing_else_is_known() -> None:
    plain = make("changed", TBC, "mixed", 3, skill=f"differs/{CBI}/insurance/2")
    others = {part.name: {choice.key for choice in part.choices} for part in plain.parts}
    odds = ("5 to 2", "6 to 1", "7 to 1", "8 to 1", "10 to 1")
    more = next(one for one in odds if one not in others["here"])
    asked = make("changed", TBC, "mixed", 3, skill=plain.skill, recorded=(f"here:{more}",))
    assert found(asked, {"here": more}) == Because(Phrase("mixed-recorded"))
    known = next(one for one in others["here"] if one not in right(plain).values())
    assert found(plain, {"here": known}) is None


def test_another_error_is_told_by_what_it_would_have_shown() -> None:
    """RWS 3.13, 3.15: whose card is next."""
    for item in some("spot", load(TBC), 20):
        for choice in item.parts[1].choices:
            one = found(item, {"what": choice.key})
            if choice.key in ("nothing", item.parts[1].answer):
                assert one is None
            else:
                assert one is not None
                assert one.says.key == f"mixed-error-{choice.key}"
                assert choice.key != "wrong-draw" or one.paragraphs == ("3.13", "3.15")


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_that_was_never_offered_is_not_recognised(kind: str) -> None:
    for item in some(kind, load(TBC), 10):
        for part in item.parts:
            strange: Given = ("nowhere",) if part.form == "several" else "nowhere"
            if part.form != "cents":
                assert found(item, {part.name: strange}) is None
