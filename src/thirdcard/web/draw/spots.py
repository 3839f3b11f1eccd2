"""The bets of a layout as a page shows them: in the order of the felt, with their words and what they pay."""

from functools import cache

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import load
from thirdcard.rulebook.model import Bet, Layout
from thirdcard.words import ENGLISH, BetWords, Language, Words, bet_name, bet_order, bet_words, words


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A bet on offer: `pays` as the felt prints it, `label` as it is read aloud."""

    bet: str
    words: BetWords
    pays: str
    label: str


@cache
def spots(slug: str, layout: str, language: Language = ENGLISH) -> tuple[Spot, ...]:
    """The bets of that layout and no others; BadInput if there is no such layout."""
    offered = layout_of(slug, layout).bets
    book, said = load(slug), words(language)
    found = []
    for name in sorted(offered, key=lambda name: bet_order(name, book.bets[name])):
        bet = book.bets[name]
        called = bet_words(name, bet)
        own = called.en if language == ENGLISH else bet_name(name, language)
        label = said.say("ui", "spot_label", bet=own, odds=spoken(bet, said))
        found.append(Spot(bet=name, words=called, pays=printed(bet), label=label))
    return tuple(found)


def layout_of(slug: str, layout: str) -> Layout:
    layouts = load(slug).layouts
    if layout not in layouts:
        raise BadInput(f"{slug} has no layout {layout!r}: it has {', '.join(layouts)}")
    return layouts[layout]


def printed(bet: Bet) -> str:
    """`50 to 1`; of several tiers `10·15·50`, or `1 to 2 on 6 · 1 to 1` where they are not all to one."""
    multiples = _multiples(bet)
    return "·".join(multiples) if multiples else " · ".join(_lines(bet, " to ", " on {}"))


def spoken(bet: Bet, said: Words) -> str:
    """The same in words: `10, 15 or 50 to 1`, or `1 to 2 on 6, otherwise 1 to 1`."""
    several, to = _multiples(bet), said.say("spoken", "odds")
    if several:
        return f"{said.choice(several)}{to}1"
    return said.ui["spot_otherwise"].join(_lines(bet, to, said.ui["spot_on"]))


def _multiples(bet: Bet) -> tuple[str, ...]:
    """Of several tiers that all pay so much to one: how much."""
    found = tuple(tier.odds.text.removesuffix(" to 1") for tier in bet.pays)
    return found if len(found) > 1 and not any("to" in odds for odds in found) else ()


def _lines(bet: Bet, to: str, on: str) -> list[str]:
    """The odds of each tier, with the total that it needs where it is one of several."""
    several = len(bet.pays) > 1
    return [
        tier.odds.text.replace(" to ", to)
        + (on.format(tier.when.total.values[0]) if several and len(tier.when.total.values) == 1 else "")
        for tier in bet.pays
    ]
