"""Answers: text as the program has it, facts as dictionaries, and HTML for notebooks."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _arguments, _html, _sameas


class Report:
    """An answer: ``str(answer)`` is its text, ``answer.record`` has its facts."""

    def __init__(self, text: str, facts: str) -> None:
        self._text = text
        self._facts = facts
        self._record: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The answer in words, as the program says it."""
        return self._text

    @property
    def record(self) -> dict[str, Any]:
        """The facts, as the program has them in JSON."""
        if self._record is None:
            self._record = dict(json.loads(self._facts))
        return self._record

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return _html.page(_html.text(self._text))


class Explanation(Report):
    """The plan of a job: what is joined, how many candidates that gives, what is checked in which order, and why."""

    def _repr_html_(self) -> str:
        record = self.record
        parts = [_html.paragraph(self.text.split("\n\n", 1)[0])]
        for number, branch in enumerate(record.get("plan", []), 1):
            parts.append(_branch(number, branch, record["nominal_pairs"]))
        parts += [f"<p>Then no pair for which {_html.code(never).html} holds.</p>" for never in record.get("nevers", [])]
        return _html.page(*parts, _html.folded("The plan as text, with its reasons", self.text))


def _branch(number: int, branch: Mapping[str, Any], all_pairs: int) -> str:
    """One join of a plan, and what is checked of its candidates."""
    how = "Join" if branch["path"] == "equi_join" else str(branch["path"]).replace("_", " ").capitalize()
    on = " and ".join(_html.code(condition).html for condition in branch["on"])
    found = branch.get("candidates")
    expected = branch["estimated_candidates"]
    about = "" if found is not None or branch.get("exact", True) else "about "
    candidates = expected if found is None else found
    said = [
        "rules: " + "; ".join(branch["rules"]),
        f"{about}{_counted(candidates, 'candidate')} ({_share(candidates, all_pairs)} of all pairs)",
        *([_counted(branch["pairs"], "pair")] if branch.get("pairs") is not None else []),
        *(f"only where {_condition(one)}" for one in branch.get("filters", [])),
        *(f"every candidate satisfies {rule}" for rule in branch.get("settled", [])),
    ]
    title = f"<h4>{number}. {_html.shown(how)}{' on ' + on if on else ''}</h4>"
    return title + _html.paragraph("; ".join(said), "soft") + _checks(branch.get("steps", []))


def _checks(steps: Sequence[Mapping[str, Any]]) -> str:
    """What is checked, in order; a check that is indented sees what the one above it has passed."""
    if not steps:
        return ""
    counted = all(step.get("tried") is not None for step in steps)
    heads = ["check", "expected to pass", *(["tried", "passed"] if counted else []), "then holds"]
    rows = []
    for step in steps:
        check = _html.code("    " * step["depth"] + _condition(step["check"]))
        counts = [f"{step['tried']:,}", f"{step['passed']:,}"] if counted else []
        # Where the check before it lets nothing pass in the sample, no share is known.
        expected = "" if step.get("passes") is None else f"{100 * step['passes']:.0f} %"
        rows.append([check, expected, *counts, "; ".join(step["rules"])])
    return _html.table(heads, rows, [1, 2, 3] if counted else [1])


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _share(part: int, whole: int) -> str:
    """A share, with the digits that the program gives it."""
    percent = 100 * part / whole if whole else 0.0
    if 0 < percent < 0.001:
        return "under 0.001 %"
    return "0 %" if percent == 0 else f"{percent:.3f} %" if percent < 1 else f"{percent:.1f} %"


def _condition(condition: str | Mapping[str, Any]) -> str:
    """A condition as it is in rules."""
    if isinstance(condition, str):
        return condition
    return ("" if condition.get("want", True) else "not ") + str(condition["predicate"])


class ShortenedReport(Report):
    """An answer in which long conditions and values are cut."""

    def __init__(self, text: str, full: str, facts: str) -> None:
        super().__init__(text, facts)
        self._full = full

    @property
    def full(self) -> str:
        """The answer with long conditions and values in full."""
        return self._full


class Cluster(ShortenedReport):
    """The records of a cluster, with ``*`` where they differ, and the pairs among them."""

    @property
    def ids(self) -> list[str]:
        """The ids of the records, in the order of the inputs."""
        return [record["id"] for record in self.record["records"]]

    @property
    def entity(self) -> dict[str, str | None]:
        """What the records become together, as texts by column; empty where the rules have no ``[entity]``."""
        return {column["column"]: column["value"] for column in self.record.get("entity", [])}


