"""The input of the equality joins, number for number as `src/equi_join.rs` makes it; the checksum shows that it is."""

from math import gcd

import numpy as np

CHUNK = 1 << 22


def random(counter):
    """SplitMix64's output for counters."""
    with np.errstate(over="ignore"):
        x = (counter + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def cumulative(universe, exponent):
    sums = np.cumsum(np.arange(1, universe + 1, dtype=np.float64) ** -exponent)
    return sums / sums[-1]


def keys(sums, n, seed):
    universe = len(sums)
    factor = next(factor for factor in range(universe * 5 // 8, 2 * universe) if gcd(factor, universe) == 1)
    found = np.empty(n, dtype=np.uint32)
    for start in range(0, n, CHUNK):
        at = np.arange(start, min(n, start + CHUNK), dtype=np.uint64) | np.uint64(seed << 40)
        x = (random(at) >> np.uint64(11)).astype(np.float64) / float(1 << 53)
        rank = np.searchsorted(sums, x, side="right").astype(np.int64)
        found[start : start + len(at)] = (rank * factor + universe // 3) % universe
    return found


def payloads(n, side):
    return random(np.arange(n, dtype=np.uint64) ^ np.uint64(side << 40)).astype(np.uint32)


def checksum(sides):
    total = 0
    for side in sides:
        at = np.arange(len(side), dtype=np.uint64) << np.uint64(32)
        total += int(random(at | side.astype(np.uint64)).sum(dtype=np.uint64))
    return f"{total % (1 << 64):016x}"
