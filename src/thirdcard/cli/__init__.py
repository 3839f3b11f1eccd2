"""The command line. Heavy imports wait inside the commands, so that `--help` stays quick."""

import sys
from typing import Annotated, NoReturn

import typer

from thirdcard.cli import odds, roads, rules, ruling, service, settle, simulate, table
from thirdcard.cli.output import Folders, harmless
from thirdcard.errors import BadInput

# Typer carries its own copy of Click and does not export the base of its errors.
UsageProblem: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")

app = typer.Typer(
    name="thirdcard",
    help="Five approved baccarat rulebooks, and any that you bring, made to run. Play money only.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(rules.app, name="rules")
app.add_typer(table.app, name="table")
app.command("settle", no_args_is_help=True)(settle.settle)
app.command("odds", no_args_is_help=True)(odds.odds)
app.command("insurance", no_args_is_help=True)(odds.insurance)
app.command("report", no_args_is_help=True)(odds.report)
app.command("simulate", no_args_is_help=True)(simulate.simulate)
app.command("roads")(roads.roads)
app.command("ruling")(ruling.ruling)
app.command("serve")(service.serve)
app.add_typer(service.account, name="account")
app.add_typer(service.rulebook, name="rulebook")
app.command("audit", no_args_is_help=True)(service.audit)
app.command("key")(service.house_key)
app.command("backup", no_args_is_help=True)(service.backup)
app.command("restore", no_args_is_help=True)(service.restore)


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
    try:
        status = app(standalone_mode=False)
    except UsageProblem as error:
        # Help asked for by giving no arguments comes as an error without a message, already printed.
        message = error.format_message()  # type: ignore[attr-defined]
        status = _complain(message) if message else 0
    except BadInput as error:
        status = _complain(str(error))
    except (KeyboardInterrupt, typer.Abort):
        status = 130
    except BrokenPipeError:
        # The reader has gone; keep Python from complaining about it once more on the way out.
        sys.stdout = None
        status = 141
    sys.exit(status or 0)


def _complain(sentence: str) -> int:
    typer.echo(f"thirdcard: {harmless(' '.join(sentence.split()))}", err=True)
    return 2
