"""What the peers' scripts share: reading inputs, timing, and the one JSON line that each measurement prints."""

import json
import time

import numpy as np


def read_lines(path):
    """The values of an input file, one per line."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return file.read().split("\n")[:-1]


class Clock:
    """Seconds since it was made; `lap` restarts it."""

    def __init__(self):
        self.start = time.perf_counter()

    def seconds(self):
        return time.perf_counter() - self.start

    def lap(self):
        seconds = self.seconds()
        self.start = time.perf_counter()
        return seconds


def report(**facts):
    """Prints a measurement."""
    print(json.dumps(facts), flush=True)


def digest(left, right):
    """A hash of the set of pairs (smaller row, greater row), in any order: the sum of each pair's mixed bits.

    `src/report.rs` computes the same.
    """
    left, right = np.asarray(left, dtype=np.uint64), np.asarray(right, dtype=np.uint64)
    bits = (np.minimum(left, right) << np.uint64(32)) | np.maximum(left, right)
    with np.errstate(over="ignore"):
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return f"{int((bits ^ (bits >> np.uint64(31))).sum(dtype=np.uint64)):016x}"
