"""Results are tables that every library takes."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sameas


@pytest.fixture(scope="module")
def run(people: dict[str, list[Any]], rules: sameas.Rules) -> sameas.Run:
    return sameas.dedupe(people, rules)


def test_pairs_in_every_library(run: sameas.Run) -> None:
    rows = run.pairs.to_dicts()
    assert len(rows) == len(run.pairs) == run.record["pairs"] > 20
    assert list(rows[0]) == run.pairs.column_names == ["unique_id_l", "unique_id_r", "match_key"]
    assert pl.DataFrame(run.pairs).to_dicts() == rows
    assert pa.table(run.pairs).to_pylist() == rows
    assert run.pairs.to_polars().to_dicts() == run.pairs.to_arrow().to_pylist() == rows
    assert run.pairs.to_pandas().to_dict("records") == rows
    assert pd.DataFrame.from_arrow(run.pairs).to_dict("records") == rows
    pairs = run.pairs
    assert duckdb.sql("select count(*) from pairs").fetchall() == [(len(rows),)]
    assert pairs.to_dict()["match_key"] == [row["match_key"] for row in rows]
    assert len(run.clusters) == 400 == len(run.clusters.to_dicts())


def test_every_stream_has_all_rows(run: sameas.Run) -> None:
    pairs = run.pairs
    assert pa.table(pairs) == pa.table(pairs)
    assert sum(len(batch) for batch in pairs) == len(pairs)
    batch = next(iter(pairs))
    assert pa.record_batch(batch).num_rows == len(batch) == len(batch.to_polars()) == len(batch.to_pandas())


def test_a_stream_outlives_its_run(people: dict[str, list[Any]], rules: sameas.Rules) -> None:
    reader = pa.RecordBatchReader.from_stream(sameas.dedupe(people, rules).pairs)
    assert reader.read_all().num_rows > 20


def test_many_batches_come_in_order() -> None:
    records = 700
    run = sameas.dedupe({"id": list(range(records)), "a": ["x"] * records}, "l.a = r.a")
    pairs = pa.table(run.pairs)
    assert pairs.num_rows == records * (records - 1) // 2 and len(list(run.pairs)) == 4
    assert pairs["unique_id_l"].to_pylist() == sorted(pairs["unique_id_l"].to_pylist())
    assert pl.DataFrame(run.pairs).n_unique() == pairs.num_rows


def test_text_is_that_of_the_program(run: sameas.Run) -> None:
    text = str(run)
    assert text.startswith("Input        records: 400 records\n\nRule ") and "same phone" in text
    assert "Results" not in text and "Time " in text
    why = run.why("r0", "r1")
    assert str(why).startswith("r0 and r1 are not a pair") and not why and why.match_key is None
    pair = run.pairs.to_dicts(1)[0]
    found = run.why(pair["unique_id_l"], pair["unique_id_r"])
    assert found and found.match_key == pair["match_key"] and "Records, with * where they differ" in found.full
    assert "Records" not in found.text


def test_a_run_keeps_its_records(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("id,name,note\n1,ann,a\n2,ann,b\n3,bo,c\n")
    run = sameas.dedupe(path, "l.name = r.name")
    assert "note" in run.why(1, 2).full
    path.unlink()
    assert run.why(1, 2).match_key == "rule_1" and not run.why(1, 3)
    assert "note" in run.why(2, 3).full
    cluster = run.cluster(2)
    assert cluster.ids == ["1", "2"] and "note" in cluster.text and cluster.record["size"] == 2
    assert run.cluster("1", records=1).ids == ["1"] and str(cluster).startswith("Cluster 1: 2 records")
    run.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").exists()


def test_what_connects_two_records() -> None:
    people = {"id": [0, 1, 2, 3, 4], "name": ["ann", "ann", "bo", "bo", "cy"], "city": ["x", "y", "y", "z", "u"]}
    rules = sameas.Rules({"same name": "l.name = r.name", "same city": "l.city = r.city"})
    run = sameas.dedupe(people, rules)
    why = run.why(0, 3)
    connection = why.record["connection"]
    assert [pair["ids"] for pair in connection["chain"]] == [["0", "1"], ["1", "2"], ["2", "3"]]
    assert [pair["match_key"] for pair in connection["chain"]] == ["same name", "same city", "same name"]
    assert (connection["clusters"], connection["weakest"], connection["parts"]) == (["0", "0"], 1, [2, 2])
    assert "by a chain of 3 pairs; < marks the weakest" in why.text and " < 1 and 2  same city" in why.text
    assert "would fall apart: 2 records with 0, 2 records with 3" in " ".join(why.text.split())
    assert "a chain of 3 pairs" in why._repr_html_()
    assert "connection" not in run.why(0, 1).record
    apart = run.why(0, 4).record["connection"]
    assert apart == {"clusters": ["0", "4"]}
    with pytest.raises(sameas.UsageError, match="no pair was cut"):
        _ = run.cut
    small = sameas.dedupe(people, sameas.Rules.parse(f"{rules.text}\n[clusters]\nmax_size = 2\n"))
    cut = small.cut.to_dicts()
    assert [(pair["unique_id_l"], pair["unique_id_r"], pair["cause"]) for pair in cut] == [(1, 2, "max_size")]
    closest = small.why(0, 3).record["connection"]["closest"]
    assert (closest["ids"], closest["match_key"], closest["cut"]) == (["1", "2"], "same city", {"cause": "max_size"})
    itself = small.why(1, 2)
    assert itself.is_pair and "this pair was cut by max_size" in " ".join(itself.text.split())
    assert small.cluster(0).record["cut"][0]["cause"] == "max_size"


def test_what_connects_two_records_of_one_input_of_a_link() -> None:
    crm, shop = {"id": [1, 2], "mail": ["a", "b"]}, {"id": [1, 2, 3], "mail": ["a", "a", "c"]}
    run = sameas.link(crm, shop, "l.mail = r.mail", names=["crm", "shop"])
    why = run.why("shop:2", "shop:1")
    assert not why and (why.record["one_input"], why.record["rules"]) == ("shop", [])
    assert "both are records of shop" in why.text and "Records, with * where they differ" in why.full
    connection = why.record["connection"]
    assert [pair["ids"] for pair in connection["chain"]] == [["shop:1", "crm:1"], ["crm:1", "shop:2"]]
    assert (connection["clusters"], connection["weakest"], connection["parts"]) == (["crm:1", "crm:1"], 1, [2, 1])
    assert "by a chain of 2 pairs" in why._repr_html_()
    assert run.why("shop:1", "shop:3").record["connection"] == {"clusters": ["crm:1", "shop:3"]}
    assert "one_input" not in run.why("crm:1", "shop:3").record
    assert sameas.Dataset(crm, link=shop, names=["crm", "shop"]).why("crm:1", "crm:2", "l.mail = r.mail").record["one_input"] == "crm"


def test_plans(people: dict[str, list[Any]], rules: sameas.Rules) -> None:
    plan = sameas.explain(people, rules)
    assert str(plan).startswith("Pairs within one table. records: 400 records") and plan.record["plan"]
    counted = sameas.explain(people, rules, analyze=True)
    assert counted.record["plan"][0]["candidates"] > 0
    linked = sameas.explain(people, rules, link=people, names=["a", "b"])
    assert "Pairs across two tables" in str(linked)


def test_results_are_written(run: sameas.Run, tmp_path: Path) -> None:
    run.write(tmp_path / "out")
    assert pq.read_table(tmp_path / "out" / "pairs.parquet").num_rows == len(run.pairs)
    assert (tmp_path / "out" / "run.json").exists() and (tmp_path / "out" / "clusters.parquet").exists()
    with pytest.raises(sameas.Error, match="overwrite=True"):
        run.write(tmp_path / "out")
    run.write(tmp_path / "out", overwrite=True, format="csv")
    run.pairs.write(tmp_path / "pairs.jsonl")
    with pytest.raises(sameas.UsageError, match=".csv, .parquet or .jsonl"):
        run.pairs.write(tmp_path / "pairs.xlsx")


def test_near_pairs(people: dict[str, list[Any]], rules: sameas.Rules) -> None:
    run = sameas.dedupe(people, rules, near=0.1)
    assert "loosened" in run.near.column_names and len(run.near) == run.record["near"]["pairs"] > 0


def test_profiles_and_first_rules(people: dict[str, list[Any]]) -> None:
    profile = sameas.profile(people)
    assert str(profile).startswith("records: 400 records, 6 columns")
    assert sameas.Rules.parse(profile.rules_text).names


def test_closures() -> None:
    edges = {"from": [1, 2, 3, 10], "to": [2, 3, 4, 11]}
    closure = sameas.closure(edges)
    assert len(closure) == 7 and closure.column_names == ["from", "to"]
    assert pl.DataFrame(closure).rows() == [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (10, 11)]
    assert len(sameas.closure(edges, directed=False)) == 20
    assert "Components" in str(closure.plan)


def test_closures_of_any_size(tmp_path: Path) -> None:
    closure = sameas.closure({"a": list(range(600)), "b": list(range(1, 601))})
    assert len(closure) == 600 * 601 // 2
    table = pa.table(closure)
    assert table.num_rows == len(closure)
    closure.write(tmp_path / "closure.parquet")
    assert pq.read_table(tmp_path / "closure.parquet").to_pydict() == table.to_pydict()
    # A stream that nobody reads to its end holds nothing back.
    next(iter(closure))
    assert len(closure.to_polars()) == len(closure)


PATHS = """
.decl edge(x: number, y: number)
.decl path(x: number, y: number)
.input edge
.output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""


