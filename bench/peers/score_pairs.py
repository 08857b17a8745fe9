"""How scored pairs compare with the truth, whoever made them, and with each other.

    score_pairs.py JOB.json PAIRS.parquet [OTHER.parquet] --data FOLDER

PAIRS.parquet has unique_id_l, unique_id_r, match_weight and match_probability. Prints precision, recall and F1 over all true
pairs; with a second file also how many pairs only one of them has, and the largest difference of weights and probabilities
of the others.
"""

import argparse

import duckdb
from common import report
from score_job import Job


def difference(base, job, left, right):
    """What two files of scored pairs have not in common."""
    ends = "unique_id_l, unique_id_r" if job.link else (
        "least(unique_id_l, unique_id_r) as unique_id_l, greatest(unique_id_l, unique_id_r) as unique_id_r"
    )
    each = "(select {}, match_weight as w, match_probability as p from '{}')"
    return base.execute(
        f"""select count(*) filter (r.p is null), count(*) filter (l.p is null), max(abs(l.w - r.w)), max(abs(l.p - r.p))
            from {each.format(ends, left)} l full join {each.format(ends, right)} r using (unique_id_l, unique_id_r)"""
    ).fetchone()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job")
    parser.add_argument("pairs")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--data")
    parser.add_argument("--input", action="append")
    parser.add_argument("--truth")
    options = parser.parse_args()
    job, base = Job(options.job, options.data, options.input, options.truth), duckdb.connect()
    job.load(base)
    known = job.load_truth(base)
    for path in filter(None, [options.pairs, options.other]):
        count = base.execute(f"select count(*) from '{path}'").fetchone()[0]
        report(file=path, pairs=count, **(job.quality(base, path) if known else {}))
    if options.other:
        names = ("only_first", "only_second", "weight_difference", "probability_difference")
        report(**dict(zip(names, difference(base, job, options.pairs, options.other))))


main()
