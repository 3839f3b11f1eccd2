"""Commands as a dealer would say them, and the transcripts they come to."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from thirdcard.table.script import RefusedLine, Script

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


def named(words: Iterable[str]) -> tuple[list[int], list[str]]:
    """Places, and the cards that show there: `1:9C 3:KD`, or `1 3` where a device has read them."""
    pairs = [word.partition(":") for word in words]
    return [int(place) for place, _, _ in pairs], [card for _, _, card in pairs if card]


def spoken(sentence: str) -> Iterator[Command]:
    """The commands of `ann bets player 100`, `dee draws 9C ?`, `sue rules reconstructable=no`.

    A card drawn as ? is one that nobody has seen.
    """
    by, verb, *words = sentence.split()
    if verb in SIMPLE:
        yield {"command": SIMPLE[verb], "by": by}
    elif verb == "draws":
        yield from (
            {"command": "draw", "by": by, **({"card": card} if card != "?" else {})} for card in words
        )
    else:
        yield {**SPOKEN[verb](by, words, sentence), "by": by}


def _placed(name: str) -> Any:  # noqa: ANN401 - a maker of commands
    """`bets player 100` or `bets player 100 in 2`; the same for taking back and insuring.

    Insurance may name its window: `insures player 10 in 1 window 1`.
    """

    def made(by: str, words: list[str], _: str) -> Command:
        what, amount, *where = words
        key = "hand" if name == "insure" else "bet"
        box = int(where[1]) if where else BOXES[by]
        window = {"window": int(where[3])} if "window" in where else {}
        return {"command": name, key: what, "cents": cents(amount), "box": box, **window}

    return made


def _recorded(name: str) -> Any:  # noqa: ANN401 - a maker of commands
    """`records cat player 5`: chips as they lie; `removes cat player 5`: taken off.

    `notes-late cat player 5`: put there after the close, with `-5` taken away.
    """

    def made(_by: str, words: list[str], _: str) -> Command:
        player, bet, amount, *where = words
        box = int(where[1]) if where else BOXES[player]
        sign = -1 if name == "late-chips" and amount.startswith("-") else 1
        amount = amount.removeprefix("-")
        return {"command": name, "player": player, "bet": bet, "cents": sign * cents(amount), "box": box}

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
    if key in LISTS:
        return [LISTS[key](one) for one in value.split(",")]
    if key in ("substitutes", "names"):
        return dict(pair.split(":") for pair in value.split(","))
    return int(value) if value.isdigit() else value


def _number_or_card(word: str) -> int | str:
    return int(word) if word.isdigit() else word


def _stake(word: str) -> list[str | int]:
    player, box, bet = word.split("/")
    return [player, int(box), bet]


LISTS: dict[str, Callable[[str], Any]] = {
    "drawn": lambda card: None if card == "?" else card,
    "order": _number_or_card,
    "players": str,
    "intended": str,
    "shown": int,
    "cards": int,
    "overrides": int,
    "stakes": _stake,
    "amounts": cents,
}


def _chosen(choice: str) -> Any:  # noqa: ANN401 - a maker of commands
    """`continues`; `returns` for all, `returns 1/tie` for one."""

    def made(_by: str, words: list[str], _: str) -> Command:
        wagers = [[int(box), bet] for box, _, bet in (word.partition("/") for word in words)]
        return {"command": "choose", "choice": choice, **({"wagers": wagers} if wagers else {})}

    return made


def _handed(name: str, **more: bool) -> Any:  # noqa: ANN401 - a maker of commands
    """`hands 1 3 to ann`; `lets-squeeze 1 3 to ann`."""

    def made(_by: str, words: list[str], _: str) -> Command:
        *places, _to, player = words
        return {"command": name, "cards": [int(place) for place in places], "player": player, **more}

    return made


def _exposed(_by: str, words: list[str], _: str) -> Command:
    """`exposes 1:9C 3:KD`, and `exposes 1:9C for ann` where somebody else turned it."""
    player = words[-1] if "for" in words else ""
    places, cards = named(word for word in words if word not in ("for", player))
    more: Command = {"names": cards} if cards else {}
    return {"command": "expose", "cards": places, **more, **({"player": player} if player else {})}


def _dismissed(_by: str, words: list[str], sentence: str) -> Command:
    _, _, reason = sentence.partition(" reason=")
    case = words[0] if words and not words[0].startswith("reason=") else ""
    return {"command": "dismiss", "reason": reason, **({"case": case} if case else {})}


SPOKEN: dict[str, Any] = {
    "bets": _placed("place"),
    "withdraws": _placed("take-back"),
    "insures": _placed("insure"),
    "records": _recorded("record-chips"),
    "removes": _recorded("remove"),
    "notes-late": _recorded("late-chips"),
    "reports": _reported,
    "rules": _ruled,
    "continues": _chosen("continue"),
    "returns": _chosen("return"),
    "exposes": _exposed,
    "hands": _handed("hand-over"),
    "hands-wrongly": _handed("hand-over", wrongly=True),
    "lets-squeeze": _handed("permit-squeeze"),
    "asks-to-squeeze": lambda _by, words, _: {"command": "request-squeeze", "cards": named(words)[0]},
    "dismisses": _dismissed,
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
        if isinstance(answer, RefusedLine):
            refusal = answer.refusal
            cited = f"  [{', '.join(refusal.rules)}]" if refusal.rules else ""
            text.append(f"! {json.loads(line)['by']}: {refusal.sentence} ({refusal.code}){cited}")
            continue
        assert table.table is not None
        whole = [one for one in table.table.transcript() if not one.startswith("  rulebook ")]
        text += whole[lines:]
        lines = len(whole)
    assert table.table is not None
    state = table.table.state
    assert state.round is not None
    assert state.round.pending is None, "a script ends with the round released"
    assert sum(state.balances.values()) == 0
    return "\n".join(text) + "\n"