class Why(ShortenedReport):
    """Why two records are a pair, or why not: every condition with its values and by how much it missed. That of a run says what
    connects two records that are no pair of one cluster (``record["connection"]``)."""

    @property
    def is_pair(self) -> bool:
        """Whether the two records are a pair."""
        return self.record["match_key"] is not None

    @property
    def match_key(self) -> str | None:
        """The rule that owns the pair, if it is one: the first that holds, certain rules before all others."""
        key: str | None = self.record["match_key"]
        return key

    def __bool__(self) -> bool:
        return self.is_pair

    def _repr_html_(self) -> str:
        record = self.record
        verdict = self.text.split("\n\n", 1)[0]
        sign = _html.badge("pair", "good") if self.is_pair else _html.badge("not a pair", "bad")
        parts = [f"<p>{sign.html} {_html.shown(verdict)}</p>"]
        if record.get("connection"):
            parts.append(_html.text(self.text.split("\n\n")[1]))
        parts.append(_records(record))
        parts += [_inspection(rule, "Rule") for rule in record["rules"]]
        parts += [_inspection(never, "Never") for never in record["nevers"]]
        if record.get("score"):
            parts.append(_waterfall(record["score"]))
        elif any(record.get(kind) for kind in ("weighted", "outside")):
            parts.append(_html.heading("Score") + _html.text(self.text.rsplit("\nScore\n", 1)[-1].split("\n\n", 1)[0]))
        return _html.page(*parts)


def _records(record: Mapping[str, Any]) -> str:
    """The two records side by side, with what differs marked."""
    rows: list[list[object]] = []
    for field in record.get("records", []):
        texts = [_text(value) for value in field["values"]]
        if all(text is not None and f":{one}".endswith(f":{text}") for one, text in zip(record["ids"], texts, strict=True)):
            # The ids are above; of several inputs they have a name before them.
            continue
        name = _html.Markup(_html.shown(field["name"]) + (' <span class="soft">derived</span>' if field["is_derived"] else ""))
        rows.append([name, *_sides(*texts)])
    return _html.table(["", record["ids"][0], "", record["ids"][1]], rows) if rows else ""


def _text(value: Mapping[str, Any] | None) -> str | None:
    """A value of a record as text, if there is one."""
    if value is None or value.get("type") == "null":
        return None
    held = value.get("value")
    return ", ".join(map(str, held)) if isinstance(held, list) else str(held)


def _sides(left: str | None, right: str | None) -> tuple[object, object, object]:
    """Two values, with a sign between them that says whether they are equal."""
    null = _html.badge("null", "soft")
    if left is None or right is None:
        return (null if left is None else left), "", (null if right is None else right)
    if left == right:
        return left, "=", right
    marked = _html.differences(left, right)
    return marked[0], "\u2260", marked[1]


def _inspection(rule: Mapping[str, Any], kind: str) -> str:
    """A rule, with the conditions of every way in which it could hold."""
    holds = _html.badge("holds", "good") if rule["holds"] else _html.badge("does not hold", "bad")
    if kind == "Never":
        # What removes pairs is good where it does not hold.
        holds = _html.badge("holds: removed", "bad") if rule["holds"] else _html.badge("does not hold", "soft")
    parts = [f"<h4>{_html.shown(kind)} {_html.shown(rule['name'])} {holds.html}</h4>"]
    heads = ["", "condition", "l", "", "r", "measured"]
    parts += [_html.table(heads, [_finding(one, kind) for one in way], [5]) for way in rule["ways"]]
    return "".join(parts)


def _finding(finding: Mapping[str, Any], kind: str) -> list[object]:
    """A condition: whether it is true, of which values, and by how much not."""
    truth = finding.get("truth")
    word = "null" if truth is None else "true" if finding["holds"] else "false"
    colours = {} if kind == "Never" else {"true": "good", "false": "bad"}
    values = [_text(named["value"]) for named in finding.get("values", [])]
    sides: Sequence[object]
    if len(values) == 2:
        sides = _sides(*values)
    else:
        sides = (", ".join("null" if value is None else value for value in values), "", "")
    measured, missed = finding.get("measured"), finding.get("missed_by")
    said = "" if measured is None else f"{measured:.4g}" + (f", missed by {missed:.4g}" if missed else "")
    return [_html.badge(word, colours.get(word, "soft")), _html.code(_condition(finding["condition"])), *sides, said]


def _by_frequency(comparison: Mapping[str, Any]) -> str:
    """What adjusts a weight: a frequency that was counted, or one of a table, if it has the value."""
    given = comparison.get("frequencies_given")
    if given is None:
        return "by the frequency of the value"
    return f"the value is not in {given}" if comparison.get("frequency") is None else f"by its frequency in {given}"


