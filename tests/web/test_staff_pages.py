"""Pages for staff: who gets which, what they say of a table from behind, rounds told again from the log."""

import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from itertools import count
from typing import Any, get_args

import msgspec
import pytest
from litestar import Litestar

from each import each
from service.api.serving import NOBODY, Served
from service.houses import new_table
from table.tables import MBS, TBC, Table
from thirdcard.cards import Card, parse_cards
from thirdcard.rulebook.model import Side
from thirdcard.service.log.floor_events import SYSTEM, Pace, TableCreated
from thirdcard.service.people.roles import ROLES, Permission, Person, allowed
from thirdcard.service.queries.case import orders
from thirdcard.service.queries.decisions import ACTIONS
from thirdcard.service.queries.desk import Desk, desk
from thirdcard.service.queries.payouts import in_order
from thirdcard.service.queries.redaction import covered
from thirdcard.service.queries.replay import steps
from thirdcard.service.tables.dealer import dealer_rank
from thirdcard.service.tables.live import Live
from thirdcard.table import commands
from thirdcard.table.setup import Limit
from thirdcard.table.state import Line, Stake
from thirdcard.web.assets import address as address_of
from thirdcard.web.staff import PAGES
from thirdcard.words import languages
from thirdcard.words import words as words_of
from web.reading import Page

pytestmark = pytest.mark.server

ADDRESSES: dict[str, Permission] = {
    "/staff": "deal",
    "/staff/tables/new": "create-table",
    "/staff/tables/one/setup": "staff",
    "/dealer/one": "deal",
    "/pit": "staff",
    "/pit/one": "staff",
    "/audit": "read-log",
    "/audit/find": "read-log",
    "/audit/find?words=banker": "read-log",
    "/audit/one": "read-log",
    "/audit/one/rounds/1": "read-log",
    "/audit/one/statements": "read-statements",
    "/accounts": "manage-accounts",
    "/staff/rulebooks": "add-rulebook",
}
DEE = Person(name="dee", role="dealer")
SUE = Person(name="sue", role="pit-supervisor")
SAM = Person(name="sam", role="shift-manager")
CARD = re.compile(r'"[A23456789TJQK][SHDC]"')


def add_pages(app: Litestar) -> None:
    for one in PAGES:
        app.register(one)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A staffed table at which a round has been played, Wei betting on the Banker, and another begun."""
    path = tmp_path_factory.mktemp("staff") / "house.db"
    with Served(path, new_table("one"), change=add_pages) as house:
        wei, dee = house.player("Wei", box=3), house.as_("dealer")
        dee.does("new-shoe")
        dee.does("open")
        wei.does("place", box=3, bet="banker", cents=100_00)
        dee.does("close")
        for card in ("9C", "KS", "7D", "4H", "3D"):
            dee.does("draw", card=card)
        dee.does("settle")
        dee.does("open")
        yield house


def as_live(table: Table, *, dealer: str = "staff") -> Live:
    """A table under test as a house would hold it."""
    staff = {**table.state.staff, SYSTEM: dealer_rank(table.state.rulebook)}
    created = TableCreated(
        title="One", dealer="automatic" if dealer == "automatic" else "staff", pace=Pace(), live_odds=False
    )
    return Live(id="one", version=1, created=created, state=msgspec.structs.replace(table.state, staff=staff))


def seen_by(table: Table, person: Person) -> Desk:
    return desk(as_live(table), person)


# Who gets which page ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("address", "needed"), ADDRESSES.items())
def test_a_page_is_for_the_roles_it_names_and_nobody_else(
    served: Served, address: str, needed: Permission
) -> None:
    for role in ROLES:
        answer = served.as_(role).get(address)
        assert answer.status_code == (200 if allowed(role, needed) else 403), role
        assert answer.headers["content-type"].startswith("text/html; charset=utf-8")
        assert answer.status_code != 200 or answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("address", [*ADDRESSES, "/audit?before=7"])
def test_who_is_not_signed_in_is_sent_to_do_so_and_comes_back(served: Served, address: str) -> None:
    answer = served.as_(NOBODY).get(address)
    assert answer.status_code == 303
    wanted = address.replace("?", "%3F").replace("=", "%3D")
    assert answer.headers["location"] == f"/sign-in?next={wanted}"


def test_a_role_has_its_article(served: Served) -> None:
    for role, said in (("administrator", "An administrator"), ("dealer", "A dealer")):
        assert f"{said} may not do that" in served.as_(role).get("/staff/tables/new").text


def test_a_dealer_finds_out_where_somebody_is_wanted(served: Served) -> None:
    """Who deals, and since when nobody does; the first of the tables that wait has the one large button."""
    tile = Page(served.as_("pit-supervisor").get("/staff/tiles").text).one("li", _class="tile")
    assert served.live().duty.dealer in tile.text
    assert not tile.all("button")


def test_a_server_without_numba_says_what_protection_needs(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make run` installs none: everything else is there, and this is told in the reader's language."""
    monkeypatch.setitem(sys.modules, "numba", None)  # as where it is not installed
    supervisor = served.as_("pit-supervisor")
    for lang, said in (("en", "install thirdcard[analysis]"), ("zh", "安裝 thirdcard[analysis]")):
        answer = supervisor.get(f"/protect/mbs-tiger-v2?lang={lang}")
        assert answer.status_code == 503
        assert said in answer.text


