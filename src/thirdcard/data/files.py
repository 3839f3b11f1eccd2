"""Tables in files: Parquet, Arrow, CSV and JSON lines, told apart by how the name ends."""

import re
from codecs import BOM_UTF8
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeAlias

from thirdcard.arrow import as_table, pa
from thirdcard.errors import BadInput

WHOLE: Final = re.compile(r"^(0|-?[1-9][0-9]{0,17})$")
Reader: TypeAlias = Callable[[Path], pa.Table]
Writer: TypeAlias = Callable[[pa.Table, Path], None]


def _read_csv(file: Path) -> pa.Table:
    """As text, but for columns that are whole numbers throughout: `007` and dates are passed through."""
    from pyarrow import compute, csv  # noqa: PLC0415 - each reader is loaded when it is asked for

    with csv.open_csv(file) as reader:
        names = reader.schema.names
    options = csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
    )
    table = csv.read_csv(file, convert_options=options)
    for place, name in enumerate(names):
        column = table.column(place)
        if column.null_count == len(column):
            continue
        first = next(one for chunk in column.chunks for one in chunk.drop_null()[:1].to_pylist())
        if (
            WHOLE.fullmatch(first)
            and compute.all(compute.match_substring_regex(column, WHOLE.pattern)).as_py()
        ):
            table = table.set_column(place, name, column.cast(pa.int64()))
    return table


def _pyarrow(module: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    """A part of pyarrow, each loaded when it is asked for."""
    return import_module(f"pyarrow.{module}")


def _read_lines(file: Path) -> pa.Table:
    """Values of texts as they are: what looks like a time stays text."""
    from pyarrow import json  # noqa: PLC0415

    def read(schema: Any = None) -> pa.Table:  # noqa: ANN401 - pyarrow has no types
        with file.open("rb") as source:
            if source.read(len(BOM_UTF8)) != BOM_UTF8:
                source.seek(0)
            return json.read_json(source, parse_options=json.ParseOptions(explicit_schema=schema))

    table = read()
    times = [one.name for one in table.schema if pa.types.is_timestamp(one.type)]
    return read(pa.schema([(name, pa.string()) for name in times])) if times else table


def _write_lines(table: pa.Table, file: Path) -> None:
    import msgspec  # noqa: PLC0415

    encode = msgspec.json.Encoder().encode_into
    line = bytearray()
    with file.open("wb") as sink:
        for batch in table.to_batches(max_chunksize=10_000):
            for row in batch.to_pylist():
                encode(row, line)
                sink.write(line)
                sink.write(b"\n")


def _write_arrow(table: pa.Table, file: Path) -> None:
    _pyarrow("feather").write_feather(table, str(file), compression="uncompressed")


KINDS: dict[str, tuple[Reader, Writer]] = {
    ".parquet": (
        lambda file: _pyarrow("parquet").read_table(file),
        lambda table, file: _pyarrow("parquet").write_table(table, file),
    ),
    ".arrow": (lambda file: _pyarrow("feather").read_table(file), _write_arrow),
    ".feather": (lambda file: _pyarrow("feather").read_table(file), _write_arrow),
    ".csv": (_read_csv, lambda table, file: _pyarrow("csv").write_csv(table, file)),
    ".jsonl": (_read_lines, _write_lines),
    ".ndjson": (_read_lines, _write_lines),
}


def _kind(file: Path) -> tuple[Reader, Writer]:
    kind = KINDS.get(file.suffix.lower())
    if kind is None:
        raise BadInput(f"{file} is of no known kind: expected a name that ends in {', '.join(KINDS)}")
    return kind


def read_table(file: Path | str) -> pa.Table:
    """A table from a file; BadInput says what is wrong with it.

    >>> read_table("rounds.xlsx")
    Traceback (most recent call last):
    thirdcard.errors.BadInput: rounds.xlsx is of no known kind: expected a name that ends in .parquet, ...
    """
    path = Path(file)
    reader, _ = _kind(path)
    if not path.is_file():
        raise BadInput(f"there is no file {path}")
    try:
        return reader(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {' '.join(str(error).split())}") from error


def check_sink(file: Path | str) -> None:
    """Refuse a file that no table can be written into, before any work is done."""
    path = Path(file)
    _kind(path)
    if not path.parent.is_dir():
        raise BadInput(f"cannot write {path}: there is no directory {path.parent}")


def write_table(frame: Any, file: Path | str) -> None:  # noqa: ANN401 - whatever speaks Arrow
    """Write a table, or whatever speaks Arrow, into a file; one that exists is replaced when all is written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_table({"cards": ["9C 9H 9D 9S"]}, f"{folder}/rounds.csv")
    ...     read_table(f"{folder}/rounds.csv").num_rows
    1
    """
    path, table = Path(file), as_table(frame)
    check_sink(path)
    _, writer = _kind(path)
    part = path.with_name(f"{path.name}.part")
    try:
        writer(table, part)
        part.replace(path)
    except (pa.ArrowException, OSError) as error:
        part.unlink(missing_ok=True)
        raise BadInput(f"cannot write {path}: {' '.join(str(error).split())}") from error
