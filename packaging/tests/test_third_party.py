"""packaging/third-party: what counts as linked, and which texts are found.

    python3 -m unittest discover -s packaging/tests
"""

import runpy
import tempfile
import unittest
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent.parent
SCRIPT = runpy.run_path(str(PACKAGING / "third-party"))


def package(name: str, folder: Path = Path("/nowhere"), **facts: object) -> dict:
    kind = ["proc-macro"] if name.endswith("_macro") else ["lib"]
    return {
        "id": name, "name": name, "version": "1.0.0", "license": "MIT", "license_file": None, "source": "registry",
        "manifest_path": str(folder / "Cargo.toml"), "targets": [{"kind": kind}], **facts,
    }


def needs(name: str, *others: tuple) -> dict:
    return {"id": name, "deps": [{"pkg": other, "dep_kinds": [{"kind": kind}]} for other, kind in others]}


class Ours(unittest.TestCase):
    def test_each_crate_carries_the_licence(self) -> None:
        text = (PACKAGING.parent / "LICENSE").read_text(encoding="utf-8")
        for manifest in (PACKAGING.parent / "crates").glob("*/Cargo.toml"):
            self.assertEqual(manifest.with_name("LICENSE").read_text(encoding="utf-8"), text, manifest.parent.name)


class Linked(unittest.TestCase):
    def graph(self) -> dict:
        names = ("engine", "reader", "builder", "checker", "some_macro", "syntax", "unused")
        return {
            "packages": [package("program", source=None), *map(package, names)],
            "resolve": {"nodes": [
                needs("program", ("engine", None), ("builder", "build"), ("checker", "dev"), ("some_macro", None)),
                needs("engine", ("reader", None)), needs("some_macro", ("syntax", None)),
                *map(needs, ("reader", "builder", "checker", "syntax", "unused")),
            ]},
        }

    def test_crates_of_others_that_it_needs_when_it_runs(self) -> None:
        found = SCRIPT["linked"](self.graph(), "program")
        self.assertEqual([crate["name"] for crate in found], ["engine", "reader"])

    def test_a_package_that_is_not_there(self) -> None:
        with self.assertRaises(SCRIPT["Mistake"]):
            SCRIPT["linked"](self.graph(), "engine")


class Texts(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, *names: str) -> None:
        for name in names:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)

    def test_files_of_a_crate_and_of_what_it_has_within_it(self) -> None:
        self.write("COPYING", "LICENSE-MIT", "NOTICE.txt", "README.md", "inner/COPYING", "inner/LICENSE", "src/license.rs")
        found = SCRIPT["texts_of"](package("one", self.folder))
        self.assertEqual(found, ["COPYING", "LICENSE-MIT", "NOTICE.txt", "inner/LICENSE"])

    def test_a_file_that_the_crate_names(self) -> None:
        self.write("terms.txt")
        self.assertEqual(SCRIPT["texts_of"](package("one", self.folder, license_file="terms.txt")), ["terms.txt"])

    def test_without_a_file_the_standard_text_where_it_may_be_chosen(self) -> None:
        apache = (PACKAGING.parent / "LICENSE").read_text(encoding="utf-8")
        for expression in ("Apache-2.0", "MIT OR Apache-2.0", "MIT/Apache-2.0"):
            self.assertEqual(SCRIPT["texts_of"](package("one", self.folder, license=expression)), [apache])

    def test_without_a_file_and_a_standard_text_it_is_an_error(self) -> None:
        for expression in ("MIT", "MIT AND (ISC OR Apache-2.0)", None):
            with self.assertRaises(SCRIPT["Mistake"]) as refused:
                SCRIPT["texts_of"](package("one", self.folder, license=expression))
            self.assertIn("one 1.0.0 has no file with its licence", str(refused.exception))

    def test_a_page_of_licences(self) -> None:
        page = "<head><title>x</title></head><p>of <b>someone</b></p>\n<pre>a &lt;b&gt;</pre>\n<p>and others</p><pre>c</pre>"
        self.assertEqual(SCRIPT["texts_in_page"](page), ["a <b>", "c", "of someone\nand others"])

    def test_the_page_of_reports_has_those_of_its_packages(self) -> None:
        [text] = SCRIPT["page_of_reports"]()
        self.assertRegex(text, r"preact [\d.]+ \(MIT\)")

    def test_each_text_is_printed_once(self) -> None:
        text = SCRIPT["printed"]([("one", ["same\n text", "other"]), ("two", ["same text"])])
        self.assertIn("one: 1, 2\ntwo: 1\n", text)
        self.assertEqual(text.count("Text "), 2)


if __name__ == "__main__":
    unittest.main()