@pytest.mark.parametrize("address", ["/dealer/none", "/pit/none", "/audit/none", "/audit/one/rounds/9"])
def test_what_is_not_there_is_a_page_that_says_so(served: Served, address: str) -> None:
    answer = served.as_("shift-manager").get(address)
    assert answer.status_code == 404
    assert not Page(answer.text).faults()


@pytest.mark.parametrize("path", ["desk", "record"])
def test_what_pages_ask_for_is_for_the_floor_alone(served: Served, path: str) -> None:
    for role in (*ROLES, NOBODY):
        answer = served.as_(role).get(f"/api/tables/one/{path}")
        expected = 401 if role == NOBODY else 200 if allowed(role, "staff") else 403
        assert answer.status_code == expected, role


@each("lang", languages())
@each(("address", "needed"), ADDRESSES.items())
def test_pages_keep_a_strict_policy_and_have_words(
    served: Served, address: str, needed: Permission, lang: str
) -> None:
    role = next(one for one in ROLES if allowed(one, needed))
    page = Page(served.as_(role).get(address, lang=lang).text)
    assert not page.faults()
    assert page.all("h1") or page.all("h2")
    if not address.startswith("/audit/find"):  # whose script says nothing
        kind = {"dealer": "desk", "pit": "pit"}.get(address.split("/")[1], "office")
        kind = "office" if address.endswith("/radar") else kind
        assert page.one("link", id="words").attributes["href"] == address_of(f"words/{kind}-{lang}.json")


def test_scripts_say_nothing_that_has_no_words() -> None:
    words = words_of("en").ui
    scripts = files("thirdcard.web") / "static" / "js" / "staff"
    said = {
        key
        for script in scripts.iterdir()
        for key in re.findall(r'(?<![\w.])t\("([\w-]+)"', script.read_text(encoding="utf-8"))
    }
    assert len(said) > 100
    assert sorted(key for key in said if f"staff_{key}" not in words) == []


def test_every_command_that_the_pages_say_has_words() -> None:
    """Those that are listed among the others, and those that a button says shortly."""
    also = files("thirdcard.web") / "static" / "js" / "staff" / "also.js"
    script = also.read_text(encoding="utf-8")
    every = {str(one.__struct_config__.tag) for one in get_args(commands.AnyCommand)}
    for name, start in (("HERE", "do"), ("SHORT", "go")):
        listed = script.partition(f"{name} = new Set([")[2].partition("]")[0]
        said = set(re.findall(r'"([a-z-]+)"', listed))
        assert said
        assert said <= every
        assert [
            one for one in said if f"staff_{start}_{one.replace('-', '_')}" not in words_of("en").ui
        ] == []


def test_every_action_at_discretion_has_words() -> None:
    said = words_of("en").sections["consoles"]
    assert [one for one in ACTIONS if f"action_{one.replace('-', '_')}" not in said] == []


