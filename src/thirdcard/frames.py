"""Results as tables: `to_frame()` gives Arrow's, and whatever speaks Arrow takes the result as it is.

pyarrow (`thirdcard[data]`) is imported when a table is asked for and not before; polars and pandas need
nothing of ours: `polars.DataFrame(odds)`, `odds.to_pandas()`.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, ClassVar, TypeAlias

from thirdcard.errors import BadInput

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

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is not ours
        """The same as a frame of pandas."""
        return self.to_frame().to_pandas()

    def to_polars(self) -> Any:  # noqa: ANN401 - nor is polars
        """The same as a frame of polars; `polars.DataFrame` takes the result itself, too."""
        return import_module("polars").DataFrame(self.to_frame())

    def __array__(self, *_: object, **__: object) -> Any:  # noqa: ANN401
        """NumPy has no table of columns, and pandas asks for an array: say how to get a frame."""
        raise BadInput(f"this {type(self).__name__} is no array: call to_pandas(), to_polars() or to_frame()")

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Arrow's own hand-over: `polars.DataFrame(odds)` and the like."""
        return self.to_frame().__arrow_c_stream__(requested_schema)
