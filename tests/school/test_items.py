"""Items of the school: every answer a second time by a referee, one right answer, none twice in a session."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from each import each
from school.referee import CHECKS, wrong
from thirdcard.cards import parse_cards
from thirdcard.errors import BadInput
from thirdcard.odds import fresh, values
from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.school import changed_items, items, rule_items, spot_items
from thirdcard.school.chance import SeededChance
from thirdcard.school.dealt_hands import results_of
from thirdcard.school.in_words import call_told, facts_told, say
from thirdcard.school.item_types import (
    KINDS,
    LEVELS,
    ChangedFacts,
    Item,
    PayFacts,
    Phrase,
    RuleFacts,
    SpotFacts,
)
from thirdcard.school.items import (
    difficulty,
    hidden,
    is_sound,
    make,
    mark,
    seconds_before,
    seconds_for,
    session,
    skills,
    template,
    what_is_shown,
)
from thirdcard.school.making import Made, OfferedChoice, choice_part
from thirdcard.words import languages, words

MBS, CBI, TBC = "mbs-tiger-v2", "rws-commission-insurance-v5", "rws-tiger-buffalo-commission-v2"
V3, V4 = (f"rws-tiger-buffalo-non-commission-v{number}" for number in (3, 4))
SAMPLES = Path(__file__).resolve().parents[2] / "examples" / "rulebooks"
EVERY = [load(which) for which in (*slugs(), *map(str, sorted(SAMPLES.glob("*.toml"))))]
BOOKS = [book for book in EVERY if book.table_of_play.usual]  # as the school deals
PER_BOOK, PER_SAMPLE = 40, 4
FIRST_DRAWS = [34, 177, 982, 193, 26, 895]
SHUFFLED = "CAEDBFG"


def some(kind: str, book: Rulebook, count: int, seed: str = "tests") -> Iterator[Item]:
    """Items of a book, over its layouts and all levels."""
    layouts = [layout for layout in book.layouts if skills(kind, book, layout)]
    for number in range(count if layouts else 0):
        layout = layouts[number % len(layouts)]
        yield make(kind, book, seed, number, layout=layout, level=1 + number % LEVELS)


# --- right, and one right answer --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_what_the_document_says(kind: str) -> None:
    made = 0
    for book in BOOKS:
        for item in some(kind, book, PER_BOOK if book.slug in slugs() else PER_SAMPLE):
            assert wrong(item, book) == [], (book.slug, item.skill, item.seed, item.number)
            made += 1
    assert made >= 2 * PER_BOOK
    assert {*CHECKS} == {*KINDS}


def planted(item: Item) -> Iterator[Item]:
    """The item with another answer to each of its parts."""
    for place, part in enumerate(item.parts):
        if isinstance(part.answer, int):
            other: Any = part.answer + 100
        elif isinstance(part.answer, tuple):
            key = part.choices[0].key
            other = (
                tuple(one for one in part.answer if one != key) if key in part.answer else (*part.answer, key)
            )
        else:
            other = next(choice.key for choice in part.choices if choice.key != part.answer)
        parts = list(item.parts)
        parts[place] = msgspec.structs.replace(part, answer=other)
        yield msgspec.structs.replace(item, parts=tuple(parts))


@pytest.mark.parametrize("kind", KINDS)
def test_the_referee_notices_every_other_answer(kind: str) -> None:
    book = load(TBC)
    for item in some(kind, book, 20):
        for other in planted(item):
            assert wrong(other, book), (item.skill, other.parts)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_names_make_the_same_item_and_none_comes_twice(kind: str) -> None:
    book = load(V4 if kind != "insurance" else CBI)
    made = [make(kind, book, "session", number, level=3) for number in range(100)]
    assert len({msgspec.json.encode(item.facts) for item in made}) == len(made)
    assert make(kind, book, "session", 7, level=3) == made[7]
    again = make(kind, book.slug, "session", 7, level=3, skill=made[7].skill)
    assert again.facts == made[7].facts
    assert make(kind, book, "another", 7, level=3, skill=made[7].skill).facts != made[7].facts


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_none_comes_twice_in_a_session(kind: str) -> None:
    """On every layout, at the first level and the last, as long as a terminal asks by default and twice that."""
    for book in map(load, slugs()):
        for layout in [one for one in book.layouts if skills(kind, book, one)][:2]:
            for level in (1, LEVELS):
                asked = list(islice(session(kind, book, "set", layout=layout, level=level), 40))
                assert len({*map(what_is_shown, asked)}) == 40, (book.slug, layout, level)


def test_chance_is_the_same_on_every_machine_and_python() -> None:
    """Sets are made again years later, from their seed."""
    chance = SeededChance("a seed")
    assert [chance.below(1000) for _ in range(6)] == FIRST_DRAWS
    assert "".join(map(str, SeededChance("cards").shuffled("ABCDEFG"))) == SHUFFLED
    counts = [0] * 5
    for _ in range(5000):
        counts[chance.below(5)] += 1
    assert all(850 < count < 1150 for count in counts), counts


def test_two_cards_are_as_likely_as_they_are_dealt() -> None:
    """Of the 169 pairs of ranks 16 count 0 by two cards that count nothing, 9 by others."""
    chance = SeededChance("pairs")
    drawn = [chance.two_cards(0) for _ in range(4000)]
    assert all((one.points + other.points) % 10 == 0 for one, other in drawn)
    share = sum(one.points == 0 for one, _ in drawn) / len(drawn)
    assert abs(share - 16 / 25) < 0.04


# --- skills -----------------------------------------------------------------------------------------------


def test_the_table_of_play_has_88_cells_of_the_banker() -> None:
    cells = [one for one in skills("third-card", MBS) if one.startswith("third-card/banker/")]
    assert len(cells) == 88
    assert {"third-card/banker/5/4", "third-card/banker/6/stands"} <= {*cells}
    assert {item.skill.split("/")[1] for item in some_at(1)} <= {"player", "natural"}
    assert {item.skill.split("/")[1] for item in some_at(2)} == {"player", "natural", "banker"}


def some_at(level: int) -> list[Item]:
    return [make("third-card", MBS, "levels", number, level=level) for number in range(100)]


@each("kind", KINDS)
@each("slug", [MBS, TBC, V4])
def test_every_skill_can_be_asked_for(kind: str, slug: str) -> None:
    book = load(slug)
    for place, skill in enumerate(skills(kind, book)):
        item = make(kind, book, "each", place, skill=skill, level=1 + place % LEVELS)
        assert item.skill == skill
        assert template(item) == f"{skill}@{item.level}@{slug}"
        assert 1000 < difficulty(item) < 2400
        assert 0 < seconds_for(item) < 400
        assert item.reason


def test_what_a_book_has_not_is_a_sentence() -> None:
    assert skills("insurance", MBS) == ()
    with pytest.raises(BadInput, match="has nothing that a insurance drill could ask: choose another"):
        make("insurance", MBS, "s", 0)
    plain = load(SAMPLES / "quik.toml")
    assert skills("squeeze", plain) == ()
    with pytest.raises(BadInput, match="no drill 'bridge': choose one of third-card, result"):
        make("bridge", MBS, "s", 0)
    with pytest.raises(BadInput, match="has no skill 'pay/tiger/9'"):
        make("pay", MBS, "s", 0, skill="pay/tiger/9")
    for wanted in ({"level": 11}, {"level": 0}, {"number": -1}, {"decks": 3}, {"layout": "Z"}):
        with pytest.raises(BadInput):
            make("pay", MBS, "s", **{"number": 0, **wanted})  # type: ignore[arg-type]


def test_one_replay_in_six_has_no_error() -> None:
    made = [make("spot", TBC, "six", number).skill for number in range(48)]
    assert made.count("spot/nothing") == 8
    assert {*made} == {*skills("spot", TBC)}
    assert len([turn for turn in range(6_000) if spot_items.is_unplanted(f"somebody\n{turn}")]) == 960


def test_a_stop_counts_from_the_error_until_four_seconds_later() -> None:
    """By the moment, or step by step; where nothing is wrong, only by not stopping at all."""
    errors = 0
    for item in some("spot", load(TBC), 40):
        facts, (step, what) = item.facts, item.parts
        assert isinstance(facts, SpotFacts)
        end = facts.steps[-1].at_ms + 4_000

        def right(moment: str | int, item: Item = item) -> bool:
            return mark(item, {"step": moment, "what": item.parts[1].answer}).right

        assert right(str(step.answer))
        if step.answer == spot_items.NOTHING:
            assert what.answer == spot_items.NOTHING
            assert not any(right(moment) for moment in (0, facts.steps[0].at_ms, end))
            continue
        seen = facts.steps[int(str(step.answer)) - 1].at_ms
        assert right(seen)
        assert right(seen + 4_000)
        assert not right(seen - 1)
        assert seen + 4_000 == end or not right(seen + 4_001)
        assert not right(spot_items.NOTHING)
        assert not mark(item, {"step": seen}).right, "and named"
        errors += 1
    assert errors > 20


def right_in(item: Item, seconds: float, *, looked_back: bool = False) -> int:
    """The points for all right in so many seconds."""
    return mark(item, right_answers(item), seconds=seconds, looked_back=looked_back).points


def test_the_clock_of_a_replay_runs_from_its_error_or_from_its_end() -> None:
    """Who lets one run to its end since nothing is wrong is as fast as can be."""
    for item in some("spot", load(TBC), 24):
        assert isinstance(item.facts, SpotFacts)
        end, answer = item.facts.steps[-1].at_ms + 4_000, item.parts[0].answer
        begins = (end if answer == "nothing" else item.facts.steps[int(str(answer)) - 1].at_ms) / 1000
        assert seconds_before(item) == begins
        limit = seconds_for(item)
        half = (begins + limit) / 2
        assert right_in(item, begins) == right_in(item, half) == 100
        assert right_in(item, (half + limit) / 2) == 90
        assert right_in(item, limit) == 80


def test_a_look_back_costs_a_third_and_only_a_replay_can_be_looked_back_at() -> None:
    for item in some("spot", load(TBC), 6):
        begins, limit = seconds_before(item), seconds_for(item)
        assert right_in(item, begins, looked_back=True) == 67
        assert right_in(item, limit, looked_back=True) == 53
        half = {item.parts[0].name: item.parts[0].answer}
        assert mark(item, half).points == 50
        assert mark(item, half, looked_back=True).points == 33
        assert mark(item, half, looked_back=True, hint=True).points == 23
    with pytest.raises(BadInput, match="only a replay can be looked back at"):
        right_in(make("pay", TBC, "back", 0), 1.0, looked_back=True)


def test_a_moment_of_another_form_is_refused() -> None:
    item = make("spot", TBC, "moment", 0)
    assert isinstance(item.facts, SpotFacts)
    end = item.facts.steps[-1].at_ms + 4_000
    for moment in (-1, end + 1):
        with pytest.raises(BadInput, match=f"between 0 and {end} milliseconds"):
            mark(item, {"step": moment})
    for strange in (1.5, True, None):
        with pytest.raises(BadInput, match="one of its choices"):
            mark(item, {"step": strange})  # type: ignore[dict-item]
    with pytest.raises(BadInput, match="one of its choices"):
        mark(item, {"what": 100})


# --- what is not asked ------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", slugs())
def test_nothing_is_asked_that_somebody_or_an_interpretation_decides(slug: str) -> None:
    book = load(slug)
    asked = {skill.split("/")[1] for skill in skills("rule", book)}
    left_open = {one.case for one in book.procedures if {*one.about} & {"uncovered", "neglected-insurance"}}
    assert left_open
    assert not asked & left_open
    for procedure, ruling in rule_items.branches(book).values():
        assert not {"decide", "remove-named", "return-original"} & {*ruling.remedy}
        assert not (40 in procedure.interpretations and "new-cards" in ruling.remedy)


def test_what_changed_names_the_interpretations_that_decide_either_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if one of each document's did: of the documents of the package none decides where they differ."""
    monkeypatch.setattr(
        changed_items, "read_by_interpretation", lambda book, *_: (36,) if book.slug == MBS else (40,)
    )
    ruled = [one for one in skills("changed", MBS) if "/ruling/" in one]
    assert ruled
    for skill in ruled:
        item = make("changed", MBS, "readings", 0, skill=skill)
        assert isinstance(item.facts, ChangedFacts)
        assert [step.says for step in item.reason[2:]] == [
            Phrase("why-interpretation", {"number": 36}),
            Phrase("why-interpretation-there", {"book": item.facts.other, "number": 40}),
        ]