def test_scripts_keep_a_strict_policy() -> None:
    for script in (files("thirdcard.web") / "static" / "js" / "staff").iterdir():
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(|style:", text), script.name


# What is due --------------------------------------------------------------------------------------------


def test_what_is_due_leads_through_a_whole_round() -> None:
    table = Table(TBC)
    seen = []
    for card in ("9C", "KS", "7D", "4H", "3D"):
        while (due := seen_by(table, DEE).next).kind in ("command", "insurance"):
            seen.append(due.command["command"])
            table.do(msgspec.convert({**due.command, "by": "dee"}, commands.AnyCommand))
            if due.command["command"] == "open":
                table.place("ann", "player", 100_00)
        assert due.kind == "draw"
        seen.append(str(due.hand))
        table.do(commands.Draw(by="dee", card=Card(card)))
    assert seen == ["open", "close", "player", "banker", "player", "banker", "close-insurance", "banker"]
    assert seen_by(table, DEE).next.command == {"command": "settle"}


@pytest.mark.parametrize(
    ("cards", "hand", "key", "facts"),
    [
        ("9C", "banker", "why_initial", {"place": 2}),
        ("3S 7D 2H 9C", "player", "why_player", {"player": 5, "banker": 6}),
        ("9C KS 7D 4H", "banker", "why_banker_stands", {"player": 6, "banker": 4}),
        ("3S 7D 2H 9C 6D", "banker", "why_banker", {"player": 1, "banker": 6, "third": 6}),
    ],
)
def test_the_next_card_says_whose_it_is_and_why(
    cards: str, hand: str, key: str, facts: dict[str, int]
) -> None:
    table = Table(TBC)
    table.open()
    table.close()
    table.deal(cards)
    due = seen_by(table, DEE).next
    assert due.why is not None
    assert (due.hand, due.why.key, due.why.facts) == (hand, key, facts)
    assert due.why.rules == table.state.rulebook.table_of_play.rules


def test_what_another_rank_has_to_do_is_waited_for_with_its_reason() -> None:
    """The differential: a dealer cannot take wagers off, a pit manager can."""
    table = Table(MBS, differential=100_00)
    table.open()
    table.record("ann", "player", 900_00)
    table.close()
    waits = seen_by(table, DEE).next
    assert waits.kind == "wait"
    assert "Pit Manager" in waits.said
    pam = seen_by(table, Person(name="pam", role="pit-manager")).next
    assert pam.command["command"] == "remove"
    assert pam.command["player"] == "ann"


def test_insurance_answers_are_listed_until_everybody_has_answered() -> None:
    table = Table(TBC)
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "player", 100_00)
    table.place("cat", "banker", 100_00, box=1)
    table.close()
    table.deal("9C KS 7D 4H")  # Player 6 against Banker 4: insurance on the Player
    assert [(one.player, one.answer) for one in seen_by(table, DEE).answers] == [("ann", ""), ("bob", "")]
    table.insure("ann", "player", 10_00)
    table.do(commands.Decline(by="bob"))
    answers = [(one.player, one.answer) for one in seen_by(table, DEE).answers]
    assert answers == [("ann", "insured"), ("bob", "declined")]


# Payouts ------------------------------------------------------------------------------------------------


def test_payouts_go_box_by_box_who_sits_before_who_stands() -> None:
    order = count(1)

    def stake(player: str, box: int, bet: str, *, seated: bool) -> Stake:
        return Stake(player=player, box=box, bet=bet, cents=100, order=next(order), seated=seated)

    def line(one: Stake, bet: str = "", window: int | None = None) -> Line:
        return Line(
            player=one.player, box=one.box, bet=bet or one.bet, stake=100, result="win", odds="1 to 1", net=100, rules=("1.1",), window=window
        )  # fmt: skip

    stakes = [
        stake("raj", 2, "tie", seated=False),
        stake("mei", 2, "banker", seated=False),
        stake("lin", 2, "tie", seated=True),
        stake("lin", 2, "player", seated=True),
        stake("wei", 1, "player", seated=True),
    ]
    lines = [*map(line, stakes), line(stakes[3], "player-insurance", 1)]
    paid = in_order(lines, stakes, ("player", "banker", "tie"))
    assert [(one.box, one.player, one.standing) for one in paid] == [
        (1, "wei", False),
        (2, "lin", False),
        (2, "raj", True),
        (2, "mei", True),
    ]
    assert [one.bet for one in paid[1].lines] == ["player", "player-insurance", "tie"]
    assert paid[1].net == 300


def test_what_will_be_paid_is_what_is_paid() -> None:
    table = Table(TBC)
    table.open()
    table.place("ann", "banker", 100_00)
    table.place("bob", "player", 50_00)
    table.close()
    table.deal("9C KS 7D 4H")
    assert seen_by(table, DEE).payouts is None
    table.deal("3D")
    before = seen_by(table, DEE).payouts
    table.settle()
    after = seen_by(table, DEE).payouts
    assert before is not None
    assert after is not None
    assert (before.settled, after.settled) == (False, True)
    assert msgspec.structs.replace(before, settled=True) == after
    assert (after.take, after.pay) == (50_00, 95_00)
    assert after.take - after.pay == table.house


