"""An equality join of two tables of Zipf-distributed keys, every pair tested, in DuckDB or Polars.

    equi_join_engines.py duckdb|polars RECORDS EXPONENT THREADS

Loading the tables is not timed.
"""

import sys

import zipf
from common import Clock, report

QUERY = """
select count(*) from l join r on l.key = r.key where (xor(l.payload, r.payload) & 65535) = 0
"""


def tables(n, exponent):
    sums = zipf.cumulative(n, exponent)
    keys = [zipf.keys(sums, n, seed) for seed in (1, 2)]
    return keys, [zipf.payloads(n, side) for side in (1, 2)]


def in_duckdb(keys, payloads, threads):
    import duckdb
    import pyarrow as pa

    base = duckdb.connect(config={"threads": threads, "preserve_insertion_order": False})
    for name, key, payload in zip("lr", keys, payloads):
        base.register("given", pa.table({"key": key, "payload": payload}))
        base.execute(f"create table {name} as select * from given")
        base.unregister("given")
    clock = Clock()
    matched = base.execute(QUERY).fetchone()[0]
    return clock.lap(), matched, duckdb.__version__


def in_polars(keys, payloads, _threads):
    import polars as pl

    left, right = (pl.DataFrame({"key": k, "payload": p}).lazy() for k, p in zip(keys, payloads))
    joined = left.join(right, on="key", suffix="_r")
    close = joined.filter(((pl.col("payload") ^ pl.col("payload_r")) & 65535) == 0)
    clock = Clock()
    matched = close.select(pl.len()).collect(engine="streaming").item()
    return clock.lap(), matched, pl.__version__


def main(engine, n, exponent, threads):
    keys, payloads = tables(int(n), float(exponent))
    run = {"duckdb": in_duckdb, "polars": in_polars}[engine]
    seconds, matched, version = run(keys, payloads, int(threads))
    report(seconds=seconds, matched=matched, checksum=zipf.checksum(keys), version=version)


main(*sys.argv[1:])
