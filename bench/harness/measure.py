"""Running contestants, by turns, and what their times say."""

import json
import os
import resource
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field

# A row is measured in at least `runs` runs, unless one run is longer than these seconds.
FEWER = [(300.0, 1), (60.0, 2), (20.0, 3)]


@dataclass
class Run:
    """One process, or some that follow each other: wall time, peak memory, the JSON lines printed, seconds of each process."""

    wall: float
    peak_mb: float
    lines: list
    timed_out: bool = False
    error: str = ""
    parts: list = field(default_factory=list)

    @property
    def facts(self):
        return self.lines[-1] if self.lines else {}


@dataclass
class Contestant:
    """A program that does the work. `seconds` reads the time from a run; without it the process's wall time counts.

    Without a `limit` of its own the one of the command line ends its runs; `memory_gb` ends them too. `after` is called
    with each run that finished. Commands in `then` follow the first in the same run: their times add up.
    """

    name: str
    command: list
    seconds: object = None
    limit: float | None = None
    after: object = None
    runs: list = field(default_factory=list)
    most: int = 0
    memory_gb: float | None = None
    then: list = field(default_factory=list)

    def failed(self):
        return any(run.timed_out or run.error for run in self.runs)

    def finished(self):
        return [run for run in self.runs if not run.timed_out and not run.error]

    def times(self):
        """Seconds of each run, by the contestant's own clock if it has one; a process may make several runs."""
        found = [self.seconds(run) if self.seconds else run.wall for run in self.finished()]
        return [time for times in found for time in (times if isinstance(times, list) else [times])]

    def facts(self):
        """What the last run that finished has said: one may fail after others have not."""
        runs = self.finished() or self.runs
        return runs[-1].facts if runs else {}


def inner(run):
    """The time, or times, that a script or operator reports."""
    return run.facts["seconds"]


def _json_lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


class Memory(threading.Thread):
    """Watches the most memory a process has held, and ends one that holds more than it may.

    The system's own figure at the end starts from the driver's memory.
    """

    def __init__(self, process, most_gb=None):
        super().__init__(daemon=True)
        self.process, self.most_kb = process, most_gb and most_gb * 1e6
        self.status, self.peak_kb, self.ended = f"/proc/{process.pid}/status", 0, threading.Event()
        self.exceeded = False

    def run(self):
        while not self.ended.wait(0.01):
            try:
                with open(self.status, encoding="utf-8") as file:
                    held = [line.split()[1] for line in file if line.startswith("VmHWM")]
            except OSError:
                return
            self.peak_kb = max([self.peak_kb, *map(int, held)])
            if self.most_kb and self.peak_kb > self.most_kb:
                self.exceeded = True
                self.process.kill()
                return

    def peak_mb(self, usage):
        """The system's figure where it is above the driver's own, else what was seen."""
        self.ended.set()
        self.join()
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return (usage.ru_maxrss if usage.ru_maxrss > own else self.peak_kb) / 1024


def execute(command, limit, environment, memory_gb=None):
    """Runs a command to its end, to the limit, or until it holds too much memory."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment)
        memory, late = Memory(process, memory_gb), threading.Event()
        memory.start()
        timer = threading.Timer(limit, lambda: (late.set(), process.kill()))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        run = Run(wall, memory.peak_mb(usage), _json_lines(out.read()), late.is_set())
        if memory.exceeded:
            run.error = f"not finished: more than {memory_gb} GB after {wall:.0f} s"
        elif process.returncode != 0 and not run.timed_out:
            run.error = _error(err.read(), process.returncode)
        return run


def _error(text, code):
    """The line that says what went wrong."""
    lines = [line for line in text.splitlines() if line.strip()]
    relevant = [line for line in lines if "rror" in line or "panicked" in line] or lines or [f"exit code {code}"]
    return relevant[-1].strip()[:200]


def interleave(contestants, settings):
    """Runs all by turns, each as often as its first run allows: A B C A B C ..., so that all run under the same conditions."""
    for contestant in contestants:
        contestant.most = contestant.most or settings.runs
    while any(len(c.runs) < c.most and not c.failed() for c in contestants):
        for contestant in contestants:
            if len(contestant.runs) < contestant.most and not contestant.failed():
                _once(contestant, settings)
    return contestants


def _run(contestant, settings):
    """All commands of a contestant, one after the other and within one limit, as one run."""
    limit, whole = contestant.limit or settings.limit, Run(0.0, 0.0, [])
    for command in (contestant.command, *contestant.then):
        run = execute(command, limit - whole.wall, settings.environment(), contestant.memory_gb)
        whole = Run(
            whole.wall + run.wall, max(whole.peak_mb, run.peak_mb), whole.lines + run.lines, run.timed_out, run.error,
            [*whole.parts, run.wall],
        )
        if run.timed_out or run.error:
            break
    return whole


def _once(contestant, settings):
    run = _run(contestant, settings)
    if contestant.after and not run.timed_out and not run.error:
        contestant.after(run)
    contestant.runs.append(run)
    for seconds, runs in FEWER:
        if run.wall > seconds:
            contestant.most = min(contestant.most, runs)
            break
    note = "did not finish" if run.timed_out else run.error or f"{contestant.times()[-1]:.3f} s"
    print(f"    {contestant.name}: {note}", flush=True)


def summary(contestant):
    """Median, spread, number of runs and memory, as they go into the results."""
    times = contestant.times()
    facts = {"name": contestant.name, "runs": len(times), "seconds": [round(t, 6) for t in times]}
    if contestant.failed():
        last = contestant.runs[-1]
        facts["failed"] = f"not finished in {last.wall:.0f} s" if last.timed_out else last.error
        facts["at_least"] = round(last.wall, 1) if last.timed_out else None
    if times:
        facts |= {"median": statistics.median(times), "least": min(times), "most": max(times)}
    if contestant.runs:
        facts["wall"] = statistics.median(run.wall for run in contestant.runs)
        facts["peak_mb"] = round(max(run.peak_mb for run in contestant.runs))
    return facts
