"""Runs the notebooks of this folder, each in a temporary folder, and fails where a cell does.

    run.py [--write]

With --write their output is kept in the notebooks, as the guide shows it. Needs the package `sameas`, Polars, nbclient and
ipykernel.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE = Path(__file__).parent
TIMEOUT = 300


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
    """Without what differs from machine to machine."""
    notebook.metadata.get("language_info", {}).pop("version", None)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    return notebook


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="keep the output in the notebooks")
    write = parser.parse_args().write
    failed = 0
    paths = sorted(HERE.glob("*.ipynb"))
    for path in paths:
        try:
            notebook = tidied(run(path))
        except CellExecutionError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            failed += 1
            continue
        if write:
            nbformat.write(notebook, path)
        print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells")
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
