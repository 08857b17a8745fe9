"""Settings of Splink as rules and a model."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import sameas

Columns = dict[str, list[Any]]


def settings() -> dict[str, Any]:
    """What Splink saves, of two comparisons with their m and u."""
    name = [
        {"sql_condition": '"name_l" IS NULL OR "name_r" IS NULL', "is_null_level": True},
        {"sql_condition": '"name_l" = "name_r"', "m_probability": 0.7, "u_probability": 0.05},
        {"sql_condition": 'jaro_winkler_similarity("name_l", "name_r") >= 0.9', "m_probability": 0.2, "u_probability": 0.05},
        {"sql_condition": "ELSE", "m_probability": 0.1, "u_probability": 0.9},
    ]
    city = [
        {"sql_condition": '"city_l" IS NULL OR "city_r" IS NULL', "is_null_level": True},
        {"sql_condition": '"city_l" = "city_r"', "m_probability": 0.9, "u_probability": 0.2},
        {"sql_condition": "ELSE", "m_probability": 0.1, "u_probability": 0.8},
    ]
    return {
        "link_type": "dedupe_only",
        "unique_id_column_name": "id",
        "sql_dialect": "duckdb",
        "probability_two_random_records_match": 0.01,
        "blocking_rules_to_generate_predictions": [{"blocking_rule": "l.city = r.city", "sql_dialect": "duckdb"}],
        "comparisons": [
            {"output_column_name": "name", "comparison_levels": name},
            {"output_column_name": "city", "comparison_levels": city},
        ],
    }


def test_settings_give_the_probabilities_of_their_arithmetic(tmp_path: Path) -> None:
    people: Columns = {"id": ["a", "b", "c", "d"], "name": ["Ann", "Ann", "Anne", None], "city": ["Bonn", "Bonn", "Bonn", "Bonn"]}
    job = sameas.from_splink(settings())
    assert job.link_type == "dedupe_only" and job.model is not None
    run = sameas.dedupe(people, job.rules, model=job.model)
    found = {(row["unique_id_l"], row["unique_id_r"]): row["match_probability"] for row in run.pairs.to_dicts()}

    def probability(*factors: float) -> float:
        odds = 0.01 / 0.99 * math.prod(factors)
        return odds / (1 + odds)

    city = 0.9 / 0.2
    expected = {("a", "b"): probability(city, 0.7 / 0.05), ("a", "c"): probability(city, 4), ("a", "d"): probability(city)}
    assert {pair: found[pair] for pair in expected} == pytest.approx(expected, abs=1e-9)
    (tmp_path / "model.json").write_text(json.dumps(settings()))
    for same in (json.dumps(settings()), tmp_path / "model.json", str(tmp_path / "model.json")):
        assert sameas.from_splink(same).rules.text == job.rules.text


def test_differences_are_noted() -> None:
    note = sameas.from_splink(settings()).notes[0]
    assert (note.kind, str(note)) == (
        "differs",
        "comparison `name`: measures count characters in sameas and bytes in DuckDB, where a letter such as é has two; "
        "expect other levels for some values with such letters",
    )


def test_what_cannot_be_taken_over_is_said() -> None:
    odd = settings()
    odd["comparisons"][0]["comparison_levels"][2]["sql_condition"] = 'my_own_udf("name_l", "name_r") > 3'
    with pytest.raises(sameas.Error, match="my_own_udf") as caught:
        sameas.from_splink(odd)
    assert "cannot be taken over" in str(caught.value)
    job = sameas.from_splink(odd, skip=True)
    assert [note.kind for note in job.notes] == ["not_taken"] and "name" not in [line for line in job.rules.names]
    assert "my_own_udf" in str(job) and "<script>" not in job._repr_html_()


def test_settings_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(sameas.UsageError, match="cannot be read"):
        sameas.from_splink(tmp_path / "nothing.json")
    with pytest.raises(sameas.UsageError, match="not plain values"):
        sameas.from_splink({"comparisons": object()})
    with pytest.raises(sameas.Error):
        sameas.from_splink('{"comparisons": 3}')
