"""Equality joins of Zipf-distributed keys, at the size of the paper and compared with a chained join, DuckDB and Polars."""

from ..case import agreement, at_least, case, judge, ratio
from ..measure import Contestant, interleave
from ..settings import operator, peer
from . import Row

STEPS = [round(step / 10, 1) for step in range(11)]
# Runs of one process, fewer where pairs are many; at Zipf 1.0 32 M x 32 M have 5 x 10^12 pairs.
REPEATS = {0.8: 3, 0.9: 1, 1.0: 1}


def _line(run, name):
    return next(line for line in run.lines if line["op"] == name)


def _seconds(name):
    return lambda run: _line(run, name)["seconds"]


# Tasks of the written join at Zipf 1.0, spread evenly over all: written whole, it takes a quarter of an hour.
SAMPLE = 100_000


def ours(n, zipf, shape, consumer, repeats):
    """Our join; one process, in which the runs follow each other."""
    part = ["--tasks", SAMPLE] if consumer == "write" and zipf == 1.0 else []
    command = operator(
        "equi_join", "--n", n, "--zipf", zipf, "--shape", shape, "--consumer", consumer, "--repeats", repeats, *part
    )
    return Contestant("sameas", command, _seconds("equi_join"), limit=3600, most=1)


def _swept(settings, shape, consumer, zipf):
    """One step of the sweep."""
    n = settings.size(32_000_000, 200_000)
    mine = ours(n, zipf, shape, consumer, 1 if settings.quick else REPEATS.get(zipf, 5))
    interleave([mine], settings)
    facts = mine.facts()
    joined, nominal, records = (f"{n:,} x {n:,}", n * n, 2 * n) if shape == "two" else (f"{n:,} self-join", n * (n - 1) // 2, n)
    found = case(
        f"{joined}, Zipf {zipf}, {consumer}", mine, nominal=nominal, candidates=facts.get("expected_pairs"),
        pairs=facts.get("pairs"), zipf=zipf, records=records,
        agree="equal to counting by key" if facts.get("complete") else "", notes=[],
    )
    if facts and not facts.get("complete"):
        found["notes"].append(f"{SAMPLE:,} tasks, spread evenly over the join, were run: the rate counts their pairs")
    if facts and "median" in found["ours"]:
        found["rate"] = facts["pairs"] / found["ours"]["median"]
        found["ratio"] = f"{found['rate'] / 1e9:.3g} G pairs/s"
    return found


def _law(cases):
    """Sets a and b of a(|L|+|R|) + b*pairs by the two ends of the sweep, and compares every step with it."""
    known = [c for c in cases if "rate" in c]
    if len(known) < 3:
        return
    first, last = known[0], known[-1]
    t0, t1 = first["ours"]["median"], last["ours"]["median"]
    n0, n1, p0, p1 = first["records"], last["records"], first["pairs"], last["pairs"]
    b = (t1 * n0 - t0 * n1) / (p1 * n0 - p0 * n1)
    a = (t0 - b * p0) / n0
    for found in known:
        times = found["ours"]["median"] / (a * found["records"] + b * found["pairs"])
        found["law"] = times
        found["verdict"] = judge(times <= 1.5, f"{times:.2f}x the law, <= 1.5x")
    law = f"the law: a = {a * 1e9:.3g} ns per record, b = {b * 1e12:.3g} ps per pair, from both ends of the sweep"
    first["notes"].append(law)


def _absolute(cases, bars):
    for found in cases:
        bar = bars.get(found["zipf"])
        if bar and "rate" in found:
            met, text = bar(found)
            found["verdict"] = "; ".join(t for t in (found.get("verdict"), judge(met, text)) if t)


def sweep(settings):
    """All steps of the exponent, both shapes consumed; written at both ends and where skew begins."""
    two = [_swept(settings, "two", "count", zipf) for zipf in STEPS]
    _law(two)
    seconds = lambda found: (found["ours"]["median"] <= 1.2, "<= 1.2 s")
    consumed = lambda found: (found["rate"] >= 25e9, ">= 25 G pairs/s")
    written = lambda found: (found["rate"] >= 6e9, ">= 6 G pairs/s")
    itself = [_swept(settings, "self", "count", zipf) for zipf in STEPS]
    _law(itself)
    wrote = [_swept(settings, "two", "write", zipf) for zipf in (0.0, 0.5, 1.0)]
    if not settings.quick:
        _absolute(two, {0.0: seconds, 0.5: seconds, 1.0: consumed})
        _absolute(wrote, {1.0: written})
    return two + itself + wrote


def _compared(settings, n, zipf):
    threads = settings.threads
    mine = ours(n, zipf, "two", "count", 1)
    chained = Contestant(
        "chained radix join",
        operator("equi_join", "--n", n, "--zipf", zipf, "--repeats", 1, "--chained"),
        _seconds("chained_join"),
    )
    mine.most = 0
    duckdb = Contestant("DuckDB", peer("equi_join_engines.py", "duckdb", n, zipf, threads), lambda r: r.facts["seconds"])
    rivals = [chained, duckdb]
    if zipf <= 0.5:
        command = peer("equi_join_engines.py", "polars", n, zipf, threads)
        rivals.append(Contestant("Polars", command, lambda r: r.facts["seconds"]))
    interleave([mine, *rivals], settings)
    facts = mine.facts()
    answers = [(r.name, (r.facts()["matched"], r.facts()["checksum"])) for r in rivals if r.times()]
    answer = (facts.get("matched"), facts.get("checksum")) if facts else None
    found = case(
        f"{n:,} x {n:,}, Zipf {zipf}", mine, rivals, nominal=n * n, candidates=facts.get("expected_pairs"),
        pairs=facts.get("matched"), agree=agreement(answer, answers), notes=[],
    )
    ratios = [ratio(found["ours"], p) for p in found["peers"]]
    found["ratio"] = "<br>".join(text for _, text in ratios)
    if zipf == 1.0:
        found["verdict"] = at_least([value for value, _ in ratios[:2]], [20, 10])
    return found


def beside_peers(settings):
    """The same input, number for number, in all engines. DuckDB's time at Zipf 1.0 is also taken at a size it finishes."""
    large, small = settings.size(4_000_000, 100_000), settings.size(1_000_000, 50_000)
    return [_compared(settings, n, zipf) for n, zipf in [(large, 0.0), (large, 0.5), (large, 0.8), (small, 1.0), (large, 1.0)]]


ROWS = [
    Row(
        "equi_join_32m",
        "equality joins of 32 M x 32 M and of 32 M with themselves, Zipf 0 to 1",
        "within 1.5x of a(|L|+|R|) + b*pairs for every Zipf; 1.2 s at 0 and 0.5; at 1.0 25 G pairs/s consumed, 6 G written",
        sweep,
    ),
    Row(
        "equi_join_4m",
        "equality joins of 4 M x 4 M compared with other joins",
        "at Zipf 1.0 at least 20x the chained radix join and 10x DuckDB",
        beside_peers,
    ),
]
