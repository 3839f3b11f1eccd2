"""The tool tried on mutants whose end is known, for `test_mutants.py`: prints the report, ends with its status.

Documents with nothing changed have to live: then it takes a change to kill a mutant. The others end in each
of the other ways.
"""

import os
import sys
import time

from law.changes import Edit, Mutant
from law.mutants import (
    Reason,
    Report,
    arguments,
    documents,
    every_mutant,
    examined,
    stale_reasons,
    told,
)
from law.trial import Trial, Verdict, tried

SAME = ("decks", "limits", "squeeze")  # set to what they are, for the tests of their paragraphs
UNCHANGED = ("mbs-tiger-v2", "rws-commission-insurance-v5")
KILLED = (
    "mbs-tiger-v2:bets.tie.pays[0].odds=9 to 1",
    "mbs-tiger-v2:decks.min=5",
    "mbs-tiger-v2:document.title changed",
    "mbs-tiger-v2:slug changed",
)
ENDS = ("hangs", "raises", "dies")
REASONS = (
    Reason(key="rws-*:unchanged", reason="nothing is changed"),
    Reason(key="mbs-tiger-v2:decks.min=*", reason="not true"),
    Reason(key="mbs-tiger-v2:weather", reason="not a mutant"),
)


def unchanged() -> list[Mutant]:
    return [
        Mutant(
            key=f"{slug}:unchanged",
            document=slug,
            edits=tuple(Edit((name,), raw[name]) for name in SAME),
        )
        for slug, raw in documents().items()
        if slug in UNCHANGED
    ]


def without_verdict(trial: Trial) -> Verdict:
    """In a child: an end of the kind that the key says."""
    if trial.mutant.key.endswith(":hangs"):
        time.sleep(3600)
    if trial.mutant.key.endswith(":raises"):
        raise LookupError("planted")
    if trial.mutant.key.endswith(":dies"):
        os._exit(1)
    return tried(trial)


def main() -> int:
    known = [*unchanged(), *(one for one in every_mutant() if one.key in KILLED)]
    ends = [Mutant(key=f"mbs-tiger-v2:{end}", document="mbs-tiger-v2", edits=()) for end in ENDS]
    _, found = examined(known, arguments(["--sample", "100"]))
    for end, limit in zip(ends, ("1", "300", "300"), strict=True):  # only what hangs has to be waited for
        _, ended = examined([end], arguments(["--sample", "100", "--limit", limit]), without_verdict)
        found |= ended
    report = Report(
        verdicts=tuple(found[one.key] for one in (*known, *ends)),
        reasons=REASONS,
        stale=tuple(stale_reasons(REASONS, known, found.values())),
        failing=(),
        missing=0,
    )
    sys.stdout.writelines(f"{one.key}: {one.outcome}\n" for one in report.verdicts)
    sys.stdout.writelines(f"{line}\n" for line in told(report))
    return report.status


if __name__ == "__main__":
    sys.exit(main())
