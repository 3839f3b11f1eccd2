"""Who may ask to squeeze, who is handed which card, who has the device and draws."""

from table.second_reader import cards, chips, limits
from table.second_reader.facts import HANDS, Fact, Log, Right, Round
from table.second_reader.insurance import is_waived
from table.second_reader.reports import is_held_up
from thirdcard.play.tableau import INITIAL, LONGEST, next_hand

SET_ASIDE = 2

# Who has the largest bet ---------------------------------------------------------------------------------


def _counts(round_: Round, key: str, stake: Fact) -> int:
    """What plays of a stake, at most its maximum (30)."""
    plays, _ = limits.plays_for(round_, key)
    most = round_.most(stake["bet"])
    return plays if most is None else min(plays, most)


def largest(log: Log, round_: Round) -> list[tuple[str, str]]:
    """RWS: people by their largest single stake, with that stake; equal ones by who placed first (1.5, 30)."""
    seated_only = round_.rules.squeeze.seated_only
    best: dict[str, tuple[int, int, str]] = {}
    for key, stake in chips.lying(round_.facts).items():
        person, plays = stake["player"], _counts(round_, key, stake)
        if not plays or log.is_gone(person) or (seated_only and not stake["seated"]):
            continue
        rank = (-plays, stake["order"], key)
        best[person] = min(best.get(person, rank), rank)
    ordered = sorted(best, key=lambda person: best[person])
    return [(person, best[person][2]) for person in ordered]


def totals(log: Log, round_: Round, hand: str) -> list[str]:
    """MBS: people by their total on a hand; equal: the earliest placed, then counter-clockwise (3.10.2 to 3.10.5)."""
    sums: dict[str, int] = {}
    placed: dict[str, int] = {}
    boxes: dict[str, int] = {}
    for key, stake in chips.lying(round_.facts).items():
        plays, person = _counts(round_, key, stake), stake["player"]
        if stake["bet"] != hand or not plays or log.is_gone(person):
            continue
        sums[person] = sums.get(person, 0) + plays
        placed[person] = max(placed.get(person, 0), stake["order"])
        boxes.setdefault(person, stake["box"])
    found: list[str] = []
    for amount in sorted(set(sums.values()), reverse=True):
        equal = [person for person in sums if sums[person] == amount]
        first = min(equal, key=lambda person: placed[person])
        rest = [person for person in equal if person != first]
        round_the_table = round_.setup["positions"]
        rest.sort(key=lambda one: ((boxes[one] - boxes[first]) % round_the_table, placed[one]))
        found += [first, *rest]
    return found


# Asking and permitting -----------------------------------------------------------------------------------


def may_request(log: Log, round_: Round, person: str) -> tuple[int, ...]:
    """RWS, face down: the person with the largest bet may ask for cards that are yet to be drawn (3.9)."""
    if round_.rules.squeeze.right != "largest-bet" or not round_.method.face_down:
        return ()
    if round_.phase != "dealing" or is_held_up(round_):
        return ()
    if [who for who, _ in largest(log, round_)[:1]] != [person]:
        return ()
    return tuple(range(len(cards.lying(round_)) + 1, LONGEST + 1))


def requested(round_: Round, person: str) -> set[int]:
    """The places that somebody has asked for: requests stand side by side (55); a reset ends them."""
    asked = [one for one in round_.since("bets-reopened") if one["event"] == "squeeze-requested"]
    return {place for one in asked if one["player"] == person for place in one["places"]}


def permit(log: Log, round_: Round, place: int) -> str:
    """Who may squeeze the card at a place by leave: not who has left, nor without the bet it rests on (55)."""
    found, rests_on = "", ""
    for number, fact in enumerate(round_.facts):
        if fact["event"] == "squeeze-permitted" and place in fact["places"]:
            found = fact["player"]
            line = dict(largest(_until(log, round_, number), round_.until(number)))
            rests_on = line.get(found, "")
        elif fact["event"] == "bets-reopened":
            found = ""
    if not found or log.is_away(found):
        return ""
    if round_.rules.squeeze.right == "largest-bet" and not limits.plays_for(round_, rests_on)[0]:
        return ""
    return found


def _until(log: Log, round_: Round, number: int) -> Log:
    """The log when only so many facts of the last round had happened."""
    return Log(log.facts[: len(log.facts) - len(round_.facts) + number])


# Handing over --------------------------------------------------------------------------------------------


def has_refused(round_: Round, hand: str | None, person: str) -> bool:
    said = [one for one in round_.since("bets-reopened") if one["event"] == "cards-refused"]
    return any((one["hand"], one["player"]) == (hand, person) for one in said)


