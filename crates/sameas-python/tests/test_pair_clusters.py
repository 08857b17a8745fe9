"""Clusters of pairs of any origin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
import sameas

PAIRS = {"id_l": [10, 2, 9], "id_r": [9, 9, 30], "score": [0.9, 0.8, 0.95]}


def clusters(found: sameas.PairClusters) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in found.clusters.to_dicts()]


@pytest.mark.parametrize("pairs", [PAIRS, pl.DataFrame(PAIRS), pd.DataFrame(PAIRS)], ids=["columns", "polars", "pandas"])
def test_pairs_of_any_kind(pairs: Any) -> None:
    found = sameas.cluster_pairs(pairs, max_size=2)
    assert clusters(found) == [(2, 2), (9, 9), (10, 10), (30, 9)]
    cut = found.cut.to_dicts()
    assert [(row["unique_id_l"], row["unique_id_r"], row["cause"]) for row in cut] == [(2, 9, "max_size"), (9, 10, "max_size")]
    assert found.record["cut"]["max_size"] == 2 and found.record["clustered_pairs"] == 3
    assert "Cut" in str(found)


def test_ways_to_make_clusters(tmp_path: Path) -> None:
    assert clusters(sameas.cluster_pairs(PAIRS)) == [(2, 2), (9, 2), (10, 2), (30, 2)]
    assert clusters(sameas.cluster_pairs(PAIRS, threshold=0.85)) == [(2, 2), (9, 9), (10, 9), (30, 9)]
    several = sameas.cluster_pairs(PAIRS, threshold=[0.5, 0.92])
    assert several.clusters.column_names == ["unique_id", "cluster_id", "cluster_id_0.92"]
    records = {"id": [2, 9, 10, 30, 7], "kind": ["x", "y", "y", "x", None]}
    rules = sameas.Rules.parse('[[limit]]\nmost = 1\nvalues_of = "kind"\n')
    limited = sameas.cluster_pairs(PAIRS, rules, records=records)
    assert clusters(limited) == [(2, 2), (7, 7), (9, 9), (10, 9), (30, 30)]
    limited.write(tmp_path / "out", format="csv")
    assert (tmp_path / "out" / "cut.csv").read_text().splitlines()[1].endswith(",limit,kind: y")


def test_decisions_and_forbidden_pairs() -> None:
    judged = {"unique_id_l": ["10"], "unique_id_r": ["30"], "judgement": ["different"]}
    decided = sameas.cluster_pairs(PAIRS, decided=judged)
    assert decided.cut.to_dicts()[0]["because"] == "10, 30"
    never = {"id_l": [2], "id_r": [10]}
    assert sameas.cluster_pairs(PAIRS, keep_apart=never).cut.to_dicts()[0]["cause"] == "never"


def test_sources_are_tables_by_name() -> None:
    pairs = {
        "source_dataset_l": ["a", "a"],
        "unique_id_l": [1, 1],
        "source_dataset_r": ["b", "b"],
        "unique_id_r": [1, 2],
        "score": [0.9, 0.8],
    }
    found = sameas.cluster_pairs(pairs, one_to="one", records={"a": {"id": [1, 2]}, "b": {"id": [1, 2]}})
    assert clusters(found) == [("a", 1, "a:1"), ("a", 2, "a:2"), ("b", 1, "a:1"), ("b", 2, "b:2")]


def test_mistakes() -> None:
    with pytest.raises(sameas.RulesError, match="averege"):
        sameas.cluster_pairs(PAIRS, method="averege")  # type: ignore[arg-type]
    with pytest.raises(sameas.UsageError, match="both say how clusters are made"):
        sameas.cluster_pairs(PAIRS, sameas.Rules.parse("[clusters]\nmax_size = 2\n"), max_size=3)
    with pytest.raises(sameas.UsageError, match="takes two names"):
        sameas.cluster_pairs(PAIRS, columns=("id_l",))  # type: ignore[arg-type]
    with pytest.raises(sameas.Error, match="no column `weight`"):
        sameas.cluster_pairs(PAIRS, score="weight")
