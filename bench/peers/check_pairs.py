"""The number of pairs in each Parquet file of pairs and a hash of their set: equal for equal answers.

    check_pairs.py FILE...
"""

import sys

import duckdb
from common import report
from people_sql import pairs_digest


def columns(base, path):
    """The two id columns: ours are named `unique_id_l` and `unique_id_r`, the peers' `a` and `b`."""
    names = [row[0] for row in base.execute(f"describe select * from '{path}'").fetchall()]
    return ("unique_id_l", "unique_id_r") if "unique_id_l" in names else ("a", "b")


base = duckdb.connect()
for path in sys.argv[1:]:
    left, right = columns(base, path)
    count, digest = base.execute(pairs_digest(f"(select {left} as a, {right} as b from '{path}')")).fetchone()
    report(file=path, pairs=count, digest=digest)
