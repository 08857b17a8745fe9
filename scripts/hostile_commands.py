"""Hostile inputs for the commands other than `dedupe`, and the options that each command is run with."""

import os
import subprocess

from hostile_inputs import case, dedupe, packed, path_of, people

#: The program, for inputs that are made of its own results.
PROGRAM = "sameas"

WITH_MEMORY = (
    "dedupe", "link", "explain", "why", "report", "show", "profile", "relate", "check", "train", "evaluate", "cluster", "sweep",
    "closure", "term-frequencies",
)  # fmt: skip
QUIET = (
    "dedupe", "link", "report", "relate", "train", "cluster", "sweep", "closure", "from-splink", "generate", "term-frequencies",
)  # fmt: skip
OUTPUTS = {
    "dedupe": "out",
    "link": "out",
    "report": "report.html",
    "relate": "related",
    "train": "model.toml",
    "term-frequencies": "frequencies",
    "cluster": "clusters",
    "closure": "closure.csv",
    "from-splink": "job",
    "generate": "made",
    "calibrate": "costs.json",
}


def options(command, folder, limit):
    """What is added to the arguments of a command: a memory limit, an output in the folder, and silence."""
    more = ["--memory", f"{limit}MB"] if command in WITH_MEMORY else []
    if command in OUTPUTS:
        more += ["-o", os.path.join(folder, OUTPUTS[command])]
    more += ["--format", "csv"] if command in ("dedupe", "link") else []
    return more + (["-q"] if command in QUIET else [])


def small(function):
    """A hostile input with 100 MB, of which a run may take 250."""
    return case(function, 100, 250)


def call(*arguments):
    subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.DEVNULL)


def run_of_people(folder, records):
    """Results of made-up people, with the truth about them."""
    made, rules = os.path.join(folder, "people"), os.path.join(folder, "rules.toml")
    call("generate", "people", "--records", str(records), "-o", made, "-q")
    with open(rules, "wb") as file:
        subprocess.run([PROGRAM, "demo", "--print-rules"], check=True, stdout=file)
    call("dedupe", os.path.join(made, "records.csv"), "--rules", rules, "-o", os.path.join(folder, "found"), "-q")
    return os.path.join(folder, "found"), os.path.join(made, "truth.csv")


def run_of_large_clusters(folder):
    """Results of eight clusters of two thousand records: sixteen million pairs."""
    rows = "".join(f"{row},c{row % 8}\n" for row in range(16_000))
    path, found = path_of(folder, "clusters.csv", "id,a\n" + rows), os.path.join(folder, "found")
    call("dedupe", path, "--rule", "l.a = r.a", "-o", found, "-q")
    return found


def comparisons(folder):
    levels = '"l.a = r.a", "levenshtein(l.a, r.a) <= 2"'
    text = f'[[compare]]\nname = "a"\nlevels = [{levels}]\n[train]\nrules = ["l.b = r.b"]\n[score]\nprior = 0.01\n'
    return path_of(folder, "compare.toml", text)


PATHS = (
    ".decl edge(x: symbol, y: symbol)\n.decl path(x: symbol, y: symbol)\n"
    ".input edge\n.output path\npath(x, y) :- edge(x, y).\n"
)


# Runs and what comes before them


@case
def a_link_of_headers_without_end(folder):
    return ["link", packed(folder, "l.csv", b"id,a", b"x" * (1 << 20), 100), people(folder), "--rule", "l.a = r.a"]


@case
def an_explanation_of_five_thousand_rules(folder):
    rules = "".join(f"[[rule]]\nwhen = '''l.a = r.a and l.b <> '{at}' '''\n" for at in range(5_000))
    return ["explain", people(folder), "--rules", path_of(folder, "rules.toml", rules)]


@case
def a_check_of_a_hundred_thousand_columns(folder):
    names = ",".join(f"c{at}" for at in range(100_000))
    return ["check", path_of(folder, "wide.csv", f"id,{names}\n"), "--rule", "l.c7 = r.c7"]


