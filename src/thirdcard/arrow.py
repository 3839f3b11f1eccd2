"""pyarrow and NumPy, or one sentence on how to get them."""

from typing import Any

from thirdcard.errors import BadInput

try:
    import numpy as np
    import pyarrow as pa
except ModuleNotFoundError as error:
    raise BadInput(
        f"tables need pyarrow and NumPy: install thirdcard[data] ({error.name} is missing)"
    ) from error

__all__ = ["as_table", "np", "pa"]


def as_table(frame: Any) -> pa.Table:  # noqa: ANN401 - whatever speaks Arrow
    """A frame of any library that speaks Arrow, or a mapping of columns, as a table."""
    if isinstance(frame, pa.Table):
        return frame
    if hasattr(frame, "collect") and not hasattr(frame, "__arrow_c_stream__"):
        raise BadInput("expected a table: a lazy frame is one once it is collected, frame.collect()")
    try:
        if isinstance(frame, pa.RecordBatch):
            return pa.Table.from_batches([frame])
        if hasattr(frame, "__arrow_c_stream__"):
            return _of_usual_types(pa.table(frame))
        return pa.table(dict(frame))
    except (TypeError, ValueError, pa.ArrowException) as error:
        told = " ".join(str(error).split())
        raise BadInput(
            f"expected a table: a frame, a pyarrow.Table or a mapping of columns ({told})"
        ) from error


def _of_usual_types(table: pa.Table) -> pa.Table:
    """Texts as Arrow has always had them: polars hands them over as views."""
    usual = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    fields = [field.with_type(usual.get(field.type, field.type)) for field in table.schema]
    return table.cast(pa.schema(fields, table.schema.metadata))
