"""Models of Splink's tutorials, trained by Splink, taken over by `sameas from-splink`, and compared pair by pair.

    from_splink.py SAMEAS OUTPUT --data FOLDER [--only fake_1000 febrl3 ...] [--records 5000]

SAMEAS is the program, FOLDER has the data sets by name. For each tutorial Splink trains a model on DuckDB, saves it, loads
it again and scores; the saved JSON becomes rules and a model of ours, and our program scores the same tables. Prints the
number of pairs, how many only one of the two has, the largest difference of `match_probability` among pairs whose levels
agree, and the pairs whose levels differ: DuckDB's measures count bytes, and some define a measure in another way. Fails
where pairs are missing or a difference exceeds 1e-6.
"""

import argparse
import json
import logging
import subprocess
import sys
import tomllib
from pathlib import Path

import duckdb
import splink
import splink.comparison_level_library as cll
import splink.comparison_library as cl
from common import report
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

MOST = 1e-6


def fake_1000():
    """The first tutorial: people with a name, a birth date, a city and an e-mail address."""
    return {
        "comparisons": [
            cl.NameComparison("first_name"),
            cl.NameComparison("surname"),
            cl.LevenshteinAtThresholds("dob", 1),
            cl.ExactMatch("city").configure(term_frequency_adjustments=True),
            cl.EmailComparison("email"),
        ],
        "blocking": [block_on("first_name", "city"), block_on("surname")],
        "deterministic": [block_on("first_name", "surname"), block_on("email")],
        "training": [block_on("first_name", "surname"), block_on("dob")],
    }


def names_together():
    """The same people, with one comparison of both names and dates that must be dates, as for historical people."""
    return fake_1000() | {
        "comparisons": [
            cl.ForenameSurnameComparison("first_name", "surname"),
            cl.DateOfBirthComparison("dob", input_is_string=True),
            cl.DamerauLevenshteinAtThresholds("city", [1, 2]).configure(term_frequency_adjustments=True),
            cl.JaroAtThresholds("email", [0.9]),
        ],
        "blocking": [block_on("first_name"), block_on("surname"), block_on("dob"), block_on("substr(email, 1, 5)")],
        "training": [block_on("dob"), block_on("first_name", "surname")],
    }


def febrl3():
    """Duplicates among Australian people."""
    return {
        "comparisons": [
            cl.NameComparison("given_name"),
            cl.NameComparison("surname"),
            cl.DateOfBirthComparison("date_of_birth", input_is_string=True, datetime_format="%Y%m%d"),
            cl.DamerauLevenshteinAtThresholds("soc_sec_id", [2]),
            cl.ExactMatch("street_number").configure(term_frequency_adjustments=True),
            cl.DamerauLevenshteinAtThresholds("postcode", [1, 2]).configure(term_frequency_adjustments=True),
        ],
        "blocking": [
            block_on("soc_sec_id"),
            block_on("given_name", "surname"),
            block_on("date_of_birth"),
            block_on("substr(surname, 1, 3)", "postcode"),
        ],
        "deterministic": [block_on("soc_sec_id"), block_on("given_name", "surname", "date_of_birth")],
        "training": [block_on("date_of_birth"), block_on("given_name", "surname")],
    }


def rare_surnames():
    """A comparison whose term frequencies count half, and not below a frequency."""
    equal = cll.ExactMatchLevel("surname").configure(
        tf_adjustment_column="surname", tf_adjustment_weight=0.5, tf_minimum_u_value=0.002
    )
    levels = [cll.NullLevel("surname"), equal, cll.JaroWinklerLevel("surname", 0.9), cll.ElseLevel()]
    return cl.CustomComparison(output_column_name="surname", comparison_levels=levels)


def febrl4():
    """The same kind of people in two tables."""
    return febrl3() | {
        "link_type": "link_only",
        "comparisons": [
            cl.NameComparison("given_name"),
            rare_surnames(),
            cl.DamerauLevenshteinAtThresholds("date_of_birth", [1, 2]),
            cl.DamerauLevenshteinAtThresholds("soc_sec_id", [1, 2]),
            cl.ExactMatch("street_number").configure(term_frequency_adjustments=True),
            cl.LevenshteinAtThresholds("postcode", [1, 2]),
            cl.JaccardAtThresholds("suburb", [0.9, 0.7]),
        ],
    }