# Rulings ------------------------------------------------------------------------------------------------


def drawn_together(slug: str = TBC, *, shown: tuple[int, ...] = (5, 6), **setup: Any) -> Table:  # noqa: ANN401
    """Four cards lie there, Player 5 and Banker 6, and two more came out at once, for all to see."""
    table = Table(slug, **setup)
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "small-tiger", 10_00)
    table.close()
    table.show("3S 7D 2H 9C") if setup else table.deal("3S 7D 2H 9C")
    drawn = parse_cards("6D 8C")
    table.do(commands.Report(by="dee", case="drawn-together", drawn=drawn, shown=shown, order_known=False))
    return table


def test_two_orders_lie_side_by_side_with_what_each_leads_to() -> None:
    case = seen_by(drawn_together(), SUE).case
    assert case is not None
    first, second = case.orders
    assert (first.order, first.first, second.order, second.first) == ((0, 1), Card("6D"), (1, 0), Card("8C"))
    assert first.points == {Side.PLAYER: 1, Side.BANKER: 4}
    assert second.points == {Side.PLAYER: 3, Side.BANKER: 6}
    assert first.banker == parse_cards("7D 9C 8C")
    assert second.banker == parse_cards("7D 9C")
    assert [(one.key, one.facts) for one in first.notes] == [
        ("order_result", {"outcome": "banker", "player": 1, "banker": 4}),
        ("order_lose", {"bet": "small-tiger", "odds": ""}),
    ]
    assert [(one.key, one.facts) for one in second.notes] == [
        ("order_result", {"outcome": "banker", "player": 3, "banker": 6}),
        ("order_win", {"bet": "small-tiger", "odds": "22 to 1"}),
        ("order_left", {"card": "6D"}),
    ]
    assert all(note.rules for laid in case.orders for note in laid.notes)


def test_orders_tell_no_amount_that_could_sway_a_ruling() -> None:
    """Whatever lies on the table, the orders are the same: of money they know nothing."""
    rich = drawn_together()
    poor = Table(TBC)
    poor.open()
    poor.close()
    poor.deal("3S 7D 2H 9C")
    drawn = parse_cards("6D 8C")
    poor.do(commands.Report(by="dee", case="drawn-together", drawn=drawn, shown=(5, 6), order_known=False))
    one, other = seen_by(rich, SUE).case, seen_by(poor, SUE).case
    assert one is not None
    assert other is not None
    assert one.orders == other.orders


def test_the_same_card_twice_is_one_order() -> None:
    table = Table(TBC)
    table.open()
    table.close()
    table.deal("3S 7D 2H 9C")
    drawn = parse_cards("6D 6D")
    table.do(commands.Report(by="dee", case="drawn-together", drawn=drawn, shown=(5, 6), order_known=False))
    case = seen_by(table, SUE).case
    assert case is not None
    assert len(case.orders) == 1


def test_cards_drawn_together_are_told_to_nobody_while_they_lie_face_down() -> None:
    """Who rules on their order numbers them, and sees them if everybody does."""
    unseen = drawn_together(shown=())
    for person in (DEE, SUE, SAM):
        assert not CARD.search(msgspec.json.encode(seen_by(unseen, person)).decode())
    case = seen_by(unseen, SUE).case
    assert case is not None
    assert [laid.order for laid in case.orders] == [(0, 1), (1, 0)]
    shown = drawn_together()
    assert seen_by(shown, DEE).next.why == seen_by(shown, SUE).next.why
    assert "6D" in msgspec.json.encode(seen_by(shown, SUE)).decode()


def test_at_a_table_dealt_face_down_a_ruling_names_no_card() -> None:
    for slug, method in ((MBS, "A"), (TBC, "face-down")):
        seen = seen_by(drawn_together(slug, method=method), SAM)
        assert seen.case is not None
        assert [laid.order for laid in seen.case.orders] == [(0, 1), (1, 0)]
        assert not CARD.search(msgspec.json.encode(seen).decode())


