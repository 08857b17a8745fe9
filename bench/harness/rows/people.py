"""Whole runs of the program on people, compared with Splink, hand-written SQL and recordlinkage."""

import json
import shutil
from pathlib import Path

from .. import inputs
from ..case import agreement, at_least, case, judge, ratio, under
from ..measure import Contestant, execute, inner, interleave
from ..settings import RULES, WORK, peer, program
from . import Row
from .publications import operators


def ours(path, rules, output, settings):
    """The program, from Parquet to pairs and clusters; the whole process counts."""
    shutil.rmtree(output, ignore_errors=True)
    command = program(
        "dedupe", path, "--rules", RULES / rules, "-o", output, "--overwrite", "-q", "--threads", settings.threads
    )
    return Contestant("sameas", command, limit=3600)


def record(output):
    """The program's record of its run."""
    path = output / "run.json"
    return json.loads(path.read_text()) if path.exists() else {}


def script(name, label, path, settings):
    """A peer's script that writes its pairs; its own clock starts after its imports, in its favour."""
    target = WORK / f"{Path(name).stem}.parquet"
    target.unlink(missing_ok=True)
    contestant = Contestant(label, peer(name, path, target, settings.threads), inner)
    return contestant, target


def compared(output, targets, settings):
    """Our answer and theirs, as (pairs, hash)."""
    files = [output / "pairs.parquet", *(target for target in targets if target.exists())]
    lines = execute(peer("check_pairs.py", *files), 3600, settings.environment()).lines
    answers = [(Path(line["file"]).stem, (line["pairs"], line["digest"])) for line in lines]
    return agreement(answers[0][1], answers[1:]) if answers else "not compared"


def _ten(settings, count, rivals_named):
    path, output = inputs.people(count), WORK / "people_ten"
    mine = ours(path, "people_ten.toml", output, settings)
    rivals = [script(name, label, path, settings) for name, label in rivals_named]
    interleave([mine, *(rival for rival, _ in rivals)], settings)
    facts = record(output)
    counted = execute(peer("count_people.py", path, "ten"), 3600, settings.environment()).facts
    found = case(
        f"{count:,} people, ten rules", mine, [rival for rival, _ in rivals], nominal=count * (count - 1) // 2,
        candidates=facts.get("candidates"), pairs=facts.get("pairs"),
        agree=compared(output, [target for _, target in rivals], settings),
    )
    shared = counted.get("candidates", 0)
    found["notes"] = [
        f"pairs that share a rule's key: {shared:,} over the ten rules (bar: 2 x 10^8 on 1 M people)",
        "DuckDB writes pairs only; its components are left out, in its favour",
        *(f"{p['name']} peak memory {p.get('peak_mb')} MB" for p in found["peers"]),
        operators(facts) if facts else "no record",
    ]
    return found


def ten(settings):
    """A million people; and fewer, where recordlinkage still fits the memory."""
    few, many = settings.size(50_000, 5_000), settings.size(1_000_000, 20_000)
    splink, sql = ("people_splink.py", "Splink"), ("people_duckdb.py", "DuckDB SQL")
    small = _ten(settings, few, [splink, sql, ("people_recordlinkage.py", "recordlinkage")])
    large = _ten(settings, many, [splink, sql])
    for found in (small, large):
        found["ratio"] = "<br>".join(ratio(found["ours"], p)[1] for p in found["peers"])
    values = [ratio(large["ours"], p)[0] for p in large["peers"]]
    memory = large["ours"].get("peak_mb", 0)
    large["verdict"] = f"{at_least(values, [10, 5])}; {judge(memory <= 2000, '<= 2 GB')}"
    return [small, large]


def _similar_small(settings):
    """DuckDB at a size it finishes, with its answer compared."""
    count = settings.size(20_000, 2_000)
    path, output = inputs.people(count), WORK / "people_similar_small"
    mine = ours(path, "people_similar.toml", output, settings)
    rival, target = script("people_similar_duckdb.py", "DuckDB SQL", path, settings)
    interleave([mine, rival], settings)
    facts = record(output)
    found = case(
        f"{count:,} people, three similarities", mine, [rival], nominal=count * (count - 1) // 2,
        candidates=facts.get("candidates"), pairs=facts.get("pairs"), agree=compared(output, [target], settings),
    )
    found["ratio"] = ratio(found["ours"], found["peers"][0])[1]
    return found, count


def similar(settings):
    """A million people; DuckDB's time is its time at 20,000 times the square of the ratio of the sizes."""
    small, few = _similar_small(settings)
    count = settings.size(1_000_000, 20_000)
    path, output = inputs.people(count), WORK / "people_similar"
    mine = ours(path, "people_similar.toml", output, settings)
    interleave([mine], settings)
    facts = record(output)
    counted = execute(peer("count_people.py", path, "similar"), 3600, settings.environment()).facts
    found = case(
        f"{count:,} people, three similarities", mine, nominal=count * (count - 1) // 2,
        candidates=facts.get("candidates"), pairs=facts.get("pairs"), agree=f"see {few:,} people",
        notes=[f"distinct: {counted.get('distinct_names')} names, {counted.get('distinct_addresses')} addresses",
               operators(facts) if facts else "no record"],
    )
    found["verdict"] = under(found["ours"], 60)
    measured = small["peers"][0]
    if "median" in measured and "median" in found["ours"]:
        guess = measured["median"] * (count / few) ** 2
        found["ratio"] = f"extrapolated: {guess / found['ours']['median']:.3g}x DuckDB"
        note = f"DuckDB extrapolated from {few:,} people by the square of the size, not measured: {guess:,.0f} s"
        found["notes"].append(note)
    return [small, found]


ROWS = [
    Row(
        "people_ten",
        "1 M people, ten equality-and-similarity rules, from Parquet to clusters",
        "at least 10x Splink (deterministic_link, then components), 5x hand-written DuckDB SQL (one join per rule, union); under 2 GB",
        ten,
    ),
    Row("people_similar", "1 M people, similarities only, no equality", "under 60 s, exact", similar),
]