def transactions():
    """Payments: texts, amounts and dates that are nearly the same."""
    amount = [cll.NullLevel("amount"), cll.ExactMatchLevel("amount")]
    amount += [cll.PercentageDifferenceLevel("amount", share) for share in (0.01, 0.03, 0.1, 0.3)]
    date = [cll.NullLevel("transaction_date"), cll.ExactMatchLevel("transaction_date")]
    date += [
        cll.AbsoluteDateDifferenceLevel("transaction_date", input_is_string=False, threshold=days, metric="day")
        for days in (1, 4, 10, 30)
    ]
    memo = [cll.NullLevel("memo"), cll.ExactMatchLevel("memo")]
    memo += [cll.LevenshteinLevel("memo", 2), cll.LevenshteinLevel("memo", 6), cll.LevenshteinLevel("memo", 10)]
    custom = {"amount": amount, "transaction_date": date, "memo": memo}
    return {
        "link_type": "link_only",
        "comparisons": [
            cl.CustomComparison(output_column_name=name, comparison_levels=[*levels, cll.ElseLevel()])
            for name, levels in custom.items()
        ],
        "blocking": [
            block_on("strftime(transaction_date, '%Y%m')", "memo"),
            block_on("transaction_date", "substr(memo, 1, 3)"),
            "l.memo = r.memo and abs(l.amount - r.amount) < 2",
        ],
        "deterministic": [block_on("memo", "amount")],
        "training": [block_on("memo"), block_on("amount")],
        "types": {"transaction_date": "date", "amount": "double"},
    }


def linked_and_deduped():
    """The two tables of febrl4, with pairs within each as well."""
    return febrl4() | {"link_type": "link_and_dedupe", "data": "febrl4"}


TUTORIALS = {
    "fake_1000": fake_1000,
    "names_together": lambda: names_together() | {"data": "fake_1000"},
    "febrl3": febrl3,
    "febrl4": febrl4,
    "transactions": transactions,
    "linked_and_deduped": linked_and_deduped,
}


def load(base, job, name, options, folder):
    """The tables of a tutorial, and the files that our program reads."""
    data = options.data / job.get("data", name)
    tables = ["a", "b"] if job.get("link_type", "dedupe_only") != "dedupe_only" else ["a"]
    for table in tables:
        source = f"read_csv('{data / table}.csv', all_varchar = true)"
        base.execute(f"create or replace table {table} as from {source} limit {options.records}")
        for column, kind in job.get("types", {}).items():
            base.execute(f"alter table {table} alter {column} type {kind}")
        base.execute(f"copy {table} to '{folder / table}.csv' (header)")
    return tables