@case
def a_profile_of_four_thousand_columns(folder):
    names = ",".join(f"c{at}" for at in range(4_000))
    cells = [",".join(f"w{row * at % 7}" for at in range(4_000)) for row in range(20)]
    rows = "".join(f"{row},{line}\n" for row, line in enumerate(cells))
    return ["profile", path_of(folder, "wide.csv", f"id,{names}\n{rows}")]


@case
def a_spreadsheet(folder):
    book = b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml" + bytes(range(256)) * 99
    return ["profile", path_of(folder, "people.xlsx", book)]


@case
def training_with_endless_records(folder):
    return ["train", "/dev/zero", "--rules", comparisons(folder)]


@case
def settings_of_a_hundred_thousand_levels(folder):
    return ["from-splink", path_of(folder, "settings.json", "[" * 100_000)]


# What comes after a run


@small
def a_report_with_the_truth(folder):
    found, truth = run_of_people(folder, 600_000)
    return ["report", found, "--truth", truth]


@small
def a_report_of_large_clusters(folder):
    return ["report", run_of_large_clusters(folder)]


@small
def a_report_with_a_truth_without_end(folder):
    found, _ = run_of_people(folder, 1_000)
    return ["report", found, "--truth", "/dev/zero"]


@small
def a_cluster_among_many_records(folder):
    found, _ = run_of_people(folder, 600_000)
    return ["show", "r7", "--in", found]


@small
def why_among_many_records(folder):
    run_of_people(folder, 600_000)
    records, rules = os.path.join(folder, "people", "records.csv"), os.path.join(folder, "rules.toml")
    return ["why", records, "--rules", rules, "--pair", "r7", "\x1b[31m\nerror"]


@small
def an_evaluation_of_many_records(folder):
    found, truth = run_of_people(folder, 600_000)
    return ["evaluate", "--clusters", os.path.join(found, "clusters.parquet"), "--truth", truth]


@small
def an_evaluation_of_a_million_match_keys(folder):
    rows = "".join(f"{row},{row + 1},k{row}\n" for row in range(1_000_000))
    pairs = path_of(folder, "pairs.csv", "unique_id_l,unique_id_r,match_key\n" + rows)
    return ["evaluate", "--pairs", pairs, "--truth", pairs]


@small
def a_truth_without_end(folder):
    return ["evaluate", "--pairs", path_of(folder, "pairs.csv", "a,b\n1,2\n"), "--truth", "/dev/zero"]


@small
def labels_without_end(folder):
    return ["evaluate", "--pairs", path_of(folder, "pairs.csv", "a,b\n1,2\n"), "--labels", "/dev/zero"]


@small
def a_comparison_of_many_records(folder):
    found, truth = run_of_people(folder, 600_000)
    return ["evaluate", "--clusters", os.path.join(found, "clusters.parquet"), "--against", truth]


@small
def a_million_labels(folder):
    rows = "".join(f"{row},{row + 1},same,s{row}\n" for row in range(1_000_000))
    labels = path_of(folder, "labels.csv", "unique_id_l,unique_id_r,judgement,stratum\n" + rows)
    return ["evaluate", "--pairs", path_of(folder, "pairs.csv", "a,b\n1,2\n"), "--labels", labels]


# Clusters of pairs, and how good they are

#: What no table is.
JUNK = bytes(range(256)) * 4_000


def pairs(folder, rows, more="", name="pairs.csv"):
    """A file of pairs; `more` are the columns beside the ids."""
    return path_of(folder, name, f"unique_id_l,unique_id_r{more}\n" + rows)


def three_pairs(folder):
    return pairs(folder, "1,2,0.9\n2,3,0.7\n3,4,0.5\n", ",score")


def scored_chain(folder, records):
    """Each record is a pair with the next one, with a score that seems drawn."""
    return pairs(folder, "".join(f"{row},{row + 1},{row * 7919 % 100_000 / 100_000}\n" for row in range(records)), ",score")


def scored_cliques(folder, cliques, records):
    """Groups in which every two records are a pair."""
    firsts = range(0, cliques * records, records)
    rows = (f"{a},{b},{a * b % 997 / 997}\n" for first in firsts for a in range(first, first + records) for b in range(first, a))
    return pairs(folder, "".join(rows), ",score")


