"""Clusters of all sets with a truth: connected components, and what the guide advises without a look at the truth.

Pairs come from the models of `scores/*.json`, or from a rule file of `clusters/` where there is none. Of a link it is known which of
its tables may repeat an entity. Of a deduplication the density says whether wrong pairs have chained clusters: the share of
every two records of a component that are a pair.
"""

import json
import shutil
import statistics
import subprocess

from ..case import case, judge
from ..measure import interleave
from ..settings import CLUSTERS, SCORES, WORK, program
from . import Row
from .score_sets import files
from .scores import JUDGED, blocking_rules, evaluated, scored

MODELS = ("febrl3", "fake_1000", "rldata10000", "cd_freedb", "restaurant")
RULE_FILES = ("dblp_titles_18k", "sigmod22_x1", "sigmod22_x2", "wdc_products")
# Links, with the table that may repeat an entity: Google lists offers, and Scholar citations.
LINKS = {
    "febrl4": None, "uk_census_cis": None, "dblp_acm": None, "fodors_zagat": None, "abt_buy": None,
    "amazon_google": "b", "dblp_scholar": "b",
}
SETS = (*MODELS, *RULE_FILES, *LINKS)
# The guide: components with a smaller density are chains.
CHAINED = 0.5
# F1 must be this much better on six sets, three of them deduplications, and on none that much worse.
GAIN, LOSS = 0.01, 0.02


def job(name, settings):
    """The contestant that finds the pairs of a set, the folder of its run, its truth, and the threshold of its clusters."""
    if name in RULE_FILES:
        folder = settings.data / name
        table = next(path for path in (folder / "a.csv", folder / "a.csv.gz") if path.exists())
        run = scored(f"clusters_{name}", table, CLUSTERS / f"{name}.toml", settings, learns=False)
        return run, WORK / f"clusters_{name}", folder / "matches.csv", 0.5
    tables, truth = files(name, settings)
    run = scored(f"clusters_{name}", tables, blocking_rules(SCORES / f"{name}.json", JUDGED), settings)
    return run, WORK / f"clusters_{name}", truth, JUDGED


def advised(name, density):
    """What the guide advises: options of `sameas cluster`, and what a rule file has."""
    if name in LINKS and LINKS[name]:
        return ["--one-to-many", LINKS[name]], f'one_to_many = "{LINKS[name]}"'
    if name in LINKS:
        return ["--one-to"], 'one_to = "one"'
    return (["--method", "louvain"], 'method = "louvain"') if density < CHAINED else ([], "components")


def f1(name, pairs, threshold, truth, options=()):
    """F1 of clusters that are made of the pairs of a set; of a link pairs across its tables count."""
    folder = WORK / "clusters_judged"
    shutil.rmtree(folder, ignore_errors=True)
    command = program("cluster", pairs, "--threshold", threshold, *options, "-o", folder, "-q")
    subprocess.run(command, check=True)
    return evaluated("clusters", folder / "clusters.parquet", truth, *(["--link"] if name in LINKS else []))["f1"]


def density_of(pairs, threshold):
    """The share of every two records of a component that are a pair."""
    command = program("sweep", pairs, "--thresholds", threshold, "--methods", "components", "--format", "json", "-q")
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(found.stdout)["rows"][0]["density"]


def measured(name, settings):
    """A case: F1 of components, and of what the guide advises."""
    run, pairs, truth, threshold = job(name, settings)
    run.most = 1
    interleave([run], settings)
    density = density_of(pairs, threshold)
    options, how = advised(name, density)
    components = f1(name, pairs, threshold, truth)
    chosen = f1(name, pairs, threshold, truth, options) if options else components
    return case(
        name, None, components=components, f1=chosen, density=f"{density:.2f}", kind="link" if name in LINKS else "dedupe",
        clusters=how, notes=[], ratio=f"F1 {components:.4f} by components, {chosen:.4f} by {how}; density {density:.2f}",
        verdict=judge(chosen > components - LOSS, f"> {components - LOSS:.4f}"),
    )


def of_all(cases):
    """How many sets are better, and by how much."""
    better = [found for found in cases if found["f1"] >= found["components"] + GAIN]
    dedupes = [found for found in better if found["kind"] == "dedupe"]
    means = {name: statistics.fmean(found[name] for found in cases) for name in ("components", "f1")}
    met = len(better) >= 6 and len(dedupes) >= 3
    text = f"{len(better)} of {len(cases)} sets at least {GAIN} better, {len(dedupes)} of them deduplications"
    return case(
        f"mean of {len(cases)} sets", None, **means, density="", kind="", clusters="", ratio=text,
        verdict=judge(met, "six sets, three deduplications"), notes=[],
    )


def sets(settings):
    """All sets."""
    cases = []
    for name in SETS:
        cases.append(measured(name, settings))
        print(f"    {name:<16} {cases[-1]['ratio']}", flush=True)
    cases.append(of_all(cases))
    print(f"    {cases[-1]['case']}: {cases[-1]['ratio']}", flush=True)
    return cases


ROWS = [
    Row(
        "cluster_sets", "clusters of all sets with a truth: components, and what the guide advises",
        "F1 at least 0.01 better on six sets, three of them deduplications, and on none more than 0.02 worse", sets, alone=True,
    ),
]
