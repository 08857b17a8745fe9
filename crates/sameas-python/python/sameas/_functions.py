"""The functions and operators of the rule language."""

from __future__ import annotations

import json
from dataclasses import dataclass

from . import _sameas


@dataclass(frozen=True)
class FunctionInfo:
    """A function or operator of the rule language."""

    #: Its name.
    name: str
    #: Other names for the same.
    also: tuple[str, ...]
    #: Its group, such as ``text_measures``.
    group: str
    #: How it is written.
    signature: str
    #: What it gives.
    summary: str
    #: When it is null.
    nulls: str
    #: An expression with it.
    example: str
    #: The value of that expression.
    result: str


def functions() -> dict[str, FunctionInfo]:
    """Every function and operator of the rule language, by name."""
    found = [FunctionInfo(**{**entry, "also": tuple(entry["also"])}) for entry in json.loads(_sameas.functions())]
    return {function.name: function for function in found}
