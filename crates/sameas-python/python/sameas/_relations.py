"""Closures of pairs, and Datalog programs over relations."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Literal

from . import _arguments, _sameas
from ._errors import UsageError
from ._inputs import Reading, TableLike
from ._jobs import Device, _session
from ._progress import Display
from ._reports import ClosurePlan, RelateExplanation
from ._tables import Table


class Closure(Table):
    """All pairs of ids that a path of pairs connects, sorted; they are found while they are read."""

    def __init__(self, closure: _sameas.Closure) -> None:
        def write(path: str | os.PathLike[str], overwrite: bool, display: Display) -> None:
            closure.write(os.fspath(path), overwrite, display)

        super().__init__("closure", closure.rows(), closure.batches, write)
        self._closure = closure

    @property
    def plan(self) -> ClosurePlan:
        """How they were found, and why."""
        return ClosurePlan(*self._closure.plan())


def closure(
    edges: TableLike,
    *,
    columns: tuple[str, str] | None = None,
    directed: bool = True,
    reflexive: bool = False,
    method: Literal["auto", "bit_rows", "fixpoint"] = "auto",
    delimiter: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    device: Device = "auto",
    device_memory: int | str | None = None,
    progress: bool = False,
) -> Closure:
    """The transitive closure of a table of pairs.

    :param columns: the columns with the two ids; by default the first two.
    :param directed: whether a pair leads from its first id to its second only.
    :param reflexive: whether every id is connected with itself.
    """
    session = _session(threads, memory, device, device_memory)
    with Display(progress) as display:
        table = Reading(delimiter, encoding).input(edges, "edges", display)
        found = _sameas.closure(
            session, table, display, columns=_two(columns), directed=directed, reflexive=reflexive, method=method
        )
    return Closure(found)


def _two(columns: object) -> tuple[str, str] | None:
    if columns is None:
        return None
    given = _arguments.texts("columns", columns)
    if len(given) != 2:
        raise UsageError(f"columns= takes two names, and {len(given)} were given", 'for example columns=("from", "to")')
    return given[0], given[1]


class Related(Mapping[str, Table]):
    """What a Datalog program has found: the tables of its relations of ``.output``, by name."""

    def __init__(self, related: _sameas.Related) -> None:
        self._related = related

    def __getitem__(self, relation: str) -> Table:
        if relation not in self._related.outputs():
            raise KeyError(relation)
        return Table(relation, self._related.rows(relation), lambda: self._related.batches(relation))

    def __iter__(self) -> Iterator[str]:
        return iter(self._related.outputs())

    def __len__(self) -> int:
        return len(self._related.outputs())

    @property
    def text(self) -> str:
        """What was found, in short."""
        return self._related.explanation()[0]

    @property
    def explanation(self) -> RelateExplanation:
        """Strata, join orders, and the tuples and seconds of each round."""
        _, plan, facts = self._related.explanation()
        return RelateExplanation(plan, facts)

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        format: str = "csv",
        overwrite: bool = False,
        progress: bool = False,
    ) -> None:
        """Writes each relation of ``.output`` into a folder, as a file of its name."""
        with Display(progress) as display:
            self._related.write(os.fspath(folder), format, overwrite, display)

    def __repr__(self) -> str:
        return self.text.rstrip("\n")


def relate(
    program: str | os.PathLike[str],
    inputs: Mapping[str, TableLike],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    device: Device = "auto",
    device_memory: int | str | None = None,
    progress: bool = False,
) -> Related:
    """Evaluates a Datalog program: relations that follow from tables by rules that refer to each other.

    :param program: the text of the program, or the path of its file.
    :param inputs: the table of each relation of ``.input``, by name.
    """
    session, (text, name) = _session(threads, memory, device, device_memory), _program(program)
    with Display(progress) as display:
        reading = Reading(delimiter, encoding)
        tables = _relations(inputs, reading, display)
        return Related(_sameas.relate(session, text, name, tables, display))


def explain_relate(
    program: str | os.PathLike[str], inputs: Mapping[str, TableLike] | None = None
) -> RelateExplanation:
    """What `relate` would do: strata, rules, and the order of their joins. Reads the tables that are given."""
    text, name = _program(program)
    with Display(False) as display:
        tables = [] if inputs is None else _relations(inputs, Reading(), display)
        return RelateExplanation(*_sameas.explain_relate(_session(), text, name, tables, display))


def _relations(inputs: object, reading: Reading, display: Display) -> list[tuple[str, _sameas.Input]]:
    given = _arguments.mapping("inputs", inputs, "tables by the names of relations")
    return [(relation, reading.input(table, relation, display)) for relation, table in given.items()]


def _program(program: str | os.PathLike[str]) -> tuple[str | None, str]:
    """The text of a program and its name, or the path of its file, which is read within the memory of the session."""
    if isinstance(program, str) and (".decl" in program or "\n" in program):
        return program, "program"
    return None, os.fspath(program)
