"""Records that came in as a frame or a table go out as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from ._optional import imported

if TYPE_CHECKING:
    from ._tables import Table

#: Turns a table of records into what its user has given.
AsGiven: TypeAlias = "Callable[[Table], Any]"

#: The column that records have besides those of their input.
_ENTITY = "entity_id"

#: What a conversion raises that is not possible, such as that of a missing value to a whole number.
_IMPOSSIBLE = (NotImplementedError, TypeError, ValueError)


def as_given(tables: Sequence[object]) -> AsGiven:
    """For records of these tables: the kind that all of them are, with the types of a single one; a table of results where they are
    of several kinds, or none that can be made. No table is kept for it."""
    libraries = {type(table).__module__.partition(".")[0].lstrip("_") for table in tables}
    make = _MAKERS.get(libraries.pop()) if len(libraries) == 1 else None
    if make is None:
        return lambda records: records
    return make(tables[0] if len(tables) == 1 else None)


def _pandas(given: Any | None) -> AsGiven:
    dtypes = {} if given is None else {str(name): dtype for name, dtype in zip(given.columns, given.dtypes, strict=True)}
    index = None if given is None else given.index

    def make(records: Table) -> Any:
        frame = records.to_pandas()
        # An index that is not just numbers came in as columns.
        levels = [] if index is None else [name for name in frame.columns if name not in dtypes and name != _ENTITY]
        if index is not None and levels:
            frame = frame.set_index(levels)
            frame.index.names = index.names
        # Without the records that were left out, or with some of each entity alone, it is another one.
        if index is not None and len(index) == len(frame):
            frame.index = index
        for name, dtype in _others(dtypes, dict(frame.dtypes)).items():
            with suppress(*_IMPOSSIBLE):
                frame[name] = frame[name].astype(dtype)
        return frame

    return make


def _polars(given: Any | None) -> AsGiven:
    dtypes = {} if given is None else dict(getattr(given, "schema", {}))

    def make(records: Table) -> Any:
        frame = records.to_polars()
        return frame.cast(_others(dtypes, dict(frame.schema)))

    return make


def _pyarrow(given: Any | None) -> AsGiven:
    schema = getattr(given, "schema", None)
    types = {} if schema is None else {field.name: field.type for field in schema}

    def make(records: Table) -> Any:
        table = records.to_arrow()
        for name, type in _others(types, {field.name: field.type for field in table.schema}).items():
            with suppress(*_IMPOSSIBLE):
                table = table.set_column(table.column_names.index(name), name, table.column(name).cast(type))
        return table

    return make


def _duckdb(given: Any | None) -> AsGiven:
    return lambda records: imported("duckdb").from_arrow(records.to_arrow())


def _others(wanted: Mapping[str, Any], types: Mapping[str, Any]) -> dict[Any, Any]:
    """The columns that have another type than the wanted one: layouts of texts, categories, whole numbers with missing ones."""
    return {name: type for name, type in wanted.items() if name in types and types[name] != type}


_MAKERS: Mapping[str, Callable[[Any | None], AsGiven]] = {
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
    "duckdb": _duckdb,
}