def judged(folder, rows, name="judged.csv"):
    return pairs(folder, rows, ",judgement", name)


def contradicting_chain(folder, records):
    """Each record is decided to be the same as the next one, and the first to be another than the last."""
    same = "".join(f"{row},{row + 1},same\n" for row in range(records - 1))
    return judged(folder, same + f"0,{records - 1},different\n")


@small
def pairs_without_end(folder):
    return ["cluster", packed(folder, "pairs.csv", b"unique_id_l,unique_id_r\n", b"1,2\n" * (1 << 20), 100)]


@small
def pairs_of_endless_bytes(folder):
    return ["cluster", "/dev/zero"]


@small
def records_without_end_beside_pairs(folder):
    return ["cluster", three_pairs(folder), "--records", "/dev/zero"]


@small
def decisions_without_end_beside_pairs(folder):
    return ["cluster", three_pairs(folder), "--decided", "/dev/zero"]


@small
def forbidden_pairs_without_end(folder):
    return ["cluster", three_pairs(folder), "--keep-apart", "/dev/zero"]


@case
def pairs_of_any_bytes(folder):
    return ["cluster", path_of(folder, "pairs.csv", JUNK)]


@case
def pairs_of_an_empty_file(folder):
    return ["cluster", path_of(folder, "pairs.csv", b"")]


@case
def pairs_of_a_header_alone(folder):
    return ["cluster", pairs(folder, "")]


@case
def pairs_with_other_columns(folder):
    return ["cluster", people(folder)]


@case
def pairs_among_a_hundred_thousand_columns(folder):
    return ["cluster", path_of(folder, "wide.csv", ",".join(f"c{at}" for at in range(100_000)) + "\n")]


@case
def pairs_of_which_one_side_has_a_source(folder):
    return ["cluster", path_of(folder, "pairs.csv", "source_dataset_l,unique_id_l,unique_id_r\na,1,2\n")]


@case
def a_pair_without_an_id(folder):
    return ["cluster", pairs(folder, "1,2\n3,\n")]


@case
def weights_that_are_no_numbers(folder):
    return ["cluster", pairs(folder, "1,2,0.9\n2,3,\x1b[31mhigh\n", ",score")]


@case
def weights_beyond_all_bounds(folder):
    return ["cluster", pairs(folder, "1,2,0.9\n2,3,9e99\n", ",score")]


@case
def a_threshold_beyond_all_bounds(folder):
    return ["cluster", three_pairs(folder), "--threshold", "1e300"]


@small
def ten_thousand_thresholds(folder):
    thresholds = ",".join(f"{at / 10_000}" for at in range(10_000))
    return ["cluster", scored_chain(folder, 200_000), "--threshold", thresholds]


@small
def pairs_of_a_million_match_keys(folder):
    return ["cluster", pairs(folder, "".join(f"{row},{row + 1},k{row}\n" for row in range(1_000_000)), ",match_key")]


@small
def pairs_of_a_hundred_thousand_rules_of_a_file(folder):
    rules = "".join(f"[[rule]]\nname = 'k{at}'\nwhen = 'l.a = r.a'\n" for at in range(100_000))
    keys = "".join(f"{at},{at + 1},k{99_999 - at}\n" for at in range(100_000))
    return ["cluster", pairs(folder, keys, ",match_key"), "--rules", path_of(folder, "rules.toml", rules)]


@small
def a_source_for_each_record(folder):
    rows = "".join(f"s{row},{row},s{row + 1},{row + 1}\n" for row in range(300_000))
    head = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\n"
    return ["cluster", path_of(folder, "pairs.csv", head + rows)]


@small
def two_hundred_limits_of_many_values(folder):
    records = path_of(folder, "records.csv", "id,a\n" + "".join(f"{row},v{row}\n" for row in range(200_001)))
    limits = "".join(f"[[limit]]\nmost = 3\nvalues_of = \"a || '{at}'\"\n" for at in range(200))
    rules = path_of(folder, "limits.toml", limits)
    return ["cluster", scored_chain(folder, 200_000), "--records", records, "--rules", rules]


@case
def limits_of_pairs_alone(folder):
    rules = path_of(folder, "limits.toml", "[[limit]]\nmost = 1\nvalues_of = \"a\"\n")
    return ["cluster", three_pairs(folder), "--rules", rules]


