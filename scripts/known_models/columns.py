"""Kinds of columns with the levels they are compared by: how values are drawn, what a copy with a given level looks like, and
how many pairs of two lists of values have each level.

A column draws the value of a record by `value`, and those of two records that match by `pair`: the outcome first, by m, then
values that have it. Outcomes are numbered from the first level; the last is *else*. Levels are nested: a pair that has one would
have those after it, too. So pairs are counted from each level on, and no pair of values is looked at twice.
"""

import random
import string
from collections import Counter, defaultdict


class Column:
    """A column with values of some frequencies. A subclass says what its levels are and makes copies."""

    is_compared = True

    def __init__(self, name, values, frequencies, m):
        self.name, self.values, self.m = name, values, m
        self.bounds, total = [], 0.0
        for frequency in frequencies:
            total += frequency
            self.bounds.append(total)

    def value(self, rng):
        return rng.choices(self.values, cum_weights=self.bounds)[0]

    def pair(self, rng):
        """The values of two records that match."""
        value, outcome = self.value(rng), rng.choices(range(len(self.m)), self.m)[0]
        return value, self.copy(rng, value, outcome)

    def copy(self, rng, value, outcome):
        """A value that has this outcome with another."""
        if outcome == 0:
            return value
        if outcome < len(self.m) - 1:
            return self.similar(rng, value, outcome)
        while self.outcome(value, other := self.value(rng)) != outcome:
            pass
        return other

    def outcome(self, left, right):
        """The first level that two values have."""
        return next((at for at, test in enumerate(self.tests()) if test(left, right)), len(self.m) - 1)

    def pairs(self, left, right):
        """How many pairs of two lists of values have each outcome."""
        left, right = (Counter(value for value in side if value is not None) for side in (left, right))
        from_level = [count(left, right) for count in self.counts()] + [left.total() * right.total()]
        return [there - before for before, there in zip([0, *from_level], from_level)]


def equal_pairs(left, right):
    return sum(count * right[value] for value, count in left.items())


class Words(Column):
    """Texts that are equal, or differ in one letter."""

    def levels(self):
        name = self.name
        return [f"l.{name} = r.{name}", f"levenshtein(l.{name}, r.{name}) <= 1"][: len(self.m) - 1]

    def tests(self):
        return [lambda l, r: l == r, one_edit][: len(self.m) - 1]

    def counts(self):
        return [equal_pairs, one_edit_pairs][: len(self.m) - 1]

    def similar(self, rng, value, _):
        at = rng.randrange(len(value))
        letter = rng.choice([letter for letter in string.ascii_lowercase if letter != value[at]])
        return value[:at] + letter + value[at + 1 :]


class Codes(Column):
    """Texts of one length that are equal, or begin alike for more or fewer characters."""

    STARTS = (3, 1)

    def levels(self):
        starts = self.STARTS[: len(self.m) - 2]
        return [f"l.{self.name} = r.{self.name}", *(f"left(l.{self.name}, {n}) = left(r.{self.name}, {n})" for n in starts)]

    def tests(self):
        starts = self.STARTS[: len(self.m) - 2]
        return [lambda l, r: l == r, *(lambda l, r, n=n: l[:n] == r[:n] for n in starts)]

    def counts(self):
        starts = self.STARTS[: len(self.m) - 2]
        return [equal_pairs, *(lambda l, r, n=n: equal_pairs(begun(l, n), begun(r, n)) for n in starts)]

    def similar(self, rng, value, outcome):
        start = value[: self.STARTS[outcome - 1]]
        while self.outcome(value, other := start + text(rng, len(value) - len(start))) != outcome:
            pass
        return other


