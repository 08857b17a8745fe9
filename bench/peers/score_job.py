"""Jobs of scored pairs, `scores/*.json`: the description, its tables in DuckDB, and how pairs compare with the truth.

Conditions are written in the language of our rules; `sql` and `level` say what DuckDB and Splink call the same. Sets of words
are columns there, which are made once, and measures of sets are macros.
"""

import json
import re
from pathlib import Path

# What our language calls otherwise than DuckDB.
RENAMED = [
    (r"\bjaro_winkler\(", "jaro_winkler_similarity("),
    (r"\bjaro\(", "jaro_similarity("),
    (r"\bdate_diff_days\(", "date_diff('day', "),
    (r"\bdigits\(([^()]*)\)", r"regexp_replace(\1, '[^0-9]', '', 'g')"),
    (r"\bwords\(([lr])\.(\w+)\)", r"\1.\2_words"),
    (r"\bjaccard\(", "jaccard_of_sets("),
]
WORDS = re.compile(r"\bwords\([lr]\.(\w+)\)")
MACROS = """
    create or replace macro set_of_words(a) as
        case when regexp_matches(a, '[\\p{L}\\p{N}]') then list_distinct(regexp_extract_all(a, '[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*')) end;
    create or replace macro jaccard_of_sets(x, y) as
        len(list_intersect(x, y)) / (len(x) + len(y) - len(list_intersect(x, y)));
"""
SIDED = re.compile(r"\b([lr])\.(\w+)")


def sql(text):
    """An expression of ours as DuckDB writes it."""
    for ours, theirs in RENAMED:
        text = re.sub(ours, theirs, text)
    return text


def level(text):
    """A condition as Splink wants it in a level: `l.name` is the column `name_l`."""
    return SIDED.sub(r'"\2_\1"', sql(text))


class Job:
    """A description and where its files are; a given input or truth replaces the one that it names."""

    def __init__(self, path, data=None, inputs=None, truth=None):
        self.facts = json.loads(Path(path).read_text(encoding="utf-8"))
        folder = Path(data or ".")
        self.inputs = [Path(file) for file in inputs or []] or [folder / file for file in self.facts["inputs"]]
        named = self.facts.get("truth") if data else None
        self.truth = Path(truth) if truth else named and folder / named
        self.link = self.facts["kind"] == "link"
        self.tables = ["records_a", "records_b"] if self.link else ["records_a"]
        if len(self.inputs) != len(self.tables):
            raise SystemExit(f"{path}: a {self.facts['kind']} has {len(self.tables)} inputs, not {len(self.inputs)}")

    def conditions(self):
        """Every condition over two records."""
        levels = [text for each in self.facts["comparisons"] for text in [each["null"], *each["levels"]]]
        return levels + [rule for part in ("blocking", "training", "deterministic") for rule in self.facts.get(part, [])]

    def columns(self):
        """The columns that conditions use, in their first order."""
        return list(dict.fromkeys(name for text in self.conditions() for _, name in SIDED.findall(text)))

    def derived(self, place):
        """The columns that are made of those of a table, in an order in which each may use those before it."""
        side = ("derive_left", "derive_right")[place]
        return self.facts.get("derive", {}) | self.facts.get(side, {})

    def load(self, base):
        """Makes the tables: `id` and the columns in use. An empty value is null, as it is for us."""
        base.execute(MACROS)
        sets = dict.fromkeys(name for text in self.conditions() for name in WORDS.findall(text))
        sets = [f"set_of_words({name}) as {name}_words" for name in sets]
        kept = ", ".join(["id::varchar as id", *self.columns(), *sets])
        for place, (table, path) in enumerate(zip(self.tables, self.inputs)):
            made = [f"nullif({sql(text)}, '') as {name}" for name, text in self.derived(place).items()]
            source = f"select {', '.join(['*', *made])} from {_reader(path)}"
            base.execute(f"create table {table} as select {kept} from ({source})")

    def load_truth(self, base):
        """Makes `truth (a, b)`, all true pairs, from a file of clusters or of pairs; false where there is none."""
        if not self.truth:
            return False
        found = base.execute(f"describe select * from {_reader(self.truth)}").fetchall()
        if found[1][0] == "cluster":
            order = "" if self.link else "and l.id < r.id"
            inside = f"select id, cluster from {_reader(self.truth)} join {{}} using (id)"
            left, right = inside.format(self.tables[0]), inside.format(self.tables[-1])
            pairs = f"select l.id as a, r.id as b from ({left}) l join ({right}) r on l.cluster = r.cluster {order}"
        else:
            pairs = f"select id_a as a, id_b as b from {_reader(self.truth)}"
        base.execute(f"create table truth as {pairs if self.link else _ordered(pairs)}")
        return True

    def quality(self, base, scored, thresholds=(0.5, 0.9)):
        """Precision, recall and F1 of the pairs in the file `scored` from each probability on, over all true pairs."""
        pairs = f"select unique_id_l as a, unique_id_r as b, match_probability as p from '{scored}'"
        base.execute(f"create or replace temp table scored as {pairs if self.link else _ordered(pairs, ', p')}")
        true = base.execute("select count(*) from truth").fetchone()[0]
        joined = "from scored left join (select a, b, true as is_true from truth) using (a, b)"
        reached = base.execute(f"select count(*) {joined} where is_true").fetchone()[0]
        found = {"true_pairs": true, "true_pairs_scored": reached}
        for least in thresholds:
            counts = f"select count(*), count(is_true) {joined} where p >= {least}"
            found[f"at_{least}"] = _rates(*base.execute(counts).fetchone(), true)
        return found


def _reader(path):
    if Path(path).suffix == ".parquet":
        return f"read_parquet('{path}')"
    return f"read_csv('{path}', header = true, all_varchar = true, delim = ',', quote = '\"', escape = '\"')"


def _ordered(pairs, more=""):
    return f"select least(a, b) as a, greatest(a, b) as b{more} from ({pairs})"


def _rates(kept, right, true):
    precision, recall = right / kept if kept else 1.0, right / true if true else 1.0
    both = precision + recall
    return {
        "pairs": kept,
        "right": right,
        "precision": round(precision, 6),
        "recall": round(recall, 6),
        "f1": round(2 * precision * recall / both, 6) if both else 0.0,
    }
