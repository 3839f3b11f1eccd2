"""What each decision on a case means for everybody: as it is shown before, so it comes out at the table.

Every case of every document, every decision that is offered, carried out at the table by the lowest rank that
may; then chips are counted.
"""

from collections.abc import Callable, Iterator
from copy import copy
from functools import cache
from typing import Any

import msgspec
import pytest

from each import each
from irregularities.every_case import EVERY_CASE, reported
from irregularities.situations import (
    BANKER_WINS,
    CBI,
    FACE_DOWN,
    MBS,
    PLAYER_WINS,
    RWS,
    TBC,
    TO_COME,
    Scene,
)
from thirdcard.cards import Card
from thirdcard.rulebook import load
from thirdcard.service.queries.case import Case, cases, typed_ruling
from thirdcard.service.queries.consequences import Consequence
from thirdcard.service.queries.decisions import Decision
from thirdcard.service.tables.cases import OpenCase
from thirdcard.service.tables.plans import with_rank
from thirdcard.table import Refusal, State, commands, decide
from thirdcard.table.reported import held_by
from thirdcard.table.rights.drawing import due_hand
from thirdcard.table.samples import spare_cards, unlike_cards
from thirdcard.table.state import Inputs

pytestmark = pytest.mark.slow

replace = msgspec.structs.replace
PEOPLE = ("dee", "sue", "pam", "sam", "ada")  # from the lowest rank up
MIXED = (
    ("ann", "player", 100_00),
    ("bob", "banker", 100_00),
    ("ann", "tie", 20_00),
    ("cat", "player", 55_00),
)


# Where things go wrong ----------------------------------------------------------------------------------


def dealt(text: str, case: str, drawn: str = "", **details: Any) -> Callable[[str], Scene]:  # noqa: ANN401
    def made(slug: str) -> Scene:
        table = Scene(slug)
        table.dealt(text, *MIXED)
        table.report(case, drawn, **details)
        return table

    return made


def settled(text: str, case: str, drawn: str = "", **details: Any) -> Callable[[str], Scene]:  # noqa: ANN401
    def made(slug: str) -> Scene:
        table = Scene(slug)
        table.dealt(text, *MIXED)
        table.settle()
        table.report(case, drawn, **details)
        return table

    return made


def insured(case: str, drawn: str, **details: Any) -> Callable[[str], Scene]:  # noqa: ANN401
    """Cards drawn together once insurance was bought."""

    def made(slug: str) -> Scene:
        table = Scene(slug)
        table.dealt(TO_COME, *MIXED)
        table.insure("ann", "player", 20_00)
        table.report(case, drawn, **details)
        return table

    return made


def face_down(slug: str) -> Scene:
    """Two cards out of a reading device, and nobody has seen them."""
    table = Scene(slug, **FACE_DOWN[slug], device="reader")
    table.dealt("2C 4H", *MIXED)
    table.report("drawn-together", "3D KS", order_known=True)
    return table


def all_seen(slug: str) -> Scene:
    """Dealt face down, every card turned, and somebody may name another order."""
    table = Scene(slug, **FACE_DOWN[slug], device="reader")
    table.shown(PLAYER_WINS, *MIXED)
    table.report("not-covered")
    return table


def seen_in_error(slug: str) -> Scene:
    """The third card lay face down, and everybody saw it with two that came out after it."""
    table = Scene(slug, **FACE_DOWN[slug], device="reader")
    table.shown(TO_COME, *MIXED)
    table.deal("2D")
    table.report("drawn-together", "7C 2S", order_known=False, shown=(5, 6))
    return table


