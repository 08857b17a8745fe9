"""A job of scored pairs in Splink on DuckDB: trains a model and scores every pair that a blocking rule yields.

    splink_scores.py JOB.json OUTPUT --data FOLDER [--threads 2] [--model MODEL.json]

JOB.json is one of `scores/*.json`; its inputs and its truth are in FOLDER, unless --input and --truth name others. OUTPUT
gets `model.json`, Splink's own, and `pairs.parquet`: ids, match_weight, match_probability, and gamma_NAME, the level of each
comparison, counted down to 0 from the first, -1 for null. Prints the time of each stage, peak memory, numbers of pairs, and
with a truth the precision, recall and F1 over all true pairs.

Nothing is trained where m, u and the prior are given: by --model, a model that Splink has saved, or by the job itself, with
`m` and `u` in each comparison and `prior`. Scores are then arithmetic, and those of two programs can be compared to the last
digits. Imports and checks of the settings are not timed, in its favour.
"""

import argparse
import logging
import resource
from pathlib import Path

import duckdb
import splink
from common import Clock, report
from score_job import Job, level, sql
from splink import DuckDBAPI, Linker, SettingsCreator
from splink.blocking_rule_library import CustomRule


def comparison(each):
    """A comparison in Splink's words; a level that is no more than equality of the column gets its term frequencies."""
    column = each.get("term_frequency")
    levels = [{"sql_condition": level(each["null"]), "is_null_level": True}]
    for place, text in enumerate([*each["levels"], "ELSE"]):
        made = {"sql_condition": level(text)}
        if column and text == f"l.{column} = r.{column}":
            made["tf_adjustment_column"] = column
            made["tf_adjustment_weight"] = each.get("term_frequency_weight", 1.0)
            made["tf_minimum_u_value"] = each.get("term_frequency_minimum_u", 0.0)
        given = {f"{kind}_probability": each[kind][place] for kind in ("m", "u") if kind in each}
        levels.append(made | given)
    return {"output_column_name": each["name"], "comparison_levels": levels}


def rule(text):
    return CustomRule(sql(text), sql_dialect="duckdb")


def settings(job, gammas):
    facts = job.facts
    prior = {"probability_two_random_records_match": facts["prior"]} if "prior" in facts else {}
    return SettingsCreator(
        link_type="link_only" if job.link else "dedupe_only",
        unique_id_column_name="id",
        comparisons=[comparison(each) for each in facts["comparisons"]],
        blocking_rules_to_generate_predictions=[rule(text) for text in facts["blocking"]],
        retain_matching_columns=gammas,
        **prior,
    )


def is_given(job):
    """Whether the job has every m and u and the prior."""
    return "prior" in job.facts and all("m" in each and "u" in each for each in job.facts["comparisons"])


def train(linker, job, options, seconds):
    """Prior, u, then m by each training rule; says what each rule's session did."""
    facts, clock, training = job.facts, Clock(), linker.training
    if "prior" not in facts:
        rules = [rule(text) for text in facts["deterministic"]]
        training.estimate_probability_two_random_records_match(rules, recall=facts["recall"])
        seconds["prior"] = clock.lap()
    training.estimate_u_using_random_sampling(max_pairs=facts.get("max_pairs", 1e6), seed=facts.get("seed"))
    seconds["u"] = clock.lap()
    sessions = []
    for text in facts["training"]:
        session = training.estimate_parameters_using_expectation_maximisation(
            rule(text), estimate_without_term_frequencies=options.train_without_term_frequencies
        )
        history = session._core_model_settings_history
        share = history[-1].probability_two_random_records_match
        sessions.append({"rule": text, "seconds": clock.lap(), "rounds": len(history) - 1, "share_of_matches": share})
    seconds["m"] = sum(session["seconds"] for session in sessions)
    return sessions


def count_pairs(base, job, text):
    """The number of pairs that a rule yields; not timed."""
    order = "" if job.link else "and l.id < r.id"
    tables = f"{job.tables[0]} l join {job.tables[-1]} r"
    return base.execute(f"select count(*) from {tables} on ({sql(text)}) {order}").fetchone()[0]


def write(base, predictions, target, gammas):
    """The pairs as Parquet, with the names that our own pairs have."""
    columns = "id_l as unique_id_l, id_r as unique_id_r, match_weight, match_probability"
    levels = ", columns('^gamma_.*')" if gammas else ""
    base.execute(f"copy (select {columns}{levels} from {predictions.physical_name}) to '{target}' (format parquet)")


def parameters(linker):
    """The model in short: the prior, and m and u of each level from the first to the last."""
    model = linker.misc.save_model_to_json()
    found = {"prior": model["probability_two_random_records_match"]}
    for each in model["comparisons"]:
        levels = [one for one in each["comparison_levels"] if not one.get("is_null_level")]
        found[each["output_column_name"]] = {
            kind: [one.get(f"{kind}_probability") for one in levels] for kind in ("m", "u")
        }
    return found


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job")
    parser.add_argument("output", type=Path)
    parser.add_argument("--data", help="folder of the files that the job names")
    parser.add_argument("--input", action="append", help="a table, CSV or Parquet, in place of the job's; twice for a link")
    parser.add_argument("--truth", help="true clusters (id, cluster) or pairs (id_a, id_b), in place of the job's")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--model", help="score with this saved model of Splink, its blocking rules included")
    parser.add_argument("--threshold", type=float, help="write pairs from this probability on only")
    parser.add_argument("--no-gammas", action="store_true", help="leave out levels and compared columns, which is faster")
    parser.add_argument("--train-without-term-frequencies", action="store_true", help="Splink's faster training")
    return parser.parse_args()


def main(options):
    logging.getLogger("splink").setLevel(logging.ERROR)
    job, seconds, clock = Job(options.job, options.data, options.input, options.truth), {}, Clock()
    options.output.mkdir(parents=True, exist_ok=True)
    base = duckdb.connect(config={"threads": options.threads, "preserve_insertion_order": False})
    job.load(base)
    seconds["load"] = clock.lap()
    api = DuckDBAPI(base)
    tables = [api.register(name, dataset_display_name=name) for name in job.tables]
    linker = Linker(tables, options.model or settings(job, not options.no_gammas), log_level="ERROR")
    given = bool(options.model) or is_given(job)
    sessions = [] if given else train(linker, job, options, seconds)
    clock.lap()
    predictions = linker.inference.predict(threshold_match_probability=options.threshold)
    seconds["score"] = clock.lap()
    target = options.output / "pairs.parquet"
    write(base, predictions, target, not options.no_gammas)
    seconds["write"] = clock.lap()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    linker.misc.save_model_to_json(str(options.output / "model.json"), overwrite=True)
    for session in sessions:
        session["pairs"] = count_pairs(base, job, session["rule"])
    report(
        job=Path(options.job).stem,
        seconds=sum(seconds.values()),
        stages=seconds,
        peak_mb=peak,
        threads=options.threads,
        records=[base.execute(f"select count(*) from {name}").fetchone()[0] for name in job.tables],
        pairs=base.execute(f"select count(*) from '{target}'").fetchone()[0],
        sessions=sessions,
        parameters=parameters(linker),
        **(job.quality(base, target) if job.load_truth(base) else {}),
        version=f"{splink.__version__} on DuckDB {duckdb.__version__}",
    )


main(arguments())
