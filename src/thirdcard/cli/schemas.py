"""`thirdcard schema`: the JSON Schema of every answer, made from the types that answers are made of."""

from difflib import get_close_matches
from fractions import Fraction
from importlib import import_module
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import msgspec
import typer

from thirdcard.answers import form_of
from thirdcard.cli.options import Json
from thirdcard.cli.output import console, plain, print_json, table
from thirdcard.errors import BadInput
from thirdcard.rulebook.lookup import schema_name
from thirdcard.rulebook.schema import WRITTEN

Schema: TypeAlias = dict[str, Any]
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"


class Form(NamedTuple):
    """One form of answer: the command that gives it, and the types whose fields it has, as `module:name`.

    Several alternatives are several texts. `key=module:name` is one field of that type, `key[]=module:name` a
    list of them, `[]=module:name` a list and nothing else, `one+other` the fields of both, and
    `module:name()` a function that makes the schema itself. `book` and `head` are what answers begin with.
    Modules are of this package, and loaded when somebody asks.
    """

    command: str
    told: str
    alternatives: tuple[str, ...]


class ListedSchema(msgspec.Struct, kw_only=True):
    """A form of answer by its name, and the command that gives it."""

    name: str
    schema: str
    command: str
    told: str


def _of(command: str, told: str, *alternatives: str) -> Form:
    return Form(command, told, alternatives)