def squeezer(round_: Round, hand: str) -> str:
    """MBS: who squeezes a hand: the last who was rightly passed a card of it that was not taken back (3.10.7, 55)."""
    cards_of: dict[int, str] = {}
    for number, fact in enumerate(round_.facts):
        places = fact.get("places", ())
        if fact["event"] == "cards-handed" and not fact.get("wrongly"):
            lying = cards.lying(round_.until(number))
            for place in places:
                cards_of.pop(place, None)
                if cards.hand_of(round_, lying, place) == hand:
                    cards_of[place] = fact["player"]
        elif fact["event"] == "cards-retrieved":
            cards_of = {place: who for place, who in cards_of.items() if place not in places}
        elif fact["event"] == "bets-reopened":
            cards_of = {}
    return list(cards_of.values())[-1] if cards_of else ""


def may_be_handed(log: Log, round_: Round, place: int, person: str) -> Right | None:
    """Whether the dealer may pass a face-down card at a place to somebody now."""
    lying = cards.lying(round_)
    if round_.phase != "dealing" or is_held_up(round_) or place > len(lying):
        return None
    if lying[place - 1].face_up or lying[place - 1].holder or log.is_away(person):
        return None
    if round_.method.handles == "dealer" or not round_.method.face_down:
        return None
    if _handler(log, round_, place, lying) == person:
        return Right(tuple(round_.rules.squeeze.rules), "the card is theirs to squeeze")
    if holder(log):
        return Right(("3.12.3",), "who controls the device passes a hand on to anybody")
    return None


def _handler(log: Log, round_: Round, place: int, lying: list[cards.Lying]) -> str:
    hand = cards.hand_of(round_, lying, place)
    by_leave = permit(log, round_, place)
    if by_leave and not has_refused(round_, hand, by_leave):
        return by_leave
    if round_.rules.squeeze.right == "largest-bet" or hand is None:
        return ""  # squeezing takes a permission
    if place > INITIAL:
        person = squeezer(round_, hand)
        if not person or log.is_away(person):
            return ""
        if not has_refused(round_, hand, person):
            return person
    willing = [person for person in totals(log, round_, hand) if not has_refused(round_, hand, person)]
    return willing[0] if willing else ""


def was_taken_back(round_: Round, place: int) -> bool:
    """Whether the card was taken back from somebody: whether it may be handed out again is left open."""
    return any(place in fact["places"] for fact in round_.said("cards-retrieved"))


# The device (MBS method C) -------------------------------------------------------------------------------


def has_valid_wager(round_: Round, person: str) -> bool:
    """One that plays (64)."""
    stakes = chips.lying(round_.facts)
    return any(
        stake["player"] == person and limits.plays_for(round_, key)[0] > 0 for key, stake in stakes.items()
    )


def has_withdrawn(round_: Round, person: str) -> bool:
    """By right, in this round: who did keeps the device for it (64)."""
    for fact in round_.facts:
        if fact["event"] == "choice-made" and fact["player"] == person and fact.get("returned"):
            return True
        if fact["event"] == "stake-set" and fact["why"] == "withdrawn" and fact["stake"]["player"] == person:
            return True
    return False


def holder(log: Log) -> str:
    """Who controls the device: given, until it is given up, lost with a wager or left behind (3.12.8, 30, 58)."""
    found, lost = "", ""
    for round_ in log.rounds:
        if round_.method.device != "player":
            found = ""
        for number, fact in enumerate(round_.facts):
            tag = fact["event"]
            if tag == "bets-opened":
                lost = ""
            elif tag == "device-given":
                found = fact["player"]
            elif tag == "device-returned" and fact["why"] != "wager-lost":
                found = ""
            elif tag in ("seat-left", "walked-away") and fact["player"] == found:
                found = "" if _really_left(round_, number) else found
            elif tag == "round-settled" and (lost or found):
                keeps = not loses_device(round_.until(number + 1), lost or found)
                found, lost = ((lost or found), "") if keeps else ("", lost or found)
            elif tag == "settlement-reversed" and lost:
                found, lost = lost, ""
    return found


def _really_left(round_: Round, number: int) -> bool:
    """Who takes another seat gives up the old one first, and has not left."""
    fact = round_.facts[number]
    following = round_.facts[number + 1 : number + 2]
    moved = [one for one in following if one["event"] == "seat-taken" and one["player"] == fact["player"]]
    return fact["event"] == "walked-away" or not moved


