"""Runs the notebooks of this folder, each in a temporary folder, and fails where a cell does, or gives something other than what
the notebook holds.

    run.py [--write]

With --write their output is kept in the notebooks, as the guide shows it. Needs the package `sameas` and what requirements.txt
names.
"""

import argparse
import difflib
import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE = Path(__file__).parent
TIMEOUT = 300

#: What differs from run to run and from machine to machine: times and what is expected of them, threads, and why no GPU was used.
CHANGING = [
    (re.compile(r"(?:about |under )?\d[\d.,]* (?:ns|µs|ms|s|min)\b"), "SOME TIME"),
    (re.compile(r"\babout \d[\d.,]* times as long\b"), "SOME NUMBER times as long"),
    (re.compile(r"\bwith \d+ threads?\b"), "with THREADS"),
    (re.compile(r"<tr><td>note</td><td>no GPU was used[^<]*</td></tr>|Note +no GPU was used[^\n]*(?:\n {13}[^\n]*)*"), ""),
    # Columns are as wide as the times in them.
    (re.compile(r"[ \t]+"), " "),
]


def run(path):
    """The notebook with its output."""
    notebook = nbformat.read(path, as_version=4)
    # The command `sameas` of this environment, whatever the path of the person who runs it.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=TIMEOUT, record_timing=False, resources={"metadata": {"path": folder}})
        client.execute()
    return notebook


def tidied(notebook):
    """Without what differs from machine to machine and is not shown."""
    notebook.metadata.get("language_info", {}).pop("version", None)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    return notebook


def said(cell):
    """What a cell gave, as lines, without what changes."""
    texts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        texts.append(output.get("text") or data.get("text/html") or data.get("text/plain") or output.output_type)
    text = "\n".join(texts)
    for pattern, word in CHANGING:
        text = pattern.sub(word, text)
    # HTML has few lines; a difference is found by its row.
    return text.replace("</tr>", "</tr>\n").splitlines()


def differences(kept, new):
    """The lines of output that are no longer what the notebook holds."""
    cells = zip(kept.cells, new.cells, strict=True)
    lines = [difflib.unified_diff(said(old), said(now), old.id, f"{old.id}, now", lineterm="", n=0) for old, now in cells]
    return [line for of_cell in lines for line in of_cell]


def checked(path, write):
    """Runs a notebook, and says what is wrong with it."""
    kept = nbformat.read(path, as_version=4)
    try:
        notebook = tidied(run(path))
    except CellExecutionError as error:
        return [str(error)]
    wrong = differences(kept, notebook)
    if write and wrong:
        nbformat.write(notebook, path)
        print(f"{path.name}: written")
        return []
    print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="keep the output in the notebooks")
    write = parser.parse_args().write
    failed = 0
    paths = sorted(HERE.glob("*.ipynb"))
    for path in paths:
        if wrong := checked(path, write):
            print(f"{path.name} gives something else than it holds:", *wrong, sep="\n", file=sys.stderr)
            failed += 1
    print(f"{len(paths) - failed} passed, {failed} failed")
    if failed:
        print("if the new output is right: docs/notebooks/run.py --write", file=sys.stderr)
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
