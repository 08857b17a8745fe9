"""Jaccard self-join by a thresholded sparse matrix product (sparse_dot_topn), made exact.

    set_join_sparse.py INPUT TOKENS THRESHOLD THREADS

With i common tokens and sizes x, y: i / (x + y - i) >= t means i >= t/(1+t) (x + y) >= 2t/(1+t) sqrt(xy), so the cosine is
at least 2t/(1+t). The product keeps what reaches that cosine; the overlap is then read back from the cosine, which is
exact after rounding, and decided by the definition. A row that fills all the places it was given may have lost some:
then the product is made again with four times as many.
"""

import sys

import numpy as np
import sparse_dot_topn
from common import Clock, digest, read_lines, report
from scipy.sparse import diags
from tokens import matrix

BLOCK = 20_000


def products(unit, bound, threads):
    """The cosines of every row with every row that reach the bound, in blocks of rows; complete."""
    transposed = unit.T.tocsr()
    for start in range(0, unit.shape[0], BLOCK):
        places = 256
        while True:
            block = sparse_dot_topn.sp_matmul_topn(
                unit[start : start + BLOCK], transposed, top_n=places, threshold=bound, n_threads=threads
            )
            if np.diff(block.indptr).max(initial=0) < min(places, unit.shape[0]) or places >= unit.shape[0]:
                break
            places *= 4
        block = block.tocoo()
        yield block.row.astype(np.int64) + start, block.col.astype(np.int64), block.data


def decide(rows, columns, cosines, sizes, threshold):
    """Pairs (smaller, greater) whose Jaccard reaches the threshold."""
    above = rows < columns
    rows, columns = rows[above], columns[above]
    x, y = sizes[rows].astype(np.float64), sizes[columns].astype(np.float64)
    common = np.rint(cosines[above] * np.sqrt(x * y))
    true = common / (x + y - common) >= threshold
    return rows[true], columns[true]


def join(unit, sizes, threshold, threads):
    bound = 2 * threshold / (1 + threshold) * (1 - 1e-9)
    found = [decide(*block, sizes, threshold) for block in products(unit, bound, threads)]
    return np.concatenate([pair[0] for pair in found]), np.concatenate([pair[1] for pair in found])


def main(source, tokens, threshold, threads):
    texts = read_lines(source)
    clock = Clock()
    ones, sizes = matrix(texts, tokens)
    tokenising = clock.lap()
    unit = (diags(1 / np.sqrt(np.maximum(sizes, 1))) @ ones).tocsr()
    left, right = join(unit, sizes, float(threshold), int(threads))
    joined = clock.lap()
    report(
        seconds=tokenising + joined,
        join_seconds=joined,
        pairs=len(left),
        digest=digest(left, right),
        version=sparse_dot_topn.__version__,
    )


main(*sys.argv[1:])
