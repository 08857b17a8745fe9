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

TWO_GB, FOUR_GB = 2_000_000_000, 4_000_000_000
# The parts of a run that come before its candidates and after its pairs, by their names in run.json.
LOADED = {"device", "read", "derive", "encode"}
WRITTEN = {"write_pairs", "write_clusters", "write_cut", "write_records"}
# What is a part of a join's time.
WITHIN = {"prepare_on_device", "run_on_device"}


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
    return sum(part["seconds"] for part in parts if part["operator"] not in LOADED | WRITTEN | WITHIN)


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


def both_clocks(title, contestants, bar, note=""):
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


def _scaled_publications(settings):
    """The folder of DBLP and ACM many times over."""
    times = settings.size(scale_publications.TIMES, 2)
    folder = INPUTS / f"dblp_acm_x{times}"
    if not all((folder / f"{side}.csv").exists() for side in "ab"):
        print(f"    making dblp_acm x {times}", flush=True)
        scale_publications.scale(settings.data / "dblp_acm", folder, times)
    return folder


def scaled(settings):
    """DBLP and ACM a hundred times over."""
    times = settings.size(scale_publications.TIMES, 2)
    folder = _scaled_publications(settings)
    files = [folder / "a.csv", folder / "b.csv"]
    cases = []
    for percent, bar in (("80", 0.25), ("90", 0.1)):
        rules = RULES / f"dblp_acm_x100_{percent}.toml"
        run = lambda device, *options: linked(f"x{times}_{percent}", files, rules, settings, device, *options)
        without = [run("cuda", "--device-without", part) for part in ("queue", "signatures")]
        contestants = [run("cuda"), run("cuda", "--device-memory", FOUR_GB), run("cpu"), *without]
        interleave(contestants, settings)
        title = f"dblp_acm x {times}, Jaro-Winkler >= 0.{percent[0]}"
        note = f"inputs {', '.join(inputs.fingerprint(path) for path in files)}"
        found = both_clocks(title, contestants, bar, note)
        _at_most_twice(found[1])
        cases += found
    return cases


def _at_most_twice(found, memory="4 GB"):
    """With little device memory a run may take twice its time."""
    little = found["peers"][0]
    if "median" in found["ours"] and "median" in little:
        times = little["median"] / found["ours"]["median"]
        text = judge(times <= 2, f"{times:.2f}x with {memory}, <= 2x")
        found["verdict"] = "; ".join(part for part in (found["verdict"], text) if part)


def small(settings):
    """DBLP and ACM as they are: mostly the start of the device, which `auto` does without."""
    files = [settings.data / "dblp_acm" / f"{side}.csv" for side in "ab"]
    contestants = [linked("small", files, TESTKIT_RULES / "dblp_acm.toml", settings, d) for d in ("cuda", "auto", "cpu")]
    interleave(contestants, settings)
    cases = both_clocks("dblp_acm, ten rules", contestants, 1.0)
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
    cases = both_clocks("1,000,000 people, 50 rules", contestants, 1.0)
    cases[1]["verdict"] = ""
    return cases


def neighbours(settings):
    """Ten million people sorted by name, each compared with its neighbours: ranking counts as what follows the load."""
    count = settings.size(10_000_000, 20_000)
    table = inputs.people(count)
    run = lambda device, *options: linked("neighbours", [table], RULES / "people_neighbours.toml", settings, device, *options)
    contestants = [run("cuda"), run("cuda", "--device-memory", FOUR_GB), run("cpu")]
    interleave(contestants, settings)
    cases = both_clocks(f"{count:,} people, neighbours within 20 places", contestants, 0.3)
    _at_most_twice(cases[1])
    return cases


# Seconds at most: of the whole process, and after load; `None` where nothing is asked.
LARGE = [
    (10_000_000, "ablation_people_50", 20, 10, True),
    (36_000_000, "people_ten", 20, None, True),
    (36_000_000, "ablation_people_50", 150, None, False),
]


