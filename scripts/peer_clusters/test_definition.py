"""Linkages by their definition, on graphs whose clusters are known."""

import unittest

from .definition import united
from .graphs import Graph, complete


def clusters(weights, linkage, least):
    """The clusters of a graph with these weights, and whether equals decided."""
    vertices = max(vertex for pair in weights for vertex in pair) + 1
    found, is_tied = united(Graph(0, vertices, [(*pair, weight) for pair, weight in weights.items()]), linkage, least)
    return sorted(map(sorted, found)), is_tied


class Linkages(unittest.TestCase):
    def test_averages_and_least_weights(self):
        weights = {(0, 1): 1.0, (0, 2): 0.75, (1, 2): -0.5}
        self.assertEqual(clusters(weights, "average", 0.25), ([[0, 1], [2]], False))
        self.assertEqual(clusters(weights, "average", 0.125), ([[0, 1, 2]], True))
        self.assertEqual(clusters(weights, "complete", -0.25), ([[0, 1], [2]], False))
        self.assertEqual(clusters(weights, "complete", -1), ([[0, 1, 2]], False))

    def test_of_equals_the_first_come_first(self):
        weights = {(0, 1): 1.0, (1, 2): 1.0, (0, 2): -3.0}
        self.assertEqual(clusters(weights, "complete", 0.5), ([[0, 1], [2]], True))

    def test_of_repeated_pairs_the_strongest_counts(self):
        graph = Graph(0, 2, [(0, 1, 0.25), (1, 0, 0.75), (0, 1, -1.0)])
        self.assertEqual(graph.strongest(), {(0, 1): 0.75})
        self.assertEqual(graph.strongest(0.9), {})

    def test_a_graph_depends_on_its_seed_and_number(self):
        self.assertEqual(complete(1, 7), complete(1, 7))
        self.assertNotEqual(complete(1, 7).pairs, complete(2, 7).pairs)


if __name__ == "__main__":
    unittest.main()
