"""How old results are: what has changed in the engine since each row was measured, and which rows have no result."""

import subprocess

from . import measured

#: What a figure depends on. Tests and documents among them count too: git alone cannot tell them apart.
ENGINE = ("crates", "Cargo.lock", "Cargo.toml")


def commits_since(root, revision):
    """How many commits have changed the engine since one; `?` where git does not know it, as in a part of the history."""
    # A revision may have a remark after it.
    since = f"{revision.split()[0]}..HEAD"
    counted = subprocess.run(["git", "rev-list", "--count", since, "--", *ENGINE], cwd=root, capture_output=True, text=True)
    return counted.stdout.strip() if counted.returncode == 0 else "?"


def lines(folder, root, rows):
    """A table of the newest result of each row, the oldest first, and the rows without one."""
    newest = {kind: measured.newest(folder, kind) for kind in ("two_cores", "gpu")}
    found = [(each.date, name, kind, each.commit()) for kind, known in newest.items() for name, each in known.items()]
    yield f"{'row':24} {'machine':10} {'measured':10}  commits since"
    for date, name, kind, revision in sorted(found):
        yield f"{name:24} {kind:10} {date:10}  {commits_since(root, revision)} after {revision}"
    missing = [row.name for row in rows if row.name not in newest["gpu"] and (row.gpu or row.name not in newest["two_cores"])]
    if missing:
        yield f"without a result: {', '.join(missing)}"
