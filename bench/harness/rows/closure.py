"""Transitive closures beside Datalog engines and a recursive query; connected components.

The graphs are read where they are, in the folder `graphs` of `--data`.
"""

from ..case import agreement, at_least, case, fastest, judge, ratio, under
from ..measure import Contestant, execute, inner, interleave
from ..peers import DATALOG
from ..settings import BENCH, operator, peer, program
from . import Row

COUNTS = BENCH / "closure-counts.txt"


def _exact():
    """The number of pairs of each closure, the smallest first; of `usroads-48` nobody has counted them."""
    lines = [line.split() for line in COUNTS.read_text().splitlines() if not line.startswith("#")]
    known = sorted((int(pairs), name) for name, what, pairs in lines if what == "closure")
    return {name: pairs for pairs, name in known} | {"usroads-48": None}


EXACT = _exact()
QUICK = ["OL.cedge", "wing"]

# What every peer may take.
SECONDS, GIGABYTES = 300, 16


def rivals(path, answer, settings):
    """The peers. Those in Rust hold the answer as tuples whether it is counted or kept; datafrog has one thread."""
    limits = {"limit": min(SECONDS, settings.limit), "memory_gb": GIGABYTES}
    duckdb = peer("closure_duckdb.py", answer, path, settings.threads, GIGABYTES)
    engines = [Contestant(name, [str(DATALOG), name, str(path)], inner, **limits) for name in ("ascent", "datafrog")]
    return [*engines, Contestant("DuckDB", duckdb, inner, **limits)]


def graph(settings, name):
    """The file of a graph."""
    return settings.data / "graphs" / f"{name}.txt.gz"


def measured(settings, name, mine, answer, bar):
    """One graph: us and the peers by turns, every answer compared with the known number."""
    theirs = rivals(graph(settings, name), answer, settings)
    interleave([mine, *theirs], settings)
    facts = mine.facts()
    found = case(name, mine, theirs, pairs=facts.get("pairs"), notes=[])
    answers = [(r.name, r.facts()["pairs"]) for r in theirs if r.times()]
    found["agree"] = agreement(facts.get("pairs"), answers)
    for said, rival in zip(found["peers"], theirs):
        if rival.times() and EXACT[name] not in (None, rival.facts()["pairs"]):
            said |= {"wrong": True, "label": f"wrong: {rival.facts()['pairs']:,} pairs"}
    best = fastest(found["peers"])
    value, found["ratio"] = ratio(found["ours"], best) if best else (None, "no peer finished")
    exact = judge(facts.get("pairs") == EXACT[name], f"{EXACT[name]:,} pairs") if EXACT[name] else ""
    found["verdict"] = "; ".join(text for text in (exact, at_least([value], [bar])) if text)
    return found


def _noted(found, facts, whole):
    parts = [f"{facts[key] * 1e3:.1f} ms {what}" for key, what in (("read_seconds", "reading"),) if key in facts]
    parts.append(f"whole process {whole.wall:.3f} s" if not whole.error else f"whole process: {whole.error}")
    if "method" in facts:
        parts.append(f"by {facts['method']}")
    found["notes"].append(", ".join(parts))


def counted(settings):
    """Every graph, counted: we choose the method."""
    cases = []
    for name in QUICK if settings.quick else EXACT:
        path = graph(settings, name)
        mine = Contestant("sameas", operator("closure", path, "--repeats", 1), inner)
        found = measured(settings, name, mine, "count", 5)
        command = program("closure", path, "--count", "--threads", settings.threads)
        _noted(found, mine.facts(), execute(command, settings.limit, settings.environment()))
        if name == "usroads":
            found["verdict"] += f"; {under(found['ours'], 0.5)}"
        cases.append(found)
    return cases


def kept(settings):
    """One graph by the fixpoint, all tuples in memory."""
    name = "OL.cedge" if settings.quick else "CA-HepTh"
    path = graph(settings, name)
    mine = Contestant("sameas, fixpoint", operator("closure", path, "--repeats", 1, "--method", "fixpoint", "--keep"), inner)
    return [measured(settings, name, mine, "keep", 5)]


def components(settings):
    """Random edges, four for each vertex."""
    cases = []
    for vertices, bar in ((1_000_000, 150e6), (100_000_000, 60e6)):
        count = settings.size(vertices, vertices // 1000)
        mine = Contestant("sameas", operator("components", "--vertices", count, "--edges", 4 * count, "--repeats", 3), inner)
        interleave([mine], settings)
        facts = mine.facts()
        found = case(f"{count:,} vertices, {4 * count:,} edges", mine, notes=[])
        if "median" in found["ours"]:
            rate = 4 * count / found["ours"]["median"]
            found["notes"].append(f"{rate / 1e6:.0f} M edges/s, {facts['components']:,} components")
            found["verdict"] = judge(rate >= bar, f">= {bar / 1e6:.0f} M edges/s")
        cases.append(found)
    return cases


TIMED = "from edges in memory, numbering and components included"
ROWS = [
    Row(
        "closure_count", f"transitive closure of 19 graphs counted, {TIMED}",
        f"exact; at least 5x the best peer, each with {SECONDS} s and {GIGABYTES} GB; usroads in 0.5 s", counted,
    ),
    Row(
        "closure_kept", f"transitive closure of CA-HepTh by the fixpoint, held as tuples, {TIMED}",
        "exact; at least 5x the best peer", kept,
    ),
    Row("components", "connected components of random edges", "150 M edges/s at 1 M vertices, 60 M/s at 100 M", components),
]
