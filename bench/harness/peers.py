"""The peers: Python packages, installed into a folder of their own."""

import json
import subprocess
import sys

from .settings import PEERS

PACKAGES = [
    "duckdb", "polars", "rapidfuzz", "splink", "recordlinkage", "sparse_dot_topn", "scipy", "numpy", "pandas", "pyarrow",
]
# py_stringsimjoin has no wheels and builds only with older tools, so it gets an environment of its own.
STRINGSIM = PEERS / "stringsim"
STRINGSIM_TOOLS = ["setuptools<60", "wheel", "cython<3", "numpy<2", "pandas<2.2", "joblib", "six", "pyprind"]
STRINGSIM_PACKAGES = ["py_stringmatching==0.4.6", "py_stringsimjoin==0.3.6"]


def _pip(environment, *arguments):
    command = [str(environment / "bin" / "python"), "-m", "pip", "install", "--no-input", "--quiet", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def _make(environment):
    if not (environment / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)


def install():
    """Installs what is missing; `stringsim_builds` says afterwards whether that package did."""
    done = PEERS / "installed"
    if done.exists():
        return
    print("installing the peers; this takes some minutes once", flush=True)
    _make(PEERS)
    result = _pip(PEERS, "--only-binary=:all:", *PACKAGES)
    if result.returncode != 0:
        sys.exit(f"the peers cannot be installed:\n{result.stderr}")
    _make(STRINGSIM)
    tools = _pip(STRINGSIM, *STRINGSIM_TOOLS)
    built = tools.returncode == 0 and _pip(STRINGSIM, "--no-build-isolation", *STRINGSIM_PACKAGES).returncode == 0
    done.write_text("py_stringsimjoin built\n" if built else "py_stringsimjoin did not build\n")


def stringsim_builds():
    """Whether py_stringsimjoin could be built here."""
    return "did not" not in (PEERS / "installed").read_text()


def versions():
    """Installed versions, by package."""
    wanted = {name.lower().replace("_", "-") for name in [*PACKAGES, "py_stringsimjoin", "py_stringmatching"]}
    found = {}
    for environment in (STRINGSIM, PEERS):
        command = [str(environment / "bin" / "python"), "-m", "pip", "list", "--format", "json"]
        listed = subprocess.run(command, capture_output=True, text=True).stdout or "[]"
        for entry in json.loads(listed):
            name = entry["name"].lower().replace("_", "-")
            if name in wanted:
                found[name] = entry["version"]
    if not stringsim_builds():
        found["py-stringsimjoin"] = "does not build here"
    return dict(sorted(found.items()))