HEADS: Final = {"book": "rulebook.lookup:OfBook", "head": "rulebook.lookup:AnswerHead"}
# A command that prints JSON has its row here; tests/cli/test_schemas.py names the one that has none.
FORMS: Final = {
    "account": _of("account add --json", "What was done to an account", "head cli.service:AccountChanged"),
    "account-list": _of("account list --json", "The accounts of a house", "[]=cli.service:ListedAccount"),
    "audit": _of("audit --json", "What an audit found", "head service.audit:AuditReport"),
    "backup": _of("backup --json", "A back-up that was written", "head cli.service:BackedUp"),
    "evidence": _of("evidence --json", "A round, proved", "service.evidence.told:RoundEvidence"),
    "export": _of("export --json", "A table that was written", "head cli.service:ExportedTable"),
    "find": _of(
        "find --json",
        "Rounds by what is remembered of them",
        "book service.queries.finding:FoundRounds",
    ),
    "insurance": _of("insurance --json", "Insurance offers and their values", "[]=odds.insurance:OfferValue"),
    "key": _of("key --json", "The public key of a house", "head cli.service:PublicKey"),
    "odds": _of("odds --json", "The exact odds of bets", "book odds.sheet:OddsAnswer"),
    "player-statement": _of(
        "table statement FILE PLAYER --json",
        "A player's movements",
        "book table.statements:PlayerStatement",
    ),
    "protect": _of(
        "protect --json", "What counting can win", "book protect.protection:Protection"
    ),
    "protect-known": _of(
        "protect known --json", "What a known card is worth", "book protect.worths:KnownAnswer"
    ),
    "protect-price": _of(
        "protect price --json",
        "What options of irregularities are worth",
        "book protect.worths:PriceAnswer",
    ),
    "protect-radar": _of(
        "protect radar --json",
        "Whose stakes follow the value of a bet",
        "head tables[]=book+cli.protect_known:WatchedTable+protect.radar:Radar",
    ),
    "report": _of("report --json", "A report that was written", "book cli.odds:WrittenReport"),
    "resettle": _of(
        "resettle --json",
        "What recorded rounds would have paid under another text, in cents",
        "book service.queries.resettle:Resettled",
    ),
    "roads": _of("roads --json", "The scoreboard of a shoe", "head roads:Roads"),
    "rulebook": _of("rules schema --json", "A rulebook's file", "rulebook.schema:schema()"),
    "rulebook-added": _of("rulebook add --json", "A text that a house was given", "book"),
    "rulebook-list": _of("rulebook list --json", "The texts of a house", "[]=cli.service:ListedText"),
    "rules.check": _of(
        "rules check --json",
        "What is wrong with a rulebook",
        "book cli.rules:CheckedRulebook",
        "[]=book+cli.rules:CheckedRulebook",
        "book cli.rules:CheckedRulebook cli.reading:HeldAgainst",
    ),
    "rules.diff": _of("rules diff --json", "What changed between rulebooks", "book odds.changes:RulesDiff"),
    "rules.interpretations": _of(
        "rules interpretations --json", "How open questions are read", "[]=rulebook.trace:Interpretation"
    ),
    "rules.list": _of(
        "rules list --json", "Every rulebook that was found", "[]=rulebook.lookup:ListedRulebook"
    ),
    "rules.new": _of("rules new --json", "A rulebook that was written", "book cli.new:BookWritten"),
    "rules.read": _of("rules read --json", "What was read of a document", "book cli.reading:ReadDocument"),
    "rules.show": _of(
        "rules show --json", "A whole rulebook", "book rulebook.schema:shown_schema()"
    ),
    "rules.test": _of(
        "rules test --json", "Expected rounds of a rulebook", "book cli.testing:TestedRulebook"
    ),
    "rules.trace": _of(
        "rules trace --json", "Where each paragraph is carried", "[]=rulebook.trace:TraceTopic"
    ),
    "rules.when": _of(
        "rules when --json", "The versions of a game in time", "head rulebook.lookup:Timeline"
    ),
    "ruling": _of(
        "ruling RULEBOOK CASE --json", "A ruling", "book rulebook.rulings:RulingAnswer"
    ),
    "ruling-cases": _of(
        "ruling RULEBOOK --json", "The cases of a rulebook", "[]=rulebook.rulings:ListedCase"
    ),
    "schemas": _of("schema --json", "These schemas", "[]=cli.schemas:ListedSchema"),
    "school.drill": _of("school drill --json", "How a drill went", "book cli.school:DrillDone"),
    "school.items": _of(
        "school items --json, school mine --json",
        "Items of the school",
        "book cli.school:SchoolSet items[]=school.item_types:Item",
        "book cli.school:SchoolSet items[]=school.item_types:ItemQuestion",
    ),
    "serve": _of("serve --json", "That a server is ready", "head cli.service:Serves"),
    "settle": _of("settle --json", "A settled round", "book cli.settle:SettledAt play.settlement:Statement"),
    "settle-file": _of(
        "settle --in --out --json",
        "A settled table of rounds",
        "book cli.settle:SettledAt cli.settle:SettledFile",
    ),
    "settle-line": _of(
        "settle --jsonl",
        "One line for one round",
        "cli.settle:WithId play.settlement:Statement",
        "cli.settle:WithId cli.settle:UnsettledLine",
    ),
    "shift": _of(
        "shift --json",
        "What a shift came to, table by table; amounts in cents",
        "book service.queries.shift_desk:ShiftDesk",
    ),
    "simulate": _of(
        "simulate --json",
        "Simulated rounds, or sessions",
        "book simulate.sheet:Tallied",
        "book simulate.results:SessionsDealt simulate.results:Summary",
    ),
    "submission": _of(
        "submission --json", "A submission that was written", "book cli.submission:SubmissionMade"
    ),
    "table": _of(
        "table run --json",
        "One line for one command, and a last one",
        "table.script:AcceptedLine",
        "table.script:RefusedLine",
        "table.script:UnreadableLine",
        "book table.script:ScriptSummary",
    ),
    "table-replay": _of("table replay --json", "A log folded again", "book cli.table:Replayed"),
    "table-script": _of("table schema --json", "What a table is told and tells", "table.script:schema()"),
    "table-statement": _of(
        "table statement FILE --json",
        "A table's account",
        "book table.statements:TableStatement",
    ),
    "table-why": _of(
        "table why --json", "What a player may do, and why", "book why[]=table.why:Why"
    ),
    "verify": _of("verify --json", "Evidence, checked", "service.evidence.verify:Verified"),
    "verify.submission": _of(
        "verify PACK.zip --json", "A submission, checked", "service.evidence.submission:VerifiedSubmission"
    ),
    "verify.certificate": _of(
        "verify FILE.json --json", "A certificate, checked", "service.evidence.verify:VerifiedCertificate"
    ),
}  # fmt: skip