@small
def average_linkage_of_large_cliques(folder):
    return ["cluster", scored_cliques(folder, 4, 500), "--method", "average", "--least", "0.4"]


@small
def complete_linkage_of_large_cliques(folder):
    return ["cluster", scored_cliques(folder, 4, 500), "--method", "complete", "--least", "0.1"]


@small
def communities_of_a_long_chain(folder):
    return ["cluster", scored_chain(folder, 200_000), "--method", "louvain"]


@small
def bridges_of_a_long_chain(folder):
    return ["cluster", scored_chain(folder, 200_000), "--split", "bridges", "--density", "0.5"]


@small
def average_linkage_of_a_star(folder):
    rows = "".join(f"0,{row},{row % 97 / 97}\n" for row in range(1, 100_000))
    return ["cluster", pairs(folder, rows, ",score"), "--method", "average", "--least", "0.4"]


@small
def a_cluster_that_forbidden_pairs_divide(folder):
    chain = scored_chain(folder, 100_000)
    apart = pairs(folder, "".join(f"{row},{row + 50_000}\n" for row in range(50_000)), name="never.csv")
    return ["cluster", chain, "--keep-apart", apart]


@case
def decisions_in_a_ring(folder):
    return ["cluster", three_pairs(folder), "--decided", judged(folder, "1,2,same\n2,3,same\n3,4,same\n1,4,different\n")]


@small
def a_long_chain_of_decisions_that_contradict_each_other(folder):
    return ["cluster", three_pairs(folder), "--decided", contradicting_chain(folder, 50_000)]


@case
def decisions_that_are_both(folder):
    return ["cluster", three_pairs(folder), "--decided", judged(folder, "1,2,same\n2,1,different\n")]


@case
def decisions_of_any_bytes(folder):
    return ["cluster", three_pairs(folder), "--decided", path_of(folder, "judged.csv", JUNK)]


@case
def pairs_of_a_folder_without_a_run(folder):
    os.mkdir(os.path.join(folder, "found"))
    return ["cluster", os.path.join(folder, "found")]


@case
def pairs_of_a_run_that_are_gone(folder):
    found, _ = run_of_people(folder, 1_000)
    os.remove(os.path.join(found, "pairs.parquet"))
    return ["cluster", found]


@case
def pairs_of_clusters_of_pairs(folder):
    made = os.path.join(folder, "made")
    call("cluster", three_pairs(folder), "-o", made, "-q")
    return ["cluster", made]


@case
def clusters_in_place_of_notes(folder):
    path_of(folder, "clusters", "mine")
    return ["cluster", three_pairs(folder)]


@case
def clusters_among_notes(folder):
    os.mkdir(os.path.join(folder, "clusters"))
    path_of(folder, os.path.join("clusters", "cut.parquet"), "mine")
    return ["cluster", three_pairs(folder), "--overwrite"]


@small
def a_sweep_of_pairs_without_end(folder):
    return ["sweep", packed(folder, "pairs.csv", b"unique_id_l,unique_id_r\n", b"1,2\n" * (1 << 20), 100)]


@small
def a_sweep_of_ten_thousand_thresholds(folder):
    return ["sweep", scored_chain(folder, 200_000), "--thresholds", "0..1", "--step", "0.0002", "--methods", "components"]


@case
def a_sweep_of_steps_without_end(folder):
    return ["sweep", three_pairs(folder), "--thresholds", "0..1", "--step", "1e-300"]


@case
def a_sweep_of_thresholds_beyond_all_bounds(folder):
    return ["sweep", three_pairs(folder), "--thresholds", "-1e308..1e308", "--step", "1e308"]


@small
def a_sweep_of_cliques(folder):
    return ["sweep", scored_cliques(folder, 2, 300), "--thresholds", "0.1,0.5,0.9"]


@small
def a_sweep_with_a_truth_without_end(folder):
    return ["sweep", three_pairs(folder), "--truth", "/dev/zero"]


@small
def a_sweep_with_labels_without_end(folder):
    return ["sweep", three_pairs(folder), "--labels", "/dev/zero"]


