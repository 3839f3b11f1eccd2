"""What users and programs can reach: requests, commands with their options, fields of every answer, sections of words.

Each is a list of lines in a file of its own beside this one. A line that goes is something that somebody has lost. Of
the fields of an answer the list has their number and a digest; `python tests/transcripts/face/rewrite.py answers`
(or `api`) prints them all, here and in an older checkout.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import typer.main

from service.api.routes import app_of, document, routes
from thirdcard.cli import app
from thirdcard.cli.schemas import FORMS, schema_of
from thirdcard.web.site import PAGES
from thirdcard.words import languages, words

HERE = Path(__file__).parent
Schema = dict[str, Any]


def requests() -> Iterator[str]:
    """Every address of API and pages, with its method and who may ask."""
    for route in routes(app_of(*PAGES)):
        yield f"{route.method} {route.path}: {route.needs}"


def commands() -> Iterator[str]:
    """Every command with its arguments and options."""
    yield from _commands("thirdcard", typer.main.get_command(app))


def _commands(name: str, command: Any) -> Iterator[str]:  # noqa: ANN401 - Typer's own Click
    for parameter in command.params:
        yield f"{name} {' '.join((*parameter.opts, *parameter.secondary_opts))}"
    for below, found in getattr(command, "commands", {}).items():
        yield from _commands(f"{name} {below}", found)


def answers() -> Iterator[str]:
    """Every field of every form of answer, with the types that it may have."""
    for name in FORMS:
        whole = schema_of(name)
        yield from _fields(f"{name} >", whole, whole.get("$defs", {}), ())


def api() -> Iterator[str]:
    """The same of what the API takes and gives."""
    told = document(app_of())
    parts = told["components"]["schemas"]
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            for asked in operation.get("parameters", ()):
                yield f"{method.upper()} {path} ?{asked['name']} in {asked['in']}"
            bodies = {"<": operation.get("requestBody", {}), ">": operation["responses"].get("200", {})}
            bodies[">"] = bodies[">"] or operation["responses"].get("201", {})
            for way, body in bodies.items():
                for form in body.get("content", {}).values():
                    yield from _fields(f"{method.upper()} {path} {way}", form.get("schema", {}), parts, ())


def _fields(name: str, schema: Schema, parts: Schema, within: tuple[str, ...]) -> Iterator[str]:
    """A schema without the names of its types, which are nobody's business."""
    if "$ref" in schema:
        kind = schema["$ref"].rpartition("/")[2]
        if kind not in within:  # a type that has itself in it is told once
            yield from _fields(name, parts[kind], parts, (*within, kind))
        return
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from _fields(name, one, parts, within)
    for key, value in schema.get("properties", {}).items():
        yield from _fields(f"{name}.{key}", value, parts, within)
    for key in ("items", "additionalProperties"):
        if isinstance(value := schema.get(key), dict):
            yield from _fields(f"{name}[]", value, parts, within)
    for value in schema.get("prefixItems", ()):
        yield from _fields(f"{name}[]", value, parts, within)
    if kind := schema.get("type", "a choice" if "enum" in schema or "const" in schema else ""):
        yield f"{name}: {kind}"


def phrases() -> Iterator[str]:
    """How many phrases each section of each language has."""
    for language in languages():
        for section, said in words(language).sections.items():
            yield f"{language} {section}: {len(said)}"


def briefly(fields: Iterable[str]) -> Iterator[str]:
    """How many fields each answer has, and what they come to."""
    by_answer: dict[str, list[str]] = {}
    for field in sorted(set(fields)):
        by_answer.setdefault(re.split("(?<=[<>?])", field)[0], []).append(field)
    for answer, own in by_answer.items():
        yield f"{answer.rstrip(' ?')}: {len(own)} fields, {sha256(chr(10).join(own).encode()).hexdigest()[:12]}"


WHOLE: dict[str, Callable[[], Iterator[str]]] = {
    "requests": requests, "commands": commands, "answers": answers, "api": api, "phrases": phrases,
}  # fmt: skip


def told(name: str) -> str:
    """The lines of one list, each once, in their order."""
    found = WHOLE[name]()
    kept = briefly(found) if name in ("answers", "api") else found
    return "".join(f"{line}\n" for line in sorted(set(kept)))


def file_of(name: str) -> Path:
    return HERE / f"{name}.txt"
