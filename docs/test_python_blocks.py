"""Runs the Python of the guide: `pytest docs` with the package installed.

The blocks of a page are run in order, in one namespace and one temporary folder. `pycon` blocks are compared with what
Python says, by doctest, in which `...` stands for anything; `python` blocks must not fail. Files that a page shows
(`title="rules.toml"`) are in the folder, and commands that only make something (`$ sameas generate ...`) are run there.

A block about another tool is run where that tool is installed: `pip install -r docs/requirements-peers.txt`.
"""

import doctest
import importlib.util
import os
import re
import subprocess
from pathlib import Path

import pytest

DOCS = Path(__file__).parent
FENCE = re.compile(r'^```(\w*)(?:[^\n]*?title="([^"]+)")?[^\n]*\n(.*?)^```$', re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^(?:>>> )?(?:import|from) (\w+)", re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page):
    """The blocks of a page: language, title, text and the line before it."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        yield match[1], match[2], match[3], text.count("\n", 0, match.start()) + 1


PAGES = [page for page in sorted(DOCS.glob("*.md")) if any(b[0] in ("python", "pycon") for b in blocks(page))]


def missing_modules(text):
    """What a block imports and this environment does not have. The package itself must be there."""
    return {name for name in set(IMPORT.findall(text)) - {"sameas"} if importlib.util.find_spec(name) is None}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_of_the_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    missing = set()
    namespace = {"__name__": "__main__"}
    for language, title, text, line in blocks(page):
        if title and language != "console":
            Path(title).write_text(text, encoding="utf-8")
        if language in ("python", "pycon") and missing_modules(text):
            missing |= missing_modules(text)
        elif language == "console":
            run_commands(text)
        elif language == "python":
            exec(compile("\n" * line + text, str(page), "exec"), namespace)
        elif language == "pycon":
            compare(page, text, line, namespace)
    if missing:
        pytest.skip(f"all blocks were run but those that import {', '.join(sorted(missing))}, which are not installed")


def run_commands(text):
    """Makes what later blocks read. What the commands say is tested with the program."""
    for command in re.findall(r"^\$ (sameas (?:generate|demo) .*)$", text, re.MULTILINE):
        subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL, env=os.environ)


def compare(page, text, line, namespace):
    test = doctest.DocTestParser().get_doctest(text, namespace, page.name, str(page), line)
    said = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=said.append, clear_globs=False)
    # A test has a copy of the namespace; later blocks see what this one has named.
    namespace.update(test.globs)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


def test_pages_with_python_are_found():
    expected = {"coming-from-others", "coming-from-splink", "first-steps", "index", "python", "relations"}
    assert expected <= {page.stem for page in PAGES}
