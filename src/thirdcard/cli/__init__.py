"""The command line: a command is a module that is loaded when it is asked for, so that `--help` stays quick.

Only what an extra brings (NumPy, Numba, Arrow, the server, pages) waits inside the function that needs it,
so that the help of every command can be read without the extra.
"""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, Final, NamedTuple, NoReturn, TextIO

import typer

from thirdcard.cli.options import INTERRUPTED, Commands, Folders
from thirdcard.cli.signs import harmless, speak_plainly
from thirdcard.errors import BadInput


class Listed(NamedTuple):
    """A command before it is loaded: `module:name` of its function or group, and its first sentence."""

    place: str
    told: str
    bare: bool = False  # it does something without arguments, where others show their help


LISTED: Final = {
    "settle": Listed("settle:settle", "Settle a finished round and say why."),
    "odds": Listed("odds:odds", "The exact odds of every bet, for a fresh shoe or the cards left in one."),
    "insurance": Listed(
        "odds:insurance", "Every insurance offer: how often it comes up and what it is worth when it does."
    ),
    "report": Listed("odds:report", "One page with every figure and its charts; it needs no network."),
    "simulate": Listed(
        "simulate:simulate",
        "Deal whole shoes to the cut card and say what every bet is worth; with a plan, play sessions.",
    ),
    "roads": Listed("roads:roads", "Bead plate, big road, the three derived roads and the ask marks."),
    "ruling": Listed("ruling:ruling", "The cases a rulebook knows, or the ruling on one."),
    "schema": Listed("schemas:schema", "The JSON Schema of what commands answer with --json.", bare=True),
    "serve": Listed(
        "service:serve", "Open the live tables; the first start sets up one of each game.", bare=True
    ),
    "audit": Listed("service:audit", "Check every log, round, shoe and cent; a server may run meanwhile."),
    "find": Listed("find:find", "Find rounds by what happened in them; a server may run meanwhile."),
    "shift": Listed(
        "shift:shift",
        "What a shift came to: drop, win, what was expected, pace and incidents; a server may run meanwhile.",
    ),
    "resettle": Listed(
        "resettle:resettle",
        "What recorded rounds would have paid under another text; a server may run meanwhile.",
    ),
    "evidence": Listed(
        "evidence:evidence",
        "Take a round out of a database, with all that proves it, signed by the house; its journal has that.",
    ),
    "submission": Listed(
        "submission:submission",
        "What a new game's application asks for, in one archive that the house signs and prints.",
    ),
    "verify": Listed(
        "evidence:verify",
        "Check evidence without its database: signatures, chain, shoe, rulebook, and the round played again.",
    ),
    "key": Listed(
        "service:house_key",
        "Print the public key of the house, by which anybody can check what it has signed.",
        bare=True,
    ),
    "backup": Listed("service:backup", "Write all of a database into one file, while a server may run."),
    "restore": Listed(
        "service:restore",
        "Fill a new database from a back-up, and audit it with the key and the anchors that are there.",
    ),
    "export": Listed(
        "service:export",
        "Write the logs of a database, or its ledger, as one table; a server may run meanwhile.",
    ),
    "rules": Listed("rules:app", "The rulebooks: list, show, check, compare, date, read, test, trace."),
    "table": Listed("table:app", "Run a table from a script, and read its log again."),
    "protect": Listed(
        "protect:app",
        "What those who watch the cards can win: `thirdcard protect RULEBOOK`, or one of these.",
    ),
    "school": Listed("school:app", "Drills, and items for schools."),
    "account": Listed(
        "service:account",
        "The accounts of a house, by a command on its own machine; a server may run meanwhile.",
    ),
    "rulebook": Listed(
        "service:rulebook",
        "The rulebooks that a house was given, by a command on its own machine; a server may run meanwhile.",
    ),
}


