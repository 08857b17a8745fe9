"""Several jobs over records that were read once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
import sameas
from conftest import RULES, written
from test_scores import BY_FREQUENCY, SCORED

Columns = dict[str, list[Any]]


@pytest.fixture(scope="module")
def frame(people: Columns) -> pl.DataFrame:
    return pl.DataFrame(people)


def test_other_rules_find_what_they_find_alone(people: Columns, expected: tuple[bytes, bytes], tmp_path: Path) -> None:
    records = sameas.Dataset(people)
    assert len(records) == 400 and repr(records) == "Dataset of 400 records"
    run = records.run(RULES)
    assert written(run, tmp_path) == expected and run.rules.text == RULES.text
    before = records.nbytes
    for rules in ("l.phone = r.phone", "l.city = r.city and levenshtein(l.name, r.name) <= 2", RULES):
        assert pa.table(records.run(rules).pairs) == pa.table(sameas.dedupe(people, rules).pairs)
    assert records.nbytes > before
    assert records.run(RULES, near=0.1).near.to_dicts() == sameas.dedupe(people, RULES, near=0.1).near.to_dicts()
    with pytest.raises(sameas.Error, match="max_pairs"):
        records.run("l.city = r.city", max_pairs=3)


def test_files_are_not_read_again(frame: pl.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    frame.drop("tags").write_csv(path, separator=";")
    rules = sameas.Rules({"same phone": "l.phone = r.phone and l.name <> r.name"})
    first = sameas.dedupe(path, rules, delimiter=";")
    whys = [sameas.dedupe(path, rules, delimiter=";").why("r0", "r3").text, first.why("r1", "r2").record["rules"]]
    described = sameas.profile(path, delimiter=";").text
    records = sameas.Dataset(path, delimiter=";")
    path.unlink()
    run = records.run(rules)
    assert pa.table(run.pairs) == pa.table(first.pairs) and len(run.pairs) > 5
    assert [run.why("r0", "r3").text, records.why("r1", "r2", rules).record["rules"]] == whys
    assert {field["name"] for field in run.why("r0", "r3").record["records"]} >= {"name", "city", "born"}
    assert records.profile().text == described
    assert "same phone" in str(records.explain(rules)) and records.explain(rules, analyze=True).record["timeline"]
    run.report(tmp_path / "report.html")
    assert run.spec["inputs"][0]["options"]["delimiter"] == ";" and run.spec["ids"]["column"] == "id"


def test_links(people: Columns, frame: pl.DataFrame) -> None:
    some = frame[:100]
    for dedupe in (False, True):
        records = sameas.Dataset(people, link=some, dedupe=dedupe, names=["all", "some"], id={"some": "id"})
        assert len(records) == 500
        alone = sameas.link(people, some, "l.phone = r.phone", dedupe=dedupe, names=["all", "some"])
        run = records.run("l.phone = r.phone")
        assert pa.table(run.pairs) == pa.table(alone.pairs) and pa.table(run.clusters) == pa.table(alone.clusters)
    three = sameas.Dataset(people, link=(some, some), names=["a", "b", "c"])
    assert three.run("l.phone = r.phone").record["link_type"] == "link_only" and len(three) == 600
    assert three.why("a:r0", "b:r0", "l.name = r.name").is_pair
    two = sameas.Dataset(people, link=some, names=["all", "some"])
    assert two.profile().text == sameas.profile(people, link=some, names=["all", "some"]).text
    with pytest.raises(sameas.UsageError, match="3 were given"):
        three.profile()


def test_models_are_learned_and_used(people: Columns, tmp_path: Path) -> None:
    records = sameas.Dataset(people)
    model = records.train(SCORED)
    assert model.toml == sameas.train(people, SCORED).toml
    run, alone = records.run(SCORED, model=model), sameas.dedupe(people, SCORED, model=model)
    assert pa.table(run.pairs) == pa.table(alone.pairs)
    pair = run.pairs.to_dicts()[0]
    ids = pair["unique_id_l"], pair["unique_id_r"]
    assert records.why(*ids, SCORED, model=model).text == run.why(*ids).text == alone.why(*ids).text
    frequencies = records.term_frequencies(BY_FREQUENCY)
    assert pa.table(frequencies["name"]) == pa.table(sameas.term_frequencies(people, BY_FREQUENCY)["name"])
    by_frequency = records.train(BY_FREQUENCY)
    counted = records.run(BY_FREQUENCY, model=by_frequency, all_pairs=True)
    given = records.run(BY_FREQUENCY, model=by_frequency, all_pairs=True, term_frequencies=frequencies)
    assert pa.table(given.pairs) == pa.table(counted.pairs)
    with pytest.raises(sameas.Error, match="sameas.train"):
        records.run(SCORED)


def test_jobs_at_the_same_time(people: Columns) -> None:
    records = sameas.Dataset(people, threads=2)
    rules = [f"levenshtein(l.name, r.name) <= {most} and l.{column} = r.{column}" for most in (1, 2, 3) for column in ("city", "born")]
    expected = [len(sameas.dedupe(people, rule).pairs) for rule in rules]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda rule: len(records.run(rule).pairs), rules * 2)) == expected * 2


def test_a_run_outlives_its_dataset(people: Columns) -> None:
    run = sameas.Dataset(people).run(RULES)
    pair = run.pairs.to_dicts()[0]
    assert run.why(pair["unique_id_l"], pair["unique_id_r"]).match_key == pair["match_key"]


def test_what_would_read_other_records_is_refused(people: Columns) -> None:
    records = sameas.Dataset(people)
    with pytest.raises(sameas.UsageError, match="would be read in another way"):
        records.run(sameas.Rules.parse('null = ["Oslo"]\n[[rule]]\nwhen = "l.city = r.city"\n'))
    with pytest.raises(sameas.UsageError, match="were read from another column"):
        records.run(sameas.Rules.parse('unique_id = "phone"\n[[rule]]\nwhen = "l.city = r.city"\n'))
    with pytest.raises(sameas.RulesError, match="there is no rule"):
        records.run()
    with pytest.raises(sameas.UsageError, match="names no table"):
        sameas.Dataset(people, link=())
    with pytest.raises(sameas.DataError):
        sameas.Dataset({"id": ["r0", "r0"], "a": [1, 2]})
