"""packaging/fill, and the templates: filled for an invented release.

    python3 -m unittest discover -s packaging/tests
"""

import hashlib
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent.parent
FORMULA = PACKAGING / "homebrew" / "sameas.rb.in"
RECIPE = PACKAGING / "conda" / "recipe.yaml.in"
VERSION = "1.2.3"
URL = "https://example.org/v1.2.3"
LINUX = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]
MACOS = ["x86_64-apple-darwin", "aarch64-apple-darwin"]
SOURCES = f"sameas-{VERSION}.tar.gz"
#: The functions of the script, which starts no process for each template.
SCRIPT = runpy.run_path(str(PACKAGING / "fill"))


def archive(target: str) -> str:
    return f"sameas-{VERSION}-{target}.tar.gz"


def checksum(name: str) -> str:
    """Of a file of the invented release, which contains its own name."""
    return hashlib.sha256(name.encode()).hexdigest()


class Fill(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def release(self, *names: str) -> None:
        for name in names:
            (self.folder / name).write_text(name)

    def fill(self, template: "Path | str", partial: bool = False) -> str:
        text = template if isinstance(template, str) else template.read_text(encoding="utf-8")
        return SCRIPT["fill"](text, self.folder, VERSION, URL + "/", partial)

    def filled(self, template: "Path | str", partial: bool = False) -> str:
        text = self.fill(template, partial)
        self.assertNotRegex(text, r"@[A-Z]|#@", "nothing of the template is left")
        return text

    def refused(self, template: "Path | str", partial: bool = False) -> str:
        with self.assertRaises(SCRIPT["Mistake"]) as refused:
            self.fill(template, partial)
        return str(refused.exception)

    def test_the_formula_has_every_archive_with_its_checksum(self) -> None:
        self.release(*map(archive, LINUX + MACOS))
        text = self.filled(FORMULA)
        found = re.findall(r'url "(.*)"\n *sha256 "(.*)"', text)
        expected = [(f"{URL}/{archive(target)}", checksum(archive(target))) for target in LINUX + MACOS]
        self.assertEqual(sorted(found), sorted(expected))
        self.assertIn(f'version "{VERSION}"', text)

    def test_the_recipe_names_the_sources(self) -> None:
        self.release(SOURCES)
        text = self.filled(RECIPE)
        self.assertIn(f'version: "{VERSION}"', text)
        self.assertIn(f'url: "{URL}/{SOURCES}"', text)
        self.assertIn(f'sha256: "{checksum(SOURCES)}"', text)
        # What rattler-build itself fills in.
        self.assertIn("${{ PREFIX }}", text)

    def test_a_missing_file_is_named(self) -> None:
        self.release(*map(archive, LINUX))
        self.assertIn(f"has no file {archive(MACOS[1])}", self.refused(FORMULA))
        self.assertIn(f"has no file {SOURCES}", self.refused(RECIPE, partial=True))

    def test_a_partial_release_leaves_out_what_it_has_not(self) -> None:
        self.release(*map(archive, LINUX))
        text = self.filled(FORMULA, partial=True)
        self.assertEqual(len(re.findall(r'sha256 "', text)), len(LINUX))
        self.assertNotIn("apple-darwin", text)

    def test_mistakes_of_a_template_are_named_with_their_line(self) -> None:
        self.assertIn("line 2: @NAME@ is no placeholder", self.refused("fine\n@NAME@\n"))
        self.assertIn("line 1: @SHA256@ is no placeholder", self.refused("@SHA256@\n"))
        self.assertIn("line 1: `#@ end` without `#@ with`", self.refused("#@ end\n"))
        self.assertIn("no `#@ end` for one", self.refused("#@ with one\n"))

    def test_the_command_prints_the_result_or_what_is_wrong(self) -> None:
        command = [sys.executable, PACKAGING / "fill", RECIPE, self.folder, VERSION, URL]
        ended = subprocess.run(command, capture_output=True)
        self.assertEqual((ended.returncode, ended.stdout), (1, b""))
        self.assertIn(f"has no file {SOURCES}".encode(), ended.stderr)
        self.release(SOURCES)
        ended = subprocess.run(command, capture_output=True)
        self.assertEqual((ended.returncode, ended.stderr), (0, b""))
        self.assertEqual(ended.stdout.decode(), self.filled(RECIPE))


if __name__ == "__main__":
    unittest.main()
