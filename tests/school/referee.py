"""A second opinion on items, which shares no code with their makers nor with the engine.

It reads an item and its rulebook as plain JSON, deals by a Table of Play written out here, pays by exact
fractions and looks rulings up in the document's own list. `wrong(item, book)` says what is wrong with an item.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import Any

import msgspec

from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.diff import plain

RANKS = "A23456789TJQK"
PLAYER_DRAWS = "012345"
BANKER_DRAWS = ["0123456789"] * 3 + ["012345679", "234567", "4567", "67", ""]  # by the Banker's points
OTHER = {"player": "banker", "banker": "player"}
CHANGE_NOTHING = {"continue", "stand", "settle", "settle-once"}
THE_SAME = {"withdraw-all": "options"}
CHOICES = {
    "options": "all-or-none",
    "withdraw-all": "all-or-none",
    "withdraw": "one-by-one",
    "raise-or-withdraw": "raise-or-withdraw",
    "offer": "insure-or-not",
}
JSON = Any


def wrong(item: object, book: Rulebook) -> list[str]:
    """Every way in which the item is not what the document says; none if it is right."""
    told = msgspec.to_builtins(item)
    found = [*_form(told)]
    if not found:
        found += CHECKS[told["kind"]](told, _plain(book))
    return found


@cache
def _plain(book: Rulebook) -> JSON:
    return plain(book)


def _form(item: JSON) -> Iterator[str]:
    """Each part has one right answer among choices that differ."""
    for part in item["parts"]:
        keys = [choice["key"] for choice in part["choices"]]
        said = [str(choice["says"]) for choice in part["choices"]]
        if len({*keys}) != len(keys) or len({*said}) != len(said):
            yield f"{part['name']}: two choices are alike"
        answer = part["answer"]
        if part["form"] == "choice" and (answer not in keys or len(keys) < 2):
            yield f"{part['name']}: the answer is not among the choices"
        if part["form"] == "several" and not {*answer} <= {*keys}:
            yield f"{part['name']}: an answer is not among the choices"
        if part["form"] == "cents" and (type(answer) is not int or keys):
            yield f"{part['name']}: an amount is a whole number"


def _parts(item: JSON) -> dict[str, JSON]:
    return {part["name"]: part["answer"] for part in item["parts"]}


def _differ(item: JSON, expected: dict[str, JSON]) -> list[str]:
    """Where the answers are not these."""
    given = {
        name: sorted(answer) if isinstance(answer, (list, tuple)) else answer
        for name, answer in _parts(item).items()
    }
    return [
        f"{name}: {given.get(name)!r}, expected {answer!r}"
        for name, answer in expected.items()
        if given.get(name) != answer
    ] + [f"{name} is not asked here" for name in given.keys() - expected.keys()]


# --- cards ------------------------------------------------------------------------------------------------


def points(cards: list[str]) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) % 10 for card in cards) % 10


def due(cards: list[str]) -> str | None:
    """Whose card is next."""
    if len(cards) < 4:
        return ("player", "banker")[len(cards) % 2]
    player, banker = points(cards[0:4:2]), points(cards[1:4:2])
    if max(player, banker) > 7:
        return None
    if str(player) not in PLAYER_DRAWS:
        return "banker" if len(cards) == 4 and banker < 6 else None
    if len(cards) == 4:
        return "player"
    return "banker" if len(cards) == 5 and str(points(cards[4:5])) in BANKER_DRAWS[banker] else None


def laid(cards: list[str]) -> dict[str, list[str]]:
    hands: dict[str, list[str]] = {"player": [], "banker": []}
    for place, card in enumerate(cards):
        side = due(cards[:place])
        assert side is not None, cards
        hands[side].append(card)
    return hands


def _winner(hands: dict[str, list[str]]) -> str:
    player, banker = points(hands["player"]), points(hands["banker"])
    return "tie" if player == banker else "player" if player > banker else "banker"


# --- bets -------------------------------------------------------------------------------------------------


def _allows(named: JSON, number: int) -> bool:
    if named is None or named == []:
        return True
    for one in named if isinstance(named, list) else [named]:
        low, _, high = str(one).partition("-")
        if int(low) <= number <= int(high or low):
            return True
    return False


def _suits(hand: list[str]) -> str:
    one, two = hand[0][1], hand[1][1]
    return "same" if one == two else "colour" if (one in "HD") == (two in "HD") else "mixed"


def _paired(hand: list[str]) -> bool:
    return hand[0][0] == hand[1][0]


def _hand_fits(when: JSON, hand: list[str]) -> bool:
    natural = len(hand) == 2 and points(hand) > 7
    places = dict(zip(("first", "second", "third"), [*hand, ""], strict=False))
    return (
        _allows(when.get("total"), points(hand))
        and _allows(when.get("cards"), len(hand))
        and when.get("natural") in (None, natural)
        and when.get("pair") in (None, _paired(hand))
        and ("suits" not in when or _suits(hand) in when["suits"])
        and all(places[name] and _is_one(places[name], when[name]) for name in places if name in when)
        and _single_cards_fit(when, hand, hand[:2])
        and ("first_two" not in when or _allows(when["first_two"], points(hand[:2])))
        and (
            "ranks" not in when or bool({hand[0][0] + hand[1][0], hand[1][0] + hand[0][0]} & {*when["ranks"]})
        )
    )


def _is_one(card: str, names: list[str]) -> bool:
    """Whether a card is one of those named: `7`, `9S`, `hearts`, `red`."""
    suit = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}[card[1]]
    return bool({card, card[0], suit, "red" if card[1] in "HD" else "black"} & set(names))


def _single_cards_fit(when: JSON, cards: list[str], initial: list[str]) -> bool:
    def counts(count: JSON) -> bool:
        such = [card for card in (initial if count.get("initial") else cards) if _is_one(card, count["of"])]
        one_suit = len({card[1] for card in such}) <= 1
        return _allows(count["number"], len(such)) and (one_suit or not count.get("suited"))

    return (
        all(map(counts, when.get("count", ())))
        and ("every" not in when or all(_is_one(card, when["every"]) for card in cards))
        and not any(_is_one(card, when.get("no", [])) for card in cards)
    )


def _compared(compare: JSON, hands: dict[str, list[str]]) -> bool:
    def value(place: str) -> int | None:
        side, _, which = place.partition(".")
        cards = hands[side][{"first": 0, "second": 1, "third": 2}[which] :]
        rank = "A23456789TJQK".index(cards[0][0]) + 1 if cards else None
        return rank if rank is None or compare.get("by") != "points" else rank % 10 if rank < 10 else 0

    one, other = value(compare["card"]), value(compare["than"])
    if one is None or other is None:
        return False
    return ("same" if one == other else "higher" if one > other else "lower") in compare["how"]


def _pairs_fit(when: JSON, hands: dict[str, list[str]]) -> bool:
    wanted = when.get("pair")
    if wanted is None:
        return True
    player, banker = (
        _paired(hands[side]) and ("pair_suits" not in when or _suits(hands[side]) in when["pair_suits"])
        for side in ("player", "banker")
    )
    alike = hands["player"][0][0] == hands["banker"][0][0]
    return {
        "player": player,
        "banker": banker,
        "either": player or banker,
        "one": player != banker,
        "both": player and banker,
        "double": player and banker and not alike,
        "twin": player and banker and alike,
        "none": not player and not banker,
    }[wanted]


def fits(when: JSON, hands: dict[str, list[str]]) -> bool:
    player, banker, winner = hands["player"], hands["banker"], _winner(hands)
    first = banker if winner == "banker" else player
    sides = {"player": player, "banker": banker, "winning": None, "losing": None}
    if winner != "tie":
        sides |= {"winning": hands[winner], "losing": hands[OTHER[winner]]}
    return (
        winner in when.get("winner", ("player", "banker", "tie"))
        and _allows(when.get("total"), points(first))
        and _allows(when.get("cards"), len(first))
        and _allows(when.get("cards_in_all"), len(player) + len(banker))
        and _allows(when.get("margin"), abs(points(player) - points(banker)))
        and _allows(when.get("sum"), points(player) + points(banker))
        and _pairs_fit(when, hands)
        and _single_cards_fit(when, [*player, *banker], [*player[:2], *banker[:2]])
        and all(_compared(compare, hands) for compare in when.get("compare", ()))
        and (not when.get("any") or any(fits(one, hands) for one in when["any"]))
        and all(
            hand is not None and _hand_fits(when[name], hand) for name, hand in sides.items() if name in when
        )
    )


def ratio(odds: str) -> Fraction:
    one, _, other = odds.partition(" to ")
    return Fraction(one) / Fraction(other)


def result(bet: JSON, hands: dict[str, list[str]]) -> tuple[str, Fraction]:
    """Win, push or lose, and what a stake gains for each cent."""
    for tier in bet["pays"]:
        if fits(tier["when"], hands):
            return "win", ratio(tier["odds"])
    for push in [*([bet["push"]] if bet.get("push") else []), *bet.get("pushes", ())]:
        if fits(push["when"], hands):
            return "push", Fraction(push.get("returned", 1)) - 1
    return "lose", Fraction(-1)


def net(book: JSON, bet: str, stake: int, hands: dict[str, list[str]]) -> int:
    gain = stake * result(book["bets"][bet], hands)[1]
    assert gain.denominator == 1, (bet, stake)
    return int(gain)


def rows(book: JSON, cards: list[str]) -> list[JSON]:
    """Rows of the insurance table that are open when these cards lie there."""
    if book.get("insurance") is None or len(cards) < 4 or due(cards) is None:
        return []
    hands, window = laid(cards), len(cards) - 3
    return [
        row
        for row in book["insurance"]["offers"]
        if row["window"] == window
        and _allows(row["player"], points(hands["player"]))
        and _allows(row["banker"], points(hands["banker"]))
    ]


# --- kinds ------------------------------------------------------------------------------------------------


def _third_card(item: JSON, _: JSON) -> list[str]:
    facts, parts = item["facts"], _parts(item)
    cards = facts["cards"].split()
    coming = facts.get("coming", "")
    hands = laid(cards)
    if (" ".join(hands["player"]), " ".join(hands["banker"])) != (facts["player"], facts["banker"]):
        return ["the hands are not those of the cards"]
    four, expected = cards[:4], dict[str, JSON]()
    natural = max(points(four[0::2]), points(four[1::2])) > 7
    third = [*cards[4:5], *([coming] if coming and due(four) == "player" else [])]
    does = {"player": "draw" if due(four) == "player" else "stand", "banker": "stand"}
    if due(four) == "banker" or (due(four) == "player" and third and due([*four, *third]) == "banker"):
        does["banker"] = "draw"
    for name in parts:
        if name == "pairs":
            expected[name] = sorted(side for side in hands if _paired(hands[side]))
        else:
            expected[name] = "natural" if natural else does[name]
    found = _differ(item, expected)
    cell = item["skill"].split("/")
    if cell[1] == "banker" and (points(four[1::2]) != int(cell[2]) or natural):
        found.append("the deal does not show its skill")
    if cell[1] == "banker" and cell[3] != "stands" and points(third) != int(cell[3]):
        found.append("the third card does not show its skill")
    return found


def _result(item: JSON, book: JSON) -> list[str]:
    cards = item["facts"]["cards"].split()
    hands = laid(cards)
    bets = book["layouts"][item["layout"]]["bets"]
    found = _differ(
        item,
        {
            "winner": _winner(hands),
            "player-total": str(points(hands["player"])),
            "banker-total": str(points(hands["banker"])),
            "pairs": sorted(side for side in hands if _paired(hands[side])),
            "winning": sorted(bet for bet in bets if result(book["bets"][bet], hands)[0] == "win"),
        },
    )
    return found + (["the round is not over"] if due(cards) else [])


def _pay(item: JSON, book: JSON) -> list[str]:
    facts = item["facts"]
    cards = facts["cards"].split()
    hands, expected, chips = laid(cards), {}, 0
    share = Fraction(1)
    if facts.get("differential"):
        share = Fraction(facts["differential"], sum(line["stake"] for line in facts["lines"]))
    for number, line in enumerate(facts["lines"], start=1):
        plays = line["stake"] * share
        if facts.get("maximum"):
            plays = min(plays, Fraction(facts["maximum"]))
        assert plays.denominator == 1, line
        if line.get("window"):
            gain = _insured(book, cards, line)
        else:
            gain = net(book, line["bet"], int(plays), hands)
        expected[f"line-{number}"] = gain
        if line["patron"] == "A" and _is_target(item, line):
            chips = gain
    found = [] if due(cards) is None else ["the round is not over"]
    for part in item["parts"]:
        if part["name"] == "chips":
            expected["chips"] = part["answer"]
            found += [
                f"chips {choice['key']} are worth {_worth(choice['key'])}, not {chips}"
                for choice in part["choices"]
                if (_worth(choice["key"]) == chips) != (choice["key"] == part["answer"])
            ]
    return found + _differ(item, expected)


def _is_target(item: JSON, line: JSON) -> bool:
    name = item["skill"].split("/")[1]
    return name in ("pro-rata", "to-maximum") or line["bet"] == name


def _worth(chips: str) -> int:
    return sum(int(one.partition("x")[0]) * int(one.partition("x")[2]) for one in chips.split())


def _insured(book: JSON, cards: list[str], line: JSON) -> int:
    hand = line["bet"].removesuffix("-insurance")
    (row,) = [one for one in rows(book, cards[: 3 + line["window"]]) if one["hand"] == hand]
    winner, stake = _winner(laid(cards)), int(line["stake"])
    gain = stake * ratio(row["odds"])
    assert gain.denominator == 1
    if winner == hand:
        return -stake
    return 0 if winner == "tie" and not row.get("tie_paid") else int(gain)


def _insurance(item: JSON, book: JSON) -> list[str]:
    facts = item["facts"]
    cards = facts["cards"].split()
    offers = {row["hand"]: row for row in rows(book, cards)}
    parts = {part["name"]: part for part in item["parts"]}
    expected: dict[str, JSON] = {
        "open": "both" if len(offers) == 2 else next(iter(offers), "no"),
        "who": sorted(line["patron"] for line in facts["lines"] if line["bet"] in offers),
    }
    if offers:
        blanks = parts["cap"]["asks"]["blanks"]
        row = offers[blanks["hand"]]
        (line,) = [one for one in facts["lines"] if one["patron"] == blanks["patron"]]
        caps, insurance = [], book["insurance"]
        if insurance.get("stake_per_window"):
            caps.append(line["stake"] * Fraction(insurance["stake_per_window"]["value"]))
        if insurance.get("winnings_per_round"):
            caps.append(
                line["stake"] * Fraction(insurance["winnings_per_round"]["value"]) / ratio(row["odds"])
            )
        long = insurance.get("long_odds")
        if long and ratio(long["odds"]) == ratio(row["odds"]):
            caps.append(facts["maximum"] * Fraction(long["of_maximum"]))
        expected |= {"odds": row["odds"], "cap": min(caps)}
        for choice in parts["odds"]["choices"]:
            if choice["key"] != row["odds"] and ratio(choice["key"]) == ratio(row["odds"]):
                return ["two odds are the same"]
        if "tie" in parts:
            expected["tie"] = "win" if row.get("tie_paid") else "push"
    return _differ(item, expected)


def _limits(item: JSON, book: JSON) -> list[str]:
    facts, what = item["facts"], item["skill"].split("/")[1]
    on = {"player": 0, "banker": 0}
    for line in facts["lines"]:
        if line["bet"] in on:  # side bets never count
            on[line["bet"]] += line["stake"]
    box = book["limits"]["differential"]["scope"] == "box"
    wish = facts.get("wish")
    if what in ("taken", "below-minimum", "above-maximum", "over-differential"):
        stake, bet = wish["stake"], wish["bet"]
        over = box and bet in on and on[bet] + stake - on[OTHER[bet]] > facts["differential"]
        broken = {
            "below-minimum": stake < facts["minimum"],
            "above-maximum": stake > facts["maximum"],
            "over-differential": over,
        }
        names = [name for name, is_so in broken.items() if is_so]
        if len(names) > 1:
            return ["two limits are broken at once"]
        return _differ(item, {"verdict": names[0] if names else "taken"})
    return _differ(item, _amounts(facts, what, on))


def _amounts(facts: JSON, what: str, on: dict[str, int]) -> dict[str, JSON]:
    """Room, excess, and what plays."""
    lines, differential, maximum = facts["lines"], facts["differential"], facts["maximum"]
    heavy = max(on, key=lambda hand: on[hand])
    share = Fraction(on[OTHER[heavy]] + differential, on[heavy])
    plays = {line["patron"]: line["stake"] * share for line in lines if line["bet"] == heavy}
    if what == "room":
        hand = facts["wish"]["bet"]
        return {"most": min(on[OTHER[hand]] + differential - on[hand], maximum)}
    if what == "excess":
        return {"excess": max(abs(on["player"] - on["banker"]) - differential, 0)}
    if what == "to-maximum":
        plays = {line["patron"]: min(line["stake"], maximum) for line in lines if line["bet"] in on}
    elif what != "pro-rata":
        assert plays["B"] < facts["minimum"], facts
        plays = {"B": min(lines[1]["stake"], facts["minimum"])}
    return {f"plays-{patron}": cents for patron, cents in plays.items()}


def _squeeze(item: JSON, book: JSON) -> list[str]:
    facts, parts = item["facts"], _parts(item)
    rights = book["squeeze"]
    (method,) = [one for one in book["dealing"] if one["name"] == facts["method"]]
    counted = [line for line in facts["lines"] if line.get("seated", True) or not rights["seated_only"]]
    largest = rights["right"] == "largest-bet"
    if not largest:
        counted = [line for line in counted if line["bet"] == facts["hand"]]
    sums: dict[str, int] = {}
    for line in counted:
        before = sums.get(line["patron"], 0)
        sums[line["patron"]] = max(before, line["stake"]) if largest else before + line["stake"]
    first = max(sums, key=lambda person: sums[person])
    expected: dict[str, JSON] = {
        "right": first,
        "leave": "asks-first" if largest else "by-right",
        "device": "dealer" if method["device"] == "dealer" else "players",
        "handles": method["handles"],
        "turns": first
        if method["face_down"] and method["handles"] == "players" and not largest
        else "dealer",
        "allows": method.get("allowed_by"),
        "lets": next((d["rank"] for d in book.get("discretions", ()) if d["grants"] == "any-squeezer"), None),
    }
    found = _differ(item, {name: answer for name, answer in expected.items() if name in parts})
    asks_for_first = "right" in parts or ("turns" in parts and expected["turns"] == first)
    return found + (
        ["two have bet the most"] if asks_for_first and [*sums.values()].count(sums[first]) > 1 else []
    )


def _spot(item: JSON, book: JSON) -> list[str]:
    """The steps watched one by one: the first that is wrong."""
    step, error = _first_error(item["facts"], book)
    return _differ(item, {"step": str(step) if step else "nothing", "what": error or "nothing"})


class Watched:
    """What a camera has seen so far."""

    def __init__(self, book: JSON, lines: list[JSON]) -> None:
        self.book, self.lines = book, lines
        self.cards: list[str] = []
        self.hands: dict[str, list[str]] = {"player": [], "banker": []}
        self.offered: set[int] = set()

    def error(self, step: JSON) -> str:
        """What is wrong with the next step, nothing if it is right."""
        key, told = step["says"]["key"], step["says"].get("blanks", {})
        if key in ("step-card", "step-draws"):
            return self._card(step)
        if key in ("step-totals", "step-result"):
            return self._called(told, final=key == "step-result")
        if key == "step-paid":
            return self._paid(told)
        if key == "step-insurance":
            self.offered.add(len(self.cards))
        return "late-bet" if key == "step-late" else ""

    def _card(self, step: JSON) -> str:
        side = due(self.cards)
        if rows(self.book, self.cards) and len(self.cards) not in self.offered:
            return "insurance-not-offered"
        if side is None:
            return "wrong-draw"
        self.cards.append(step["card"])
        self.hands[side].append(step["card"])
        return "" if step["hand"] == side else "other-hand"

    def _called(self, told: JSON, *, final: bool) -> str:
        if final and due(self.cards) is not None:
            return "missed-draw"
        if [points(self.hands[side]) for side in ("player", "banker")] != [told["player"], told["banker"]]:
            return "wrong-total"
        return "wrong-winner" if final and told["outcome"] != _winner(self.hands) else ""

    def _paid(self, told: JSON) -> str:
        mine = [line for line in self.lines if (line["patron"], line["bet"]) == (told["patron"], told["bet"])]
        gain = int(mine[0]["stake"] * result(self.book["bets"][told["bet"]], self.hands)[1])
        return "" if told["net"] == gain else "wrong-tier"


def _first_error(facts: JSON, book: JSON) -> tuple[int, str]:
    watched = Watched(book, facts["lines"])
    for number, step in enumerate(facts["steps"], start=1):
        error = watched.error(step)
        if error:
            return number, error
    return 0, ""


def _rulings(book: JSON, case: str, facts: JSON) -> list[JSON]:
    """The rulings of a case that these facts leave; facts that it does not ask for do not matter."""
    (procedure,) = [one for one in book["procedures"] if one["case"] == case]
    return [
        ruling
        for ruling in procedure["rulings"]
        if all(facts.get(name) in values for name, values in ruling.get("when", {}).items() if values)
    ]


def effect(remedy: str) -> set[str]:
    return {THE_SAME.get(name, name) for name in remedy.split()} - CHANGE_NOTHING


def _rule(item: JSON, book: JSON) -> list[str]:
    facts, parts = item["facts"], {part["name"]: part for part in item["parts"]}
    left = _rulings(book, facts["case"], facts["established"])
    if len(left) != 1:
        return [f"{len(left)} rulings are left"]
    (ruling,) = left
    chosen = [CHOICES[name] for name in ruling["remedy"] if name in CHOICES]
    expected: dict[str, JSON] = {
        "who": ruling["decides"],
        "remedy": " ".join(ruling["remedy"]),
        "options": chosen[0] if chosen else "nobody",
    }
    known = facts["cards"].split()
    found = _right_stage(facts, known, book, item)
    for line in facts["lines"]:
        name = f"back-{line['patron']}"
        back = "void" in ruling["remedy"] or (bool(chosen) and not decided(book["bets"][line["bet"]], known))
        expected[name] = expected.get(name, 0) + (line["stake"] if back else 0)
    cited = ruling["rules"] if "paragraph" in parts else []
    if "paragraph" in parts:
        expected["paragraph"] = parts["paragraph"]["answer"]
        found += [
            f"{choice['key']} is as right as {expected['paragraph']}"
            for choice in parts["paragraph"]["choices"]
            if (choice["key"] in cited) != (choice["key"] == expected["paragraph"])
        ]
    found += _remedies_differ(parts["remedy"])
    return found + _differ(item, {name: answer for name, answer in expected.items() if name in parts})


def _remedies_differ(part: JSON) -> list[str]:
    right = effect(part["answer"])
    return [
        f"{choice['key']} comes to the same as {part['answer']}"
        for choice in part["choices"]
        if choice["key"] != part["answer"]
        and (effect(choice["key"]) == right or (effect(choice["key"]) < right and effect(choice["key"])))
    ]


def _right_stage(facts: JSON, known: list[str], book: JSON, item: JSON) -> list[str]:
    """The cards agree with what is established."""
    told, found = facts["established"], []
    if "stage" in told and (told["stage"] == "initial-deal") != (len(known) < 4):
        found.append("the stage is another")
    if "card_drawn" in told and told["card_drawn"] != bool(known):
        found.append("a card was drawn, or none was")
    if told.get("noticed") == "bets-open" and known:
        found.append("bets are open and cards are drawn")
    if "outcome_established" in told:
        bets = book["layouts"][item["layout"]]["bets"]
        if told["outcome_established"] != any(decided(book["bets"][bet], known) for bet in bets):
            found.append("an outcome is established, or none is")
    return found


def decided(bet: JSON, known: list[str]) -> bool:
    """Won or lost for certain, by every ending that there is."""
    return bool(known) and _decided(msgspec.json.encode(bet), tuple(known))


@lru_cache(maxsize=50_000)
def _decided(text: bytes, known: tuple[str, ...]) -> bool:
    bet, verdicts = msgspec.json.decode(text), set()
    for thirds in product(RANKS, repeat=2):
        cards = list(known)
        for rank in thirds[len(known) - 4 :] if len(known) > 4 else thirds:
            if due(cards):
                cards.append(f"{rank}S")
        verdicts.add(result(bet, laid(cards))[0])
    return len(verdicts) == 1 and verdicts != {"push"}


def _changed(item: JSON, book: JSON) -> list[str]:
    facts, what = item["facts"], item["skill"].split("/")[2]
    books = {"here": book, "there": _plain(load(facts["other"]))}
    parts = {part["name"]: part for part in item["parts"]}
    expected: dict[str, JSON] = {}
    found: list[str] = []
    for name, one in books.items():
        if what == "bet":
            (line,) = facts["lines"]
            expected[name] = net(one, line["bet"], line["stake"], laid(facts["cards"].split()))
        elif what == "insurance":
            hand = parts[name]["asks"]["blanks"]["hand"]
            offers = [row["odds"] for row in rows(one, facts["cards"].split()) if row["hand"] == hand]
            expected[name] = offers[0] if offers else "closed"
        elif what == "layout":
            layout = one["layouts"].get(facts["layout"])
            spot = layout and facts["lines"][0]["bet"] in layout["bets"]
            expected[name] = "no-layout" if layout is None else "offered" if spot else "not-offered"
        else:
            case = facts["case"] if name == "here" else facts["other_case"]
            (ruling,) = _rulings(one, case, facts["established"])
            expected[name] = " ".join(ruling["remedy"])
            found += _remedies_differ(parts[name])
    if len({str(answer) for answer in expected.values()}) == 1:
        found.append("nothing differs")
    return found + _differ(item, expected)


CHECKS = {
    "third-card": _third_card,
    "result": _result,
    "pay": _pay,
    "insurance": _insurance,
    "limits": _limits,
    "squeeze": _squeeze,
    "spot": _spot,
    "rule": _rule,
    "changed": _changed,
}