class Numbers(Column):
    """Whole numbers that are equal, or not far from each other."""

    NEAR = (2, 10)

    def levels(self):
        near = self.NEAR[: len(self.m) - 2]
        return [f"l.{self.name} = r.{self.name}", *(f"abs(l.{self.name} - r.{self.name}) <= {n}" for n in near)]

    def tests(self):
        return [lambda l, r, n=n: abs(l - r) <= n for n in (0, *self.NEAR[: len(self.m) - 2])]

    def counts(self):
        return [lambda l, r, n=n: near_pairs(l, r, n) for n in (0, *self.NEAR[: len(self.m) - 2])]

    def similar(self, rng, value, outcome):
        least = self.NEAR[outcome - 2] + 1 if outcome > 1 else 1
        return value + rng.choice([-1, 1]) * rng.randint(least, self.NEAR[outcome - 1])


class Observed(Words):
    """Texts as the program's generator makes them: a pair of records that match has the values of a pair that was drawn from
    those that the generator has made, so m is the share among these."""

    def __init__(self, name, originals, matching, levels):
        self.name, self.originals, self.matching, self.m = name, originals, matching, [0.0] * (levels + 1)
        known = [pair for pair in matching if None not in pair]
        for left, right in known:
            self.m[self.outcome(left, right)] += 1 / len(known)

    def value(self, rng):
        return rng.choice(self.originals)

    def pair(self, rng):
        return rng.choice(self.matching)


def text(rng, length):
    return "".join(rng.choices(string.ascii_lowercase, k=length))


def begun(counts, length):
    """The counts of the first characters."""
    found = Counter()
    for value, count in counts.items():
        found[value[:length]] += count
    return found


def near_pairs(left, right, most):
    return sum(count * right[value + step] for value, count in left.items() for step in range(-most, most + 1))


def one_edit(left, right):
    """Whether at most one character is to be inserted, deleted or replaced."""
    if abs(len(left) - len(right)) > 1:
        return False
    at = next((at for at, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
    return left[at + 1 :] == right[at + 1 :] or left[at:] == right[at + 1 :] or left[at + 1 :] == right[at:]


def shorter(value):
    """The text, and all that it becomes without one of its characters: texts of one edit have one of these in common."""
    return {value, *(value[:at] + value[at + 1 :] for at in range(len(value)))}


def one_edit_pairs(left, right):
    by_part = defaultdict(list)
    for value in right:
        for part in shorter(value):
            by_part[part].append(value)
    found = 0
    for value, count in left.items():
        near = {other for part in shorter(value) for other in by_part.get(part, ()) if one_edit(value, other)}
        found += count * sum(right[other] for other in near)
    return found


def skewed(rng, count):
    """Frequencies of some values: even, or the n-th proportional to n to a power."""
    power = rng.choice([0.0, 0.0, rng.uniform(0.3, 1.2)])
    return [(place + 1) ** -power for place in range(count)]


def shares(rng, outcomes, least=0.6):
    """m of some outcomes: the first has most of it, and none is too rare to be seen."""
    first = rng.uniform(least, 0.96)
    parts = [rng.uniform(0.2, 1.0) for _ in range(outcomes - 1)]
    return [first, *((1 - first) * part / sum(parts) for part in parts)]


def random_column(rng, name, distinct, outcomes):
    """A column of a random kind with about this number of values, compared in this number of outcomes."""
    m = shares(rng, outcomes)
    kinds = {2: (Words, Codes, Numbers), 3: (Words, Codes, Numbers), 4: (Codes, Numbers)}[outcomes]
    kind = rng.choice(kinds)
    if kind is Numbers:
        # Numbers that lie close are near each other by chance, the more the closer they lie.
        values = rng.sample(range(distinct * rng.choice([10, 40, 200]) + 100), distinct)
    else:
        length = rng.randint(5, 10)
        values = sorted({text(rng, length) for _ in range(distinct)})
        rng.shuffle(values)
    return kind(name, values, skewed(rng, len(values)), m)


def fresh(rng):
    """A generator of its own, so that what one part draws does not depend on another."""
    return random.Random(rng.getrandbits(64))
