"""Tables of every library give the same bytes."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sameas
from conftest import RULES, written

Columns = dict[str, list[Any]]


def arrow(columns: Columns, text: pa.DataType = pa.string()) -> pa.Table:
    types = {"id": text, "name": text, "phone": text, "city": text, "born": pa.int64(), "tags": pa.list_(text)}
    return pa.table({name: pa.array(values, types[name]) for name, values in columns.items()})


def numpy_columns(columns: Columns) -> dict[str, Any]:
    made: dict[str, Any] = {name: np.array(values, dtype=object) for name, values in columns.items() if name != "tags"}
    made["born"] = np.array(columns["born"], dtype=np.int32)
    made["id"] = np.array(columns["id"])
    return made | {"tags": columns["tags"]}


def chunked(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table.slice(0, 7), table.slice(7, 0), table.slice(7, 150), table.slice(157)])


def sliced(table: pa.Table) -> pa.Table:
    around = table.slice(0, 5)
    return pa.concat_tables([around, table, around]).combine_chunks().slice(5, table.num_rows)


def dictionary(table: pa.Table) -> pa.Table:
    for at, name in enumerate(["id", "name", "phone", "city"]):
        table = table.set_column(at, name, table[name].dictionary_encode())
    return table


def view(columns: Columns) -> pa.Table:
    table = arrow(columns)
    for at, name in enumerate(["id", "name", "phone", "city"]):
        table = table.set_column(at, name, table[name].cast(pa.string_view()))
    return table


def large_lists(columns: Columns) -> pa.Table:
    tags = pa.array(columns["tags"], pa.large_list(pa.large_string()))
    return arrow(columns, pa.large_string()).set_column(5, "tags", tags)


def polars_frame(columns: Columns) -> pl.DataFrame:
    return pl.DataFrame(columns, schema_overrides={"phone": pl.String})


KINDS: dict[str, Callable[[Columns], Any]] = {
    "columns": lambda columns: columns,
    "rows": lambda columns: [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
    "numpy": numpy_columns,
    "pandas object": lambda columns: pd.DataFrame({k: pd.Series(v, dtype=object) for k, v in columns.items()}),
    "pandas default": pd.DataFrame,
    "pandas string": lambda columns: pd.DataFrame(columns).astype({"name": "string", "phone": "string"}),
    "pandas category": lambda columns: pd.DataFrame(columns).astype({"city": "category", "phone": "category"}),
    "pandas nullable": lambda columns: pd.DataFrame(columns).astype({"born": "Int64"}),
    "pandas arrow": lambda columns: arrow(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "pandas sliced": lambda columns: pd.concat([pd.DataFrame(columns).head(3), pd.DataFrame(columns)]).iloc[3:],
    "polars": polars_frame,
    "polars categorical": lambda columns: polars_frame(columns).with_columns(pl.col("city", "name").cast(pl.Categorical)),
    "polars enum": lambda columns: polars_frame(columns).with_columns(
        pl.col("city").cast(pl.Enum(["Turin", "Oslo", "Berlin", "Porto"]))
    ),
    "polars chunked": lambda columns: pl.concat([polars_frame(columns)[:9], polars_frame(columns)[9:]], rechunk=False),
    "polars sliced": lambda columns: pl.concat([polars_frame(columns)[:9], polars_frame(columns)])[9:],
    "arrow": arrow,
    "arrow large": lambda columns: arrow(columns, pa.large_string()),
    "arrow large lists": large_lists,
    "arrow view": view,
    "arrow dictionary": lambda columns: dictionary(arrow(columns)),
    "arrow chunked": lambda columns: chunked(arrow(columns)),
    "arrow sliced": lambda columns: sliced(arrow(columns)),
    "arrow large sliced": lambda columns: sliced(large_lists(columns)),
    "arrow batch": lambda columns: arrow(columns).combine_chunks().to_batches()[0],
    "arrow structures": lambda columns: arrow(columns).to_struct_array().combine_chunks(),
    "arrow reader": lambda columns: chunked(arrow(columns)).to_reader(),
    "duckdb": lambda columns: duckdb.connect().from_arrow(arrow(columns)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_the_same_bytes(
    kind: str, people: Columns, expected: tuple[bytes, bytes], tmp_path: Path
) -> None:
    assert written(sameas.dedupe(KINDS[kind](people), RULES), tmp_path) == expected


def test_files_give_the_same_pairs(people: Columns, expected: tuple[bytes, bytes], tmp_path: Path) -> None:
    pq.write_table(arrow(people), tmp_path / "people.parquet")
    rows = KINDS["rows"](people)
    lines = [json.dumps(row) for row in rows]
    (tmp_path / "people.jsonl").write_text("\n".join(lines))
    (tmp_path / "part_1.jsonl").write_text("\n".join(lines[:100]))
    (tmp_path / "part_2.jsonl").write_text("\n".join(lines[100:]))
    kinds: list[Any] = [
        tmp_path / "people.parquet",
        str(tmp_path / "people.jsonl"),
        str(tmp_path / "part_*.jsonl"),
        [tmp_path / "part_1.jsonl", str(tmp_path / "part_2.jsonl")],
    ]
    for at, kind in enumerate(kinds):
        folder = tmp_path / str(at)
        folder.mkdir()
        assert written(sameas.dedupe(kind, RULES), folder) == expected, kind


def test_csv_is_read_as_the_arguments_say(people: Columns, tmp_path: Path) -> None:
    with open(tmp_path / "people.csv", "w", newline="", encoding="windows-1252") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["id", "name", "phone"])
        rows = zip(people["id"], people["name"], people["phone"], strict=True)
        writer.writerows([name, who.replace("á", "a"), phone or "n/a"] for name, who, phone in rows)
    options: dict[str, Any] = {"delimiter": ";", "encoding": "windows-1252", "null": ["n/a"]}
    run = sameas.dedupe(tmp_path / "people.csv", "l.phone = r.phone", **options)
    again = sameas.dedupe({"id": people["id"], "phone": people["phone"]}, "l.phone = r.phone")
    assert run.pairs.to_dict() == again.pairs.to_dict()


def test_pandas_without_pyarrow(people: Columns, expected: tuple[bytes, bytes], tmp_path: Path) -> None:
    class Frame(pd.DataFrame):
        """As a frame is where PyArrow cannot be imported."""

        __module__ = "pandas"

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            raise ImportError("no module named pyarrow")

    assert written(sameas.dedupe(Frame(people), RULES), tmp_path) == expected


def test_numbers_dates_and_times(tmp_path: Path) -> None:
    import datetime as dt

    day, moment = dt.date(2024, 5, 31), dt.datetime(2024, 5, 31, 12, 0, 0, 250_000)
    columns: Columns = {
        "id": [1, 2, 3],
        "day": [day, day, None],
        "moment": [moment, moment, None],
        "zoned": [moment.replace(tzinfo=dt.timezone.utc)] * 2 + [None],
        "number": [1.5, 1.5, float("nan")],
        "truth": [True, True, None],
    }
    rule = "l.day = r.day and l.moment = r.moment and l.zoned = r.zoned and l.number = r.number and l.truth = r.truth"
    wanted = [{"unique_id_l": 1, "unique_id_r": 2, "match_key": "rule_1"}]
    numpy: dict[str, Any] = {
        "id": np.array([1, 2, 3]),
        "day": np.array(["2024-05-31", "2024-05-31", "NaT"], dtype="datetime64[D]"),
        "moment": np.array([moment, moment, "NaT"], dtype="datetime64[ns]"),
        "zoned": columns["zoned"],
        "number": np.array(columns["number"], dtype=np.float32),
        "truth": np.array(columns["truth"], dtype=object),
    }
    for kind in (columns, pd.DataFrame(columns), pl.DataFrame(columns), numpy):
        assert sameas.dedupe(kind, rule).pairs.to_dicts() == wanted


def test_an_arrow_table_is_used_where_it_lies() -> None:
    """A run refers to the memory of the table, and lets go of it when it ends."""
    base = pa.total_allocated_bytes()
    texts = pa.array([f"{number:0100}" for number in range(20_000)], pa.large_string())
    table = pa.table({"id": pa.array(range(20_000)), "text": texts})
    made = pa.total_allocated_bytes() - base
    assert made > 2_000_000
    run = sameas.dedupe(table, "l.text = r.text")
    assert abs(pa.total_allocated_bytes() - base - made) < 10_000
    del table, texts
    assert pa.total_allocated_bytes() - base > 2_000_000
    assert not run.why(1, 2)
    del run
    assert pa.total_allocated_bytes() - base < 10_000


def test_links_have_names(people: Columns, rules: sameas.Rules) -> None:
    left = {name: values[:200] for name, values in people.items()}
    right = {name: values[200:] for name, values in people.items()}
    run = sameas.link(pl.DataFrame(left), pd.DataFrame(right), rules)
    assert {row["source_dataset"] for row in run.clusters.to_dicts()} == {"left", "right"}
    both = sameas.link(left, right, rules, dedupe=True, names=["crm", "shop"])
    assert {row["source_dataset_l"] for row in both.pairs.to_dicts()} == {"crm", "shop"}
    whole = sameas.dedupe(people, rules)
    assert len(both.pairs) == len(whole.pairs) > len(run.pairs)
    three = sameas.link(left, right, rules, more=[left], names=["a", "b", "c"])
    assert len(three.pairs) > len(run.pairs)


def test_ids_by_table(people: Columns) -> None:
    left = {"key": people["id"], "phone": people["phone"]}
    right = {"no": people["id"], "phone": people["phone"]}
    run = sameas.link(left, right, "l.phone = r.phone", id={"left": "key", "right": "no"})
    assert len(run.pairs) >= sum(phone is not None for phone in people["phone"])
    rows = sameas.dedupe({"phone": ["1", "1"]}, "l.phone = r.phone", id="row")
    assert len(rows.pairs) == 1


#: Prints how much memory more a run takes at its peak; the table has 100 MB of texts, a hundred different ones.
PEAK = """
import sys
import pyarrow as pa
import sameas

def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name))

def table(kind):
    texts = pa.array([f"{row % 100:0100000}" for row in range(1_000)])
    if kind == "dictionary":
        texts = pa.DictionaryArray.from_arrays(pa.array(range(1_000), pa.int32()), texts)
    elif kind != "polars":
        texts = texts.cast(kind)
    made = pa.table({"id": list(range(1_000)), "text": texts})
    if kind == "polars":
        import polars
        made = polars.from_arrow(made)
    return made

sameas.dedupe({"id": [1, 2], "text": ["a", "a"]}, "l.text = r.text")
people = table(sys.argv[1])
pa.default_memory_pool().release_unused()
held = status("VmRSS")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
assert len(sameas.dedupe(people, "l.text = r.text").pairs) == 100 * 45
print(status("VmHWM") - held)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux says how much memory a process takes")
@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary", "polars"])
def test_texts_are_not_copied(kind: str) -> None:
    done = subprocess.run([sys.executable, "-c", PEAK, kind], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 30_000_000, done.stdout