def test_orders_that_leave_the_round_open_say_who_draws_next() -> None:
    table = Table(TBC)
    table.open()
    table.close()
    table.deal("3S 7D")
    drawn = parse_cards("2H 9C")
    table.do(commands.Report(by="dee", case="drawn-together", drawn=drawn, shown=(3, 4), order_known=False))
    current = table.state.round
    assert current is not None
    assert current.pending is not None
    notes = [
        [(one.key, one.facts) for one in laid.notes] for laid in orders(table.state, current, current.pending)
    ]
    assert notes == [  # 3+2 against 7+9; 3+9 against 7+2, a natural
        [("order_goes_on", {"hand": "player"})],
        [("order_result", {"outcome": "banker", "player": 2, "banker": 9})],
    ]


def test_who_may_decide_is_a_ladder_with_ones_own_rung() -> None:
    table = drawn_together()
    for person, may in ((DEE, False), (SUE, True), (SAM, True)):
        case = seen_by(table, person).case
        assert case is not None
        (way,) = case.ways
        assert way.power.may is may
        assert [rung.rank for rung in way.ladder if rung.you] == [person.role]
        assert [rung.may for rung in way.ladder] == [False, True, True, True]
        assert way.inputs == ("order", "replace_cards")


def test_two_ways_where_it_depends_on_reconstruction() -> None:
    table = Table(TBC)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.deal("3S 7D 2H 9C")
    table.do(commands.Report(by="dee", case="other-dealing-error"))
    case = seen_by(table, SUE).case
    assert case is not None
    assert [way.reconstructable for way in case.ways] == [True, False]
    assert [name for name, _ in case.ways[0].remedies] == ["reconstruct", "options"]
    assert [name for name, _ in case.ways[1].remedies] == ["as-they-lie", "options"]
    assert [(one.player, one.choice) for one in case.choosers] == [("ann", None)]


def test_what_a_rank_may_not_do_says_which_may() -> None:
    table = drawn_together()
    dee, sam = seen_by(table, DEE).powers, seen_by(table, SAM).powers
    assert not dee["void"].may
    assert "Shift Manager" in dee["void"].why
    assert dee["void"].rules
    assert sam["void"].may
    assert not dee["close-table"].may
    assert sam["close-table"].may


def test_an_order_is_named_by_places_and_ruled_so(served: Served) -> None:
    wei, dee, sue = served.as_(served.sign_in("Wei")), served.as_("dealer"), served.as_("pit-supervisor")
    ended(served)
    dee.does("open")
    wei.does("place", box=3, bet="player", cents=100_00)
    dee.does("close")
    for card in ("3S", "7D", "2H", "9C"):
        dee.does("draw", card=card)
    dee.does("report", case="drawn-together", drawn=["6D", "8C"], order_known=False)
    assert dee.post("/api/tables/one/rule", {"order": [1, 0]}).status_code == 422
    for order in ([1, 1], [0], [0, 7], [-1, 0]):
        assert sue.post("/api/tables/one/rule", {"order": order}).json()["code"] == "fact-missing"
    assert sue.post("/api/tables/one/rule", {"order": [1, 0], "more": 1}).status_code == 400
    assert sue.post("/api/tables/one/rule", {"order": [1, 0]}).status_code == 200
    sue.does("choose", player="Wei", choice="continue")
    current = served.live().table.round
    assert current is not None
    assert current.cards == parse_cards("3S 7D 2H 9C 8C")
    told = sue.get("/api/tables/one/record").json()
    assert "irregularity-ruled" in [one["name"] for one in told]


# Replay -------------------------------------------------------------------------------------------------


def test_a_round_is_told_step_by_step_from_the_log(served: Served) -> None:
    found = list(steps(served.hall.engine.store, served.live(), 1))
    names = [step.name for step in found]
    assert names[0] == "bets-opened"
    assert names[-2:] == ["round-settled", "payouts-done"]
    assert [step.version for step in found] == list(range(found[0].version, found[-1].version + 1))
    drawn = [step for step in found if step.name == "card-drawn"]
    assert [len(step.cards) for step in drawn] == [1, 2, 3, 4, 5]
    assert [str(one.card) for one in drawn[-1].cards if one.hand is Side.BANKER] == ["KS", "4H", "3D"]
    assert drawn[-1].told == ("Banker draws 3D: 7 points",)
    assert drawn[-1].rules
    *_, played, settled, _ = found
    (stake,) = played.stakes
    assert (stake.player, stake.box, stake.bet, stake.cents) == ("Wei", 3, "banker", 100_00)
    assert sum(cents for _, cents in settled.postings) == 0
    assert {account for account, _ in settled.postings} == {"box:3", "rack:Wei", "house"}