def large(settings):
    """Tens of millions of people, with all of the device's memory and with 2 GB of it."""
    cases = []
    for count, rules, whole, after, little in LARGE:
        count = settings.size(count, 20_000)
        run = lambda *options: linked(rules, [inputs.people(count)], RULES / f"{rules}.toml", settings, "cuda", *options)
        contestants = [run(), *([run("--device-memory", TWO_GB)] if little else [])]
        interleave(contestants, settings)
        found = both_clocks(f"{count:,} people, `{rules}`", contestants, after or 0)
        found[0]["verdict"] = under(found[0]["ours"], whole)
        if after is None:
            found[1]["verdict"] = ""
        if little:
            _at_most_twice(found[0], "2 GB")
        cases += found
    return cases


# What clusters may be, beside rules.
LIMITED = """
[clusters]
max_size = 20

[[limit]]
values_of = "birth_date"
most = 2
"""


def clustered(settings):
    """Clusters by a size and a limit, whose pairs between clusters are written too, beside connected components."""
    count = settings.size(36_000_000, 20_000)
    limited = WORK / "people_ten_limited.toml"
    limited.write_text((RULES / "people_ten.toml").read_text() + LIMITED)
    run = lambda name, rules: dataclasses.replace(linked(name, [inputs.people(count)], rules, settings, "cuda"), name=name)
    contestants = [run("limited", limited), run("components", RULES / "people_ten.toml")]
    interleave(contestants, settings)
    found = both_clocks(f"{count:,} people, `people_ten`, at most 20 records and two birth dates a cluster", contestants, 0)
    whole = found[0]
    if all("median" in clocked for clocked in (whole["ours"], whole["peers"][0])):
        times = whole["ours"]["median"] / whole["peers"][0]["median"]
        whole["verdict"] = judge(times <= 1.3, f"{times:.2f}x of components, <= 1.3x")
    found[1]["verdict"] = ""
    return found


# What is left out, or done as "HyperBlocker" does it, to see what it is worth.
WITHOUT = [("--device-without", part) for part in ("queue", "sequence", "signatures", "gate", "overlap")]
SCHEDULES = [("--device-schedule", name) for name in ("continuous", "windows", "window-stealing", "range-stealing")]


def ablation(settings):
    """What each part of the work on the device is worth: seconds of its kernels and copies, by the run's own record."""
    folder = _scaled_publications(settings)
    people = lambda count: [inputs.people(settings.size(count, 20_000))]
    jobs = [
        ("dblp_acm x 100, Jaro-Winkler >= 0.8", [folder / "a.csv", folder / "b.csv"], "dblp_acm_x100_80"),
        ("1,000,000 people, 50 rules", people(1_000_000), "ablation_people_50"),
        ("10,000,000 people, ten rules", people(10_000_000), "people_ten"),
    ]
    cases = []
    for title, files, rules in jobs:
        run = lambda *options: linked(rules, files, RULES / f"{rules}.toml", settings, "cuda", *options)
        contestants = [run(), *(run(*options) for options in WITHOUT + SCHEDULES)]
        interleave(contestants, settings)
        mine, *others = (dataclasses.replace(c, seconds=lambda run: on_device(run.facts)) for c in contestants)
        facts = mine.facts()
        found = case(
            f"{title}, on the device", mine, others, nominal=facts.get("nominal_pairs"), candidates=facts.get("candidates"),
            pairs=facts.get("pairs"), agree=_agree(contestants), notes=[],
        )
        found["ratio"] = "<br>".join(ratio(found["ours"], peer)[1] for peer in found["peers"])
        cases.append(found)
    return cases


def on_device(record):
    """Seconds in which branches ran on the device, results taken included."""
    return sum(part["seconds"] for part in record["operators"] if part["operator"] == "run_on_device")


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
        "gpu_people_large",
        "10 and 36 million people, whole processes on the GPU",
        "10 M, 50 rules: 20 s, 10 s after load; 36 M, ten rules: 20 s; 36 M, 50 rules: 150 s; at most 2x with 2 GB of device memory",
        large,
        gpu=True,
    ),
    Row(
        "gpu_clusters",
        "36 million people in clusters with a size and a limit, and in connected components, whole processes on the GPU",
        "at most 1.3x of components",
        clustered,
        gpu=True,
    ),
    Row(
        "gpu_ablation",
        "the work on the device without parts of it, and with the schedules of HyperBlocker",
        "the same bytes; what each part is worth",
        ablation,
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
