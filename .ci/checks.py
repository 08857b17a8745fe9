"""The checks of .ci/run and .ci/nightly, and how they are run.

    .ci/checks.py landing|nightly [STEP...]    all steps, or those that are named

Steps run two at a time, each when those that it needs have passed, whatever else has failed. What a step prints is shown when it
ends. At the end there is a table with the time of each step and a list of the slowest tests, and the processor time of all is
compared with cpu_seconds.json.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
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
#: Without what updates itself, which nobody asks it to do. `--tests` leaves out the programs of examples: a test runs
#: what is in them, and lints look at them as they are.
NEXTEST = (
    "$(scripts/cargo-tool cargo-nextest 0.9.143 --no-default-features --features default-no-update)"
    " nextest run --workspace --tests"
)


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
    # The crates that have the feature, besides `sameas`. With the Python module crates of others have the features that they have in
    # the other lints, and are not compiled once more.
    with_cuda = " ".join(f"-p sameas-{name}" for name in "kernels device relations joins engine datalog cli python bench".split())
    # Each target of fuzz/ is tried for seconds, from another seed for every commit.
    tests = {"SAMEAS_FUZZ_SECONDS": "2", "SAMEAS_FUZZ_SEED": commits or "1", "SAMEAS_PROGRAM": str(release)}
    return [
        Step("formatting", "cargo fmt --all --check"),
        # The two long builds go first: tests wait for both, and everything else fits beside the tests.
        Step("build tests", f"{NEXTEST} --no-run --timings", lock="dev"),
        Step("demo", "cargo run --release --timings -- demo", lock="release"),
        Step("lints", "cargo clippy --workspace --all-targets -- -D warnings", lock="dev", after=("build tests",)),
        Step("tests", NEXTEST, env=tests, after=("build tests", "demo")),
        Step("figures and packaging", "bench/figures --check && python3 -m unittest discover -s bench/harness/tests"
             " && python3 -m unittest discover -s packaging/tests && python3 -m unittest discover -s scripts/known_models -t scripts"
             " && python3 -m unittest discover -s scripts/peer_clusters -t scripts"),
        Step("guide", "scripts/build-guide"),
        Step("dependencies", "scripts/check-dependencies"),
        Step("Python package", "scripts/check-python", lock="release", after=("demo",)),
        Step("reports", "scripts/check-report", after=("demo",)),
        Step("models", f"scripts/check-models {release} --tables 60 --adverse 48", after=("demo",)),
        Step("oracle alone", "cargo check -p sameas-testkit --lib", lock="dev", after=("build tests",)),
        Step("CUDA lints", f"SAMEAS_NVCC=none cargo clippy -p sameas {with_cuda}"
             " --features sameas-cli/cuda,sameas-python/cuda,sameas-bench/cuda -- -D warnings", lock="dev", after=("build tests",)),
        Step("CUDA build", f"{cuda} cargo test -p sameas-kernels --features cuda --test cuda", lock="dev", after=("CUDA lints",)),
        Step("documentation", "cargo doc --workspace --no-deps", lock="dev", env={"RUSTDOCFLAGS": "-D warnings"}, after=("build tests",)),
        Step("examples in documentation", "cargo test --workspace --doc", lock="dev", after=("build tests",)),
    ]


def nightly() -> list[Step]:
    """What takes hours, or must have the machine to itself: every step waits for the one before it."""
    # Other seeds every day.
    day = str(int(time.time() // 86400))
    kits, release = "crates/sameas-testkit/scripts", TARGET / "release" / "sameas"
    steps = [
        Step("README in a fresh clone", ".ci/readme-commands"),
        # One test at a time: promises of time hold on a machine that does nothing else.
        Step("tests on a quiet machine", f"{NEXTEST} -j 1 && scripts/check-python", env={"SAMEAS_QUIET": "1", "SAMEAS_LONG": "1"}),
        Step("many random cases", f"{NEXTEST} -E 'package(sameas-testkit) and binary(differential)'",
             env={"SAMEAS_CASES": "5000", "SAMEAS_SEED": f"{day}0000", "SAMEAS_EMULATED_CASES": "300"}),
        Step("fuzzing", "fuzz/run 600 2"),
        Step("raw pointers", "scripts/check-unsafe"),
        Step("release program", "cargo build --release"),
        Step("kills", f"scripts/check-kills {release}"),
        Step("two writers", f"scripts/check-writers {release}"),
        Step("hostile inputs", f"scripts/check-hostile {release}"),
        Step("models", f"scripts/check-models {release} --seed {day}"),
        Step("RapidFuzz", f"python3 {kits}/check_rapidfuzz.py --pairs 1000000"),
        Step("NetworkX and scipy", f"scripts/check-clusters {release} --graphs 5000 --seed {day}"),
        Step("crates as they are published", "cargo package --locked --no-verify $(scripts/published-crates | sed 's/^/-p /')"),
        Step("other systems", "scripts/check-targets"),
        # What is for arm64 is built in a root of Debian where this toolchain cannot do it.
        Step("release", "rm -rf target/nightly && scripts/release target/nightly"
             " && (ls target/nightly/*aarch64*.whl > /dev/null || scripts/release-arm64 target/nightly)"
             " && scripts/check-release target/nightly"),
    ]
    for before, step in zip(steps, steps[1:]):
        step.after = (before.name,)
    return steps


def run(steps: list[Step], in_turn: bool) -> list[Result]:
    """Runs the steps, all that can be run whatever fails: a run finds everything that is wrong. A step that needs one that has failed
    is left out; steps that run in turn need nothing of those before them."""
    waiting, running, results = list(steps), {}, []
    LOGS.mkdir(parents=True, exist_ok=True)
    # What is ended ends its steps, too: the next run would build in the same folder.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    atexit.register(lambda: [end(process) for _, process, _ in running.values()])
    while waiting or running:
        failed = set() if in_turn else {result.step.name for result in results if result.code}
        while len(running) < AT_ONCE and (step := next_step(waiting, list(running.values()), failed)):
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


def end(process: subprocess.Popen) -> None:
    """Ends a step with all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass


