"""Where chips lie: stakes, as they lay at the close, late ones, insurance as it was bought."""

from table.second_reader.facts import Fact, Round


def key_of(stake: Fact) -> str:
    return f"{stake['box']}/{stake['bet']}/{stake['player']}"


def insured_key(purchase: Fact) -> str:
    return f"{purchase['box']}/{purchase['hand']}/{purchase['player']}"


def lying(facts: list[Fact]) -> dict[str, Fact]:
    """The stakes of the round that have not gone back and were not settled early."""
    found: dict[str, Fact] = {}
    for fact in facts:
        tag = fact["event"]
        if tag == "stake-set":
            found[key_of(fact["stake"])] = fact["stake"]
            if not fact["stake"]["cents"]:
                del found[key_of(fact["stake"])]
        elif tag == "choice-made":
            for key in fact.get("returned", ()):
                found.pop(key, None)
        elif tag == "decided-settled":
            for line in fact["lines"]:
                found.pop(key_of(line), None)
        elif tag == "seat-left":
            found = {key: _standing(stake, fact) for key, stake in found.items()}
        elif tag == "round-voided":
            found = {}
    return found


def _standing(stake: Fact, left: Fact) -> Fact:
    """Whoever has left the seat has no seated player's priority any more (18)."""
    if (stake["player"], stake["box"]) == (left["player"], left["box"]):
        return {**stake, "seated": False}
    return stake


def at_close(facts: list[Fact]) -> dict[str, Fact]:
    """The chips as they lay at the close, with what of that record was put right since (19, 20)."""
    found: dict[str, Fact] = {}
    is_closed = False
    for number, fact in enumerate(facts):
        tag = fact["event"]
        if tag == "bets-closed":
            found, is_closed = lying(facts[:number]), True
        elif tag == "bets-reopened":
            found, is_closed = {}, False
        elif tag == "stake-set" and is_closed and fact["why"] == "recorded":
            found[key_of(fact["stake"])] = fact["stake"]
            if not fact["stake"]["cents"]:
                del found[key_of(fact["stake"])]
    return found


def late(facts: list[Fact]) -> dict[str, Fact]:
    """Chips added after the close or, negative, taken away, that nobody has put right yet (20)."""
    found: dict[str, Fact] = {}
    for fact in facts:
        if fact["event"] == "late-chips-recorded":
            stake = fact["late"]
            before = found.pop(key_of(stake), {"cents": 0})
            if before["cents"] + stake["cents"]:
                found[key_of(stake)] = {**stake, "cents": before["cents"] + stake["cents"]}
        elif fact["event"] == "chips-put-right":
            for key in fact["stakes"]:
                found.pop(key, None)
        elif fact["event"] == "round-voided":
            found = {}
    return found


def bought(facts: list[Fact]) -> list[Fact]:
    """Insurance as it was bought: it goes back with an Original Bet that goes back (26)."""
    found: list[Fact] = []
    for fact in facts:
        gone: list[str] = []
        if fact["event"] == "insurance-bought":
            found.append(fact["purchase"])
        elif fact["event"] == "choice-made":
            gone = list(fact.get("returned", ()))
        elif fact["event"] == "stake-set" and fact["why"] == "returned" and not fact["stake"]["cents"]:
            gone = [key_of(fact["stake"])]
        elif fact["event"] == "round-voided":
            gone = [insured_key(one) for one in found]
        found = [one for one in found if insured_key(one) not in gone]
    return found


def people(round_: Round) -> list[str]:
    """Who has a stake in play, in the order in which they came to it."""
    return list(dict.fromkeys(stake["player"] for stake in lying(round_.facts).values()))
