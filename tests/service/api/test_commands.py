"""Commands by POST and over the socket: the same keys, answers and refusals; several are done whole or not at all."""

import random
import uuid
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection

from service.api.serving import NOBODY, Asking, Served, heard, is_problem, settles
from service.clocks import FakeClock
from thirdcard.service.api import server
from thirdcard.service.api.bodies import MOST_TOGETHER
from thirdcard.service.api.gate import Rates
from thirdcard.words import languages
from thirdcard.words.saying import in_words, say, whole

pytestmark = pytest.mark.server

COMMANDS = "/api/tables/one/commands"
PLACE = {"command": "place", "box": 1, "bet": "player", "cents": 1_000}
TOO_MUCH = {**PLACE, "cents": 10**12}


@pytest.fixture
def house(house_path: Path) -> Iterator[Served]:
    """Bets are open."""
    with Served(house_path) as made:
        opens(made)
        yield made


@pytest.fixture(scope="module")
def seated(served: Served) -> Asking:
    """Somebody in the first box of the module's house, where bets are open."""
    opens(served)
    return served.player("Wei", box=1)


def opens(house: Served) -> None:
    dealer = house.as_("dealer")
    dealer.does("new-shoe")
    dealer.does("open")


def send(opened: ClientConnection, ask: object, key: str = "") -> str:
    """Ask over the socket; the key that it was asked with."""
    key = key or uuid.uuid4().hex
    opened.send(msgspec.json.encode({"key": key, "ask": ask}).decode())
    return key


def answer_of(opened: ClientConnection, key: str) -> dict[str, Any]:
    """The answer to a key, whatever else comes before it."""
    while (message := heard(opened)).get("key") != key:
        assert "version" in message, f"{message} is neither a change nor the answer"
    return message


def asks(opened: ClientConnection, ask: object, key: str = "") -> dict[str, Any]:
    return answer_of(opened, send(opened, ask, key))


def staked(house: Served) -> dict[tuple[int, str], int]:
    """What lies on the layout, by box and bet."""
    current = house.live().table.round
    assert current is not None
    return {(stake.box, stake.bet): stake.cents for stake in current.stakes.values()}


# The same as by POST ------------------------------------------------------------------------------------


def test_a_bet_over_the_socket(house: Served) -> None:
    """Its change comes first, then the answer."""
    wei = house.player("Wei", box=1)
    with wei.stream() as opened:
        before = heard(opened)["version"]
        key = send(opened, PLACE)
        change, answer = heard(opened), heard(opened)
    assert (change["from"], change["version"]) == (before, before + 1)
    assert answer == {"key": key, "answer": {"version": before + 1, "events": ["stake-set"]}}
    assert staked(house) == {(1, "player"): 1_000}


def test_a_key_has_one_effect_whichever_way_it_is_asked(house: Served) -> None:
    wei = house.player("Wei", box=1)
    with wei.stream() as opened:
        by_socket = asks(opened, PLACE, "one")
        assert asks(opened, PLACE, "one") == by_socket
        assert wei.post(COMMANDS, PLACE, key="one").json() == by_socket["answer"]
        by_post = wei.post(COMMANDS, [PLACE, PLACE], key="two").json()
        assert asks(opened, [PLACE, PLACE], "two")["answer"] == by_post
        assert asks(opened, PLACE, "two")["problem"]["code"] == "key-reused"
        assert asks(opened, [PLACE], "one")["problem"]["status"] == 409
    assert staked(house) == {(1, "player"): 3_000}


def test_an_answer_that_was_lost_is_had_on_the_next_connection(house: Served) -> None:
    wei = house.player("Wei", box=1)
    with wei.stream() as opened:
        heard(opened)
        send(opened, PLACE, "lost")
        heard(opened)  # the change: it is done
    with wei.stream() as opened:
        again = asks(opened, PLACE, "lost")
    assert again["answer"]["version"] == house.live().version
    assert wei.post(COMMANDS, PLACE, key="lost").json() == again["answer"]
    assert staked(house) == {(1, "player"): 1_000}