@small
def a_sweep_with_a_truth_of_a_million_records(folder):
    truth = path_of(folder, "truth.csv", "id,cluster\n" + "".join(f"{row},{row // 2}\n" for row in range(1_000_000)))
    return ["sweep", scored_chain(folder, 10_000), "--truth", truth]


@case
def a_sweep_of_a_folder_without_a_run(folder):
    os.mkdir(os.path.join(folder, "found"))
    path_of(folder, os.path.join("found", "run.json"), JUNK)
    return ["sweep", os.path.join(folder, "found")]


@small
def another_result_without_end(folder):
    clusters = path_of(folder, "clusters.csv", "unique_id,cluster_id\n1,1\n2,1\n")
    return ["evaluate", "--clusters", clusters, "--against", "/dev/zero"]


@case
def another_result_of_pairs(folder):
    clusters = path_of(folder, "clusters.csv", "unique_id,cluster_id\n1,1\n2,1\n")
    return ["evaluate", "--clusters", clusters, "--against", three_pairs(folder)]


@case
def clusters_of_other_columns(folder):
    clusters = path_of(folder, "clusters.csv", "unique_id,cluster_id\n1,1\n2,1\n")
    return ["evaluate", "--clusters", people(folder), "--against", clusters]


@case
def clusters_that_have_a_record_twice(folder):
    clusters = path_of(folder, "clusters.csv", "unique_id,cluster_id\n1,1\n2,1\n1,2\n")
    return ["evaluate", "--clusters", clusters, "--truth", clusters]


@case
def clusters_of_any_bytes(folder):
    return ["evaluate", "--clusters", path_of(folder, "clusters.csv", JUNK), "--truth", three_pairs(folder)]


@case
def labels_that_contradict_each_other(folder):
    clusters = path_of(folder, "clusters.csv", "unique_id,cluster_id\n1,1\n2,1\n")
    return ["evaluate", "--clusters", clusters, "--labels", judged(folder, "1,2,same\n1,2,different\n")]


@case
def labels_of_impossible_probabilities(folder):
    labels = pairs(folder, "1,2,same,1e-320\n2,3,different,0.5\n", ",judgement,inclusion_probability", "labels.csv")
    return ["evaluate", "--pairs", three_pairs(folder), "--labels", labels]


# How frequent values are


def frequencies(folder, records):
    text = '[[compare]]\nname = "a"\nlevels = ["l.a = r.a"]\nterm_frequency = "a"\n[score]\nprior = 0.01\n'
    return ["term-frequencies", records, "--rules", path_of(folder, "frequencies.toml", text)]


@case
def frequencies_of_records_without_end(folder):
    return frequencies(folder, "/dev/zero")


@case
def frequencies_of_two_million_values(folder):
    rows = b"".join(b"%d,value %d\n" % (row, row) for row in range(2_000_000))
    return frequencies(folder, packed(folder, "values.csv", b"id,a\n" + rows, b"", 1, b""))


# Decisions of a job


@small
def decisions_without_end(folder):
    return dedupe(people(folder), options=["--decided", "/dev/zero"])


@small
def decisions_of_many_records_that_contradict_each_other(folder):
    return dedupe(people(folder, 100_000), options=["--decided", contradicting_chain(folder, 100_000)])


@small
def decisions_of_many_records(folder):
    rows = "".join(f"{row},{row + 1},{'same' if row % 2 else 'different'}\n" for row in range(99_999))
    return dedupe(people(folder, 100_000), "l.id = r.id", options=["--decided", judged(folder, rows)])


@case
def decisions_about_records_that_are_not_there(folder):
    return dedupe(people(folder), options=["--decided", judged(folder, "1,\x1b[31m,same\n")])


@case
def decisions_of_other_columns(folder):
    return dedupe(people(folder), options=["--decided", people(folder, name="judged.csv")])


@case
def decisions_of_a_directory(folder):
    return dedupe(people(folder), options=["--decided", folder])


# Relations


@case
def relations_of_endless_tuples(folder):
    return ["relate", path_of(folder, "paths.dl", PATHS), "--input", "edge=/dev/zero", "--text"]


