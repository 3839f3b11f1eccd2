"""Law coverage: every value of every rulebook is changed, one at a time, and the tests have to notice.

`make mutants` tries them all. A mutant dies if the loader refuses it, if a test that carries one of the
value's paragraphs fails, or else one that all documents share. One that lives is a value nobody holds to its
paragraph: a test is missing, or the value says nothing, or the loader should refuse it. `reasons.toml` has
the survivors that are accepted. Exit status 1 if there are others, or a reason that is no longer true.
"""

import argparse
import hashlib
import os
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, get_args

import msgspec

from law.changes import REMEDIES, Mutant, Raw, citing, of_document, of_remedies
from law.trial import COMMON, ROOT, Judge, Outcome, Trial, Verdict, failures, import_engine, tried, verdicts
from rules.collect import every_test
from thirdcard.rulebook import slugs
from thirdcard.rulebook.load import DOCUMENTS
from thirdcard.rulebook.remedies import ROWS
from thirdcard.rulebook.trace import interpretations, tests_by_paragraph

REASONS: Final = Path(__file__).with_name("reasons.toml")
RESULTS: Final = ROOT / "build" / "mutants.jsonl"
ALIVE: Final = ("survived", "crashed")
WORDS: Final[dict[Outcome, str]] = {
    "loader": "loader",
    "paragraph": "its paragraphs",
    "common": "common tests",
    "time": "out of time",
    "survived": "survived",
    "crashed": "crashed",
}


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a survivor is accepted. `key` is a mutant's, `*` standing for anything."""

    key: str
    reason: str

    def covers(self, key: str) -> bool:
        return re.fullmatch(re.escape(self.key).replace(r"\*", ".*"), key) is not None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the mutants that were asked for."""

    verdicts: tuple[Verdict, ...]
    reasons: tuple[Reason, ...]
    stale: tuple[str, ...]
    failing: tuple[str, ...]  # tests that fail with nothing changed
    missing: int  # mutants not tried

    @property
    def alive(self) -> list[Verdict]:
        """Survivors that nobody gave a reason for."""
        return [
            one for one in self.verdicts if one.outcome in ALIVE and not reason_for(one.key, self.reasons)
        ]

    @property
    def status(self) -> int:
        return int(bool(self.alive or self.stale or self.failing or self.missing))


# --- mutants and their tests ------------------------------------------------------------------------------


@cache
def documents() -> dict[str, Raw]:
    """The parsed TOML of every document; not by `load`, which must not know them yet."""
    return {slug: tomllib.loads((DOCUMENTS / f"{slug}.toml").read_text(encoding="utf-8")) for slug in slugs()}


def every_mutant() -> list[Mutant]:
    numbers = tuple(one.number for one in interpretations())
    found = [mutant for slug, raw in documents().items() for mutant in of_document(slug, raw, numbers)]
    return [*found, *of_remedies()]


def paragraphs_of(mutant: Mutant) -> list[tuple[str, str]]:
    """Document and paragraph of what a mutant changes, the nearest first, then those of the parts around it.

    Of a remedy they are those of the rulings that order it; what is done at discretion only goes by the
    rulings that leave a decision.
    """
    found = _ordering(mutant) if mutant.document == REMEDIES else _stating(mutant)
    return list(dict.fromkeys((slug, re.sub(r"\([a-z]\)$", "", rule)) for slug, rule in found))


def _stating(mutant: Mutant) -> Iterator[tuple[str, str]]:
    slug = mutant.document
    for edit in mutant.edits:
        for rules in citing(documents()[slug], edit.path):
            yield from ((slug, rule) for rule in rules)


def _ordering(mutant: Mutant) -> Iterator[tuple[str, str]]:
    row = next(row for row in ROWS if row.name == mutant.edits[0].path[0])
    remedy = "decide" if row.at_discretion else row.name
    for slug, raw in documents().items():
        for ruling in (ruling for procedure in raw["procedures"] for ruling in procedure["rulings"]):
            yield from ((slug, rule) for rule in ruling["rules"] if remedy in ruling["remedy"])


def tests_of(mutant: Mutant) -> tuple[str, ...]:
    """The tests that carry the paragraphs of a mutant, those of the nearest first."""
    carried = _carried()
    cited = paragraphs_of(mutant)
    return tuple(dict.fromkeys(test for slug, rule in cited for test in carried.get(slug, {}).get(rule, ())))


@cache
def _carried() -> dict[str, dict[str, tuple[str, ...]]]:
    return tests_by_paragraph()


def trial_of(mutant: Mutant, left_out: Collection[str] = ()) -> Trial:
    return Trial(
        mutant=mutant,
        raw=documents().get(mutant.document, {}),
        tests=tests_of(mutant),
        left_out=frozenset(left_out),
    )


def in_order(mutants: Iterable[Mutant], left_out: Collection[str]) -> Iterator[Trial]:
    """The remedy table first, while the engine is not imported; with it the rest goes quicker."""
    mine = sorted(mutants, key=lambda one: one.document != REMEDIES)
    for mutant in mine:
        if mutant.document != REMEDIES:
            import_engine()
        yield trial_of(mutant, left_out)


def chosen(mutants: Iterable[Mutant], *, only: str = "", document: str = "") -> list[Mutant]:
    """Those of a document, and whose key begins with `only` or has it in it as a regular expression."""
    try:
        pattern = re.compile(only)
    except re.error:
        pattern = re.compile(re.escape(only))
    return [
        one
        for one in mutants
        if document in ("", one.document) and (one.key.startswith(only) or pattern.search(one.key))
    ]


def sample(mutants: Iterable[Mutant], size: int, seed: int) -> list[Mutant]:
    """So many, as good as at random; the same ones again for the seed, whatever else there is by then."""
    return sorted(mutants, key=lambda one: hashlib.sha256(f"{seed} {one.key}".encode()).digest())[:size]


def unchanged() -> Iterator[Trial]:
    """Every document with nothing changed, and all the tests that any mutant of it could need."""
    for slug, by_paragraph in _carried().items():
        tests = {test for tests in by_paragraph.values() for test in tests}
        mutant = Mutant(key=f"{slug}:unchanged", document=slug, edits=())
        yield Trial(mutant=mutant, raw=documents()[slug], tests=(*sorted(tests), *COMMON))


def failing_unchanged(trial: Trial) -> Verdict:
    """In a child: the tests that fail as things are, one a line."""
    failed = failures(trial.tests, trial.mutant.document, ())
    return Verdict(key=trial.mutant.key, outcome="survived", by="\n".join(dict.fromkeys(failed)))


# --- reasons ----------------------------------------------------------------------------------------------


def read_reasons(file: Path = REASONS) -> tuple[Reason, ...]:
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(msgspec.convert(raw.get("survivors", []), list[Reason]))


def reason_for(key: str, reasons: Iterable[Reason]) -> Reason | None:
    return next((one for one in reasons if one.covers(key)), None)


def stale_reasons(
    reasons: Iterable[Reason], mutants: Iterable[Mutant], found: Iterable[Verdict]
) -> Iterator[str]:
    """Reasons for what is no mutant any more, or is noticed after all."""
    keys = [one.key for one in mutants]
    killed = [one for one in found if one.outcome not in ALIVE]
    for reason in reasons:
        if not any(map(reason.covers, keys)):
            yield f"{reason.key}: there is no such mutant"
        for one in killed:
            if reason.covers(one.key):
                yield f"{reason.key}: {one.key} does not survive, {one.by} sees it"


# --- results that stay ------------------------------------------------------------------------------------


def sources() -> str:
    """A digest of everything that verdicts depend on."""
    digest = hashlib.sha256()
    for folder in ("src", "tests"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts and file != REASONS:
                digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of the results: what they are of, and which tests fail with nothing changed."""

    sources: str
    failing: tuple[str, ...]


