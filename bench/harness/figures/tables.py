"""Every table of figures: which rows and cases it shows, and the words around the figures.

A text in braces is a figure of the case: `{time}`, `{memory}`, `{candidates}`, `{pairs}`, `{nominal}`, `{rate}` per second,
`{candidate_share}`, `{recall}`, `{precision}`, `{f1}`, `{rules}`, `{cores}` of the machine; of
clusters `{kind}` of the job, `{density}`, `{components}` and what made `{clusters}`; the name of a peer is its time,
`{Splink.memory}` another of its figures; `{few.time}` is a figure of the other case that the entry calls `few`.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """A line: a row of the benchmark, the name of one of its cases (`*` for a line each), and what the line says."""

    row: str
    case: str
    work: str
    columns: tuple
    others: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """A table: the kind of machine that its figures are of (`measured.KINDS`), heads of columns, lines."""

    machine: str
    heads: tuple
    entries: tuple


BESIDE_PEERS = ("work", "sameas", "other tools")
NO_FILTER = "--no-signatures --no-unions --no-lengths"

PEOPLE_TEN = Entry(
    "people_ten", "1,000,000 people, ten rules",
    "1 M people, ten rules of equalities and similarities, {candidates} candidates, Parquet to clusters",
    ("{time}, {memory}", "DuckDB, one hand-written join per rule: {DuckDB SQL}; Splink `deterministic_link`: {Splink}"),
)
PEOPLE_SIMILAR = Entry(
    "people_similar", "1,000,000 people, three similarities",
    "1 M people, similarities only (3-gram Jaccard 0.7, Levenshtein <= 2, Jaro-Winkler 0.95)",
    ("{time}, {memory}", "DuckDB, with 20,000 people: {few.DuckDB SQL}"),
    {"few": "20,000 people, three similarities"},
)
EDIT_JOIN = Entry(
    "edit_join_1m", "1,000,000 names, Levenshtein <= 2", "1 M distinct names, every pair within 2 edits", ("{time}", ""),
)
TEXT_JOIN = Entry(
    "text_join_20k", "20,000 names, jaro_winkler, >= 0.9", "20,000 names, all pairs with Jaro-Winkler >= 0.9",
    ("{time}", "RapidFuzz `cdist`: {rapidfuzz cdist}"),
)
SET_JOIN = Entry(
    "set_join_18k", "18,000 titles, 3grams, Jaccard 0.7", "18,000 titles, every pair with 3-gram Jaccard >= 0.7",
    ("{time}", "sparse_dot_topn: {sparse_dot_topn}; py_stringsimjoin: {py_stringsimjoin}; DuckDB: {DuckDB}"),
)
EQUI_JOIN = Entry(
    "equi_join_4m", "4,000,000 x 4,000,000, Zipf 1.0", "4 M x 4 M equality join, Zipf 1.0, {candidates} pairs",
    ("{time}", "DuckDB: {DuckDB}"),
)


def publications(row, words):
    """A link of real publications by ten rules."""
    work = f"{words}, ten rules, {{candidates}} candidates"
    return Entry(row, f"{row}, ten rules", work, ("{pairs}", "{time}", "{memory}"))


def planned(row, title, words):
    """A job by the full plan, with checks in written order, and with no plan: other cases of the same row."""
    others = {"unordered": f"{title}: no-predicate-order", "unplanned": f"{title}: no-epg"}
    return Entry(row, f"{title}: full", words, ("{time}", "{unordered.time}", "{unplanned.time}"), others)


def both_devices(row, title, words):
    """A job on the GPU and on all cores, without reading and writing."""
    return Entry(row, f"{title}, after load", f"{words}, after load", ("{time}", "{cpu}"))


DBLP_ACM_X100 = both_devices(
    "gpu_dblp_acm_x100", "dblp_acm x 100, Jaro-Winkler >= 0.8",
    "DBLP x ACM a hundred times over ({nominal} pairs), year equal, title and authors Jaro-Winkler >= 0.8",
)
PEOPLE_50 = both_devices("gpu_people_50", "1,000,000 people, 50 rules", "1 M people, 50 rules, {candidates} candidates")


def beside_cpu(entry):
    """The same line where a rate has the last column."""
    return Entry(entry.row, entry.case, entry.work, ("{time}", "the same on {cores} CPU cores: {cpu}"))


def gpu_names(case, words):
    """All pairs of a million names on the GPU."""
    rates = "{rate} pairs/s; without any filter {plain.rate}"
    others = {"plain": f"1,000,000 names, {case} {NO_FILTER}"}
    return Entry("gpu_text_join_1m", f"1,000,000 names, {case}", f"1 M distinct names, {words}", ("{time}", rates), others)


def gpu_equi_join(zipf):
    """An equality join on the GPU, consumed where it is found and written to memory."""
    case = f"32,000,000 x 32,000,000, Zipf {zipf}"
    work = f"32 M x 32 M equality join, Zipf {zipf}, {{pairs}} pairs"
    columns = ("{time}", "{rate} pairs/s; written as 8-byte pairs: {written.time}")
    return Entry("gpu_equi_join_32m", f"{case}, count", work, columns, {"written": f"{case}, write"})


def gpu_scored(title, words, row="gpu_scores"):
    """A scored job on the GPU and on all cores: all of it, and its part after load."""
    columns = ("{time}", "{cpu}", "{loaded.time}", "{loaded.cpu}")
    return Entry(row, f"{title}, whole process", words, columns, {"loaded": f"{title}, after load"})


TABLES = {
    "two_cores": Table("two_cores", BESIDE_PEERS, (PEOPLE_TEN, PEOPLE_SIMILAR, EDIT_JOIN, TEXT_JOIN, EQUI_JOIN)),
    "joins": Table("two_cores", BESIDE_PEERS, (EQUI_JOIN, SET_JOIN, EDIT_JOIN, TEXT_JOIN)),
    "jobs": Table(
        "two_cores", ("work", "pairs", "time", "memory"),
        (
            publications("dblp_acm", "DBLP against ACM"),
            publications("dblp_scholar", "DBLP against Google Scholar"),
            Entry(PEOPLE_TEN.row, PEOPLE_TEN.case, PEOPLE_TEN.work, ("{pairs}", "{time}", "{memory}")),
            Entry(PEOPLE_SIMILAR.row, PEOPLE_SIMILAR.case, PEOPLE_SIMILAR.work, ("{pairs}", "{time}", "{memory}")),
        ),
    ),
    "growth": Table(
        "two_cores", ("work", "candidates", "time", "memory"),
        (Entry("growth", "*", "{case}", ("{candidates}", "{time}", "{memory}")),),
    ),
    "planner": Table(
        "two_cores", ("work", "planned", "checks in written order", "rule by rule, as written"),
        (
            planned("plan_people_10", "1,000,000 people, 10 rules", "1 M people, 10 rules"),
            planned("plan_people_50", "1,000,000 people, 50 rules", "1 M people, 50 rules"),
            planned("plan_people_bad", "1,000,000 people, 10 rules in a bad order", "1 M people, 10 rules, worst conditions first"),
        ),
    ),
    "scores": Table(
        "two_cores", BESIDE_PEERS,
        (
            Entry(
                "scores_people", "1,000,000 people, blocking rules",
                "1 M people, a model trained and {candidates} candidates of three blocking rules scored",
                ("{time}, {memory}, F1 {f1}", "Splink: {Splink}, {Splink.memory}, F1 {Splink.f1}"),
            ),
            Entry(
                "scores_complete", "1,000,000 people, a fifth of the values missing, no blocking",
                "1 M people, a fifth of the values missing, trained, and every pair above the threshold found without blocking",
                ("{time}, {memory}, F1 {f1}", ""),
            ),
            Entry(
                "scores_cds", "1,800,000 CDs", "1.8 M CDs, weighted Jaro-Winkler of four columns, each within 20 neighbours",
                ("{time}, {memory}, recall {recall}", ""),
            ),
        ),
    ),
    "gpu": Table(
        "gpu", ("work", "time", "rate, or the CPU's time"),
        (
            beside_cpu(DBLP_ACM_X100),
            beside_cpu(PEOPLE_50),
            gpu_names("levenshtein 2", "every pair within 2 edits"),
            gpu_names("jaro_winkler 0.9", "every pair with Jaro-Winkler >= 0.9 ({pairs} pairs)"),
            gpu_equi_join(0.5),
            gpu_equi_join(1.0),
        ),
    ),
    "gpu_jobs": Table("gpu", ("work", "GPU", "{cores} CPU cores"), (DBLP_ACM_X100, PEOPLE_50)),
    "gpu_scores": Table(
        "gpu", ("work", "GPU", "{cores} CPU cores", "GPU, scoring after load", "{cores} CPU cores, scoring after load"),
        (
            gpu_scored("1,000,000 people, blocking rules", "1 M people, trained, and candidates of three blocking rules scored"),
            gpu_scored(
                "1,000,000 people, a fifth of the values missing, no blocking",
                "1 M people, a fifth of the values missing, trained and scored without blocking",
            ),
            gpu_scored("1,800,000 CDs", "1.8 M CDs, weighted Jaro-Winkler of four columns, each within 20 neighbours"),
        ),
    ),
    "clusters": Table(
        "two_cores", ("data set", "job", "density", "components", "as advised", "how"),
        (Entry("cluster_sets", "*", "{case}", ("{kind}", "{density}", "{components}", "{f1}", "{clusters}")),),
    ),
    "real_data": Table(
        "any", ("data set", "rules", "recall", "precision", "F1", "candidates of all pairs", "time"),
        (Entry("real_data", "*", "{case}", ("{rules}", "{recall}", "{precision}", "{f1}", "{candidate_share}", "{time}")),),
    ),
}