def test_choices_that_come_to_the_same_are_not_offered_together() -> None:
    def option(key: str, effect: object) -> OfferedChoice:
        return OfferedChoice(key, Phrase(key), effect)

    chance = SeededChance("s")
    part = choice_part(
        "x", Phrase("x"), option("a", 1), [option("b", 1), option("c", 2), option("d", 2)], order=chance
    )
    assert part is not None
    assert {choice.key for choice in part.choices} == {"a", "c"}
    assert choice_part("x", Phrase("x"), option("a", 1), [option("b", 1)]) is None
    assert rule_items.effect_of(("continue", "withdraw-all")) == rule_items.effect_of(("options",))
    assert rule_items.effect_of(("stand",)) == rule_items.effect_of(("continue",)) == frozenset()


def test_an_item_with_two_right_answers_or_none_is_refused_by_its_own_check() -> None:
    item = make("third-card", MBS, "s", 1)
    whole = Made(facts=item.facts, parts=item.parts, reason=item.reason, cost=item.cost)
    assert is_sound(whole)
    (part,) = item.parts
    for broken in (
        msgspec.structs.replace(part, answer="split"),
        msgspec.structs.replace(part, choices=part.choices[:1]),
        msgspec.structs.replace(part, choices=(part.choices[0], *part.choices)),
        msgspec.structs.replace(part, form="cents"),
        msgspec.structs.replace(part, form="several"),
    ):
        assert not is_sound(msgspec.structs.replace(whole, parts=(broken,)))
    assert not is_sound(msgspec.structs.replace(whole, parts=()))


