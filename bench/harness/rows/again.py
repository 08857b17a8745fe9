"""A second job over records that another has loaded, and questions about a run: nothing is read, encoded or counted twice."""

from .. import inputs
from ..case import case, under
from ..measure import Contestant, interleave
from ..settings import RULES, operator
from . import Row

# Seconds that a second job may take for what the first has done, and an answer of a run.
LOADING, WHY = 0.05, 0.005


def _measured(settings, path, name, seconds, label):
    """One of our operators, which times some of its work itself: `seconds` is what it calls that."""
    command = operator(name, path, "--rules", RULES / "people_ten.toml", "--threads", settings.threads)
    mine = Contestant("sameas", command, lambda run: run.facts[seconds])
    interleave([mine], settings)
    return case(label, mine, notes=[]), mine.facts()


def loading(settings, path, label):
    """Reading, deriving, encoding and statistics of a second job; one that does any of it again fails."""
    found, facts = _measured(settings, path, "loading-again", "again", f"{label}, a second job up to its plan")
    if facts:
        found["notes"].append(f"the first job takes {facts['first']:.3g} s for the same")
    return found | {"verdict": under(found["ours"], LOADING)}


def why(settings, path, label):
    """The median of some answers, each of which must name the rule that the result has."""
    found, facts = _measured(settings, path, "why-again", "median", f"{label}, why a pair is one")
    if facts:
        whole, slowest = facts["whole_records_median"], facts["whole_records_most"]
        found["notes"] += [
            f"{facts['pairs']} pairs, the slowest answer {facts['most']:.3g} s; the run {facts['run']:.3g} s",
            f"with whole records {whole:.3g} s, the slowest {slowest:.3g} s: the first reads the columns that no rule reads",
        ]
    return found | {"verdict": under(found["ours"], WHY)}


def measure(settings):
    """Both, over the same people."""
    count = settings.size(1_000_000, 20_000)
    path, label = inputs.people(count), f"{count:,} people, ten rules"
    return [loading(settings, path, label), why(settings, path, label)]


ROWS = [
    Row(
        "people_again", "1 M people, ten rules: a second job over the same records, and why after a run",
        f"{LOADING * 1000:.0f} ms up to the plan of a second job, {WHY * 1000:.0f} ms for an answer", measure, alone=True,
        programs=("sameas", "sameas-bench"),
    ),
]
