"""Libraries that the package works with, and does not need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ._errors import UsageError


def imported(name: str) -> Any:
    """A library, or an error that says how to get it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(f"{name} is needed for this, and cannot be imported: {error}", f"pip install {name}") from error
