"""Tables of figures are made of invented results; a changed figure is found, a fresh one passes."""

import contextlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from harness.figures import FiguresError, ages, blocks, cli, numbers, render
from harness.figures.tables import TABLES, Entry, Table
from harness.rows import Row, all_rows
from harness.settings import ROOT

TWO_CORES = {"cpu": "Some(R) Processor 7", "cores": 2}
GPU = {"cpu": "Some(R) Processor 7", "cores": 16, "gpu": "1 x NVIDIA T1, compute capability 9.0"}
INVENTED = {
    "joins_here": Table(
        "two_cores", ("work", "sameas", "other tools"),
        (
            Entry(
                "join", "large", "a join, {candidates} candidates", ("{time}, {memory}", "DuckDB: {DuckDB}; Slow: {few.Slow}"),
                {"few": "small"},
            ),
        ),
    ),
    "all_cases": Table("any", ("work", "{cores} cores"), (Entry("join", "*", "{case}", ("{time}",)),)),
    "on_gpu": Table("gpu", ("work", "GPU"), (Entry("join", "large", "a join", ("{time}",)),)),
    "wrong_row": Table("two_cores", ("work",), (Entry("merge", "large", "", ()),)),
    "wrong_case": Table("two_cores", ("work",), (Entry("join", "huge", "", ()),)),
    "wrong_figure": Table("two_cores", ("work",), (Entry("join", "large", "{speed}", ()),)),
}


def contestant(name, seconds=None, **facts):
    return {"name": name, "peak_mb": 523} | ({"median": seconds} if seconds else {}) | facts


def result(machine, seconds, revision="abc1234", **more):
    """The result of one row with two cases."""
    slow = contestant("Slow", failed="not finished in 60 s", at_least=60.1)
    large = {"case": "large", "ours": contestant("sameas", seconds), "peers": [contestant("DuckDB", 39.5)]}
    large |= {"candidates": 206_503_880}
    small = {"case": "small", "ours": contestant("sameas", 0.0777), "peers": [slow]}
    row = {"title": "a join", "revision": revision, "cases": [small, large]}
    return {"rows": {"join": row}, "machine": machine, "versions": {"duckdb": "2.0.0", "polars": "1.0"}, "quick": False} | more


class Invented(unittest.TestCase):
    """A folder with results and a README."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        patch = mock.patch.dict(TABLES, INVENTED)
        patch.start()
        self.addCleanup(patch.stop)
        self.root = Path(folder.name)
        (self.root / "docs").mkdir()
        self.page = self.root / "README.md"
        self.write("2026-01-01-a-2c", result(TWO_CORES, 7.0031))

    def write(self, name, found):
        (self.root / f"{name}.json").write_text(json.dumps(found))

    def run_figures(self, *options):
        """The exit code, and all that was said."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = cli.main(["--root", str(self.root), "--results", str(self.root), *options])
        return code, said.getvalue()

    def block(self, name, page=None):
        (page or self.page).write_text(f"Before.\n\n<!-- figures: {name} -->\n<!-- end of figures -->\n\nAfter.\n")


