"""Numbers as a reader wants them: about two significant digits."""

import math


def significant(value, digits=2):
    """A number with some significant digits, whole numbers with all of theirs."""
    if not value:
        return "0"
    # Rounding can carry into one digit more, which takes a decimal place from the rest: 9.97 is 10, not 10.0.
    value = round(value, _places(value, digits))
    return f"{value:.{_places(value, digits)}f}"


def _places(value, digits):
    return max(0, digits - 1 - math.floor(math.log10(abs(value))))


def time(seconds):
    """7.0 s, 0.078 s, 3.5 ms."""
    return f"{significant(seconds)} s" if seconds >= 0.01 else f"{significant(seconds * 1e3)} ms"


def memory(megabytes):
    """523 MB, 2.8 GB."""
    return f"{megabytes:.0f} MB" if megabytes < 1000 else f"{significant(megabytes / 1000)} GB"


def count(value):
    """5,996; 608,000; 207 M; 5.3 x 10^12."""
    if value < 10_000:
        return f"{value:,.0f}"
    if value < 1_000_000:
        return f"{round(value, -3):,.0f}"
    if value < 1e9:
        return f"{significant(value / 1e6, 3)} M"
    factor, power = f"{value:.1e}".split("e+")
    factor = factor.removesuffix(".0")
    return f"10^{int(power)}" if factor == "1" else f"{factor} x 10^{int(power)}"


def share(value):
    """10 %, 0.096 %."""
    return f"{significant(value * 100)} %"


def quality(value):
    """Recall, precision and F1: 0.984."""
    return f"{value:.3f}"
