"""`thirdcard school`: drills at the keyboard, and items for programs."""

import os
import sys
import time
from contextlib import closing
from itertools import islice
from secrets import token_hex
from typing import Annotated, Final

import msgspec
import typer
from msgspec import UNSET, UnsetType
from rich.console import Console

from thirdcard.cli.options import Commands, Decks, Folders, Json
from thirdcard.cli.output import as_answer, cited, console, interrupted, plain, print_answer, print_json
from thirdcard.cli.service import Where, reading
from thirdcard.errors import BadInput
from thirdcard.money import parse_dollars
from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.school.in_words import answer_told, facts_told, say
from thirdcard.school.item_types import KINDS, POINTS_HIDDEN, Item, ItemMark, ItemPart
from thirdcard.school.items import hidden, make, mark, seconds_for, session
from thirdcard.school.mixed_up import mixed_up
from thirdcard.school.progress import Given
from thirdcard.service.log.store import file_of, open_beside
from thirdcard.service.tables.rulebook_texts import remember_all
from thirdcard.strict import fields_of
from thirdcard.words import Words, words

app = typer.Typer(
    cls=Commands, help="Drills, and items for schools.", no_args_is_help=True, rich_markup_mode=None
)

MOST_ITEMS, MOST_DRILLED = 1_000, 500
LETTERS = {"draw": "d", "stand": "s", "natural": "n", "player": "p", "banker": "b", "tie": "t"}


def _kinds(incomplete: str) -> list[str]:
    return [kind for kind in KINDS if kind.startswith(incomplete)]


Drill = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help="third-card, result, pay, insurance, limits, squeeze, spot, rule or changed.",
        autocompletion=_kinds,
    ),
]
Which = Annotated[
    str | None, typer.Option("--rulebook", metavar="RULEBOOK", help="A slug or a file [the first slug].")
]
Letter = Annotated[str | None, typer.Option("--layout", help="A layout of the rulebook [its first].")]
Level = Annotated[int, typer.Option(min=1, max=10, help="How hard, and how fast.")]
Questions = Annotated[bool, typer.Option("--questions", help="As a learner sees them: without answers.")]
Language = Annotated[str, typer.Option("--lang", help="en, zh or zh-Hans.")]


def _book(which: str | None) -> Rulebook:
    return load(slugs()[0] if which is None else which)


