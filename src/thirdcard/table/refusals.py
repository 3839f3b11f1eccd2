"""The closed set of refusals: a code for programs, a sentence and paragraphs for people."""

from typing import Literal, TypeAlias

import msgspec

from thirdcard.rulebook.model import Rules

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
    """Nothing happened, and why."""

    code: Code
    sentence: str
    rules: Rules = ()


class Refused(Exception):  # noqa: N818 - carries a value out of nested checks, never leaves `decide`
    """Ends a decision with its refusal."""

    def __init__(self, code: Code, sentence: str, rules: Rules = ()) -> None:
        super().__init__(sentence)
        self.refusal = Refusal(code, sentence, rules)
