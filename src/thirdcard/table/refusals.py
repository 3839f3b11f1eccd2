"""The closed set of refusals: a code for programs, a sentence by its key, and paragraphs."""

from typing import Literal, Self, TypeAlias

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.words import ENGLISH, Language
from thirdcard.words.saying import Fact, Saying, in_words, say

# In the order in which the checks are made; `decide` keeps to it.
Code: TypeAlias = Literal[
    "unknown-person",
    "paused",
    "wrong-rank",
    "wrong-phase",
    "unknown-case",
    "unknown-player",
    "unknown-rank",
    "unknown-box",
    "not-allowed-here",
    "round-is-final",
    "fact-missing",
    "condition-not-met",
    "input-not-used",
    "no-choice",
    "no-amendment",
    "box-taken",
    "box-not-occupied",
    "bad-setup",
    "not-on-layout",
    "no-such-stake",
    "not-a-multiple",
    "below-minimum",
    "above-maximum",
    "over-differential",
    "too-many-wagers",
    "insurance-not-offered-here",
    "insurance-waived",
    "insurance-not-open",
    "insurance-forgone",
    "no-offer",
    "no-original-bet",
    "over-the-cap",
    "rack-too-small",
    "new-shoe-needed",
    "no-such-card",
    "shoe-empty",
    "card-not-seen",
    "card-not-named",
    "card-not-in-shoe",
    "no-right-to-squeeze",
    "card-not-yours",
    "card-not-due",
    "round-not-complete",
    "decision-needed",
]


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """Nothing happened, and why: a code of the closed list, a sentence by its key, the paragraphs.

    >>> refusal = Refusal("box-not-occupied", say("box-empty", box=3), ("3.4",))
    >>> refusal.sentence, refusal.rules
    ('nobody sits at box 3', ('3.4',))
    """

    code: Code
    said: Saying
    rules: Rules = ()

    @property
    def sentence(self) -> str:
        """What is said, in English."""
        return str(self.said)


class ToldRefusal(msgspec.Struct, frozen=True, kw_only=True):
    """A refusal as it is told and kept: in words, and by the `key` and `facts` that make them in a language.

    Up to release 0.2.0 the words alone were kept.
    """

    code: Code
    sentence: str
    key: str = ""
    facts: dict[str, Fact] = {}
    rules: Rules = ()

    @property
    def said(self) -> Saying:
        return Saying(self.key, self.facts) if self.key else say("as-told", text=self.sentence)

    @classmethod
    def of(cls, no: Refusal, language: Language = ENGLISH) -> Self:
        """The refusal in that language."""
        said = no.said
        return cls(
            code=no.code,
            sentence=in_words(said, language),
            key=said.key,
            facts=dict(said.facts),
            rules=no.rules,
        )


class Refused(Exception):  # noqa: N818 - carries a value out of nested checks, never leaves `decide`
    """Ends a decision with its refusal."""

    def __init__(self, code: Code, said: Saying, rules: Rules = ()) -> None:
        super().__init__(said)
        self.refusal = Refusal(code, said, rules)
