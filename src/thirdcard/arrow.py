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
    try:
        if isinstance(frame, pa.RecordBatch):
            return pa.Table.from_batches([frame])
        if hasattr(frame, "__arrow_c_stream__"):
            return pa.table(frame)
        return pa.table(dict(frame))
    except (TypeError, ValueError, pa.ArrowException) as error:
        told = " ".join(str(error).split())
        raise BadInput(
            f"expected a table: a frame, a pyarrow.Table or a mapping of columns ({told})"
        ) from error
