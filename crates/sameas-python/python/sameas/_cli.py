"""The command ``sameas``: the same program as the one that Cargo builds, in this process."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Runs the program with the arguments of the process, and ends with its exit code."""
    # One queue to a GPU is enough for a job, and lets it start and end sooner. The driver reads this when it starts.
    os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "1")
    from . import _sameas

    code = _sameas.main(["sameas", *sys.argv[1:]])
    # The program has written all that it writes. The interpreter's own end could turn a signal, which the program has
    # answered already, into an exception.
    os._exit(code)
