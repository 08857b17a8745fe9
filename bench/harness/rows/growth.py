"""How time grows with the number of people, for ten rules of equality."""

from .. import inputs
from ..case import case, judge
from ..measure import interleave
from ..settings import WORK
from . import Row
from .people import ours, record


def _at(settings, count):
    output = WORK / "growth"
    mine = ours(inputs.people(count), "people_equal.toml", output, settings)
    interleave([mine], settings)
    facts = record(output)
    found = case(
        f"{count:,} people, ten equality rules", mine, nominal=count * (count - 1) // 2, candidates=facts.get("candidates"),
        pairs=facts.get("pairs"), notes=[],
    )
    if facts and "median" in found["ours"]:
        found["cost"] = found["ours"]["median"] / (count + facts["candidates"])
        paths = {edge["path"] for edge in facts["plan"]}
        quadratic = "all_pairs, which is quadratic, among them" if "all_pairs" in paths else "none quadratic"
        note = f"{found['cost'] * 1e9:.1f} ns per row and candidate; paths: {', '.join(sorted(paths))}, {quadratic}"
        found["notes"].append(note)
    return found


def measure(settings):
    """Four sizes, each twice the one before."""
    first = settings.size(1_000_000, 10_000)
    cases = [_at(settings, first << step) for step in range(4)]
    least = min((found["cost"] for found in cases if "cost" in found), default=None)
    for found in cases:
        if "cost" in found and "cost" in cases[0]:
            times = found["cost"] / cases[0]["cost"]
            found["ratio"] = f"{times:.2f}x the cost at {first:,}; {found['cost'] / least:.2f}x the least"
            found["verdict"] = judge(times <= 1.3, "<= 1.3x")
    return cases


BAR = "time / (rows + candidates) grows at most 1.3x"
ROWS = [Row("growth", "growth of ten equality rules from 1 M to 8 M people", BAR, measure)]