def _waterfall(score: Mapping[str, Any]) -> str:
    """What each comparison adds to the weight of a pair, in bits."""
    lines: list[tuple[str, object, float]] = [("prior", "", score["prior"])]
    for comparison in score["comparisons"]:
        lines.append((comparison["name"], _html.code(comparison["level"]), comparison["weight"]))
        if comparison["term_frequency"] is not None:
            lines.append(("", _by_frequency(comparison), comparison["term_frequency"]))
    lines.append(("match_weight", "", score["match_weight"]))
    most = max(abs(weight) for _, _, weight in lines)
    rows = [[name, level, f"{weight:+.3f}", _html.bar(weight, most)] for name, level, weight in lines]
    verdict = "reaches" if score["is_reached"] else "is below"
    said = f"match_probability {score['match_probability']:.6f}, which {verdict} the threshold (match weight {score['threshold_weight']:+.3f})"
    return _html.heading("Score") + _html.table(["comparison", "level", "weight", ""], rows, [2]) + _html.paragraph(said)


class Profile(Report):
    """What the columns of tables hold, and which keys would join their records."""

    def __init__(self, text: str, rules: str, facts: str) -> None:
        super().__init__(text, facts)
        #: A first rule file, made of the best keys.
        self.rules_text = rules


class Evaluation(Report):
    """How good a result is: precision, recall and F1, also of each rule."""

    @property
    def precision(self) -> float | None:
        """The share of the pairs found that are true."""
        return self._figure("precision")

    @property
    def recall(self) -> float | None:
        """The share of the true pairs that were found."""
        return self._figure("recall")

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both."""
        return self._figure("f1")

    @property
    def clusters(self) -> dict[str, Any] | None:
        """Measures that count records and clusters, such as ``bcubed_f1``; None where the result is pairs."""
        scores: dict[str, Any] | None = self.record["clusters"]
        return scores

    def _figure(self, name: str) -> float | None:
        value: float | None = self.record[name]
        return value

    def _repr_html_(self) -> str:
        record = self.record
        figures = ["found", "true_pairs", "found_and_true", "precision", "recall", "f1"]
        rows = [[name.replace("_", " "), _figure(record[name])] for name in figures]
        parts = [_html.table(["", ""], rows, [1])]
        if record["rules"]:
            names = ["name", "found", "found_and_true", "precision", "recall"]
            heads = ["rule", "found", "true", "precision", "recall"]
            cells = [[rule["name"], *(_figure(rule[name]) for name in names[1:])] for rule in record["rules"]]
            parts.append(_html.table(heads, cells, range(1, 5)))
        if record["reliability"]:
            names = ["pairs", "expected_share", "true_share"]
            cells = [
                [f"{part['from']} to {part['to']}", *(_figure(part[name]) for name in names)] for part in record["reliability"]
            ]
            parts.append(_html.table(["match probability", "pairs", "expected", "true"], cells, range(1, 4)))
        if self.clusters is not None:
            names = ["bcubed_precision", "bcubed_recall", "bcubed_f1", "adjusted_rand_index", "variation_of_information"]
            rows = [[name.replace("_", " "), _figure(self.clusters[name])] for name in names]
            parts.append(_html.table(["", ""], rows, [1]))
        parts.append(_html.folded("As text, with more figures", self.text))
        return _html.page(*parts)


def _figure(value: int | float | None) -> str:
    return "unknown" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


class Estimates(Report):
    """How good a result is by a sample of labelled pairs: precision, recall and F1, each with an interval of 95 %. They hold for
    the pairs that the sample was drawn from."""

    @property
    def precision(self) -> tuple[float, float, float] | None:
        """The share of the pairs found that are the same: estimated, and from where to where it lies."""
        return self._share("precision")

    @property
    def recall(self) -> tuple[float, float, float] | None:
        """The share of the pairs that are the same that were found."""
        return self._share("recall")

    @property
    def f1(self) -> tuple[float, float, float] | None:
        """The harmonic mean of both."""
        return self._share("f1")

    def _share(self, name: str) -> tuple[float, float, float] | None:
        share: dict[str, float] | None = self.record[name]
        return None if share is None else (share["estimate"], share["low"], share["high"])

    def _repr_html_(self) -> str:
        shares = [(name, self._share(name)) for name in ("precision", "recall", "f1")]
        cells = [["unknown", "", ""] if share is None else [_figure(part) for part in share] for _, share in shares]
        rows = [[name, *figures] for (name, _), figures in zip(shares, cells, strict=True)]
        parts = [_html.table(["", "estimate", "from", "to (95 %)"], rows, range(1, 4))]
        parts.append(_html.folded("As text, with more figures", self.text))
        return _html.page(*parts)


class ClusterComparison(Report):
    """How the clusters of two results differ: which are the same, split, merged or otherwise changed."""

    def _repr_html_(self) -> str:
        names = ["changes", "clusters_before", "clusters_after", "records"]
        rows = [[change["kind"], *(_figure(change[name]) for name in names)] for change in self.record["changes"]]
        heads = ["", "changes", "clusters before", "after", "records"]
        parts = [_html.table(heads, rows, range(1, 5)), _html.folded("As text, with examples", self.text)]
        return _html.page(*parts)


class Sweep(Report):
    """Thresholds and ways to make clusters, compared on the same pairs."""

    def __init__(self, text: str, facts: str, table: _sameas.SweepTable) -> None:
        super().__init__(text, facts)
        self._table = table

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each threshold and method; what is not known is None. `spec` says how the clusters were made."""
        rows: list[dict[str, Any]] = self.record["rows"]
        return rows

    @property
    def best(self) -> dict[str, Any] | None:
        """The row whose clusters have the highest F1 of pairs; None where the truth is not known."""
        best: int | None = self.record["best"]
        return None if best is None else self.rows[best]

    def _repr_html_(self) -> str:
        first = ["method", "threshold"]
        known = [name for name in self.rows[0] if any(row[name] is not None for row in self.rows)]
        others = [name for name in known if name not in (*first, "spec")]
        cells = [
            [str(row[name]) for name in first] + ["" if row[name] is None else _figure(row[name]) for name in others]
            for row in self.rows
        ]
        heads = [name.replace("_", " ") for name in first + others]
        return _html.page(_html.table(heads, cells, range(1, len(heads))), _html.folded("As text", self.text))


