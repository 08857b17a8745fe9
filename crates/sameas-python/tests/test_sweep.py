"""Thresholds and ways to make clusters, compared."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import sameas

PAIRS = {"id_l": [1, 2, 3, 5], "id_r": [2, 3, 4, 6], "score": [0.95, 0.6, 0.9, 0.7]}
TRUTH = {"id": [1, 2, 3, 4, 5, 6], "cluster": ["a", "a", "b", "b", "c", "d"]}


@pytest.mark.parametrize("pairs", [PAIRS, pl.DataFrame(PAIRS)], ids=["columns", "polars"])
def test_rows_are_those_of_single_calls(pairs: Any) -> None:
    swept = sameas.sweep(pairs, thresholds=[0.9, 0.6], truth=TRUTH, methods=["components", "average"])
    assert [(row["method"], row["threshold"]) for row in swept.rows] == [
        ("components", 0.6), ("components", 0.9), ("average", 0.6), ("average", 0.9),
    ]  # fmt: skip
    for row in swept.rows:
        threshold = row["threshold"]
        how: dict[str, Any] = {"threshold": threshold}
        if row["method"] == "average":
            how = {"method": "average", "least": threshold}
        found = sameas.cluster_pairs(pairs, **how)
        single = sameas.evaluate(found.clusters, TRUTH, kind="clusters")
        assert (row["precision"], row["recall"], row["f1"]) == (single.precision, single.recall, single.f1)
        assert single.clusters is not None and row["bcubed_f1"] == single.clusters["bcubed_f1"]
        assert (row["clusters"], row["cut"]) == (found.record["clusters"], found.record["cut"]["pairs"])
    assert swept.best is not None and swept.best == swept.rows[1] and swept.best["f1"] == 1.0
    assert "best F1" in str(swept) and "<table" in swept._repr_html_()


def test_a_run_knows_its_sides(tmp_path: Path) -> None:
    left, right = {"id": [1, 2], "name": ["ann", "bob"]}, {"id": [1, 2], "name": ["bob", "ann"]}
    run = sameas.link(left, right, "l.name = r.name")
    run.write(tmp_path / "run")
    truth = {"a": [1, 2], "b": [2, 1]}
    either: tuple[Any, ...] = (run, tmp_path / "run")
    for pairs in either:
        swept = sameas.sweep(pairs, truth=truth)
        assert [row["method"] for row in swept.rows] == ["components", "one_to_one", "optimal", "louvain", "bridges"]
        assert swept.best is not None and swept.best["f1"] == 1.0 and swept.best["threshold"] is None
    labels = {"unique_id_l": ["1", "2"], "unique_id_r": ["2", "2"], "judgement": ["same", "different"]}
    by_labels = sameas.sweep(run, labels=labels, methods=["components"])
    assert by_labels.rows[0]["estimated_recall"] == 1.0 and by_labels.best is None


def sweep_of(page: Path) -> Any:
    """What a report says of thresholds and methods."""
    packed = page.read_text().split('id="facts">')[1].split("<")[0]
    return json.loads(gzip.decompress(base64.b64decode(packed)))["sweep"]


def test_a_report_takes_the_sweep_of_its_run(tmp_path: Path) -> None:
    people = {"id": [1, 2, 3, 4], "name": ["ann", "ann", "bob", "bob"]}
    run = sameas.dedupe(people, "l.name = r.name")
    swept = sameas.sweep(run, truth={"id": [1, 2, 3, 4], "cluster": [1, 1, 2, 3]}, methods=["louvain", "components"])
    run.report(tmp_path / "run.html", sweep=swept)
    shown = sweep_of(tmp_path / "run.html")
    assert [row["method"] for row in shown["rows"]] == ["louvain", "components"] and shown["best"] == 0
    assert [row["byTruth"]["f1"] for row in shown["rows"]] == [row["f1"] for row in swept.rows]
    run.write(tmp_path / "out")
    sameas.report(tmp_path / "out", people, sweep=swept)
    assert sweep_of(tmp_path / "out" / "report.html") == shown
    run.report(tmp_path / "without.html")
    assert sweep_of(tmp_path / "without.html") is None
    with pytest.raises(sameas.UsageError, match="the sweep is of 4 pairs, and the run has 2"):
        run.report(tmp_path / "other.html", sweep=sameas.sweep(PAIRS))
    with pytest.raises(sameas.UsageError, match="sweep= takes a sweep, and a value of type bool was given"):
        run.report(tmp_path / "other.html", sweep=True)  # type: ignore[arg-type]


def test_mistakes() -> None:
    with pytest.raises(sameas.UsageError, match="there is no method `best`"):
        sameas.sweep(PAIRS, methods=["best"])  # type: ignore[list-item]
    with pytest.raises(sameas.UsageError, match="cannot both be used"):
        sameas.sweep(PAIRS, truth=TRUTH, labels={"unique_id_l": ["1"], "unique_id_r": ["2"], "judgement": ["same"]})
    with pytest.raises(sameas.UsageError, match="both say how clusters are made"):
        sameas.sweep(PAIRS, sameas.Rules.parse("[clusters]\nmax_size = 2\n"), max_size=3)
