"""Whole runs of the program on real publications: from the files read to the results written."""

import json

from ..case import case, under
from ..measure import Contestant, interleave
from ..settings import TESTKIT_RULES, WORK, program
from . import Row


def _linked(settings, name, seconds):
    folder, output = settings.data / name, WORK / name
    right = next(path for path in (folder / "b.csv", folder / "b.csv.gz") if path.exists())
    command = program(
        "link", folder / "a.csv", right, "--rules", TESTKIT_RULES / f"{name}.toml", "-o", output, "--overwrite", "-q",
        "--threads", settings.threads,
    )
    ours = Contestant("sameas", command)
    interleave([ours], settings)
    record = json.loads((output / "run.json").read_text())
    found = case(
        f"{name}, ten rules", ours, nominal=record["nominal_pairs"], candidates=record["candidates"], pairs=record["pairs"],
        notes=[operators(record)],
    )
    found["verdict"] = under(found["ours"], seconds)
    return found


def operator_name(entry):
    """An operator of run.json as the notes call it; joins by their access path."""
    return f"{entry['path']} + verify" if "path" in entry else entry["operator"].replace("_", " ")


def operators(record):
    """Where the time went, by the program's own record of its last run."""
    parts = {}
    for entry in record["operators"]:
        name = operator_name(entry)
        parts[name] = parts.get(name, 0) + entry["seconds"]
    return "last run: " + ", ".join(f"{name} {seconds:.3f} s" for name, seconds in parts.items())


ROWS = [
    Row("dblp_acm", "DBLP against ACM, whole process", "0.12 s", lambda s: [_linked(s, "dblp_acm", 0.12)]),
    Row("dblp_scholar", "DBLP against Google Scholar, whole process", "0.7 s", lambda s: [_linked(s, "dblp_scholar", 0.7)]),
]
