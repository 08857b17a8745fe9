"""The checks of .ci/run and .ci/nightly, and how they are run.

    .ci/checks.py landing|nightly [STEP...]    all steps, or those that are named

Steps run two at a time, each when those before it have passed. What a step prints is shown when it ends. At the end there is a
table with the time of each step and a list of the slowest tests, and the processor time of all is compared with cpu_seconds.json.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
LOGS = TARGET / "checks"
CPU_SECONDS = Path(__file__).with_name("cpu_seconds.json")
AT_ONCE = 2
#: Lines of a step that passed; one that failed is shown whole.
SHOWN = 12
SLOWEST = 20
#: More than this share above the figure in the repository is a warning.
TOLERANCE = 0.1
NEXTEST = "$(scripts/cargo-tool cargo-nextest 0.9.143) nextest run --workspace"


@dataclass
class Step:
    name: str
    command: str
    after: tuple[str, ...] = ()
    #: Steps with one lock do not run together: cargo would only wait.
    lock: str = ""
    env: dict[str, str] = field(default_factory=dict)


@dataclass
class Result:
    step: Step
    code: int
    seconds: float
    cpu: float


def landing() -> list[Step]:
    release = TARGET / "release" / "sameas"
    commits = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    cuda = "SAMEAS_NVCC=$(scripts/cuda-toolchain) SAMEAS_CUDA_ARCHS=90"
    # The rooms of the library are declared by a macro, behind which cargo fmt does not look.
    rooms = "rustfmt --edition 2024 --check crates/sameas/src/*.rs crates/sameas/src/*/mod.rs"
    # Each target of fuzz/ is tried for seconds, from another seed for every commit.
    tests = {"SAMEAS_FUZZ_SECONDS": "2", "SAMEAS_FUZZ_SEED": commits or "1", "SAMEAS_PROGRAM": str(release)}
    return [
        Step("formatting", f"cargo fmt --all --check && {rooms}"),
        Step("lints", "cargo clippy --workspace --all-targets -- -D warnings", lock="dev"),
        Step("demo", "cargo run --release -- demo", lock="release"),
        Step("build tests", f"{NEXTEST} --no-run", lock="dev", after=("lints",)),
        Step("tests", NEXTEST, env=tests, after=("build tests", "demo")),
        Step("figures and packaging", "bench/figures --check && python3 -m unittest discover -s bench/harness/tests"
             " && python3 -m unittest discover -s packaging/tests"),
        Step("guide", "scripts/build-guide"),
        Step("dependencies", "scripts/check-dependencies"),
        Step("Python package", "scripts/check-python", lock="release", after=("demo",)),
        Step("reports", "scripts/check-report", after=("demo",)),
        Step("oracle alone", "cargo check -p sameas-testkit --lib", lock="dev", after=("build tests",)),
        Step("CUDA lints", "SAMEAS_NVCC=none cargo clippy -p sameas -p sameas-kernels -p sameas-cli -p sameas-bench"
             " --features sameas-cli/cuda,sameas-bench/cuda -- -D warnings", lock="dev", after=("build tests",)),
        Step("CUDA build", f"{cuda} cargo test -p sameas-kernels --features cuda --test cuda", lock="dev", after=("CUDA lints",)),
        Step("documentation", "cargo doc --workspace --no-deps", lock="dev", env={"RUSTDOCFLAGS": "-D warnings"}, after=("build tests",)),
        Step("examples in documentation", "cargo test --workspace --doc", lock="dev", after=("build tests",)),
    ]


def nightly() -> list[Step]:
    """What takes hours, or must have the machine to itself: every step waits for the one before it."""
    # Other seeds every day.
    day = str(int(time.time() // 86400))
    kits = "crates/sameas-testkit/scripts"
    steps = [
        Step("README in a fresh clone", ".ci/readme-commands"),
        Step("tests on a quiet machine", f"{NEXTEST} && scripts/check-python", env={"SAMEAS_QUIET": "1", "SAMEAS_LONG": "1"}),
        Step("many random cases", f"{NEXTEST} -E 'package(sameas-testkit) and binary(differential)'",
             env={"SAMEAS_CASES": "5000", "SAMEAS_SEED": f"{day}0000", "SAMEAS_EMULATED_CASES": "300"}),
        Step("fuzzing", "fuzz/run 600 2"),
        Step("raw pointers", "scripts/check-unsafe"),
        Step("kills", "cargo build --release && scripts/check-kills"),
        Step("two writers", "scripts/check-writers"),
        Step("hostile inputs", "scripts/check-hostile"),
        Step("RapidFuzz", f"python3 {kits}/check_rapidfuzz.py"),
        Step("other systems", "scripts/check-targets"),
        Step("release", "rm -rf target/nightly && scripts/release target/nightly && scripts/check-release target/nightly"),
    ]
    for before, step in zip(steps, steps[1:]):
        step.after = (before.name,)
    return steps


def run(steps: list[Step], goes_on: bool) -> list[Result]:
    """Runs the steps. After a failure nothing new begins, unless the run goes on to find all that is wrong."""
    waiting, running, results = list(steps), {}, []
    LOGS.mkdir(parents=True, exist_ok=True)
    while waiting or running:
        stops = not goes_on and any(result.code for result in results)
        while not stops and len(running) < AT_ONCE and (step := next_step(waiting, list(running.values()))):
            waiting.remove(step)
            process = start(step)
            running[process.pid] = (step, process, time.monotonic())
        if not running:
            break
        pid, status, usage = os.wait4(-1, 0)
        if pid in running:
            step, process, begun = running.pop(pid)
            process.returncode = os.waitstatus_to_exitcode(status)
            result = Result(step, process.returncode, time.monotonic() - begun, usage.ru_utime + usage.ru_stime)
            results.append(result)
            show(result)
    return results


def next_step(waiting: list[Step], running: list[tuple]) -> Step | None:
    names = {step.name for step in waiting} | {step.name for step, *_ in running}
    locks = {step.lock for step, *_ in running if step.lock}
    # A step that was not asked for holds nobody up.
    ready = (step for step in waiting if not names.intersection(step.after) and step.lock not in locks)
    return next(ready, None)


def log_of(step: Step) -> Path:
    return LOGS / f"{step.name.replace(' ', '-')}.log"


def start(step: Step) -> subprocess.Popen:
    print(f"-- {step.name}", flush=True)
    with open(log_of(step), "wb") as log:
        command = ["bash", "-euo", "pipefail", "-c", step.command]
        return subprocess.Popen(command, cwd=ROOT, env=os.environ | step.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def show(result: Result) -> None:
    lines = log_of(result.step).read_text(encoding="utf-8", errors="replace").splitlines()
    verdict = "passed" if result.code == 0 else f"FAILED with {result.code}"
    print(f"\n== {result.step.name}: {verdict} in {result.seconds:.0f} s")
    if result.code == 0 and len(lines) > SHOWN:
        lines = ["...", *lines[-SHOWN:]]
    print("\n".join(lines) + "\n", flush=True)


def table(results: list[Result], seconds: float) -> str:
    rows = [(result.step.name, result.seconds, result.cpu) for result in results]
    rows.append(("all, two at a time", seconds, sum(result.cpu for result in results)))
    head = f"{'step':<28}{'seconds':>9}{'processor':>11}"
    return "\n".join([head, *(f"{name:<28}{wall:>9.0f}{cpu:>11.0f}" for name, wall, cpu in rows)])


def slowest_tests() -> str:
    path = ROOT / "target" / "nextest" / "default" / "junit.xml"
    if not path.exists():
        return ""
    cases = xml.etree.ElementTree.parse(path).getroot().iter("testcase")
    times = sorted(((float(case.get("time", 0)), f"{case.get('classname')} {case.get('name')}") for case in cases), reverse=True)
    lines = [f"{seconds:>7.1f} s  {name}" for seconds, name in times[:SLOWEST]]
    return "\n".join([f"The slowest of {len(times)} tests", *lines])


def state_of_cache() -> str:
    """What there was before: nothing, something built from other sources, or all of it."""
    last = LOGS / "commit"
    if not last.exists():
        return "cold"
    built = last.read_text().strip()
    same = subprocess.run(["git", "diff", "--quiet", built, "HEAD", "--", "bench", "crates", "fuzz", "Cargo.lock", "Cargo.toml"], cwd=ROOT)
    return "unchanged" if same.returncode == 0 else "changed"


def compare_cpu(state: str, results: list[Result]) -> str:
    used = sum(result.cpu for result in results)
    expected = json.loads(CPU_SECONDS.read_text())[state]
    if used > expected * (1 + TOLERANCE):
        return f"warning: {used:.0f} s of processor time, where {CPU_SECONDS.name} says {expected} s ({state}): find out what became slower"
    return f"{used:.0f} s of processor time; {CPU_SECONDS.name} says {expected} s ({state})"


def main(which: str, names: list[str]) -> int:
    steps = {"landing": landing, "nightly": nightly}[which]()
    unknown = set(names) - {step.name for step in steps}
    if unknown:
        sys.exit(f"no step is called {', '.join(sorted(unknown))}; there are: {', '.join(step.name for step in steps)}")
    # After a change only those parts of the engine are compiled again that it concerns, in releases too. `cargo run --release` as
    # users have it is tested by .ci/nightly.
    if which == "landing":
        os.environ.setdefault("CARGO_INCREMENTAL", "1")
    state, begun = state_of_cache(), time.monotonic()
    results = run([step for step in steps if not names or step.name in names], goes_on=which == "nightly")
    print(table(results, time.monotonic() - begun), end="\n\n")
    if any("nextest" in result.step.command for result in results):
        print(slowest_tests(), end="\n\n")
    failed = [result.step.name for result in results if result.code]
    if failed:
        print(f"failed: {', '.join(failed)}")
        return 1
    if not names and which == "landing":
        print(compare_cpu(state, results))
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
        (LOGS / "commit").write_text(head)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
