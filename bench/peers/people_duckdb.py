"""Ten rules over people as an expert writes them for DuckDB: one join per rule, the union of their pairs.

    people_duckdb.py INPUT.parquet OUTPUT.parquet THREADS

Clusters are left out, in its favour: they would cost it more time.
"""

import sys

import duckdb
from common import Clock, report
from people_sql import DERIVED, TEN, condition


def union_of_joins():
    """The query: rows are numbered, so that pairs are two integers until the ids are fetched at the end."""
    joins = [f"select l.row as a, r.row as b from t l join t r on l.row < r.row and {condition(rule)}" for rule in TEN]
    pairs = " union ".join(joins)
    return f"select l.id as a, r.id as b from ({pairs}) p join t l on l.row = p.a join t r on r.row = p.b"


def main(source, target, threads):
    clock = Clock()
    base = duckdb.connect(config={"threads": int(threads), "preserve_insertion_order": False})
    base.execute(f"create table t as select row_number() over () as row, * from ({DERIVED.format(input=source)})")
    load = clock.lap()
    base.execute(f"copy ({union_of_joins()}) to '{target}' (format parquet)")
    joined = clock.lap()
    pairs = base.execute(f"select count(*) from '{target}'").fetchone()[0]
    report(seconds=load + joined, load_seconds=load, pairs=pairs, version=duckdb.__version__)


main(*sys.argv[1:])
