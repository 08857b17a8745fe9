"""Scored pairs: a model is trained and pairs are scored by it, or by weights; compared with Splink where it does the same."""

import json
import shutil
import subprocess
import sys

from .. import inputs
from ..case import at_least, case, judge, ratio
from ..measure import Contestant, execute, inner, interleave
from ..settings import BENCH, SCORES, WORK, peer, program
from . import Row
from .gpu import after_load
from .publications import operators

PEOPLE = SCORES / "people.json"
# Pairs are written from the first probability on, and judged by the truth from the second on.
WRITTEN, JUDGED = 0.5, 0.9
RATES = ("precision", "recall", "f1")


def blocking_rules(job=PEOPLE, least=WRITTEN):
    """A job with blocking rules, that of the people if no other is named, as rules of ours."""
    path = WORK / f"scores_{job.stem}_{least}.toml"
    script = BENCH / "peers" / "score_rules.py"
    subprocess.run([sys.executable, script, job, path, "--threshold", str(least)], check=True)
    return path


def scored(name, tables, rules, settings, learns=True, device=None, training=()):
    """The program, twice in a run where a model is to be learned first; both processes count, from records to clusters.

    A list of two tables is a link. `training` are options of `sameas train`."""
    output, tables = WORK / (f"{name}_{device}" if device else name), tables if isinstance(tables, list) else [tables]
    model, links = output.with_suffix(".model.toml"), len(tables) > 1
    shutil.rmtree(output, ignore_errors=True)
    options = [*tables, "--rules", rules, "--overwrite", "-q", "--threads", settings.threads]
    options += ["--device", device] if device else []
    train = [program("train", *options, *(["--link"] if links else []), *training, "-o", model)] if learns else []
    run = program("link" if links else "dedupe", *options, *(["--model", model] if learns else []), "-o", output)
    first, *then = [*train, run]
    files = [output / "pairs.parquet", *([model] if learns else [])]
    return Contestant(device or "sameas", first, then=then, after=lambda run: run.lines.append(_record(output, files)))


def _record(output, files):
    """The program's record of its run, with a hash of what it has found and learned."""
    record = json.loads((output / "run.json").read_text())
    return record | {"hash": "-".join(map(inputs.fingerprint, files)), "after_load": after_load(record)}


def summed_up(title, mine, rivals=()):
    """A case: counts, whether all runs gave the same bytes, and where the time went."""
    facts = mine.facts()
    found = case(
        title, mine, rivals, nominal=facts.get("nominal_pairs"), candidates=facts.get("candidates"), pairs=facts.get("pairs"),
        agree=_repeated(mine), notes=[],
    )
    if mine.times():
        parts = dict(zip(("train", "find") if mine.then else ("find",), mine.finished()[-1].parts))
        times = ", ".join(f"{name} {seconds:.3f} s" for name, seconds in parts.items())
        count = facts.get("scores", {}).get("scored", 0)
        found["notes"].append(f"{times}; {count:,} pairs scored; {operators(facts)}")
    return found


def _repeated(mine):
    runs = mine.finished()
    if len({run.facts.get("hash") for run in runs}) > 1:
        return "**differ**: runs gave other bytes"
    return f"equal bytes of {len(runs)} runs" if len(runs) > 1 else "not compared"


def splink(job, tables, settings, least=WRITTEN):
    """Splink, and the file of its pairs. Levels, compared columns and clusters are left out, in its favour; as ours does, it
    trains without term frequencies, which is faster."""
    output = WORK / f"scores_{job.stem}_splink"
    shutil.rmtree(output, ignore_errors=True)
    inputs_of = [text for table in tables for text in ("--input", table)]
    options = [*inputs_of, "--threads", settings.threads, "--threshold", least, "--no-gammas"]
    command = peer("splink_scores.py", job, output, *options, "--train-without-term-frequencies")
    return Contestant("Splink", command, inner), output / "pairs.parquet"