class _WhenAsked(Mapping[str, Any]):
    """The commands of Typer by name, each made when it is asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - Typer's own copy of Click
        if name not in self._made:
            self._made[name] = _load(name, LISTED[name])
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in LISTED

    def __iter__(self) -> Iterator[str]:
        return iter(LISTED)

    def __len__(self) -> int:
        return len(LISTED)


def _load(name: str, listed: Listed) -> Any:  # noqa: ANN401 - Typer's own copy of Click
    module, _, attribute = listed.place.partition(":")
    found = getattr(import_module(f"thirdcard.cli.{module}"), attribute)
    around = typer.Typer(rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        around.add_typer(found, name=name)
    else:
        around.command(name, no_args_is_help=not listed.bare)(found)
    return typer.main.get_group(around).commands[name]


class EveryCommand(Commands):
    """The group of all that is listed; its help needs none of them."""

    def __init__(self, **how: Any) -> None:  # noqa: ANN401 - as its base takes it
        super().__init__(**how)
        self.commands = _WhenAsked()  # type: ignore[assignment]  # nothing is added to it

    def list_commands(self, _: Any) -> list[str]:  # noqa: ANN401 - Typer's own copy of Click
        return list(LISTED)

    def told(self) -> list[tuple[str, str]]:
        return [(name, one.told) for name, one in LISTED.items()]


# Typer carries its own copy of Click and does not export the base of its errors.
UsageProblem: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")

# What each extra brings that a command may miss: the module's name, then the extra's.
EXTRAS = {
    "argon2": "serve",
    "cryptography": "serve",
    "distributed": "cluster",
    "filelock": "serve",
    "httptools": "serve",
    "jinja2": "report",
    "litestar": "serve",
    "markupsafe": "report",
    "numba": "analysis",
    "numpy": "analysis",
    "prometheus_client": "serve",
    "psycopg": "serve",
    "pyarrow": "data",
    "pyotp": "serve",
    "pypdfium2": "pdf",
    "resvg_py": "plot",
    "segno": "serve",
    "uvicorn": "serve",
    "uvloop": "serve",
    "websockets": "serve",
    "zxcvbn": "serve",
}

# Commands that need more of one extra than the module that is missed first.
EXTRA_OF = {
    "settle": "data",
    "export": "data,serve",
    **dict.fromkeys(
        (
            "account",
            "audit",
            "backup",
            "evidence",
            "export",
            "find",
            "shift",
            "key",
            "restore",
            "rulebook",
            "serve",
            "verify",
        ),
        "serve",
    ),
}

app = typer.Typer(
    name="thirdcard",
    cls=EveryCommand,
    help="Five approved baccarat rulebooks, and any that you bring, made to run. Play money only.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"thirdcard {version('thirdcard')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    rulebooks: Folders = None,
) -> None:
    pass


def main() -> NoReturn:
    """Run a command; whatever is wrong with the input is one sentence on standard error, status 2."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            speak_plainly(stream)
    sys.exit(_status())


def _status() -> int:
    if sys.stdout is None:  # closed from the beginning, and a file may be opened in its place
        return _complain("there is no standard output to write to: it is closed")
    try:
        status = app(standalone_mode=False) or 0
        sys.stdout.flush()
    except UsageProblem as error:
        status = _misused(error)
    except BadInput as error:
        status = _complain(str(error))
    except ModuleNotFoundError as error:
        status = _complain(_missing(error))
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except (BrokenPipeError, SystemExit):  # Typer ends by the latter when whoever reads the output has gone
        _abandon(sys.stdout)
        status = 141
    except OSError as error:
        _abandon(sys.stdout)
        what = "the output" if error.filename is None else error.filename
        status = _complain(f"cannot use {what}: {error.strerror or error}")
    return status


def _misused(error: Exception) -> int:
    message: str = error.format_message()  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "MissingParameter" and context is not None:
        message += f" {context.get_usage()}"
    if type(error).__name__ != "NoArgsIsHelpError":
        return _complain(message)
    bare = context is None or context.parent is None  # `thirdcard` alone asks what there is
    typer.echo(message, err=not bare)
    return 0 if bare else 2


def _abandon(stream: TextIO) -> None:
    """What cannot be written is not tried again on the way out."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _missing(error: ModuleNotFoundError) -> str:
    """What to install for what a command could not import; what no extra brings is a fault of ours."""
    module = (error.name or "").partition(".")[0]
    if module not in EXTRAS:
        raise error
    extra = EXTRA_OF.get(next(iter(sys.argv[1:]), ""), EXTRAS[module])
    return f"this needs {module}: install it with `pip install 'thirdcard[{extra}]'`"


def _complain(sentence: str) -> int:
    with contextlib.suppress(OSError, ValueError):  # it may be closed or full as well: the status says it all
        if sys.stderr is not None:
            sys.stderr.write(f"thirdcard: {harmless(' '.join(sentence.split()))}\n")
            sys.stderr.flush()
    return 2
