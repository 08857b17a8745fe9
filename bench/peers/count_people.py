"""Facts of the people that a row states: pairs that share the key of each of the ten rules, distinct names and addresses.

    count_people.py INPUT.parquet ten|similar
"""

import sys

import duckdb
from common import report
from people_sql import DERIVED, DERIVED_SIMILAR, TEN, nominal_candidates


def ten(base, source):
    base.execute(f"create table t as {DERIVED.format(input=source)}")
    counts = [pairs for _, pairs in base.execute(nominal_candidates(TEN, "t")).fetchall()]
    report(candidates=sum(counts), candidates_by_rule=counts)


def similar(base, source):
    people = f"({DERIVED_SIMILAR.format(input=source)})"
    counted = f"select count(*), count(distinct name), count(distinct address) from {people}"
    records, names, addresses = base.execute(counted).fetchone()
    report(records=records, distinct_names=names, distinct_addresses=addresses)


{"ten": ten, "similar": similar}[sys.argv[2]](duckdb.connect(), sys.argv[1])
