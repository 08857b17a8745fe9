"""A value that is not understood is an error, and never the default in its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sameas

PEOPLE: dict[str, Any] = {"id": [1, 2], "key": [3, 4], "a": [1, 1]}
RULE = "l.a = r.a"
ID_HELP = '\n  help: for example id="customer_no", or id={"left": "id", "right": "key"}'


def said(call: Callable[[], object]) -> str:
    with pytest.raises(sameas.UsageError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"id": ["key"]}, f"id= takes the name of a column, or names by table, and a value of type list was given{ID_HELP}"),
        ({"id": 5}, f"id= takes the name of a column, or names by table, and a value of type int was given{ID_HELP}"),
        ({"id": True}, f"id= takes the name of a column, or names by table, and a value of type bool was given{ID_HELP}"),
        ({"id": {"records": 5}}, f"id= takes the name of a column, or names by table, and a value of type int was given{ID_HELP}"),
        ({"threads": True}, "threads= takes a whole number, and a value of type bool was given"),
        ({"threads": -1}, "threads=-1 is less than 0"),
        ({"max_pairs": 1e6}, "max_pairs= takes a whole number, and a value of type float was given"),
        ({"max_pairs": np.array([1, 2])}, "max_pairs= takes a whole number, and a value of type ndarray was given"),
        (
            {"memory": True},
            'memory= takes an amount of memory, and a value of type bool was given\n  help: for example memory="8GB"',
        ),
        (
            {"device_memory": b"1GB"},
            'device_memory= takes an amount of memory, and a value of type bytes was given\n  help: for example device_memory="8GB"',
        ),
        ({"device": 1}, "device= takes a text, and a value of type int was given"),
        ({"delimiter": [";"]}, "delimiter= takes a text, and a value of type list was given"),
        ({"encoding": 1252}, "encoding= takes a text, and a value of type int was given"),
        ({"null": 5}, "null= takes a list of texts, and a value of type int was given"),
        ({"null": {"n/a": None}}, "null= takes a list of texts, and a value of type dict was given"),
        ({"null": [0]}, "null= takes a text, and a value of type int was given"),
        ({"progress": "no"}, "progress= takes True or False, and a value of type str was given"),
    ],
)
def test_options_of_another_kind(options: dict[str, Any], message: str) -> None:
    assert said(lambda: sameas.dedupe(PEOPLE, RULE, **options)) == message


def test_options_of_numpy_are_understood() -> None:
    options: dict[str, Any] = {"max_pairs": np.int64(10), "memory": np.float64(1e9), "progress": np.bool_(False)}
    assert len(sameas.dedupe(PEOPLE, RULE, **options).pairs) == 1
    assert sameas.Rules(RULE, score={"threshold": np.float64(0.5)}).text.endswith("threshold = 0.5\n")


LINKS: list[tuple[Callable[[], object], str]] = [
    (lambda: sameas.link(PEOPLE, PEOPLE, RULE, dedupe="no"), "dedupe= takes True or False, and a value of type str was given"),
    (lambda: sameas.link(PEOPLE, PEOPLE, RULE, names="ab"), "names='ab' is one text\n  help: give a list: names=[\"ab\"]"),
    (lambda: sameas.link(PEOPLE, PEOPLE, RULE, names=[1, 2]), "names= takes a text, and a value of type int was given"),
    (
        lambda: sameas.link(PEOPLE, PEOPLE, RULE, more=PEOPLE),
        "more= takes a list of tables, and a value of type dict was given\n  help: for one table write more=[table]",
    ),
    (
        lambda: sameas.explain(PEOPLE, RULE, link=()),
        "link=() names no table\n  help: give the other table, or leave link= out",
    ),
    (
        lambda: sameas.candidates(PEOPLE, RULE, columns="key"),
        "columns='key' is one text\n  help: give a list: columns=[\"key\"]",
    ),
    (lambda: sameas.candidates(PEOPLE, RULE, columns=[1]), "columns= takes a text, and a value of type int was given"),
    (
        lambda: sameas.closure({"a": [1], "b": [2]}, columns=("a", "b", "c")),
        'columns= takes two names, and 3 were given\n  help: for example columns=("from", "to")',
    ),
    (
        lambda: sameas.explain_relate(".decl p(x: number)\n.input p\n.output p\n", []),
        "inputs= takes tables by the names of relations, and a value of type list was given",
    ),
    (lambda: sameas.qgrams("banana", 2.9), "q= takes a whole number, and a value of type float was given"),
    (lambda: sameas.compute("a", ["x"]), "columns= takes columns by their names, and a value of type list was given"),
]


@pytest.mark.parametrize(("call", "message"), LINKS, ids=[message.split(" ")[0] for _, message in LINKS])
def test_other_arguments_of_another_kind(call: Callable[[], object], message: str) -> None:
    assert said(call) == message


def test_columns_that_have_no_order_or_no_rows() -> None:
    for values, kind in [("xy", "str"), (b"xy", "bytes"), ({"x": 1, "y": 2}, "dict"), ({"x", "y"}, "set")]:
        message = f"column `a` takes a list of values, and a value of type {kind} was given"
        assert said(lambda values=values: sameas.dedupe({"id": [1, 2], "a": values}, RULE)) == message
    assert len(sameas.dedupe({"id": [1, 2], "a": dict.fromkeys(["x", "y"]).keys()}, RULE).pairs) == 0


def test_rows_may_have_names_of_any_kind() -> None:
    rows: list[Any] = [{"id": 1, 5: "x"}, {"id": 2, 5: "x"}]
    assert len(sameas.dedupe(rows, 'l."5" = r."5"').pairs) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"rules": 5},
            "rules= takes a condition, a list of them, or conditions by name, and a value of type int was given\n"
            '  help: for example rules="l.email = r.email"',
        ),
        ({"score": []}, "score= takes settings by their names, and a value of type list was given"),
        ({"train": False}, "train= takes settings by their names, and a value of type bool was given"),
        ({"derive": ""}, "derive= takes expressions by their names, and a value of type str was given"),
        ({"columns": 0}, "columns= takes expressions by their names, and a value of type int was given"),
        ({"columns": {"x": None}}, "columns: `x` has no expression\n  help: give one, or leave the column out"),
        ({"entity": "longest"}, "entity= takes rules by their names, and a value of type str was given"),
        ({"entity": {"x": None}}, "entity: `x` has no rule\n  help: give one, or leave the column out"),
        ({"entity": {"x": {"take": None}}}, "a rule file cannot hold a value of type NoneType"),
        ({"compare": ""}, "compare= takes levels by the names of comparisons, or a list of tables, and a value of type str was given"),
        ({"compare": [1]}, "compare= takes levels by the names of comparisons, or a list of tables, and a value of type int was given"),
        (
            {"rules": {"a": {"when": RULE, "name": "b"}}},
            "rules: `a` is called `b` inside\n  help: leave out one of the two names",
        ),
        ({"null": b"n/a"}, "a rule file cannot hold a value of type bytes"),
    ],
)
def test_rules_of_another_kind(options: dict[str, Any], message: str) -> None:
    assert said(lambda: sameas.Rules(**options)) == message


def test_answers_of_another_kind(tmp_path: Path) -> None:
    run = sameas.dedupe(PEOPLE, RULE)
    wrong: dict[str, Any] = {"kind": "cluster"}
    assert said(lambda: sameas.evaluate(run, run.pairs, **wrong)) == 'there is no kind="cluster"\n  help: pairs or clusters'
    assert said(lambda: sameas.evaluate(run.pairs, run.pairs, **wrong)).startswith('there is no kind="cluster"')
    wrong = {"truth_kind": "pair"}
    assert said(lambda: sameas.evaluate(run, run.pairs, **wrong)).startswith('there is no truth_kind="pair"')
    wrong = {"records": True}
    message = "records= takes a whole number, and a value of type bool was given"
    assert said(lambda: sameas.evaluate(run, run.pairs, **wrong)) == message
    report = tmp_path / "report.html"
    assert said(lambda: run.report(report, mask="a")) == "mask='a' is one text\n  help: give a list: mask=[\"a\"]"
    assert said(lambda: run.pairs.to_dicts(-1)) == "most=-1 is less than 0"
    assert not report.exists()


def test_options_of_pandas_need_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    run = sameas.dedupe(PEOPLE, RULE)

    def without_arrow(name: str) -> Any:
        if name == "pyarrow":
            raise sameas.UsageError("pyarrow is needed for this, and cannot be imported: no", "pip install pyarrow")
        return pd

    monkeypatch.setattr("sameas._tables.imported", without_arrow)
    assert len(run.pairs.to_pandas()) == 1
    assert said(lambda: run.pairs.to_pandas(split_blocks=True)).startswith("pyarrow is needed for this")
