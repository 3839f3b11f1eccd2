"""Every command: where it is and what `--help` says of it. Its module is imported when it is asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

import typer

from thirdcard.cli.options import Commands


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
    "evidence": Listed(
        "evidence:evidence",
        "Take a round out of a database, with all that proves it, signed by the house; its journal has that.",
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
    "rules": Listed("rules:app", "The rulebooks: list, show, check, compare, write, trace."),
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