WRONG: dict[str, object] = {
    "a stake over the limit": TOO_MUCH,
    "somebody else's box": {**PLACE, "box": 99},
    "a bet that the layout does not have": {**PLACE, "bet": "nothing"},
    "what a player may not do": {"command": "settle"},
    "what nobody may do here": {"command": "assign", "person": "Wei", "rank": "dealer"},
    "an unknown command": {"command": "steal"},
    "an unknown field": {**PLACE, "by": "Mei"},
    "a field too few": {"command": "place", "box": 1},
    "an amount that is a text": {**PLACE, "cents": "1000"},
    "an amount that is a fraction": {**PLACE, "cents": 1000.0},
    "no command": {},
    "nothing": None,
    "nothing in a list": [],
    "too many": [PLACE] * (MOST_TOGETHER + 1),
    "a list in a list": [[PLACE]],
    "one that cannot be read": [PLACE, {**PLACE, "cents": None}],
    "the second of three": [PLACE, TOO_MUCH, PLACE],
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_as_by_post(served: Served, seated: Asking, name: str) -> None:
    before = served.versions()
    with seated.stream() as opened:
        problem = asks(opened, WRONG[name])["problem"]
    by_post = seated.post(COMMANDS, msgspec.json.encode(WRONG[name]))
    assert is_problem(by_post, 400, 422), by_post.text
    assert problem == by_post.json()
    assert served.versions() == before


def test_who_is_not_signed_in_is_told_to(served: Served) -> None:
    nobody = served.as_(NOBODY)
    with nobody.stream() as opened:
        problem = asks(opened, PLACE)["problem"]
    assert problem == nobody.post(COMMANDS, PLACE).json()
    assert problem["status"] == 401


def test_a_session_that_has_ended_asks_nothing_more(house: Served) -> None:
    """Also while its socket is still open: here nobody has told the socket yet."""
    wei = house.player("Wei", box=1)
    with wei.stream() as opened:
        assert "answer" in asks(opened, PLACE)
        house.hall.people.sign_out_everywhere("Wei")
        assert asks(opened, PLACE)["problem"]["status"] == 401
    assert staked(house) == {(1, "player"): 1_000}


def test_a_role_counts_as_it_is_now(house: Served) -> None:
    """Whoever was made a dealer deals over the same kind of socket as by POST; a player does not."""
    dee, wei = house.as_("dealer"), house.player("Wei", box=1)
    with dee.stream() as dealing, wei.stream() as playing:
        assert asks(playing, {"command": "close"})["problem"]["code"] == "wrong-rank"
        assert asks(dealing, {"command": "close"})["answer"]["events"] == ["bets-closed"]


# Messages -----------------------------------------------------------------------------------------------

UNREADABLE = {
    "empty": "",
    "no JSON": "place",
    "a list": "[]",
    "no key": '{"ask": {"command": "leave"}}',
    "nothing asked": '{"key": "k"}',
    "an empty key": '{"key": "", "ask": {"command": "leave"}}',
    "a key with a space": '{"key": "a b", "ask": {"command": "leave"}}',
    "a long key": '{"key": "%s", "ask": {"command": "leave"}}' % ("k" * 65),
    "a key that is a number": '{"key": 5, "ask": {"command": "leave"}}',
    "a field too many": '{"key": "k", "ask": {"command": "leave"}, "table": "two"}',
    "the key twice": '{"key": "k", "key": "l", "ask": {"command": "leave"}}',
    "a field of the command twice": '{"key": "k", "ask": {"command": "leave", "command": "leave"}}',
    "nested deeply": '{"key": "k", "ask": ' + "[" * 8_000 + "]" * 8_000 + "}",
    "half a pair": '{"key": "k", "ask": {"command": "place", "box": 1, "bet": "\\ud83d", "cents": 1}}',
    "cut off": '{"key": "k", "ask": {"command": "leave"}',
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_messages_that_cannot_be_read(served: Served, seated: Asking, name: str) -> None:
    """They are refused, and the next one is read."""
    before = served.versions()
    with seated.stream() as opened:
        heard(opened)
        opened.send(UNREADABLE[name])
        told = heard(opened)
        assert (told["problem"]["status"], told["problem"]["code"]) == (400, "bad-input")
        assert told.get("key", "k") == "k"
        assert served.versions() == before
        assert asks(opened, {"command": "buy-in", "cents": 100})["answer"]["events"]


def test_a_message_of_bytes_is_none(seated: Asking) -> None:
    with seated.stream() as opened:
        heard(opened)
        opened.send(msgspec.json.encode({"key": "k", "ask": {"command": "buy-in", "cents": 100}}))
        assert heard(opened)["problem"]["status"] == 400


def test_as_many_as_may_be_asked_together_fit_into_a_message() -> None:
    largest = {"command": "place", "box": 64, "bet": "super-tiger-naturals-banker", "cents": 10**12}
    message = {"key": "k" * 64, "ask": [largest] * MOST_TOGETHER}
    assert len(msgspec.json.encode(message)) < server.MOST_FRAME_BYTES


def test_answers_come_in_the_order_of_the_questions(house: Served) -> None:
    """Also of those that are sent before the first is answered."""
    wei = house.player("Wei", box=1)
    with wei.stream() as opened:
        keys = [send(opened, PLACE) for _ in range(40)]
        versions = [answer_of(opened, key)["answer"]["version"] for key in keys]
    assert versions == sorted(set(versions))
    assert staked(house) == {(1, "player"): 40_000}


def test_an_answer_leaves_with_its_change(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one piece, which is one call of the system."""
    written: list[bytes] = []
    write = server.GuardedSocket.write_now

    def noting(socket: server.GuardedSocket, frames: bytes) -> bool:
        written.append(frames)
        return write(socket, frames)

    monkeypatch.setattr(server.GuardedSocket, "write_now", noting)
    wei = house.player("Wei", box=1)
    with wei.stream() as opened:
        heard(opened)
        written.clear()
        keys = [send(opened, PLACE) for _ in range(3)]
        for key in keys:
            answer_of(opened, key)
    assert [(piece.count(b'"changed"'), piece.count(b'"answer"')) for piece in written] == [(1, 1)] * 3


@pytest.mark.parametrize("seed", range(4))
def test_messages_are_the_same_however_they_come(house: Served, seed: int) -> None:
    """Whole or cut anywhere, many at once or in fragments, short or long, with pongs between them."""
    chance = random.Random(seed)  # noqa: S311 - sample data
    wei = house.player("Wei", box=1)
    with wei.stream(ping_interval=None) as opened:
        heard(opened)
        for turn in range(15):
            keys, sent, cuts = [f"{turn}/{n}" for n in range(chance.choice((1, 1, 4)))], b"", {0}
            for key in keys:
                sent += framed_anyhow(chance, {"key": key, "ask": [PLACE] * chance.choice((1, 1, 1, 2, 8))})
                cuts.add(len(sent) - chance.choice((0, 0, 1, 3, 60)))
            for begin, end in pairwise([*sorted(cuts | {len(sent)})]):
                opened.socket.sendall(sent[begin:end])
            assert all("answer" in answer_of(opened, key) for key in keys)


def test_a_message_inside_another_is_none(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that comes in two pieces, of which the second looks like a message that has come whole."""
    read: list[bytes] = []
    receive = server.GuardedSocket.data_received

    def noting(socket: server.GuardedSocket, data: bytes) -> None:
        read.append(data)
        receive(socket, data)

    monkeypatch.setattr(server.GuardedSocket, "data_received", noting)
    inside = Frame(Opcode.TEXT, msgspec.json.encode({"key": "k", "ask": PLACE})).serialize(mask=True)
    outside = Frame(Opcode.TEXT, b"x" * 9 + inside).serialize(mask=False)
    begin = bytes((outside[0], 0x80 | 126)) + (9 + len(inside)).to_bytes(2, "big") + bytes(4) + b"x" * 9
    wei = house.player("Wei", box=1)
    with wei.stream(ping_interval=None) as opened:
        heard(opened)
        opened.socket.sendall(begin)
        settles(lambda: begin in read)
        opened.socket.sendall(inside)
        with pytest.raises(ConnectionClosed):
            heard(opened)
    assert staked(house) == {}


def framed_anyhow(chance: random.Random, message: object) -> bytes:
    """A message in one frame or in fragments, after a pong or none."""
    text = msgspec.json.encode(message)
    parts = [text] if chance.random() < 0.8 else [text[:9], text[9:40], text[40:]]
    frames = [Frame(Opcode.PONG, b"well?")] * (chance.random() < 0.2)
    for place, part in enumerate(parts):
        frames.append(Frame(Opcode.CONT if place else Opcode.TEXT, part, fin=place == len(parts) - 1))
    return b"".join(frame.serialize(mask=True) for frame in frames)


def test_other_people_do_not_hear_the_answer(house: Served) -> None:
    wei, mei = house.player("Wei", box=1), house.player("Mei", box=2)
    with wei.stream() as opened, mei.stream() as other:
        heard(other)
        version = asks(opened, PLACE)["answer"]["version"]
        assert asks(opened, TOO_MUCH)["problem"]
        mei.does("place", box=2, bet="banker", cents=1_000)
        messages = [heard(other), heard(other)]
    assert [message["version"] for message in messages] == [version, version + 1]
    assert all("key" not in message for message in messages)


def test_who_asks_too_often_is_told_so(house_path: Path) -> None:
    """Every command counts, also those of a list."""
    rates = Rates(person=(1, 8), address=(0, 0))
    with Served(house_path, clock=FakeClock(), rates=rates) as house:
        opens(house)
        wei = house.player("Wei", box=1)  # one
        with wei.stream() as opened:
            assert "answer" in asks(opened, PLACE)  # two
            assert "answer" in asks(opened, [PLACE] * 3)  # five
            assert asks(opened, [PLACE] * 4)["problem"]["status"] == 429
            assert asks(opened, PLACE)["problem"]["code"] == "too-many"
        assert wei.post(COMMANDS, PLACE).status_code == 429
        assert staked(house) == {(1, "player"): 4_000}


def test_an_address_that_asks_too_often_is_told_so(house_path: Path) -> None:
    rates = Rates(person=(0, 0), address=(0.1, 3))
    with (
        Served(house_path, clock=FakeClock(), rates=rates) as house,
        Asking(house, house.account("Wei", "player")).stream() as opened,  # one
    ):
        assert asks(opened, {"command": "join"})["answer"]
        assert asks(opened, {"command": "buy-in", "cents": 100})["answer"]
        assert asks(opened, {"command": "buy-in", "cents": 100})["problem"]["status"] == 429


# Several ------------------------------------------------------------------------------------------------


def test_several_are_one_change_with_one_answer(house: Served) -> None:
    wei = house.player("Wei", box=1)
    bets = [{**PLACE, "bet": bet} for bet in ("player", "banker", "tie")]
    with wei.stream() as opened:
        before = heard(opened)["version"]
        key = send(opened, bets)
        change, answer = heard(opened), heard(opened)
    assert (change["from"], change["version"]) == (before, before + 3)
    assert len(change["changed"]["stakes"]) == 3
    assert answer == {"key": key, "answer": {"version": before + 3, "events": ["stake-set"] * 3}}


def test_each_is_decided_on_what_the_one_before_left(house: Served) -> None:
    wei = house.player("Wei", box=1)
    back = {"command": "take-back", "box": 1, "bet": "player"}
    assert wei.post(COMMANDS, [PLACE, PLACE, back, PLACE]).json()["events"] == ["stake-set"] * 4
    assert staked(house) == {(1, "player"): 1_000}


@pytest.mark.parametrize("index", [0, 1, 4])
def test_one_that_is_refused_is_the_refusal_of_all(house: Served, index: int) -> None:
    wei = house.player("Wei", box=1)
    asked: list[dict[str, Any]] = [PLACE] * 5
    asked[index] = TOO_MUCH
    before = house.versions()
    answer = wei.post(COMMANDS, asked, key="k")
    assert is_problem(answer, 422)
    assert answer.json()["index"] == index
    assert answer.json()["rules"]
    assert answer.json()["code"] == wei.post(COMMANDS, TOO_MUCH).json()["code"]
    assert house.versions() == before
    assert staked(house) == {}
    assert wei.post(COMMANDS, asked, key="k").json() == answer.json()


def test_a_refusal_says_which_of_several_also_after_a_restart(house_path: Path) -> None:
    with Served(house_path) as house:
        opens(house)
        wei = house.player("Wei", box=1)
        told = wei.post(COMMANDS, [PLACE, TOO_MUCH], key="k").json()
        token = wei.token
    with Served(house_path) as house:
        assert Asking(house, token).post(COMMANDS, [PLACE, TOO_MUCH], key="k").json() == told
        assert told["index"] == 1


def test_what_nobody_may_do_spoils_a_list_wherever_it_stands(house: Served) -> None:
    wei = house.player("Wei", box=1)
    answer = wei.post(COMMANDS, [PLACE, {"command": "assign", "person": "Wei", "rank": "dealer"}])
    assert (answer.status_code, answer.json()["index"]) == (422, 1)
    assert staked(house) == {}


def test_a_socket_that_is_closed_at_once_leaves_nothing_half_done(house: Served) -> None:
    """What was sent is done or not; asked again with the same key it is done once."""
    wei = house.player("Wei", box=1)
    keys = [uuid.uuid4().hex for _ in range(10)]
    with wei.stream() as opened:
        for key in keys:
            send(opened, PLACE, key)
    with wei.stream() as opened:
        for key in keys:
            assert "answer" in asks(opened, PLACE, key)
    assert staked(house) == {(1, "player"): 10_000}


@pytest.mark.parametrize("language", languages())
def test_a_refusal_is_told_by_its_key_and_facts_and_in_the_readers_words(
    served: Served, seated: Asking, language: str
) -> None:
    """By cookie or by what the browser reads, by POST and over the socket; `detail` stays English."""
    low = {**PLACE, "cents": 100}
    said = whole(in_words(say("below-minimum", bet="player", least=1_000, cents=100), language))
    reader = served.as_(seated.token)
    reader.http.cookies.set("lang", language)
    by_cookie = reader.post(COMMANDS, low).json()
    with reader.stream() as opened:
        over_socket = asks(opened, low)["problem"]
    browser = served.as_(seated.token)
    browser.http.headers["Accept-Language"] = f"{'zh-SG' if language == 'zh-Hans' else language};q=1"
    for problem in (by_cookie, over_socket, browser.post(COMMANDS, low).json()):
        assert problem["detail"] == "Player takes at least 10, not 1"
        assert (problem["code"], problem["key"]) == ("below-minimum", "below-minimum")
        assert problem["facts"] == {"bet": "player", "least": 1_000, "cents": 100}
        assert problem["said"] == said


def test_what_has_no_words_in_the_language_is_told_in_english_after_what_kind_of_thing_it_is(
    served: Served,
) -> None:
    reader = served.as_("")
    reader.http.cookies.set("lang", "zh")
    problem = reader.post("/api/sessions", b"{").json()
    assert problem["said"].endswith(problem["detail"][1:] + ".")
    assert problem["said"][0] > "\u4e00"
