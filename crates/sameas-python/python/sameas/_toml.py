"""Rules as the text of a rule file: mistakes are then shown at their place in it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

#: Values inside each other, at most: far more than rules have, and far fewer than Python can have calls. A list may contain
#: itself.
MOST_LEVELS = 100


def text(value: object, level: int = 0) -> str:
    """A value as TOML, in one line unless it is a text of several."""
    if level > MOST_LEVELS:
        raise TypeError(f"a rule file cannot hold values that are more than {MOST_LEVELS} levels deep")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, Mapping):
        entries = (f"{key(str(name))} = {text(of, level + 1)}" for name, of in value.items())
        return "{ " + ", ".join(entries) + " }"
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return "[" + ", ".join(text(item, level + 1) for item in value) + "]"
    raise TypeError(f"a rule file cannot hold a value of type {type(value).__name__}")


def _number(value: int | float) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    # Numbers of other libraries are numbers of Python, and show themselves in another way.
    return repr(float(value)) if isinstance(value, float) else repr(int(value))


def key(name: str) -> str:
    """The name of an entry."""
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else _escaped(name)


def _quoted(value: str) -> str:
    """A text in the quotes in which it looks most like itself."""
    if any(ord(c) < 32 and c not in "\t\n" or c == "\x7f" for c in value):
        return _escaped(value)
    if "\n" in value:
        return f'"""\n{value}"""' if '"""' not in value and "\\" not in value and not value.endswith('"') else _escaped(value)
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    if "'" not in value:
        return f"'{value}'"
    return f"'''{value}'''" if "'''" not in value and not value.endswith("'") else _escaped(value)


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _escaped(value: str) -> str:
    def one(c: str) -> str:
        return _ESCAPES.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 32 or c == "\x7f" else c)

    return '"' + "".join(map(one, value)) + '"'


def table(name: str, entries: Mapping[str, object], brackets: str = "[]") -> str:
    """A table with its entries, one per line."""
    open_, close = brackets[: len(brackets) // 2], brackets[len(brackets) // 2 :]
    lines = [f"{open_}{name}{close}"]
    lines += [f"{key(str(entry))} = {text(value)}" for entry, value in entries.items() if value is not None]
    return "\n".join(lines) + "\n"
