"""Hostile inputs for the commands other than `dedupe`, and the options that each command is run with."""

import os
import subprocess

from hostile_inputs import case, packed, path_of, people

#: The program, for inputs that are made of its own results.
PROGRAM = "sameas"

WITH_MEMORY = ("dedupe", "link", "explain", "why", "report", "show", "profile", "relate", "check", "train", "evaluate", "closure")
QUIET = ("dedupe", "link", "report", "relate", "train", "closure", "from-splink", "generate")
OUTPUTS = {
    "dedupe": "out",
    "link": "out",
    "report": "report.html",
    "relate": "related",
    "train": "model.toml",
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
