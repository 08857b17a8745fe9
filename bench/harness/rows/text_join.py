"""All pairs of names, with and without a cutoff, compared with `rapidfuzz.process.cdist`."""

import math

from .. import inputs
from ..case import agreement, at_least, case, ratio
from ..measure import Contestant, inner, interleave
from ..settings import operator, peer
from . import Row

JOINS = [("levenshtein", "2", 25), ("jaro_winkler", "0.9", 25), ("levenshtein", "none", 5), ("jaro_winkler", "none", 5)]


def pair_of(path, metric, cutoff, settings):
    """Us and RapidFuzz on one file of names."""
    ours = operator("text_join", "--file", path, "--measure", metric, "--cutoff", cutoff, "--repeats", 1)
    theirs = peer("text_join_rapidfuzz.py", path, metric, cutoff, settings.threads)
    return Contestant("sameas", ours, inner), Contestant("rapidfuzz cdist", theirs, inner)


def _same(mine, theirs):
    """With a cutoff the same pairs; without one the same sum over the matrix, up to the rounding of its additions."""
    if not mine or not theirs:
        return "no peer finished"
    if "digest" in mine:
        return agreement((mine["pairs"], mine["digest"]), [("rapidfuzz", (theirs["pairs"], theirs["digest"]))])
    close = math.isclose(mine["sum"], theirs["sum"], rel_tol=1e-6)
    return "equal sums" if close else f"**differ**: sums {mine['sum']} and {theirs['sum']}"


def measured(path, count, metric, cutoff, settings):
    """One case. Rates are nominal pairs, all of the square matrix, for both."""
    mine, rival = interleave(pair_of(path, metric, cutoff, settings), settings)
    facts = mine.facts()
    limit = "no cutoff" if cutoff == "none" else f"{'<=' if metric == 'levenshtein' else '>='} {cutoff}"
    found = case(
        f"{count:,} names, {metric}, {limit}", mine, [rival], nominal=count * count, candidates=facts.get("verified"),
        pairs=facts.get("pairs"), agree=_same(facts, rival.facts() if rival.times() else None),
        notes=[f"input {inputs.fingerprint(path)}"],
    )
    for facts in (found["ours"], *found["peers"]):
        if "median" in facts:
            facts["label"] = f"{count * count / facts['median'] / 1e6:,.0f} M pairs/s"
    below = rival.facts().get("below_cutoff") if rival.times() else None
    if below:
        note = f"cdist passed {below:,} pairs whose own value is below the cutoff; left out before comparing answers"
        found["notes"].append(note)
    found["notes"].append(f"ours {found['ours'].get('label', 'no figure')}, nominal pairs")
    return found


def measure(settings):
    """All four joins."""
    count = settings.size(20_000, 2_000)
    path = inputs.names(count)
    cases = []
    for metric, cutoff, bar in JOINS:
        found = measured(path, count, metric, cutoff, settings)
        value, found["ratio"] = ratio(found["ours"], found["peers"][0])
        found["verdict"] = at_least([value], [bar])
        cases.append(found)
    return cases


ROWS = [
    Row(
        "text_join_20k",
        "Levenshtein and Jaro-Winkler over all pairs of 20,000 names",
        "at least 25x rapidfuzz cdist (smallest result type) with a cutoff, 5x without",
        measure,
    )
]
