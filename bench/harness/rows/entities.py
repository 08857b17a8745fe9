"""Golden records: what they take on top of a run, and a whole job with them of which GoldenMatch has published a time on Ray."""

import dataclasses
import json

from .. import inputs
from ..case import case, judge, under
from ..measure import Contestant, interleave
from ..settings import RULES, WORK, program
from . import Row

# What is taken of people: a condition, an order, and columns that are not mixed.
OF_PEOPLE = """
[entity]
given_name = "most_frequent"
surname = "longest"
email = { take = "most_frequent", where = "email like '%@%'" }
phone = "most_frequent"
birth_date = { take = "most_frequent" }
address = { take = "most_complete", columns = ["street", "postcode", "city"] }
"""

# GoldenMatch's time for a hundred million records, on 80 cores.
PUBLISHED = 552
# The records of an entity of its table, and the pairs of these.
EACH, PAIRS = 5, 10

# What the program does after pairs and clusters, by its name in run.json.
STEP = "write_records"


def _run(name, table, rules, settings, device, *options):
    """A whole run; its record is added to the facts of each run."""
    output = WORK / name
    command = program(
        "dedupe", table, "--rules", rules, "-o", output, "--overwrite", "-q", "--threads", settings.threads, "--device", device, *options
    )

    def after(run):
        record = json.loads((output / "run.json").read_text())
        step = sum(part["seconds"] for part in record["operators"] if part["operator"] == STEP)
        run.lines.append(record | {"step": step})

    return Contestant(name, command, after=after, limit=3600)


def _people_with_entities(rules):
    """The rules, and what is taken of people."""
    path = WORK / f"{rules}_entities.toml"
    path.write_text((RULES / f"{rules}.toml").read_text() + OF_PEOPLE)
    return path


def _counts(facts):
    """The numbers of a run, for a note."""
    entities = (facts.get("entities") or {}).get("entities", 0)
    return f"{facts.get('pairs', 0):,} pairs, {entities:,} entities"


def on_two_cores(settings):
    """The step alone on ten million people, and the published job at a size for a laptop."""
    count = settings.size(10_000_000, 20_000)
    table, rules = inputs.people(count), _people_with_entities("people_equal")
    cases = []
    for options in [(), ("--memory", "4GB")]:
        whole = _run("entities", table, rules, settings, "cpu", *options)
        interleave([whole], settings)
        step = dataclasses.replace(whole, seconds=lambda run: run.facts["step"])
        title = " ".join(["entities of", f"{count:,} people", *options])
        found = case(title, step, pairs=whole.facts().get("pairs"), notes=[_counts(whole.facts())])
        cases.append(found | {"verdict": under(found["ours"], 20)})
    return [*cases, _of_five(settings, settings.size(2_000_000, 20_000), "cpu", None)]


def on_the_gpu(settings):
    """What entities add to a run of 36 million people, and the published job at its size."""
    count = settings.size(36_000_000, 20_000)
    table = inputs.people(count)
    mine = _run("people_with_entities", table, _people_with_entities("people_ten"), settings, "cuda")
    without = _run("people_without", table, RULES / "people_ten.toml", settings, "cuda")
    interleave([mine, without], settings)
    found = case(f"{count:,} people, `people_ten`, with entities", mine, [without], notes=[_counts(mine.facts())])
    if all("median" in clocked for clocked in (found["ours"], found["peers"][0])):
        times = found["ours"]["median"] / found["peers"][0]["median"]
        found["verdict"] = judge(times <= 1.3, f"{times:.2f}x of the run without, <= 1.3x")
    return [found, _of_five(settings, settings.size(100_000_000, 20_000), "cuda", 90)]


def _of_five(settings, count, device, bar):
    """The published job: pairs, components and golden records of entities of five records."""
    run = _run("entities_of_five", inputs.entities_of(EACH, count), RULES / "entities_of_five.toml", settings, device)
    interleave([run], settings)
    facts, notes = run.facts(), [_counts(run.facts()), f"GoldenMatch on Ray, 80 cores, 100 M records, as published: {PUBLISHED} s"]
    found = case(f"{count:,} records in entities of five", run, pairs=facts.get("pairs"), notes=notes)
    entities = (facts.get("entities") or {}).get("entities")
    found["agree"] = "as made" if (facts.get("pairs"), entities) == (count // EACH * PAIRS, count // EACH) else "**differ**: other pairs"
    return found | ({"verdict": under(found["ours"], bar)} if bar else {})


ROWS = [
    Row(
        "entities",
        "golden records of ten million people, and GoldenMatch's published job on Ray at two million records",
        "10 M records in 20 s on two cores",
        on_two_cores,
        alone=True,
        programs=("sameas", "sameas-bench"),
    ),
    Row(
        "gpu_entities",
        "golden records of 36 million people, and GoldenMatch's published job on Ray, whole processes on the GPU",
        "at most 1.3x of the run without; 100 M records in 90 s",
        on_the_gpu,
        gpu=True,
        programs=("sameas", "sameas-bench"),
    ),
]
