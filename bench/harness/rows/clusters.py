"""Clusterings of random edges in memory, each in a process of its own, and one-to-one clusters beside those of Splink.

`sameas-bench clusters` checks each answer by what must hold of it, among it that a cluster has one record of each source at most; an
answer of which it does not hold ends it with an error.
"""

from ..case import case, judge, ratio
from ..measure import Contestant, inner, interleave
from ..settings import operator, peer
from . import Row

# Edges a second that are promised; of the others the figures are kept.
BARS = {
    "components": 5e6, "thresholds": 5e6, "max_size": 5e6, "limit": 5e6, "one_to_one": 5e6, "keep_apart": 1e6,
    "optimal": None, "average": None, "complete": None, "louvain": None, "bridges": None,
}
# Edges join rows of one block of this size, so no component is larger.
BLOCK = 2_000
# What a hundred million edges may take, and what Splink may.
GIGABYTES, SPLINKS_GIGABYTES = 2, 16


def shape(edges):
    """The number of edges, of rows, and the size of a block."""
    return edges, max(edges // 4, 2), BLOCK


def ours(name, edges):
    """Our clustering, once for each process."""
    options = zip(("--edges", "--rows", "--block"), shape(edges))
    command = operator("clusters", *(word for option in options for word in option), "--only", name, "--repeats", 1)
    return Contestant("sameas", command, inner)


def measured(settings, name, edges, rivals=()):
    """A clustering, with edges a second for every contestant, and what our program has said."""
    mine = ours(name, edges)
    interleave([mine, *rivals], settings)
    found, facts = case(f"{edges:,} edges, {name}", mine, rivals, notes=[]), mine.facts()
    for said in (found["ours"], *found["peers"]):
        if "median" in said:
            said["rate"] = edges / said["median"]
            said["label"] = f"{said['rate'] / 1e6:.3g} M edges/s"
    if "median" in found["ours"]:
        found["notes"].append(f"{found['ours']['label']}, {counted(facts['found'])}, {facts['peak_bytes'] / 1e6:,.0f} MB")
    return found | {"verdict": with_bar(found["ours"], BARS[name])}, facts


def counted(answer):
    """What came of a clustering, in words; of several thresholds the clusters of each."""
    if isinstance(answer["clusters"], list):
        return " ".join(f"{clusters:,}" for clusters in answer["clusters"]) + " clusters"
    return f"{answer['clusters']:,} clusters, {answer['cut']:,} edges cut"


def with_bar(facts, bar):
    """The verdict on edges a second."""
    if "rate" not in facts:
        return "no figure"
    return judge(facts["rate"] >= bar, f">= {bar / 1e6:.0f} M edges/s") if bar else ""


def beside_splink(settings, edges):
    """One-to-one clusters of the same edges by both. Splink takes some rounds for each chain of records."""
    command = peer("clusters_splink.py", *shape(edges), settings.threads)
    rivals = [] if settings.alone else [Contestant("Splink", command, inner, memory_gb=SPLINKS_GIGABYTES)]
    found, facts = measured(settings, "one_to_one", edges, rivals)
    if rivals:
        found["agree"] = agreement(facts, rivals[0].facts() if rivals[0].times() else None)
        _, found["ratio"] = ratio(found["ours"], found["peers"][0])
    return found


def agreement(mine, theirs):
    """Whether both had the same edges, and one record of each source in a cluster. Of equal weights each may take another edge, so
    that clusters may differ."""
    if not mine or not theirs:
        return "no peer finished"
    if mine["digest"] != theirs["digest"]:
        return "**differ**: other edges"
    if theirs["most_of_a_source"] > 1:
        return f"**differ**: Splink has {theirs['most_of_a_source']} records of one source in a cluster"
    return f"the same edges, both one-to-one; Splink has {theirs['clusters']:,} clusters"


def large(settings):
    """A hundred million edges, within their memory."""
    found, facts = measured(settings, "limit", settings.size(100_000_000, 500_000))
    if facts:
        found["verdict"] = judge(facts["peak_bytes"] <= GIGABYTES * 1e9, f"<= {GIGABYTES} GB")
    return found


def measure(settings):
    """All clusterings of the same number of edges; Splink's also of as few as it finishes."""
    edges, few = settings.size(5_000_000, 50_000), settings.size(50_000, 2_000)
    alone = [measured(settings, name, edges)[0] for name in BARS if name != "one_to_one"]
    return [*alone, beside_splink(settings, few), beside_splink(settings, edges), large(settings)]


ROWS = [
    Row(
        "clusters", "clusters of random weighted edges in memory, components of up to 2,000 records",
        f"5 M edges/s for components, thresholds and constraints, 1 M/s for keep_apart; {GIGABYTES} GB for 100 M edges", measure,
        alone=True, programs=("sameas-bench",),
    ),
]
