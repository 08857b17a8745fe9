"""Clusterings: rates are those of the edges that were asked for, and Splink is judged by the same edges."""

import contextlib
import io
import json
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from harness.rows import all_rows, clusters
from harness.settings import Settings

OURS = {"seconds": [0.01], "digest": "ab", "found": {"clusters": 40, "cut": 7}, "peak_bytes": 5_000_000}
SPLINKS = {"seconds": 2.0, "digest": "ab", "clusters": 41, "most_of_a_source": 1}
QUICK = Settings(Path("."), 2, True, 2, 10)


def printing(facts):
    """A program that prints this."""
    return lambda *arguments: ["sh", "-c", f"echo '{json.dumps(facts)}'"]


def measured(measure, *arguments, mine=OURS, splinks=SPLINKS, settings=QUICK):
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(clusters, "operator", printing(mine)))
        stack.enter_context(mock.patch.object(clusters, "peer", printing(splinks)))
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        return measure(settings, *arguments)


class Clusters(unittest.TestCase):
    def test_a_rate_is_that_of_the_edges(self):
        found, _ = measured(clusters.measured, "limit", 100_000)
        self.assertEqual((found["ours"]["rate"], found["verdict"]), (1e7, "met (>= 5 M edges/s)"))
        self.assertEqual(found["notes"], ["10 M edges/s, 40 clusters, 7 edges cut, 5 MB"])
        self.assertEqual(measured(clusters.measured, "limit", 10_000)[0]["verdict"], "**missed** (>= 5 M edges/s)")
        self.assertEqual(measured(clusters.measured, "louvain", 10_000)[0]["verdict"], "")

    def test_splink_has_the_same_edges_and_one_record_of_a_source(self):
        found = measured(clusters.beside_splink, 50_000)
        self.assertEqual((found["agree"], found["ratio"]), ("the same edges, both one-to-one; Splink has 41 clusters", "200x Splink"))
        for wrong, said in (({"digest": "cd"}, "other edges"), ({"most_of_a_source": 2}, "2 records of one source")):
            agree = measured(clusters.beside_splink, 50_000, splinks=SPLINKS | wrong)["agree"]
            self.assertTrue(agree.startswith("**differ**: ") and said in agree, agree)

    def test_all_clusterings_are_measured_and_without_peers_too(self):
        cases = measured(clusters.measure)
        self.assertEqual([found["case"].split(", ")[1] for found in cases[-3:]], ["one_to_one", "one_to_one", "limit"])
        self.assertEqual(len(cases), len(clusters.BARS) + 2)
        alone = measured(clusters.measure, settings=Settings(Path("."), 2, True, 2, 10, alone=True))
        self.assertEqual([found["peers"] for found in alone], [[]] * len(cases))

    def test_memory_of_many_edges_is_bounded(self):
        self.assertEqual(measured(clusters.large)["verdict"], "met (<= 2 GB)")
        self.assertEqual(measured(clusters.large, mine=OURS | {"peak_bytes": 3e9})["verdict"], "**missed** (<= 2 GB)")

    def test_the_row_is_one_of_all(self):
        self.assertIn("clusters", [row.name for row in all_rows()])


if __name__ == "__main__":
    unittest.main()
