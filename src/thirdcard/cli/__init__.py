"""The command line: a command is a module that is loaded when it is asked for, so that `--help` stays quick.

Only what an extra brings (NumPy, Numba, Arrow, the server, pages) waits inside the function that needs it,
so that the help of every command can be read without the extra.
"""

import contextlib
import os
import sys
from typing import Annotated, NoReturn, TextIO

import typer

from thirdcard.cli.listed import EveryCommand
from thirdcard.cli.options import Folders
from thirdcard.cli.signs import harmless, speak_plainly
from thirdcard.errors import BadInput

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
        status = 130
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
    if type(error).__name__ != "NoArgsIsHelpError":
        return _complain(message)
    typer.echo(message)  # nothing was asked: this is what can be
    return 0


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
