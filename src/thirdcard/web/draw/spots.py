"""The bets of a layout as a page shows them: in the order of the felt, with their words and what they pay."""

from functools import lru_cache
from typing import Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Bet, Layout, Tier
from thirdcard.words import ENGLISH, BetWords, Language, Words, bet_name, bet_order, bet_words, words

MOST_PRINTED: Final = 4  # odds of one bet, and of more the lowest and the highest
MOST_SPOKEN: Final = 6


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A bet on offer: `pays` as the felt prints it, `label` as it is read aloud."""

    bet: str
    words: BetWords
    pays: str
    label: str


@lru_cache(maxsize=1024)
def spots(book: Rulebook, layout: str, language: Language = ENGLISH) -> tuple[Spot, ...]:
    """The bets of that layout and no others; BadInput if there is no such layout."""
    said, drawn = words(language), []
    for name in sorted(layout_of(book, layout).bets, key=lambda name: bet_order(name, book)):
        bet = book.bets[name]
        own = bet_name(name, language, book)
        label = said.say("ui", "spot_label", bet=own, odds=spoken(bet, said))
        drawn.append(Spot(bet=name, words=bet_words(name, book), pays=printed(bet, said), label=label))
    return tuple(drawn)


def layout_of(book: Rulebook, layout: str) -> Layout:
    if layout not in book.layouts:
        raise BadInput(f"{book.slug} has no layout {layout!r}: it has {', '.join(book.layouts)}")
    return book.layouts[layout]


def printed(bet: Bet, said: Words) -> str:
    """`50 to 1`; of several tiers `10·15·50`, or `1 to 2 on 6 · 1 to 1` where they are not all to one.

    Of a long list there are only its ends: `1-30`, with a true dash.
    """
    on = " on {}" if said.code == ENGLISH else said.ui["spot_on"]
    multiples, lines, ends = _multiples(bet), _lines(bet, said.ui["odds_as"], on), _ends(bet)
    if multiples and len(multiples) <= MOST_PRINTED:
        return "·".join(multiples)
    if len(lines) <= MOST_PRINTED // 2:
        return " · ".join(lines)
    low, high = (
        end.odds.text.removesuffix(" to 1") if multiples else _put(end, said.ui["odds_as"]) for end in ends
    )
    return f"{low}\N{EN DASH}{high}" if multiples else f"{low} \N{EN DASH} {high}"


def spoken(bet: Bet, said: Words) -> str:
    """The same in words: `10, 15 or 50 to 1`, or `1 to 2 on 6, otherwise 1 to 1`."""
    several, to = _multiples(bet), said.say("spoken", "odds")
    lines = _lines(bet, f"{{win}}{to}{{stake}}", said.ui["spot_on"])
    if len(several or lines) > MOST_SPOKEN:
        return said.ui["spot_between"].format(*(end.odds.text.replace(" to ", to) for end in _ends(bet)))
    if several:
        return f"{said.choice(several)}{to}1"
    return said.ui["spot_otherwise"].join(lines)


def _ends(bet: Bet) -> tuple[Tier, Tier]:
    """The tiers that pay the least and the most."""
    ordered = sorted(bet.pays, key=lambda tier: tier.odds.ratio)
    return ordered[0], ordered[-1]


def _multiples(bet: Bet) -> tuple[str, ...]:
    """Of several odds that are all so much to one: how much."""
    multiples = tuple(dict.fromkeys(tier.odds.text.removesuffix(" to 1") for tier in bet.pays))
    return multiples if len(multiples) > 1 and not any("to" in odds for odds in multiples) else ()


def _put(tier: Tier, way: str) -> str:
    win, stake = tier.odds.text.split(" to ")
    return way.format(win=win, stake=stake)


def _lines(bet: Bet, way: str, on: str) -> list[str]:
    """The odds of each tier, with the total that it needs where others pay otherwise."""
    several = len({tier.odds for tier in bet.pays}) > 1
    lines = (
        _put(tier, way)
        + (on.format(tier.when.total.values[0]) if several and len(tier.when.total.values) == 1 else "")
        for tier in bet.pays
    )
    return list(dict.fromkeys(lines))