def late_and_over(slug: str) -> Scene:
    """A bet after the close, and a side bet over its maximum that a manager has to decide."""
    table = Scene(slug)
    table.bets(*MIXED)
    table.record("bob", "tie", 3_000_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.late("cat", "banker", 50_00)
    table.report("not-covered")
    return table


def over_differential(slug: str) -> Scene:
    """Noticed after the first card, when only the removal of wagers that are named is left."""
    table = Scene(slug)
    table.bets(("ann", "player", 900_00), ("cat", "player", 100_00), ("bob", "banker", 100_00))
    table.close()
    table.deal("9C 4H")
    table.record("cat", "player", 500_00)
    table.report("over-differential")
    return table


def reset_device(slug: str) -> Scene:
    """Pairs are won and lost already, and are settled before betting opens again."""
    table = Scene(slug, device="reader")
    table.dealt(
        "2C 4H 2D", ("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "tiger-pair", 15_00)
    )
    table.report("device-reset")
    return table


def neglected(slug: str) -> Scene:
    """No insurance was offered, and the round is over."""
    table = Scene(slug)
    table.dealt(TO_COME, *MIXED)
    table.deal("2D 5S")
    table.report("neglected-insurance", window=1)
    return table


def two_at_once(slug: str) -> Scene:
    table = Scene(slug)
    table.dealt(TO_COME, *MIXED)
    table.late("cat", "banker", 50_00)
    table.report("drawn-together", "3D KS", order_known=True, shown=(5, 6))
    table.report("late-wager" if slug == MBS else "late-bet")
    return table


MORE: dict[str, tuple[tuple[str, ...], Callable[[str], Scene]]] = {
    "order unknown": (
        (*RWS, MBS),
        dealt(TO_COME, "drawn-together", "3D 9S", order_known=False, shown=(5, 6)),
    ),
    "order unknown, unseen": ((*RWS, MBS), dealt(TO_COME, "drawn-together", "3D 9S", order_known=False)),
    "order unknown, early": (
        (*RWS, MBS),
        dealt("2C", "drawn-together", "3D 9S", order_known=False, shown=(2, 3)),
    ),
    "order known": ((*RWS, MBS), dealt(TO_COME, "drawn-together", "3D 9S", order_known=True, shown=(5, 6))),
    "three together": (RWS, dealt("2C", "drawn-together", "3D 9S KH", order_known=False, shown=(2, 3, 4))),
    "insured": ((TBC, CBI), insured("drawn-together", "3D 9S", order_known=False, shown=(5, 6))),
    "excess": (RWS, dealt(PLAYER_WINS, "excess-or-exposed-cards", "5H")),
    "excess, early": (RWS, dealt("2C", "excess-or-exposed-cards", "5H 4D")),
    "wrong number, settled": (RWS, settled(BANKER_WINS, "wrong-number-of-cards", "5H")),
    "wrong area": (RWS, dealt("2C 4H 3D", "wrong-area-or-person", "9S", cards=(2, 3))),
    "dealing error": ((*RWS,), dealt("2C 4H 3D KS", "other-dealing-error", cards=(3, 4))),
    "wrong order": ((MBS,), dealt("2C 4H 3D", "wrong-order", "9S", cards=(2, 3))),
    "void, settled": (RWS, settled(PLAYER_WINS, "foreign-card")),
    "not covered, settled": ((*RWS, MBS), settled(PLAYER_WINS, "not-covered")),
    "not covered, over": (RWS, late_and_over),
    "neglected": ((TBC, CBI), neglected),
    "differential": ((MBS,), over_differential),
    "device reset": ((MBS,), reset_device),
    "face down": ((*RWS, MBS), face_down),
    "face down, all seen": ((*RWS, MBS), all_seen),
    "face down, seen in error": ((*RWS, MBS), seen_in_error),
    "two at once": ((*RWS, MBS), two_at_once),
}
SITUATIONS = [(slug, case) for slug, case in EVERY_CASE] + [
    (slug, name) for name, (slugs, _) in MORE.items() for slug in slugs
]


@cache
def scene(slug: str, name: str) -> Scene:
    return MORE[name][1](slug) if name in MORE else reported(slug, name)


def copied(table: Scene) -> Scene:
    twin = copy(table)
    twin.log = list(table.log)
    return twin


# What is shown, and what comes out ----------------------------------------------------------------------


def first_case(state: State, person: str = "sam") -> Case:
    return cases(state, person, state.staff[person])[0]


def filled_in(table: Scene, decision: Decision) -> Inputs:
    """The inputs as they are sent, with what the person has to say besides."""
    inputs = msgspec.convert(decision.inputs, Inputs)
    current, pending = table.current, table.pending
    for field in decision.asks:
        if field == "reason":
            inputs = replace(inputs, reason="seen on the tape")
        elif field in ("names", "substitutes"):
            places = [p for p in held_by(current, pending) if current.drawn[p - 1].name is None]
            cards = spare_cards(table.state)[5:]
            inputs = replace(inputs, **{field: dict(zip(map(str, places), cards, strict=False))})
        elif field == "stakes":
            inputs = replace(inputs, stakes=tuple((s.player, s.box, s.bet) for s in current.stakes.values()))
        elif field == "amounts":
            inputs = replace(inputs, amounts=tuple(s.cents // 200 * 100 for s in current.stakes.values()))
        else:
            assert field == "order"
            count = len(current.drawn) + len(pending.drawn)
            inputs = replace(inputs, order=tuple(range(count, 0, -1)))
    return inputs


def wealth(state: State, player: str) -> int:
    """All that a person has, on the layout and off it."""
    current = state.round
    assert current is not None
    found = state.rack(player) - state.debt(player)
    if current.phase in ("settled", "void"):
        return found
    stakes = (*current.stakes.values(), *current.late.values())
    lying = sum(one.cents for one in stakes if one.player == player)
    return found + lying + sum(one.cents for one in current.purchases if one.player == player)


def play_on(table: Scene, spare: int) -> bool:
    """The rest of the round with whatever cards are left; whether it was settled."""
    while table.current.phase == "dealing" and not table.held_up:
        current, cards = table.current, unlike_cards(table.state) or tuple(Card)
        if current.hidden:
            unnamed = all(current.drawn[place - 1].name is None for place in current.hidden)
            names = cards[spare : spare + len(current.hidden)] if unnamed else ()
            command: Any = commands.Expose(by="dee", cards=current.hidden, names=names)
        elif due_hand(table.state, current):
            waits = table.shoe.waiting
            named = table.state.setup.unseen or (waits and waits[0].name)
            command = commands.Draw(by=table.state.device or "dee", card=None if named else cards[spare])
        else:
            command = commands.Settle(by="dee")
        if isinstance(decide(table.state, command), Refusal):
            return False
        table.do(command)
    return table.current.phase in ("settled", "void") and not table.held_up


def ruled(table: Scene, decision: Decision, inputs: Inputs) -> Scene:
    """The decision, by the lowest rank that may."""
    ranks = {one.rank for one in decision.who if one.may}
    twin = copied(table)
    twin.do(
        commands.Rule(by=next(one for one in PEOPLE if twin.state.staff.get(one) in ranks), inputs=inputs)
    )
    return twin


def all_say(table: Scene, choice: str) -> Scene:
    twin = copied(table)
    while silent := [who for who, said in twin.asked().items() if not said]:
        twin.do(twin.choosing(silent[0], choice))
    return twin


def shown(decision: Decision, field: str) -> dict[str, int]:
    """By person: what all their boxes come to, if none of them is open."""
    found: dict[str, int | None] = {}
    for one in decision.results:
        value, before = getattr(one, field), found.get(one.player, 0)
        found[one.player] = None if value is None or before is None else before + value
    return {player: cents for player, cents in found.items() if cents is not None}


def differences(before: Scene, after: Scene, decision: Decision) -> Iterator[str]:
    """Whatever comes out otherwise than it was shown, once the ruling is carried out."""
    nets = before.current.settlement.nets if before.current.settlement else {}
    for choice, told in (("continue", shown(decision, "net")), ("return", shown(decision, "net_returned"))):
        for spare in (0, 7) if told and decision.outcome == "" else (0,) if told else ():
            twin = all_say(after, choice)
            if not play_on(twin, spare):
                continue
            for player, net in told.items():
                came = wealth(twin.state, player) - wealth(before.state, player) + nets.get(player, 0)
                if came != net:
                    yield f"{decision.key}: {player} {choice} {net} was shown and {came} came out"


# The money ----------------------------------------------------------------------------------------------


@each(("slug", "name"), SITUATIONS)
def test_what_is_shown_comes_out(slug: str, name: str) -> None:
    """Of every decision that is offered: the table takes it as it is sent, and pays what was shown."""
    table = scene(slug, name)
    case = first_case(table.state)
    assert case.decisions
    assert len({one.key for one in case.decisions}) == len(case.decisions)
    for offered in (one for one in case.decisions if name not in MORE or not one.override):
        inputs, decision = filled_in(table, offered), offered
        if set(offered.asks) - {"reason"}:
            assert all(one.net is None for one in offered.results)
            typed = typed_ruling(table.state, inputs, "").decision
            assert typed is not None
            decision = typed
        after = ruled(table, decision, inputs)
        assert list(differences(table, after, decision)) == []
        if after.asked() and not decision.override:
            (under_way,) = first_case(after.state).decisions
            assert shown(under_way, "net").items() >= shown(decision, "net").items()
            assert list(differences(table, after, under_way)) == []


def test_the_check_of_the_money_can_fail() -> None:
    table = scene(TBC, "order unknown")
    decision = first_case(table.state).decisions[0]
    other = tuple(replace(one, net=(one.net or 0) + 1) for one in decision.results)
    after = ruled(table, decision, filled_in(table, decision))
    assert list(differences(table, after, replace(decision, results=other)))


def test_new_cards_change_nobodys_money() -> None:
    found = 0
    for slug in (*RWS, MBS):
        for name in ("order known", "order unknown, early"):
            table = scene(slug, name)
            for decision in first_case(table.state).decisions:
                if decision.may_replace and not decision.override:
                    found += 1
                    after = ruled(table, decision, replace(filled_in(table, decision), replace_cards=True))
                    assert list(differences(table, after, decision)) == []
    assert found > len(RWS)


# What is told -------------------------------------------------------------------------------------------


def told(decision: Decision) -> dict[str, tuple[int | None, int, int]]:
    return {one.player: (one.net, one.certain, one.back) for one in decision.results}


def test_each_order_in_cents() -> None:
    """Player 5 and Banker 4: with 3D first 8 against 3, with 9S first the Banker stands on a tie of 4."""
    table = scene(TBC, "order unknown")
    first, second, *others = first_case(table.state, "sue").decisions
    assert not others
    assert [one.title.facts for one in (first, second)] == [{"card": "3D"}, {"card": "9S"}]
    assert (first.outcome, second.outcome) == ("player", "tie")
    assert told(first) == {
        "ann": (80_00,) * 2 + (0,),
        "bob": (-100_00,) * 2 + (0,),
        "cat": (55_00,) * 2 + (0,),
    }
    assert told(second) == {"ann": (160_00,) * 2 + (0,), "bob": (0, 0, 0), "cat": (0, 0, 0)}
    assert {one.player: (one.returned, one.net_returned) for one in first.results} == {
        "ann": (120_00, 0),
        "bob": (100_00, 0),
        "cat": (55_00, 0),
    }
    assert second.notes[-1].facts == {"card": "3D"}, "it begins the next round"


def test_what_is_certain_while_a_card_is_due() -> None:
    """A pair that did not come has lost; the Player's bet is open."""
    table = Scene(TBC)
    table.dealt("2C 4H 3D KS", ("ann", "player", 100_00), ("bob", "player-pair", 15_00))
    table.report("late-bet" if table.current.late else "misplaced-chips")
    (rule,) = first_case(table.state, "dee").decisions
    assert told(rule) == {"ann": (None, 0, 0), "bob": (-15_00, -15_00, 0)}


def test_late_chips_go_back() -> None:
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.late("cat", "banker", 50_00)
    table.report("late-bet")
    (rule,) = first_case(table.state, "dee").decisions
    assert told(rule)["cat"] == (0, 0, 50_00)
    (cat,) = (one for one in rule.results if one.player == "cat")
    assert [(one.bet, one.cents, one.late) for one in cat.stakes] == [("banker", 50_00, True)]


def test_what_waits_for_another_decision_is_open() -> None:
    """Bob's Tie is over its maximum: if the round only goes on, that is still to be decided."""
    by_key = {one.key: told(one) for one in first_case(scene(TBC, "not covered, over").state).decisions}
    assert by_key["continue"]["bob"] == (None, -100_00, 0)
    assert by_key["return-stakes"]["bob"] == (-100_00, -100_00, 3_000_00)
    assert by_key["cut-to-maximum"]["bob"] == (-2_100_00, -2_100_00, 1_000_00)
    assert by_key["let-stand"]["bob"] == (-3_100_00, -3_100_00, 0)


@pytest.mark.parametrize("slug", [*RWS, MBS])
def test_cards_that_nobody_has_seen_tell_nothing(slug: str) -> None:
    """The same table with other cards out of sight is told the same, whatever is asked of it."""
    texts = ("3D 9S", "9S 3D", "KC QD", "9C 9D")
    seen = [
        cases(dealt(TO_COME, "drawn-together", text, order_known=False)(slug).state, "sam", rank)
        for text in texts
        for rank in ("shift-manager" if slug != MBS else "gaming-shift-manager",)
    ]
    assert len(set(map(msgspec.json.encode, seen))) == 1
    plain = [one for one in seen[0][0].decisions if not one.override]
    assert len(plain) == 2
    assert all(row.net is None and row.returned for one in plain for row in one.results)


def test_nothing_is_told_of_the_house() -> None:
    names = {field for one in (Decision, Consequence) for field in one.__struct_fields__}
    assert not {"house", "take", "pay", "total"} & names


# Who, in which order ------------------------------------------------------------------------------------


@each(("slug", "case"), EVERY_CASE)
def test_who_may_decide_is_who_the_table_lets(slug: str, case: str) -> None:
    table = scene(slug, case)
    ranks = {rank: person for person, rank in table.state.staff.items()}
    for decision in first_case(table.state).decisions:
        inputs = filled_in(table, decision)
        for rung in decision.who:
            if rung.rank in ranks:
                no = decide(table.state, commands.Rule(by=ranks[rung.rank], inputs=inputs))
                assert (isinstance(no, Refusal) and no.code == "wrong-rank") is not rung.may
    for rung in first_case(table.state, "dee").who:
        person = ranks.get(rung.rank)
        if person is not None:
            own = first_case(table.state, person)
            assert own.dismiss.may is rung.may
            assert own.at_desk is any(one.may and one.rank == "dealer" for one in own.who)
            assert [one.you for one in own.who] == [one.rank == rung.rank for one in own.who]


def test_an_assistant_casino_manager_is_not_told_what_is_not_so() -> None:
    case = first_case(scene(MBS, "left-with-cards").state, "ada")
    assert [one.rank for one in case.who if one.may] == ["gaming-shift-manager"]
    assert not case.decisions[0].power.may
    assert case.ranks_above == ()
    above = first_case(scene(MBS, "left-with-cards").state, "sue").ranks_above
    assert [one.rank for one in above if one.may] == ["gaming-shift-manager"]
    assert [one.rank for one in above] == ["pit-manager", "gaming-shift-manager", "assistant-casino-manager"]


def test_two_cases_are_ruled_on_in_turn() -> None:
    table = scene(TBC, "two at once")
    first, second = cases(table.state, "sue", "pit-supervisor")
    assert (first.first, second.first) == (True, False)
    assert first.meets is not None
    assert second.meets is not None
    assert (first.meets.key, second.meets.key) == ("meets_first", "meets_waits")
    assert first.decisions
    assert not second.decisions, "what it means follows from the ruling on the first"
    assert (first.at_desk, second.at_desk) == (False, True)
    assert all(one.net is None for one in first.decisions[0].results)
    assert [(one.place, str(one.card), one.recorded) for one in first.cards] == [
        (5, "3D", False),
        (6, "KS", False),
    ]


def test_everybody_concerned_is_told_what_they_may_do_and_why() -> None:
    """Before the ruling nothing, with the refusal's reason; after it those choose whose bets are open."""
    table = scene(TBC, "two at once")
    first, second = cases(table.state, "sue", "pit-supervisor")
    assert second.rights == ()
    concerned = {one.player for one in table.current.stakes.values()}
    assert {one.person for one in first.rights} == concerned
    assert {one.right for one in first.rights} >= {"insure", "decline", "choose", "withdraw", "device"}
    assert not any(one.may for one in first.rights)
    assert {one.code for one in first.rights} == {"paused", "no-choice"}
    table = copied(scene(TBC, "order unknown"))
    table.rule("sue", "9S 3D")
    (case,) = cases(table.state, "sue", "pit-supervisor")
    may = [(one.person, one.right) for one in case.rights if one.may]
    assert may == [(one.player, "choose") for one in case.choosers if not one.choice]
    assert all(one.rules for one in case.rights if one.may)


def test_what_people_wrote_is_for_the_pit() -> None:
    table = Scene(TBC)
    table.dealt(TO_COME)
    table.report("drawn-together", "3D 9S", order_known=False, note="both came out stuck")
    kept = (
        OpenCase(case="drawn-together", by="dee", at=7, taken_by="sue", passed_to="pam", note="disputed"),
    )

    def read(person: str) -> tuple[object, ...]:
        (case,) = cases(table.state, person, table.state.staff[person], kept)
        return case.note, case.reported_by, case.reported_at, case.taken_by, case.passed_to, case.passed_note

    assert read("sue") == ("both came out stuck", "dee", 7, "sue", "pam", "disputed")
    assert read("dee") == ("both came out stuck", "dee", 7, "sue", "pam", "")
    other = with_rank(table.state, "dot", "dealer")
    assert cases(other, "dot", "dealer", kept)[0].note == ""


def test_the_steps_of_a_ruling() -> None:
    table = copied(scene(TBC, "order unknown"))
    steps = first_case(table.state, "sue").steps
    assert [(one.kind, one.state) for one in steps if one.kind != "fact"] == [
        ("established", "done"),
        ("rule", "now"),
        ("remedy", "to-come"),
        ("remedy", "to-come"),
        ("accepts", "to-come"),
        ("remedy", "to-come"),
    ]
    table.rule("sue", "1 2")
    table.goes_on("ann")
    steps = first_case(table.state, "sue").steps
    assert [(one.facts.get("remedy", one.kind), one.state) for one in steps if one.kind != "fact"] == [
        ("established", "done"),
        ("rule", "done"),
        ("decide-order", "done"),
        ("options", "now"),
        ("accepts", "to-come"),
    ]
    now = next(one for one in steps if one.state == "now")
    assert (now.facts["done"], now.facts["of"]) == (1, 3)


@each(("slug", "case"), EVERY_CASE)
def test_every_case_has_one_step_that_is_now(slug: str, case: str) -> None:
    steps = first_case(scene(slug, case).state, "sue").steps
    assert [one.state for one in steps].count("now") == 1
    assert set(load(slug).paragraphs) >= {rule for one in steps for rule in one.rules}


# What is being typed ------------------------------------------------------------------------------------


def test_a_ruling_that_is_being_typed_is_refused_kindly() -> None:
    table = scene(TBC, "not-covered")
    for inputs, code in (
        (Inputs(), "fact-missing"),
        (Inputs(action="return-stakes"), "fact-missing"),
        (Inputs(action="return-stakes", stakes=(("dan", 1, "player"),)), "no-such-stake"),
        (Inputs(action="void", intended=("ann",)), "input-not-used"),
    ):
        typed = typed_ruling(table.state, inputs, "shift-manager")
        assert typed.refusal is not None, inputs
        assert (typed.refusal.code, typed.decision, bool(typed.refusal.sentence)) == (code, None, True)


def test_nobody_types_the_name_of_a_card_that_nobody_has_seen() -> None:
    table = scene(TBC, "order unknown, unseen")
    for order in ((Card("3D"), Card("9S")), (Card("KD"), Card("KS"))):
        refusal = typed_ruling(table.state, Inputs(order=order), "pit-supervisor").refusal
        assert refusal is not None
        assert refusal.code == "card-not-seen"


def test_where_nothing_waits_there_is_nothing_to_decide() -> None:
    table = Scene(TBC)
    table.dealt(TO_COME)
    assert cases(table.state, "sue", "pit-supervisor") == ()
    refusal = typed_ruling(table.state, Inputs(), "pit-supervisor").refusal
    assert refusal is not None
    assert refusal.code == "wrong-phase"
