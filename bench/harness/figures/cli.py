"""The command line of `bench/figures`: writes the blocks of all pages, or finds those that are stale."""

import argparse
import difflib
import sys
from pathlib import Path

from ..rows import all_rows
from ..settings import RESULTS, ROOT
from . import FiguresError, ages, blocks, render


def parse(arguments):
    about = "Writes the tables of figures in README.md and docs/*.md from the results of the benchmarks."
    parser = argparse.ArgumentParser(prog="bench/figures", description=about)
    parser.add_argument("--check", action="store_true", help="change nothing; show stale blocks, and exit with 1 if there are any")
    parser.add_argument("--show", metavar="TABLE", help="print a table and end")
    parser.add_argument("--ages", action="store_true", help="list results with the changes of the engine since, and rows without one")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of README.md and docs [default: the repository]")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the results [default: bench/results]")
    return parser.parse_args(arguments)


class Page:
    """A page: its lines, and what its blocks should hold."""

    def __init__(self, path, root, results):
        self.path, self.name = path, str(path.relative_to(root))
        self.lines = path.read_text(encoding="utf-8").split("\n")
        self.contents, self.errors = [], []
        for block in self._try("", lambda: blocks.find(self.lines)) or []:
            table = self._try(f"line {block.first}: ", lambda: render.table(block.name, results))
            self.contents += [(block, ["", *table, ""])] if table else []

    def _try(self, where, made):
        """What is made; an error is kept, so that all of them are shown at once."""
        try:
            return made()
        except FiguresError as error:
            self.errors.append(f"{self.name}: {where}{error}")

    def stale(self):
        """The blocks that hold something else."""
        return [(block, new) for block, new in self.contents if self.lines[block.first : block.end] != new]

    def differences(self):
        """What a stale block holds and what it should hold."""
        for block, new in self.stale():
            title = f"{self.name}: {block.name}"
            old = self.lines[block.first : block.end]
            yield "\n".join(difflib.unified_diff(old, new, title, f"{title}, from the results", lineterm="", n=0))

    def write(self):
        text = "\n".join(blocks.replace(self.lines, self.contents))
        self.path.write_text(text, encoding="utf-8")


def pages(root, results):
    paths = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    return [Page(path, root, results) for path in paths if path.exists()]


def checked(found):
    """Shows what is stale; 1 if something is."""
    differences = [text for page in found for text in page.differences()]
    if not differences:
        print(f"tables of figures: {sum(len(page.contents) for page in found)}, all as in the results")
        return 0
    print("\n\n".join(differences))
    print(f"\nstale tables of figures: {len(differences)}; `bench/figures` writes them")
    return 1


def written(found):
    """Writes what is stale, and says so."""
    for page in found:
        for block, _ in page.stale():
            print(f"{page.name}: {block.name}")
        if page.stale():
            page.write()
    return 0


def main(arguments=None):
    """0 if all went well, 1 if a block is stale, 2 if a table cannot be made; the others are written all the same."""
    options = parse(arguments)
    if options.show:
        return shown(options)
    if options.ages:
        print("\n".join(ages.lines(options.results, options.root, all_rows())))
        return 0
    found = pages(options.root.resolve(), options.results)
    code = checked(found) if options.check else written(found)
    errors = [error for page in found for error in page.errors]
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    return 2 if errors else code


def shown(options):
    """Prints one table."""
    try:
        print("\n".join(render.table(options.show, options.results)))
        return 0
    except FiguresError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
