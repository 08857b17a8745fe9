"""Whole runs of the program on the GPU, compared with the CPU in the same run: the process, and what follows the load."""

import dataclasses
import json
import statistics

from .. import inputs, scale_publications
from ..case import case, judge, ratio, under
from ..measure import Contestant, interleave
from ..settings import INPUTS, RULES, TESTKIT_RULES, WORK, program
from . import Row
from .publications import operator_name

FOUR_GB = 4_000_000_000
# The parts of a run that come before its candidates and after its pairs, by their names in run.json.
LOADED = {"device", "read", "derive", "encode"}
WRITTEN = {"write_pairs", "write_clusters"}


def linked(name, files, rules, settings, device, *options):
    """A whole run of the program; what its record and its pairs say is added to the facts of each run."""
    output = WORK / "_".join([name, device, *(str(option).strip("-") for option in options)])
    command = program(
        "link" if len(files) == 2 else "dedupe", *files, "--rules", rules, "-o", output, "--overwrite", "-q", "--threads", settings.threads,
        "--device", device, *options,
    )

    def after(run):
        record = json.loads((output / "run.json").read_text())
        run.lines.append(record | {"hash": inputs.fingerprint(output / "pairs.parquet"), "after_load": after_load(record)})

    return Contestant(f"{device} {' '.join(map(str, options))}".strip(), command, after=after)


def after_load(record):
    """Seconds from encoded records to sorted pairs: ranks, statistics, plan, join, verify, sort."""
    parts = record["operators"]
    return sum(part["seconds"] for part in parts if part["operator"] not in LOADED | WRITTEN)


def _parts(contestant):
    """Where the time of the last run went."""
    record = contestant.facts()
    if not record:
        return f"{contestant.name}: no run"
    parts = ", ".join(f"{operator_name(part)} {part['seconds']:.3f} s" for part in record["operators"])
    ran_on = f"{record['device']}{', ' + record['no_gpu']['why'].replace('_', ' ') if record.get('no_gpu') else ''}"
    return f"{contestant.name} ({ran_on}): {parts}"


def _agree(contestants):
    hashes = {c.name: c.facts().get("hash") for c in contestants if c.times()}
    if len(set(hashes.values())) <= 1:
        return "equal bytes" if len(hashes) > 1 else "not compared"
    return "**differ**: " + ", ".join(f"{name} {found}" for name, found in hashes.items())


def _both_clocks(title, contestants, bar, note=""):
    """Two cases of the same runs: whole processes, and what follows the load."""
    facts = contestants[0].facts()
    shared = {"nominal": facts.get("nominal_pairs"), "candidates": facts.get("candidates"), "pairs": facts.get("pairs")}
    cases = []
    for clock, seconds in (("whole process", None), ("after load", lambda run: run.facts["after_load"])):
        mine, *rivals = (dataclasses.replace(c, seconds=seconds) for c in contestants)
        found = case(f"{title}, {clock}", mine, rivals, agree=_agree(contestants), notes=[], **shared)
        found["ratio"] = "<br>".join(ratio(found["ours"], peer)[1] for peer in found["peers"])
        cases.append(found)
    cases[1]["verdict"] = under(cases[1]["ours"], bar)
    cases[0]["notes"] += [_parts(c) for c in contestants] + ([note] if note else [])
    return cases


def scaled(settings):
    """DBLP and ACM a hundred times over."""
    times = settings.size(scale_publications.TIMES, 2)
    folder = INPUTS / f"dblp_acm_x{times}"
    files = [folder / "a.csv", folder / "b.csv"]
    if not all(path.exists() for path in files):
        print(f"    making dblp_acm x {times}", flush=True)
        scale_publications.scale(settings.data / "dblp_acm", folder, times)
    cases = []
    for percent, bar in (("80", 0.25), ("90", 0.1)):
        rules = RULES / f"dblp_acm_x100_{percent}.toml"
        run = lambda device, *options: linked(f"x{times}_{percent}", files, rules, settings, device, *options)
        without = [run("cuda", "--device-without", part) for part in ("queue", "signatures")]
        contestants = [run("cuda"), run("cuda", "--device-memory", FOUR_GB), run("cpu"), *without]
        interleave(contestants, settings)
        title = f"dblp_acm x {times}, Jaro-Winkler >= 0.{percent[0]}"
        note = f"inputs {', '.join(inputs.fingerprint(path) for path in files)}"
        found = _both_clocks(title, contestants, bar, note)
        _at_most_twice(found[1])
        cases += found
    return cases