def test_relations(tmp_path: Path) -> None:
    found = sameas.relate(PATHS, {"edge": pl.DataFrame({"x": [1, 2], "y": [2, 3]})})
    assert list(found) == ["path"] and found["path"].to_dicts() == [{"x": 1, "y": 2}, {"x": 1, "y": 3}, {"x": 2, "y": 3}]
    assert "path 3 tuples" in repr(found) and "Stratum 1" in str(found.explanation)
    found.write(tmp_path / "out")
    assert (tmp_path / "out" / "path.csv").read_text().startswith("x,y\n1,2\n")
    assert "Stratum" in str(sameas.explain_relate(PATHS, {"edge": {"x": [1], "y": [2]}}))
    with pytest.raises(sameas.RulesError, match="pth"):
        sameas.relate(PATHS.replace(".output path", ".output pth"), {})


def test_relations_from_files(tmp_path: Path) -> None:
    (tmp_path / "paths.dl").write_text(PATHS)
    for name, text in [("edge.facts", "1\t2\n2\t3\n"), ("edge.tsv", "1\t2\n2\t3\n"), ("edge.txt", "1 2\n2 3\n")]:
        (tmp_path / name).write_text(text)
        assert len(sameas.relate(tmp_path / "paths.dl", {"edge": tmp_path / name})["path"]) == 3, name
    (tmp_path / "edge.csv").write_text("1,2\n2,3\n")
    with pytest.raises(sameas.DataError, match="begins with the numbers 1 and 2"):
        sameas.relate(PATHS, {"edge": tmp_path / "edge.csv"})
    with pytest.raises(sameas.Error, match="cannot read the program"):
        sameas.relate(tmp_path / "none.dl", {})
    with pytest.raises(sameas.Error, match="the program is longer than 32 MiB"):
        sameas.relate("/dev/zero", {}, memory="100MB")


