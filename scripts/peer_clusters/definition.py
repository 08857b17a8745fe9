"""Average and complete linkage as they are defined, by exact numbers: for cases that a tie decides."""

from fractions import Fraction


def united(graph, linkage, least):
    """The clusters of a complete graph, and whether another order of equals might have given others: whether two unions were
    equally good at once, or one was exactly as good as it had to be."""
    likeness = {pair: [Fraction(weight)] for pair, weight in graph.strongest().items()}
    clusters = {vertex: [vertex] for vertex in range(graph.vertices)}
    summed = {"average": lambda weights: sum(weights) / len(weights), "complete": min}[linkage]
    is_tied, least = False, Fraction(least)
    while likeness:
        alike = {pair: summed(weights) for pair, weights in likeness.items()}
        best = max(alike.values())
        # Of equals the pair whose first cluster begins with the lowest vertex, then the one whose other cluster does.
        equals = sorted(pair for pair, value in alike.items() if value == best)
        is_tied |= len(equals) > 1 or best == least
        if best < least:
            break
        unite(equals[0], clusters, likeness)
    return {frozenset(cluster) for cluster in clusters.values()}, is_tied


def unite(pair, clusters, likeness):
    """Puts the second cluster into the first, whose lowest vertex is the name of both."""
    first, second = pair
    clusters[first] += clusters.pop(second)
    del likeness[pair]
    for other in clusters:
        if other != first:
            weights = likeness.pop((min(second, other), max(second, other)))
            likeness[min(first, other), max(first, other)] += weights
