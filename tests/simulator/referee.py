"""What must hold whatever happens, worked out from what was committed, asked, answered and sent.

The referee reads stored events as plain JSON and keeps books of its own: nothing here folds, decides, settles or
draws a view as the service does. It hears of a commit when it is made, of an answer or a message when a browser
gets it. The first thing that is wrong ends the run.
"""

import re
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from simulator.world import Process, World
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.log.store.model import JOURNAL, Append, Done, PostingRow, Record, Result

CARD = re.compile(r'"([A23456789TJQK][SHDC])"')
HALF, COMMISSION = Fraction(1, 2), Fraction(19, 20)
ON_SIX = ("rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4")
UNKEYED = frozenset(  # what staff ask for without a key
    {"table-created", "table-opened", "table-closed", "table-reopened", "pace-changed", "supervisor-called"}
    | {"supervisor-came", "dealer-signed-on", "dealer-signed-off"}
)
DEALING = frozenset({"shoe-started", "bets-opened", "card-drawn"})
MOVES_WALLETS = frozenset({"bought-in", "cashed-out", "wallet-granted"})
PUT_RIGHT = frozenset({"settlement-reversed", "cards-corrected", "record-amended", "decided-settled"})
REFUSALS_KEPT = 14 * 60.0  # seconds for which a refusal is the same each time
RECENT = 1_500  # versions of which views are compared
WELL_FOR = 10.0  # seconds after which a process has caught up
STORY = 400  # lines of the trace that are kept
LATE_SECONDS = 5.0
TAKEN_OVER = 6.0  # seconds until another process deals where one is gone
decode = msgspec.json.decode


class Ask(msgspec.Struct, kw_only=True):
    """Something that a browser asked, however often, and what came of it."""

    actor: str
    key: str
    table: str
    bodies: list[bytes]
    first: float
    answer: tuple[bytes, int, bytes] | None = None  # the body it belongs to, the status and what was said


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What the store keeps as the answer to a key."""

    table: str
    version: int
    events: tuple[str, ...]
    refused: str
    at: float


class Timer(msgspec.Struct, frozen=True):
    """`sick` is how long that had lasted when it was started."""

    name: str
    key: str
    seconds: float
    at: float
    sick: float = 0.0


class Lasting:
    """For how many seconds something has held, all in all."""

    def __init__(self, world: World) -> None:
        self._world, self._sum, self._since = world, 0.0, -1.0

    def holds(self, now: bool) -> None:  # noqa: FBT001 - it does or does not
        if self._since >= 0:
            self._sum += self._world.now - self._since
        self._since = self._world.now if now else -1.0

    def seconds(self) -> float:
        return self._sum + (self._world.now - self._since if self._since >= 0 else 0.0)


Lying = tuple[
    tuple[str | None, bool, str], ...
]  # of each card of the round its name, whether it shows, its holder


class History:
    """A value by version."""

    def __init__(self, first: Any) -> None:  # noqa: ANN401
        self._versions, self._values = [0], [first]

    def put(self, version: int, value: Any) -> None:  # noqa: ANN401
        if value != self._values[-1]:
            self._versions.append(version)
            self._values.append(value)

    def at(self, version: int) -> Any:  # noqa: ANN401
        return self._values[bisect_right(self._versions, version) - 1]


class Wrong(Exception):  # noqa: N818 - what was found
    pass


def _outside(player: str) -> str:
    """Where a player's chips come from: walk-ins bring cash."""
    return "cash" if player.startswith("W-") else f"wallet:{player}"


def hold(condition: object, what: str) -> None:
    if not condition:
        raise Wrong(what)


