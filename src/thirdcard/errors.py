"""What is raised where something given cannot be used, or cannot be done."""

from collections.abc import Collection


class BadInput(ValueError):  # noqa: N818 - named for what it is, as people read it
    """What somebody gave us cannot be used; `str(error)` is one sentence for people.

    It is given as prose, or as a value whose `str` is prose. `rules` are the paragraphs it rests on.

    >>> import thirdcard as tc
    >>> try:
    ...     tc.odds("mbs-tiger-v2", decks=12)
    ... except tc.BadInput as error:
    ...     print(error, error.rules)
    mbs-tiger-v2 is played with 4 to 10 decks (2.1): got 12 ('2.1',)
    """

    def __init__(self, sentence: object, *, rules: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.rules = rules


class NotPossible(Exception):  # noqa: N818 - what somebody is told
    """It cannot be done as things stand; `code` is for programs, the sentence says why."""

    def __init__(self, code: str, sentence: object) -> None:
        super().__init__(sentence)
        self.code = code


def no_such(what: str, given: str, known: Collection[str], most: int = 1) -> BadInput:
    """What to raise for a name that is not among those there are: the nearest of them, or all."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is wrong

    near = get_close_matches(given, known, n=most) or list(known)
    return BadInput(f"there is no {what} {given!r}: did you mean {' or '.join(near)}?")
