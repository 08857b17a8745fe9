"""Set-similarity self-joins compared with the exact joins available from PyPI."""

from .. import inputs, peers
from ..case import agreement, at_least, case, fastest, judge, ratio, under
from ..measure import Contestant, execute, inner, interleave
from ..settings import WORK, operator, peer
from . import Row

EXACT = {0.5: 5_809, 0.7: 3_299, 0.9: 456}
SECONDS = {0.5: 0.12, 0.7: 0.06, 0.9: 0.05}


def join_only(run):
    """A peer's time without tokenising, if it reports that; ours always includes it, so this favours the peer."""
    return run.facts.get("join_seconds", run.facts["seconds"])


def ours(path, tokens, threshold, pairs=None):
    """Our operator, from rows in memory: encoding, tokenising, indexing, joining."""
    kind = tokens if tokens == "words" else f"qgrams{tokens.removesuffix('grams')}"
    command = operator("set_join", path, "--tokens", kind, "--threshold", threshold, "--runs", 1)
    return Contestant("sameas", command + (["--pairs", str(pairs)] if pairs else []), inner)


SPARSE, STRINGSIM, DUCKDB = "sparse_dot_topn", "py_stringsimjoin", "DuckDB"


def rivals(path, tokens, threshold, settings, names):
    """The peers of these names, as far as they could be installed."""
    arguments = [path, tokens, threshold, settings.threads]
    commands = {
        SPARSE: peer("set_join_sparse.py", *arguments),
        STRINGSIM: peer("set_join_stringsim.py", *arguments, environment=peers.STRINGSIM),
        DUCKDB: peer("set_join_duckdb.py", *arguments),
    }
    there = [name for name in names if name != STRINGSIM or peers.stringsim_builds()]
    return [Contestant(name, commands[name], join_only) for name in there]


def digest(path, tokens, threshold, settings):
    """Our pairs, in a run of their own, as the peers hash theirs."""
    pairs = WORK / "pairs.csv"
    execute(ours(path, tokens, threshold, pairs).command, 3600, settings.environment())
    found = execute(peer("check_rows.py", pairs), 3600, settings.environment()).facts
    pairs.unlink(missing_ok=True)
    return found


def measured(label, path, tokens, threshold, settings, names=(SPARSE, STRINGSIM)):
    """One case: us and the peers by turns, answers compared by number and hash."""
    mine, theirs = ours(path, tokens, threshold), rivals(path, tokens, threshold, settings, names)
    interleave([mine, *theirs], settings)
    facts, check = mine.facts(), digest(path, tokens, threshold, settings)
    answer = (check.get("pairs"), check.get("digest"))
    answers = [(r.name, (r.facts()["pairs"], r.facts()["digest"])) for r in theirs if r.times()]
    found = case(
        f"{label}, {tokens}, Jaccard {threshold}", mine, theirs, nominal=facts.get("nominal"),
        candidates=facts.get("compared"), pairs=facts.get("pairs_rows"), agree=agreement(answer, answers),
        notes=[f"input {inputs.fingerprint(path)}"],
    )
    _label_peers(found, theirs, answer)
    return found


def _label_peers(found, theirs, answer):
    """Says of each peer what it took with tokenising, and what it lost."""
    for facts, rival in zip(found["peers"], theirs):
        if not rival.times():
            continue
        said = rival.facts()
        if "join_seconds" in said:
            facts["label"] = f"{said['seconds']:.3g} s with tokenising"
        if (said["pairs"], said["digest"]) != answer and answer[0]:
            facts["wrong"] = True
            facts["label"] = f"inexact: {said['pairs']} of {answer[0]} pairs"


def titles_18k(settings):
    """The titles on which the number of pairs is known."""
    path = inputs.titles_18k(settings.data, settings.size(18_000, 3_000))
    cases = []
    for threshold, exact in EXACT.items():
        label = f"{settings.size(18_000, 3_000):,} titles"
        found = measured(label, path, "3grams", threshold, settings, (SPARSE, STRINGSIM, DUCKDB))
        best = fastest(found["peers"])
        found["ratio"] = ratio(found["ours"], best)[1] if best else ""
        if not settings.quick:
            right = judge(found["pairs"] == exact, f"{exact:,} pairs")
            found["verdict"] = f"{right}; {under(found['ours'], SECONDS[threshold])}"
        cases.append(found)
    return cases


def _against_best(found, seconds):
    best = fastest(found["peers"])
    value, found["ratio"] = ratio(found["ours"], best) if best else (None, "no peer finished")
    found["verdict"] = f"{at_least([value], [10])}; {under(found['ours'], seconds)}"
    return found


def publications_100k(settings):
    """Titles with authors."""
    count = settings.size(100_000, 3_000)
    path = inputs.publications(settings.data, count)
    everybody, few = (SPARSE, STRINGSIM, DUCKDB), (SPARSE, STRINGSIM)
    kinds = [(tokens, t, names) for tokens, names in (("words", everybody), ("3grams", few)) for t in (0.5, 0.7, 0.9)]
    return [
        _against_best(measured(f"{count:,} publications", path, tokens, t, settings, names), 10)
        for tokens, t, names in kinds
    ]


def titles_1m(settings):
    """A million titles; and a tenth of them, which more peers finish."""
    cases = []
    for count in (settings.size(100_000, 2_000), settings.size(1_000_000, 5_000)):
        path = inputs.titles(settings.data, count)
        cases.append(_against_best(measured(f"{count:,} titles", path, "3grams", 0.8, settings), 10))
    return cases


NO_SQL = "DuckDB is left out where its join on single 3-grams is far slower at 18,000 titles already"
ROWS = [
    Row(
        "set_join_18k",
        "set_join of dblp_titles_18k, 3-grams, from rows in memory, tokenising included",
        "exactly 5,809 / 3,299 / 456 pairs in 0.12 / 0.06 / 0.05 s",
        titles_18k,
    ),
    Row(
        "set_join_100k",
        "set_join of 100,000 publications, words and 3-grams",
        f"at least 10x the best exact peer, under 10 s. {NO_SQL}",
        publications_100k,
    ),
    Row(
        "set_join_1m",
        "set_join of 1 M titles, 3-grams, 0.8",
        f"at least 10x the best exact peer, under 10 s. {NO_SQL}",
        titles_1m,
    ),
]
