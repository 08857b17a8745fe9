"""Where things are, and the options of a run."""

import os
from dataclasses import dataclass
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
PEERS = Path(os.environ.get("SAMEAS_PEERS", BENCH / ".peers")).resolve()
INPUTS = Path(os.environ.get("SAMEAS_INPUTS", BENCH / ".inputs")).resolve()
WORK = Path(os.environ.get("SAMEAS_WORK", BENCH / ".work")).resolve()
RESULTS = Path(os.environ.get("SAMEAS_RESULTS", BENCH / "results")).resolve()
RULES = BENCH / "rules"
SCORES = BENCH / "scores"
CLUSTERS = BENCH / "clusters"
TESTKIT_RULES = ROOT / "crates" / "sameas-testkit" / "rules"
_BUILT = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
RELEASE = Path(os.environ.get("SAMEAS_PROGRAMS", _BUILT)).resolve()


@dataclass(frozen=True)
class Settings:
    """The options of a run of the benchmark."""

    data: Path
    threads: int
    quick: bool
    runs: int
    limit: float
    alone: bool = False

    def environment(self):
        """The variables that give every contestant the same number of threads."""
        count = str(self.threads)
        names = ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"]
        return os.environ | {name: count for name in names} | {"PYTHONHASHSEED": "0"}

    def size(self, full, quick):
        """A size of an input."""
        return quick if self.quick else full


def program(*arguments):
    """A command of the program `sameas`."""
    return [str(RELEASE / "sameas"), *map(str, arguments)]


def operator(*arguments):
    """A command that measures one of our operators."""
    return [str(RELEASE / "sameas-bench"), *map(str, arguments)]


def peer(script, *arguments, environment=PEERS):
    """A command that runs a peer's script in its environment."""
    return [str(environment / "bin" / "python"), str(BENCH / "peers" / script), *map(str, arguments)]