def sweep_table(name: str, value: object) -> _sameas.SweepTable:
    """What a report takes of a sweep."""
    if not isinstance(value, Sweep):
        raise _arguments.wrong(name, value, "a sweep", "give what sameas.sweep returns")
    return value._table


class Devices(Report):
    """The GPUs of this machine, or why there is none."""


class ClosurePlan(Report):
    """How a closure is found, and why."""


class RelateExplanation(Report):
    """Strata, rules and the order of joins of a Datalog program."""


class Model:
    """What was learned of records that match and of records that do not."""

    def __init__(self, toml: str) -> None:
        """A model by the text of its file (TOML)."""
        self._toml = toml
        self._table, self._facts, self._warnings = _sameas.model(toml)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Model:
        """Reads the file of a model."""
        return cls(_sameas.read_model(os.fspath(path)))

    @property
    def toml(self) -> str:
        """The text of its file, which can be read and changed."""
        return self._toml

    @property
    def record(self) -> dict[str, Any]:
        """What it holds."""
        return dict(json.loads(self._facts))

    @property
    def warnings(self) -> list[str]:
        """What should be known about how it was learned, a sentence each; `record` has the facts."""
        return list(self._warnings)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes it into a file, which the command ``sameas`` takes, too."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self._toml)

    def __str__(self) -> str:
        return self._table

    def __repr__(self) -> str:
        return self._table.rstrip("\n")

    def _repr_html_(self) -> str:
        record = self.record
        levels = [
            (comparison["name"] if at == 0 else "", level)
            for comparison in record["comparison"]
            for at, level in enumerate([*comparison["level"], comparison["else"]])
        ]
        weights = [_weight(level) for _, level in levels]
        most = max((abs(weight) for weight in weights if weight is not None), default=0.0)
        rows = [
            [name, _html.code(level["when"]) if level.get("when") else "else", f"{level['m']:.3g}", f"{level['u']:.3g}",
             *(["", "", ""] if weight is None else [f"{weight:+.2f}", _error(level), _html.bar(weight, most)])]
            for (name, level), weight in zip(levels, weights, strict=True)
        ]  # fmt: skip
        return _html.page(
            _html.paragraph(self._table.split("\n", 1)[0]),
            _html.table(["comparison", "level", "m", "u", "weight", "error", ""], rows, [2, 3, 4, 5]),
            *(_html.paragraph(f"Warning: {warning}") for warning in self.warnings),
        )


def _error(level: Mapping[str, Any]) -> str:
    """How far the weight of a level may be off: its standard error, where it was learned."""
    if "weight_error" in level:
        return f"{level['weight_error']:.2f}"
    return "not seen" if level.get("m_from") == "unseen" else ""


def _weight(level: Mapping[str, Any]) -> float | None:
    """What a level says for a match, in bits."""
    m, u = level["m"], level["u"]
    return math.log2(m / u) if m > 0 and u > 0 else None
