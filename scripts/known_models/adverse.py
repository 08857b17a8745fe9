"""Tables that training has no good answer for. A model may be wrong about them, but not without a warning."""

from .columns import Column, Words, equal_pairs, random_column, text
from .tables import Table, equal, fill, missing_values


class Constant(Column):
    """One value in every record, or none at all."""

    def __init__(self, name, value):
        super().__init__(name, [value], [1.0], [1.0, 0.0])

    def levels(self):
        return [f"l.{self.name} = r.{self.name}"]

    def tests(self):
        return [lambda l, r: l == r]

    def counts(self):
        return [equal_pairs]


def some_columns(rng, least=3, most=5):
    keys = [random_column(rng, f"key{at}", rng.randint(100, 1500), rng.choice([2, 3])) for at in range(rng.randint(least, most))]
    others = [random_column(rng, f"c{at}", rng.randint(12, 100), rng.choice([2, 3])) for at in range(rng.randint(0, 2))]
    return keys + others


def sizes(rng):
    return rng.randint(20, 150), [rng.randint(50, 400) for _ in range(2)]


def make(rng, kind, columns, link=None, counts=None):
    table = Table(kind, columns, rng.random() < 0.5 if link is None else link)
    matches, singles = counts or sizes(rng)
    fill(rng, table, matches, singles, missing_values(rng, table))
    return table


def learn(rng, table):
    """Rules that read the first columns, as somebody would write who knows no better, and what is known of the matches."""
    columns = table.columns
    table.training = table.training or [equal(column) for column in columns[:2]]
    if table.matches and rng.random() < 0.3:
        table.prior = min(len(table.matches) / table.all_pairs(), 0.5)
        return
    certain = columns[: min(3, len(columns))]
    table.deterministic = [equal(*certain)]
    # That a recall was assumed is a warning, which would excuse everything else.
    table.recall = min(max(round(share_found(table, len(certain)), 1), 0.1), 0.9)


def share_found(table, columns):
    """The share of the matches that agree in the first columns; a guess where there is none."""
    left, right = table.sides[0], table.other()
    equal_in_all = lambda l, r: all(left[at][l] is not None and left[at][l] == right[at][r] for at in range(columns))
    return sum(equal_in_all(*pair) for pair in table.matches) / len(table.matches) if table.matches else 0.7


def change(table, at, value):
    """Puts another value into a column of every record, made from the record's values."""
    for side in table.sides:
        side[at] = [value(row) for row in zip(*side)]


def twins(rng, kind):
    """One or two comparisons see nearly the same as another one does."""
    columns = some_columns(rng)
    pool = [(column, random_column(rng, f"twin{at}", 100, 2)) for at, column in enumerate(rng.sample(columns, rng.choice([1, 2])))]
    table = make(rng, kind, columns + [Words(twin.name, twin.values, [1.0] * len(twin.values), twin.m) for _, twin in pool])
    noise = rng.choice([0.0, 0.02, 0.1])
    for at, (column, _) in enumerate(pool):
        source = columns.index(column)
        same = lambda row: None if row[source] is None else str(row[source])
        other = lambda row: same(row) if rng.random() >= noise else text(rng, 8)
        change(table, len(columns) + at, other)
    return table


def households(rng, kind):
    """Records that do not match share some columns: families at one address, firms of one owner."""
    columns = some_columns(rng, 4, 6)
    table = make(rng, kind, columns)
    shared = rng.sample(range(len(columns)), rng.randint(2, len(columns) - 2))
    rows = [(side, place) for side in range(len(table.sides)) for place in range(table.rows()[side])]
    single = sorted(set(rows) - {(0, l) for l, _ in table.matches} - {(len(table.sides) - 1, r) for _, r in table.matches})
    rng.shuffle(single)
    while len(single) > 1:
        family = [single.pop() for _ in range(min(rng.randint(2, 6), len(single)))]
        for at in shared:
            value = table.sides[family[0][0]][at][family[0][1]]
            for side, place in family:
                table.sides[side][at][place] = value
    return table