def schema_of(name: str) -> Schema:
    """The JSON Schema of answers of that name. A later release may add keys; those there are stay."""
    form, title = FORMS[name], schema_name(name)
    parts: Schema = {}
    schemas = [_merged([_field(one, parts) for one in kinds.split()], parts) for kinds in form.alternatives]
    whole = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    if "$schema" in whole:
        return whole
    _name_itself(whole, parts, title)
    head = {"$schema": DRAFT, "title": title, "description": f"{form.told}: thirdcard {form.command}"}
    return head | whole | ({"$defs": parts} if parts else {})


def _field(told: str, parts: Schema) -> Schema:
    """A type, or what stands under a key."""
    key, _, kinds = told.rpartition("=")
    described = _merged([_schema(kind, parts) for kind in kinds.split("+")], parts)
    if key.endswith("[]"):
        key, described = key.removesuffix("[]"), {"type": "array", "items": described}
    return {"properties": {key: described}, "required": [key]} if key else described


def _merged(made: list[Schema], parts: Schema) -> Schema:
    """One object with the fields of all; a single type may be of any form."""
    if len(made) == 1:
        return made[0]
    objects = [parts[one["$ref"].rpartition("/")[2]] if "$ref" in one else one for one in made]
    return {
        "type": "object",
        "properties": {name: value for one in objects for name, value in one["properties"].items()},
        "required": [name for one in objects for name in one.get("required", ())],
    }


def _schema(place: str, parts: Schema) -> Schema:
    module, _, name = HEADS.get(place, place).partition(":")
    found = getattr(import_module(f"thirdcard.{module}"), name.removesuffix("()"))
    if name.endswith("()"):
        made: Schema = found()
        if "$schema" not in made:
            parts |= made.pop("$defs")
        return made
    (made,), components = msgspec.json.schema_components(
        [form_of(found).kind], schema_hook=_own, ref_template="#/$defs/{name}"
    )
    parts |= components
    return made


def _own(kind: type) -> Schema:
    """Types that msgspec does not know, as they are written."""
    if kind is Fraction:
        return {"type": "number"}
    return dict(WRITTEN[kind])


def _name_itself(whole: Schema, parts: Schema, title: str) -> None:
    """An answer that says which schema it has says this one."""
    alternatives = (whole, *whole.get("anyOf", ()))
    for one in (
        *alternatives,
        *(alternative.get("items", {}) for alternative in alternatives),
        *parts.values(),
    ):
        if "schema" in one.get("properties", ()) and "thirdcard" in one["properties"]:
            one["properties"] = one["properties"] | {"schema": {"const": title}}


def schema(
    name: Annotated[
        str | None, typer.Argument(help="A form of answer, such as settle; all are listed if left out.")
    ] = None,
    json_output: Json = False,
) -> None:
    """The JSON Schema of what commands answer with --json.

    thirdcard schema odds
    """
    if name is None:
        _list(json_output=json_output)
        return
    short = name.removeprefix("thirdcard.").removesuffix(".1")
    if short not in FORMS:
        near = get_close_matches(short, FORMS, n=3) or FORMS
        raise BadInput(f"there is no schema {name!r}: did you mean {' or '.join(near)}?")
    print_json(schema_of(short))


def _list(*, json_output: bool) -> None:
    if json_output:
        print_json(
            [
                ListedSchema(name=name, schema=schema_name(name), command=form.command, told=form.told)
                for name, form in FORMS.items()
            ]
        )
        return
    rows = table("Schema", "Of", "What it is", whole=("Schema",))
    for name, form in FORMS.items():
        rows.add_row(f"[bold]{plain(name)}[/]", f"thirdcard {plain(form.command)}", plain(form.told))
    console().print(rows)
