"""Edit-distance self-joins of distinct full names."""

from .. import inputs
from ..case import agreement, case, under
from ..measure import Contestant, inner, interleave
from ..settings import operator, peer
from . import Row

SECONDS = {1: 2.0, 2: 6.0}


def ours(path, k, check):
    """Our operator; afterwards the pairs of `check` texts are compared with those of a nested loop."""
    return Contestant("sameas", operator("edit_join", "--file", path, "--k", k, "--repeats", 1, "--check", check), inner)


def _case(settings, count, k, with_peer):
    path = inputs.names(count)
    mine = ours(path, k, settings.size(200, 50))
    rivals = []
    if with_peer:
        command = peer("text_join_rapidfuzz.py", path, "levenshtein", k, settings.threads)
        rivals.append(Contestant("rapidfuzz cdist", command, inner))
    interleave([mine, *rivals], settings)
    facts = mine.facts()
    # The operator pairs every text with itself too.
    pairs = facts["pairs"] - facts["n"] if facts else None
    found = case(
        f"{count:,} names, Levenshtein <= {k}", mine, rivals, nominal=count * (count - 1) // 2,
        candidates=facts.get("candidates"), pairs=pairs, notes=[f"input {inputs.fingerprint(path)}"],
    )
    if with_peer:
        found["agree"] = agreement(pairs, [(r.name, r.facts()["pairs"]) for r in rivals if r.times()])
    else:
        found["agree"] = f"equal to a nested loop for {settings.size(200, 50)} names" if facts else ""
        found["verdict"] = under(found["ours"], SECONDS[k])
    return found


def measure(settings):
    """A million names against the bar; twenty thousand against RapidFuzz, for the answer."""
    million, few = settings.size(1_000_000, 20_000), settings.size(20_000, 2_000)
    return [_case(settings, few, k, True) for k in SECONDS] + [_case(settings, million, k, False) for k in SECONDS]


BAR = "under 2 s (distance <= 1) and 6 s (<= 2), exact"
ROWS = [Row("edit_join_1m", "edit_join of 1 M distinct full names", BAR, measure)]
