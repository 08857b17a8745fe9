"""Thresholds and ways to make clusters, compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from . import _arguments, _sameas
from ._inputs import Reading, TableLike
from ._jobs import _session
from ._pair_clusters import cluster_job, how_clusters
from ._progress import Display
from ._reports import Sweep
from ._rules import RulesLike
from ._run import Run

#: A way to make clusters of the pairs that reach a threshold.
Method: TypeAlias = Literal["components", "one_to_one", "optimal", "average", "complete", "louvain", "bridges"]


def sweep(
    pairs: Run | TableLike,
    rules: RulesLike | None = None,
    *,
    thresholds: Sequence[float] | None = None,
    methods: Sequence[Method] | None = None,
    truth: TableLike | None = None,
    truth_kind: Literal["pairs", "clusters"] | None = None,
    labels: TableLike | None = None,
    among: bool = False,
    across: bool | None = None,
    max_size: int | None = None,
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
) -> Sweep:
    """Compares thresholds and ways to make clusters of the same pairs, which are read once: by the truth, by labelled pairs, or
    by how much the clusters change from one threshold to the next.

    :param pairs: a run, the folder of its results, or pairs as `cluster_pairs` takes them.
    :param rules: a rule file whose ``[[limit]]`` and constraints of ``[clusters]`` hold for all rows.
    :param thresholds: thresholds on the score; by default the tenths of the scores.
    :param methods: ways to make clusters; by default all that fit the pairs.
    :param truth: pairs of ids, or records and their clusters, as `evaluate` takes them.
    :param truth_kind: by default clusters if the truth has such a column, else pairs.
    :param labels: pairs that people have judged, as `estimate` takes them.
    :param among: counts a pair only if the truth knows one of its records.
    :param across: counts only pairs of records of different tables; known of the run of a link.
    :param max_size: the most records of a cluster, in all rows.
    :param density: the share of their pairs that both parts must have where ``"bridges"`` divides a cluster; by default 0.3.
    :param records: all records, as `cluster_pairs` takes them. The other arguments are those of `cluster_pairs`, too.
    """
    how = how_clusters(rules, {"max_size": max_size})
    session = _session(threads, memory)
    table, sides = _sided(pairs)
    if sides is None and across:
        sides = ("left", "right")
    with Display(progress) as display:
        reading = Reading(delimiter, encoding)
        job = cluster_job(
            table, how, reading, display, sides=sides, records=records, keep_apart=keep_apart, decided=decided,
            columns=columns, source_columns=source_columns, score=score, match_key=match_key, certain=certain, id=id,
            source=source,
        )  # fmt: skip
        answer = _sameas.sweep(
            session,
            job,
            display,
            thresholds=None if thresholds is None else [float(threshold) for threshold in thresholds],
            methods=_arguments.if_given(_arguments.texts, "methods", methods),
            density=density,
            truth=None if truth is None else reading.input(truth, "truth", display),
            truth_kind=truth_kind,
            labels=None if labels is None else reading.input(labels, "labels", display),
            among=_arguments.truth("among", among),
            across=job.has_sides() if across is None else _arguments.truth("across", across),
        )
    return Sweep(*answer)


def _sided(pairs: object) -> tuple[object, tuple[str, str] | None]:
    """The pairs, and where they are those of a link of two tables, the names of these."""
    if not isinstance(pairs, Run):
        return pairs, None
    names = [str(one["name"]) for one in pairs.record["inputs"]]
    is_link = pairs.record["link_type"] == "link_only" and len(names) == 2
    return pairs.pairs, (names[0], names[1]) if is_link else None
