"""Whether a process could run: what a test of time needs to know on a machine that others use too.

A promise of half a second is kept by a program that gets to run. On a loaded or virtual machine a program may be kept from
running for longer than that, and a test that counts such moments says something about the machine. So a second process writes
down, a hundred times a second, how the measured one fares: when it could look at all (it only sleeps, so that where it did not
run, nothing did), and what the system says about each thread: how long it was ready to run and was given no core.

Neither excuses the package. A process that sleeps, or waits for a lock or a thread, is not ready to run; and where many threads
wait because the process itself has filled the cores, it has used them, which is counted too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from types import TracebackType
from typing import Any

#: Seconds between two looks.
TICK = 0.01

#: Seconds without a core from which on a moment that took too long says nothing.
STALL = 0.1

#: The share of all cores that a process has where it is the only one that wants them; with less, others had them.
SHARE = 0.5


class Watch:
    """Watches a process while it is open."""

    def __init__(self, process: int) -> None:
        self._process = process

    def __enter__(self) -> Watch:
        self._file = tempfile.NamedTemporaryFile("w+")
        self._watcher = subprocess.Popen([sys.executable, __file__, str(self._process)], stdout=self._file)
        self._looks(time.monotonic())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._watcher.kill()
        self._watcher.wait()
        self._file.close()

    def is_fair(self, begin: float, end: float) -> bool:
        """Whether the time between two times of `time.monotonic` counts: the process could have run."""
        looks = [look for look in self._looks(end) if look["at"] >= begin - 2 * TICK]
        gap = max((after["at"] - before["at"] for before, after in zip(looks, looks[1:])), default=0.0)
        looks = [look for look in looks if look["at"] <= end + TICK]
        if gap >= STALL or len(looks) < 2:
            return False
        first, last = looks[0], looks[-1]
        # A thread that ended has its last look, one that began none at the start.
        waited = max((look["waited"][one] - first["waited"].get(one, 0.0) for look in looks for one in look["waited"]), default=0.0)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        share = (last["used"] - first["used"]) / (cores * (last["at"] - first["at"]))
        return bool(waited < STALL or share >= SHARE)

    def _looks(self, until: float) -> list[dict[str, Any]]:
        """What was seen, with a look after a time."""
        for _ in range(6_000):
            with open(self._file.name) as file:
                # The last line may be half written.
                lines = [line for line in file if line.endswith("\n")]
            if lines and json.loads(lines[-1])["at"] > until:
                return [json.loads(line) for line in lines]
            time.sleep(TICK)
        raise TimeoutError("the machine has not run for a minute")


def look(process: str) -> dict[str, Any]:
    """The time, the seconds of processor time that the process has used, and those that each thread has waited for a core.
    Where the system does not tell, only the time."""
    waited, used = {}, 0.0
    with suppress(OSError):
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        for thread in os.listdir(f"/proc/{process}/task"):
            # It may have ended in between.
            with suppress(OSError), open(f"/proc/{process}/task/{thread}/schedstat") as file:
                waited[thread] = int(file.read().split()[1]) / 1e9
    return {"at": time.monotonic(), "used": used, "waited": waited}


if __name__ == "__main__":
    while True:
        print(json.dumps(look(sys.argv[1])), flush=True)
        time.sleep(TICK)