@case
def a_program_of_a_hundred_thousand_parentheses(folder):
    program = path_of(folder, "paths.dl", PATHS + "path(x, y) :- edge(" + "(" * 100_000)
    return ["relate", program, "--input", f"edge={people(folder)}"]


@case
def a_closure_of_one_endless_line(folder):
    return ["closure", packed(folder, "edges.txt", b"1 2\n", b"x" * (1 << 20), 100)]


@case
def a_closure_of_a_long_chain(folder):
    return ["closure", path_of(folder, "edges.txt", "".join(f"{at} {at + 1}\n" for at in range(20_000)))]


# Commands that read nothing


@case
def a_function_of_a_long_name(folder):
    return ["functions", "jaro\x1b[31m" * 10_000]


@case
def records_into_a_file(folder):
    path_of(folder, "made", "mine")
    return ["generate", "people", "--records", "1000"]


@case
def a_demo(folder):
    return ["demo"]


@case
def costs_in_place_of_notes(folder):
    path_of(folder, "costs.json", "mine")
    return ["calibrate", "--quick"]


@case
def devices_of_this_machine(folder):
    return ["devices"]


@case
def a_selftest_of_no_case(folder):
    return ["selftest", "--filter", "\x1b[31m no such case", "--device", "cpu"]


@case
def completions_of_an_unknown_shell(folder):
    return ["completions", "\x1b[31m" * 1_000]


@case
def a_page_of_an_unknown_command(folder):
    return ["man", "\x1b[31m" * 1_000]


# Programs over relations


def program(folder, text):
    return ["relate", path_of(folder, "program.dl", text)]


def ring(relations):
    declared = "".join(f".decl r{i}(x: number)\n" for i in range(relations))
    return declared + "".join(f"r{(i + 1) % relations}(x) :- r{i}(x).\n" for i in range(relations)) + ".output r0\nr0(1).\n"


@case
def a_program_that_never_ends(folder):
    return ["relate", "/dev/zero"]


@case
def a_program_of_zeros(folder):
    return program(folder, bytes(40 << 20))


@case
def a_program_of_two_million_facts(folder):
    facts = "".join(f"edge({i}, {i * 7919 % 2_000_003}).\n" for i in range(2_000_000))
    return program(folder, ".decl edge(x: number, y: number)\n.output edge\n" + facts)


@case
def a_ring_of_ten_thousand_relations(folder):
    return program(folder, ring(10_000))


@case
def a_ring_of_two_hundred_thousand_relations(folder):
    return program(folder, ring(200_000))


@case
def a_thousand_rules_of_sixty_four_atoms(folder):
    rule = "r(x) :- " + ", ".join(["r(x)"] * 64) + ".\n"
    return program(folder, ".decl r(x: number)\n.output r\nr(1).\n" + rule * 1_000)


@case
def negation_in_a_ring_of_relations(folder):
    rules = "".join(f"r{i}(x) :- s(x), !r{(i + 1) % 20_000}(x).\n" for i in range(20_000))
    declared = "".join(f".decl r{i}(x: number)\n" for i in range(20_000))
    return program(folder, ".decl s(x: number)\n.output s\n" + declared + rules)


@case
def relations_of_ever_new_counts(folder):
    rules = "".join(f"out({n}, c) :- c = count : {{ r{n}(_) }}.\n" for n in range(1, 400))
    facts = "".join(f"r{n}({i}).\n" for n in range(1, 400) for i in range(n))
    declared = "".join(f".decl r{n}(x: number)\n" for n in range(1, 400))
    return program(folder, ".decl out(n: number, c: number)\n.output out\n" + declared + rules + facts)


@case
def tuples_that_never_end(folder):
    text = ".decl edge(x: number, y: number)\n.input edge\n.output edge\n"
    return [*program(folder, text), "--input", "edge=/dev/zero", "--text"]


@case
def five_million_symbols(folder):
    text = ".decl name(a: symbol, b: symbol)\n.input name\n.output name\n"
    names = path_of(folder, "name.facts", "".join(f"n{i}\tm{i}\n" for i in range(2_500_000)))
    return [*program(folder, text), "--input", f"name={names}"]