# --- answering --------------------------------------------------------------------------------------------


def right_answers(item: Item) -> dict[str, Any]:
    return {
        part.name: list(part.answer) if isinstance(part.answer, tuple) else part.answer for part in item.parts
    }


@pytest.mark.parametrize("kind", KINDS)
def test_right_answers_are_marked_right_and_others_wrong(kind: str) -> None:
    item = next(islice(some(kind, load(TBC), 9), 8, None))
    answers = right_answers(item)
    begins, limit = seconds_before(item), seconds_for(item)
    assert begins == 0 or kind == "spot"
    half = (begins + limit) / 2
    assert mark(item, answers).points == mark(item, answers, seconds=half).points == 100
    assert mark(item, answers, seconds=(half + limit) / 2).points == 90
    assert mark(item, answers, seconds=limit * 3).points == 80
    assert mark(item, answers, seconds=1, hint=True).points == 90
    assert mark(item, {}).points == 0
    for other in planted(item):
        marked = mark(other, answers)
        assert not marked.right
        assert sum(marked.parts.values()) == len(item.parts) - 1
        assert marked.points == round(100 * (len(item.parts) - 1) / len(item.parts))


def test_an_answer_of_another_form_is_refused() -> None:
    item = make("result", MBS, "s", 0)
    for answers, told in (
        ({"winner": 3}, "one of its choices"),
        ({"pairs": "player"}, "a list of choices"),
        ({"colour": "red"}, "does not ask for 'colour'"),
    ):
        with pytest.raises(BadInput, match=told):
            mark(item, answers)
    with pytest.raises(BadInput, match="an amount in whole cents"):
        mark(make("pay", MBS, "s", 0), {"line-1": True})


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_sees_the_answer_before(kind: str) -> None:
    for item in some(kind, load(TBC), 5):
        shown = json.loads(msgspec.json.encode(hidden(item)))
        assert not {"skill", "reason", "cost", "paragraphs", "seed"} & shown.keys()
        assert all(part.keys() == {"name", "asks", "form", "choices"} for part in shown["parts"])


