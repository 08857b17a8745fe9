"""Models, scores, and matchers of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
import sameas

Columns = dict[str, list[Any]]

SCORED = sameas.Rules(
    compare={
        "name": ["l.name = r.name", "jaro_winkler(l.name, r.name) >= 0.9", "jaro_winkler(l.name, r.name) >= 0.7"],
        "phone": {"levels": ["l.phone = r.phone"]},
        "born": ["l.born = r.born"],
    },
    train={"rules": ["l.phone = r.phone", "l.born = r.born and l.city = r.city"], "deterministic": ["l.phone = r.phone"], "recall": 0.7},
    score={"threshold": 0.9, "levels": True},
)


def test_a_model_is_learned_and_used(people: Columns, tmp_path: Path) -> None:
    model = sameas.train(people, SCORED)
    assert str(model).startswith("Two random records match with probability") and model.record["comparison"]
    model.write(tmp_path / "model.toml")
    run = sameas.dedupe(people, SCORED, model=model)
    pairs = run.pairs.to_dicts()
    assert pairs and all(row["match_probability"] >= 0.9 for row in pairs) and "level_name" in pairs[0]
    again = sameas.dedupe(people, SCORED, model=tmp_path / "model.toml")
    assert pa.table(again.pairs) == pa.table(run.pairs)
    why = run.why(pairs[0]["unique_id_l"], pairs[0]["unique_id_r"])
    assert "match_weight" in str(why) and "match_weight" in why._repr_html_()
    assert sameas.Model.read(tmp_path / "model.toml").toml == model.toml
    assert "comparison" in model._repr_html_()


def test_scores_need_a_model(people: Columns) -> None:
    with pytest.raises(sameas.Error, match="sameas.train") as caught:
        sameas.dedupe(people, SCORED)
    assert caught.value.code == "no_model"


BY_FREQUENCY = sameas.Rules(
    compare={"name": {"levels": ["l.name = r.name"], "term_frequency": "name"}, "phone": ["l.phone = r.phone"]},
    train={"rules": ["l.phone = r.phone"]},
    score={"prior": 0.01, "threshold": 0.5},
)


def test_term_frequencies_are_counted_and_given(people: Columns, tmp_path: Path) -> None:
    model = sameas.train(people, BY_FREQUENCY)
    run = sameas.dedupe(people, BY_FREQUENCY, model=model, all_pairs=True)
    assert run.record["term_frequencies"][0]["column"] == "name" and "given" not in run.record["term_frequencies"][0]
    frequencies = sameas.term_frequencies(people, BY_FREQUENCY)
    assert list(frequencies) == ["name"] and frequencies["name"].column_names == ["value", "count", "frequency"]
    assert abs(sum(row["frequency"] for row in frequencies["name"].to_dicts()) - 1) < 1e-9
    frequencies["name"].write(tmp_path / "names.parquet")
    tables: tuple[sameas.TableLike, ...] = (frequencies["name"], tmp_path / "names.parquet", frequencies["name"].to_dict())
    for given in tables:
        again = sameas.dedupe(people, BY_FREQUENCY, model=model, all_pairs=True, term_frequencies={"name": given})
        assert pa.table(again.pairs) == pa.table(run.pairs)
        assert again.record["term_frequencies"][0]["lacking"] == 0
    explained = sameas.explain(people, BY_FREQUENCY, model=model, all_pairs=True, term_frequencies=frequencies)
    assert "given by" in str(explained)
    names: dict[str, list[Any]] = {"name": ["nobody"], "tf_name": [0.5]}
    lacking = sameas.dedupe(people, BY_FREQUENCY, model=model, all_pairs=True, term_frequencies={"name": names})
    assert lacking.record["term_frequencies"][0]["lacking"] == len(frequencies["name"])
    with pytest.raises(sameas.Error, match="the frequency of `nobody` is 2"):
        sameas.dedupe(people, BY_FREQUENCY, model=model, term_frequencies={"name": {"value": ["nobody"], "frequency": [2]}})
    with pytest.raises(sameas.Error, match="term_frequencies= takes tables by the names of columns"):
        sameas.dedupe(people, BY_FREQUENCY, model=model, term_frequencies=["names.csv"])  # type: ignore[arg-type]


def test_weights_need_none(people: Columns) -> None:
    rules = sameas.Rules(
        compare={"name": {"similarity": "jaro_winkler(l.name, r.name)", "weight": 2}, "born": {"similarity": "case when l.born = r.born then 1 else 0 end", "weight": 1}},
        score={"threshold": 0.98},
    )
    run = sameas.dedupe(people, rules, all_pairs=True)
    assert all(row["score"] >= 0.98 for row in run.pairs.to_dicts()) and len(run.pairs) > 5


def test_candidates_go_out_and_scores_come_back(people: Columns, rules: sameas.Rules) -> None:
    scored, seen = [], 0
    for batch in sameas.candidates(people, "l.city = r.city", columns=["name", "born"]):
        frame = batch.to_polars()
        assert frame.columns == ["unique_id_l", "unique_id_r", "match_key", "name_l", "name_r", "born_l", "born_r"]
        seen += len(frame)
        score = sameas.jaro_winkler(frame["name_l"], frame["name_r"])
        scored.append(frame.select("unique_id_l", "unique_id_r").with_columns(score.alias("score")))
    table = pl.concat(scored)
    assert len(table) == seen == len(sameas.dedupe(people, "l.city = r.city").pairs)
    run = sameas.dedupe(people, sameas.Rules(score={"threshold": 0.95}), scores=table)
    wanted = table.filter(pl.col("score") >= 0.95)
    assert run.pairs.to_polars().select("unique_id_l", "unique_id_r", "score").sort("unique_id_l", "unique_id_r").equals(
        wanted.sort("unique_id_l", "unique_id_r")
    )
    assert run.clusters.to_polars()["cluster_id"].n_unique() < 400
    forbidden = sameas.dedupe(people, sameas.Rules(never=["l.born <> r.born"], score={"threshold": 0.95}), scores=table)
    assert len(forbidden.pairs) < len(run.pairs)
    why = run.why(*wanted.row(0)[:2])
    assert "by their score" in str(why)


def test_candidates_of_expressions_and_links(people: Columns) -> None:
    columns = {"alike": "jaro(l.name, r.name)", "same": "l.born = r.born"}
    batches = list(sameas.candidates(people, "l.phone = r.phone", link=people, names=["a", "b"], columns=columns))
    rows = [row for batch in batches for row in batch.to_dicts()]
    assert rows and all(isinstance(row["alike"], float) and isinstance(row["same"], bool) for row in rows)
    with pytest.raises(sameas.RulesError, match="columns="):
        sameas.candidates(people, "l.phone = r.phone", columns=["nme"])
    with pytest.raises(sameas.UsageError, match="give a list"):
        sameas.candidates(people, "l.phone = r.phone", columns="name")


def test_scores_are_in_the_column_that_is_named(people: Columns) -> None:
    pairs: Columns = {"unique_id_l": ["r0", "r0"], "unique_id_r": ["r1", "r2"], "score": [0.9, 0.8], "match_weight": [7.5, 8.5]}
    run = sameas.dedupe(people, sameas.Rules(score={"threshold": 8, "column": "match_weight"}), scores=pairs)
    assert [(row["unique_id_r"], row["score"]) for row in run.pairs.to_dicts()] == [("r2", 8.5)]
    with pytest.raises(sameas.DataError) as caught:
        sameas.dedupe(people, sameas.Rules(score={"threshold": 8, "column": "nonsense"}), scores=pairs)
    assert str(caught.value) == (
        "the pairs with scores, `scores`, have no column `nonsense`\n"
        "  help: its columns are: unique_id_l, unique_id_r, score, match_weight"
    )


def test_wrong_scores(people: Columns) -> None:
    rules = sameas.Rules(score={"threshold": 0.5})
    with pytest.raises(sameas.DataError, match="no column `unique_id_l`"):
        sameas.dedupe(people, rules, scores={"l": ["r0"], "r": ["r1"], "score": [1.0]})
    with pytest.raises(sameas.DataError, match="there is no record with id `x`"):
        sameas.dedupe(people, rules, scores={"unique_id_l": ["r0"], "unique_id_r": ["x"], "score": [1.0]})