def _at_most_twice(found):
    """With little device memory a run may take twice its time."""
    little = found["peers"][0]
    if "median" in found["ours"] and "median" in little:
        times = little["median"] / found["ours"]["median"]
        text = judge(times <= 2, f"{times:.2f}x with 4 GB, <= 2x")
        found["verdict"] = "; ".join(part for part in (found["verdict"], text) if part)


def small(settings):
    """DBLP and ACM as they are: mostly the start of the device, which `auto` does without."""
    files = [settings.data / "dblp_acm" / f"{side}.csv" for side in "ab"]
    contestants = [linked("small", files, TESTKIT_RULES / "dblp_acm.toml", settings, d) for d in ("cuda", "auto", "cpu")]
    interleave(contestants, settings)
    cases = _both_clocks("dblp_acm, ten rules", contestants, 1.0)
    cases[1]["verdict"] = ""
    whole = cases[0]
    starts = [start for run in contestants[0].runs if (start := context_seconds(run.facts)) is not None]
    if starts and "median" in whole["ours"]:
        limit = statistics.median(starts) + 0.08
        whole["verdict"] = judge(whole["ours"]["median"] <= limit, f"<= {limit:.3f} s: context {limit - 0.08:.3f} s + 80 ms")
    if contestants[1].facts().get("device") not in (None, "cpu"):
        whole["notes"].append("**`auto` took the GPU**")
    return cases


def people(settings):
    """A million people and fifty rules: what is planned for the GPU, compared with joins as they are written, and with the CPU."""
    table = inputs.people(settings.size(1_000_000, 20_000))
    run = lambda device, *options: linked("people", [table], RULES / "ablation_people_50.toml", settings, device, *options)
    contestants = [run("cuda"), run("cuda", "--plan", "no-epg"), run("cpu")]
    interleave(contestants, settings)
    cases = _both_clocks("1,000,000 people, 50 rules", contestants, 1.0)
    cases[1]["verdict"] = ""
    return cases


def neighbours(settings):
    """Ten million people sorted by name, each compared with its neighbours: ranking counts as what follows the load."""
    count = settings.size(10_000_000, 20_000)
    table = inputs.people(count)
    run = lambda device, *options: linked("neighbours", [table], RULES / "people_neighbours.toml", settings, device, *options)
    contestants = [run("cuda"), run("cuda", "--device-memory", FOUR_GB), run("cpu")]
    interleave(contestants, settings)
    cases = _both_clocks(f"{count:,} people, neighbours within 20 places", contestants, 0.3)
    _at_most_twice(cases[1])
    return cases


def context_seconds(record):
    """What the start of the device took, by the run's own record."""
    found = [part["seconds"] for part in record.get("operators", []) if part["operator"] == "device"]
    return found[0] if found else None


ROWS = [
    Row(
        "gpu_people_50",
        "a million people, 50 rules, GPU and CPU",
        "the CPU's bytes; the plan for a GPU no slower than joins as they are written",
        people,
        gpu=True,
    ),
    Row(
        "gpu_neighbours",
        "ten million people sorted by name, each with its neighbours: given name and street Jaro-Winkler, GPU and CPU",
        "0.3 s after load, ranking included; the CPU's bytes; at most 2x with 4 GB of device memory",
        neighbours,
        gpu=True,
    ),
    Row(
        "gpu_dblp_acm_x100",
        "DBLP and ACM a hundred times over: year equal, title and authors Jaro-Winkler, GPU and CPU",
        "0.25 s (>= 0.8) and 0.1 s (>= 0.9) after load; the CPU's bytes; at most 2x with 4 GB of device memory",
        scaled,
        gpu=True,
    ),
    Row(
        "gpu_dblp_acm",
        "DBLP against ACM, whole process on the GPU",
        "the start of the device + 80 ms; auto takes the CPU",
        small,
        gpu=True,
    ),
]
