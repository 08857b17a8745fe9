"""Draws the rule files `ablation_*.toml` from the pools, always the same ones: `python3 -m harness.draw_rules` in `bench`.

Rules have two to ten predicates, at least one of them an equality, in random order, as people who do not think
about speed write them. The equalities of a rule together leave a bounded number of pairs, so that a plan without any choice
can still join on all of them and finish. The `bad` files are the worst case for such a plan: slow predicates
that decide nothing come first, the only equality is a coarse one, and what would make a good join comes last.
"""

import math
import random
import re

from .rule_pools import PEOPLE, SCHOLAR
from .settings import RULES

SEED = 4
SIZES = ((2, 2), (3, 4), (5, 6), (7, 8), (9, 10))


def _kept(pool, columns):
    """The pairs that equalities leave, as if columns were independent."""
    return pool.nominal * math.prod(share for _, share, _ in columns)


def _equalities(pool, chance, band, most):
    """Columns of different groups whose equality together leaves a number of pairs within the band."""
    while True:
        columns = chance.sample(pool.equal, chance.randint(1, most))
        groups = {group for _, _, group in columns}
        if len(groups) == len(columns) and band[0] <= _kept(pool, columns) < band[1]:
            return [column for column, _, _ in columns]


def _measures(pool, chance, columns, count):
    """`count` measures on columns that are not already equal; the fewer, the more selective one of them has to be."""
    deciding = [measure for measure in pool.deciding if measure[0] not in columns]
    drawn = chance.sample(deciding, 1) if count < 4 else []
    free = [measure for measure in pool.similar if measure[0] not in columns and measure[1] not in [d[1] for d in drawn]]
    return drawn + chance.sample(free, count - len(drawn))


def _rule(pool, chance, size, band):
    """One rule of `size` predicates: equalities, at most a condition of one record, and measures on other columns."""
    columns = _equalities(pool, chance, band, min(4, size - 1))
    predicates = [f"l.{column} = r.{column}" for column in columns]
    if size >= 4 and chance.random() < 0.4:
        predicates.append(chance.choice(pool.one_sided))
    drawn = _measures(pool, chance, columns, size - len(predicates))
    predicates += [text.format(chance.choice(thresholds)) for _, text, thresholds in drawn]
    chance.shuffle(predicates)
    return predicates


def _mixed(pool, chance, count):
    """`count` rules, equally many of each size, and each size over all bands."""
    kinds = []
    for at in range(count):
        sizes, turn = SIZES[at % len(SIZES)], at // len(SIZES)
        kinds.append((chance.randint(*sizes), pool.bands[(turn + at) % len(pool.bands)]))
    chance.shuffle(kinds)
    return [_rule(pool, chance, size, band) for size, band in kinds]


def _bad(pool, chance):
    """Ten rules: slow predicates, a coarse equality among them but never first, and the sharp predicate last."""
    rules = []
    for coarse, (_, sharp, thresholds) in zip(pool.coarse, pool.sharp):
        slow = chance.sample(pool.slow, chance.randint(2, 4))
        predicates = [text.format(chance.choice(values)) for _, text, values in slow]
        predicates.insert(chance.randint(1, len(predicates)), f"l.{coarse} = r.{coarse}")
        rules.append([*predicates, sharp.format(thresholds[0])])
    return rules


def _used(pool, text):
    """The computed columns that a text names, and those they are computed from."""
    named = set(re.findall(r"[a-z_]+", text)) & pool.derive.keys()
    further = " ".join(pool.derive[column] for column in named)
    wider = named | set(re.findall(r"[a-z_]+", further)) & pool.derive.keys()
    return named if wider == named else _used(pool, " ".join(wider))


def _text(pool, rules):
    """A rule file; only the computed columns that are used, by the rules or by each other."""
    lines = ["# Drawn by `harness/draw_rules.py`, see there; do not edit by hand.", "", "[derive]"]
    used = _used(pool, " ".join(predicate for predicates in rules for predicate in predicates))
    lines += [f'{column} = "{expression}"' for column, expression in pool.derive.items() if column in used]
    for predicates in rules:
        lines += ["", "[[rule]]", 'when = """', f"  {predicates[0]}", *(f"  and {p}" for p in predicates[1:]), '"""']
    return "\n".join(lines) + "\n"


def draw():
    """The files' texts, by name."""
    files = {}
    for name, pool in (("people", PEOPLE), ("scholar", SCHOLAR)):
        for count in (10, 50):
            files[f"ablation_{name}_{count}"] = _text(pool, _mixed(pool, random.Random(SEED + count), count))
        files[f"ablation_{name}_bad"] = _text(pool, _bad(pool, random.Random(SEED)))
    return files


if __name__ == "__main__":
    for file, text in draw().items():
        (RULES / f"{file}.toml").write_text(text, encoding="utf-8", newline="\n")
