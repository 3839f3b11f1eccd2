"""What nobody may see: face-down and undealt cards, other people's money, names where they do not belong."""

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from service.api.serving import GUARD, NOBODY, Asking, Served, heard, is_problem
from service.clocks import FakeClock
from service.houses import CBI, MBS, TBC, new_table
from thirdcard.cards import Card, format_cards
from thirdcard.service.log.codec import chained
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store.model import Record
from thirdcard.service.queries.redaction import CARD_FIELDS
from thirdcard.service.tables import sealed_shoes
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.server

# What pages say whatever the cards are: typefaces, and how cards are written.
EXAMPLES = r'font-family="[^"]*"|9C KD'
PATIENT = Pace(card=5_000, squeeze=600_000, insurance=600_000, choice=600_000)
SOON = Pace(card=5_000, squeeze=60_000)
TABLES = {
    "mbs-a": new_table("mbs-a", "automatic", PATIENT, slug=MBS, method="A", positions=7),
    "mbs-c": new_table(  # players draw there, who take their time
        "mbs-c", "automatic", SOON, slug=MBS, method="C", positions=7, high_limit=True, device="reader"
    ),
    "cbi": new_table("cbi", "automatic", PATIENT, slug=CBI, layout="D", method="face-down"),
}
# Each of the 52 comes once before any comes again, so a card that is told is told from here.
ORDER = tuple(sorted(Card, key=lambda card: (ord(card.value[0]) * 7 + ord(card.value[1]) * 13) % 53)) * 8


WATCHING = (NOBODY, "dealer", "shift-manager", "auditor")  # what all others are told is in test_unseen


PATHS = (
    "/api/tables", "{t}", "{t}/summary", "{t}/legal", "{t}/legal?player=Wei", "{t}/why?player=Wei", "{t}/rounds", "{t}/rounds/1",
    "{t}/statement", "{t}/statements/Wei", "{t}/shoes", "{t}/shoes/1", "{t}/log", "{t}/log?after=20", "{t}/odds",
    "/api/significant-events", "/api/me/rounds", "/metrics", "/api/me", "/api/accounts", "{t}/desk", "{t}/record",
    "{t}/offers",
)  # fmt: skip
SHOWN = (
    "/", "/pit", "/audit", "/dealer/{n}", "/pit/{n}", "/audit/{n}", "/audit/{n}/rounds/1", "/audit/{n}/statements",
    "/tables/{n}", "/tables/{n}/board", "/tables/{n}/roads", "/tables/{n}/offers.json", "/tables/{n}/shoes/1",
)  # fmt: skip
# What nobody may do at an automatic table while cards lie face down; a refusal is no hint either.
TRIES: tuple[dict[str, object], ...] = (
    {"command": "draw", "card": "9C"}, {"command": "expose", "cards": [1, 2, 3, 4]}, {"command": "settle"},
    {"command": "expose", "cards": [1], "names": ["9C"]}, {"command": "expose", "cards": [1], "player": "Wei"},
    {"command": "correct", "cards": ["9C"], "reason": "x"}, {"command": "insure", "box": 1, "hand": "player", "cents": 1000},
    {"command": "amend", "cards": ["9C"], "reason": "x"}, {"command": "confirm-amendment"},
    {"command": "hand-over", "cards": [1], "player": "Mei"}, {"command": "take-cards", "cards": [1], "reason": "x"},
    {"command": "reveal-first", "hand": "banker"}, {"command": "rule"}, {"command": "cut-card"},
    {"command": "report", "case": "drawn-together", "drawn": ["9C"]}, {"command": "dismiss", "reason": "x"},
    {"command": "report", "case": "foreign-card", "names": {"1": "9C"}, "shown": [1]},
    {"command": "rule", "inputs": {"order": ["9C"]}}, {"command": "rule", "inputs": {"names": {"1": "9C"}}},
    {"command": "late-chips", "player": "Wei", "box": 1, "bet": "player", "cents": 1000},
)  # fmt: skip


