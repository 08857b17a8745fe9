"""Jobs of scored pairs: both programs are given the same comparisons, and the mean counts every set."""

import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(BENCH), str(BENCH / "peers")]
import score_rules
from harness.rows.score_sets import SETS, labelled, mean, together
from harness.rows.scores import scored
from harness.settings import SCORES, Settings
from score_job import Job, level, sql


class Jobs(unittest.TestCase):
    def test_every_job_gives_rules_with_its_comparisons(self):
        self.assertEqual(sorted(SETS), sorted(path.stem for path in SCORES.glob("*.json")))
        for name in SETS:
            job = Job(SCORES / f"{name}.json")
            rules = tomllib.loads("\n".join(score_rules.rules(job.facts, 0.9)))
            self.assertEqual([each["levels"] for each in rules["compare"]], [each["levels"] for each in job.facts["comparisons"]])
            self.assertEqual(rules["train"]["rules"], job.facts["training"])
            self.assertEqual(rules["score"]["threshold"], 0.9)

    def test_each_side_has_its_own_derived_columns(self):
        job = Job(SCORES / "amazon_google.json")
        rules = tomllib.loads("\n".join(score_rules.rules(job.facts, 0.9)))
        self.assertIn("(title)", rules["derive"]["left"]["plain_title"].replace("lower", ""))
        self.assertEqual([text for name, text in job.derived(1).items() if name == "version"], ["regexp_extract(name, '[0-9]+', 0)"])

    def test_every_column_of_a_derived_name_is_known_to_both_sides(self):
        for name in SETS:
            job = Job(SCORES / f"{name}.json")
            sides = [set(job.derived(place)) for place in range(len(job.tables))]
            self.assertEqual(sides[0], sides[-1], name)

    def test_sets_of_words_are_columns_for_others(self):
        text = "jaccard(words(l.title), words(r.title)) >= 0.6"
        self.assertEqual(sql(text), "jaccard_of_sets(l.title_words, r.title_words) >= 0.6")
        self.assertEqual(level(text), 'jaccard_of_sets("title_words_l", "title_words_r") >= 0.6')


def known(f1):
    """The rates of a contestant; none where it failed."""
    return {"precision": 1.0, "recall": 1.0, "f1": f1} if f1 else {}


class Means(unittest.TestCase):
    def case(self, ours, theirs, combined=None, pairs=()):
        found = {"case": "a", "peers": [{"name": "Splink"} | known(theirs)], "notes": []} | known(ours)
        if combined:
            found["combined"] = {"name": "combined", "together": list(pairs)} | known(combined)
        return labelled(found)

    def test_a_set_where_one_fails_counts_nothing_for_it(self):
        self.assertEqual(self.case(0.9, 0.8)["ratio"], "F1 0.9000, Splink 0.8000")
        found = mean([self.case(0.9, 0.8), self.case(0.7, None)])
        self.assertEqual((found["case"], found["ratio"]), ("mean of 2 sets", "F1 sameas 0.8000, Splink 0.4000"))
        self.assertEqual(found["verdict"], "met (above Splink's)")
        self.assertEqual(mean([self.case(0.4, 0.8)])["verdict"], "**missed** (above Splink's)")

    def test_the_model_that_takes_comparisons_together_has_its_own_mean(self):
        first = self.case(0.9, 0.8, 0.92, [["town", "zip"], ["a", "b"]])
        self.assertEqual(first["ratio"], "F1 0.9000, combined 0.9200, Splink 0.8000")
        self.assertIn("combined takes together: town and zip, a and b", first["notes"])
        self.assertIn("combined takes together: nothing", self.case(0.9, 0.8, 0.9)["notes"])
        found = mean([first, self.case(0.5, 0.8, 0.78)])
        self.assertEqual(found["ratio"], "F1 sameas 0.7000, combined 0.8500, Splink 0.8000")
        self.assertEqual([round(found[key], 4) for key in ("f1", "combined_f1", "splink_f1")], [0.7, 0.85, 0.8])
        # The verdict is on the model as it is.
        self.assertEqual(found["verdict"], "**missed** (above Splink's)")
        self.assertEqual(found["notes"], ["combined: mean F1 0.8500, met (above Splink's)"])

    def test_without_splink_there_is_no_verdict(self):
        alone = [self.case(0.9, None, 0.8) | {"peers": []}]
        self.assertEqual(mean(alone)["ratio"], "F1 sameas 0.9000, combined 0.8000")
        self.assertNotIn("verdict", mean(alone))


class Combined(unittest.TestCase):
    def test_the_option_is_given_to_training_alone(self):
        settings = Settings(data=Path("data"), threads=2, quick=True, runs=1, limit=60.0)
        run = scored("a_test", ["a.csv", "b.csv"], "rules.toml", settings, training=["--combine-dependent"])
        [found] = run.then
        self.assertEqual((run.command[1], found[1]), ("train", "link"))
        self.assertEqual((run.command.count("--combine-dependent"), found.count("--combine-dependent")), (1, 0))
        self.assertEqual(found[found.index("--model") + 1], run.command[run.command.index("-o") + 1])

    def test_a_model_says_what_it_takes_together(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "model.toml"
            model.write_text('[[comparison]]\nname = "a and b"\ncombines = ["a", "b"]\n[[comparison]]\nname = "c"\n')
            self.assertEqual(together(model), [["a", "b"]])


if __name__ == "__main__":
    unittest.main()