class Book:
    """One table as its log tells it, in the referee's own words."""

    def __init__(self, name: str, world: World) -> None:
        self.name, self.world = name, world
        self.version = 0
        self.names: list[tuple[str, str]] = []  # of every event, and who asked for it
        self.balances: Counter[str] = Counter()
        self.racks: dict[str, History] = {}
        self.players = History(frozenset())
        self.stakes: dict[tuple[str, int, str], int] = {}
        self.rounds = 0
        self.phase = ""
        self.put_right = self.relaid = False
        self.rulebook = ""
        self.automatic = self.closed = self.held_up = False
        self.dealer = ""  # on duty
        self.lying: Lying = ()
        self.hands: list[str] = []
        self.cards = History(((), frozenset()))  # how they lie, and names that everybody has seen of late
        self.seen_before: frozenset[str] = frozenset()
        self.waiting: frozenset[str] = frozenset()
        self.drawn: Counter[str] = Counter()  # from the shoe in use
        self.out = 0
        self.shoes: set[int] = set()
        self.timer: Timer | None = None
        self.moved: Counter[str] = Counter()  # in this round, on each rack
        self.brought: Counter[str] = Counter()
        self.last_at = world.now
        self.finished_at = 0.0
        self.longest = 20.0  # seconds that people may have for something

    def rack(self, player: str, version: int) -> int:
        history = self.racks.get(player)
        return history.at(version) if history else 0

    # Events

    def see(self, record: Record, entries: Sequence[PostingRow]) -> dict[str, Any]:
        hold(record.version == self.version + 1, f"event {record.version} follows event {self.version}")
        body: dict[str, Any] = decode(record.body)
        hold(body["event"] == record.name, "an event is filed under another name")
        self._move(record.version, body, entries)
        self.version, self.last_at = record.version, self.world.now
        self.names.append((record.name, record.by))
        act = getattr(self, "_" + record.name.replace("-", "_"), None)
        if act is not None:
            act(body)
        if record.name in PUT_RIGHT:
            self.put_right = True
        if record.name in DEALING and not self.automatic and record.by not in self.players.at(record.version):
            hold(
                record.by == self.dealer, f"{record.name} by {record.by}, and {self.dealer or 'nobody'} deals"
            )
        public = frozenset(name for name, shows, _ in self.lying if name and shows)
        self.cards.put(record.version, (self.lying, public | self.seen_before | self.waiting))
        return body

    def _move(self, version: int, body: dict[str, Any], entries: Sequence[PostingRow]) -> None:
        postings = [(account, cents) for account, cents in body.get("postings", ())]
        hold(
            postings == [(one.account, one.cents) for one in entries],
            "the ledger is not what the event moved",
        )
        hold(not sum(cents for _, cents in postings), "money came from nowhere")
        for account, cents in postings:
            self.balances[account] += cents
            kind, _, name = account.partition(":")
            if kind == "rack":
                self.racks.setdefault(name, History(0)).put(version, self.balances[account])
                self.moved[name] += cents
            if kind in ("rack", "box"):
                hold(self.balances[account] >= 0, f"{account} is below zero")

    def _told(self, body: dict[str, Any], expected: dict[str, int]) -> None:
        """The postings are these, unless somebody owes the House."""
        moved = dict(body.get("postings", ()))
        if not any(account.startswith("owed:") for account in moved):
            wanted = {account: cents for account, cents in expected.items() if cents}
            hold(moved == wanted, f"{body['event']} moved {moved}, not {wanted}")

    def _table_created(self, body: dict[str, Any]) -> None:
        self.automatic = body["dealer"] == "automatic"
        self._pace_changed(body)

    def _dealer_signed_on(self, body: dict[str, Any]) -> None:
        hold(not self.dealer, f"{body['dealer']} signs on beside {self.dealer}")
        self.dealer = body["dealer"]

    def _dealer_signed_off(self, body: dict[str, Any]) -> None:
        hold(self.dealer == body["dealer"], f"{body['dealer']} signs off and did not deal")
        self.dealer = ""

    def _pace_changed(self, body: dict[str, Any]) -> None:
        pace = {"betting": 20_000, "choice": 30_000, "squeeze": 15_000, "insurance": 12_000, **body["pace"]}
        self.longest = max(pace.values()) / 1000

    def _table_opened(self, body: dict[str, Any]) -> None:
        self.rulebook = body["setup"]["rulebook"]

    def _rulebook_changed(self, _: dict[str, Any]) -> None:
        self.rulebook = ""

    def _table_closed(self, _: dict[str, Any]) -> None:
        self.closed = True

    def _table_reopened(self, _: dict[str, Any]) -> None:
        self.closed = False

    def _player_joined(self, body: dict[str, Any]) -> None:
        self.players.put(self.version, self.players.at(self.version) | {body["player"]})

    def _player_left(self, body: dict[str, Any]) -> None:
        hold(
            body.get("cents", 0) == self.balances[f"rack:{body['player']}"],
            "somebody leaves with another rack",
        )
        self.players.put(self.version, self.players.at(self.version) - {body["player"]})

    def _bought_in(self, body: dict[str, Any]) -> None:
        cents = body["cents"]
        self._told(body, {_outside(body["player"]): -cents, f"rack:{body['player']}": cents})
        self.brought[body["player"]] += cents

    def _cashed_out(self, body: dict[str, Any]) -> None:
        cents = body["cents"]
        self._told(body, {_outside(body["player"]): cents, f"rack:{body['player']}": -cents})
        self.brought[body["player"]] -= cents

    # Shoes and cards

    def _shoe_started(self, body: dict[str, Any]) -> None:
        self.drawn, self.out, self.waiting = Counter(), 0, frozenset()
        hold(body["number"] not in self.shoes, "a shoe comes twice")
        self.shoes.add(body["number"])
        self.decks = body["size"] // 52

    def _shoe_revealed(self, body: dict[str, Any]) -> None:
        """What was dealt of it is what it began with, however it lay afterwards."""
        order = body["cards"].split()
        first = Counter(order[: self.out])
        hold(len(order) == self.decks * 52, "a shoe has other cards than its decks")
        hold(
            set(Counter(order).values()) == {self.decks},
            "a card is in a shoe more or less often than its decks",
        )
        for name, many in self.drawn.items():
            hold(many <= first[name], f"{name} was dealt {many} times, but the shoe began with {first[name]}")

    def _card_drawn(self, body: dict[str, Any]) -> None:
        name, waited = body.get("card"), self.waiting
        self.out += 1
        if name and not waited and not self.relaid:
            self.drawn[name] += 1
            hold(self.drawn[name] <= self.decks, f"{name} came out more often than there are decks")
        self.lying += ((name, body["face_up"], ""),)
        self.hands.append(body["hand"])

    def _cards_exposed(self, body: dict[str, Any]) -> None:
        names = {int(place): name for place, name in body.get("names", {}).items()}
        for place in body["places"]:
            name = self.lying[place - 1][0]
            if place in names and not self.relaid and not self.waiting:
                self.drawn[names[place]] += 1
            self._lay(place, (names.get(place, name), True, ""))

    def _cards_handed(self, body: dict[str, Any]) -> None:
        for place in body["places"]:
            self._lay(place, (*self.lying[place - 1][:2], body["player"]))

    def _cards_retrieved(self, body: dict[str, Any]) -> None:
        for place in body["places"]:
            self._lay(place, (*self.lying[place - 1][:2], ""))

    def _cards_refused(self, body: dict[str, Any]) -> None:
        """Whoever refuses a hand gives back what they hold of it."""
        for place, (name, shows, holder) in enumerate(self.lying, start=1):
            if holder == body["player"] and self.hands[place - 1 : place] in ([], [body["hand"]]):
                self._lay(place, (name, shows, ""))

    def _lay(self, place: int, card: tuple[str | None, bool, str]) -> None:
        self.lying = (*self.lying[: place - 1], card, *self.lying[place:])

    def _cards_laid(self, body: dict[str, Any]) -> None:
        self.relaid = True
        self.lying = tuple(
            (one.get("name"), one.get("face_up", False), one.get("holder", "")) for one in body["cards"]
        )
        self._wait(body["waiting"])

    _cards_amended = _cards_laid

    def _wait(self, waiting: list[dict[str, Any]]) -> None:
        self.waiting = frozenset(one["name"] for one in waiting if one.get("face_up") and one.get("name"))

    def _irregularity_reported(self, body: dict[str, Any]) -> None:
        """Whatever somebody says that everybody has seen, everybody has."""
        pending = body["pending"]
        self.held_up, self.relaid = True, True
        for place in pending.get("shown", ()):
            if place <= len(self.lying):
                name, _, holder = self.lying[place - 1]
                self._lay(place, (pending.get("names", {}).get(str(place), name), True, holder))
        self.seen_before |= {name for name in pending.get("drawn", ()) if name}

    def _irregularity_closed(self, _: dict[str, Any]) -> None:
        self.held_up = False

    _report_dismissed = _amendment_dropped = _record_amended = _irregularity_closed

    def _amendment_proposed(self, body: dict[str, Any]) -> None:
        self.held_up = True
        self.seen_before |= {name for name in body["proposal"].get("cards", ()) if name}

    # A round

    def _bets_opened(self, body: dict[str, Any]) -> None:
        hold(self.phase in ("", "settled", "void"), f"round {self.rounds} has not ended")
        hold(body["number"] == self.rounds + 1, f"round {body['number']} follows round {self.rounds}")
        self.rounds, self.phase = body["number"], "betting"
        self.seen_before = frozenset(name for name, shows, _ in self.lying if name and shows)
        self.lying, self.hands = (), []
        self.stakes, self.moved, self.brought = {}, Counter(), Counter()
        self.put_right = self.relaid = self.held_up = False

    def _bets_reopened(self, _: dict[str, Any]) -> None:
        self.phase, self.relaid = "betting", True
        self.seen_before |= {name for name, shows, _ in self.lying if name and shows}
        self.lying, self.hands = (), []

    def _bets_closed(self, _: dict[str, Any]) -> None:
        self.phase = "dealing"

    def _stake_set(self, body: dict[str, Any]) -> None:
        stake, before = body["stake"], body["before"]
        where = (stake["player"], stake["box"], stake["bet"])
        hold(
            self.stakes.get(where, 0) == before,
            f"there lay {self.stakes.get(where, 0)} on {where}, not {before}",
        )
        self.stakes[where] = stake["cents"]
        more = stake["cents"] - before
        self._told(body, {f"rack:{stake['player']}": -more, f"box:{stake['box']}": more})

    def _insurance_bought(self, body: dict[str, Any]) -> None:
        bought = body["purchase"]
        moved = dict(body["postings"])
        hold(
            moved.get(f"rack:{bought['player']}", 0) in (-bought["cents"], 0),
            "insurance costs something else",
        )

    def _choice_made(self, body: dict[str, Any]) -> None:
        for box, bet, player in (key.split("/", 2) for key in body.get("returned", ())):
            del self.stakes[player, int(box), bet]

    def _decided_settled(self, body: dict[str, Any]) -> None:
        for line in body["lines"]:
            self.stakes.pop((line["player"], line["box"], line["bet"]), None)

    def _timer_started(self, body: dict[str, Any]) -> None:
        self.timer = Timer(body["timer"], body["key"], body["ms"] / 1000, self.world.now)

    def _round_voided(self, _: dict[str, Any]) -> None:
        self.lying = tuple((name, shows, "") for name, shows, _ in self.lying)
        self._end("void", {})

    def _round_settled(self, body: dict[str, Any]) -> None:
        settled = body["settlement"]
        totals = {"player": settled["player"], "banker": settled["banker"]}
        most = max(totals, key=lambda hand: totals[hand])
        outcome = "tie" if totals["player"] == totals["banker"] else most
        hold(settled["outcome"] == outcome, f"{totals} is not {settled['outcome']}")
        if not self.relaid and all(name for name, _, _ in self.lying):
            hold(self._points() == totals, f"the cards come to {self._points()}, not {totals}")
        nets: Counter[str] = Counter()
        for line in settled["lines"]:
            nets[line["player"]] += line["net"]
            if line.get("window") is None:
                self._check_line(line, outcome, totals["banker"])
        self._end("settled", nets)

    def _points(self) -> dict[str, int]:
        points = {"player": 0, "banker": 0}
        for hand, (name, _, _) in zip(self.hands, self.lying, strict=True):
            points[hand] += "A23456789".find((name or "")[0]) + 1
        return {hand: total % 10 for hand, total in points.items()}

    def _check_line(self, line: dict[str, Any], outcome: str, banker: int) -> None:
        """The three bets that every game has."""
        bet, result = line["bet"], line["result"]
        if bet not in ("player", "banker", "tie") or result == "returned" or not self.rulebook:
            return
        played = line.get("played", line["stake"])
        if outcome == "tie" and bet != "tie":
            expected = 0
        elif bet != outcome:
            expected = -played
        elif bet == "player":
            expected = played
        elif bet == "tie":
            expected = 8 * played
        elif self.rulebook in ON_SIX:
            expected = played * (HALF if banker == 6 else 1)
        else:
            expected = played * COMMISSION
        hold(line["net"] == expected // 1, f"{bet} of {played} comes to {line['net']}, not {expected}")

    def _end(self, phase: str, nets: dict[str, int]) -> None:
        """Whoever played has what they had, and what they won or lost."""
        self.phase, self.held_up = phase, False
        self.finished_at = self.world.now
        owes = any(account.startswith("owed:") and cents for account, cents in self.balances.items())
        if self.put_right or owes:
            return
        for player in {*self.moved, *nets}:
            change = self.moved[player] - self.brought[player]
            hold(change == nets.get(player, 0), f"round {self.rounds} moved {change} of {player}, not {nets}")
        lying = {account: cents for account, cents in self.balances.items() if account.startswith("box:")}
        hold(not any(lying.values()), f"after round {self.rounds} chips lie on the layout: {lying}")


class Purses:
    """What everybody's wallet holds by the postings alone, whichever table or grant they are of."""

    def __init__(self) -> None:
        self.cents: Counter[str] = Counter()
        self.versions: Counter[str] = Counter()
        self._granted: set[tuple[str, str, int]] = set()

    def moved(self, append: Append) -> None:
        """An append has been written: its wallets are what its events make of them, and never below zero."""
        before, moved = dict(self.versions), set[str]()
        for record in append.records:
            body = decode(record.body)
            postings = [
                (name, cents) for name, cents in body.get("postings", ()) if name.startswith("wallet:")
            ]
            hold(not postings or record.name in MOVES_WALLETS, f"{record.name} moves a wallet")
            if record.name == "wallet-granted":
                self._grant(body)
            for account, cents in postings:
                name = account.removeprefix("wallet:")
                moved.add(name)
                self.cents[name] += cents
                self.versions[name] += 1
                hold(self.cents[name] >= 0, f"the wallet of {name} is below zero")
        hold(moved == {one.after.name for one in append.wallets}, f"wallets of {sorted(moved)} were moved")
        for one in append.wallets:
            name, after = one.after.name, one.after
            hold(one.expected == before.get(name, 0), f"the wallet of {name} was moved meanwhile")
            found = self.cents[name], self.versions[name]
            hold(
                (after.cents, after.version) == found,
                f"the wallet of {name} is written as {after}, not {found}",
            )

    def _grant(self, body: dict[str, Any]) -> None:
        """One opening for each, one daily grant a day, each balanced by what the house gives."""
        once = body["account"], body["why"], body["day"] if body["why"] == "daily" else 0
        hold(body["why"] == "fresh-start" or once not in self._granted, f"{once} is granted twice")
        self._granted.add(once)
        hold(not sum(cents for _, cents in body["postings"]), "money came from nowhere")


class Referee:
    """`found` is what went wrong; everybody tells it what they see."""

    def __init__(self, world: World, tell: Callable[[str], None] | None = None, *, shared: bool) -> None:
        self.world = world
        self._late = TAKEN_OVER if shared else 2.0  # seconds after which something is late
        self.found = ""
        self.books: dict[str, Book] = {}
        self.purses = Purses()
        self.asks: dict[tuple[str, str], Ask] = {}
        self.effects: dict[tuple[str, str], Effect] = {}
        self.views: dict[tuple[str, int], dict[str, bytes]] = {}
        self.owned: dict[tuple[str, int, str], dict[str, bytes]] = {}
        self._kept: deque[tuple[str, int]] = deque()
        self.counted: Counter[str] = Counter()
        self.health: dict[str, bool] = {}
        self.healthy_since: dict[str, float] = {}
        self.steady = True  # nobody has set a clock
        self._deaf: dict[str, bool] = {}
        self._deaf_then: dict[tuple[str, float], float] = {}  # when the time of a table's timer was up
        self.sick, self.deaf = Lasting(world), Lasting(world)  # somebody is not well; nobody can be reached
        self.story: deque[str] = deque(maxlen=STORY)
        self._say = tell

    def say(self, text: str) -> None:
        line = f"{self.world.now - 1000:9.3f}  {text}"
        self.story.append(line)
        if self._say is not None:
            self._say(line)

    def wrong(self, what: str) -> None:
        if not self.found:
            self.found = what
            self.say(f"VIOLATION: {what}")
            self.world.stop()

    def _judge(self, where: str, check: Callable[..., None], *args: Any) -> None:  # noqa: ANN401
        if self.found:
            return
        try:
            check(*args)
        except Wrong as error:
            self.wrong(f"{where}: {error}")
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, msgspec.MsgspecError) as error:
            self.wrong(f"{where}: cannot be followed: {error!r}")

    # Who is well

    def well(self, process: str, *, well: bool, deaf: bool) -> None:
        """Whether a process can do its work from now on, and whether nobody can reach anything by it."""
        if self.health.get(process) != well:
            self.healthy_since[process] = self.world.now
        self.health[process], self._deaf[process] = well, deaf
        self._told_of_health()

    def gone(self, process: str) -> None:
        self.health.pop(process, None)
        self._deaf.pop(process, None)

    def _told_of_health(self) -> None:
        self.sick.holds(not all(self.health.values()))
        self.deaf.holds(all(self._deaf.values()))

    # Commits

    def committed(self, process: Process, appends: Sequence[Append], results: Sequence[Result]) -> None:
        for append, result in zip(appends, results, strict=True):
            if isinstance(result, Done):
                self._judge(f"{append.stream}, written by {process.name}", self._written, process, append)

    def _written(self, process: Process, append: Append) -> None:
        self.counted["commits"] += 1
        self.purses.moved(append)
        if append.stream == JOURNAL:
            return
        book = self.books.setdefault(append.stream, Book(append.stream, self.world))
        first = book.version + 1
        hold(append.expected == book.version or not append.records, f"version {append.expected} was expected")
        rest = list(append.entries)
        for record in append.records:
            mine = [one for one in rest if one.version == record.version]
            rest = [one for one in rest if one.version != record.version]
            timer = book.timer
            body = book.see(record, mine)
            self.counted["events"] += 1
            self._play(record.name, body)
            self.say(
                f"{process.name} {append.stream} {record.version} {record.name} by {record.by}{_gist(body)}"
            )
            if book.timer is not None and book.timer is not timer:
                book.timer = msgspec.structs.replace(book.timer, sick=self.sick.seconds())
                outside = self.world.outside.context()
                self.world.call_later(
                    book.timer.seconds, self._time_is_up, book.name, book.timer.at, context=outside
                )
            if timer is not None and record.name in ("bets-closed", "insurance-closed"):
                self._check_timer(book, timer, record.name)
        hold(not rest, "postings without an event")
        covered = self._answers(book, append, first)
        for version in range(first, book.version + 1):
            name, by = book.names[version - 1]
            if by != SYSTEM and name not in UNKEYED:
                hold(version in covered, f"event {version} ({name} by {by}) has no answer kept with it")

    def _play(self, name: str, body: dict[str, Any]) -> None:
        """How much people play: storms over tables where nobody bets show little."""
        if name == "stake-set":
            self.counted["stakes"] += 1
        elif name == "insurance-bought":
            self.counted["insured"] += 1
        elif name == "round-settled":
            self.counted["paid"] += sum(line["net"] > 0 for line in body["settlement"]["lines"])
        elif name == "round-voided":
            self.counted["refunded"] += bool(body.get("postings"))

    def _answers(self, book: Book, append: Append, first: int) -> set[int]:
        covered: set[int] = set()
        for kept in append.answers:
            told = decode(kept.answer)
            names, version = tuple(told.get("events", ())), told["version"]
            refused = told["refusal"]["code"] if told.get("refusal") else ""
            before = self.effects.get((kept.actor, kept.key))
            forgotten = (
                before is not None and bool(before.refused) and self.world.now - before.at > REFUSALS_KEPT
            )
            hold(before is None or forgotten, f"key {kept.key} of {kept.actor} has an effect again")
            versions = range(version - len(names) + 1, version + 1)
            hold(not covered.intersection(versions), "two answers speak of one event")
            for place, name in zip(versions, names, strict=True):
                hold(first <= place <= book.version, f"an answer speaks of event {place}, which is not new")
                hold(
                    book.names[place - 1] == (name, kept.actor),
                    f"event {place} is not {name} by {kept.actor}",
                )
            covered.update(versions)
            self.effects[kept.actor, kept.key] = Effect(
                table=book.name, version=version, events=names, refused=refused, at=self.world.now
            )
        return covered

    def _check_timer(self, book: Book, timer: Timer, closed: str) -> None:
        """People have the time that they were told, and could use it; and no more, unless something held it up.

        Where people deal, the dealer says when it is over.
        """
        if (
            not self.steady
            or not book.automatic
            or {"betting": "bets-closed", "insurance": "insurance-closed"}.get(timer.name) != closed
        ):
            return
        took = self.world.now - timer.at
        if timer.name == "betting":
            hold(took > timer.seconds - 0.1, f"bets were closed after {took:.1f} s of {timer.seconds}")
        deaf = self.deaf.seconds() - self._deaf_then.get((book.name, timer.at), self.deaf.seconds())
        hold(
            deaf < LATE_SECONDS + 1.5,
            f"{closed}, though nobody could be reached for {deaf:.1f} s when the time was up",
        )
        late = took - timer.seconds - (self.sick.seconds() - timer.sick)
        hold(late < self._late, f"{closed} came {late:.1f} s late, and nothing was wrong")

    def _time_is_up(self, table: str, at: float) -> None:
        self._deaf_then[table, at] = self.deaf.seconds()

    # Answers

    def asked(self, actor: str, key: str, table: str, body: bytes) -> None:
        ask = self.asks.get((actor, key))
        if ask is None:
            ask = self.asks[actor, key] = Ask(
                actor=actor, key=key, table=table, bodies=[], first=self.world.now
            )
        if body not in ask.bodies:
            ask.bodies.append(body)
        self.counted["requests"] += 1

    def answered(self, actor: str, key: str, body: bytes, status: int, said: bytes) -> None:
        self.counted["answers"] += 1
        self._judge(f"answer to {actor} {key}", self._answered, self.asks[actor, key], body, status, said)

    def _answered(self, ask: Ask, body: bytes, status: int, said: bytes) -> None:
        hold(status != 500, f"a fault: {said!r}")
        if status == 409:
            hold(len(ask.bodies) > 1, "the key is said to be used for something else")
            return
        if status not in (200, 422):
            hold(status < 500 or status == 503, f"status {status}: {said!r}")
            return
        told = decode(said)
        effect = self.effects.get((ask.actor, ask.key))
        hold(effect is not None, f"answered {status} {said!r}, but nothing is kept")
        assert effect is not None
        if status == 200:
            hold(not effect.refused, f"accepted, though it was refused: {effect.refused}")
            found = (told["version"], tuple(told["events"]))
            hold(found == (effect.version, effect.events), f"answered {found}, kept {effect}")
        else:
            hold(told["code"] == effect.refused, f"refused by {told['code']}, kept {effect}")
        same = (body, status, said)
        if ask.answer is not None and ask.answer != same:
            old = status == 422 and self.world.now - ask.first > REFUSALS_KEPT
            hold(ask.answer[0] == body, "two different requests with one key were both decided")
            hold(old, f"another answer to the same key: {ask.answer[2]!r}, then {said!r}")
        ask.answer = same

    # Messages

    def sees(self, table: str, viewer: str, staff: bool, version: int, text: str, public: dict[str, bytes],  # noqa: FBT001, PLR0913, PLR0917
             own: dict[str, bytes] | None) -> None:  # fmt: skip
        """A browser has laid a message over what it had: this is what it shows now."""
        self.counted["messages"] += 1
        self._judge(
            f"{viewer or 'nobody'} at {table}, version {version}",
            self._seen, table, viewer, staff, version, text, public, own,
        )  # fmt: skip

    def _seen(self, table: str, viewer: str, staff: bool, version: int, text: str, public: dict[str, bytes],  # noqa: FBT001, PLR0913, PLR0917
              own: dict[str, bytes] | None) -> None:  # fmt: skip
        book = self.books[table]
        hold(version <= book.version, f"shown before it is durable: the log ends at {book.version}")
        first = self.views.setdefault((table, version), public)
        if first is public:
            self._keep(table, version)
        elif first != public:
            self._same(first, public, "everybody's view")
        lying, names = book.cards.at(version)
        allowed = names | {name for name, _, holder in lying if name and holder == viewer and viewer}
        self._check_cards(decode(public["cards"]), lying, "")
        if own is not None:
            mine = self.owned.setdefault((table, version, viewer), own)
            if mine is not own and mine != own:
                self._same(mine, own, "what is one's own")
            if "cards" in own:
                self._check_cards(decode(own["cards"]), lying, viewer)
            self._check_racks(book, viewer, staff, version, own)
        for name in CARD.findall(text):
            known = name in allowed or self._lately(book, version, name, viewer)
            hold(known, f"{name} is told, which nobody has turned")

    @staticmethod
    def _lately(book: Book, version: int, name: str, viewer: str) -> bool:
        """What is told of several steps may speak of cards that lay there a moment ago."""
        for before in range(version, max(version - 60, 0), -1):
            lying, names = book.cards.at(before)
            if name in names or any(one == name and holder == viewer for one, _, holder in lying if viewer):
                return True
        return False

    @staticmethod
    def _check_cards(shown: list[dict[str, Any]], lying: Lying, viewer: str) -> None:
        hold(len(shown) == len(lying), f"{len(shown)} cards are shown, {len(lying)} lie there")
        for seen, (name, shows, holder) in zip(shown, lying, strict=True):
            may = shows or bool(viewer and holder == viewer)
            hold(
                seen["card"] == (name if may else None),
                f"{seen} where {name} lies, shown: {shows}, in hands of {holder!r}",
            )

    @staticmethod
    def _check_racks(book: Book, viewer: str, staff: bool, version: int, own: dict[str, bytes]) -> None:  # noqa: FBT001
        racks: dict[str, int] = decode(own["racks"]) if "racks" in own else {}
        hold(staff or set(racks) == book.players.at(version) & {viewer}, f"sees the racks of {sorted(racks)}")
        for player, cents in racks.items():
            hold(
                cents == book.rack(player, version),
                f"{player} is shown {cents}, has {book.rack(player, version)}",
            )

    @staticmethod
    def _same(one: dict[str, bytes], other: dict[str, bytes], what: str) -> None:
        for name in {*one, *other}:
            if one.get(name) != other.get(name):
                known, new = (decode(x[name]) if name in x else None for x in (one, other))
                hold(known == new, f"{what} differs in {name}: {known} and {new}")

    def _keep(self, table: str, version: int) -> None:
        self._kept.append((table, version))
        if len(self._kept) > RECENT:
            old = self._kept.popleft()
            self.views.pop(old, None)
            for key in [key for key in self.owned if key[:2] == old] if len(self.owned) > 10 * RECENT else ():
                self.owned.pop(key, None)

    def goes_on(self, table: str, viewer: str, had: int, since: int | None, version: int) -> None:
        """Each change begins where the last one ended."""

        def check() -> None:
            hold(
                since == had and version >= had,
                f"the change from {since} to {version} comes after version {had}",
            )

        self._judge(f"{viewer or 'nobody'} at {table}", check)

    def goes_back(self, table: str, viewer: str, process: str, had: int, version: int) -> None:
        """Who comes back sees nothing older than before, unless the process was cut off from the store."""
        well = self.health.get(process) and self.world.now - self.healthy_since[process] > WELL_FOR
        if well:
            self.wrong(
                f"{viewer or 'nobody'} at {table} had version {had}, and {process} shows version {version}"
            )


def _gist(body: dict[str, Any]) -> str:
    told = [
        f"{name}={value}" for name, value in body.items() if isinstance(value, int | str) and name != "event"
    ]
    return f" ({', '.join(told)[:90]})" if told else ""
