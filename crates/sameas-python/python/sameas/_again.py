"""Jobs by their description: run again, and looked at again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _arguments, _sameas
from ._errors import UsageError
from ._inputs import Reading, TableLike
from ._jobs import Device, _session
from ._progress import Display
from ._records import as_given
from ._reports import Sweep, sweep_table
from ._rules import Rules
from ._run import Run


def run(
    spec: Mapping[str, Any] | str | os.PathLike[str],
    *tables: TableLike,
    max_pairs: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    device: Device = "auto",
    device_memory: int | str | None = None,
    spill_folder: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Run:
    """Runs a job again, by its description: the same bytes, or an error where the records are not those that were read.

    :param spec: what ``run.spec`` gives; or the folder that a run has written, of Python or of the program, or its ``run.json``.
    :param tables: those of the job that were no files, in its order: tables, then scores, then term frequencies, then judgements.

    All other arguments are those of `dedupe`.
    """
    session, text = _session(threads, memory, device, device_memory, spill_folder), _text(spec)
    most = _arguments.if_given(_arguments.whole, "max_pairs", max_pairs)
    with Display(progress) as display:
        job = _sameas.Job.of_spec(text, _given(text, tables, display), max_pairs=most)
        found = _sameas.run(session, job, display)
        inputs = json.loads(text)["inputs"]
        # The first of the tables are the inputs, unless some of these are files.
        given = tables[: len(inputs)] if all("records" in one["source"] for one in inputs) else ()
        return Run(found, Rules._of(job.rules()), as_given(given))


def report(
    folder: str | os.PathLike[str],
    records: TableLike | tuple[TableLike, ...] | None = None,
    *,
    path: str | os.PathLike[str] | None = None,
    mask: Iterable[str] = (),
    size: int = 10_000_000,
    truth: str | os.PathLike[str] | None = None,
    sweep: Sweep | None = None,
    overwrite: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: bool = False,
) -> None:
    """Writes a report of a run whose results are in a folder, of Python or of the program: one HTML file to look at.

    Files are read again, and must be as they were.

    :param records: the tables of the run that were no files, a tuple for several; without them the report has no values.
    :param path: by default ``report.html`` in the folder.

    All other arguments are those of `Run.report`.
    """
    results = os.fspath(folder)
    target = os.path.join(results, "report.html") if path is None else os.fspath(path)
    tables: Sequence[object] = () if records is None else records if isinstance(records, tuple) else (records,)
    known = None if truth is None else _sameas.Input.files([os.fspath(truth)])
    hidden, most = _arguments.texts("mask", mask), _arguments.whole("size", size)
    compared = _arguments.if_given(sweep_table, "sweep", sweep)
    with Display(progress) as display:
        given = _given(_sameas.stored_spec(results), tables, display) if tables else []
        _sameas.report(_session(threads, memory), results, given, target, hidden, most, known, compared, overwrite, display)


def _text(spec: object) -> str:
    """A description as JSON."""
    if isinstance(spec, (str, os.PathLike)):
        return _sameas.stored_spec(os.fspath(spec))
    given = _arguments.mapping("spec", spec, "a description of a job, or the path of a run")
    try:
        return json.dumps(dict(given))
    except (TypeError, ValueError) as error:
        raise UsageError(f"spec= is no description of a job: {error}", "take it from run.spec, or from a run.json") from error


def _given(spec: str, tables: Sequence[object], display: Display) -> list[_sameas.Input]:
    """Tables by the names that a description has for them. That they are too few or too many is for the job to say."""
    names = _sameas.asks_for(spec)
    return [
        Reading().input(table, names[at] if at < len(names) else f"table_{at + 1}", display)
        for at, table in enumerate(tables)
    ]
