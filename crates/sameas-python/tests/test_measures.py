"""Measures of two values, and of columns of every kind."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sameas

LEFT = ["Smith", "Jones", None, "Müller"]
RIGHT = ["Smyth", "Jonas", "x", "Muller"]
EDITS = [1.0, 1.0, None, 1.0]


def test_two_values() -> None:
    assert sameas.levenshtein("Smith", "Smyth") == 1 and isinstance(sameas.levenshtein("a", "b"), int)
    assert sameas.jaro_winkler("martha", "marhta") == pytest.approx(0.9611111111)
    assert sameas.jaro("", "a") is None and sameas.osa(None, "a") is None
    assert sameas.jaccard(sameas.words("red car"), sameas.words("red bus")) == pytest.approx(1 / 3)
    assert sameas.overlap({"a", "b"}, ["b"]) == 1 and sameas.qgrams("banana", 3) == ["ana", "ban", "nan"]
    assert sameas.monge_elkan(["Smith"], ["Anna", "Smith"]) == 1 and sameas.monge_elkan(["Anna", "Smith"], ["Smith"]) == 0.5
    assert sameas.soundex("Robert") == "R163" and sameas.strip_accents("Zoé") == "Zoe"
    assert sameas.haversine_km(52.5, 13.4, 48.1, 11.6) == pytest.approx(504, abs=5)


def test_every_measure_of_rules_is_a_function() -> None:
    groups = ("text_measures", "set_measures")
    measures = {function.name for function in sameas.functions().values() if function.group in groups}
    lacking = measures - {"list_has_any", "array_length"} - set(sameas.__all__)
    assert not lacking and all(callable(getattr(sameas, name)) for name in measures & set(sameas.__all__))


@pytest.mark.parametrize(
    ("make", "values"),
    [
        (list, lambda made: made),
        (pl.Series, lambda made: made.to_list()),
        (lambda column: pl.Series(column, dtype=pl.Categorical), lambda made: made.to_list()),
        (pa.array, lambda made: made.to_pylist()),
        (lambda column: pa.chunked_array([column[:1], column[1:]]), lambda made: made.to_pylist()),
        (lambda column: pa.array(column, pa.large_string())[0:], lambda made: made.to_pylist()),
        (lambda column: pa.array(["-", *column], pa.string_view()).slice(1), lambda made: made.to_pylist()),
        (lambda column: np.array(column, dtype=object), lambda made: [None if math.isnan(v) else v for v in made.tolist()]),
        (lambda column: pd.Series(column, index=[5, 6, 7, 8]), lambda made: [None if math.isnan(v) else v for v in made]),
    ],
)
def test_columns_give_columns_of_their_kind(make: Any, values: Any) -> None:
    made = sameas.levenshtein(make(LEFT), make(RIGHT))
    assert values(made) == EDITS
    assert type(made).__module__.split(".")[0] == type(make(LEFT)).__module__.split(".")[0]
    if isinstance(made, pd.Series):
        assert list(made.index) == [5, 6, 7, 8]
    one = sameas.levenshtein(make(LEFT), "Smith")
    assert values(one)[:2] == [0.0, 5.0]


def test_large_columns_are_right() -> None:
    names = [f"name {number}" for number in range(150_000)]
    similar = sameas.jaro_winkler(pl.Series(names), pl.Series(names[::-1]))
    assert len(similar) == len(names)
    assert similar[99_999] == sameas.jaro_winkler(names[99_999], names[::-1][99_999])
    assert similar.equals(similar.reverse())


def test_any_expression() -> None:
    assert sameas.compute("lower(strip_accents(name))", {"name": ["Zoé", "Ann", ""]}) == ["zoe", "ann", None]
    frame = pl.DataFrame({"a": [1, 2], "b": [3, 4]})
    assert sameas.compute("a * b > 3", {"a": frame["a"], "b": frame["b"]}).to_list() == [False, True]
    with pytest.raises(sameas.RulesError, match="did you mean `name`"):
        sameas.compute("lower(nme)", {"name": ["a"]})


def test_wrong_columns() -> None:
    with pytest.raises(sameas.DataError, match="2 and 3 values"):
        sameas.jaro(["a", "b"], ["a", "b", "c"])
    with pytest.raises(sameas.UsageError, match="`argument 1` is not a column: a value of type object was given"):
        sameas.jaro(object(), "a")  # type: ignore[call-overload]
    values = sameas.Values(sameas._measures._sameas.Expression("upper(a)", [("a", ["x", "y"])]).column())
    assert (len(values), values[-1], list(values)) == (2, "Y", ["X", "Y"]) and "Values(['X', 'Y'])" == repr(values)
