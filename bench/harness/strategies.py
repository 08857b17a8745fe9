"""The ways to plan a job, measured by turns on the same input; what the full plan is worth is what the others lose."""

import hashlib
import json
import shutil
import statistics

from .case import case, judge
from .measure import Contestant, interleave
from .settings import WORK, program

FULL = "full"
STRATEGIES = (FULL, "no-epg", "no-predicate-order", "no-rule-order", "cheap-first", "selective-first")
# Operators by their names in run.json.
PLANNING, JOINING = ("statistics", "plan"), "join_and_verify"
HEADS = (
    "strategy", "median", "least to most; runs", "join + verify", "candidates", "planning", "to full", "to best other",
    "answers",
)


def contestant(strategy, tables, rules, settings):
    """The program with a strategy on one table or two; its record of each run is kept with the run."""
    output = WORK / f"plan_{strategy}"
    shutil.rmtree(output, ignore_errors=True)
    command = program(
        "dedupe" if len(tables) == 1 else "link", *tables, "--rules", rules, "--plan", strategy, "-o", output, "--overwrite",
        "-q", "--threads", settings.threads, "--device", "cpu",
    )
    return Contestant(strategy, command, after=lambda run: run.lines.append(_record(output)))


def _record(output):
    """The program's record of its run, with a hash of its pairs, which no plan may change by a byte."""
    with open(output / "pairs.parquet", "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return json.loads((output / "run.json").read_text()) | {"digest": digest}


def compare(label, tables, rules, settings, strategies=STRATEGIES):
    """A case per strategy, the full plan first; prints their table as well."""
    runners = interleave([contestant(name, tables, rules, settings) for name in strategies], settings)
    cases = [_case(label, runner, runners[0]) for runner in runners]
    _judge(cases)
    _print(cases)
    return cases


def _case(label, runner, full):
    facts = runner.facts()
    found = case(
        f"{label}: {runner.name}", runner, nominal=facts.get("nominal_pairs"), candidates=facts.get("candidates"),
        pairs=facts.get("pairs"), agree=_agree(runner, full), strategy=runner.name, notes=[],
    )
    if runner.times():
        found |= {"joining": _joining(runner), "planning": _planning(runner)}
        share = found["planning"] / found["ours"]["median"]
        found["notes"].append(f"join and verify {found['joining']:.4g} s, planning {found['planning']:.3g} s ({share:.1%})")
    return found


def _agree(runner, full):
    """Whether a strategy's pairs are the full plan's, byte for byte, in every run."""
    digests = {run.facts.get("digest") for run in runner.runs if not run.timed_out and not run.error}
    if not digests or not full.times():
        return "not compared"
    return "equal" if digests == {full.facts()["digest"]} else f"**differ**: {runner.facts()['pairs']} pairs"


def _seconds(runner, wanted):
    """The median over the runs of the time in operators of wanted names."""
    records = [run.facts for run in runner.runs if "operators" in run.facts]
    sums = [sum(entry["seconds"] for entry in record["operators"] if wanted(entry["operator"])) for record in records]
    return statistics.median(sums)


def _joining(runner):
    return _seconds(runner, lambda name: name == JOINING)


def _planning(runner):
    return _seconds(runner, lambda name: name in PLANNING)


def _judge(cases):
    """Slowdowns against the full plan and against the fastest of the others; the full plan's verdict."""
    others = [found["ours"]["median"] for found in cases[1:] if "median" in found["ours"]]
    full, best = cases[0]["ours"].get("median"), min(others, default=None)
    for found in cases:
        found["to_full"], found["to_best"] = (_times(found["ours"], against) for against in (full, best))
        ratios = [(found["to_full"], "full"), (found["to_best"], "best other")]
        found["ratio"] = "; ".join(f"{times} {name}" for times, name in ratios if times)
    if full and best:
        cases[0]["verdict"] = judge(full <= 1.1 * best, "<= 1.1x best other")


def _times(facts, against):
    """A time, or the limit it went over, as a multiple of another."""
    if not against or "median" not in facts and not facts.get("at_least"):
        return ""
    return f"{facts['median'] / against:.3g}x" if "median" in facts else f">{facts['at_least'] / against:.3g}x"


def _print(cases):
    rows = [HEADS, *(_row(found) for found in cases)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    for row in rows:
        print("      " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip(), flush=True)


def _row(found):
    ours = found["ours"]
    if "median" not in ours:
        outcome = f"> {ours['at_least']:.0f} s" if ours.get("at_least") else ours.get("failed", "")
        return (found["strategy"], outcome, "", "", "", "", found["to_full"], found["to_best"], found["agree"])
    share = found["planning"] / ours["median"]
    return (
        found["strategy"], f"{ours['median']:.3f} s", f"{ours['least']:.3f} to {ours['most']:.3f}; {ours['runs']}",
        f"{found['joining']:.3f} s", f"{found['candidates']:,}", f"{found['planning']:.3f} s, {share:.1%}", found["to_full"],
        found["to_best"], found["agree"],
    )