def test_evaluations(run: sameas.Run, people: dict[str, list[Any]], tmp_path: Path) -> None:
    truth = run.pairs.to_polars().select("unique_id_l", "unique_id_r")
    perfect = sameas.evaluate(run, truth)
    assert perfect.f1 == perfect.precision == perfect.recall == 1.0
    half = sameas.evaluate(run, truth[: len(truth) // 2], wrong=tmp_path / "wrong.csv")
    assert half.recall == 1.0 and half.precision is not None and half.precision < 0.6
    assert len((tmp_path / "wrong.csv").read_text().splitlines()) > 5 and "Precision" in str(half)
    clusters = sameas.evaluate(run, run.clusters, kind="clusters")
    assert clusters.f1 == 1.0 and perfect.clusters is None
    assert clusters.clusters is not None and clusters.clusters["bcubed_f1"] == clusters.clusters["exact"]["f1"] == 1.0
    assert "B-cubed F1" in str(clusters) and "bcubed f1" in clusters._repr_html_()
    with pytest.raises(sameas.Error, match='kind="clusters"'):
        sameas.evaluate(run.clusters, truth)


def test_labels_give_estimates(run: sameas.Run) -> None:
    pairs = run.pairs.to_polars().select("unique_id_l", "unique_id_r").rows()
    labels = {
        "unique_id_l": [left for left, _ in pairs[:20]],
        "unique_id_r": [right for _, right in pairs[:20]],
        "judgement": ["same"] * 15 + ["different"] * 4 + ["unsure"],
        "inclusion_probability": [0.5] * 20,
    }
    estimates = sameas.estimate(run, labels)
    assert estimates.precision is not None and estimates.recall is not None
    share, low, high = estimates.precision
    assert share == 15 / 19 and 0.5 < low < share < high < 1.0 and estimates.recall[0] == 1.0
    assert estimates.record["labels"]["unsure"] == 1 and estimates.record["frame"]["pairs"] == 40.0
    assert "Labelled pairs" in str(estimates) and "estimate" in estimates._repr_html_()
    assert sameas.estimate(run, labels, kind="clusters").precision == estimates.precision
    with pytest.raises(sameas.DataError, match="`same`, `different` and `unsure` are allowed"):
        sameas.estimate(run, {**labels, "judgement": ["yes"] * 20})


def test_two_results_are_compared(run: sameas.Run, people: dict[str, list[Any]]) -> None:
    same = sameas.compare_clusters(run, run.clusters)
    kinds = {change["kind"]: change["changes"] for change in same.record["changes"]}
    assert kinds["split"] == kinds["merged"] == kinds["exchanged"] == 0 and kinds["same"] == same.record["clusters"]
    alone = {"unique_id": people["id"], "cluster_id": people["id"]}
    split = sameas.compare_clusters(alone, run)
    assert split.record["changes"][1]["changes"] > 5 and split.record["changes"][1]["examples"]
    assert "sameas show" in str(split) and "split" in split._repr_html_()


def test_devices() -> None:
    devices = sameas.devices()
    assert set(devices.record) == {"devices", "reason", "driver"} and str(devices)


def test_a_report_is_one_file_without_masked_values(tmp_path: Path) -> None:
    people = {"id": ["a", "b", "c"], "name": ["Ann Smith", "Anne Smith", "Bob Jones"], "city": ["Rome", "Rome", "Oslo"]}
    run = sameas.dedupe(people, sameas.Rules({"similar": "jaro_winkler(l.name, r.name) >= 0.9"}))
    path = tmp_path / "report.html"
    run.report(path, mask=["name"])
    html = path.read_text()
    facts, tables = (
        gzip.decompress(base64.b64decode(html.split(f'id="{name}">')[1].split("<")[0])) for name in ("facts", "tables")
    )
    assert json.loads(facts)["overview"]["pairs"] == 1
    assert b"Rome" in tables and b"Smith" not in facts + tables
    with pytest.raises(sameas.Error):
        run.report(path)
    run.report(path, overwrite=True)


def test_decisions_go_before_rules() -> None:
    people: dict[str, list[Any]] = {"id": [1, 2, 3], "phone": ["5", "5", "6"]}
    judged: dict[str, list[Any]] = {
        "unique_id_l": [1, 3], "unique_id_r": [2, 2], "judgement": ["different", "same"], "who": ["Ann", None],
    }  # fmt: skip
    run = sameas.dedupe(people, "l.phone = r.phone", decided=judged)
    assert run.pairs.to_dicts() == [{"unique_id_l": 2, "unique_id_r": 3, "match_key": "decided"}]
    assert run.clusters.to_dict()["cluster_id"] == [1, 2, 2]
    assert (run.record["decided"]["added"], run.record["decided"]["removed"]) == (1, 1)
    assert run.why(2, 3).match_key == "decided" and "Ann has decided" in str(run.why(1, 2))
    assert sameas.run(run.spec, people, judged).pairs.to_dicts() == run.pairs.to_dicts()
    records = sameas.Dataset(people)
    assert records.run("l.phone = r.phone", decided=judged).pairs.to_dicts() == run.pairs.to_dicts()
    assert not records.why(1, 2, "l.phone = r.phone", decided=judged)
    left, right = {"id": [1, 2]}, {"id": [1, 7]}
    linked = sameas.link(left, right, "l.id = r.id", decided={**judged, "unique_id_l": [1, 2], "unique_id_r": [1, 7]})
    assert linked.pairs.to_dicts() == [{"unique_id_l": 2, "unique_id_r": 7, "match_key": "decided"}]
