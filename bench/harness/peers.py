"""The peers: Python packages, installed into a folder of their own, and Datalog engines in Rust, built into it."""

import json
import subprocess
import sys

from .settings import BENCH, PEERS

PACKAGES = [
    "duckdb", "polars", "rapidfuzz", "splink", "recordlinkage", "sparse_dot_topn", "scipy", "numpy", "pandas", "pyarrow",
]
# py_stringsimjoin has no wheels and builds only with older tools, so it gets an environment of its own.
STRINGSIM = PEERS / "stringsim"
STRINGSIM_TOOLS = ["setuptools<60", "wheel", "cython<3", "numpy<2", "pandas<2.2", "joblib", "six", "pyprind"]
STRINGSIM_PACKAGES = ["py_stringmatching==0.4.6", "py_stringsimjoin==0.3.6"]
# Engines in Rust are a package of their own, so that what they depend on is no part of sameas.
ENGINES = BENCH / "peers" / "datalog_engines"
DATALOG = PEERS / "datalog_engines" / "release" / "datalog-engines"


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


def build_engines():
    """Builds the Datalog engines, if they are not there."""
    if DATALOG.exists():
        return
    print("building the Datalog engines", flush=True)
    command = ["cargo", "build", "--release", "--quiet", "--target-dir", str(PEERS / "datalog_engines")]
    if subprocess.run(command, cwd=ENGINES).returncode != 0:
        sys.exit("the Datalog engines cannot be built")


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
    for name in ("ascent", "datafrog"):
        found[name] = _locked(name)
    if not stringsim_builds():
        found["py-stringsimjoin"] = "does not build here"
    return dict(sorted(found.items()))


def _locked(name):
    """The version of a crate that the engines are built with."""
    lines = (ENGINES / "Cargo.lock").read_text().splitlines()
    return next(after.split('"')[1] for line, after in zip(lines, lines[1:]) if line == f'name = "{name}"')