def test_the_page_of_a_round_shows_every_step(served: Served) -> None:
    page = Page(served.as_("auditor").get("/audit/one/rounds/1").text)
    shown = page.one("ol", id="replay")
    found = list(steps(served.hall.engine.store, served.live(), 1))
    assert len(shown.all("li")) == len(found)
    for item, step in zip(shown.all("li"), found, strict=True):
        assert all(" ".join(line.split()) in item.text for line in step.told)
        assert step.hash in item.text


@pytest.mark.parametrize("device", ["reader", "shoe"])
def test_a_card_that_lay_face_down_is_not_told_before_it_is_turned(
    tmp_path_factory: pytest.TempPathFactory, device: str
) -> None:
    """A device names it as it is drawn; from an ordinary shoe the dealer names it when it is turned."""
    path, cards = tmp_path_factory.mktemp("face-down") / "house.db", ("9C", "KS", "7D", "4H")
    table = new_table("one", slug=MBS, method="A", device=device)
    with Served(path, table, change=add_pages) as house:
        dee, ada = house.as_("dealer"), house.as_("auditor")
        for name in ("new-shoe", "open", "close"):
            dee.does(name)
        for card in cards:
            due = dee.get("/api/tables/one/desk").json()["next"]
            assert due["kind"] == ("draw" if device == "reader" else "command")
            dee.does("draw", **({"card": card} if device == "reader" else {}))
        found = list(steps(house.hall.engine.store, house.live(), 1))
        assert [one.card for one in found[-1].cards] == [None] * 4
        told = [ada.get(f"/audit/one{more}").text for more in ("", "/rounds/1")]
        told += [dee.get("/api/tables/one/desk").text, dee.get("/api/tables/one/record").text]
        for text in told:
            assert not re.search(r"\b(9C|KS|7D|4H)\b", re.sub('data-words="[^"]*"', "", text))
        dee.does("reveal-first", hand="player")
        if device == "reader":
            dee.does("expose", cards=[1, 2, 3, 4])
        else:
            for places in ([1, 3], [2, 4]):
                due = dee.get("/api/tables/one/desk").json()["next"]
                assert (due["kind"], due["command"]["cards"]) == ("turn", places)
                dee.does("expose", cards=places, names=[cards[place - 1] for place in places])
        assert "9C" in ada.get("/audit/one/rounds/1").text


def test_cards_that_somebody_holds_are_named_when_that_person_turns_them() -> None:
    table = Table(MBS, method="A")
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    for _ in range(4):
        table.do(commands.Draw(by="dee"))
    table.do(commands.RevealFirst(by="dee", hand=Side.PLAYER))
    due = seen_by(table, DEE).next
    assert due.command == {"command": "hand-over", "cards": (1, 3), "player": "ann"}
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    due = seen_by(table, DEE).next
    assert (due.kind, due.hand) == ("turn", Side.PLAYER)
    assert due.command == {"command": "expose", "cards": (1, 3), "player": "ann"}
    assert due.why is not None
    assert due.why.key == "why_held"
    table.do(commands.Expose(by="dee", cards=(1, 3), names=parse_cards("9C KD"), player="ann"))
    due = seen_by(table, DEE).next
    assert due.command == {"command": "expose", "cards": (2, 4)}
    assert seen_by(table, DEE).powers["correct"].may is False


def test_what_has_to_be_decided_before_anything_is_paid_is_said() -> None:
    table = Table(TBC, limits={"*": Limit(10_00, 200_00)})
    table.open()
    table.record("ann", "tie", 500_00)
    table.close()
    table.deal("9C 2D KH 3S")
    due = seen_by(table, DEE).next
    assert due.kind == "wait"
    assert "over its maximum" in due.said


def test_a_ruling_asks_for_what_its_remedies_ask_for() -> None:
    table = Table(TBC)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.do(commands.Report(by="dee", case="not-covered"))
    case = seen_by(table, SAM).case
    assert case is not None
    (way,) = case.ways
    assert way.inputs == ("action",)
    asked = {one.name: one.inputs for one in case.actions}
    assert asked["cut-stakes"] == ("stakes", "amounts")
    assert asked["fix-order"] == ("order",)
    assert asked["void"] == ()
    assert case.override.may
    sue = seen_by(table, SUE).case
    assert sue is not None
    assert (sue.override.may, sue.override.why) == (False, "Table Games Shift Manager")


