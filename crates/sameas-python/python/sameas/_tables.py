"""Tables of results: Arrow streams that are made while they are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from . import _html, _sameas
from ._arguments import if_given, whole
from ._errors import UsageError
from ._optional import imported
from ._progress import Display

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
    import polars  # type: ignore[import-not-found, unused-ignore]
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]

#: Rows of a preview.
_PREVIEW = 10

#: Records up to which a preview looks at all clusters, and ids of a cluster that it names.
_GROUPED = 100_000
_IDS = 20

#: What writes a table: a path, whether a file there is replaced, and what shows the progress.
Writer = Callable[["str | os.PathLike[str]", bool, Display], None]


class Table:
    """A table of results, of any size.

    It has ``__arrow_c_stream__``, so every library that speaks Arrow takes it: ``pl.DataFrame(run.pairs)``,
    ``pa.table(run.pairs)``, ``duckdb.sql("from pairs")``. Each stream makes the rows again, some tens of thousands at a
    time; the table itself holds none.
    """

    def __init__(
        self, name: str, rows: int, open: Callable[[], _sameas.Batches], writer: Writer | None = None
    ) -> None:
        self._name = name
        self._rows = rows
        self._open = open
        self._writer = writer

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows, by Arrow's C stream interface."""
        return self._open().stream()

    def __len__(self) -> int:
        """The number of rows."""
        return self._rows

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return self._open().names()

    def __iter__(self) -> Iterator[Batch]:
        """The rows, some tens of thousands at a time."""
        for batch in self._open():
            yield Batch(batch)

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of PyArrow."""
        table: pyarrow.Table = imported("pyarrow").table(self)
        return table

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """The rows as a frame of pandas, by PyArrow if it is there; `options` are those of ``pyarrow.Table.to_pandas``."""
        try:
            arrow = imported("pyarrow")
        except UsageError:
            if options:
                # They are of PyArrow, and nobody else knows them.
                raise
            return imported("pandas").DataFrame(self.to_dict())
        return arrow.table(self).to_pandas(**options)

    def to_polars(self) -> polars.DataFrame:
        """The rows as a frame of Polars."""
        frame: polars.DataFrame = imported("polars").DataFrame(self)
        return frame

    def to_dict(self) -> dict[str, list[Any]]:
        """The rows as lists of values, by the names of the columns. Needs no other library."""
        columns: dict[str, list[Any]] = {name: [] for name in self.column_names}
        for batch in self:
            for name, values in batch.to_dict().items():
                columns[name].extend(values)
        return columns

    def to_dicts(self, most: int | None = None) -> list[dict[str, Any]]:
        """The rows, or the first of them, as dictionaries. Needs no other library."""
        rows: list[dict[str, Any]] = []
        wanted = if_given(whole, "most", most)
        for batch in self:
            left = None if wanted is None else wanted - len(rows)
            if left == 0:
                break
            rows += batch.to_dicts(left)
        return rows

    def write(
        self, path: str | os.PathLike[str], *, overwrite: bool = False, progress: bool = False
    ) -> None:
        """Writes the table into a file, in the format of its ending: ``.parquet``, ``.csv`` or ``.jsonl``."""
        if self._writer is None:
            raise UsageError(f"`{self._name}` cannot be written alone", "write all results into a folder: run.write(...)")
        with Display(progress) as display:
            self._writer(path, overwrite, display)

    def __repr__(self) -> str:
        names, rows = self.column_names, self.to_dicts(_PREVIEW)
        cells = [names] + [["null" if row[name] is None else str(row[name]) for name in names] for row in rows]
        widths = [max(len(row[at]) for row in cells) for at in range(len(names))]
        lines = ["   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
        return "\n".join([*lines, self._more()])

    def _more(self) -> str:
        shown = min(self._rows, _PREVIEW)
        rows = "1 row" if self._rows == 1 else f"{self._rows:,} rows"
        return rows if shown == self._rows else f"... {rows}"

    def _repr_html_(self) -> str:
        names, rows = self.column_names, self.to_dicts(_PREVIEW)
        numbers = [at for at, name in enumerate(names) if rows and isinstance(rows[0][name], (int, float))]
        null = _html.badge("null", "soft")
        cells = [[null if row[name] is None else row[name] for name in names] for row in rows]
        return _html.page(_html.table(names, cells, numbers), _html.paragraph(self._more(), "soft"))


class Clusters(Table):
    """The table of clusters, which a notebook shows by their sizes and with the largest of them."""

    def __init__(self, table: Table, known_sizes: Callable[[], list[dict[str, Any]]]) -> None:
        super().__init__(table._name, table._rows, table._open, table._writer)
        self._sizes = known_sizes

    def _repr_html_(self) -> str:
        if self._rows > _GROUPED:
            return _html.page(sizes(self._sizes())) + super()._repr_html_()
        members: dict[Any, list[str]] = {}
        for batch in self:
            rows = batch.to_dict()
            # Where there are several inputs an id has the name of its own before it, as `why` takes it.
            of = [f"{source}:" for source in rows["source_dataset"]] if "source_dataset" in rows else [""] * len(batch)
            for source, one, cluster in zip(of, rows["unique_id"], rows["cluster_id"], strict=True):
                members.setdefault(cluster, []).append(f"{source}{one}")
        largest = sorted((of for of in members.items() if len(of[1]) > 1), key=lambda of: -len(of[1]))
        cells = [[cluster, f"{len(of):,}", _listed(of)] for cluster, of in largest[:_PREVIEW]]
        more = f"... {len(largest):,} clusters of two or more records" if len(largest) > _PREVIEW else ""
        shown = _html.table(["cluster_id", "records", "their ids"], cells, [1]) if cells else ""
        return _html.page(sizes(self._sizes()), shown, _html.paragraph(more or self._more(), "soft"))


def sizes(known: list[dict[str, Any]]) -> str:
    """How many clusters there are of each size, as HTML."""

    def size(one: dict[str, Any]) -> str:
        return f"{one['least']:,}" if one["least"] == one["most"] else f"{one['least']:,} to {one['most']:,}"

    rows = [[size(one), f"{one['clusters']:,}", f"{one['records']:,}"] for one in known]
    return _html.table(["cluster size", "clusters", "records"], rows, [1, 2])


def _listed(ids: list[str]) -> str:
    """The first ids, and how many more there are."""
    more = f", ... {len(ids) - _IDS:,} more" if len(ids) > _IDS else ""
    return ", ".join(ids[:_IDS]) + more


class Batch:
    """Some rows of a table. It has ``__arrow_c_array__``: ``pl.DataFrame(batch)``, ``pa.record_batch(batch)``."""

    def __init__(self, batch: _sameas.Batch) -> None:
        self._batch = batch

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """The rows, by Arrow's C data interface."""
        return self._batch.array()

    def __len__(self) -> int:
        """The number of rows."""
        return self._batch.rows()

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return self._batch.names()

    def to_arrow(self) -> pyarrow.RecordBatch:
        """The rows as a batch of PyArrow."""
        batch: pyarrow.RecordBatch = imported("pyarrow").record_batch(self)
        return batch

    def to_polars(self) -> polars.DataFrame:
        """The rows as a frame of Polars."""
        frame: polars.DataFrame = imported("polars").DataFrame(self)
        return frame

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a frame of pandas."""
        try:
            arrow = imported("pyarrow")
        except UsageError:
            return imported("pandas").DataFrame(self.to_dict())
        return arrow.record_batch(self).to_pandas()

    def to_dict(self) -> dict[str, list[Any]]:
        """The rows as lists of values, by the names of the columns."""
        return {name: self._batch.values(at, len(self)) for at, name in enumerate(self.column_names)}

    def to_dicts(self, most: int | None = None) -> list[dict[str, Any]]:
        """The rows, or the first of them, as dictionaries."""
        rows = len(self) if most is None else min(whole("most", most), len(self))
        names = self.column_names
        columns = [self._batch.values(at, rows) for at in range(len(names))]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def __repr__(self) -> str:
        return f"Batch({len(self):,} rows: {', '.join(self.column_names)})"