def trained(base, job, tables, folder):
    """The file of the model that Splink has trained."""
    settings = SettingsCreator(
        link_type=job.get("link_type", "dedupe_only"),
        unique_id_column_name="id",
        comparisons=job["comparisons"],
        blocking_rules_to_generate_predictions=job["blocking"],
        retain_intermediate_calculation_columns=True,
    )
    linker = linker_of(base, tables, settings)
    linker.training.estimate_probability_two_random_records_match(job["deterministic"], recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    for rule in job["training"]:
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    path = folder / "splink.json"
    linker.misc.save_model_to_json(str(path), overwrite=True)
    return path


def linker_of(base, tables, settings):
    api = DuckDBAPI(base)
    if splink.__version__.startswith("4."):
        return Linker(list(tables), settings, api, input_table_aliases=list(tables))
    return Linker([api.register(name, dataset_display_name=name) for name in tables], settings, log_level="ERROR")


def ours(options, job, tables, model, folder):
    """The file of the pairs that our program scores by the model."""
    program = str(options.sameas)
    said = subprocess.run(
        [program, "from-splink", model, "-o", folder / "job", "--overwrite"], check=True, capture_output=True, text=True
    ).stdout
    command = ["dedupe"] if len(tables) == 1 else ["link"]
    command += [folder / f"{table}.csv" for table in tables]
    command += ["--dedupe"] if job.get("link_type") == "link_and_dedupe" else []
    rules = ["--rules", folder / "job/rules.toml", "--model", folder / "job/model.toml"]
    output = ["-o", folder / "result", "--overwrite", "-q"]
    subprocess.run([program, *command, *rules, *output], check=True)
    return folder / "result/pairs.parquet", [line for line in said.splitlines() if line.startswith("Note")]


def level_tests(base, model, pairs):
    """For each comparison, whether a pair has in both the same level: Splink counts down to 0, and has -1 for null."""
    columns = {row[0] for row in base.execute(f"describe select * from '{pairs}'").fetchall()}
    known = tomllib.loads((pairs.parent.parent / "job/model.toml").read_text(encoding="utf-8"))
    rules = {each["name"]: [level["when"] for level in each["level"]] for each in known["comparison"]}
    tests = {}
    for comparison in json.loads(model.read_text(encoding="utf-8"))["comparisons"]:
        name = comparison["output_column_name"]
        assert f"level_{name}" in columns, f"no column level_{name}"
        quoted = [when.replace("'", "''") for when in rules[name]]
        whens = " ".join(f"when '{when}' then {len(quoted) - at}" for at, when in enumerate(quoted))
        tests[name] = f"""(case o."level_{name}" {whens} when 'else' then 0 when 'null' then -1 end) = s."gamma_{name}\""""
    return tests


def compared(base, model, theirs, pairs):
    """How the two sets of pairs differ."""
    # A link of two tables needs no names of them.
    own = {row[0] for row in base.execute(f"describe select * from '{pairs}'").fetchall()}
    sources = ["source_dataset_"] if "source_dataset_l" in own else []
    ends = [f"{part}{side}" for part in (*sources, "unique_id_") for side in "lr"]
    names = {end: end.replace("unique_id", "id") for end in ends}

    def ordered(relation, named):
        """The pairs with the smaller end first."""
        l, r = (f"[{', '.join(named(end) for end in ends if end.endswith(side))}]" for side in "lr")
        return f"(select *, least({l}, {r}) as a, greatest({l}, {r}) as b from {relation})"

    tests = level_tests(base, model, pairs)
    base.execute(
        f"""create or replace temp table compared_pairs as
            select coalesce(o.a, s.a) as a, coalesce(o.b, s.b) as b, o.match_probability as ours,
                   s.match_probability as theirs, o.match_weight as our_weight, s.match_weight as their_weight,
                   o.match_key as our_key, s.match_key as their_key,
                   {" and ".join(tests.values())} as is_same,
                   concat_ws(', ', {", ".join(f"case when not ({test}) then '{name}' end" for name, test in tests.items())}) as unlike
            from {ordered(f"'{pairs}'", lambda end: f"{end}::varchar")} o
            full join {ordered(theirs, lambda end: f"{names[end]}::varchar")} s on o.a = s.a and o.b = s.b"""
    )
    counts = base.execute(
        """select count(*), count(*) filter (theirs is null), count(*) filter (ours is null),
                  count(*) filter (not is_same), max(abs(ours - theirs)) filter (is_same),
                  max(abs(our_weight - their_weight)) filter (is_same), count(*) filter (our_key <> their_key)
           from compared_pairs"""
    ).fetchone()
    fields = "pairs only_ours only_theirs other_levels probability_difference weight_difference other_match_keys".split()
    unlike = base.execute(
        "select a, b, unlike, ours, theirs from compared_pairs where not is_same order by all limit 20"
    ).fetchall()
    return dict(zip(fields, counts)) | {"pairs_with_other_levels": unlike}


def main(options):
    logging.getLogger("splink").setLevel(logging.ERROR)
    is_good = True
    for name in options.only or TUTORIALS:
        job, folder = TUTORIALS[name](), options.output.resolve() / name
        folder.mkdir(parents=True, exist_ok=True)
        base = duckdb.connect(config={"threads": options.threads})
        tables = load(base, job, name, options, folder)
        model = trained(base, job, tables, folder)
        predictions = linker_of(base, tables, str(model)).inference.predict()
        pairs, notes = ours(options, job, tables, model, folder)
        facts = compared(base, model, predictions.physical_name, pairs)
        versions = f"{splink.__version__} on DuckDB {duckdb.__version__}"
        report(tutorial=name, **facts, notes=notes, version=versions)
        is_good &= facts["only_ours"] == facts["only_theirs"] == 0 and facts["probability_difference"] <= MOST
    return 0 if is_good else 1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sameas", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--only", nargs="+", choices=TUTORIALS)
    parser.add_argument("--records", type=int, default=5000, help="records of each table at most")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


sys.exit(main(arguments()))
