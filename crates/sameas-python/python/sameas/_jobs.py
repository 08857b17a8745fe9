"""What can be asked: the functions of the package."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from . import _arguments, _sameas
from ._errors import UsageError
from ._inputs import Reading, TableLike
from ._progress import Display
from ._records import as_given
from ._reports import ClusterComparison, Devices, Estimates, Evaluation, Explanation, Model, Profile
from ._rules import Rules, RulesLike, rule_file, warnings_or_mistakes
from ._run import Run
from ._tables import Batch, Table

#: Where a job runs: ``"auto"`` takes a GPU where there is one and the job is worth its start.
Device: TypeAlias = Literal["auto", "cpu", "cuda"]

#: The column with the ids, ``"row"`` for row numbers, or columns by ``left``, ``right`` or the name of an input.
Id: TypeAlias = "str | Mapping[str, str]"


def _session(
    threads: int | None = None,
    memory: int | str | None = None,
    device: Device = "auto",
    device_memory: int | str | None = None,
    spill_folder: str | os.PathLike[str] | None = None,
) -> _sameas.Session:
    return _sameas.Session(
        _arguments.if_given(_arguments.whole, "threads", threads),
        _arguments.if_given(_arguments.memory, "memory", memory),
        _arguments.if_given(_arguments.text, "device", device),
        _arguments.if_given(_arguments.memory, "device_memory", device_memory),
        None if spill_folder is None else os.fspath(spill_folder),
    )


def _tables(first: object, link: object | None) -> list[object]:
    """The tables of a job: one, or several to link; a tuple is several."""
    if link is None:
        return [first]
    if isinstance(link, tuple) and not link:
        raise UsageError("link=() names no table", "give the other table, or leave link= out")
    return [first, *(link if isinstance(link, tuple) else (link,))]


def _names(tables: Sequence[object], names: Sequence[str] | None) -> list[str]:
    if names is not None:
        given = _arguments.texts("names", names)
        if len(given) != len(tables):
            raise UsageError(f"{len(tables)} tables need as many names", 'for example names=["crm", "shop"]')
        return given
    if len(tables) == 1:
        return ["records"]
    return ["left", "right", *(f"table_{at}" for at in range(3, len(tables) + 1))]


def _job(
    tables: Sequence[object],
    rules: _sameas.RuleFile,
    display: Display,
    reading: Reading,
    *,
    dedupe: bool = False,
    names: Sequence[str] | None = None,
    model: Model | str | os.PathLike[str] | None = None,
    scores: TableLike | None = None,
    decided: TableLike | None = None,
    term_frequencies: Mapping[str, TableLike] | None = None,
    id: Id | None = None,
    skip_null_ids: bool | None = None,
    max_pairs: int | None = None,
    near: float | None = None,
    all_pairs: bool = False,
) -> _sameas.Job:
    within, (id_of_all, id_by_table) = _arguments.truth("dedupe", dedupe), _arguments.ids(id)
    inputs = [reading.input(table, name, display) for table, name in zip(tables, _names(tables, names), strict=True)]
    link_type = "dedupe_only" if len(inputs) == 1 else "link_and_dedupe" if within else "link_only"
    return _sameas.Job(
        inputs,
        link_type,
        rules,
        id=id_of_all,
        ids=id_by_table,
        skip_null_ids=skip_null_ids,
        **_options(
            display, model=model, scores=scores, decided=decided, term_frequencies=term_frequencies, max_pairs=max_pairs,
            near=near, all_pairs=all_pairs,
        ),
    )  # fmt: skip


def _options(
    display: Display,
    *,
    model: Model | str | os.PathLike[str] | None = None,
    scores: TableLike | None = None,
    decided: TableLike | None = None,
    term_frequencies: Mapping[str, TableLike] | None = None,
    max_pairs: int | None = None,
    near: float | None = None,
    all_pairs: bool = False,
) -> dict[str, Any]:
    """What decides the pairs of a job beside its tables and rules, as the compiled module takes it."""
    learned = model if model is None or isinstance(model, Model) else Model.read(model)
    return {
        "model": None if learned is None else learned.toml,
        "scores": None if scores is None else Reading().input(scores, "scores", display),
        "decided": None if decided is None else Reading().input(decided, "decided", display),
        "term_frequencies": _frequency_tables(term_frequencies, display),
        "max_pairs": _arguments.if_given(_arguments.whole, "max_pairs", max_pairs),
        "near": near,
        "all_pairs": all_pairs,
    }


def _frequency_tables(tables: object, display: Display) -> list[tuple[str, _sameas.Input]] | None:
    if tables is None:
        return None
    given = _arguments.mapping("term_frequencies", tables, "tables by the names of columns")
    return [
        (_arguments.text("term_frequencies", column), Reading().input(table, f"term frequencies of {column}", display))
        for column, table in given.items()
    ]


def dedupe(
    table: TableLike,
    rules: RulesLike | None = None,
    *,
    id: Id | None = None,
    model: Model | str | os.PathLike[str] | None = None,
    scores: TableLike | None = None,
    decided: TableLike | None = None,
    term_frequencies: Mapping[str, TableLike] | None = None,
    near: float | None = None,
    all_pairs: bool = False,
    max_pairs: int | None = None,
    skip_null_ids: bool | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    null: Sequence[str] | None = None,
    blank_is_null: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    device: Device = "auto",
    device_memory: int | str | None = None,
    spill_folder: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Run:
    """Finds the duplicates within one table.

    :param table: a frame or table of any library that speaks Arrow, columns by name, rows, a path, a pattern, or paths.
    :param rules: `Rules`, a condition such as ``"l.email = r.email"``, conditions by name, or the path of a rule file.
    :param id: the column with the ids; by default ``id``, else ``unique_id``. ``"row"`` numbers the rows.
    :param model: scores pairs by the comparisons of the rules: what `train` gives, or the path of its file.
    :param scores: a table of pairs with scores of another matcher, as `candidates` gives them out.
    :param decided: judgements: pairs that are the ``same`` are pairs of the result whatever the rules say, pairs that are
        ``different`` are not, and are kept apart.
    :param term_frequencies: tables with the frequencies of values, by the names of columns, in place of those that are counted
        over the records: as `sameas.term_frequencies` gives them, or with columns ``value`` and ``frequency`` or ``count``.
    :param near: also looks for pairs that would be found if one threshold were looser by this much: ``run.near``.
    :param all_pairs: looks at all pairs where the threshold of a score leaves no other way.
    :param max_pairs: refuses to look at more candidates than this.
    :param skip_null_ids: leaves out records without an id, which are otherwise an error.
    :param delimiter: of CSV files; by default found from the header.
    :param encoding: of text files, such as ``"windows-1252"``.
    :param null: texts that stand for a missing value.
    :param blank_is_null: whether a text of white space alone does.
    :param threads: by default one for each core.
    :param memory: what the job may take, such as ``"8GB"``; by default 75 % of what is available.
    :param device: ``"auto"``, ``"cpu"`` or ``"cuda"``.
    :param device_memory: what the job may take of a GPU's memory.
    :param spill_folder: the folder for what does not fit the memory.
    :param progress: shows how far the job has come.
    """
    return _run(
        [table], rules, progress,
        _session(threads, memory, device, device_memory, spill_folder),
        Reading(delimiter, encoding, null, blank_is_null),
        id=id, model=model, scores=scores, decided=decided, term_frequencies=term_frequencies, near=near,
        all_pairs=all_pairs, max_pairs=max_pairs, skip_null_ids=skip_null_ids,
    )  # fmt: skip


def link(
    left: TableLike,
    right: TableLike,
    rules: RulesLike | None = None,
    *,
    more: Sequence[TableLike] = (),
    dedupe: bool = False,
    names: Sequence[str] | None = None,
    id: Id | None = None,
    model: Model | str | os.PathLike[str] | None = None,
    scores: TableLike | None = None,
    decided: TableLike | None = None,
    term_frequencies: Mapping[str, TableLike] | None = None,
    near: float | None = None,
    all_pairs: bool = False,
    max_pairs: int | None = None,
    skip_null_ids: bool | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    null: Sequence[str] | None = None,
    blank_is_null: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    device: Device = "auto",
    device_memory: int | str | None = None,
    spill_folder: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Run:
    """Finds the matches between two tables or more.

    Of two tables, ``l`` is a record of the left one and ``r`` one of the right; of more, ``l`` is of the earlier one.

    :param more: further tables.
    :param dedupe: finds pairs within each table, too.
    :param names: what ``source_dataset`` calls the tables that are not files; by default ``left``, ``right``, ``table_3``, ...
    :param id: the column with the ids, or columns by ``left`` and ``right`` or by the names of the tables.

    All other arguments are those of `dedupe`.
    """
    return _run(
        [left, right, *_more(more)], rules, progress,
        _session(threads, memory, device, device_memory, spill_folder),
        Reading(delimiter, encoding, null, blank_is_null),
        dedupe=dedupe, names=names, id=id, model=model, scores=scores, decided=decided,
        term_frequencies=term_frequencies, near=near, all_pairs=all_pairs, max_pairs=max_pairs, skip_null_ids=skip_null_ids,
    )  # fmt: skip


def _more(tables: object) -> Sequence[object]:
    if not isinstance(tables, (list, tuple)):
        raise _arguments.wrong("more", tables, "a list of tables", "for one table write more=[table]")
    return tables


def _run(
    tables: Sequence[object],
    rules: RulesLike | None,
    progress: bool,
    session: _sameas.Session,
    reading: Reading,
    **options: Any,
) -> Run:
    file = rule_file(rules)
    with Display(progress) as display:
        job = _job(tables, file, display, reading, **options)
        return Run(_sameas.run(session, job, display), Rules._of(file), as_given(tables))


def explain(
    table: TableLike,
    rules: RulesLike | None = None,
    *,
    link: TableLike | tuple[TableLike, ...] | None = None,
    dedupe: bool = False,
    analyze: bool = False,
    names: Sequence[str] | None = None,
    id: Id | None = None,
    model: Model | str | os.PathLike[str] | None = None,
    term_frequencies: Mapping[str, TableLike] | None = None,
    near: float | None = None,
    all_pairs: bool = False,
    skip_null_ids: bool | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    null: Sequence[str] | None = None,
    blank_is_null: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    device: Device = "auto",
    device_memory: int | str | None = None,
    progress: bool = False,
) -> Explanation:
    """The plan of a job: what is joined, how many candidates that gives, what is checked in which order, and why.

    :param link: the other table of a link; a tuple for several.
    :param analyze: runs the job, and shows what was counted beside what was expected.

    All other arguments are those of `dedupe` and `sameas.link`.
    """
    session, reading = _session(threads, memory, device, device_memory), Reading(delimiter, encoding, null, blank_is_null)
    with Display(progress) as display:
        job = _job(
            _tables(table, link), rule_file(rules), display, reading, dedupe=dedupe, names=names, id=id, model=model,
            term_frequencies=term_frequencies, near=near, all_pairs=all_pairs, skip_null_ids=skip_null_ids,
        )  # fmt: skip
        return Explanation(*_sameas.explain(session, job, analyze, display))


def check(
    table: TableLike,
    rules: RulesLike | None = None,
    *,
    link: TableLike | tuple[TableLike, ...] | None = None,
    dedupe: bool = False,
    names: Sequence[str] | None = None,
    id: Id | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> list[str]:
    """Checks rules against the columns of tables. Mistakes are a `RulesError`; likely mistakes are in the answer."""
    with Display(False) as display:
        job = _job(_tables(table, link), rule_file(rules), display, Reading(delimiter, encoding), dedupe=dedupe, names=names, id=id)
        doubts, unused = _sameas.check(_session(), job, display)
    return warnings_or_mistakes(doubts) + [f"no rule uses the derived column `{name}`" for name in unused]


def train(
    table: TableLike,
    rules: RulesLike,
    *,
    link: TableLike | tuple[TableLike, ...] | None = None,
    dedupe: bool = False,
    names: Sequence[str] | None = None,
    id: Id | None = None,
    skip_null_ids: bool | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    null: Sequence[str] | None = None,
    blank_is_null: bool | None = None,
    combine_dependent: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    device: Device = "auto",
    device_memory: int | str | None = None,
    progress: bool = False,
) -> Model:
    """Learns a model for the comparisons of the rules, without knowing which records match.

    ``sameas.dedupe(table, rules, model=model)`` then scores pairs by it. The arguments are those of `explain`, and:

    :param combine_dependent: takes comparisons together that depend on each other, as chosen by the data. The model has them;
        the rules stay as they are.
    """
    session, reading = _session(threads, memory, device, device_memory), Reading(delimiter, encoding, null, blank_is_null)
    with Display(progress) as display:
        tables = _tables(table, link)
        job = _job(tables, rule_file(rules), display, reading, dedupe=dedupe, names=names, id=id, skip_null_ids=skip_null_ids)
        return _model(*_sameas.train(session, job, combine_dependent, display), display)


def _model(toml: str, warnings: Sequence[str], display: Display) -> Model:
    for warning in warnings:
        display.notice(warning)
    return Model(toml)


def term_frequencies(
    table: TableLike,
    rules: RulesLike,
    *,
    link: TableLike | tuple[TableLike, ...] | None = None,
    dedupe: bool = False,
    names: Sequence[str] | None = None,
    id: Id | None = None,
    skip_null_ids: bool | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    null: Sequence[str] | None = None,
    blank_is_null: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: bool = False,
) -> dict[str, Table]:
    """How frequent values are: a table for each column that a comparison names as ``term_frequency``.

    It has a ``value``, the ``count`` of its records, and its ``frequency``, their share of all records with a value. A job
    over some of the records, or over those of another day, gives values the same weights with it:
    ``sameas.dedupe(some, rules, model=model, term_frequencies=frequencies)``. The arguments are those of `train`.
    """
    session, reading = _session(threads, memory), Reading(delimiter, encoding, null, blank_is_null)
    with Display(progress) as display:
        tables = _tables(table, link)
        job = _job(tables, rule_file(rules), display, reading, dedupe=dedupe, names=names, id=id, skip_null_ids=skip_null_ids)
        return _frequencies(_sameas.term_frequencies(session, job, display))


def _frequencies(counted: Sequence[_sameas.Frequencies]) -> dict[str, Table]:
    return {of.column(): _frequency_table(of) for of in counted}


def _frequency_table(counted: _sameas.Frequencies) -> Table:
    def write(path: str | os.PathLike[str], overwrite: bool, display: Display) -> None:
        counted.write(os.fspath(path), overwrite, display)

    return Table(f"term frequencies of {counted.column()}", counted.rows(), counted.batches, write)


def profile(
    table: TableLike,
    *,
    link: TableLike | tuple[TableLike, ...] | None = None,
    names: Sequence[str] | None = None,
    id: Id | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    null: Sequence[str] | None = None,
    blank_is_null: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: bool = False,
) -> Profile:
    """Before there are rules: what each column holds, and which keys would join the records, with the exact number of
    candidates. ``profile.rules_text`` is a first rule file."""
    session, reading = _session(threads, memory), Reading(delimiter, encoding, null, blank_is_null)
    with Display(progress) as display:
        job = _job(_tables(table, link), Rules.parse("")._file, display, reading, names=names, id=id)
        return Profile(*_sameas.profile(session, job, display))


def candidates(
    table: TableLike,
    rules: RulesLike,
    *,
    columns: Sequence[str] | Mapping[str, str] = (),
    link: TableLike | tuple[TableLike, ...] | None = None,
    dedupe: bool = False,
    names: Sequence[str] | None = None,
    id: Id | None = None,
    max_pairs: int | None = None,
    skip_null_ids: bool | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    null: Sequence[str] | None = None,
    blank_is_null: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    device: Device = "auto",
    device_memory: int | str | None = None,
    progress: bool = False,
) -> Iterator[Batch]:
    """The pairs that the rules give, batch by batch, for a matcher of your own.

    Comparisons and scores of the rules are left out. Score the batches, keep ``unique_id_l``, ``unique_id_r`` and a
    column ``score``, and give them back: ``sameas.dedupe(table, rules, scores=scored)``.

    :param columns: columns of the records, of which each batch has ``NAME_l`` and ``NAME_r``; or expressions of ``l`` and
        ``r`` by name.

    All other arguments are those of `explain`.
    """
    session, reading = _session(threads, memory, device, device_memory), Reading(delimiter, encoding, null, blank_is_null)
    file = rule_file(rules).candidates(_pair_columns(columns))
    with Display(progress) as display:
        job = _job(
            _tables(table, link), file, display, reading, dedupe=dedupe, names=names, id=id, max_pairs=max_pairs,
            skip_null_ids=skip_null_ids,
        )  # fmt: skip
        run = Run(_sameas.run(session, job, display), Rules._of(file))
    return iter(run.pairs)


def _pair_columns(columns: Sequence[str] | Mapping[str, str]) -> list[tuple[str, str]]:
    if isinstance(columns, Mapping):
        text = _arguments.text
        return [(text("columns", name), text("columns", expression)) for name, expression in columns.items()]
    quoted = [(name, '"' + name.replace('"', '""') + '"') for name in _arguments.texts("columns", columns)]
    return [(f"{name}_{side}", f"{side}.{column}") for name, column in quoted for side in "lr"]


def evaluate(
    found: Run | TableLike,
    truth: TableLike,
    *,
    kind: Literal["pairs", "clusters"] = "pairs",
    truth_kind: Literal["pairs", "clusters"] | None = None,
    among: bool = False,
    across: bool | None = None,
    records: Sequence[int] | int | None = None,
    encoding: str | None = None,
    wrong: str | os.PathLike[str] | None = None,
    missed: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
) -> Evaluation:
    """Compares a result with the truth: precision, recall and F1, also of each rule. Of clusters, `record["clusters"]` has
    measures that count records and clusters, too.

    :param found: a run, its pairs or clusters, or a file of them.
    :param truth: pairs of ids (the first two columns), or records and their clusters (``id`` and ``cluster``).
    :param kind: whether `found` is pairs or clusters; of a run, which of its results is compared.
    :param truth_kind: by default clusters if the truth has such a column, else pairs.
    :param among: counts a pair only if the truth knows one of its records.
    :param across: counts only pairs of records of different tables; known of a run.
    :param records: the number of records, of each table in a link; known of a run.
    :param wrong: a file for the pairs that were found and are not true.
    :param missed: a file for the true pairs that were not found.
    """
    record = found._run.record()[0] if isinstance(found, Run) else None
    result: object = found
    if isinstance(found, Run):
        result = found.pairs if kind == "pairs" else found.clusters
        across = found.record["link_type"] == "link_only" if across is None else across
    with Display(False) as display:
        answer = _sameas.evaluate(
            _session(), Reading().input(result, "found", display), kind,
            Reading(encoding=encoding).input(truth, "truth", display), display,
            truth_kind=truth_kind, among=among, across=False if across is None else across, record=record,
            records=_arguments.if_given(_arguments.counts, "records", records),
            wrong=None if wrong is None else os.fspath(wrong), missed=None if missed is None else os.fspath(missed),
            overwrite=overwrite,
        )  # fmt: skip
    return Evaluation(*answer)


def estimate(
    found: Run | TableLike,
    labels: TableLike,
    *,
    kind: Literal["pairs", "clusters"] = "pairs",
    across: bool | None = None,
    encoding: str | None = None,
) -> Estimates:
    """Estimates precision, recall and F1 of a result from pairs that people have judged, with intervals of 95 %. They hold for
    the pairs that these were drawn from.

    :param found: a run, its pairs or clusters, or a file of them.
    :param labels: the columns ``unique_id_l``, ``unique_id_r`` and ``judgement`` (``same``, ``different`` or ``unsure``), and if
        they are a sample ``stratum`` and ``inclusion_probability``.
    :param kind: whether `found` is pairs or clusters; of a run, which of its results is judged.
    :param across: whether the result has only pairs of records of different tables; known of a run.
    """
    record = found._run.record()[0] if isinstance(found, Run) else None
    result: object = found
    if isinstance(found, Run):
        result = found.pairs if kind == "pairs" else found.clusters
        across = found.record["link_type"] == "link_only" if across is None else across
    with Display(False) as display:
        answer = _sameas.estimate(
            _session(), Reading().input(result, "found", display), kind,
            Reading(encoding=encoding).input(labels, "labels", display), display,
            across=False if across is None else across, record=record,
        )  # fmt: skip
    return Estimates(*answer)


def compare_clusters(clusters: Run | TableLike, other: Run | TableLike) -> ClusterComparison:
    """Compares the clusters of two results: which are the same, split, merged or otherwise changed from `other` to `clusters`.

    :param clusters: a run, its clusters, or a file of them.
    :param other: the result to compare it with.
    """
    here, there = (result.clusters if isinstance(result, Run) else result for result in (clusters, other))
    with Display(False) as display:
        reading = Reading()
        answer = _sameas.compare_clusters(
            _session(), reading.input(here, "clusters", display), reading.input(there, "other", display), display
        )
    return ClusterComparison(*answer)


def devices() -> Devices:
    """The GPUs that jobs can run on, or why there is none."""
    return Devices(*_sameas.devices())
