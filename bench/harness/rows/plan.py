"""What each part of planning is worth: drawn rules, planned in full and with parts of the planner left out.

After the HyperBlocker paper, experiment 4: the whole plan against none, predicates or rules in written order, cheap or
selective predicates first, and growth with the number of rules and of predicates.
"""

from .. import inputs
from ..settings import INPUTS, RULES
from ..strategies import FULL, compare
from . import Row

ORDERS = (FULL, "no-predicate-order", "no-rule-order")
RULE = "\n[[rule]]\n"


def _people(settings, count, files):
    count = settings.size(count, 20_000)
    table = inputs.people(count)
    cases = []
    for name, file in files:
        label = f"{count:,} people, {name}"
        print(f"    {label}", flush=True)
        cases += compare(label, [table], RULES / f"{file}.toml", settings)
    return cases


def _publications(settings):
    """DBLP and Google Scholar."""
    folder = settings.data / "dblp_scholar"
    if settings.quick:
        return [inputs.first_rows(folder, "a", 300), inputs.first_rows(folder, "b", 5_000)]
    return [folder / "a.csv", next(path for path in (folder / "b.csv", folder / "b.csv.gz") if path.exists())]


def _scholar(settings, files):
    tables = _publications(settings)
    cases = []
    for name, file in files:
        print(f"    dblp_scholar, {name}", flush=True)
        cases += compare(f"dblp_scholar, {name}", tables, RULES / f"{file}.toml", settings)
    return cases


def _files(kind, names):
    labels = {"10": "10 rules", "50": "50 rules", "bad": "10 rules in a bad order"}
    return [(labels[name], f"ablation_{kind}_{name}") for name in names]


def people(count, name):
    """`count` people with one of the rule files."""
    return lambda settings: _people(settings, count, _files("people", (name,)))


def scholar(settings):
    """Real publications with ten, fifty and badly written rules."""
    return _scholar(settings, _files("scholar", ("10", "50", "bad")))


def _subset(name, keep):
    """A rule file with some of the fifty rules: those for which `keep(number, predicates)` is true, counted from one."""
    head, *rules = (RULES / "ablation_people_50.toml").read_text(encoding="utf-8").rstrip("\n").split(RULE)
    kept = [rule for number, rule in enumerate(rules, 1) if keep(number, rule.count("\n  and ") + 1)]
    path = INPUTS / f"ablation_people_{name}.toml"
    path.write_text(RULE.join([head, *kept]) + "\n", encoding="utf-8")
    return path, len(kept)


def _growth_step(settings, table, name, keep, suffix):
    rules, count = _subset(name, keep)
    label = f"{settings.size(1_000_000, 20_000):,} people, {count} rules{suffix}"
    print(f"    {label}", flush=True)
    return compare(label, [table], rules, settings, ORDERS)


def growth(settings):
    """More and more rules; then ten rules at a time with more and more predicates, the rest the same."""
    table = inputs.people(settings.size(1_000_000, 20_000))
    cases = []
    for most in (10, 20, 30, 40, 50):
        cases += _growth_step(settings, table, f"first_{most}", lambda number, _: number <= most, "")
    for size in (2, 4, 6, 8, 10):
        suffix = f" of {size} predicates" if size == 2 else f" of {size - 1} or {size} predicates"
        cases += _growth_step(settings, table, f"size_{size}", lambda _, count: size - 1 <= count <= size, suffix)
    return cases


BAR = "the full plan within 1.1x of the fastest other strategy, and the same bytes of pairs from all"
TITLE = "parts of the planner left out"
ROWS = [
    Row("plan_scholar", f"{TITLE}, DBLP against Google Scholar", BAR, scholar),
    Row("plan_people_10", f"{TITLE}, 1 M people, 10 rules", BAR, people(1_000_000, "10")),
    Row("plan_people_50", f"{TITLE}, 1 M people, 50 rules", BAR, people(1_000_000, "50")),
    Row("plan_people_bad", f"{TITLE}, 1 M people, 10 rules in a bad order", BAR, people(1_000_000, "bad")),
    Row("plan_people_10m", f"{TITLE}, 10 M people, 10 rules", BAR, people(10_000_000, "10")),
    Row("plan_people_10m_50", f"{TITLE}, 10 M people, 50 rules", BAR, people(10_000_000, "50")),
    Row("plan_growth", "written orders compared with planned ones, by number of rules and of predicates, 1 M people", BAR, growth),
]
