"""The JSON Schema of a rulebook's file, by which editors complete and check it."""

from collections.abc import Mapping
from fractions import Fraction
from inspect import getdoc
from typing import Any, Final, get_origin

from msgspec import inspect as kinds

from thirdcard.money import Odds
from thirdcard.rulebook.extending import REST
from thirdcard.rulebook.faults import NAME
from thirdcard.rulebook.forms import LENIENT
from thirdcard.rulebook.model import Rulebook, Span
from thirdcard.rulebook.parts import Numbers

Schema = dict[str, Any]

RANGE: Final[Schema] = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^[0-9]+-[0-9]+$"}]}
WRITTEN: Final[Mapping[type, Schema]] = {  # types of our own, as they are written
    Odds: {
        "type": "string",
        "pattern": r"^[0-9]+(\.[0-9]+)? to [1-9][0-9]*$",
        "examples": ["1 to 1", "0.95 to 1", "3 to 2"],
    },
    Span: {"type": "string", "pattern": "^[0-9](-[0-9])?$", "examples": ["5", "0-4"]},
    Fraction: {"type": "string", "pattern": r"^[0-9]+([/.][0-9]+)?$", "examples": ["1/4", "0.05"]},
    Numbers: {
        "anyOf": [*RANGE["anyOf"], {"type": "array", "items": RANGE, "minItems": 1}],
        "examples": [6, "4-9", [6, "8-9"]],
    },
}
DIRECTIVES: Final[Schema] = {
    "extends": {
        "type": "string",
        "description": "The book that this one changes: its slug, or a file in the same folder.",
    },
    "remove": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Keys of the book it extends that are taken away, such as layouts.*.bets.tiger.",
    },
}


def schema() -> Schema:
    """The form of any file; a book that extends another may have parts of tables, others have them whole."""
    part, whole = _Writer("change", partial=True), _Writer("whole", partial=False)
    root = kinds.type_info(Rulebook)
    assert isinstance(root, kinds.StructType)  # noqa: S101 - for the type checker
    sections = [field for field in root.fields if field.name != "assumed"]
    name = {"type": "string", "pattern": f"^{NAME.pattern}$"}
    written = {field.name: part.schema(field.type) for field in sections} | DIRECTIVES | {"slug": name}
    written["bets"]["propertyNames"] = name
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A rulebook of thirdcard",
        "description": "Sections left out are those of the plain game, or of the book that it extends.",
        "type": "object",
        "properties": written,
        "required": ["slug"],
        "additionalProperties": False,
        "if": {"not": {"required": ["extends"]}},
        "then": {
            "properties": {field.name: whole.schema(field.type) for field in sections},
            "required": ["document"],
        },
        "$defs": {**part.parts, **whole.parts},
    }


def shown_schema() -> Schema:
    """The form of a whole rulebook as programs are shown it: every value there, none where there is none."""
    writer = _Writer("rulebook", partial=False, shown=True)
    return {**writer.schema(kinds.type_info(Rulebook)), "$defs": writer.parts}


class _Writer:
    """Writes the schemas of types; parts that are tables go into `parts`, each once.

    Where they may be partial nothing is required, and a list may have "..." for what was there before.
    """

    def __init__(self, prefix: str, *, partial: bool, shown: bool = False) -> None:
        self.prefix, self.partial, self.shown = prefix, partial, shown
        self.parts: dict[str, Schema] = {}

    def schema(self, kind: kinds.Type) -> Schema:  # noqa: C901, PLR0911 - a line for each kind
        match kind:
            case kinds.Metadata():
                return self.schema(kind.type) | (kind.extra_json_schema or {})
            case kinds.StructType():
                return self._table(kind)
            case kinds.CustomType():
                return dict(WRITTEN[kind.cls])
            case kinds.UnionType():
                (given,) = (other for other in kind.types if not isinstance(other, kinds.NoneType))
                inner = self.schema(given)
                return {"anyOf": [inner, {"type": "null"}]} if self.shown else inner
            case kinds.VarTupleType():
                return {"type": "array", "items": self._entry(kind.item_type)}
            case kinds.TupleType():
                items = [self.schema(item_type) for item_type in kind.item_types]
                return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
            case kinds.DictType():
                return {"type": "object", "additionalProperties": self.schema(kind.value_type)}
            case kinds.EnumType():
                return {"enum": [enum.value for enum in kind.cls]}
            case kinds.LiteralType():
                return {"enum": list(kind.values)}
            case kinds.StrType():
                return {"type": "string"} | ({"pattern": kind.pattern} if kind.pattern else {})
            case kinds.IntType():
                return {"type": "integer"}
            case kinds.BoolType():
                return {"type": "boolean"}
        raise TypeError(f"no schema for {kind}")

    def _one_or_list(self, kind: kinds.Type) -> Schema:
        """A condition may name one thing where it has a list."""
        several = self.schema(kind)
        return {"anyOf": [several["items"], several]} if isinstance(kind, kinds.VarTupleType) else several

    def _entry(self, kind: kinds.Type) -> Schema:
        entry = self.schema(kind)
        may_rest = self.partial and not isinstance(kind, kinds.StructType)
        return {"anyOf": [entry, {"const": REST}]} if may_rest else entry

    def _table(self, kind: kinds.StructType) -> Schema:
        name = f"{self.prefix}-{kind.cls.__name__}"
        if self.parts.get(name) is None and not get_origin(kind.cls):
            self.parts[name] = {}  # it may have others of its kind
        elif name in self.parts:
            return {"$ref": f"#/$defs/{name}"}
        lenient = kind.cls in LENIENT and not self.shown
        made: Schema = {
            "type": "object",
            "properties": {
                field.encode_name: self._one_or_list(field.type) if lenient else self.schema(field.type)
                for field in kind.fields
            },
            "additionalProperties": False,
        }
        if not self.partial:
            made["required"] = [field.encode_name for field in kind.fields if field.required]
        if get_origin(kind.cls):  # a value with its paragraphs, of many kinds
            return made
        self.parts[name] = made | ({"description": getdoc(kind.cls)} if getdoc(kind.cls) else {})
        return {"$ref": f"#/$defs/{name}"}
