"""Similarities alone in DuckDB: the names of all pairs of people are measured, common 3-grams of addresses are counted.

    people_similar_duckdb.py INPUT.parquet OUTPUT.parquet THREADS

There is nothing to join on but single 3-grams, which many share: the time grows with the square of the records.
"""

import sys

import duckdb
from common import Clock, report
from people_sql import DERIVED_SIMILAR, similar, edits

TABLES = """
create table t as select row_number() over () as row, * from ({people});
create table gram as
  select row, unnest(list_distinct([substr(address, i, 3) for i in range(1, length(address) - 1)])) as gram from t;
create table number as select gram, (row_number() over ())::int as number from gram group by gram;
create table sets as select row, number, (count(*) over (partition by row))::int as size from gram join number using (gram);
"""

ADDRESSES = """
select a, b from (
  select l.row as a, r.row as b, count(*) as common, any_value(l.size) as x, any_value(r.size) as y
  from sets l join sets r on l.number = r.number and l.row < r.row
    and l.size >= 0.7 * r.size - 1e-6 and r.size >= 0.7 * l.size - 1e-6
  group by l.row, r.row
  having common / (x + y - common)::double >= 0.7
)
"""

NAMES = f"""
select l.row as a, r.row as b from t l join t r on l.row < r.row and (({edits("name", 2)}) or {similar("name", 0.95)})
"""


def main(source, target, threads):
    clock = Clock()
    base = duckdb.connect(config={"threads": int(threads), "preserve_insertion_order": False})
    base.execute(TABLES.format(people=DERIVED_SIMILAR.format(input=source)))
    load = clock.lap()
    pairs = f"select l.id as a, r.id as b from ({ADDRESSES} union {NAMES}) p"
    base.execute(f"copy ({pairs} join t l on l.row = p.a join t r on r.row = p.b) to '{target}' (format parquet)")
    joined = clock.lap()
    records = base.execute("select count(*) from t").fetchone()[0]
    count = base.execute(f"select count(*) from '{target}'").fetchone()[0]
    report(seconds=load + joined, load_seconds=load, pairs=count, records=records, version=duckdb.__version__)


main(*sys.argv[1:])
