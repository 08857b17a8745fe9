"""Commands that follow each other in one run: their times add up, and one limit ends them all."""

import contextlib
import io
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from harness.measure import Contestant, interleave, summary
from harness.settings import Settings


def measured(*commands, runs=1, limit=10):
    first, *then = [["sh", "-c", command] for command in commands]
    contestant = Contestant("a shell", first, then=then)
    with contextlib.redirect_stdout(io.StringIO()):
        interleave([contestant], Settings(Path("."), 1, False, runs, limit))
    return contestant


class Runs(unittest.TestCase):
    def test_times_of_commands_add_up(self):
        run = measured("sleep 0.05", """sleep 0.1; echo '{"pairs": 3}'""").runs[0]
        self.assertEqual(len(run.parts), 2)
        self.assertAlmostEqual(run.wall, sum(run.parts))
        self.assertGreater(run.wall, 0.15)
        self.assertEqual(run.facts, {"pairs": 3})

    def test_one_limit_ends_all(self):
        facts = summary(measured("sleep 0.1", "exec sleep 5", limit=0.2))
        self.assertEqual((facts["runs"], facts["failed"]), (0, "not finished in 0 s"))

    def test_a_command_that_fails_is_the_last(self):
        contestant = measured("echo an error >&2; exit 3", "echo '{}'")
        self.assertEqual((contestant.runs[0].error, len(contestant.runs[0].parts)), ("an error", 1))

    def test_facts_are_those_of_the_last_run_that_finished(self):
        contestant = measured("echo '{\"pairs\": 1}'", runs=1)
        contestant.runs.append(measured("exit 1").runs[0])
        self.assertEqual((contestant.facts(), contestant.failed()), ({"pairs": 1}, True))


if __name__ == "__main__":
    unittest.main()