def shown_to(people: dict[str, Asking], table: str) -> Iterator[tuple[str, str, str]]:
    """Whatever anybody is told who asks: who, where, and the text."""
    for name, person in people.items():
        for path in (*PATHS, *(SHOWN if name != "Wei" else ())):
            address = path.format(t=f"/api/tables/{table}", n=table)
            yield name, address, re.sub(EXAMPLES, "", person.get(address).text)


def answered(people: dict[str, Asking], table: str) -> Iterator[tuple[str, str, str]]:
    """The same, and what people are told who try what they may not."""
    yield from shown_to(people, table)
    for name, person in people.items():
        for body in TRIES:
            if name == "Wei" and body["command"] == "expose" and len(body) == 2:
                continue  # who holds the cards may turn them
            answer = person.post(f"/api/tables/{table}/commands", body)
            assert answer.status_code in (401, 403, 422), (name, body, answer.text)
            yield name, str(body), answer.text.replace('"9C"', "")


class Night:
    """A face-down table whose time passes when it is told to, everybody watching."""

    def __init__(self, house: Served, clock: FakeClock, table: str, stack: ExitStack) -> None:
        self.house, self.clock, self.table = house, clock, table
        self.wei, self.mei = house.player("Wei", table, box=1), house.player("Mei", table, box=2)
        self.people = {"Wei": self.wei, "Mei": self.mei, **{role: house.as_(role) for role in WATCHING}}
        self.streams = {
            name: stack.enter_context(person.stream(table)) for name, person in self.people.items()
        }
        self.told = dict.fromkeys(self.people, "")
        self.versions = dict.fromkeys(self.people, 0)

    @property
    def round(self):  # type: ignore[no-untyped-def]  # noqa: ANN201
        return self.house.live(self.table).table.round

    def hidden(self) -> dict[Card, str | None]:
        """The cards that not everybody has seen, and who holds each."""
        current = self.round
        places = [place for place in range(1, len(current.cards) + 1) if place not in current.exposed]
        return {current.cards[place - 1]: current.handed.get(place) for place in places}

    def passes(self) -> None:
        """A second."""
        self.clock.wait(1)
        self.house.call(lambda: self.house.hall._stir(self.table))  # noqa: SLF001 - the clock does not wake it
        self.house.do(asyncio.sleep(0.005))

    def until(self, holds: Callable[[], object]) -> None:
        """Time passes until it holds."""
        give_up = time.monotonic() + GUARD
        while not holds():
            assert time.monotonic() < give_up, f"still {self.round}"
            self.passes()

    def turns(self, name: str) -> None:
        """Somebody looks at the cards in their hands, and shows them."""
        person = self.people[name]
        cards = person.get(f"/api/tables/{self.table}").json()["you"]["cards"]
        mine = [one for one in cards if one["held_by"] == name and not one["exposed"]]
        assert [one["card"] for one in mine] == [
            card.value for card, holder in self.hidden().items() if holder == name
        ]
        person.command("expose", self.table, cards=[one["place"] for one in mine])

    def bets(self) -> None:
        self.until(lambda: self.round is not None and self.round.phase == "betting")
        self.wei.does("place", self.table, box=1, bet="player", cents=50_000)
        self.mei.does("place", self.table, box=2, bet="banker", cents=40_000)
        self.until(lambda: self.round.phase == "dealing")
        asked = self.wei.command("request-squeeze", self.table, cards=[1, 2, 3, 4, 5, 6])
        assert asked.status_code == (422 if self.table.startswith("mbs") else 200), asked.text

    def listen(self) -> None:
        """Take in all that has been sent to everybody."""
        newest = self.house.live(self.table).version
        for name, opened in self.streams.items():
            while self.versions[name] < newest:
                text = str(opened.recv(timeout=GUARD))
                self.told[name] += text
                self.versions[name] = msgspec.json.decode(text)["version"]

    def looks(self) -> Iterator[tuple[str, str, str]]:
        """Whatever anybody is told: who, where, and the text."""
        yield from answered(self.people, self.table)
        self.listen()
        for name, text in self.told.items():
            yield name, "stream", text

    def leaks(self) -> list[tuple[str, str, str]]:
        """Who is told where of a card that they may not see; it may be handed to somebody meanwhile."""
        hidden, looks = self.hidden(), list(self.looks())
        later = self.hidden()
        return [
            (name, where, card.value)
            for name, where, text in looks
            for card, holder in hidden.items()
            if card in later and name not in {holder, later[card]} and told_of(card, text)
        ]


