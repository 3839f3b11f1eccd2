"""Results as tables: `to_frame()` gives Arrow's, and whatever speaks Arrow takes the result as it is.

pyarrow (`thirdcard[data]`) is imported when a table is asked for and not before; polars and pandas need
nothing of ours: `polars.from_arrow(odds)`, `odds.to_frame().to_pandas()`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeAlias

Schema: TypeAlias = Mapping[str, str]  # the type of each column, by the name that Arrow has for it


def frame(schema: Schema, rows: Iterable[tuple[object, ...]]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """A table of these columns, also where there are no rows."""
    from thirdcard.arrow import pa  # noqa: PLC0415 - only who wants a table needs pyarrow

    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pa.table(
        {
            name: pa.array(column, pa.type_for_alias(kind))
            for (name, kind), column in zip(schema.items(), columns, strict=True)
        }
    )


class Tabular:
    """What can be had as a table."""

    __slots__ = ()
    COLUMNS: ClassVar[Schema]

    def _rows(self) -> Iterable[tuple[object, ...]]:
        raise NotImplementedError

    def to_frame(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """A `pyarrow.Table` with the columns that `COLUMNS` names."""
        return frame(self.COLUMNS, self._rows())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Arrow's own hand-over: `polars.DataFrame(odds)` and the like."""
        return self.to_frame().__arrow_c_stream__(requested_schema)
