"""Entities of clusters, and records with their entities, as the kind that came in."""

from __future__ import annotations

import datetime
import decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sameas

PEOPLE: dict[str, list[Any]] = {
    "id": ["a", "b", "c", "d"],
    "name": ["Ann Smith", "Anne Smith", None, "Bob Jones"],
    "phone": ["555-1", "555-1", "555-1", "555-2"],
    "spent": [10, 5, None, 7],
    "born": [datetime.date(1980, 5, 31), None, datetime.date(1980, 5, 13), None],
}
RULES = sameas.Rules(
    "l.phone = r.phone",
    entity={"name": "longest", "spent": "sum", "born": {"take": "newest", "by": "born"}, "*": "none"},
)


@pytest.fixture
def run() -> sameas.Run:
    return sameas.dedupe(PEOPLE, RULES)


def test_entities_have_a_row_for_each_cluster(run: sameas.Run) -> None:
    assert run.entities.column_names == ["entity_id", "entity_size", "name", "spent", "born"]
    assert len(run.entities) == 2
    assert run.entities.to_dicts() == [
        {"entity_id": "a", "entity_size": 3, "name": "Anne Smith", "spent": 15, "born": datetime.date(1980, 5, 31)},
        {"entity_id": "d", "entity_size": 1, "name": "Bob Jones", "spent": 7, "born": None},
    ]
    assert pl.DataFrame(run.entities).equals(run.entities.to_polars())
    assert "Anne Smith" in repr(run.entities) and "Anne Smith" in run.entities._repr_html_()


def test_values_have_an_origin(run: sameas.Run) -> None:
    first = run.entities_with(provenance=True).to_dicts()[0]
    assert (first["name_record"], first["name_disagreed"]) == ("b", 1)
    assert (first["spent_record"], first["spent_disagreed"]) == (None, 0)
    assert (first["born_record"], first["born_disagreed"]) == ("a", 1)


def test_entities_without_a_word_in_the_rules() -> None:
    run = sameas.dedupe(PEOPLE, "l.phone = r.phone")
    assert run.entities.column_names == ["entity_id", "entity_size", "name", "phone", "spent", "born"]
    assert run.entities.to_dict()["name"] == ["Ann Smith", "Bob Jones"]
    assert run.cluster("b").entity == {}


def test_records_come_back_as_they_came() -> None:
    frame = pd.DataFrame(PEOPLE, index=["w", "x", "y", "z"]).astype({"spent": "Int64", "phone": "category"})
    records = sameas.dedupe(frame, RULES).records
    assert isinstance(records, pd.DataFrame) and list(records.columns) == ["entity_id", *PEOPLE]
    best = sameas.dedupe(frame, RULES).records_with(keep="best")
    assert list(best.index) == ["w", "z"] and list(best.columns) == ["entity_id", *PEOPLE]
    assert list(records.index) == ["w", "x", "y", "z"] and records["entity_id"].to_list() == ["a", "a", "a", "d"]
    assert records["spent"].dtype == "Int64" and records["phone"].dtype == "category"

    given = pl.DataFrame(PEOPLE, schema_overrides={"phone": pl.Categorical, "spent": pl.Int16})
    records = sameas.dedupe(given, RULES).records
    assert isinstance(records, pl.DataFrame) and records.drop("entity_id").equals(given)
    assert records.drop("entity_id").schema == given.schema

    table = pa.table(PEOPLE).append_column("paid", pa.array([decimal.Decimal("1.50")] * 4, pa.decimal128(12, 2)))
    table = table.set_column(2, "phone", table.column("phone").dictionary_encode())
    records = sameas.dedupe(table, RULES).records
    assert isinstance(records, pa.Table) and records.drop_columns("entity_id").equals(table)

    connection = duckdb.connect()
    connection.register("people", pa.table(PEOPLE))
    records = sameas.dedupe(connection.sql("from people"), RULES).records
    assert isinstance(records, duckdb.DuckDBPyRelation)
    assert [row[0] for row in records.fetchall()] == ["a", "a", "a", "d"]


def test_records_of_other_tables_are_tables(run: sameas.Run, tmp_path: Path) -> None:
    assert isinstance(run.records, sameas.Table) and run.records.to_dict()["id"] == PEOPLE["id"]
    pl.DataFrame(PEOPLE).write_parquet(tmp_path / "people.parquet")
    of_file = sameas.dedupe(tmp_path / "people.parquet", RULES)
    assert of_file.records.to_dicts() == run.records.to_dicts()
    again = sameas.run(of_file.spec)
    assert again.records.to_dicts() == run.records.to_dicts()
    frame = pl.DataFrame(PEOPLE)
    assert isinstance(sameas.run(sameas.dedupe(frame, RULES).spec, frame).records, pl.DataFrame)
    assert isinstance(sameas.Dataset(frame).run(RULES).records, pl.DataFrame)