class Rendered(Invented):
    def test_a_table_has_times_memory_peers_and_its_source(self):
        self.assertEqual(render.table("joins_here", self.root), [
            "| work | sameas | other tools |",
            "|---|---|---|",
            "| a join, 207 M candidates | 7.0 s, 523 MB | DuckDB: 40 s; Slow: not finished in 60 s |",
            "",
            "2 cores of Some 7. Measured 2026-01-01, sameas at abc1234, duckdb 2.0.0.",
        ])

    def test_an_entry_can_have_all_cases(self):
        lines = render.table("all_cases", self.root)
        self.assertEqual([lines[0], *lines[2:4]], ["| work | 2 cores |", "| small | 0.078 s |", "| large | 7.0 s |"])

    def test_newer_results_of_the_same_kind_of_machine_count(self):
        self.write("2026-01-02-b-2c", result(TWO_CORES, 6.0, "def5678"))
        self.write("2026-01-03-a-16c-t1", result(GPU, 0.0035))
        self.write("2026-01-04-a-16c", result(TWO_CORES | {"cores": 16}, 1.0))
        self.write("quick-2026-01-05-a-2c", result(TWO_CORES, 0.5, quick=True))
        text = "\n".join(render.table("joins_here", self.root))
        self.assertIn("| 6.0 s, 523 MB |", text)
        self.assertIn("Measured 2026-01-02, sameas at def5678", text)
        self.assertIn("| a join | 3.5 ms |", "\n".join(render.table("on_gpu", self.root)))

    def test_results_on_real_data_have_the_format_of_the_benchmark(self):
        spec = importlib.util.spec_from_file_location("real_data", ROOT / "crates/sameas-testkit/scripts/real_data.py")
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        scores = {"recall": 0.9911, "precision": 0.978, "f1": 0.9845, "all_pairs": 6_001_104, "candidates": 25_205, "found": 2254}
        with contextlib.redirect_stdout(io.StringIO()):
            script.write_results(self.root, [script.benchmark_case("dblp_acm", scores | {"seconds": 0.0748}, 10)])
        self.assertIn("| dblp_acm | 10 | 0.991 | 0.978 | 0.985 | 0.42 % | 0.075 s |", render.table("real_data", self.root))

    def test_what_is_not_there_is_named_with_what_is(self):
        for table, said in (
            ("nothing", "no table `nothing`; there are: `two_cores`"),
            ("wrong_row", "no result of row `merge`; there are: `join`"),
            ("wrong_case", "no case of row `join` of 2026-01-01 `huge`; there are: `small`, `large`"),
            ("wrong_figure", "no figure of `large` `speed`; there are: `case`, `cores`, `candidates`, `time`"),
        ):
            with self.assertRaises(FiguresError) as raised:
                render.table(table, self.root)
            self.assertIn(said, str(raised.exception))


class Checked(Invented):
    def test_a_fresh_page_passes_and_stays_as_it_is(self):
        self.block("joins_here")
        self.block("all_cases", self.root / "docs" / "page.md")
        self.assertEqual(self.run_figures(), (0, "README.md: joins_here\ndocs/page.md: all_cases\n"))
        written = self.page.read_text()
        self.assertTrue(written.startswith("Before.\n\n<!-- figures: joins_here -->\n\n| work |"))
        self.assertTrue(written.endswith("duckdb 2.0.0.\n\n<!-- end of figures -->\n\nAfter.\n"))
        self.assertEqual(self.run_figures("--check"), (0, "tables of figures: 2, all as in the results\n"))
        self.assertEqual(self.run_figures(), (0, ""))
        self.assertEqual(self.page.read_text(), written)

    def test_a_changed_figure_is_found_and_not_touched(self):
        self.block("joins_here")
        self.run_figures()
        fresh = self.page.read_text()
        stale = fresh.replace("7.0 s", "6.9 s")
        self.page.write_text(stale)
        code, said = self.run_figures("--check")
        self.assertEqual(code, 1)
        for line in ("--- README.md: joins_here", "| 6.9 s, 523 MB |", "| 7.0 s, 523 MB |", "stale tables of figures: 1"):
            self.assertIn(line, said)
        self.assertEqual(self.page.read_text(), stale)
        self.run_figures()
        self.assertEqual(self.page.read_text(), fresh)

    def test_newer_results_make_a_page_stale(self):
        self.block("joins_here")
        self.run_figures()
        self.write("2026-01-02-a-2c", result(TWO_CORES, 6.5))
        self.assertEqual(self.run_figures("--check")[0], 1)

    def test_an_error_is_said_with_its_page_and_other_tables_are_written(self):
        good = self.root / "docs" / "good.md"
        self.block("joins_here", good)
        self.block("nothing")
        before = self.page.read_text()
        code, said = self.run_figures()
        self.assertEqual(code, 2)
        self.assertIn("error: README.md: line 3: no table `nothing`", said)
        self.assertEqual(self.page.read_text(), before)
        self.assertIn("| 7.0 s, 523 MB |", good.read_text())
        self.assertEqual(self.run_figures("--check")[0], 2)

    def test_a_block_without_an_end_is_an_error(self):
        self.page.write_text("<!-- figures: joins_here -->\nthe rest of the page\n")
        code, said = self.run_figures()
        self.assertEqual((code, said), (2, "error: README.md: line 1: the block `joins_here` has no end\n"))
        with self.assertRaises(FiguresError):
            blocks.find(["<!-- figures: a -->", "<!-- figures: b -->", "<!-- end of figures -->"])
        with self.assertRaises(FiguresError):
            blocks.find(["<!-- end of figures -->"])


