"""Clusters of pairs of any origin."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from . import _arguments, _sameas, _toml
from ._errors import UsageError
from ._inputs import Reading, TableLike
from ._jobs import _session
from ._progress import Display
from ._rules import RulesLike, rule_file
from ._tables import Clusters, Table


class PairClusters:
    """Clusters of pairs, and the pairs that were cut. ``str(found)`` is the summary that the program prints."""

    def __init__(self, found: _sameas.PairClusters) -> None:
        self._found = found

    @property
    def clusters(self) -> Clusters:
        """Every record once, in the order of sources and ids: ``unique_id`` and ``cluster_id``."""
        return Clusters(self._table("clusters"), lambda: self.record["cluster_sizes"])

    @property
    def cut(self) -> Table:
        """The pairs whose records are in different clusters, with ``cause``, and in ``because`` what has refused them."""
        return self._table("cut")

    @property
    def record(self) -> dict[str, Any]:
        """What was clustered, how, and what came of it: what ``run.json`` holds."""
        return dict(json.loads(self._found.record()[1]))

    @property
    def text(self) -> str:
        """The summary, as the program prints it."""
        return self._found.record()[0]

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        format: str = "parquet",
        overwrite: bool = False,
        progress: bool = False,
    ) -> None:
        """Writes ``clusters``, ``cut`` and ``run.json`` into a folder."""
        with Display(progress) as display:
            self._found.write(os.fspath(folder), format, overwrite, display)

    def _table(self, name: str) -> Table:
        return Table(name, self._found.rows(name), lambda: self._found.batches(name))

    def __repr__(self) -> str:
        return self.text.rstrip("\n")


def cluster_pairs(
    pairs: TableLike,
    rules: RulesLike | None = None,
    *,
    threshold: float | Sequence[float] | None = None,
    method: Literal["components", "optimal", "average", "complete", "louvain"] | None = None,
    least: float | None = None,
    max_size: int | None = None,
    one_to: Literal["one"] | None = None,
    one_to_many: str | None = None,
    split: Literal["bridges"] | None = None,
    density: float | None = None,
    records: TableLike | Mapping[str, TableLike] | None = None,
    keep_apart: TableLike | None = None,
    decided: TableLike | None = None,
    columns: tuple[str, str] | None = None,
    source_columns: tuple[str, str] | None = None,
    score: str | None = None,
    match_key: str | None = None,
    certain: str | None = None,
    id: str | None = None,
    source: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: bool = False,
) -> PairClusters:
    """Clusters of pairs of any origin, with scores or without.

    :param pairs: a table with the columns ``unique_id_l`` and ``unique_id_r`` (or ``id_l`` and ``id_r``), sources, scores and
        rules if there are any; or the folder of a run.
    :param rules: what says how clusters are made, in place of the arguments: ``[clusters]`` and ``[[limit]]`` of a rule file.
    :param threshold: pairs with a lower score are left out; several thresholds give a column each.
    :param method: what makes clusters of pairs; by default connected components.
    :param least: how alike two clusters must be to become one, for the methods ``"average"`` and ``"complete"``.
    :param max_size: the most records of a cluster.
    :param one_to: at most one record of each source.
    :param one_to_many: at most one record of each source but this one.
    :param split: divides clusters in the end, where both parts have a larger share of their pairs than `density`.
    :param records: all records; where pairs name sources, tables by the names of sources, or a table that names them.
    :param keep_apart: pairs that must not be in one cluster.
    :param decided: judgements: pairs that are the same stay together, pairs that are different apart.
    :param columns: the columns with the two ids of a pair.
    :param source_columns: the columns with the two sources of a pair.
    :param score: the column with the score; by default ``match_probability``, else ``match_weight``, else ``score``.
    :param match_key: the column with the rule of a pair.
    :param certain: the column that says which pairs are certain, whatever their score.
    :param id: the column of the records with their ids.
    :param source: the column of the records with their sources.
    """
    said: dict[str, object] = {
        "threshold": threshold,
        "method": method,
        "least": least,
        "max_size": max_size,
        "one_to": one_to,
        "one_to_many": one_to_many,
        "split": split,
        "density": density,
    }
    how = how_clusters(rules, said)
    session = _session(threads, memory)
    with Display(progress) as display:
        reading = Reading(delimiter, encoding)
        job = cluster_job(
            pairs, how, reading, display, records=records, keep_apart=keep_apart, decided=decided, columns=columns,
            source_columns=source_columns, score=score, match_key=match_key, certain=certain, id=id, source=source,
        )  # fmt: skip
        found = _sameas.cluster_pairs(session, job, display)
    return PairClusters(found)


def cluster_job(
    pairs: object,
    how: _sameas.RuleFile | None,
    reading: Reading,
    display: Display,
    *,
    sides: tuple[str, str] | None = None,
    records: object,
    keep_apart: object,
    decided: object,
    columns: object,
    source_columns: object,
    score: object,
    match_key: object,
    certain: object,
    id: object,
    source: object,
) -> _sameas.ClusterPairsJob:
    """Pairs, or those of a run whose results are in a folder, and how clusters are to be made of them."""
    folder = os.fspath(pairs) if isinstance(pairs, (str, os.PathLike)) and os.path.isdir(pairs) else None
    return _sameas.ClusterPairsJob(
        reading.input(pairs, "pairs", display) if folder is None else None,
        how,
        folder=folder,
        sides=sides,
        records=_records(records, reading, display),
        keep_apart=None if keep_apart is None else reading.input(keep_apart, "keep_apart", display),
        decided=None if decided is None else reading.input(decided, "decided", display),
        columns=_two("columns", columns),
        source_columns=_two("source_columns", source_columns),
        score=_arguments.if_given(_arguments.text, "score", score),
        match_key=_arguments.if_given(_arguments.text, "match_key", match_key),
        certain=_arguments.if_given(_arguments.text, "certain", certain),
        id=_arguments.if_given(_arguments.text, "id", id),
        source=_arguments.if_given(_arguments.text, "source", source),
    )


def how_clusters(rules: RulesLike | None, said: dict[str, object]) -> _sameas.RuleFile | None:
    """The rules, or what the arguments say as the text of a rule file."""
    given = {name: value for name, value in said.items() if value is not None}
    if rules is not None:
        if given:
            raise UsageError(f"rules= and {next(iter(given))}= both say how clusters are made", "give one of them")
        return rule_file(rules)
    if not given:
        return None
    try:
        text = _toml.table("clusters", given)
    except TypeError as error:
        raise UsageError(str(error)) from error
    return _sameas.RuleFile.parse(text, "clusters")


def _records(records: object, reading: Reading, display: Display) -> list[_sameas.Input] | None:
    """One table, or tables by the names of their sources: a dictionary of columns is one table."""
    if records is None:
        return None
    if isinstance(records, Mapping) and records and all(_is_table(table) for table in records.values()):
        return [reading.input(table, str(name), display) for name, table in records.items()]
    return [reading.input(records, "records", display)]


def _is_table(value: object) -> bool:
    """Whether a value is a table of its own: a column of a table has no columns."""
    return isinstance(value, Mapping) or hasattr(value, "columns") or hasattr(value, "column_names")


def _two(name: str, columns: object) -> tuple[str, str] | None:
    if columns is None:
        return None
    given = _arguments.texts(name, columns)
    if len(given) != 2:
        raise UsageError(f"{name}= takes two names, and {len(given)} were given", f'for example {name}=("a", "b")')
    return given[0], given[1]
