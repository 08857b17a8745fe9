"""All pairs of a list of names by `rapidfuzz.process.cdist`, in its smallest result type.

    text_join_rapidfuzz.py INPUT levenshtein|jaro_winkler CUTOFF|none THREADS

The two sides are two lists of the same names. Given one list twice, `cdist` measures each pair once, but in a way that
took two to four times the processor time when tried: two lists are its fastest form.
"""

import sys

import numpy as np
import rapidfuzz
from common import Clock, digest, read_lines, report
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler, Levenshtein

ROWS = 2_000


def measure(names, metric, cutoff, threads):
    scorer, kind = (
        (Levenshtein.distance, np.uint8) if metric == "levenshtein" else (JaroWinkler.similarity, np.float32)
    )
    return process.cdist(names, list(names), scorer=scorer, dtype=kind, score_cutoff=cutoff, workers=threads)


def matches(matrix, metric, cutoff):
    """Pairs within the cutoff, (smaller, greater) row, a few rows of the matrix at a time."""
    left, right = [], []
    for start in range(0, len(matrix), ROWS):
        part = matrix[start : start + ROWS]
        a, b = np.nonzero(part <= cutoff if metric == "levenshtein" else part > 0)
        above = a + start < b
        left.append(a[above] + start)
        right.append(b[above])
    return np.concatenate(left), np.concatenate(right)


def decided(names, left, right, cutoff):
    """Of the pairs, those whose own value reaches the cutoff: `cdist` also passes values a rounding error below it."""
    pairs = zip(left.tolist(), right.tolist())
    true = np.fromiter((JaroWinkler.similarity(names[a], names[b]) >= cutoff for a, b in pairs), dtype=bool)
    return left[true], right[true]


def main(source, metric, cutoff, threads):
    names = read_lines(source)
    cutoff = None if cutoff == "none" else float(cutoff)
    cutoff = int(cutoff) if cutoff is not None and metric == "levenshtein" else cutoff
    clock = Clock()
    matrix = measure(names, metric, cutoff, int(threads))
    facts = {"seconds": clock.lap(), "nominal": len(names) ** 2, "version": rapidfuzz.__version__}
    if cutoff is None:
        facts["sum"] = float(sum(part.sum(dtype=np.float64) for part in matrix))
    else:
        left, right = matches(matrix, metric, cutoff)
        if metric == "jaro_winkler":
            passed = len(left)
            left, right = decided(names, left, right, cutoff)
            facts["below_cutoff"] = passed - len(left)
        facts |= {"pairs": len(left), "digest": digest(left, right)}
    report(**facts)


main(*sys.argv[1:])
