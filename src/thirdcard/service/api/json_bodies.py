"""JSON from outside, read strictly: a key given twice, NaN, `1.0`, `true` or `"5"` for an amount are errors."""

import json
from typing import Any, TypeVar

import msgspec
from litestar.dto import AbstractDTO, DTOFieldDefinition
from litestar.openapi.spec import Reference, Schema
from litestar.typing import FieldDefinition

from thirdcard.errors import BadInput
from thirdcard.strict import decodable, no_twins
from thirdcard.table.commands import why_unreadable

T = TypeVar("T")


def _no_constant(name: str) -> Any:  # noqa: ANN401
    raise BadInput(f"{name} is not a number here")


_plain = json.JSONDecoder(object_pairs_hook=no_twins, parse_constant=_no_constant).decode


def decode(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """A value of the decoder's type; BadInput says what is wrong with the text."""
    value = typed(body, decoder)
    try:
        _plain(body.decode())  # only to see that no key is given twice
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadInput(f"the body cannot be read: {error}") from None
    except RecursionError:
        raise BadInput("the body is nested too deeply") from None
    return value


def typed(body: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[T]) -> T:
    """The same for a part of a text that `decode` has read."""
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(f"the body cannot be read: {why_unreadable(error)}") from None
    except RecursionError:
        raise BadInput("the body is nested too deeply") from None


class StrictBody(AbstractDTO[T]):
    """Lets Litestar hand a body to `decode` and still describe its type in the OpenAPI document."""

    decoder: msgspec.json.Decoder[Any]

    def decode_bytes(self, value: bytes) -> Any:  # noqa: ANN401
        return decode(value, self.decoder)

    @classmethod
    def create_for_field_definition(
        cls, field_definition: FieldDefinition, handler_id: str, backend_cls: object = None
    ) -> None:
        """There is nothing to prepare."""

    @classmethod
    def create_openapi_schema(
        cls,
        field_definition: FieldDefinition,
        handler_id: str,  # noqa: ARG003
        schema_creator: Any,  # noqa: ANN401
    ) -> Reference | Schema:
        made: Reference | Schema = schema_creator.for_field_definition(field_definition)
        return made

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> list[DTOFieldDefinition]:  # type: ignore[override]  # noqa: ARG003
        return []

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:  # noqa: ARG003
        return False


def takes(wanted: Any) -> dict[str, Any]:  # noqa: ANN401
    """For a route: its body is of this type."""
    made = type("Strict", (StrictBody,), {"decoder": msgspec.json.Decoder(decodable(wanted), strict=True)})
    return {"dto": made, "return_dto": None}
