"""Ten rules over people with the Python toolkit recordlinkage: an index and a comparison per rule, the union of the pairs.

    people_recordlinkage.py INPUT.parquet OUTPUT.parquet THREADS

It holds every candidate in memory and has no Levenshtein distance, only the similarity 1 - d / max(length): the distance
is read back from it. It blocks on one column per key, so composite keys are joined into one text beforehand.
"""

import sys

import duckdb
import numpy as np
import recordlinkage
from common import Clock, report
from people_sql import DERIVED
from recordlinkage import Compare

# Keys; then (column, measure, threshold): similarity at least, or number of edits at most.
RULES = [
    (["numbers"], [("name", "jarowinkler", 0.8001)]),
    (["mail"], [("family", "jarowinkler", 0.8501)]),
    (["birth_date"], [("name", "jarowinkler", 0.9201)]),
    (["postcode"], [("name", "jarowinkler", 0.8801), ("road", "levenshtein", 0.7001)]),
    (["name"], [("birth_date", "edits", 1)]),
    (["given", "city", "state"], [("family", "jarowinkler", 0.9001), ("birth_date", "edits", 2)]),
    (["given", "district"], [("family", "edits", 2), ("numbers", "edits", 2)]),
    (["area", "given_initial"], [("name", "jarowinkler", 0.9001), ("road", "edits", 3)]),
    (["last_four"], [("name", "jarowinkler", 0.9501), ("birth_date", "edits", 3)]),
    (["birth_month", "given_initial"], [("name", "jarowinkler", 0.9301), ("birth_date", "edits", 1)]),
]


# It shares work by starting processes, which pays for many pairs only.
WORTH_PROCESSES = 2_000_000


def candidates(table, keys):
    """Pairs that share the key, as recordlinkage's blocking finds them."""
    key = table[keys[0]].str.cat([table[name] for name in keys[1:]], sep="|") if keys[1:] else table[keys[0]]
    known = key[key.notna()].to_frame("key")
    return recordlinkage.index.Block("key").index(known)


def holds(table, pairs, scores, column, measure, threshold):
    if measure != "edits":
        return scores >= threshold
    left = table[column].str.len().loc[pairs.get_level_values(0)].to_numpy()
    right = table[column].str.len().loc[pairs.get_level_values(1)].to_numpy()
    return np.rint((1 - scores) * np.maximum(left, right)) <= threshold


def matches(table, rule, threads):
    keys, tests = rule
    pairs = candidates(table, keys)
    for column, measure, threshold in tests:
        if len(pairs) == 0:
            break
        compare = Compare(n_jobs=threads if len(pairs) > WORTH_PROCESSES else 1)
        method = "levenshtein" if measure == "edits" else measure
        compare.string(column, column, method=method, missing_value=np.nan, label="score")
        scores = compare.compute(pairs, table)["score"].to_numpy()
        pairs = pairs[holds(table, pairs, scores, column, measure, threshold)]
    return pairs


def main(source, target, threads):
    clock = Clock()
    table = duckdb.sql(DERIVED.format(input=source)).df().set_index("id")
    load = clock.lap()
    found = {tuple(sorted(pair)) for rule in RULES for pair in matches(table, rule, int(threads))}
    joined = clock.lap()
    pairs = list(found)
    columns = {"a": [left for left, _ in pairs], "b": [right for _, right in pairs]}
    duckdb.sql("select unnest($a) as a, unnest($b) as b", params=columns).write_parquet(target)
    report(seconds=load + joined, load_seconds=load, pairs=len(pairs), version=recordlinkage.__version__)


main(*sys.argv[1:])
