"""The transitive closure of a graph by DuckDB's recursive query, counted or kept as a table.

    closure_duckdb.py count|keep EDGES THREADS GIGABYTES

Reading the edges is not timed. What does not fit the memory goes to a temporary folder.
"""

import sys
import tempfile

import duckdb
from common import Clock, report

EDGES = """
create table edge as select column0 as x, column1 as y
from read_csv(?, delim = '\t', header = false, comment = '#', columns = {'column0': 'uinteger', 'column1': 'uinteger'})
"""

PATHS = """
with recursive path(x, y) as (
    select x, y from edge union select path.x, edge.y from path join edge on path.y = edge.x
)
"""


def main(answer, source, threads, gigabytes):
    with tempfile.TemporaryDirectory() as spilled:
        limits = {"threads": int(threads), "memory_limit": f"{gigabytes}GB", "temp_directory": spilled}
        base = duckdb.connect(config=limits | {"preserve_insertion_order": False})
        base.execute(EDGES, [source])
        clock = Clock()
        if answer == "keep":
            base.execute(f"create table closure as {PATHS} select x, y from path")
            seconds = clock.lap()
            pairs = base.execute("select count(*) from closure").fetchone()[0]
        else:
            pairs = base.execute(f"{PATHS} select count(*) from path").fetchone()[0]
            seconds = clock.lap()
        report(seconds=seconds, pairs=pairs, version=duckdb.__version__)


main(*sys.argv[1:])