def read_results(file: Path, of: str) -> tuple[Head | None, dict[str, Verdict]]:
    """What an earlier run of the same sources found; the later of two verdicts counts."""
    lines = file.read_bytes().splitlines() if file.exists() else []
    head = msgspec.json.decode(lines[0], type=Head) if lines else None
    if head is None or head.sources != of:
        return None, {}
    whole = (line for line in lines[1:] if line.endswith(b"}"))  # the last one may have been cut off
    return head, {one.key: one for one in (msgspec.json.decode(line, type=Verdict) for line in whole)}


def add_result(file: Path, line: Head | Verdict, *, anew: bool = False) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb" if anew else "ab") as out:
        out.write(msgspec.json.encode(line) + b"\n")


# --- reporting --------------------------------------------------------------------------------------------


def told(report: Report) -> Iterator[str]:
    """The report, line by line."""
    yield from _table(report.verdicts)
    for one in report.verdicts:
        reason = reason_for(one.key, report.reasons)
        if one.outcome in ALIVE and reason is None:
            yield from _survivor(one)
    accepted = sum(one.outcome in ALIVE for one in report.verdicts) - len(report.alive)
    yield ""
    yield from (f"stale reason: {line}" for line in report.stale)
    yield from (f"fails with nothing changed, left out: {line}" for line in report.failing)
    yield f"{len(report.alive)} survivors without a reason, {accepted} with one"
    if report.missing:
        yield f"{report.missing} mutants were not tried"


def _table(found: Sequence[Verdict]) -> Iterator[str]:
    """How the mutants of each document ended."""
    counts: dict[str, Counter[str]] = {}
    for one in found:
        counts.setdefault(one.key.partition(":")[0], Counter())[one.outcome] += 1
    counts["all"] = sum(counts.values(), Counter())
    yield f"{'mutants':36} {'all':>8}" + "".join(f" {word:>14}" for word in WORDS.values())
    for document, count in counts.items():
        numbers = "".join(f" {count[outcome]:>14}" for outcome in get_args(Outcome))
        yield f"{document:36} {count.total():>8}{numbers}"


