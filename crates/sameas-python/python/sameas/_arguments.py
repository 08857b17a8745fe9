"""What arguments may be. A value that is not understood is an error: a default in its place would give an answer to another
question."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, SupportsIndex, TypeVar

from ._errors import UsageError

T = TypeVar("T")


def wrong(name: str, value: object, wanted: str, help: str | None = None) -> UsageError:
    """The error of an argument that is of another kind than what is wanted."""
    return UsageError(f"{name}= takes {wanted}, and a value of type {type(value).__name__} was given", help)


def if_given(check: Callable[[str, object], T], name: str, value: object) -> T | None:
    """What a check makes of an argument that may be left out."""
    return None if value is None else check(name, value)


def truth(name: str, value: object) -> bool:
    """True or false, of Python or of NumPy."""
    if isinstance(value, bool):
        return value
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise wrong(name, value, "True or False")


def whole(name: str, value: object) -> int:
    """A whole number from 0 on. What is true or false is none, though Python counts with it."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise wrong(name, value, "a whole number")
    try:
        number = operator.index(value)
    except TypeError:
        # Arrays of NumPy have the method, and only those of one number give one.
        raise wrong(name, value, "a whole number") from None
    if number < 0:
        raise UsageError(f"{name}={number} is less than 0")
    return number


def text(name: str, value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise wrong(name, value, "a text")
    return value


def texts(name: str, value: object) -> list[str]:
    """Texts of a list, a tuple or the like. One text is none of these, though it has parts."""
    if isinstance(value, str):
        raise UsageError(f"{name}={value!r} is one text", f'give a list: {name}=["{value}"]')
    if isinstance(value, (bytes, bytearray, Mapping)) or not isinstance(value, Iterable):
        raise wrong(name, value, "a list of texts")
    return [text(name, item) for item in value]


def mapping(name: str, value: object, wanted: str) -> Mapping[str, Any]:
    """Values by their names."""
    if not isinstance(value, Mapping):
        raise wrong(name, value, wanted)
    return value


def memory(name: str, value: object) -> str:
    """An amount of memory, as the program reads it."""
    if isinstance(value, bool) or not isinstance(value, (str, Real)):
        raise wrong(name, value, "an amount of memory", f'for example {name}="8GB"')
    return str(value)


def ids(value: object) -> tuple[str | None, list[tuple[str, str]] | None]:
    """The column with the ids of all tables, or the columns by table."""
    if value is None or isinstance(value, str):
        return value, None
    wanted = "the name of a column, or names by table"
    help = 'for example id="customer_no", or id={"left": "id", "right": "key"}'
    if not isinstance(value, Mapping):
        raise wrong("id", value, wanted, help)
    for part in (*value.keys(), *value.values()):
        if not isinstance(part, str):
            raise wrong("id", part, wanted, help)
    return None, list(value.items())


def counts(name: str, value: object) -> list[int]:
    """A whole number, or several."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, bytearray, Mapping)):
        return [whole(name, number) for number in value]
    return [whole(name, value)]