class Ages(Invented):
    def test_results_are_listed_from_the_oldest_with_the_changes_since_and_rows_without_one(self):
        folder = self.root / "clone"
        self.git("init", "--quiet", folder)
        measured = self.commit(folder, "crates/a.rs")
        self.commit(folder, "docs/a.md")
        self.commit(folder, "crates/b.rs")
        self.write("2026-01-02-a-2c", result(TWO_CORES, 7.0, f"{measured} with a remark"))
        self.write("2026-01-01-a-16c-t1", result(GPU, 7.0, "0000000"))
        rows = [Row(name, "", "", None, gpu) for name, gpu in (("join", False), ("gpu_join", True), ("set_join", False))]
        self.assertEqual([" ".join(line.split()) for line in ages.lines(self.root, folder, rows)], [
            "row machine measured commits since",
            "join gpu 2026-01-01 ? after 0000000",
            f"join two_cores 2026-01-02 1 after {measured} with a remark",
            "without a result: gpu_join, set_join",
        ])

    def git(self, *arguments):
        # Nothing of the configuration of this machine.
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        names = {f"GIT_{who}_{what}": "someone" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        settings = {"env": os.environ | alone | names, "check": True, "capture_output": True, "text": True}
        return subprocess.run(["git", *arguments], **settings).stdout.strip()

    def commit(self, folder, name):
        """A commit that adds a file, and its number."""
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name)
        self.git("-C", folder, "add", name)
        self.git("-C", folder, "commit", "--quiet", "--message", name)
        return self.git("-C", folder, "rev-parse", "--short", "HEAD")


class Declared(unittest.TestCase):
    def test_every_entry_names_a_row_of_the_benchmark(self):
        known = {row.name for row in all_rows()} | {"real_data"}
        self.assertEqual({entry.row for table in TABLES.values() for entry in table.entries} - known, set())

    def test_every_line_has_as_many_columns_as_heads(self):
        for name, table in TABLES.items():
            for entry in table.entries:
                self.assertEqual(len(entry.columns) + 1, len(table.heads), f"{name}: {entry.work}")

    def test_numbers_have_about_two_digits(self):
        times = [numbers.time(value) for value in (447.2, 39.51, 9.97, 7.0031, 0.995, 0.0777, 0.009996, 0.003483)]
        self.assertEqual(times, ["447 s", "40 s", "10 s", "7.0 s", "0.99 s", "0.078 s", "10 ms", "3.5 ms"])
        counts = [numbers.count(value) for value in (0, 5_996, 608_186, 206_503_880, 6.001e10, 1e11, 5_286_203_755_514)]
        self.assertEqual(counts, ["0", "5,996", "608,000", "207 M", "6 x 10^10", "10^11", "5.3 x 10^12"])
        self.assertEqual([numbers.memory(523), numbers.memory(2803), numbers.share(0.00096)], ["523 MB", "2.8 GB", "0.096 %"])


if __name__ == "__main__":
    unittest.main()
