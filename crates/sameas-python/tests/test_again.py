"""A run says what its job was: it is run again, and looked at again, by that alone."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import sameas
from conftest import RULES, written


@pytest.fixture(scope="module")
def frame(people: dict[str, list[Any]]) -> pl.DataFrame:
    return pl.DataFrame(people)


def files_of(run: sameas.Run, folder: Path) -> tuple[bytes, bytes]:
    folder.mkdir()
    return written(run, folder)


def facts_of(page: Path) -> dict[str, Any]:
    packed = page.read_text().split('id="facts">')[1].split("<")[0]
    return dict(json.loads(gzip.decompress(base64.b64decode(packed))))


def test_a_description_gives_the_same_bytes(frame: pl.DataFrame, tmp_path: Path) -> None:
    run = sameas.dedupe(frame, RULES, near=0.1)
    spec = run.spec
    assert spec["inputs"][0]["source"] == {"records": {"name": "records"}}
    assert spec["inputs"][0]["content"]["rows"] == 400 and spec["near"] == 0.1
    again = sameas.run(json.loads(json.dumps(spec)), frame, threads=1)
    assert files_of(again, tmp_path / "again") == files_of(run, tmp_path / "first")
    assert again.spec == spec and again.rules.text == RULES.text
    assert again.near.to_dicts() == run.near.to_dicts() and again.why("r0", "r1").text == run.why("r0", "r1").text


def test_tables_of_all_kinds_are_asked_for(frame: pl.DataFrame, tmp_path: Path) -> None:
    scores = {"unique_id_l": ["r0", "r2"], "unique_id_r": ["r1", "r3"], "score": [0.9, 0.4]}
    run = sameas.link(frame, frame[:50], scores=scores, names=["all", "some"], id={"some": "id"})
    spec = run.spec
    assert [sorted(of["source"]) for of in [*spec["inputs"], spec["scores"]]] == [["records"]] * 3
    again = sameas.run(spec, frame, frame[:50], scores)
    assert files_of(again, tmp_path / "again") == files_of(run, tmp_path / "first") and len(run.pairs) == 1
    with pytest.raises(sameas.DataError, match="the pairs with scores are not those that the run has read"):
        sameas.run(spec, frame, frame[:50], {**scores, "score": [0.9, 0.8]})


def test_other_tables_are_refused(frame: pl.DataFrame, people: dict[str, list[Any]]) -> None:
    spec = sameas.dedupe(frame, RULES).spec
    changed = frame.with_columns(pl.col("name").str.replace("Ann", "Anna"))
    with pytest.raises(sameas.DataError, match="the records of `records` are not those that the run has read") as caught:
        sameas.run(spec, changed)
    assert caught.value.code == "other_records"
    with pytest.raises(sameas.UsageError, match="`records` were given to the job") as missing:
        sameas.run(spec)
    assert missing.value.code == "records_not_given" and "sameas.run(spec, table)" in str(missing.value)
    with pytest.raises(sameas.UsageError, match="those of 2 are given"):
        sameas.run(spec, frame, frame)
    with pytest.raises(sameas.UsageError, match="`people.csv` is given"):
        sameas.run(spec, "people.csv")
    # What no rule reads does not matter.
    more = frame.with_columns(pl.lit("x").alias("more"))
    assert len(sameas.run(spec, more).pairs) == len(sameas.dedupe(people, RULES).pairs)


def test_what_is_no_description_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(sameas.UsageError, match="spec= takes a description of a job"):
        sameas.run(5)  # type: ignore[arg-type]
    with pytest.raises(sameas.UsageError, match="spec= is no description"):
        sameas.run({"version": {1, 2}})
    with pytest.raises(sameas.DataError, match="not the description of a job"):
        sameas.run({"version": 1})
    with pytest.raises(sameas.DataError, match="a later version of sameas"):
        sameas.run({"version": 1000})
    with pytest.raises(sameas.Error, match="cannot read the record of a run"):
        sameas.run(tmp_path)


def test_runs_of_files_need_nothing_but_their_folder(frame: pl.DataFrame, tmp_path: Path) -> None:
    texts = frame.drop("tags")
    texts.write_csv(tmp_path / "people.csv", separator=";")
    rules = sameas.Rules({"same phone": "l.phone = r.phone and l.name <> r.name"})
    run = sameas.dedupe(tmp_path / "people.csv", rules, delimiter=";", null=["Oslo"])
    run.write(tmp_path / "out", format="csv")
    for spec in (tmp_path / "out", str(tmp_path / "out" / "run.json"), run.spec):
        again = sameas.run(spec)
        assert again.pairs.to_dicts() == run.pairs.to_dicts() and len(run.pairs) > 5
    sameas.report(tmp_path / "out")
    assert facts_of(tmp_path / "out" / "report.html")["header"]["hasValues"]
    with pytest.raises(sameas.Error, match="overwrite=True"):
        sameas.report(tmp_path / "out")
    with pytest.raises(sameas.UsageError, match="those of 1 are given"):
        sameas.report(tmp_path / "out", frame, overwrite=True)


def test_reports_of_frames_ask_for_them(frame: pl.DataFrame, tmp_path: Path) -> None:
    sameas.dedupe(frame, RULES).write(tmp_path / "out")
    sameas.report(tmp_path / "out")
    without = facts_of(tmp_path / "out" / "report.html")
    assert not without["header"]["hasValues"] and "the records records were given" in without["words"]["withoutValues"]
    page = tmp_path / "page.html"
    sameas.report(tmp_path / "out", frame, path=page, mask=["phone"])
    facts = facts_of(page)
    assert facts["header"]["hasValues"] and facts["header"]["maskedColumns"] == ["phone"]
    with pytest.raises(sameas.DataError, match="not those that the run has read"):
        sameas.report(tmp_path / "out", frame[:300], path=page, overwrite=True)


def test_files_of_rules_must_be_as_they_were(frame: pl.DataFrame, tmp_path: Path) -> None:
    lists, scores = tmp_path / "names.csv", tmp_path / "scored.csv"
    lists.write_text("Ann,Anna\n")
    scores.write_text("unique_id_l,unique_id_r,score\nr0,r1,0.9\n")
    (tmp_path / "rules.toml").write_text("[[rule]]\nwhen = \"l.phone = r.phone and in_list(l.name, r.name, 'names.csv')\"\n")
    (tmp_path / "scores.toml").write_text('[score]\npairs = "scored.csv"\n')
    for rules, file in (("rules.toml", lists), ("scores.toml", scores)):
        spec = sameas.dedupe(frame, sameas.Rules.read(tmp_path / rules)).spec
        assert list(spec["files"]) == [str(file)]
        assert sameas.run(spec, frame).spec == spec
        before = file.read_text()
        file.write_text(before.replace("Anna", "Anne").replace("0.9", "0.8"))
        with pytest.raises(sameas.DataError, match=f"{file.name}`, which the rules name, is not the one") as caught:
            sameas.run(spec, frame)
        assert caught.value.code == "other_records"


def test_a_run_is_found_from_another_folder(frame: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there, elsewhere = tmp_path / "there", tmp_path / "elsewhere"
    there.mkdir()
    elsewhere.mkdir()
    frame.drop("tags").write_csv(there / "people.csv")
    (elsewhere / "people.csv").write_text("id,name,phone\n1,x,2\n")
    monkeypatch.chdir(there)
    run = sameas.dedupe("people.csv", sameas.Rules({"same phone": "l.phone = r.phone and l.name <> r.name"}))
    monkeypatch.chdir(elsewhere)
    run.write(there / "out", format="csv")
    assert run.spec["folder"] == str(there)
    again = sameas.run(there / "out")
    assert again.pairs.to_dicts() == run.pairs.to_dicts() and len(run.pairs) > 5
    sameas.report(there / "out")
    assert facts_of(there / "out" / "report.html")["header"]["hasValues"]