def told_of(card: Card, text: str) -> bool:
    return re.search(rf"(?<![0-9A-Za-z]){card.value}(?![0-9A-Za-z])", text) is not None


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def night(
    request: pytest.FixtureRequest, house_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Night]:
    monkeypatch.setattr(sealed_shoes, "shuffled", lambda *_: ORDER)
    wanted = TABLES[request.param]
    with Served(house_path, wanted, clock=clock, pages=PAGES) as house, ExitStack() as stack:
        yield Night(house, clock, wanted.id, stack)


every_table = pytest.mark.parametrize("night", TABLES, indirect=True)
face_down = pytest.mark.parametrize("night", ["mbs-a", "cbi"], indirect=True)


@pytest.mark.gate("cbi")
@every_table
def test_face_down_cards_are_told_to_nobody(night: Night) -> None:
    """In every answer to everybody, as long as they lie there or somebody squeezes them."""
    night.bets()
    looked: set[tuple[bool, bool]] = set()
    give_up = time.monotonic() + 3 * GUARD
    while night.round.phase != "settled":
        assert time.monotonic() < give_up, f"still {night.round}"
        hidden = night.hidden()
        held = {holder for holder in hidden.values() if holder}
        moment = len(night.round.cards) > 4, bool(held)
        if hidden and moment not in looked:
            looked.add(moment)
            assert night.leaks() == []
        for name in held:
            night.turns(name)
        night.passes()
    assert {(False, False), (False, True), (True, True)} <= looked
    shown = [
        one["card"] for one in night.people[NOBODY].get(f"/api/tables/{night.table}/rounds/1").json()["cards"]
    ]
    assert shown == [card.value for card in night.round.cards]
    night.listen()
    assert all(told_of(card, text) for card in night.round.cards for text in night.told.values()), (
        "now everybody knows"
    )