def _judge_by_truth(found, table, files, settings):
    """Adds precision, recall and F1 to the case and its peer: by DuckDB, over all true pairs, found by a rule or not."""
    there = [file for file in files if file.exists()]
    command = peer("score_pairs.py", PEOPLE, *there, "--input", table, "--truth", inputs.truth(table))
    lines = [line for line in execute(command, 3600, settings.environment()).lines if "file" in line]
    for facts, line in zip((found, *found["peers"]), lines):
        known = line[f"at_{JUDGED}"]
        facts |= {rate: known[rate] for rate in RATES}
        found["notes"].append(f"{facts.get('name', 'sameas')} from probability {JUDGED} on: {json.dumps(known)}")


def _verdict(found, value):
    known = [facts["f1"] for facts in (found, *found["peers"]) if "f1" in facts]
    no_worse = judge(known[0] >= known[1], "F1 no lower") if len(known) == 2 else ""
    return "; ".join(text for text in (at_least([value], [5]), no_worse) if text)


def people(settings):
    """A million people and blocking rules, by us and by Splink."""
    count = settings.size(1_000_000, 20_000)
    table = inputs.people(count)
    mine = scored("scores_people", table, blocking_rules(), settings)
    rival, theirs = splink(PEOPLE, [table], settings)
    interleave([mine, rival], settings)
    found = summed_up(f"{count:,} people, blocking rules", mine, [rival])
    if mine.times():
        _judge_by_truth(found, table, [WORK / "scores_people" / "pairs.parquet", theirs], settings)
    if rival.times():
        stages = ", ".join(f"{name} {seconds:.3f} s" for name, seconds in rival.facts()["stages"].items())
        found["notes"].append(f"Splink, last run: {stages}; {rival.facts()['pairs']:,} pairs from probability {WRITTEN} on")
    value, found["ratio"] = ratio(found["ours"], found["peers"][0])
    found["verdict"] = _verdict(found, value)
    return [found]


def evaluated(kind, result, truth, *options):
    """Precision, recall and F1 of pairs or clusters of any origin."""
    command = program("evaluate", f"--{kind}", result, "--truth", truth, "--format", "json", *options)
    known = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {rate: known[rate] for rate in RATES}


def _alone(settings, title, name, table, learns, kind):
    """A job of scores without a peer, judged by the truth: its pairs, or its clusters."""
    mine = scored(f"scores_{name}", table, SCORES / f"{name}.toml", settings, learns)
    interleave([mine], settings)
    found = summed_up(title, mine)
    if mine.times():
        result = WORK / f"scores_{name}" / f"{kind}.parquet"
        found |= evaluated(kind, result, inputs.truth(table))
        found["notes"].append(f"{kind}: precision {found['precision']:.4f}, recall {found['recall']:.4f}, F1 {found['f1']:.4f}")
    return [found]


def complete(settings):
    """No blocking: every pair of a million people that reaches the threshold."""
    count = settings.size(1_000_000, 20_000)
    title = f"{count:,} people, a fifth of the values missing, no blocking"
    return _alone(settings, title, "people_complete", inputs.incomplete_people(count), True, "pairs")


def cds(settings):
    """The job of "Duplicate Detection on GPUs": a weighted average, nothing is learned, and clusters are judged."""
    count = settings.size(1_800_000, 20_000)
    return _alone(settings, f"{count:,} CDs", "cds", inputs.cds(count), False, "clusters")


ROWS = [
    Row(
        "scores_people", "1 M people, a model trained and the pairs of three blocking rules scored, from Parquet to clusters",
        "at least 5x Splink, with an F1 no lower; the same bytes of model and pairs in every run", people,
    ),
    Row(
        "scores_complete", "1 M people with missing values, a model trained, every pair above the threshold found without blocking",
        "the same bytes of model and pairs in every run", complete,
    ),
    Row(
        "scores_cds", "1.8 M CDs, weighted Jaro-Winkler of four columns, each within 20 neighbours",
        "the same bytes of pairs in every run", cds,
    ),
]