def test_several_tables_become_one() -> None:
    left, right = pl.DataFrame({"id": [1, 2], "a": ["x", "y"]}), pl.DataFrame({"id": [1], "a": ["x"], "b": [0.5]})
    records = sameas.link(left, right, "l.a = r.a", names=["crm", "web"]).records
    assert isinstance(records, pl.DataFrame)
    assert records.rows() == [("crm:1", "crm", 1, "x", None), ("crm:2", "crm", 2, "y", None), ("crm:1", "web", 1, "x", 0.5)]
    mixed = sameas.link(left, right.to_pandas(), "l.a = r.a").records
    assert isinstance(mixed, sameas.Table) and len(mixed) == 3


def test_the_best_records_are_those_with_most_values(run: sameas.Run) -> None:
    best = run.records_with(keep="best")
    assert best.to_dict()["id"] == ["a", "d"] and len(best) == 2
    with pytest.raises(sameas.UsageError, match='keep="all" or keep="best"'):
        run.records_with(keep="most")  # type: ignore[arg-type]


def test_pairs_have_columns_of_both_records(run: sameas.Run) -> None:
    pairs = run.pairs_with(["name", "spent"])
    assert pairs.column_names == ["unique_id_l", "unique_id_r", "match_key", "name_l", "name_r", "spent_l", "spent_r"]
    assert len(pairs) == len(run.pairs) == 3 and pairs.to_dicts()[0]["spent_r"] == 5
    everything = run.pairs_with("all").column_names
    assert everything[3:] == [f"{name}_{side}" for name in list(PEOPLE)[1:] for side in "lr"]
    with pytest.raises(sameas.UsageError, match="nmae"):
        len(run.pairs_with(["nmae"]).to_dicts())
    with pytest.raises(sameas.UsageError, match="is one text"):
        run.pairs_with("name")  # type: ignore[arg-type]


def test_tables_are_written(run: sameas.Run, tmp_path: Path) -> None:
    run.entities.write(tmp_path / "golden.parquet")
    assert pq.read_table(tmp_path / "golden.parquet").to_pylist() == run.entities.to_dicts()
    run.records.write(tmp_path / "records.csv")
    assert (tmp_path / "records.csv").read_text().startswith("entity_id,id,name,phone,spent,born\na,a,Ann Smith,")
    run.write(tmp_path / "out")
    assert (tmp_path / "out" / "entities.parquet").exists()
    assert run.record["entities"]["entities"] == 2
    counted = {column["column"]: (column["filled"], column["disagreeing"]) for column in run.record["entities"]["columns"]}
    assert counted == {"name": (2, 1), "spent": (2, 0), "born": (1, 1)}
    run.report(tmp_path / "report.html")


def test_a_stream_that_is_not_read_to_its_end_ends(tmp_path: Path) -> None:
    # More rows than are made before a reader takes some.
    many = {"id": list(range(1_000_000)), "a": [number // 2 for number in range(1_000_000)]}
    run = sameas.dedupe(many, "l.a = r.a")
    batches = iter(run.records)
    assert len(next(batches)) > 0
    with pytest.raises(sameas.UsageError, match="a table of the run is being read"):
        run.write(tmp_path / "out")
    del batches
    run.write(tmp_path / "out")
    assert len(run.entities.to_polars()) == 500_000


def test_mistakes_are_found_before_the_run() -> None:
    with pytest.raises(sameas.RulesError, match="`sum` needs numbers"):
        sameas.dedupe(PEOPLE, sameas.Rules("l.phone = r.phone", entity={"name": "sum"}))
    with pytest.raises(sameas.RulesError, match="did you mean `name`"):
        sameas.dedupe(PEOPLE, sameas.Rules("l.phone = r.phone", entity={"nmae": "first"}))


def test_a_cluster_says_what_it_becomes(run: sameas.Run) -> None:
    cluster = run.cluster("c")
    assert cluster.entity == {"name": "Anne Smith", "spent": "15", "born": "1980-05-31"}
    assert "entity" in cluster.text and cluster.record["entity"][0]["record"] == "b"