def loses_device(round_: Round, person: str) -> bool:
    """By a lost wager on a hand or, without one, when all wagers lost, early settled ones counted (30, 58)."""
    lines = list(round_.said("round-settled")[-1]["settlement"]["lines"])
    lines += [line for fact in round_.said("decided-settled") for line in fact["lines"]]
    mine = [line for line in lines if line["player"] == person and line.get("window") is None]
    on_hands = [line for line in mine if line["bet"] in HANDS]
    if on_hands:
        return any(line["result"] == "lose" for line in on_hands)
    return bool(mine) and all(line["result"] == "lose" for line in mine)


def has_leave(round_: Round, person: str) -> bool:
    """To draw without a wager, for this round (3.12.2)."""
    given = [fact for fact in round_.said("device-given") if fact["player"] == person]
    return bool(given) and bool(given[-1].get("without_wager"))


def may_keep(log: Log, round_: Round) -> bool:
    """Whether the holder may draw in this round: a wager that plays, leave, or a withdrawal by right (64)."""
    person = holder(log)
    early = [line for fact in round_.said("decided-settled") for line in fact["lines"]]
    settled = any(
        line["player"] == person and line["result"] != "returned" for line in early
    )  # of this round (58)
    valid = settled or has_valid_wager(round_, person)
    return valid or has_leave(round_, person) or has_withdrawn(round_, person)


def a_card_is_due(round_: Round) -> bool:
    """By the Table of Play, all cards before it seen; the Banker's third also where it is seen first (16)."""
    lying = cards.lying(round_)
    if round_.phase != "dealing" or is_held_up(round_) or is_used_up(round_):
        return False
    if len(lying) < INITIAL:
        return True
    seen = cards.seen(lying)
    if len(seen) == INITIAL and len(lying) == INITIAL + 1:
        return is_waived(round_)
    return len(seen) == len(lying) and next_hand(round_.rules.table_of_play, seen) is not None


def is_used_up(round_: Round) -> bool:
    """After sorting nothing more can be drawn than the two cards that were set aside (MBS 5.11, 61)."""
    drawn: list[Fact] | None = None
    for fact in round_.facts:
        if fact["event"] == "irregularity-ruled" and "substitute-cards" in fact["remedies"]:
            drawn = []
        elif fact["event"] == "card-drawn" and drawn is not None:
            drawn.append(fact)
    return drawn is not None and len(drawn) >= SET_ASIDE


def may_draw(log: Log, round_: Round, person: str, *, deals: bool) -> Right | None:
    """The dealer. Method C: the holder; the dealer where nobody has it and the round is under way, or by decision (47)."""
    if not a_card_is_due(round_):
        return None
    if round_.method.device != "player":
        return Right(round_.method.rules, "a card is due") if deals else None
    has_it = holder(log)
    if has_it:
        right = Right(("3.12.1", "3.12.8"), "controls the device by right")
        return right if person == has_it and may_keep(log, round_) else None
    if not deals:
        return None
    there = [
        stake["player"] for stake in chips.lying(round_.facts).values() if not log.is_gone(stake["player"])
    ]
    if cards.lying(round_) or not there:
        return Right(("3.12.1",), "nobody has the device, and nobody is to take it now")
    return Right(("6.1",), "it was decided that the dealer draws") if dealer_was_let(round_) else None


def dealer_was_let(round_: Round) -> bool:
    """Nobody would have the device, and who decides what no rule covers let the round go on without (47)."""
    uncovered = {one.case for one in round_.rules.procedures if "uncovered" in one.about}
    since = [fact for fact in round_.since("bets-closed") if fact["event"] == "irregularity-ruled"]
    return any(fact["case"] in uncovered and fact["inputs"].get("action") == "continue" for fact in since)


def may_be_taken(log: Log, round_: Round) -> Right | None:
    """The dealer takes the device from a holder who is gone or, with the cards coming, may not draw (3.12.8)."""
    person = holder(log)
    if not person or round_.phase != "dealing" or is_held_up(round_) or may_keep(log, round_):
        return None
    return Right(round_.method.rules, "the holder has neither a wager that plays nor leave")


def may_be_given(log: Log, round_: Round, person: str) -> str:
    """Who may give somebody the device: "dealer" to who has a valid wager, "leave" without one, or nobody."""
    if round_.method.device != "player" or round_.phase not in ("betting", "dealing") or is_held_up(round_):
        return ""
    if cards.lying(round_) or log.is_away(person):
        return ""
    valid, has_it = has_valid_wager(round_, person), holder(log)
    if has_it:
        renews = has_it == person and not valid and not has_leave(round_, person)
        return "leave" if renews else ""
    return "dealer" if valid else "leave"
