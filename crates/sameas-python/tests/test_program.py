"""The command `sameas` of the package is the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sameas
from quiet import at_most


def program(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "sameas", *arguments], capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    rows = "".join(f"{number},{number % 50}\n" for number in range(200))
    (tmp_path / "people.csv").write_text(f"id,phone\n{rows}")
    return tmp_path / "people.csv"


def test_version_and_help() -> None:
    assert program("--version").stdout.startswith(f"sameas {sameas.__version__}\n")
    done = program("dedupe", "--help")
    assert done.returncode == 0 and "Usage: sameas dedupe" in done.stdout
    assert program("frobnicate").returncode == 2


def test_it_gives_what_the_package_gives(people: Path) -> None:
    done = program("dedupe", str(people), "--rule", "l.phone = r.phone", "-o", "-", "-q")
    run = sameas.dedupe(people, "l.phone = r.phone")
    run.pairs.write(people.with_name("pairs.csv"))
    assert done.stdout == people.with_name("pairs.csv").read_text() and done.returncode == 0


def test_exit_codes_and_errors(people: Path) -> None:
    done = program("check", str(people), "--rule", "l.phone = r.phnoe")
    assert done.returncode == 1 and "did you mean `r.phone`?" in done.stderr
    assert program("dedupe", "no/such.csv", "--rule", "l.a = r.a").returncode == 2


def test_the_record_has_the_command(people: Path) -> None:
    out = people.with_name("out")
    assert program("dedupe", str(people), "--rule", "l.phone = r.phone", "-o", str(out)).returncode == 0
    assert '"command": [\n      "sameas",\n      "dedupe"' in (out / "run.json").read_text()


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_pipes_end_as_they_do(people: Path) -> None:
    command = f"{sys.executable} -m sameas dedupe {people} --rule 'l.phone = l.phone' -o - -q | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("unique_id_l,unique_id_r,match_key\n", 0), done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_as_they_end_the_program(number: signal.Signals, tmp_path: Path) -> None:
    rows = "".join(f"{n},{n * 7919 % 100_003:012}\n" for n in range(60_000))
    (tmp_path / "people.csv").write_text(f"id,name\n{rows}")
    rule = "damerau_levenshtein(l.name, r.name) + jaro(l.name, r.name) <= 1"
    command = [sys.executable, "-m", "sameas", "dedupe", str(tmp_path / "people.csv"), "--rule", rule, "-o", str(tmp_path / "out")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    # The folder is made before anything is computed.
    begun = time.monotonic()
    while not (tmp_path / "out").exists() and time.monotonic() - begun < 60:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(number)
    sent = time.monotonic()
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - sent < at_most(1.5)
    assert process.returncode == 128 + number and f"interrupted by {number.name}" in err, err
    assert "Traceback" not in err and not list(tmp_path.glob("out/*"))
