"""Ctrl-C gives control back at once, at any moment, and memory too."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from quiet import MOMENTS, at_most

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

#: A job that would take minutes: every name is compared with every other.
LONG = """
import random, resource, sys, time
import sameas

dice = random.Random(1)
names = ["".join(dice.choices("abcdefghij", k=12)) for _ in range(150_000)]
people = {"id": list(range(len(names))), "name": names, "group": [n % 3 for n in range(len(names))]}
rules = "jaro(l.name, r.name) <= 0.2"

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
"""


def script(body: str) -> subprocess.Popen[str]:
    code = LONG + textwrap.dedent(body)
    # Scripts use the modules beside this one.
    environment = os.environ | {"PYTHONPATH": os.path.dirname(os.path.abspath(__file__))}
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


@posix
def test_control_comes_back_within_half_a_second_and_memory_too() -> None:
    body = """
        import os, signal, threading
        from quiet import MOMENTS
        dice = random.Random(2)
        late, memory = [], []
        sent = [0.0]
        def interrupt(after):
            time.sleep(after)
            sent[0] = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        for turn in range(MOMENTS):
            thread = threading.Thread(target=interrupt, args=(dice.uniform(0.02, 2.0),))
            thread.start()
            try:
                sameas.dedupe(people, rules)
                print("finished?", turn)
            except KeyboardInterrupt:
                late.append(time.monotonic() - sent[0])
            thread.join()
            time.sleep(0.3)
            memory.append(resident())
        # The interpreter is usable, and so is the package.
        assert len(sameas.dedupe({"id": [1, 2], "a": [1, 1]}, "l.a = r.a").pairs) == 1
        print(len(late), max(late), memory[-1] - memory[2])
    """
    process = script(body)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    count, slowest, growth = out.split()[-3:]
    assert int(count) == MOMENTS, out
    assert float(slowest) < at_most(0.5), out
    assert int(growth) < 50_000_000, out


@posix
def test_a_script_ends_as_python_ends_it() -> None:
    process = script(
        """
        print("ready", flush=True)
        sameas.dedupe(people, rules, progress=True)
        """
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(random.Random(3).uniform(0.5, 1.5))
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - sent < at_most(2.0)
    assert "KeyboardInterrupt" in err and process.returncode in (-signal.SIGINT, 130, 1)


@posix
def test_ten_runs_do_not_grow() -> None:
    process = script(
        """
        small = {name: values[:20_000] for name, values in people.items()}
        memory = []
        for turn in range(10):
            run = sameas.dedupe(small, "l.name = r.name or (l.group = r.group and levenshtein(l.name, r.name) <= 1)")
            assert len(run.clusters) == 20_000 and run.pairs.to_dict()
            del run
            memory.append(resident())
        print(memory[-1] - memory[2])
        """
    )
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert int(out.split()[-1]) < 30_000_000, out


def test_two_threads_at_once_are_right() -> None:
    import sameas
    from conftest import RULES, made_up

    tables = [made_up(300, seed) for seed in (1, 2)]
    alone = [sameas.dedupe(table, RULES).pairs.to_dict() for table in tables]
    together: list[list[object]] = [[], []]

    def work(at: int) -> None:
        for _ in range(5):
            together[at].append(sameas.dedupe(tables[at], RULES).pairs.to_dict())

    threads = [threading.Thread(target=work, args=(at,)) for at in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [[pairs] * 5 for pairs in alone] and alone[0] != alone[1]


@posix
def test_other_threads_run_meanwhile() -> None:
    process = script(
        """
        import os, signal, threading
        turns = [0]
        def count():
            # However slow the machine is, there are turns only where the job lets others run.
            while turns[0] < 30:
                turns[0] += 1
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(0.5, count).start()
        try:
            sameas.dedupe(people, rules)
        except KeyboardInterrupt:
            print(turns[0])
        """
    )
    try:
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 0, err
    # Without the lock it would not have come to a second turn.
    assert int(out.split()[-1]) == 30, out
