"""Records that several jobs are over."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from . import _sameas
from ._inputs import Reading, TableLike
from ._jobs import Device, Id, _frequencies, _job, _model, _options, _session, _tables
from ._progress import Display
from ._records import as_given
from ._reports import Explanation, Model, Profile, Why
from ._rules import Rules, RulesLike, rule_file
from ._run import Run
from ._tables import Table


class Dataset:
    """The records of a table, or of several that are linked: read once, for any number of jobs, also at the same time.

    What one job has derived, encoded or counted of them, others find, so that trying other rules takes little more than
    their joins. Runs keep the records that they are over.

    :param table: a frame or table of any library that speaks Arrow, columns by name, rows, a path, a pattern, or paths.
    :param link: the other table of a link; a tuple for several.
    :param dedupe: of linked tables, finds pairs within each of them, too.

    All other arguments are those of `sameas.dedupe` and `sameas.link`. Rules by which the tables would be read in another way,
    or have other ids, are refused.
    """

    def __init__(
        self,
        table: TableLike,
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
        device: Device = "auto",
        device_memory: int | str | None = None,
        spill_folder: str | os.PathLike[str] | None = None,
        progress: bool = False,
    ) -> None:
        session = _session(threads, memory, device, device_memory, spill_folder)
        reading = Reading(delimiter, encoding, null, blank_is_null)
        with Display(progress) as display:
            tables = _tables(table, link)
            self._as_given = as_given(tables)
            job = _job(
                tables, Rules.parse("")._file, display, reading, dedupe=dedupe, names=names, id=id,
                skip_null_ids=skip_null_ids,
            )  # fmt: skip
            self._records = _sameas.Dataset.open(session, job, display)

    def run(
        self,
        rules: RulesLike | None = None,
        *,
        model: Model | str | os.PathLike[str] | None = None,
        scores: TableLike | None = None,
        decided: TableLike | None = None,
        term_frequencies: Mapping[str, TableLike] | None = None,
        near: float | None = None,
        all_pairs: bool = False,
        max_pairs: int | None = None,
        progress: bool = False,
    ) -> Run:
        """Finds the pairs and their clusters: within the table, or across those that are linked.

        The arguments are those of `sameas.dedupe`.
        """
        file = rule_file(rules)
        with Display(progress) as display:
            options = _options(
                display, model=model, scores=scores, decided=decided, term_frequencies=term_frequencies,
                max_pairs=max_pairs, near=near, all_pairs=all_pairs,
            )  # fmt: skip
            return Run(self._records.run(self._records.job(file, **options), display), Rules._of(file), self._as_given)

    def explain(
        self,
        rules: RulesLike | None = None,
        *,
        analyze: bool = False,
        model: Model | str | os.PathLike[str] | None = None,
        term_frequencies: Mapping[str, TableLike] | None = None,
        near: float | None = None,
        all_pairs: bool = False,
        progress: bool = False,
    ) -> Explanation:
        """The plan of a job, as `sameas.explain` gives it."""
        file = rule_file(rules)
        with Display(progress) as display:
            options = _options(display, model=model, term_frequencies=term_frequencies, near=near, all_pairs=all_pairs)
            return Explanation(*self._records.explain(self._records.job(file, **options), analyze, display))

    def why(
        self,
        left: object,
        right: object,
        rules: RulesLike | None = None,
        *,
        model: Model | str | os.PathLike[str] | None = None,
        scores: TableLike | None = None,
        decided: TableLike | None = None,
        term_frequencies: Mapping[str, TableLike] | None = None,
        progress: bool = False,
    ) -> Why:
        """Why the records with these ids are a pair by some rules, or why not. Of several tables an id may have the table's name
        before it, as in ``"people:17"``."""
        file = rule_file(rules)
        with Display(progress) as display:
            options = _options(
                display, model=model, scores=scores, decided=decided, term_frequencies=term_frequencies
            )
            return Why(*self._records.why(self._records.job(file, **options), (str(left), str(right)), display))

    def profile(self, *, progress: bool = False) -> Profile:
        """What the columns hold, and which keys would join the records, as `sameas.profile` says it."""
        with Display(progress) as display:
            return Profile(*self._records.profile(display))

    def train(self, rules: RulesLike, *, combine_dependent: bool = False, progress: bool = False) -> Model:
        """Learns a model for the comparisons of the rules, as `sameas.train` does."""
        file = rule_file(rules)
        with Display(progress) as display:
            return _model(*self._records.train(self._records.job(file), combine_dependent, display), display)

    def term_frequencies(self, rules: RulesLike, *, progress: bool = False) -> dict[str, Table]:
        """How frequent values are, as `sameas.term_frequencies` counts it."""
        file = rule_file(rules)
        with Display(progress) as display:
            return _frequencies(self._records.term_frequencies(self._records.job(file), display))

    @property
    def nbytes(self) -> int:
        """The bytes of memory that it takes, with all that jobs have made of it."""
        return self._records.bytes()

    def __len__(self) -> int:
        return self._records.records()

    def __repr__(self) -> str:
        return f"Dataset of {len(self):,} records"
