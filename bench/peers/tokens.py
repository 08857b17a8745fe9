"""Token sets of texts for the peers of set_join: `words` or `qgrams`, with the meaning they have in a rule."""

import numpy as np
from scipy.sparse import csr_matrix


def words(text):
    """Maximal runs of alphanumeric characters."""
    return set("".join(c if c.isalnum() else " " for c in text).split())


def qgrams(text, q):
    """Substrings of `q` characters, without padding."""
    return {text[i : i + q] for i in range(len(text) - q + 1)}


def tokenizer(name):
    """`words`, or `3grams` for any number."""
    return words if name == "words" else lambda text: qgrams(text, int(name.removesuffix("grams")))


def matrix(texts, name):
    """One row per text, a one for each of its tokens; and the sizes of the sets."""
    tokens = tokenizer(name)
    numbers, columns, ends = {}, [], [0]
    for text in texts:
        columns.extend(numbers.setdefault(token, len(numbers)) for token in tokens(text))
        ends.append(len(columns))
    shape = (len(texts), len(numbers))
    ones = np.ones(len(columns), dtype=np.float64)
    found = csr_matrix((ones, np.array(columns, dtype=np.int32), np.array(ends, dtype=np.int32)), shape=shape)
    return found, np.diff(found.indptr)
