"""Exact numbers as plain values for JSON: text `"n/d"`, and a rounded float for people beside it."""

from fractions import Fraction
from math import sqrt

from thirdcard.odds.bet_values import Value
from thirdcard.odds.insurance import OfferValue


def exact(key: str, value: Fraction | None) -> dict[str, object]:
    """A number as it is, and rounded for people."""
    if value is None:
        return {key: None, f"{key}_approx": None}
    return {key: str(value), f"{key}_approx": float(value)}


def bets_json(worth: dict[str, Value]) -> dict[str, object]:
    return {
        name: {
            **exact("ev", value.ev),
            **exact("house_edge", value.house_edge),
            **exact("win", value.win),
            **exact("push", value.push),
            **exact("lose", value.lose),
            "sd": sqrt(value.variance),
            "variance": str(value.variance),
            "tiers": {
                tier.tier: {
                    "odds": tier.odds.text,
                    **exact("probability", value.chance(tier.tier)),
                    "rules": tier.rules,
                }
                for tier in value.bet.pays
            },
            **_pushes(value),
        }
        for name, value in worth.items()
    }


def _pushes(value: Value) -> dict[str, object]:
    """Each push of a bet, where they have names of their own."""
    pushes = value.bet.every_push
    if all(push.tier == "push" for push in pushes):
        return {}
    chances = {
        push.tier: {**exact("probability", value.chance(push.tier)), "rules": push.rules} for push in pushes
    }
    return {"pushes": chances}


def offer_json(one: OfferValue) -> dict[str, object]:
    return {
        "hand": one.offer.hand,
        "window": one.offer.window,
        "player": one.player,
        "banker": one.banker,
        "odds": one.offer.odds.text,
        **exact("probability", one.probability),
        **exact("ev", one.ev),
        **exact("win", one.chance("win")),
        **exact("push", one.chance("push")),
        **exact("lose", one.chance("lose")),
        "favours": one.favours,
        "rules": one.rules,
    }