@app.command("items", no_args_is_help=True)
def items(  # noqa: PLR0913, PLR0917 - what an item is made of
    kind: Drill,
    rulebook: Which = None,
    layout: Letter = None,
    decks: Decks = None,
    seed: Annotated[str, typer.Option(help="The same seed gives the same items.")] = "0",
    count: Annotated[int, typer.Option(min=1, max=MOST_ITEMS, help="How many.")] = 10,
    first: Annotated[int, typer.Option(min=0, help="The number of the first, counted from 0.")] = 0,
    level: Level = 1,
    skill: Annotated[str | None, typer.Option(help="Only this skill, such as third-card/banker/5/4.")] = None,
    recorded: Annotated[
        list[str] | None, typer.Option(help="A wrong choice to offer, such as remedy:void.")
    ] = None,
    questions: Questions = False,
    lang: Language = "en",
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Items with their answers, by seed.

    thirdcard school items pay --rulebook mbs-tiger-v2 --seed class-7 --count 20 --json
    """
    book = _book(rulebook)
    drawn = [
        make(
            kind,
            book,
            seed,
            number,
            layout=layout,
            decks=decks,
            skill=skill,
            level=level,
            recorded=recorded or (),
        )
        for number in range(first, first + count)
    ]
    if json_output:
        _print_items(drawn, SchoolSet(kind=kind, seed=seed), book, questions=questions)
    else:
        _tell_items(drawn, book, lang, questions=questions)


class SchoolSet(msgspec.Struct, kw_only=True):
    """Where items come from: a kind and a seed, or rounds of a table."""

    kind: str | UnsetType = UNSET
    seed: str | UnsetType = UNSET
    table: str | UnsetType = UNSET
    first: int | UnsetType = UNSET
    count: int | UnsetType = UNSET


def _print_items(made: list[Item], of: SchoolSet, book: Rulebook, *, questions: bool) -> None:
    shown = [hidden(item) if questions else item for item in made]
    print_json(as_answer("school.items", book, of) | {"items": shown})


def _tell_items(made: list[Item], book: Rulebook, lang: str, *, questions: bool) -> None:
    out, lexicon = console(), words(lang)
    for item in made:
        _show(out, item, book, lexicon, points=True)
        for part in item.parts:
            _show_part(out, part, book, lexicon)
            if not questions:
                out.print(f"  = {plain(answer_told(part, lexicon, book))}")
        if not questions:
            _explain(out, item, book, lexicon)


@app.command("mine", no_args_is_help=True)
def mine(  # noqa: PLR0913, PLR0917 - which rounds, and how they are asked
    where: Where,
    named: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id, as in its address.")],
    rounds: Annotated[
        str, typer.Option(metavar="FIRST-LAST", help="Rounds by number, 20 at most [the latest ten].")
    ] = "",
    kind: Annotated[
        list[str] | None,
        typer.Option(help="Only items of this kind; may be given again.", autocompletion=_kinds),
    ] = None,
    level: Level = 2,
    questions: Questions = False,
    lang: Language = "en",
    json_output: Json = False,
) -> None:
    """Items of rounds that were played at a table, from a house's database; people go by letters.

    thirdcard school mine thirdcard.db tiger --rounds 41-50 --kind pay --json
    """
    from thirdcard.service.learning.own_tables import mined_from

    for one in kind or ():
        if one not in KINDS:
            raise BadInput(f"there is no drill {one[:40]!r}: choose one of {', '.join(KINDS)}")
    file = file_of(where)
    if file is not None and not file.is_file():
        raise BadInput(f"there is no database {file}")
    first, count = _rounds(rounds)
    with reading(), closing(open_beside(where)) as store:
        remember_all(store)
        rounds_mined, book = mined_from(store, named, first=first, count=count, level=level)
    chosen = [item for item in rounds_mined.items if not kind or item.kind in kind]
    if json_output:
        rounds_of = SchoolSet(table=named, first=rounds_mined.first, count=rounds_mined.count)
        _print_items(chosen, rounds_of, book, questions=questions)
    else:
        _tell_items(chosen, book, lang, questions=questions)


def _rounds(text: str) -> tuple[int | None, int]:
    """The first round and how many, of `12` or `12-20`; nothing is the latest ten."""
    if not text:
        return None, 10
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise BadInput(f"rounds are given as 12 or as 12-20: got {text[:40]!r}")
    return int(first), int(last or first) - int(first) + 1


@app.command("drill", no_args_is_help=True)
def drill(  # noqa: PLR0913, PLR0917 - what a drill is made of
    kind: Drill,
    rulebook: Which = None,
    layout: Letter = None,
    decks: Decks = None,
    seed: Annotated[str | None, typer.Option(help="The same seed asks the same again [a new one].")] = None,
    count: Annotated[int, typer.Option(min=1, max=MOST_DRILLED, help="How many items.")] = 20,
    level: Level = 1,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Without time: no mark for speed.")] = False,
    lang: Language = "en",
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Questions one by one, answered at the keyboard; Ctrl-C or Esc ends with the result so far.

    Answers may be piped in, a line for each part; then there is no clock.

    thirdcard school drill third-card --rulebook mbs-tiger-v2 --level 4
    """
    book, lexicon = _book(rulebook), words(lang)
    chosen = token_hex(4) if seed is None else seed
    make(kind, book, chosen, 0, layout=layout, decks=decks, level=level)  # what cannot be asked is told first
    keyboard = Keyboard() if sys.stdin.isatty() and not json_output else None
    out = console() if not json_output else None
    done: list[tuple[Item, ItemMark, float | None]] = []
    ended = False
    asked = session(kind, book, chosen, layout=layout, decks=decks, level=level)
    for number, item in enumerate(islice(asked, count)):
        if out is not None:
            name = f"kind-{item.kind}"
            out.print(f"[bold]{number + 1}/{count}[/]  {plain(lexicon.say('school', name))}")
        try:
            marked = _ask(out, item, book, lexicon, keyboard, clock=keyboard is not None and not no_clock)
        except (EOFError, KeyboardInterrupt) as error:
            ended = isinstance(error, KeyboardInterrupt)
            break
        done.append((item, *marked))
    if json_output:
        print_answer("school.drill", book, _result(kind, chosen, level, done))
    elif out is not None:
        _summary(out, lexicon, chosen, done)
    if ended:
        raise interrupted()


# ---- asking ------------------------------------------------------------------------------------------------


def _ask(  # noqa: PLR0913 - an item, and how it is asked
    out: Console | None,
    item: Item,
    book: Rulebook,
    lexicon: Words,
    keyboard: "Keyboard | None",
    *,
    clock: bool,
) -> tuple[ItemMark, float | None]:
    if out is not None:
        _show(out, item, book, lexicon, points=item.level < POINTS_HIDDEN)
    began = time.monotonic()
    answers: dict[str, Given] = {}
    for part in item.parts:
        if out is not None:
            _show_part(out, part, book, lexicon)
        answers[part.name] = _read(out, part, keyboard)
    seconds = round(time.monotonic() - began, 1) if clock else None
    marked = mark(item, answers, seconds=seconds)
    if out is not None:
        late = seconds is not None and seconds > seconds_for(item)
        key = "told-slow" if marked.right and late else "told-right" if marked.right else "told-wrong"
        out.print(f"[bold]{plain(lexicon.say('school', key))}[/] {marked.points}/100")
        for part in item.parts:
            if not marked.parts[part.name]:
                out.print(f"  = {plain(answer_told(part, lexicon, book))}")
        if not marked.right:
            _tell_mixed_up(out, item, book, lexicon, answers)
            _explain(out, item, book, lexicon)
        out.print("")
    return marked, seconds


def _signs(part: ItemPart) -> dict[str, str]:
    """What is typed for each choice: letters of the table, the points themselves, else numbers from 1."""
    keys = [choice.key for choice in part.choices]
    if all(key in LETTERS for key in keys):
        return {LETTERS[key]: key for key in keys}
    if all(len(key) == 1 and key.isdigit() for key in keys):
        return {key: key for key in keys}
    return {str(number): key for number, key in enumerate(keys, start=1)}


def _read(out: Console | None, part: ItemPart, keyboard: "Keyboard | None") -> Given:
    """One answer, asked for again where it cannot be read."""
    signs = _signs(part)
    single = part.form == "choice" and all(len(sign) == 1 for sign in signs)
    while True:
        typed = keyboard.key() if keyboard is not None and single else _line(out)
        try:
            return _understood(part, typed, signs)
        except BadInput as error:
            if keyboard is None:
                raise
            if out is not None:
                out.print(f"  {plain(error)}")


def _line(out: Console | None) -> str:
    if out is not None:
        out.print("> ", end="")
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip().lower()


def _understood(part: ItemPart, typed: str, signs: dict[str, str]) -> Given:
    if part.form == "cents":
        return parse_dollars(typed.replace(",", ""))
    given = typed.split() if part.form == "several" else [typed]
    keys = {choice.key.lower(): choice.key for choice in part.choices} | signs
    unknown = [one for one in given if one not in keys]
    if unknown or (part.form == "choice" and not typed):
        raise BadInput(f"{typed[:40]!r} is no answer here: type {' or '.join(signs)}")
    answers = [keys[one] for one in given]
    return tuple(answers) if part.form == "several" else answers[0]


# ---- telling -----------------------------------------------------------------------------------------------


def _show(out: Console, item: Item, book: Rulebook, lexicon: Words, *, points: bool) -> None:
    for line in facts_told(item.facts, lexicon, book, points=points):
        out.print(f"  {plain(line)}")


def _show_part(out: Console, part: ItemPart, book: Rulebook, lexicon: Words) -> None:
    out.print(f"[bold]{plain(say(part.asks, lexicon, book))}[/]")
    choices = {choice.key: say(choice.says, lexicon, book) for choice in part.choices}
    short = sum(map(len, choices.values())) + 5 * len(choices) < out.width
    signs = [
        f"{sign} {choices[key]}" if sign != choices[key] else sign
        for sign, key in _signs(part).items()
        if choices
    ]
    for line in ["   ".join(signs)] if short else signs:
        if line:
            out.print(f"  {plain(line)}")


def _tell_mixed_up(
    out: Console, item: Item, book: Rulebook, lexicon: Words, answers: dict[str, Given]
) -> None:
    slip = mixed_up(item, book, answers)
    if slip is not None:
        sentence = lexicon.say("school", "mixed-up", says=say(slip.says, lexicon, book))
        out.print(f"  {plain(sentence)} {cited(slip.paragraphs)}")


def _explain(out: Console, item: Item, book: Rulebook, lexicon: Words) -> None:
    for step in item.reason:
        out.print(f"  {plain(say(step.says, lexicon, book))} {cited(step.paragraphs)}")
    out.print(f"  {plain(say(item.cost.says, lexicon, book))}")
    out.print("")


class DrilledItem(msgspec.Struct, kw_only=True):
    """An item that was answered, and what the answer was worth."""

    number: int
    skill: str
    right: bool
    parts: dict[str, bool]
    points: int
    seconds: float | None


class DrillDone(msgspec.Struct, kw_only=True):
    """How a drill went."""

    kind: str
    seed: str
    level: int
    asked: int
    right: int
    results: list[DrilledItem]


def _result(kind: str, seed: str, level: int, done: list[tuple[Item, ItemMark, float | None]]) -> DrillDone:
    return DrillDone(
        kind=kind,
        seed=seed,
        level=level,
        asked=len(done),
        right=sum(marked.right for _, marked, _ in done),
        results=[
            fields_of(DrilledItem, marked, number=item.number, skill=item.skill, seconds=seconds)
            for item, marked, seconds in done
        ],
    )


def _summary(
    out: Console, lexicon: Words, seed: str, done: list[tuple[Item, ItemMark, float | None]]
) -> None:
    right = sum(marked.right for _, marked, _ in done)
    points = sum(marked.points for _, marked, _ in done) // max(len(done), 1)
    out.print(
        plain(lexicon.say("school", "told-result", right=right, count=len(done), points=points, seed=seed))
    )
    times = [seconds for _, _, seconds in done if seconds is not None]
    if times:
        out.print(plain(lexicon.say("school", "told-seconds", seconds=f"{sum(times) / len(times):.1f}")))
    weak = dict.fromkeys(item.skill for item, marked, _ in done if not marked.right)
    if weak:
        out.print(plain(lexicon.say("school", "told-weak", skills=", ".join(weak))))


# --- the keyboard -----------------------------------------------------------------------------------------


ESCAPE: Final = "\x1b"
ENDS: Final = ("\x03", "\x04", ESCAPE)  # Ctrl-C and Ctrl-D where they come as keys, and Esc
AT_ONCE: Final = 64  # bytes; more than anybody types ahead


class Keyboard:
    """Keys one by one; KeyboardInterrupt when somebody wants to stop."""

    def __init__(self) -> None:
        self._ahead: list[str] = []

    def key(self) -> str:
        while not self._ahead:
            typed = _typed()
            if typed == ESCAPE or not typed.startswith(ESCAPE):  # arrows and the like begin with it
                self._ahead += typed
        key = self._ahead.pop(0)
        if key in ENDS:
            raise KeyboardInterrupt
        return key.lower()


def _typed() -> str:
    """What is typed next: a key, or all that is waiting."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        return typer.getchar()
    screen = sys.stdin.fileno()
    before = termios.tcgetattr(screen)
    try:
        tty.setcbreak(screen, termios.TCSADRAIN)  # without throwing away what waits
        pressed = os.read(screen, AT_ONCE)
    finally:
        termios.tcsetattr(screen, termios.TCSADRAIN, before)
    if not pressed:
        raise EOFError
    return pressed.decode(errors="ignore")