# --- told -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
def test_items_are_told_in_every_language_and_no_two_choices_alike(language: str) -> None:
    own = words(language)
    for book in (load(TBC), load(MBS), load(V3), load(SAMPLES / "dragon-bonus.toml")):
        for kind in KINDS:
            for item in some(kind, book, 8):
                assert all(facts_told(item.facts, own, book))
                for part in item.parts:
                    told = [say(choice.says, own, book) for choice in part.choices]
                    assert len({*told}) == len(told), (item.skill, told)
                    assert say(part.asks, own, book)
                told = [say(step.says, own, book) for step in item.reason]
                told.append(say(item.cost.says, own, book))
                assert not [one for one in told if "{" in one or not one]


def test_most_errors_have_a_price() -> None:
    """Against a high natural, say, one card more may change nothing on any bet."""
    made = [make("third-card", TBC, "price", number, level=2) for number in range(100)]
    assert sum(item.cost.cents > 0 for item in made) > 85


def test_items_are_read_from_their_json_again() -> None:
    for kind in KINDS:
        for item in some(kind, load(TBC), 3):
            assert msgspec.json.decode(msgspec.json.encode(item), type=Item) == item


@pytest.mark.parametrize("level", range(1, LEVELS + 1))
def test_the_time_of_an_item_can_be_told(level: int) -> None:
    """To a tenth of a second, whatever sums of fractions come to."""
    limit = seconds_for(make("third-card", TBC, "time", 0, level=level))
    assert limit == float(f"{limit:.1f}")


