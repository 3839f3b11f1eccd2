"""Rounds and results as tables: millions of rounds settled at once, files and frames in and out by Arrow.

Needs pyarrow and NumPy (`thirdcard[data]`). Whatever speaks Arrow can be handed in (polars, pandas, DuckDB, a
`pyarrow.Table`), and takes what comes out: `polars.from_arrow(table)`, `table.to_pandas()`.
"""

from thirdcard.data.files import read_table, write_table
from thirdcard.data.settling import settle_frame

__all__ = ["read_table", "settle_frame", "write_table"]
