"""Settings by name: what is burnt, when the last round begins, how a person sees the decks left.

They differ from house to house and from one published figure to the next, so none is taken for granted.
"""

from thirdcard.errors import BadInput

NOTHING, FIRST_CARD = "nothing", "first-card"
CUT_CARD, ONE_MORE, ALWAYS_ONE_MORE = "cut-card", "one-more", "always-one-more"
ENDINGS = {
    CUT_CARD: "a round begins while the cut card is in the shoe or next to come",
    ONE_MORE: "one more round after that in which the cut card came; none after one that it came before",
    ALWAYS_ONE_MORE: "one more round after that in which the cut card came, or that it came before",
}
UNDIVIDED = "none"
DECKS_LEFT = {
    "exact": "the cards left, counted",
    "half": "decks left, to the nearest half",
    "whole": "decks left, to the nearest whole one",
    UNDIVIDED: "not at all: the running count is held to the trigger as it is",
}
MOST_BURNT = 26


def check_burn(burn: str) -> None:
    """`nothing`, so many cards unseen, or `first-card`: it is shown, and so many as its points unseen."""
    if burn in {NOTHING, FIRST_CARD}:
        return
    if not (burn.isascii() and burn.isdigit() and 0 < int(burn) <= MOST_BURNT):
        raise BadInput(
            f"{burn!r} is no way to burn cards: expected {NOTHING}, {FIRST_CARD} or a number from 1 to "
            f"{MOST_BURNT}"
        )


def most_burnt(burn: str) -> int:
    """The cards that leave the shoe before the first round, at most."""
    named = {NOTHING: 0, FIRST_CARD: 11}
    return named[burn] if burn in named else int(burn)
