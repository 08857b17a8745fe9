#!/usr/bin/env python3
"""Runs the Python examples of Markdown pages, or writes them into a folder.

    scripts/readme_examples.py PAGE...
    scripts/readme_examples.py --extract FOLDER PAGE...

The blocks of a page that are marked as Python are one program.
"""

import pathlib
import re
import sys


def example(page):
    """The Python of a page, with each line where it is in the page, so that errors name it."""
    lines, inside = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        fence = re.match(r"```(\w*)", line)
        if fence:
            inside = fence[1] == "python"
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments[:1] == ["--extract"]:
        folder = pathlib.Path(arguments[1])
        folder.mkdir()
        for at, page in enumerate(map(pathlib.Path, arguments[2:])):
            if example(page).strip():
                (folder / f"example_{at}.py").write_text(example(page).lstrip("\n"), encoding="utf-8")
        return
    for page in map(pathlib.Path, arguments):
        exec(compile(example(page), str(page), "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    main(sys.argv[1:])
