"""Jaccard self-join by py_stringsimjoin's `jaccard_join`: an index with size, prefix and position filters.

    set_join_stringsim.py INPUT TOKENS THRESHOLD THREADS

Its join is of two tables, so it finds each pair twice and every record with itself; the extra ones are dropped after the
clock has stopped. Runs in an environment of its own: it needs older versions of its tools.
"""

import sys

import pandas as pd
import py_stringsimjoin as ssj
from common import Clock, digest, read_lines, report
from py_stringmatching import QgramTokenizer, WhitespaceTokenizer


def tokenizer(name):
    if name == "words":
        return WhitespaceTokenizer(return_set=True)
    return QgramTokenizer(qval=int(name.removesuffix("grams")), padding=False, return_set=True)


def texts(source, tokens):
    """Its own tokenizer of words knows ASCII only, so words are separated by blanks beforehand, untimed."""
    lines = read_lines(source)
    if tokens != "words":
        return lines
    return ["".join(c if c.isalnum() else " " for c in line) for line in lines]


def main(source, tokens, threshold, threads):
    table = pd.DataFrame({"text": texts(source, tokens)})
    table.insert(0, "row", range(len(table)))
    clock = Clock()
    found = ssj.jaccard_join(
        table, table, "row", "row", "text", "text", tokenizer(tokens), float(threshold),
        allow_empty=False, out_sim_score=False, n_jobs=int(threads), show_progress=False,
    )
    seconds = clock.lap()
    found = found[found["l_row"] < found["r_row"]]
    report(
        seconds=seconds,
        pairs=len(found),
        digest=digest(found["l_row"].to_numpy(), found["r_row"].to_numpy()),
        version=ssj.__version__,
    )


main(*sys.argv[1:])