def test_a_second_report_waits_and_an_amendment_holds_everything_up(served: Served) -> None:
    dee, sue = served.as_("dealer"), served.as_("pit-supervisor")
    wei = served.as_(served.sign_in("Wei"))
    ended(served)
    dee.does("open")
    wei.does("place", box=3, bet="player", cents=100_00)
    dee.does("close")
    dee.does("draw", card="9C")
    dee.does("report", case="other-dealing-error")
    dee.does("report", case="misplaced-chips")
    view = dee.get("/api/tables/one").json()["view"]
    assert [one["case"] for one in view["reported"]] == ["misplaced-chips"]
    names = {
        one["command"]["case"]
        for one in sue.get("/api/tables/one/legal").json()
        if one["command"]["command"] == "dismiss"
    }
    assert names == {"other-dealing-error", "misplaced-chips"}
    for case in names:
        sue.does("dismiss", case=case, reason="nothing to it")
    for card in ("4D", "KH", "2S"):
        dee.does("draw", card=card)
    dee.does("amend", cards=["9C", "4D", "KH", "3S"], reason="misread")
    due = dee.get("/api/tables/one/desk").json()["next"]
    assert (due["kind"], due["why"]["key"]) == ("wait", "why_amendment")
    sue.does("confirm-amendment")
    current = served.live().table.round
    assert current is not None
    assert current.cards == parse_cards("9C 4D KH 3S")


def ended(served: Served) -> None:
    """Whatever round is under way is over, and a new shoe is there."""
    sam, dee = served.as_("shift-manager"), served.as_("dealer")
    if served.live().table.phase not in ("settled", "void"):
        sam.does("void", reason="for the next test")
    dee.does("new-shoe")


# Audit --------------------------------------------------------------------------------------------------


def test_the_log_is_shown_in_parts_and_by_kind(served: Served) -> None:
    ada = served.as_("auditor")
    shown = Page(ada.get("/audit/one", kind="round-settled").text).one("table", _class="log")
    assert len(shown.all("tr")) == 2  # the head, and one
    shown = Page(ada.get("/audit/one", round=0).text).one("table", _class="log")
    stored = [one for one in served.hall.engine.store.read("one") if one.round == 0]
    assert [row.attributes["id"] for row in shown.all("tr")[1:]] == [f"v-{one.version}" for one in stored]


def test_the_page_shows_the_events_that_the_api_gives(served: Served) -> None:
    ada = served.as_("auditor")
    shown = Page(ada.get("/audit/one").text).one("table", _class="log").all("code", _class="body")
    lines = ada.get("/api/tables/one/log", limit=100).json()
    assert [msgspec.json.decode(one.text) for one in shown] == [line["event"] for line in lines]


def test_heads_are_those_of_the_logs(served: Served) -> None:
    heads, text = served.hall.engine.store.heads(), served.as_("auditor").get("/audit").text
    while heads != (now := served.hall.engine.store.heads()):  # something was written meanwhile: look again
        heads, text = now, served.as_("auditor").get("/audit").text
    for stream, head in heads.items():
        live = served.hall.engine.tables[stream]
        hidden = live.state is not None and covered(live, live.table.rounds)
        assert (head.hash.hex() in text) is not hidden, "one that would tell a card is left out"


def test_statements_add_up_and_the_chain_is_followed(served: Served) -> None:
    page = Page(served.as_("auditor").get("/audit/one/statements", player="Wei").text)
    number = len(served.hall.engine.store.read("one"))
    assert f"The last {number} records follow from one another" in page.one("main", id="main").text
    assert "+95" in page.one("main", id="main").text
    assert served.as_("auditor").get("/audit/one/statements", player="Nobody").status_code == 404


def test_no_page_leads_where_its_reader_may_not_go(served: Served) -> None:
    for role in ROLES:
        person = served.as_(role)
        for address, needed in ADDRESSES.items():
            if not allowed(role, needed):
                continue
            query = {"player": "Wei"} if address.endswith("statements") else {}
            links = {
                link.partition("#")[0].partition("?")[0]
                for link in Page(person.get(address, **query).text).links
            }
            own = [
                link
                for link in links
                if link.startswith(("/staff", "/dealer", "/pit", "/audit", "/accounts"))
            ]
            assert [link for link in own if person.get(link).status_code != 200] == [], (role, address)
