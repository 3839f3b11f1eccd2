"""Commands as a dealer would say them, and the transcripts they come to."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from thirdcard.table.script import Refused, Script
from thirdcard.table.transcript import transcript

Command: TypeAlias = dict[str, Any]

BOXES = {"ann": 1, "bob": 2, "cat": 1, "dan": 1}  # where people bet unless a sentence says otherwise
SIMPLE = {
    "joins": "join",
    "opens": "open",
    "closes": "close",
    "settles": "settle",
    "declines": "decline",
    "leaves": "leave",
    "shuffles": "new-shoe",
}


def cents(dollars: str) -> int:
    whole, _, rest = dollars.partition(".")
    return int(whole) * 100 + int(rest or 0)


def spoken(sentence: str) -> Iterator[Command]:
    """The commands of `ann bets player 100`, `dee draws 9C 4H`, `sue rules reconstructable=no`."""
    by, verb, *words = sentence.split()
    if verb in SIMPLE:
        yield {"command": SIMPLE[verb], "by": by}
    elif verb == "draws":
        yield from ({"command": "draw", "by": by, "card": card} for card in words)
    else:
        yield {**SPOKEN[verb](by, words, sentence), "by": by}


def _placed(name: str) -> Any:  # noqa: ANN401 - a maker of commands
    """`bets player 100` or `bets player 100 in 2`; the same for taking back and insuring."""

    def made(by: str, words: list[str], _: str) -> Command:
        what, amount, *where = words
        key = "hand" if name == "insure" else "bet"
        box = int(where[1]) if where else BOXES[by]
        return {"command": name, key: what, "cents": cents(amount), "box": box}

    return made


def _recorded(name: str) -> Any:  # noqa: ANN401 - a maker of commands
    """`records cat player 5`: chips as they lie; `removes cat player 5`: taken off."""

    def made(_by: str, words: list[str], _: str) -> Command:
        player, bet, amount, *where = words
        box = int(where[1]) if where else BOXES[player]
        return {"command": name, "player": player, "bet": bet, "cents": cents(amount), "box": box}

    return made


def _reported(_by: str, words: list[str], _: str) -> Command:
    case, *details = words
    made: Command = {"command": "report", "case": case}
    for detail in details:
        key, _, value = detail.partition("=")
        made[key] = _value(key, value)
    return made


def _ruled(_by: str, words: list[str], sentence: str) -> Command:
    """Inputs as `order=5H,4D`; a reason comes last and runs to the end."""
    head, _, reason = sentence.partition(" reason=")
    inputs = {key: _value(key, value) for key, _, value in (word.partition("=") for word in head.split()[2:])}
    if reason:
        inputs["reason"] = reason
    return {"command": "rule", "inputs": inputs} if words else {"command": "rule"}


def _value(key: str, value: str) -> Any:  # noqa: ANN401 - JSON
    if value in ("yes", "no"):
        return value == "yes"
    if key in ("drawn", "order", "set_aside", "players", "intended"):
        return value.split(",")
    if key == "shown":
        return [int(place) for place in value.split(",")]
    if key == "substitutes":
        return dict(pair.split(":") for pair in value.split(","))
    return int(value) if value.isdigit() else value


def _chosen(choice: str) -> Any:  # noqa: ANN401 - a maker of commands
    """`continues`; `returns` for all, `returns 1/tie` for one."""

    def made(_by: str, words: list[str], _: str) -> Command:
        wagers = [[int(box), bet] for box, _, bet in (word.partition("/") for word in words)]
        return {"command": "choose", "choice": choice, **({"wagers": wagers} if wagers else {})}

    return made


def _handed(_by: str, words: list[str], _: str) -> Command:
    *places, _to, player = words
    return {"command": "hand-over", "cards": [int(place) for place in places], "player": player}


SPOKEN: dict[str, Any] = {
    "bets": _placed("place"),
    "withdraws": _placed("take-back"),
    "insures": _placed("insure"),
    "records": _recorded("record-chips"),
    "removes": _recorded("remove"),
    "reports": _reported,
    "rules": _ruled,
    "continues": _chosen("continue"),
    "returns": _chosen("return"),
    "exposes": lambda _by, words, _: {"command": "expose", "cards": [int(word) for word in words]},
    "hands": _handed,
    "gives-device": lambda _by, words, _: {"command": "give-device", "player": words[1]},
    "buys": lambda _by, words, _: {"command": "buy-in", "cents": cents(words[0])},
    "sits": lambda _by, words, _: {"command": "sit", "box": int(words[1])},
}


def as_script(setup: Command, sentences: Iterable[str]) -> str:
    """A script for `thirdcard table run`: the set-up, then a command a line."""
    commands = [command for sentence in sentences for command in spoken(sentence)]
    return "".join(json.dumps(one) + "\n" for one in (setup, *commands))


def told(script: str) -> str:
    """What a script comes to, as a dealer reads it; refusals stand where they were given."""
    table = Script()
    text: list[str] = []
    lines = 0
    for number, line in enumerate(script.splitlines(), start=1):
        answer = table.run(json.loads(line), number)
        if isinstance(answer, Refused):
            refusal = answer.refusal
            cited = f"  [{', '.join(refusal.rules)}]" if refusal.rules else ""
            text.append(f"! {json.loads(line)['by']}: {refusal.sentence} ({refusal.code}){cited}")
            continue
        whole = list(transcript(table.log))
        text += whole[lines:]
        lines = len(whole)
    assert table.state is not None
    assert table.state.round is not None
    assert table.state.round.pending is None, "a script ends with the round released"
    assert sum(table.state.balances.values()) == 0
    return "\n".join(text) + "\n"
