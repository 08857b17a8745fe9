"""The blocks of a page that are written by the script: what lies between their two comments."""

import re
from dataclasses import dataclass

from . import FiguresError

OPENING = re.compile(r"<!--\s*figures:\s*(.*?)\s*-->\s*$")
ENDING = re.compile(r"<!--\s*end of figures\s*-->\s*$")


@dataclass(frozen=True)
class Block:
    """A block: the name of its table, and its first line and the line of its end, counted from 0."""

    name: str
    first: int
    end: int


def find(lines):
    """The blocks among the lines of a page. One that does not end would take the rest of the page with it."""
    found, opened = [], None
    for at, line in enumerate(lines):
        opening = OPENING.match(line)
        if opening and opened:
            raise FiguresError(f"line {at + 1}: the block `{opened[0]}` of line {opened[1]} has no end before this one")
        if opening:
            opened = opening[1], at + 1
        elif ENDING.match(line):
            if not opened:
                raise FiguresError(f"line {at + 1}: the end of a block that has no beginning")
            found.append(Block(*opened, at))
            opened = None
    if opened:
        raise FiguresError(f"line {opened[1]}: the block `{opened[0]}` has no end")
    return found


def replace(lines, contents):
    """The page with other contents of its blocks, given as (block, lines)."""
    lines = list(lines)
    for block, content in sorted(contents, key=lambda pair: -pair[0].first):
        lines[block.first : block.end] = content
    return lines
