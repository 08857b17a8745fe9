"""Inputs made against the filters: equal lengths, a small alphabet, a low threshold, one key; and how much slower."""

from .. import inputs
from ..case import case
from ..measure import interleave
from . import Row, edit_join, equi_join, set_join, text_join


# One peer is enough to check the answer.
ONE = (set_join.SPARSE,)


def _slower(found, usual, what):
    """States the slowdown against the usual input of the same size."""
    if "median" in found["ours"] and "median" in usual["ours"]:
        found["ratio"] = f"{found['ours']['median'] / usual['ours']['median']:.3g}x the time of {what}"
    return [usual, found]


def _edits(settings, count, letters):
    """Distance <= 2 among texts of one length over four letters, compared with names."""
    usual, hard = edit_join.ours(inputs.names(count), 2, 50), edit_join.ours(letters, 2, 50)
    interleave([usual, hard], settings)
    cases = []
    for label, contestant in (("names", usual), ("12 letters of abcd", hard)):
        facts = contestant.facts()
        cases.append(case(
            f"edit_join, {count:,} {label}, Levenshtein <= 2", contestant, nominal=count * (count - 1) // 2,
            candidates=facts.get("candidates"), pairs=facts["pairs"] - facts["n"] if facts else None,
            agree="equal to a nested loop for 50 texts" if facts else "",
        ))
    return _slower(cases[1], cases[0], "names")


def _all_pairs(settings, count, letters, metric, cutoff):
    usual = text_join.measured(inputs.names(count), count, metric, cutoff, settings)
    hard = text_join.measured(letters, count, metric, cutoff, settings)
    for found, label in ((usual, "names"), (hard, "texts of 12 letters of abcd")):
        found["case"] = f"text_join, {count:,} {label}, {metric} {cutoff}"
    return _slower(hard, usual, "names")


def _low_threshold(settings):
    count = settings.size(18_000, 2_000)
    path = inputs.titles_18k(settings.data, count)
    found = [set_join.measured(f"set_join, {count:,} titles", path, "3grams", t, settings, ONE) for t in (0.7, 0.3)]
    return _slower(found[1], found[0], "threshold 0.7")


def _few_tokens(settings, count, letters):
    """Sets of 2-grams over four letters: sixteen tokens in all, every one frequent."""
    names = set_join.measured(f"set_join, {count:,} names", inputs.names(count), "2grams", 0.8, settings, ONE)
    hard = set_join.measured(f"set_join, {count:,} texts of 12 letters of abcd", letters, "2grams", 0.8, settings, ONE)
    return _slower(hard, names, "names")


def _one_key(settings):
    """All records share one key: nothing but the product."""
    n = settings.size(200_000, 10_000)
    contestant = equi_join.ours(n, 0.0, "two", "count", 1)
    contestant.command += ["--universe", "1"]
    contestant.most = settings.runs
    interleave([contestant], settings)
    facts = contestant.facts()
    found = case(
        f"equi_join, {n:,} x {n:,}, one key", contestant, nominal=n * n, candidates=facts.get("expected_pairs"),
        pairs=facts.get("pairs"), agree="equal to counting by key" if facts else "",
    )
    if "median" in found["ours"]:
        found["ratio"] = f"{n * n / found['ours']['median'] / 1e9:.3g} G pairs/s"
    return [found]


def measure(settings):
    """One case per path, compared with its usual input."""
    many, few = settings.size(100_000, 2_000), settings.size(10_000, 1_000)
    letters, fewer = inputs.equal_lengths(many, 12, "abcd"), inputs.equal_lengths(few, 12, "abcd")
    return [
        *_one_key(settings),
        *_low_threshold(settings),
        *_few_tokens(settings, few, fewer),
        *_edits(settings, many, letters),
        *_all_pairs(settings, few, fewer, "levenshtein", "2"),
        *_all_pairs(settings, few, fewer, "jaro_winkler", "0.9"),
    ]


ROWS = [Row("adversarial", "inputs on which filters fail", "right, and the slowdown stated", measure)]