@pytest.mark.whole
@pytest.mark.parametrize("night", ["mbs-a"], indirect=True)
def test_the_search_finds_what_is_told(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    """A control: a log that hides nothing, and a view that shows everybody what one person holds."""
    night.bets()
    night.until(lambda: any(night.hidden().values()))
    assert night.leaks() == []
    monkeypatch.setattr("thirdcard.service.queries.redaction.covered", lambda *_, **__: False)
    monkeypatch.setattr(
        "thirdcard.service.tables.publish.own", lambda live, *_: {"cards": live.table.round.cards}
    )
    found = {(name, where.rpartition("/")[2]) for name, where, _ in night.leaks()}
    assert {("auditor", "log"), ("Mei", "mbs-a"), (NOBODY, "mbs-a")} <= found


@pytest.mark.parametrize("night", ["mbs-a"], indirect=True)
def test_the_chain_of_the_log_tells_no_card(night: Night) -> None:
    """With the hash of a record, and all of it but the card, 52 tries would find that; so it is not told."""
    night.bets()
    night.until(lambda: len(night.hidden()) >= 4)
    stored = night.house.hall.engine.store.read(night.table)
    drawn = next(place for place, record in enumerate(stored) if record.name == "card-drawn")
    assert guessed(stored[drawn - 1], stored[drawn]) == night.round.cards[0], "the danger is real"
    for name, where, text in night.looks():
        for record in stored[drawn:]:
            assert record.hash.hex()[:10] not in text, (name, where, record.name)
    lines = night.people["auditor"].get(f"/api/tables/{night.table}/log").json()
    assert lines[3]["hash"] == stored[3].hash.hex(), "earlier ones are"


def guessed(before: Record, secret: Record) -> Card | None:
    """What somebody finds out who knows everything of a record but its card."""
    known = msgspec.json.decode(secret.body)
    for card in Card:
        body = msgspec.json.encode({**known, "card": card.value})
        if chained(before.hash, msgspec.structs.replace(secret, body=body)) == secret.hash:
            return card
    return None


@face_down
def test_live_odds_tell_no_face_down_card(night: Night) -> None:
    path = f"/api/tables/{night.table}/odds"
    night.bets()
    fresh = {name: night.people[name].get(path).text for name in (NOBODY, "Mei", "dealer")}
    assert '"cards_left":416' in fresh[NOBODY]
    night.until(lambda: len(night.hidden()) >= 4)
    assert {name: night.people[name].get(path).text for name in fresh} == fresh


@face_down
def test_live_odds_tell_no_card_of_a_void_round(night: Night) -> None:
    """Cards that were never turned are as unknown in the next round as those in the shoe."""
    path = f"/api/tables/{night.table}/odds"
    night.bets()
    fresh = night.people[NOBODY].get(path).text
    night.until(lambda: len(night.hidden()) >= 4)
    night.people["shift-manager"].does("void", night.table, reason="the shoe fell over")
    assert night.people[NOBODY].get(path).text == fresh
    night.until(lambda: night.round.number == 2)
    assert night.people[NOBODY].get(path).text == fresh


@pytest.mark.parametrize("night", ["mbs-c"], indirect=True)
def test_undealt_cards_and_salt_are_told_to_nobody(night: Night) -> None:
    night.bets()
    night.until(lambda: night.round.cards)
    number, order = night.house.do(night.house.hall._order(night.house.live(night.table)))  # noqa: SLF001
    assert number == 1
    assert order.cards == ORDER
    drawn = set(night.round.cards)
    for name, where, text in night.looks():
        for card in (
            set(Card) - drawn if where.startswith("/api") or where == "stream" else ()
        ):  # pages give examples
            assert not told_of(card, text), (name, where, card)
        assert order.salt.hex() not in text
        assert format_cards(ORDER[10:13]) not in text
    kept = b"".join(path.read_bytes() for path in night.house.path.parent.iterdir() if path.is_file())
    assert order.salt not in kept
    assert order.salt.hex().encode() not in kept
    assert format_cards(ORDER[10:16]).encode() not in kept


@pytest.mark.parametrize("night", ["mbs-a"], indirect=True)
def test_cards_of_a_void_round_are_told_when_they_are_cleared_and_to_readers_of_logs_alone(
    night: Night,
) -> None:
    night.bets()
    night.until(lambda: len(night.hidden()) >= 4)
    never_turned = set(night.hidden())
    night.people["shift-manager"].does("void", night.table, reason="the shoe fell over")
    for name, where, text in shown_to(night.people, night.table):
        assert not [card for card in never_turned if told_of(card, text)], (name, where)
    lines = night.people["auditor"].get(f"/api/tables/{night.table}/log?after=10").json()
    assert {line["hash"] for line in lines if line["round"]} == {""}
    night.until(lambda: night.round.number == 2)
    told = set()
    for name, where, text in shown_to(night.people, night.table):
        if any(told_of(card, text) for card in never_turned):
            told.add((name, where.partition("?")[0]))
    assert {name for name, _ in told} == {"shift-manager", "auditor"}
    assert all("/log" in where or "/audit" in where for _, where in told)


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[tuple[Served, dict[str, Asking]]]:
    """A table dealt by hand, face down, from a device that reads cards; four lie there."""
    table = new_table("reading", slug=TBC, layout="C", method="face-down", device="reader")
    with Served(tmp_path / "house.db", table, pages=PAGES) as house:
        wei, mei = house.player("Wei", "reading", box=1), house.player("Mei", "reading", box=2)
        people = {"Wei": wei, "Mei": mei, **{role: house.as_(role) for role in (*WATCHING, "pit-supervisor")}}
        dealer = people["dealer"]
        for name in ("new-shoe", "open"):
            dealer.does(name, "reading")
        wei.does("place", "reading", box=1, bet="player", cents=50_000)
        dealer.does("close", "reading")
        for card in ("2C", "KD", "3H", "7S"):
            dealer.does("draw", "reading", card=card)
        yield house, people


def leaked(people: dict[str, Asking], *cards: str) -> list[tuple[str, str]]:
    """Who is told of one of the cards, and where."""
    return [
        (name, where)
        for name, where, text in shown_to(people, "reading")
        if any(told_of(Card(card), text) for card in cards)
    ]


def test_a_card_that_waits_unseen_is_told_to_nobody(reading: tuple[Served, dict[str, Asking]]) -> None:
    """It came out in excess, face down: it is the first of the next round, and bets are open before that."""
    house, people = reading
    dealer, supervisor = people["dealer"], people["pit-supervisor"]
    dealer.does("report", "reading", case="excess-or-exposed-cards", drawn=["8H"])
    assert leaked(people, "2C", "KD", "3H", "7S", "8H") == []
    supervisor.does("rule", "reading", inputs={"reconstructable": True})
    supervisor.does("choose", "reading", player="Wei", choice="continue")
    dealer.does("expose", "reading", cards=[1, 2, 3, 4])
    assert leaked(people, "8H") == []
    shoe = house.live("reading").table.shoe
    assert shoe is not None
    assert [one.name for one in shoe.waiting] == [Card("8H")]
    people["shift-manager"].does("void", "reading", reason="a lamp fell down")
    dealer.does("open", "reading")
    assert leaked(people, "8H") == []
    dealer.does("close", "reading")
    dealer.does("draw", "reading")
    assert leaked(people, "8H") == []
    for card in ("9D", "9S", "QC"):
        dealer.does("draw", "reading", card=card)
    dealer.does("expose", "reading", cards=[1, 2, 3, 4])
    assert {"Mei", NOBODY, "auditor"} <= {name for name, _ in leaked(people, "8H")}, "now everybody knows"


def test_an_amendment_tells_no_card_that_lies_face_down(reading: tuple[Served, dict[str, Asking]]) -> None:
    _, people = reading
    dealer = people["dealer"]
    dealer.does("expose", "reading", cards=[1, 3])
    for guess in ("KD", "9C"):
        tried = dealer.command("amend", "reading", cards=["2C", guess, "4H", "7S"], reason="misread")
        assert is_problem(tried, 422)
        assert tried.json()["code"] == "card-not-seen", "right or wrong, it is refused in the same words"
    dealer.does("amend", "reading", cards=["2C", None, "4H", None], reason="misread")
    assert leaked(people, "KD", "7S") == []
    people["pit-supervisor"].does("confirm-amendment", "reading")
    assert leaked(people, "KD", "7S") == []
    assert told_of(Card("4H"), people[NOBODY].get("/api/tables/reading").text)


def test_every_field_that_can_hold_a_card_is_left_out_of_a_covered_log() -> None:
    """Whoever adds an event with cards need not think of it."""
    found = {name: fields for name, fields in CARD_FIELDS.items() if fields}
    assert found == {
        "checkpointed": ("sha256",),
        "card-drawn": ("card",),
        "cards-exposed": ("names",),
        "cards-corrected": ("cards",),
        "amendment-proposed": ("proposal",),
        "cards-amended": ("cards", "waiting"),
        "record-amended": ("changes",),
        "round-voided": ("waiting",),
        "irregularity-reported": ("pending",),
        "irregularity-ruled": ("inputs",),
        "cards-laid": ("cards", "waiting", "out"),
        "cards-reconstructed": ("cards", "waiting", "out"),
    }


# Other people -------------------------------------------------------------------------------------------


@pytest.fixture
def played(house_path: Path) -> Iterator[Served]:
    """Wei and Mei have played a round at a staffed table; their money is unlike any other number there."""
    with Served(house_path) as house:
        wei, mei = house.player("Wei", box=1, cents=7_777_700), house.player("Mei", box=2, cents=3_333_300)
        house.tokens |= {"Wei": wei.token, "Mei": mei.token}
        dealer = house.as_("dealer")
        dealer.does("new-shoe")
        dealer.does("open")
        wei.does("place", box=1, bet="player", cents=100_000)
        dealer.does("close")
        for card in ("9C", "4D", "KH", "AS"):
            dealer.does("draw", card=card)
        dealer.does("settle")
        yield house


RACKS = ("7877700", "7777700", "7677700")


def test_a_rack_is_seen_by_its_owner_and_by_staff(played: Served) -> None:
    """Nor is it told in a refusal, in what the others may do, or in what they are sent."""
    mei = Asking(played, played.tokens["Mei"])
    others = [mei, played.as_(NOBODY), played.as_("guest"), played.as_("player")]
    paths = [
        "/api/tables", "/api/tables/one", "/api/tables/one/summary", "/api/tables/one/rounds", "/api/tables/one/rounds/1",
        "/api/tables/one/legal", "/api/tables/one/legal?player=Wei", "/api/tables/one/why?player=Wei", "/api/tables/one/statements/Wei", "/api/tables/one/statement",
        "/api/tables/one/log", "/api/me/rounds", "/api/tables/one/shoes", "/metrics", "/api/accounts", "/api/significant-events",
    ]  # fmt: skip
    for person in others:
        for path in paths:
            told = person.get(path).text
            assert not [rack for rack in RACKS if rack in told], path
        with person.stream() as opened:
            assert "Wei" not in heard(opened)["you"].get("racks", {})
    tried = mei.command("place", box=1, bet="player", cents=100_000, player="Wei")
    assert is_problem(tried, 422)
    assert not [rack for rack in (*RACKS, "77,777", "78,777") if rack in tried.text]
    own = Asking(played, played.tokens["Wei"]).get("/api/tables/one").json()["you"]["racks"]
    assert own == {"Wei": 7_877_700}
    assert played.as_("dealer").get("/api/tables/one").json()["you"]["racks"] == {
        "Wei": 7_877_700,
        "Mei": 3_333_300,
    }


def test_what_the_dealer_wrote_to_the_pit_is_for_staff_alone(played: Served) -> None:
    assert played.as_("dealer").post("/api/tables/one/call", {"note": "Wei shouts"}).status_code == 200
    told = {
        role: [
            person.get("/api/tables").json()[0]["house"]["called"],
            person.get("/api/tables/one/summary").json()["house"]["called"],
        ]
        for role in (NOBODY, "guest", "player", "auditor", "dealer", "pit-supervisor")
        if (person := played.as_(role))
    }
    staff = dict.fromkeys(("dealer", "pit-supervisor"), ["Wei shouts"] * 2)
    assert told == dict.fromkeys(told, ["called"] * 2) | staff
    played.as_("pit-supervisor").post("/api/tables/one/call/answer")


def test_who_is_no_longer_staff_sees_what_everybody_does(played: Served) -> None:
    """The table knows Pat as its pit manager; the house, as an auditor by now."""
    manager = Asking(played, played.account("Pat", "pit-manager"))
    manager.does("change-setup", changes={"cut": 20})
    assert "Wei" in manager.get("/api/tables/one").json()["you"]["racks"]
    played.hall.people.set_role("Pat", "auditor")
    auditor = Asking(played, played.sign_in("Pat"))
    assert played.live().table.staff["Pat"] == "pit-manager"
    assert auditor.get("/api/tables/one").json()["you"] == {}
    with auditor.stream() as opened:
        assert heard(opened)["you"] == {}
    assert auditor.get("/api/tables/one/legal", player="Wei").json() == []


def test_a_reason_is_told_to_those_alone_who_read_the_record(played: Served) -> None:
    """What everybody hears is a sentence of ours."""
    dealer, manager = played.as_("dealer"), played.as_("shift-manager")
    others = [
        played.as_(NOBODY),
        played.as_("guest"),
        *(played.as_(played.tokens[one]) for one in ("Wei", "Mei")),
    ]
    before = played.versions()["one"]
    dealer.does("open")
    dealer.does("close")
    for card in ("9C", "4D"):
        dealer.does("draw", card=card)
    dealer.does("amend", cards=["9C", "5D"], reason="a private amendment")
    told = [one.get("/api/tables/one").text for one in others]
    assert dealer.get("/api/tables/one").json()["you"]["amendment"]["reason"] == "a private amendment"
    manager.does("drop-amendment", reason="a private drop")
    dealer.does("report", case="other-dealing-error")
    manager.does("rule", inputs={"reason": "a private ruling"})
    dealer.does("report", case="not-covered")
    manager.does("rule", inputs={"action": "void", "reason": "a private decision"})
    number = played.live().table.rounds
    for one in others:
        told += [
            one.get(f"/api/tables/one{path}").text
            for path in ("", "/summary", "/rounds", f"/rounds/{number}")
        ]
        with one.stream(after=before) as opened:
            while msgspec.json.decode(told[-1]).get("version") != played.versions()["one"]:
                told.append(str(opened.recv(timeout=GUARD)))
    assert "round-void" in "".join(told)
    assert not [text for text in told if "a private" in text]
    log = played.as_("auditor").get("/api/tables/one/log", after=before).text
    for reason in ("amendment", "drop", "ruling", "decision"):
        assert f"a private {reason}" in log


def test_rounds_of_ones_own(played: Served) -> None:
    """Who has not bet has no rounds; nobody asks for another's."""
    rounds = {
        name: [
            one["number"]
            for one in Asking(played, played.tokens[name]).get("/api/me/rounds").json()["rounds"]
        ]
        for name in ("Wei", "Mei")
    }
    assert rounds == {"Wei": [1], "Mei": []}
    mei = Asking(played, played.tokens["Mei"])
    assert mei.get("/api/me/rounds?player=Wei&name=Wei").json()["rounds"] == []
    assert is_problem(mei.get("/api/tables/one/statements/Wei"), 403)
    assert is_problem(mei.get("/api/tables/one/statements/wei"), 403)


def test_acting_for_somebody_else(played: Served) -> None:
    """Players do nothing in another's name, whatever they write into the command."""
    mei, before = Asking(played, played.tokens["Mei"]), played.versions()
    tries: list[dict[str, object]] = [
        {"command": "place", "box": 1, "bet": "player", "cents": 1000, "player": "Wei"},
        {"command": "take-back", "box": 1, "bet": "player", "player": "Wei"},
        {"command": "insure", "box": 1, "hand": "player", "cents": 1000, "player": "Wei"},
        {"command": "choose", "choice": "return", "player": "Wei"},
        {"command": "cash-out", "cents": 1000, "by": "Wei"},
        {"command": "remove", "player": "Wei", "box": 1, "bet": "player", "cents": 1000},
        {"command": "record-chips", "player": "Wei", "box": 1, "bet": "player", "cents": 0},
        {"command": "void", "reason": "I lost"},
        {"command": "correct", "cards": ["9C", "4D", "KH", "9S"], "reason": "I lost"},
    ]
    for body in tries:
        assert is_problem(mei.post("/api/tables/one/commands", body), 400, 422), body
    assert played.versions() == before


def test_the_same_key_of_somebody_else_is_another_key(played: Served) -> None:
    """Nobody reads another's answer by guessing a key."""
    wei, mei = (Asking(played, played.tokens[name]) for name in ("Wei", "Mei"))
    first = wei.command("buy-in", cents=10_000, key="the-same")
    second = mei.command("buy-in", cents=10_000, key="the-same")
    assert (first.status_code, second.status_code) == (200, 200)
    assert second.json()["version"] == first.json()["version"] + 1


def test_metrics_and_logs_name_nobody(played: Served, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    wei = Asking(played, played.tokens["Wei"])
    for path in ("/api/tables/one", "/api/me", "/nothing", "/api/tables/one/statements/Wei"):
        wei.get(path)
    with wei.stream() as opened:
        heard(opened)
    told = played.as_(NOBODY).get("/metrics").text
    assert "thirdcard_rounds_total" in told
    ours = [
        record for record in caplog.records if not record.name.startswith(("httpx", "httpcore", "websockets"))
    ]
    logged = " ".join(record.getMessage() for record in ours)
    for name in ("Wei", "Mei", "dealer-1", *played.tokens.values()):
        assert name not in told
        assert name not in logged


def test_accounts_show_no_secret(played: Served) -> None:
    told = played.as_("administrator").get("/api/accounts").json()
    known = {"name", "role", "created", "disabled", "locked", "codes", "pin", "deals_at"}
    assert {key for one in told for key in one} == known
    assert "argon" not in str(told)
