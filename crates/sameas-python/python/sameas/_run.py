"""What a job found."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Literal

from . import _arguments, _html, _sameas
from ._arguments import if_given, texts, whole
from ._errors import UsageError
from ._progress import Display
from ._reports import Cluster, Sweep, Why, sweep_table
from ._tables import Clusters, Table, sizes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._records import AsGiven
    from ._rules import Rules


class Run:
    """What a job found: its pairs, its clusters, and the record of how.

    ``str(run)`` is the summary that the program prints.
    """

    def __init__(self, run: _sameas.Run, rules: Rules, as_given: AsGiven = lambda records: records) -> None:
        self._run = run
        self._as_given = as_given
        #: The rules of the job.
        self.rules = rules
        self._facts: tuple[dict[str, Any], str] | None = None

    @property
    def pairs(self) -> Table:
        """The pairs, in order: ``unique_id_l``, ``unique_id_r``, ``match_key`` (the first rule that holds, certain rules before
        all others), and scores and columns where the rules have them."""
        return self._table("pairs")

    @property
    def clusters(self) -> Clusters:
        """The clusters, every record once and in order: ``unique_id`` and ``cluster_id``."""
        table = self._table("clusters")
        return Clusters(table, lambda: self.record["cluster_sizes"])

    @property
    def near(self) -> Table:
        """The near pairs, if ``near=`` asked for them: the columns of pairs, and ``loosened``, the condition they miss."""
        return self._table("near")

    @property
    def cut(self) -> Table:
        """The pairs between clusters, where the rules say how clusters are made: the columns of pairs, ``cause``, what has cut each,
        and ``because``, what was in the way."""
        return self._table("cut")

    @property
    def entities(self) -> Table:
        """The entities, one for each cluster: ``entity_id`` (its ``cluster_id``), ``entity_size``, and the columns of the tables, each
        taken of the records as ``[entity]`` of the rules says; where it says nothing, the most frequent value."""
        return self.entities_with()

    def entities_with(self, *, provenance: bool = False) -> Table:
        """The entities, if wanted with ``provenance``: for each column ``c`` also ``c_record``, the record that its value is from, and
        ``c_disagreed``, how many other values its records have."""
        return _made("entities", self._run.entities(_arguments.truth("provenance", provenance)))

    @property
    def records(self) -> Any:
        """The records, with ``entity_id`` before their columns, as what came in: a frame of pandas or Polars, a table of PyArrow, a
        relation of DuckDB; else a `Table`. Several tables become one, with ``source_dataset``."""
        return self.records_with()

    def records_with(self, *, keep: Literal["all", "best"] = "all") -> Any:
        """The records; with ``keep="best"`` one of each entity: the one that ``columns = "*"`` of ``[entity]`` takes, else the one
        with the most columns filled."""
        if keep not in ("all", "best"):
            raise UsageError(f"keep={keep!r} is not known", 'keep="all" or keep="best"')
        return self._as_given(_made("records", self._run.records(keep == "best")))

    def pairs_with(self, columns: Iterable[str] | Literal["all"]) -> Table:
        """The pairs with columns of both records beside them: ``a_l`` and ``a_r`` for each column ``a``. ``"all"`` takes all columns but
        those of ids."""
        wanted = None if columns == "all" else texts("columns", columns)
        return _made("pairs", self._run.pairs_with(wanted))

    def _table(self, name: str) -> Table:
        run = self._run

        def write(path: str | os.PathLike[str], overwrite: bool, display: Display) -> None:
            run.write_table(name, os.fspath(path), overwrite, display)

        return Table(name, run.rows(name), lambda: run.batches(name), None if name in ("near", "cut") else write)

    def _known(self) -> tuple[dict[str, Any], str]:
        if self._facts is None:
            record, text = self._run.record()
            self._facts = dict(json.loads(record)), text
        return self._facts

    @property
    def record(self) -> dict[str, Any]:
        """Everything that can be said about the run: what ``run.json`` holds."""
        return self._known()[0]

    @property
    def spec(self) -> dict[str, Any]:
        """The job as a value: everything that decides its answer, and what identifies the records that were read.

        It can be stored as JSON, and ``sameas.run(spec)`` runs it again; tables that were no files have to be given again.
        """
        return dict(self.record["job"]["spec"])

    @property
    def text(self) -> str:
        """The summary, as the program prints it."""
        return self._known()[1]

    def why(self, left: object, right: object, *, progress: bool = False) -> Why:
        """Why the records with these ids are a pair, or why not; if they are no pair of one cluster, with what connects them: the
        strongest chain of pairs, or what comes closest and what has cut it. Records stay at hand where there is room for them, and
        are read again otherwise; so are columns of files that no rule reads, the first time.

        Of several inputs an id may have the input's name before it, as in ``"people:17"``. A link compares no two records of one
        input; so named, they are answered with what connects them alone, and ``record["one_input"]`` is that input.
        """
        with Display(progress) as display:
            return Why(*self._run.why((str(left), str(right)), display))

    def cluster(self, id: object, *, records: int = 20, progress: bool = False) -> Cluster:
        """The records of a cluster side by side, at most ``records`` of them, and the pairs among them. ``id`` is that of the
        cluster, or of one of its records; of several inputs it may have the input's name before it, as in ``"people:17"``.

        As for :meth:`why`, records stay at hand where there is room for them.
        """
        with Display(progress) as display:
            return Cluster(*self._run.cluster(str(id), whole("records", records), display))

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        format: str = "parquet",
        overwrite: bool = False,
        progress: bool = False,
    ) -> None:
        """Writes ``pairs``, ``clusters``, near pairs if there are any to write, ``entities`` if the rules have ``[entity]``, and
        ``run.json`` into a folder, all together or not at all. Formats are ``parquet``, ``csv`` and ``jsonl``."""
        with Display(progress) as display:
            self._run.write(os.fspath(folder), format, overwrite, display)
        self._facts = None

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        mask: Iterable[str] = (),
        size: int = 10_000_000,
        truth: str | os.PathLike[str] | None = None,
        sweep: Sweep | None = None,
        overwrite: bool = False,
        progress: bool = False,
    ) -> None:
        """Writes one HTML file to look at: rules, scores, clusters, data, plan and examples. It needs no network.

        ``mask`` names columns whose values are replaced by codes, ``size`` bounds the file in bytes (what does not fit is sampled,
        and the report says so), ``truth``, a file of pairs or clusters, adds precision and recall, and ``sweep`` what `sameas.sweep`
        says of this run.
        """
        known = None if truth is None else _sameas.Input.files([os.fspath(truth)])
        hidden, most, table = texts("mask", mask), whole("size", size), if_given(sweep_table, "sweep", sweep)
        with Display(progress) as display:
            self._run.report(os.fspath(path), hidden, most, known, table, overwrite, display)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        record = self.record
        parts = [_html.table(["", ""], _facts(record, self.text)), _rules(record)]
        if record["never"]:
            removed = [[never["name"], _html.code(never["when"]), f"{never['removed']:,}"] for never in record["never"]]
            head = "never, before scores" if _counts_before_scores(record) else "never"
            parts.append(_html.table([head, "condition", "pairs removed"], removed, [2]))
        if record["clusters_of_two_or_more"]:
            parts.append(sizes(record["cluster_sizes"]))
        return _html.page(*parts)


def _made(name: str, made: _sameas.RunTable) -> Table:
    """A table that is made of the records when it is read."""

    def write(path: str | os.PathLike[str], overwrite: bool, display: Display) -> None:
        made.write(os.fspath(path), overwrite, display)

    return Table(name, made.rows(), made.batches, write)


def _facts(record: dict[str, Any], text: str) -> list[tuple[str, str]]:
    """What the summary says beside its tables, as the program says it: its last part has a name at the start of each
    line, or goes on where the text of the line before began."""
    facts = [("input", "; ".join(f"{one['name']}: {one['rows']:,} records" for one in record["inputs"]))]
    for line in text.rstrip("\n").rsplit("\n\n", 1)[-1].splitlines():
        name, _, rest = line.partition(" ")
        if name:
            facts.append((name if name.isupper() else name.lower(), rest.strip()))
        else:
            facts[-1] = facts[-1][0], f"{facts[-1][1]} {rest.strip()}"
    return facts


def _counts_before_scores(record: dict[str, Any]) -> bool:
    """Whether the numbers of rules are of pairs whose scores were not known."""
    scores = record.get("scores")
    return scores is not None and not scores["given"]


def _rules(record: dict[str, Any]) -> str:
    """The rules with their conditions and their pairs. A rule that only stands for the score says nothing."""
    if any(not rule["named"] and rule["name"] == "score" for rule in record["rules"]):
        return ""
    heads = ["rule, before scores" if _counts_before_scores(record) else "rule", "condition", "pairs alone", "marginal", "cumulative"]
    counts = ("alone", "marginal", "cumulative")
    rows = [[rule["name"], _html.code(" ".join(rule["when"].split())), *(f"{rule[key]:,}" for key in counts)] for rule in record["rules"]]
    return _html.table(heads, rows, [2, 3, 4])
