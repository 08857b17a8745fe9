"""Of a row the newest result stays: older ones of the same kind of machine go, in both files."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from harness import results

TWO_CORES = {"cores": 2}
GPU = {"cores": 16, "gpu": "1 x NVIDIA H200"}


class Forget(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def written(self, name, machine, *rows):
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({"machine": machine, "rows": {row: {} for row in rows}}))
        path.with_suffix(".md").write_text("# Results\n\n" + "".join(f"## {row}: words\n\nfigures of {row}\n\n" for row in rows))
        return path

    def rows(self, path):
        return list(json.loads(path.read_text())["rows"])

    def test_older_results_of_the_same_kind_go(self):
        older, newer = self.written("1", TWO_CORES, "joins", "people", "joins_large"), self.written("2", TWO_CORES, "joins")
        results.forget("joins", TWO_CORES, newer)
        self.assertEqual((self.rows(older), self.rows(newer)), (["people", "joins_large"], ["joins"]))
        text = older.with_suffix(".md").read_text()
        self.assertNotIn("figures of joins\n", text)
        self.assertTrue("figures of people" in text and "figures of joins_large" in text)

    def test_a_file_that_has_nothing_else_goes(self):
        older, newer = self.written("1", GPU, "joins"), self.written("2", GPU, "joins")
        results.forget("joins", GPU, newer)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["2.json", "2.md"])
        self.assertFalse(older.exists())

    def test_those_of_other_machines_stay(self):
        other, newer = self.written("1", GPU, "joins"), self.written("2", TWO_CORES, "joins")
        unlike = self.written("3", {"cores": 8}, "joins")
        results.forget("joins", TWO_CORES, newer)
        results.forget("joins", {"cores": 8}, self.written("4", {"cores": 8}, "joins"))
        self.assertEqual([self.rows(path) for path in (other, newer, unlike)], [["joins"]] * 3)


class Take(unittest.TestCase):
    def test_results_of_another_machine_replace_older_ones_and_join_those_of_the_day(self):
        machine = {name: "" for name in ("cpu", "memory_gib", "system", "revision", "rustc", "python")} | GPU | {"instructions": []}
        row = {"title": "words", "bar": "", "threads": 2, "load": 0, "cases": []}

        def write(folder, name, **revisions):
            rows = {name: row | {"revision": revision} for name, revision in revisions.items()}
            (folder / f"{name}.json").write_text(json.dumps({"machine": machine, "versions": {}, "quick": False, "rows": rows}))

        with tempfile.TemporaryDirectory() as there, tempfile.TemporaryDirectory() as here:
            there, here = Path(there), Path(here)
            write(there, "2026-01-02-x", gpu_people_50="new", gpu_scores="new")
            write(there, "quick-2026-01-02-x", gpu_people_50="quick")
            write(here, "2026-01-01-x", gpu_people_50="old", gpu_dblp_acm="old")
            write(here, "2026-01-02-x", gpu_set_join="of the day", gpu_scores="of the day")
            self.assertEqual(results.take(there, here), [here / "2026-01-02-x.json"])
            found = {path.name: json.loads(path.read_text())["rows"] for path in here.glob("*.json")}
            revisions = {name: {row: facts["revision"] for row, facts in rows.items()} for name, rows in found.items()}
            self.assertEqual(revisions, {
                "2026-01-01-x.json": {"gpu_dblp_acm": "old"},
                "2026-01-02-x.json": {"gpu_people_50": "new", "gpu_scores": "new", "gpu_set_join": "of the day"},
            })
            self.assertIn("sameas at new", (here / "2026-01-02-x.md").read_text())


if __name__ == "__main__":
    unittest.main()
