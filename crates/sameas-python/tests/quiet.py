"""What a test of time may demand: on a machine that does nothing else (``SAMEAS_QUIET``) what is promised, and on any other only
that it does not take for ever, since there a program may be kept from running for longer than any promise."""

from __future__ import annotations

import os

IS_QUIET = "SAMEAS_QUIET" in os.environ

#: How often a moment is chosen.
MOMENTS = 10 if IS_QUIET else 4


def at_most(seconds: float) -> float:
    """The longest time that something may take that takes this many seconds on a quiet machine."""
    return seconds if IS_QUIET else 20 * seconds
