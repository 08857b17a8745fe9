"""How far a job has come: a bar in a terminal, a bar in a notebook."""

from __future__ import annotations

import shutil
import sys
import time
import warnings
from contextlib import suppress
from html import escape
from types import TracebackType
from typing import Any, TextIO

from ._arguments import truth
from ._errors import RulesWarning
from ._optional import imported

#: Seconds between two lines where there is neither a terminal nor a notebook.
_PATIENCE = 10.0


class Display:
    """What the thread of a job has to say while it runs. Every call makes one."""

    def __init__(self, progress: bool) -> None:
        self._shown: _Terminal | _Notebook | _Lines | None = None
        if truth("progress", progress):
            self._shown = _Notebook() if _in_notebook() else _Terminal() if _is_terminal() else _Lines()

    def update(self, line: str, share: float | None) -> None:
        """Shows a line, and which share of the step is done if that is known."""
        if self._shown is not None:
            self._shown.update(line, share)

    def notice(self, text: str) -> None:
        """Warns of something that does not stop the job."""
        if self._shown is not None:
            self._shown.clear()
        warnings.warn(text, RulesWarning, stacklevel=_outside())

    def __enter__(self) -> Display:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown is not None:
            self._shown.clear()


def _outside() -> int:
    """The number of calls between this function's caller and the user's own code."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "sameas":
        level, frame = level + 1, frame.f_back
    return level


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    running = shell.get_ipython()
    return running is not None and type(running).__name__ == "ZMQInteractiveShell"


def _standard_error() -> TextIO | None:
    """A process may have none, such as one without a console."""
    return sys.stderr


def _is_terminal() -> bool:
    stream = _standard_error()
    try:
        return stream is not None and stream.isatty()
    except (OSError, ValueError):
        # It is closed.
        return False


def _say(text: str) -> None:
    """Writes to the standard error, if there is one: that nobody sees how far a job is must not stop the job."""
    stream = _standard_error()
    if stream is not None:
        with suppress(OSError, ValueError):
            stream.write(text)
            stream.flush()


class _Terminal:
    """One line that changes."""

    def update(self, line: str, share: float | None) -> None:
        width = shutil.get_terminal_size().columns - 1
        bar = "" if share is None else f"[{'#' * round(20 * share):20}] "
        _say(f"\r{(bar + line)[:width]}\x1b[K")

    def clear(self) -> None:
        _say("\r\x1b[K")


class _Lines:
    """A line from time to time."""

    def __init__(self) -> None:
        self._begun = self._said = time.monotonic()

    def update(self, line: str, share: float | None) -> None:
        now = time.monotonic()
        if now - self._said >= _PATIENCE:
            self._said = now
            _say(f"after {now - self._begun:.0f} s: {line}\n")

    def clear(self) -> None:
        pass


class _Notebook:
    """A bar below the cell, which goes when the job ends."""

    def __init__(self) -> None:
        self._handle: Any = None

    def update(self, line: str, share: float | None) -> None:
        ipython = imported("IPython.display")
        value = "" if share is None else f' value="{share:.4f}"'
        shown = ipython.HTML(f'<div><progress max="1"{value}></progress> <small>{escape(line)}</small></div>')
        if self._handle is None:
            self._handle = ipython.display(shown, display_id=True)
        else:
            self._handle.update(shown)

    def clear(self) -> None:
        if self._handle is not None:
            self._handle.update(imported("IPython.display").HTML(""))
            self._handle = None
