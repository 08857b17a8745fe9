"""How scored pairs compare with the truth, whoever made them, and with each other.

    score_pairs.py JOB.json PAIRS.parquet [OTHER.parquet] --data FOLDER

PAIRS.parquet has unique_id_l, unique_id_r, match_weight and match_probability. Prints precision, recall and F1 over all true
pairs; with a second file also how many pairs only one of them has, and the largest difference of weights and probabilities
of the others. Where the first has our columns of levels and the second Splink's, pairs whose levels differ are counted and
listed, and differences are those of the pairs whose levels agree.
"""

import argparse

import duckdb
from common import report
from score_job import Job


def ordered(job, path):
    """The pairs of a file, the smaller id first where there is one table."""
    ends = "unique_id_l, unique_id_r" if job.link else (
        "least(unique_id_l, unique_id_r) as unique_id_l, greatest(unique_id_l, unique_id_r) as unique_id_r"
    )
    return f"(select * exclude (unique_id_l, unique_id_r), {ends} from '{path}')"


def same_levels(base, job, left, right):
    """Whether a pair has in both files the same levels; Splink's count down to 0, the first is the highest."""
    columns = [{row[0] for row in base.execute(f"describe select * from '{path}'").fetchall()} for path in (left, right)]
    tests = []
    for each in job.facts["comparisons"]:
        ours, theirs, most = f"level_{each['name']}", f"gamma_{each['name']}", len(each["levels"])
        if ours in columns[0] and theirs in columns[1]:
            quoted = [text.replace("'", "''") for text in each["levels"]]
            known = " ".join(f"when '{text}' then {most - at}" for at, text in enumerate(quoted))
            level = f"""case l."{ours}" {known} when 'else' then 0 when 'null' then -1 end"""
            tests.append(f"""{level} = r."{theirs}\"""")
    return " and ".join(tests) or "true"


def difference(base, job, left, right):
    """What two files of scored pairs have not in common."""
    base.execute(
        f"""create or replace temp table both_files as
            select unique_id_l, unique_id_r, l.match_weight as lw, r.match_weight as rw, l.match_probability as lp,
                   r.match_probability as rp, coalesce({same_levels(base, job, left, right)}, true) as is_same
            from {ordered(job, left)} l full join {ordered(job, right)} r using (unique_id_l, unique_id_r)"""
    )
    counts = base.execute(
        """select count(*) filter (rp is null), count(*) filter (lp is null), count(*) filter (not is_same),
                  max(abs(lw - rw)) filter (is_same), max(abs(lp - rp)) filter (is_same) from both_files"""
    ).fetchone()
    unlike = base.execute("select unique_id_l, unique_id_r from both_files where not is_same order by all limit 20")
    names = ("only_first", "only_second", "other_levels", "weight_difference", "probability_difference")
    return dict(zip(names, counts)) | {"pairs_with_other_levels": unlike.fetchall()}


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
        report(**difference(base, job, options.pairs, options.other))


main()