def errors_together(rng, kind):
    """Copies are right in everything, or wrong in nearly everything."""
    columns = some_columns(rng)
    table = make(rng, kind, columns)
    bad = rng.uniform(0.2, 0.6)
    for first, second in table.matches:
        is_bad = rng.random() < bad
        for at, column in enumerate(columns):
            value = table.sides[0][at][first]
            if value is not None:
                wrong = is_bad and rng.random() < 0.8
                table.other()[at][second] = column.copy(rng, value, len(column.m) - 1 if wrong else 0)
    return table


def empty_columns(rng, kind):
    """Columns without any value; training rules may read them."""
    columns = some_columns(rng)
    table = make(rng, kind, columns)
    for at in rng.sample(range(len(columns)), rng.randint(1, len(columns) - 1)):
        change(table, at, lambda _: None)
    return table


def constants(rng, kind):
    """Columns with one value in every record."""
    columns = some_columns(rng)
    for at in rng.sample(range(len(columns)), rng.randint(1, len(columns) - 1)):
        columns[at] = Constant(columns[at].name, "same")
    return make(rng, kind, columns)


def one_comparison(rng, kind):
    """A single comparison; the training rule reads its column, or one that is not compared."""
    columns = some_columns(rng)[:2]
    table = make(rng, kind, columns)
    columns[1].is_compared = False
    table.training = [equal(rng.choice(columns))]
    return table


def one_side_null(rng, kind):
    """A link in which one table, or both, lacks values of some columns."""
    columns = some_columns(rng)
    table = make(rng, kind, columns, link=True)
    for at in rng.sample(range(len(columns)), rng.randint(1, len(columns))):
        side = rng.randrange(2)
        table.sides[side][at] = [None] * table.rows()[side]
    return table


def no_duplicates(rng, kind):
    """Nothing matches."""
    return make(rng, kind, some_columns(rng), counts=(0, [rng.randint(50, 500) for _ in range(2)]))


def only_duplicates(rng, kind):
    """Every record has a match, or all records are of one entity."""
    columns = some_columns(rng)
    if rng.random() < 0.5:
        return make(rng, kind, columns, counts=(rng.randint(40, 200), [0, 0]))
    table = make(rng, kind, columns, link=False, counts=(0, [rng.randint(10, 60), 0]))
    for at, column in enumerate(columns):
        value = column.value(rng)
        change(table, at, lambda _: column.copy(rng, value, rng.choices(range(len(column.m)), column.m)[0]))
    count = table.rows()[0]
    table.matches = [(l, r) for l in range(count) for r in range(l + 1, count)]
    return table


def excluded(rng, kind):
    """Every training rule reads the best column, so no pass leaves its comparison open."""
    columns = some_columns(rng)
    table = make(rng, kind, columns)
    table.training = [equal(columns[0]), equal(columns[0], columns[1])][: rng.choice([1, 2])]
    return table


def few_records(rng, kind):
    """Next to nothing to learn from."""
    return make(rng, kind, some_columns(rng), counts=(rng.randint(0, 3), [rng.randint(1, 8) for _ in range(2)]))


def weak(rng, kind):
    """Comparisons of few values each, which together tell hardly anybody from anybody else."""
    return make(rng, kind, [random_column(rng, f"c{at}", rng.randint(2, 12), 2) for at in range(rng.randint(2, 6))])


KINDS = {
    "twins": twins,
    "households": households,
    "errors together": errors_together,
    "empty columns": empty_columns,
    "constants": constants,
    "one comparison": one_comparison,
    "one side null": one_side_null,
    "no duplicates": no_duplicates,
    "only duplicates": only_duplicates,
    "excluded comparison": excluded,
    "few records": few_records,
    "weak": weak,
}


def adverse(rng, kind):
    table = KINDS[kind](rng, kind)
    learn(rng, table)
    return table