def _survivor(one: Verdict) -> Iterator[str]:
    yield ""
    yield f"{one.outcome}: {one.key}" + (f" ({one.by})" if one.by else "")
    mutant = _by_key().get(one.key)
    cited: dict[str, list[str]] = {}
    for slug, rule in paragraphs_of(mutant) if mutant else ():
        cited.setdefault(slug, []).append(rule)
    yield from (f"  {slug} {', '.join(rules)}" for slug, rules in cited.items())
    yield from (f"  ran {test}" for test in one.tests or ("none: no test carries a paragraph of it",))


@cache
def _by_key() -> dict[str, Mutant]:
    return {one.key: one for one in every_mutant()}


class Progress:
    """A line on standard error that says how far it is; one now and then where nobody watches."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.alive = total, 0, 0
        self.began = self.said = time.monotonic()

    def one_more(self, verdict: Verdict) -> None:
        self.done += 1
        self.alive += verdict.outcome in ALIVE
        now, watched = time.monotonic(), sys.stderr.isatty()
        if now - self.said < (0.2 if watched else 30) and self.done < self.total:
            return
        self.said = now
        pace = self.done / max(now - self.began, 0.001)
        left = (self.total - self.done) / pace / 60
        line = f"{self.done}/{self.total} tried, {self.alive} alive, {pace * 60:.0f} a minute, {left:.0f} min left"
        sys.stderr.write(f"\r{line:78}" if watched else f"{line}\n")
        if watched and self.done == self.total:
            sys.stderr.write("\n")


# --- the tool ---------------------------------------------------------------------------------------------


def arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make mutants", description="Which changes of the law go unnoticed?"
    )
    parser.add_argument("--only", default="", help="mutants whose key begins with this, or matches it; again")
    parser.add_argument("--document", default="", choices=["", *slugs(), REMEDIES])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=float, default=120, help="seconds that one mutant may take")
    parser.add_argument(
        "--sample", type=int, default=0, help="so many, where all tests pass; nothing is kept"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="their keys; nothing is run")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> int:
    asked = arguments(words)
    everything = every_mutant()
    wanted = chosen(everything, only=asked.only, document=asked.document)
    if not wanted:
        raise SystemExit(f"no mutant has a key that begins with or matches {asked.only!r}: try --list")
    if asked.sample:
        wanted = sample(wanted, asked.sample, asked.seed)
    if asked.list:
        sys.stdout.writelines(f"{one.key}\n" for one in wanted)
        return 0
    reasons = read_reasons()
    failing, found = examined(wanted, asked)
    report = Report(
        verdicts=tuple(found[one.key] for one in wanted if one.key in found),
        reasons=reasons,
        stale=tuple(stale_reasons(reasons, everything, found.values())),
        failing=failing,
        missing=len(wanted) - len(found),
    )
    sys.stdout.writelines(f"{line}\n" for line in told(report))
    return report.status


def examined(
    wanted: list[Mutant], asked: argparse.Namespace, judge: Judge = tried
) -> tuple[tuple[str, ...], dict[str, Verdict]]:
    """Tests that fail with nothing changed, and the verdicts; interrupted, those that are known by then."""
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # none is needed, and they take longer than the tests
    failing: tuple[str, ...] = ()
    found: dict[str, Verdict] = {}
    try:
        if not asked.sample:
            failing, before = begun(asked)
            found = {one.key: before[one.key] for one in wanted if one.key in before and not asked.only}
        to_try = [one for one in wanted if one.key not in found]
        progress = Progress(len(to_try))
        trials = in_order(to_try, failing)
        for verdict in verdicts(trials, workers=asked.workers, limit=asked.limit, judge=judge):
            found[verdict.key] = verdict
            progress.one_more(verdict)
            if not asked.sample:
                add_result(RESULTS, verdict)
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted; what is known so far:\n")
    return failing, found


def begun(asked: argparse.Namespace) -> tuple[tuple[str, ...], dict[str, Verdict]]:
    """Where an earlier run of the same sources stopped, or a new beginning."""
    of = sources()
    head, found = read_results(RESULTS, of)
    if head is None:
        head = Head(sources=of, failing=failing_tests(asked))
        add_result(RESULTS, head, anew=True)
    return head.failing, found


def failing_tests(asked: argparse.Namespace) -> tuple[str, ...]:
    """The tests that fail with nothing changed; they say nothing about mutants."""
    there = {test for test, _ in every_test()}
    gone = sorted({test for trial in unchanged() for test in trial.tests if "::test_" in test} - there)
    if gone:
        raise SystemExit("run `make trace`: these tests are not there any more:\n" + "\n".join(gone))
    sys.stderr.write("all tests once with nothing changed\n")
    found: set[str] = set()
    for verdict in verdicts(
        unchanged(), workers=asked.workers, limit=10 * asked.limit, judge=failing_unchanged
    ):
        if verdict.outcome != "survived":
            raise SystemExit(f"{verdict.key}: {verdict.outcome}: {verdict.by}")
        found.update(verdict.by.splitlines())
    return tuple(sorted(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
