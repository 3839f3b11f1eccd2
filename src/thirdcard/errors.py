"""The one exception that bad input raises."""


class BadInput(ValueError):  # noqa: N818 - named for what it is, as people read it
    """What somebody gave us cannot be used; `str(error)` is one sentence for people.

    `rules` names the paragraphs it rests on, if it rests on any.
    """

    def __init__(self, sentence: str, *, rules: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.rules = rules
