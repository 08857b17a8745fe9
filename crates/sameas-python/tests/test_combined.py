"""Models that take comparisons together that count the same thing twice."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import sameas

Columns = dict[str, list[Any]]

RULES = sameas.Rules(
    compare={name: [f"l.{name} = r.{name}"] for name in ("team", "group", "room", "year")},
    train={"rules": ["l.street = r.street"]},
    score={"prior": 0.00125, "threshold": 0.3, "levels": True},
)


@pytest.fixture(scope="module")
def twice() -> Columns:
    """Four hundred people, each twice, four of them in each street. A group says the same as the team, which one person in ten
    has changed."""
    draw = random.Random(7)
    table: Columns = {name: [] for name in ("id", "team", "group", "room", "year", "street")}
    for person in range(400):
        team, room, year = draw.randrange(19), draw.randrange(23), draw.randrange(61)
        for copy in range(2):
            own = team + (copy if person % 10 == 0 else 0)
            row = (f"{person}-{copy}", f"t{own}", f"g{own}", f"r{room}", f"y{year + (copy if person % 20 == 3 else 0)}", f"s{person % 100}")
            for values, value in zip(table.values(), row, strict=True):
                values.append(value)
    return table


def test_comparisons_are_taken_together_where_that_is_asked_for(twice: Columns, tmp_path: Path) -> None:
    written, apart = RULES.text, sameas.train(twice, RULES)
    model = sameas.train(twice, RULES, combine_dependent=True)
    assert [of["name"] for of in apart.record["comparison"]] == ["team", "group", "room", "year"]
    assert all("combines" not in of for of in apart.record["comparison"])
    combined, *others = model.record["comparison"]
    assert (combined["name"], combined["combines"]) == ("team and group", ["team", "group"])
    assert [of["name"] for of in others] == ["room", "year"] and all("combines" not in of for of in others)
    assert combined["level"][0]["when"] == "(l.team = r.team) and (l.group = r.group)"
    assert RULES.text == written and sameas.train(twice, RULES).toml == apart.toml
    model.write(tmp_path / "model.toml")
    assert sameas.Model.read(tmp_path / "model.toml").record == model.record
    assert sameas.Dataset(twice).train(RULES, combine_dependent=True).toml == model.toml
    assert sameas.Dataset(twice).train(RULES).toml == apart.toml


def test_such_a_model_is_used(twice: Columns, tmp_path: Path) -> None:
    records = sameas.Dataset(twice)
    model = records.train(RULES, combine_dependent=True)
    run = records.run(RULES, model=model)
    pairs = run.pairs.to_dicts()
    assert pairs and {"level_team and group", "level_room", "level_year"} < set(pairs[0])
    assert pa.table(run.pairs) == pa.table(sameas.dedupe(twice, RULES, model=model).pairs)
    why = run.why("1-0", "1-1")
    assert why.is_pair and "team and group" in str(why)
    assert records.why("1-0", "1-1", RULES, model=model).text == why.text
    run.report(tmp_path / "report.html")
    changed = sameas.Rules.parse(RULES.text.replace("l.group = r.group", "jaro_winkler(l.group, r.group) >= 0.9"))
    with pytest.raises(sameas.Error, match=r"takes `team` and `group` together.*\n.*train a model") as caught:
        records.run(changed, model=model)
    assert caught.value.code == "model_mismatch"


def test_what_cannot_be_taken_together_is_said(twice: Columns) -> None:
    compare: dict[str, Any] = {name: [f"l.{name} = r.{name}"] for name in ("team", "group", "room", "year")}
    compare["group"] = {"levels": compare["group"], "term_frequency": "group"}
    rules = sameas.Rules(compare=compare, train={"rules": ["l.street = r.street"]}, score={"prior": 0.00125, "threshold": 0.3})
    with pytest.warns(sameas.RulesWarning, match="`team` and `group` count the same thing twice.*term frequencies"):
        apart = sameas.train(twice, rules, combine_dependent=True)
    assert [of["name"] for of in apart.record["comparison"]] == ["team", "group", "room", "year"]
    assert apart.record["warning"][-1]["kind"] == "not_combined"
    # They would be lost in a model that takes the two together.
    model = sameas.train(twice, RULES, combine_dependent=True)
    with pytest.raises(sameas.Error, match="`group` has term frequencies in the rules") as caught:
        sameas.dedupe(twice, rules, model=model)
    assert caught.value.code == "model_mismatch"
