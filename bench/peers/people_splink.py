"""Ten rules over people in Splink on DuckDB: `deterministic_link` with the same conditions, then its components.

    people_splink.py INPUT.parquet OUTPUT.parquet THREADS
"""

import sys

import duckdb
import splink
from common import Clock, report
from people_sql import DERIVED, TEN, condition
from splink import DuckDBAPI, Linker, SettingsCreator
from splink.blocking_rule_library import CustomRule


def settings():
    return SettingsCreator(
        link_type="dedupe_only",
        unique_id_column_name="id",
        blocking_rules_to_generate_predictions=[CustomRule(condition(rule), sql_dialect="duckdb") for rule in TEN],
        retain_matching_columns=False,
    )


def main(source, target, threads):
    clock = Clock()
    base = duckdb.connect(config={"threads": int(threads), "preserve_insertion_order": False})
    base.execute(f"create table people as {DERIVED.format(input=source)}")
    load = clock.lap()
    linker = Linker(DuckDBAPI(base).register("people"), settings(), log_level="ERROR")
    pairs = linker.inference.deterministic_link()
    linked = clock.lap()
    clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(pairs)
    clustered = clock.lap()
    base.execute(f"copy (select id_l as a, id_r as b from {pairs.physical_name}) to '{target}' (format parquet)")
    count = base.execute(f"select count(*) from {pairs.physical_name}").fetchone()[0]
    groups = base.execute(f"select count(distinct cluster_id) from {clusters.physical_name}").fetchone()[0]
    report(
        seconds=load + linked + clustered,
        load_seconds=load,
        cluster_seconds=clustered,
        pairs=count,
        clusters=groups,
        version=f"{splink.__version__} on DuckDB {duckdb.__version__}",
    )


main(*sys.argv[1:])
