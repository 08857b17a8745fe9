"""Tables of every kind as inputs of a job."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from . import _sameas
from ._arguments import if_given, text, texts
from ._errors import DataError, UsageError
from ._progress import Display


@runtime_checkable
class ArrowStream(Protocol):
    """What has Arrow's C stream interface: frames of Polars and pandas, tables of PyArrow, relations of DuckDB, ..."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with a stream."""
        ...


@runtime_checkable
class ArrowArray(Protocol):
    """What has Arrow's C data interface: batches of PyArrow, arrays of structures, ..."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Capsules with a schema and an array."""
        ...


Path: TypeAlias = "str | os.PathLike[str]"

#: A table: a frame or table of any library that speaks Arrow, columns by their names (lists or arrays of NumPy), rows as
#: dictionaries, a path, a pattern such as ``"data/*.csv"``, or a list of these, which are one table.
TableLike: TypeAlias = "ArrowStream | ArrowArray | Mapping[str, Any] | Path | Sequence[Path] | Sequence[Mapping[str, Any]]"


class Reading:
    """How tables are read, where the rules do not say it."""

    def __init__(
        self,
        delimiter: str | None = None,
        encoding: str | None = None,
        null: Sequence[str] | None = None,
        blank_is_null: bool | None = None,
    ) -> None:
        self._delimiter = if_given(_byte, "delimiter", delimiter)
        self._encoding = if_given(text, "encoding", encoding)
        self._null = [null] if isinstance(null, str) else if_given(texts, "null", null)
        self._blank_is_null = blank_is_null

    def input(self, table: object, name: str, display: Display) -> _sameas.Input:
        """A table as an input; `name` is what messages call it where it has no name of its own."""
        made = _input(table, name, display)
        return made.reading(self._delimiter, self._encoding, self._null, self._blank_is_null)


def _byte(name: str, delimiter: object) -> int:
    meant = "\t" if delimiter == "tab" else text(name, delimiter)
    if len(meant) != 1 or not meant.isascii():
        raise UsageError(f"{name}={delimiter!r} is not one ASCII character", "such as ';', or 'tab'")
    return ord(meant)


def _input(table: object, name: str, display: Display) -> _sameas.Input:
    if isinstance(table, (str, os.PathLike)):
        return _sameas.Input.files([os.fspath(table)])
    if _is_pandas(table):
        return _of_pandas(table, name, display)
    if isinstance(table, ArrowStream):
        return _of_stream(table, name, display)
    if isinstance(table, ArrowArray):
        schema, array = table.__arrow_c_array__()
        return _sameas.Input.array(name, schema, array)
    if isinstance(table, Mapping):
        columns = [(str(column), column_values(str(column), values)) for column, values in table.items()]
        return _sameas.Input.columns(name, columns)
    if isinstance(table, Sequence) and not isinstance(table, (bytes, bytearray)):
        return _of_sequence(table, name)
    reader = getattr(table, "fetch_arrow_reader", None) or getattr(table, "arrow", None)
    if callable(reader):
        # A relation of an older DuckDB.
        return _of_stream(reader(), name, display)
    raise UsageError(
        f"`{name}` is not a table: a value of type {type(table).__name__} was given",
        "give a frame of pandas or Polars, a table of PyArrow, a relation of DuckDB, a dictionary of columns, or a path",
    )


def _of_stream(table: Any, name: str, display: Display) -> _sameas.Input:
    try:
        capsule = table.__arrow_c_stream__()
    except Exception as error:
        raise DataError(f"`{name}` gives no Arrow stream: {error}") from error
    return _sameas.Input.stream(name, capsule, display)


def _of_sequence(items: Sequence[Any], name: str) -> _sameas.Input:
    if items and all(isinstance(item, (str, os.PathLike)) for item in items):
        return _sameas.Input.files([os.fspath(item) for item in items])
    if all(isinstance(item, Mapping) for item in items):
        columns = {column: None for row in items for column in row}
        return _sameas.Input.columns(name, [(str(column), [row.get(column) for row in items]) for column in columns])
    raise UsageError(f"`{name}` is a list of neither paths nor rows", "give paths, or a dictionary for each row")


def _is_pandas(table: object) -> bool:
    return type(table).__module__.partition(".")[0] == "pandas"


def _of_pandas(frame: Any, name: str, display: Display) -> _sameas.Input:
    columns = getattr(frame, "columns", None)
    if columns is None:
        raise UsageError(f"`{name}` is one column of pandas, and not a table", "give a frame: column.to_frame()")
    names = [str(column) for column in columns]
    repeated = next((column for at, column in enumerate(names) if column in names[:at]), None)
    if repeated is not None:
        raise DataError(f"{name}: two columns are called `{repeated}`", "give each column a name of its own")
    try:
        capsule = frame.__arrow_c_stream__()
    except (AttributeError, ImportError):
        # Without PyArrow the values are taken one by one.
        series = [(column, frame.iloc[:, at].to_numpy()) for at, column in enumerate(names)]
        return _sameas.Input.columns(name, [(column, column_values(column, values)) for column, values in series])
    except Exception as error:
        raise DataError(f"`{name}` cannot be taken as it is: {error}", "convert the column to one type") from error
    return _sameas.Input.stream(name, capsule, display)


def column_values(name: str, values: Any) -> Any:
    """Values of a column, with NumPy's times as Python's."""
    dtype = getattr(values, "dtype", None)
    if getattr(dtype, "kind", None) == "M" and hasattr(values, "astype"):
        unit = "D" if str(dtype).endswith("[D]") else "us"
        return values.astype(f"datetime64[{unit}]").tolist()
    # The parts of these are no values of rows, or have no order.
    if isinstance(values, (str, bytes, bytearray, Mapping, set, frozenset)):
        raise UsageError(f"column `{name}` takes a list of values, and a value of type {type(values).__name__} was given")
    return values