def next_step(waiting: list[Step], running: list[tuple], failed: set[str]) -> Step | None:
    names = {step.name for step in waiting} | {step.name for step, *_ in running} | failed
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
        env = os.environ | step.env
        return subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


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


def processor() -> str:
    """What this machine computes with, as far as it decides how long something takes."""
    try:
        facts = dict(line.split(":", 1) for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line)
    except OSError:
        return "unknown"
    fields = {key.strip(): value.strip() for key, value in facts.items()}
    return " ".join(f"{name} {fields.get(name, 'unknown')}" for name in ("vendor_id", "cpu family", "model"))


def compare_cpu(state: str, results: list[Result]) -> str:
    used = sum(result.cpu for result in results)
    expected = json.loads(CPU_SECONDS.read_text()).get(processor(), {}).get(state)
    if expected is None:
        return f"{used:.0f} s of processor time; {CPU_SECONDS.name} has no figure for this processor: {processor()} ({state})"
    if used > expected * (1 + TOLERANCE):
        return f"warning: {used:.0f} s of processor time, where {CPU_SECONDS.name} says {expected} s ({state}): find out what became slower"
    return f"{used:.0f} s of processor time; {CPU_SECONDS.name} says {expected} s ({state})"


def main(which: str, names: list[str]) -> int:
    steps = {"landing": landing, "nightly": nightly}[which]()
    unknown = set(names) - {step.name for step in steps}
    if unknown:
        sys.exit(f"no step is called {', '.join(sorted(unknown))}; there are: {', '.join(step.name for step in steps)}")
    # A crate is compiled whole or not at all. Incremental builds take longer where much has changed, and those of a run that was
    # ended have failed in the linker.
    os.environ.setdefault("CARGO_INCREMENTAL", "0")
    if which == "landing":
        # The program does not name its commit: for each one it would be built and linked again.
        os.environ.setdefault("SAMEAS_COMMIT", "")
        # A panic says where it is without them: line tables are two thirds of what building the tests writes and links.
        os.environ.setdefault("CARGO_PROFILE_DEV_DEBUG", "0")
    state, begun = state_of_cache(), time.monotonic()
    wanted = [step for step in steps if not names or step.name in names]
    results = run(wanted, in_turn=which == "nightly")
    print(table(results, time.monotonic() - begun), end="\n\n")
    if any("nextest run" in result.step.command and "--no-run" not in result.step.command for result in results):
        print(slowest_tests(), end="\n\n")
    begun_steps = {result.step.name for result in results}
    left_out = [step.name for step in wanted if step.name not in begun_steps]
    if left_out:
        print(f"not run, since a step that they need has failed: {', '.join(left_out)}")
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
