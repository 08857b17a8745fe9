"""Pairs are counted as by looking at each, copies have the outcome that was drawn, and the judge can say no."""

import math
import random
import subprocess
import tempfile
import unittest
from unittest import mock

from . import adverse, judge, tables
from .columns import one_edit


def counted_one_by_one(table, at):
    left, right, column = table.sides[0][at], table.other()[at], table.columns[at]
    found = [0] * len(column.m)
    for place, first in enumerate(left):
        for second in right if table.link else right[place + 1 :]:
            if first is not None and second is not None:
                found[column.outcome(first, second)] += 1
    return found


class Counts(unittest.TestCase):
    def test_pairs_are_counted_as_one_by_one(self):
        kinds = set()
        for kind in adverse.KINDS:
            for seed in range(4):
                table = adverse.adverse(random.Random(f"{kind} {seed}"), kind)
                if table.all_pairs() > 60_000:
                    continue
                for at, column in enumerate(table.columns):
                    self.assertEqual(table.outcomes(at)[0], counted_one_by_one(table, at), (kind, seed, at))
                    kinds.add((type(column).__name__, table.link))
        self.assertEqual(len(kinds), 8, "each kind of column, in one table and in two")

    def test_copies_have_their_outcome(self):
        for seed in range(10):
            rng = random.Random(seed)
            for column in tables.plain(rng).columns:
                for outcome in range(len(column.m)):
                    value = column.value(rng)
                    self.assertEqual(column.outcome(value, column.copy(rng, value, outcome)), outcome)

    def test_one_edit(self):
        near = [("ab", "ab"), ("ab", "abc"), ("bc", "abc"), ("ac", "abc"), ("axc", "abc"), ("", "a")]
        far = [("ab", "ba"), ("ab", "abcd"), ("abc", "axx"), ("abcd", "bcde")]
        self.assertTrue(all(one_edit(*pair) and one_edit(*pair[::-1]) for pair in near))
        self.assertFalse(any(one_edit(*pair) or one_edit(*pair[::-1]) for pair in far))


class Judging(unittest.TestCase):
    def test_chance_explains_little(self):
        self.assertAlmostEqual(judge.at_least(0, 10, 0.3), 1.0)
        self.assertAlmostEqual(judge.at_least(2, 2, 0.1), 0.01)
        self.assertEqual(judge.at_least(3, 3, 1.0), 1.0)
        self.assertAlmostEqual(judge.at_least(1, 20, 0.05), 1 - math.pow(0.95, 20))

    def test_what_is_overstated(self):
        def verdict(right, pairs, expected):
            return judge.Verdict(0, "weak", right=right, pairs=pairs, expected=expected)

        self.assertTrue(judge.is_overstated(verdict(60, 100, 97.0)))
        self.assertFalse(judge.is_overstated(verdict(88, 100, 97.0)))
        # Two of three wrong may be chance; three of three are not.
        self.assertFalse(judge.is_overstated(verdict(2, 3, 2.9)))
        self.assertTrue(judge.is_overstated(verdict(0, 3, 2.9)))
        self.assertFalse(judge.is_overstated(verdict(0, 0, 0.0)))

    def test_warnings_are_those_that_the_model_keeps(self):
        kept = {"warning": [{"kind": "no_matches", "expected": 0.1}]}
        self.assertEqual(judge.Training(["nothing matches"], model=kept).kinds(), ["no_matches"])
        self.assertEqual(judge.Training(["all pairs are compared"], model={}).kinds(), [])
        self.assertEqual(judge.Training(["nothing matches"], refusal="no").kinds(), ["nothing matches"])

    def test_only_warnings_about_the_model_excuse_it(self):
        table = tables.Table("weak", [], False)
        # Ten pairs are stated to match, and none does.
        pairs = [(at, at + 1, 0.97) for at in range(0, 20, 2)]

        def wrong(warnings, refusal=""):
            verdict = judge.Verdict(0, "weak", warnings=warnings, refusal=refusal)
            judge.judge_pairs(table, pairs, verdict)
            return verdict.wrong

        self.assertIn("0 of 10 pairs are right, 9.7 expected, and no warning", wrong([]))
        self.assertIn("no warning", wrong(["missing_column"]))
        self.assertEqual(wrong(["dependent"]), "")
        self.assertEqual(wrong(["missing_column", "share_uncertain"]), "")
        self.assertEqual(wrong([], refusal="a table is too large"), "")

    def test_a_run_adds_no_excuse(self):
        table = tables.Table("weak", [], False)
        verdict = judge.Verdict(0, "weak")
        said = "unique_id_l,unique_id_r,match_probability\n0,1,0.97\n"
        done = subprocess.CompletedProcess([], 0, said, "warning: every pair of records is compared\n")
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(judge, "call", return_value=done):
            self.assertEqual(judge.found("sameas", table, folder, verdict), [(0, 1, 0.97)])
        self.assertEqual((verdict.warnings, verdict.is_warned()), ([], False))


if __name__ == "__main__":
    unittest.main()
