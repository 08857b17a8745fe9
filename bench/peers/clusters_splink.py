"""One-to-one clusters of random edges in Splink on DuckDB, of the edges that `sameas-bench clusters` makes.

    clusters_splink.py EDGES ROWS BLOCK THREADS

Edges and rows are made and loaded, and the answer is checked, before and after the time that counts. Rows are of two sources by
turns, and a cluster may have one record of each.
"""

import sys

import duckdb
import numpy as np
import pyarrow as pa
import splink
from common import Clock, digest, report
from splink import DuckDBAPI, Linker, SettingsCreator

SOURCES = ["even", "odd"]
#: As in `src/clusters.rs`: weights go from -8 to 24 bits, by steps of 1/128, and a weight of 2 is a probability of 0.8.
STEPS, THRESHOLD = 4096, 0.8


def mix(bits):
    """The finaliser of SplitMix64."""
    with np.errstate(over="ignore"):
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return bits ^ (bits >> np.uint64(31))


def below(seeds, limit):
    """Random numbers below limits of at most 32 bits: the upper half of a product of 128 bits."""
    bits, limit = mix(seeds), np.asarray(limit, dtype=np.uint64)
    low = (bits & np.uint64(0xFFFFFFFF)) * limit >> np.uint64(32)
    return (bits >> np.uint64(32)) * limit + low >> np.uint64(32)


def edges(count, rows, block):
    """Two different rows of one block for each edge, and its weight."""
    seeds = np.arange(count, dtype=np.uint64) * np.uint64(4)
    row = below(seeds + np.uint64(1), rows)
    first = np.minimum(row - row % np.uint64(block), np.uint64(rows - 2))
    there = np.minimum(np.uint64(block), np.uint64(rows) - first)
    step = below(seeds + np.uint64(2), there - np.uint64(1)) + np.uint64(1)
    other = (row - first + step) % there + first
    return row, other, below(seeds + np.uint64(3), STEPS).astype(np.float64) / 128.0 - 8.0


def load(base, rows, ends, weights):
    """The records of both sources, and the edges as Splink's predictions."""
    given = pa.table({"l": ends[0], "r": ends[1], "match_probability": 1.0 / (1.0 + 2.0**-weights)})
    base.register("given", given)
    for side, source in enumerate(SOURCES):
        base.execute(f"create table {source} as select range as id from range({rows}) where range % 2 = {side}")
    source = "case when {} % 2 = 0 then 'even' else 'odd' end"
    columns = f"{source.format('l')} as source_dataset_l, l as id_l, {source.format('r')} as source_dataset_r, r as id_r"
    base.execute(f"create table edges as select {columns}, match_probability from given")
    base.unregister("given")


def main(count, rows, block, threads):
    row, other, weights = edges(count, rows, block)
    base = duckdb.connect(config={"threads": threads, "preserve_insertion_order": False})
    load(base, rows, (row, other), weights)
    api = DuckDBAPI(base)
    settings = SettingsCreator(link_type="link_and_dedupe", unique_id_column_name="id")
    tables = [api.register(source, dataset_display_name=source) for source in SOURCES]
    linker = Linker(tables, settings, log_level="ERROR")
    predictions = linker.table_management.register_table_predict(api.register("edges"))
    clock = Clock()
    clusters = linker.clustering.cluster_using_single_best_links(
        predictions, duplicate_free_datasets=SOURCES, threshold_match_probability=THRESHOLD
    ).physical_name
    seconds = clock.lap()
    sizes = f"select cluster_id, count(*) as records from {clusters} group by cluster_id, source_dataset"
    found, most = base.execute(f"select count(distinct cluster_id), max(records) from ({sizes})").fetchone()
    report(
        seconds=seconds,
        edges=count,
        digest=digest(row, other),
        clusters=found,
        most_of_a_source=most,
        version=f"{splink.__version__} on DuckDB {duckdb.__version__}",
    )


main(*map(int, sys.argv[1:]))