def test_the_order_of_paying_is_a_mark_of_its_own_where_a_document_prescribes_it() -> None:
    """MBS 1.1.7; the RWS documents have none, and an order that is told there is refused."""
    item = make("pay", "mbs-tiger-v2", "order", 0, skill="pay/banker/win", level=6)
    right = {part.name: part.answer for part in item.parts}
    lines = [name for name in right if name.startswith("line-")]
    assert item.order == ("1.1.7",)
    assert hidden(item).order
    assert [int(right[one]) > 0 for one in lines] == [False] * 3 + [True] * 3  # type: ignore[arg-type]
    plain = mark(item, right, seconds=1)
    assert plain.order is None
    for settled, order in ((lines, True), (lines[::-1], False)):
        marked = mark(item, right, seconds=1, order=settled)
        assert marked.order is order
        assert (marked.right, marked.parts, marked.points) == (True, plain.parts, plain.points)
    for settled in (lines[1:], [*lines, lines[0]], [*lines[1:], "chips"]):
        with pytest.raises(BadInput, match="the order has every line of the box once"):
            mark(item, right, order=settled)
    other = make("pay", TBC, "order", 0, skill="pay/banker/win", level=6)
    assert other.order is msgspec.UNSET
    assert not hidden(other).order
    with pytest.raises(BadInput, match="leave the order out"):
        mark(other, {}, order=["line-1"])
    alone = make("pay", "mbs-tiger-v2", "order", 0, skill="pay/banker/win", level=1)
    assert alone.order is msgspec.UNSET  # there is one line


@pytest.mark.parametrize("kind", ["third-card", "result", "pay", "spot"])
def test_one_deck_is_enough_for_an_item(kind: str) -> None:
    """Cards that are drawn by chance are none that the deck has not."""
    for number in range(40):
        item = make(kind, SAMPLES / "dragon-bonus.toml", "one deck", number, decks=1, level=1 + number % 10)
        drawn = parse_cards(msgspec.to_builtins(item.facts).get("cards", ""))
        assert len(set(drawn)) == len(drawn)


def test_what_one_deck_cannot_deal_gives_way_to_the_next_skill() -> None:
    """A perfect pair is two cards alike: asked for by name it is refused, in a set it is passed over."""
    book = SAMPLES / "perfect-pairs.toml"
    asked = {one for one in items.skills("result", book) if one.startswith("result/perfect-pair/")}
    for skill in asked:
        with pytest.raises(BadInput, match="1 deck cannot deal"):
            make("result", book, "pairs", 0, decks=1, skill=skill)
        assert make("result", book, "pairs", 0, decks=2, skill=skill).skill == skill
    made = {make("result", book, "pairs", number, decks=1).skill for number in range(80)}
    assert made == {*items.skills("result", book)} - asked


@pytest.mark.parametrize("book", BOOKS[len(slugs()) :], ids=lambda book: book.slug)
def test_results_that_one_deck_can_deal_are_those_that_the_exact_odds_have(book: Rulebook) -> None:
    """What is passed over as impossible is what no combination of the deck has."""
    for name, value in values(book, fresh(1)).items():
        counted = {result for result, rounds in value.tally.items() if rounds}
        assert {*results_of(book.bets[name], book.table_of_play, 1)} == counted, name


def test_an_error_in_paying_a_tier_takes_few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not hundreds of rounds until a bet of several tiers happens to win."""
    monkeypatch.setattr(items, "TRIES", 12)
    for book in BOOKS:
        for layout in book.layouts:
            if "spot/wrong-tier" in skills("spot", book, layout):
                for number in range(10):
                    make("spot", book, "tiers", number, layout=layout, skill="spot/wrong-tier")


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.slug)
def test_a_box_is_paid_after_the_result_was_called(book: Rulebook) -> None:
    """In the learner's words, until the points are theirs to read."""
    for item in some("pay", book, 10):
        assert isinstance(item.facts, PayFacts)
        player, banker = (
            sum(one.points for one in parse_cards(hand)) % 10
            for hand in (item.facts.player, item.facts.banker)
        )
        won = "Tie" if player == banker else f"{'Player' if player > banker else 'Banker'} wins"
        call = f"“{won}, Player {player}, Banker {banker}”"
        assert call_told(item.facts, words("en"), book) == call
        assert call in facts_told(item.facts, words("en"), book)
        assert call not in facts_told(item.facts, words("en"), book, points=False)
    assert call_told(next(some("result", book, 1)).facts, words("en"), book) == "", (
        "it is what is asked there"
    )


def test_what_exceeds_a_differential_shows_it() -> None:
    """The limit stands beside the bets, and they exceed it."""
    seen = 0
    for book in map(load, slugs()):
        about = {one.case for one in book.procedures if "differential" in one.about}
        for skill in (one for one in skills("rule", book) if one.split("/")[1] in about):
            facts = make("rule", book, "a seed", 1, skill=skill).facts
            assert isinstance(facts, RuleFacts)
            hands = [one for one in facts.lines if one.bet in ("player", "banker")]
            assert 0 < facts.differential < max(one.stake for one in hands) * 2
            seen += 1
    assert seen
