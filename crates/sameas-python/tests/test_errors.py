"""Mistakes are exceptions that say what, where and what next."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sameas


def raised(kind: type[sameas.Error], call: Any, *words: str) -> sameas.Error:
    with pytest.raises(kind) as caught:
        call()
    text = str(caught.value)
    for word in words:
        assert word in text, text
    return caught.value


def test_a_mistake_in_a_rule_is_underlined() -> None:
    people = {"id": [1, 2], "phone": ["1", "1"]}
    error = raised(
        sameas.RulesError,
        lambda: sameas.dedupe(people, sameas.Rules({"same phone": "l.phnoe = r.phone"})),
        "unknown column `l.phnoe`",
        '--> rule "same phone", rules:3',
        'when = "l.phnoe = r.phone"',
        "        ^^^^^^^",
        "did you mean `l.phone`?",
    )
    assert isinstance(error, ValueError) and isinstance(error, sameas.Error)


def test_mistakes_in_the_arguments_of_rules() -> None:
    raised(sameas.RulesError, lambda: sameas.Rules("l.a = r.a", score={"treshold": 0.9}), "treshold", "threshold")
    raised(sameas.RulesError, lambda: sameas.Rules("l.a = r.a", train={"recall": 2.0}), "recall")
    raised(sameas.UsageError, lambda: sameas.Rules([1]), "a condition is a text")  # type: ignore[list-item]
    raised(sameas.UsageError, lambda: sameas.Rules("l.a = r.a", score={"threshold": object()}), "object")
    raised(sameas.RulesError, lambda: sameas.dedupe({"id": [1]}, sameas.Rules()), "there is no rule")
    raised(sameas.RulesError, lambda: sameas.Rules("l.a = ").check())


def test_a_missing_rule_file() -> None:
    raised(sameas.ResourceError, lambda: sameas.Rules.read("no/such.toml"), "no/such.toml")


def test_missing_and_repeated_ids() -> None:
    rule = "l.a = r.a"
    raised(sameas.UsageError, lambda: sameas.dedupe({"key": [1], "a": [1]}, rule), "id", "id= names the column")
    raised(sameas.DataError, lambda: sameas.dedupe({"id": [1, None], "a": [1, 1]}, rule), "skip_null_ids=True")
    raised(sameas.DataError, lambda: sameas.dedupe({"id": [1, 1], "a": [1, 1]}, rule), 'id="row"')
    run = sameas.dedupe({"id": [1, None, 2], "a": [1, 1, 1]}, rule, skip_null_ids=True)
    assert len(run.pairs) == 1 and run.record["inputs"][0]["skipped_records"] == 1


def test_repeated_names_of_columns() -> None:
    rule = "l.a = r.a"
    frame = pd.DataFrame([[1, 2, 3]], columns=["id", "a", "a"])
    table = pa.table([pa.array([1]), pa.array([2]), pa.array([3])], names=["id", "a", "a"])
    for kind in (frame, table):
        raised(sameas.DataError, lambda kind=kind: sameas.dedupe(kind, rule), "two columns are called `a`")


def test_empty_frames() -> None:
    rule = "l.a = r.a"
    for kind in (pd.DataFrame(), pl.DataFrame(), pa.table({}), {}):
        raised(sameas.DataError, lambda kind=kind: sameas.dedupe(kind, rule), "`records` has no columns")
    for rows in (pd.DataFrame({"id": [], "a": []}), pl.DataFrame({"id": [], "a": []}), {"id": [], "a": []}):
        run = sameas.dedupe(rows, rule)
        assert len(run.pairs) == len(run.clusters) == 0
        assert run.pairs.to_polars().columns == ["unique_id_l", "unique_id_r", "match_key"]


def test_wrong_types() -> None:
    rule = "l.a = r.a"
    raised(sameas.UsageError, lambda: sameas.dedupe(7, rule), "`records` is not a table: a value of type int was given")
    raised(sameas.UsageError, lambda: sameas.dedupe([1, 2], rule), "neither paths nor rows")
    raised(sameas.UsageError, lambda: sameas.dedupe(pd.Series([1]), rule), "not a table")
    raised(sameas.DataError, lambda: sameas.dedupe(pl.Series([1]), rule), "not a table")
    raised(sameas.DataError, lambda: sameas.dedupe({"id": [1, 2], "a": ["x", 3]}, rule), "mixes text (row 1) and whole numbers (row 2)")
    raised(sameas.DataError, lambda: sameas.dedupe({"id": [1], "a": [object()]}, rule), "row 1 holds a value of type object")
    raised(sameas.DataError, lambda: sameas.dedupe({"id": [1, 2], "a": [1]}, rule), "has 1 values")
    raised(sameas.DataError, lambda: sameas.dedupe(pd.DataFrame({"id": [1, 2], "a": ["x", 3]}), rule), "`records`")
    nested = pa.table({"id": [1], "a": pa.array([{"x": 1}])})
    raised(sameas.RulesError, lambda: sameas.dedupe(nested, rule), "a")
    raised(sameas.DataError, lambda: sameas.dedupe("no/such.csv", rule), "no/such.csv: no such file")


def test_wrong_options() -> None:
    people = {"id": [1, 2], "a": [1, 1]}
    run = sameas.dedupe
    raised(sameas.UsageError, lambda: run(people, "l.a = r.a", memory="much"), "memory=much")
    raised(sameas.UsageError, lambda: run(people, "l.a = r.a", device="gpu"), "there is no device `gpu`")  # type: ignore[arg-type]
    raised(sameas.UsageError, lambda: run(people, "l.a = r.a", threads=0), "threads")
    raised(sameas.UsageError, lambda: run(people, "l.a = r.a", delimiter="::"), "delimiter")
    error = raised(sameas.Error, lambda: run(people, "l.a = r.a", max_pairs=0), "max_pairs= sets the limit")
    assert error.code == "candidate_limit"
    raised(sameas.UsageError, lambda: run(people, "l.a = r.a").near, "near=0.05")
    raised(sameas.UsageError, lambda: run(people, "l.a = r.a").why(1, 9), "there is no record with id `9`")


def test_a_device_that_is_not_there() -> None:
    if sameas.devices().record["devices"]:
        pytest.skip("there is a device")
    people = {"id": [1, 2], "a": [1, 1]}
    raised(sameas.ResourceError, lambda: sameas.dedupe(people, "l.a = r.a", device="cuda"), 'device="cpu"')


def test_what_can_hardly_be_meant_is_a_warning() -> None:
    people = {"id": [1, 2], "name": ["a", "b"]}
    with pytest.warns(sameas.RulesWarning, match="jaro") as caught:
        sameas.dedupe(people, "l.name = r.name or jaro(l.name, r.name) > 90")
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sameas.dedupe(people, "l.name = r.name")


def test_checks_say_what_is_wrong_without_a_run() -> None:
    people = {"id": [1, 2], "name": ["a", "b"]}
    assert sameas.check(people, "l.name = r.name") == []
    raised(sameas.RulesError, lambda: sameas.check(people, "l.nam = r.name"), "did you mean `l.name`?")
    unused = sameas.Rules("l.name = r.name", derive={"lower_name": "lower(name)"})
    assert sameas.check(people, unused) == ["no rule uses the derived column `lower_name`"]


def test_an_error_can_be_pickled() -> None:
    import pickle

    error = raised(sameas.RulesError, lambda: sameas.dedupe({"id": [1]}, "l.a = r.a"), "unknown column")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code) == (type(error), str(error), error.code)
