"""Scored pairs of all sets with a truth: models that are learned without it, ours and Splink's of the same comparisons.

The jobs, `scores/*.json`, were written without a look at the truth. What counts is F1 over all true pairs at the threshold
that a model itself states, probability 0.9: how well it orders pairs is not enough if it is wrong about how sure it is.

Beside the model as it is, one is learned with `--combine-dependent`, which takes comparisons together by the data alone.
"""

import json
import statistics
import tomllib
from pathlib import Path

from .. import inputs
from ..case import case, judge
from ..measure import interleave, summary
from ..settings import SCORES, WORK
from . import Row
from .scores import JUDGED, PEOPLE, RATES, blocking_rules, evaluated, scored, splink, summed_up

SETS = (
    "febrl3", "febrl4", "fake_1000", "rldata10000", "uk_census_cis", "people", "abt_buy", "amazon_google", "cd_freedb",
    "dblp_acm", "dblp_scholar", "fodors_zagat", "restaurant",
)
# The model that is learned with --combine-dependent.
COMBINED = "combined"


def files(name, settings):
    """The tables of a set, and its truth; people are generated."""
    if SCORES / f"{name}.json" == PEOPLE:
        table = inputs.people(settings.size(1_000_000, 20_000))
        return [table], inputs.truth(table)
    facts = json.loads((SCORES / f"{name}.json").read_text(encoding="utf-8"))
    return [settings.data / file for file in facts["inputs"]], settings.data / facts["truth"]


def measured(name, settings):
    """A case: a model is trained and pairs are found from its threshold on, by us twice, for the same bytes."""
    job, (tables, truth) = SCORES / f"{name}.json", files(name, settings)
    rules = blocking_rules(job, JUDGED)
    mine = scored(f"scores_set_{name}", tables, rules, settings)
    combined = scored(f"scores_set_{name}_{COMBINED}", tables, rules, settings, training=["--combine-dependent"])
    combined.name = COMBINED
    rivals = [] if settings.alone else [splink(job, tables, settings, JUDGED)]
    mine.most = 2
    for other in (combined, *(rival for rival, _ in rivals)):
        other.most = 1
    interleave([mine, combined, *(rival for rival, _ in rivals)], settings)
    found = summed_up(name, mine, [rival for rival, _ in rivals]) | {COMBINED: summary(combined)}
    if combined.times():
        found[COMBINED] |= {"together": together(WORK / f"scores_set_{name}_{COMBINED}.model.toml")}
    ours = [(run, WORK / f"scores_set_{name}{end}" / "pairs.parquet") for run, end in ((mine, ""), (combined, f"_{COMBINED}"))]
    links = ["--link"] if len(tables) > 1 else []
    for facts, (contestant, pairs) in zip(contestants(found), [*ours, *rivals], strict=True):
        if contestant.times():
            facts |= evaluated("pairs", pairs, truth, *links)
    return labelled(found)


def together(model):
    """The comparisons that a model takes together."""
    comparisons = tomllib.loads(model.read_text(encoding="utf-8"))["comparison"]
    return [each["combines"] for each in comparisons if "combines" in each]


def contestants(found):
    """The facts of all contestants of a case: the model as it is, the one that takes comparisons together, and Splink."""
    return [found, *([found[COMBINED]] if COMBINED in found else []), *found["peers"]]


def labelled(found):
    """The case with its rates in words."""
    for facts in contestants(found):
        if "f1" in facts:
            words = ", ".join(f"{rate} {facts[rate]:.4f}" for rate in RATES)
            found["notes"].append(f"{facts.get('name', 'sameas')} from probability {JUDGED} on: {words}")
    if "together" in found.get(COMBINED, {}):
        pairs = ", ".join(" and ".join(names) for names in found[COMBINED]["together"])
        found["notes"].append(f"{COMBINED} takes together: {pairs or 'nothing'}")
    if "f1" in found:
        others = "".join(f", {facts['name']} {facts['f1']:.4f}" for facts in contestants(found)[1:] if "f1" in facts)
        found["ratio"] = f"F1 {found['f1']:.4f}{others}"
    return found


def mean(cases):
    """The mean F1 of all sets. A set where a contestant fails counts 0 for it."""
    names = [name for name, _ in rates(cases[0])]
    values = [statistics.fmean(rate) for rate in zip(*([f1 for _, f1 in rates(found)] for found in cases), strict=True)]
    means = dict(zip(names, values, strict=True))
    words = ", ".join(f"{name} {value:.4f}" for name, value in means.items())
    found = case(f"mean of {len(cases)} sets", None, ratio=f"F1 {words}", f1=means["sameas"], notes=[])
    if COMBINED in means:
        found["combined_f1"] = means[COMBINED]
    if "Splink" in means:
        found |= {"splink_f1": means["Splink"], "verdict": judge(means["sameas"] > means["Splink"], "above Splink's")}
        if COMBINED in means:
            met = judge(means[COMBINED] > means["Splink"], "above Splink's")
            found["notes"].append(f"{COMBINED}: mean F1 {means[COMBINED]:.4f}, {met}")
    return found


def rates(found):
    """The contestants of a case with their F1."""
    return [(facts.get("name", "sameas"), facts.get("f1") or 0.0) for facts in contestants(found)]


def show(cases):
    """Prints F1 side by side."""
    print(f"    {'set':<16}" + "".join(f"{name:>10}" for name, _ in rates(cases[0])))
    for found in cases:
        print(f"    {found['case']:<16}" + "".join(f"{f1:>10.4f}" for _, f1 in rates(found)), flush=True)


def sets(settings):
    """All sets whose data is there."""
    there = [name for name in SETS if all(Path(file).exists() for file in files(name, settings)[0])]
    cases = [measured(name, settings) for name in there]
    of_all = mean(cases)
    show(cases)
    print(f"    {of_all['case']}: {of_all['ratio']}", flush=True)
    return [*cases, of_all]


ROWS = [
    Row(
        "scores_sets", "models learned on all sets with a truth, F1 from probability 0.9 on",
        "a mean F1 above that of Splink with the same comparisons", sets, alone=True,
    ),
]
