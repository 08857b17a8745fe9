#!/usr/bin/env python3
"""Runs the committed rule file of every real data set and prints what it finds and what it costs.

    real_data.py --data FOLDER [--program PATH] [--only NAME ...] [--json FILE] [--output FOLDER]

FOLDER holds one folder for each set: `a.csv` (or `a.csv.gz`) and for a link `b.csv`, and the truth as `matches.csv`
(id_a, id_b). The rule files are in `rules/` next to this script's folder, one for each set. With --output bench/results the
figures of all sets become a file there, from which `bench/figures` makes the table `real_data`. Exits with 1 if a set with a
goal misses it.
"""

import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RULES = HERE.parent / "rules"

# Below this F1 something has become worse. The rules were written with the truth of these sets in view, and the goals set
# below what they reach, so that reaching one says nothing about other data.
GOALS = {
    "abt_buy": 0.80,
    "cd_freedb": 0.80,
    "census": 0.85,
    "dblp_acm": 0.95,
    "dblp_scholar": 0.85,
    "fake_1000": 0.85,
    "febrl1": 0.95,
    "febrl4": 0.95,
    "fodors_zagat": 0.95,
    "foreigners": 0.80,
    "restaurant": 0.95,
    "rldata10000": 0.95,
    "uk_census_cis": 0.95,
}

# The truth of these sets covers a part of the records only.
PARTIAL = {"patentsview_inventors"}


def table(folder, name):
    """The file of a table, packed or not; None if there is none."""
    for ending in (".csv", ".csv.gz"):
        path = folder / (name + ending)
        if path.exists():
            return path
    return None


def run_set(program, folder, rules, output):
    """Runs one set; returns its scores and the seconds from start to end."""
    left, right = table(folder, "a"), table(folder, "b")
    command = [program, "link" if right else "dedupe", left, *([right] if right else []), "--rules", rules]
    began = time.perf_counter()
    subprocess.run([*command, "-o", output, "--quiet"], check=True)
    seconds = time.perf_counter() - began
    evaluate = [program, "evaluate", "--pairs", output / "pairs.parquet", "--truth", folder / "matches.csv"]
    evaluate += ["--format", "json", *(["--link"] if right else []), *(["--among"] if folder.name in PARTIAL else [])]
    scores = json.loads(subprocess.run(evaluate, check=True, capture_output=True, text=True).stdout)
    return scores, seconds


def benchmark_case(name, scores, rules):
    """What one set gave, as a case of the benchmark: `seconds`, from start to end, is of one run."""
    seconds = scores["seconds"]
    ours = {"name": "sameas", "runs": 1, "seconds": [seconds], "median": seconds, "least": seconds, "most": seconds}
    counts = {"nominal": scores["all_pairs"], "candidates": scores["candidates"], "pairs": scores["found"]}
    rates = {rate: scores[rate] for rate in ("recall", "precision", "f1")}
    return {"case": name, "ours": ours, "peers": [], "rules": rules, **counts, **rates}


def write_results(folder, cases):
    """A file in the format of the benchmark, with the one row `real_data`, in place of an older one."""
    sys.path.insert(0, str(HERE.parents[2] / "bench"))
    from harness import machine, results

    facts = machine.describe()
    row = {"title": "hand-written rules on real data", "bar": "the goals of real_data.py", "threads": facts["cores"]}
    row |= {"revision": facts["revision"], "load": machine.load(), "cases": cases}
    path = folder / f"{datetime.date.today().isoformat()}-real-data.json"
    path.write_text(json.dumps({"rows": {"real_data": row}, "machine": facts, "versions": {}, "quick": False}, indent=1) + "\n")
    results.forget("real_data", facts, path)
    print(f"written to {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder with one folder for each data set")
    parser.add_argument("--program", default=HERE.parents[2] / "target/release/sameas", help="the program sameas")
    parser.add_argument("--only", nargs="*", help="names of the sets to run [default: all with a rule file]")
    parser.add_argument("--json", type=pathlib.Path, help="also write all scores to this file")
    parser.add_argument("--output", type=pathlib.Path, help="also write the figures to DATE-real-data.json in this folder")
    options = parser.parse_args()
    if options.output and options.only:
        parser.error("--output is for all sets: a newer file replaces an older one, sets that it lacks included")

    names = options.only or sorted(path.stem for path in RULES.glob("*.toml"))
    print(f"{'set':<22} {'rules':>5} {'recall':>7} {'precision':>9} {'F1':>7} {'candidates/all':>15} {'seconds':>8}")
    everything, cases, missed = {}, [], []
    for name in names:
        rules = RULES / f"{name}.toml"
        with tempfile.TemporaryDirectory() as temporary:
            output = pathlib.Path(temporary) / "out"
            scores, seconds = run_set(options.program, options.data / name, rules, output)
        count = rules.read_text().count("[[rule]]")
        goal = GOALS.get(name)
        note = "" if goal is None else f"  goal {goal:.2f}: {'reached' if scores['f1'] >= goal else 'MISSED'}"
        ratio = scores["candidate_set_size_ratio"]
        print(
            f"{name:<22} {count:>5} {scores['recall']:>7.4f} {scores['precision']:>9.4f} {scores['f1']:>7.4f} "
            f"{ratio:>15.2e} {seconds:>8.2f}{note}",
            flush=True,
        )
        everything[name] = {**scores, "seconds": seconds}
        cases.append(benchmark_case(name, everything[name], count))
        if goal is not None and scores["f1"] < goal:
            missed.append(name)
    if options.json:
        options.json.write_text(json.dumps(everything, indent=2) + "\n")
    if options.output:
        write_results(options.output, cases)
    print(f"{len(names) - len(missed)} passed, {len(missed)} failed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
