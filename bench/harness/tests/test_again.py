"""What is done once for several jobs: the figures are those that our operators print, and each has its own bar."""

import contextlib
import io
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from harness.rows import again, all_rows
from harness.settings import Settings

LOADING = '{"op": "loading-again", "threads": 2, "first": 1.5, "again": %s}'
WHY = (
    '{"op": "why-again", "threads": 2, "run": 2.5, "pairs": 100, "median": %s, "most": 0.004,'
    ' "whole_records_median": 0.003, "whole_records_most": 0.2}'
)


def printing(line):
    """A program that prints this."""
    return lambda *arguments: ["sh", "-c", f"echo '{line}'"]


def measured(measure, line):
    with mock.patch.object(again, "operator", printing(line)), contextlib.redirect_stdout(io.StringIO()):
        return measure(Settings(Path("."), 2, False, 2, 10), "people.parquet", "people")


class Again(unittest.TestCase):
    def test_a_second_job_is_timed_and_not_the_first(self):
        found = measured(again.loading, LOADING % 0.03)
        self.assertEqual((found["ours"]["median"], found["ours"]["runs"], found["verdict"]), (0.03, 2, "met (<= 0.05 s)"))
        self.assertIn("the first job takes 1.5 s", found["notes"][0])
        self.assertEqual(measured(again.loading, LOADING % 0.06)["verdict"], "**missed** (<= 0.05 s)")

    def test_an_answer_is_timed_and_not_its_run(self):
        found = measured(again.why, WHY % 0.002)
        self.assertEqual((found["ours"]["median"], found["verdict"]), (0.002, "met (<= 0.005 s)"))
        self.assertIn("the slowest answer 0.004 s", found["notes"][0])
        self.assertEqual(measured(again.why, WHY % 0.006)["verdict"], "**missed** (<= 0.005 s)")

    def test_an_operator_that_fails_has_no_figure(self):
        with mock.patch.object(again, "operator", lambda *arguments: ["sh", "-c", "echo wrong >&2; exit 1"]):
            with contextlib.redirect_stdout(io.StringIO()):
                found = again.why(Settings(Path("."), 2, False, 2, 10), "people.parquet", "people")
        self.assertEqual((found["ours"]["failed"], found["verdict"], found["notes"]), ("wrong", "no figure", []))

    def test_rows_without_peers_name_the_programs_that_they_need(self):
        needed = {row.name: row.programs for row in all_rows() if row.alone}
        self.assertEqual(needed["people_again"], ("sameas", "sameas-bench"))
        self.assertEqual(needed["scores_sets"], ("sameas",))


if __name__ == "__main__":
    unittest.main()
