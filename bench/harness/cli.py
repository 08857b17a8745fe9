"""The command line: which rows to run and how."""

import argparse
import os
import sys
from pathlib import Path

from . import machine, peers, results
from .rows import all_rows
from .settings import BENCH, INPUTS, RELEASE, ROOT, WORK, Settings


def parse():
    about = "Measures sameas and its peers and writes bench/results."
    parser = argparse.ArgumentParser(prog="bench/run", description=about)
    parser.add_argument("--rows", default="", help="names of rows, separated by commas [default: all except those of the GPU]")
    parser.add_argument("--list", action="store_true", help="list the rows and end")
    parser.add_argument("--take", type=Path, metavar="FOLDER", help="take results of another machine in place of older ones, and end")
    parser.add_argument("--quick", action="store_true", help="small inputs, two runs: tests the harness, measures nothing")
    parser.add_argument("--alone", action="store_true", help="without peers, which then are not installed; rows that allow it")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the real data sets")
    parser.add_argument("--threads", type=int, default=2, help="threads of every contestant [default: 2]")
    parser.add_argument("--runs", type=int, default=0, help="runs of short rows [default: 5]")
    parser.add_argument("--limit", type=float, default=0, help="most seconds of one run [default: 900]")
    return parser.parse_args()


def chosen(names):
    rows = all_rows()
    wanted = [name for name in names.split(",") if name]
    unknown = set(wanted) - {row.name for row in rows}
    if unknown:
        sys.exit(f"no such row: {', '.join(sorted(unknown))}; `bench/run --list` names them")
    return [row for row in rows if (row.name in wanted if wanted else not row.gpu)]


def prepared(rows, is_alone):
    """Checks that our programs are built, and makes what else is missing."""
    if is_alone and (others := [row.name for row in rows if not row.alone]):
        sys.exit(f"not without peers: {', '.join(others)}")
    needed = {name for row in rows for name in row.programs} if is_alone else {"sameas", "sameas-bench"}
    missing = [name for name in sorted(needed) if not (RELEASE / name).exists()]
    if missing:
        sys.exit(f"build {' and '.join(missing)} first: cargo build --release -p sameas-cli -p sameas-bench")
    INPUTS.mkdir(exist_ok=True)
    WORK.mkdir(exist_ok=True)
    if not is_alone:
        peers.install()
        peers.build_engines()


def main():
    options = parse()
    if options.list:
        print("\n".join(f"{row.name:24} {row.title}" for row in all_rows()))
        return 0
    if options.take:
        print("\n".join(os.path.relpath(path, BENCH) for path in results.take(options.take)))
        return 0
    rows = chosen(options.rows)
    prepared(rows, options.alone)
    runs, limit = options.runs or (2 if options.quick else 5), options.limit or (60 if options.quick else 900)
    settings = Settings(options.data.resolve(), options.threads, options.quick, runs, limit, options.alone)
    facts, versions = machine.describe(), {} if options.alone else peers.versions()
    missed = 0
    for row in rows:
        print(f"{row.name}: {row.title}", flush=True)
        cases = row.measure(settings)
        if options.quick:
            cases = [case | {"verdict": ""} for case in cases]
        path = results.merge(row, cases, facts, versions, settings)
        missed += sum("missed" in case.get("verdict", "") or "differ" in case.get("agree", "") for case in cases)
        print(f"  written to {os.path.relpath(path, BENCH)}", flush=True)
    print(f"{missed} cases miss their bar or differ from a peer")
    return 0
