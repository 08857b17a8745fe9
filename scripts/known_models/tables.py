"""Random tables with the records that match, the rules to learn from them, and what a model should find.

What is the truth that an interval is to hold? m is what the errors are drawn by, not the share that the matches of the table
happen to have: a model serves records that come later too, and its error of m is that of a sample, the matches that it has
learned from. u is the share among those pairs of this very table that do not match: training counts it there, over all pairs,
so it has no error but that of what is taken out for the matches (and of a sample, where u could not be counted). Were the
share of later tables meant, a u that is counted would need an error too, and a model would say that of frequencies which it
knows exactly. Both are shares among the pairs in which the comparison is not null.
"""

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path

from .columns import fresh, random_column


@dataclass
class Table:
    """Records of one table or of two to link: a list of values for each column. Matches are pairs of places."""

    kind: str
    columns: list
    link: bool
    sides: list = field(default_factory=list)
    matches: list = field(default_factory=list)
    training: list = field(default_factory=list)
    deterministic: list = field(default_factory=list)
    recall: float | None = None
    prior: float | None = None

    def compared(self):
        return [column for column in self.columns if column.is_compared]

    def rows(self):
        return [len(side[0]) if side else 0 for side in self.sides]

    def all_pairs(self):
        rows = self.rows()
        return rows[0] * rows[1] if self.link else rows[0] * (rows[0] - 1) // 2

    def other(self):
        """The side of the second record of a pair."""
        return self.sides[-1]

    def inputs(self, folder):
        return [str(Path(folder) / f"{name}.csv") for name in "ab"[: len(self.sides)]]

    def write(self, folder):
        """The tables as CSV, and the rules beside them."""
        for path, side in zip(self.inputs(folder), self.sides):
            with open(path, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["id", *(column.name for column in self.columns)])
                writer.writerows([place, *values] for place, values in enumerate(zip(*side)))
        (Path(folder) / "rules.toml").write_text("\n".join(self.rules()) + "\n", encoding="utf-8")

    def rules(self):
        for column in self.compared():
            yield f"[[compare]]\nname = {json.dumps(column.name)}\nlevels = {json.dumps(column.levels())}\n"
        yield f"[train]\nrules = {json.dumps(self.training)}"
        yield f"deterministic = {json.dumps(self.deterministic)}" if self.deterministic else ""
        yield f"recall = {self.recall}" if self.recall else ""
        yield "[score]\nthreshold = 0.9"
        yield f"prior = {self.prior!r}" if self.prior else ""

    def outcomes(self, at):
        """How many pairs have each outcome of a comparison: all, and those that match."""
        column, left, right = self.columns[at], self.sides[0][at], self.other()[at]
        everything = column.pairs(left, right)
        if not self.link:
            # Each pair was counted both ways round, and each value with itself.
            present = sum(value is not None for value in left)
            everything = [(count - (present if not place else 0)) // 2 for place, count in enumerate(everything)]
        matching = [0] * len(everything)
        for l, r in self.matches:
            if left[l] is not None and right[r] is not None:
                matching[column.outcome(left[l], right[r])] += 1
        return everything, matching


@dataclass
class Level:
    """What is true of a level: m, the pairs with it that do not match, and how many matches are expected to have it."""

    m: float
    u: float
    unlike: int
    expected: float


def truth(table):
    """The levels of each comparison, *else* among them."""
    found = []
    for at, column in enumerate(table.columns):
        everything, matching = table.outcomes(at)
        unlike = [all_pairs - like for all_pairs, like in zip(everything, matching)]
        there = max(sum(unlike), 1)
        found.append([Level(m, count / there, count, m * sum(matching)) for m, count in zip(column.m, unlike)])
    return found


def fill(rng, table, matches, singles, missing):
    """Gives a table its records: those that match, two of each, and others; values are missing by chance."""
    rows = [matches + count for count in singles] if table.link else [2 * matches + singles[0]]
    orders = [rng.sample(range(count), count) for count in rows]
    firsts = orders[0][:matches]
    seconds = orders[1][:matches] if table.link else orders[0][matches : 2 * matches]
    table.sides = [[] for _ in rows]
    for column, shares in zip(table.columns, missing):
        own = fresh(rng)
        sides = [[None] * count for count in rows]
        for side, order in zip(sides, orders):
            for place in order[matches if table.link else 2 * matches :]:
                side[place] = column.value(own)
        for first, second in zip(firsts, seconds):
            sides[0][first], sides[-1][second] = column.pair(own)
        for side, values, share in zip(table.sides, sides, shares):
            side.append([None if share and own.random() < share else value for value in values])
    table.matches = list(zip(firsts, seconds)) if table.link else [tuple(sorted(pair)) for pair in zip(firsts, seconds)]


def missing_values(rng, table):
    """For each column, and each side, the share of values that are missing."""
    sides = 2 if table.link else 1
    most = rng.choice([0.0, 0.0, 0.1, 0.3])
    return [[rng.uniform(0, most) for _ in range(sides)] for _ in table.columns]


def equal(*columns):
    return " and ".join(f"l.{column.name} = r.{column.name}" for column in columns)


def learn_from(rng, table, keys, missing):
    """Training rules that leave each comparison open, and what says how many records match."""
    table.training = [equal(key) for key in keys[:2]]
    if len(keys) > 3 and rng.random() < 0.5:
        table.training.append(equal(*keys[2:4]))
    if rng.random() < 0.5:
        table.prior = len(table.matches) / table.all_pairs()
        return
    table.deterministic, table.recall = [equal(*keys[:3])], 1.0
    for key in keys[:3]:
        shares = missing[table.columns.index(key)]
        table.recall *= key.m[0] * (1 - shares[0]) * (1 - shares[-1])
    # As well as somebody could know it.
    table.recall = round(table.recall, 2)


def plain(rng):
    """Comparisons of all kinds: three at least are keys, whose values repeat little."""
    keys = [random_column(rng, f"key{at}", rng.randint(800, 4000), rng.choice([2, 3, 3, 4])) for at in range(rng.randint(3, 4))]
    others = [random_column(rng, f"c{at}", rng.randint(12, 300), rng.choice([2, 3, 4])) for at in range(rng.randint(0, 4))]
    few = [random_column(rng, "few", rng.randint(2, 6), 2)] if rng.random() < 0.4 else []
    columns = keys + others + few
    table = Table("plain", rng.sample(columns, len(columns)), rng.random() < 0.5)
    missing = missing_values(rng, table)
    fill(rng, table, rng.randint(80, 500), [rng.randint(50, 1200) for _ in range(2)], missing)
    learn_from(rng, table, keys, missing)
    return table


def people(rng, columns):
    """Records as `sameas generate people` makes them. Each column is drawn on its own, so that comparisons are independent:
    the generator makes several errors in some copies and none in others."""
    table = Table("people", columns, rng.random() < 0.5)
    missing = missing_values(rng, table)
    fill(rng, table, rng.randint(80, 500), [rng.randint(50, 1200) for _ in range(2)], missing)
    keys = {column.name: column for column in columns}
    table.training = [equal(keys["birth_date"]), equal(keys["surname"], keys["postcode"])]
    table.prior = len(table.matches) / table.all_pairs()
    return table
