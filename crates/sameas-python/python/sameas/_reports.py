"""Answers: text as the program has it, facts as dictionaries, and HTML for notebooks."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _html, _sameas


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
        branches: list[dict[str, Any]] = self.record.get("plan", [])
        rows = [
            [
                at,
                str(branch["path"]).replace("_", " "),
                _conditions(branch["on"]),
                ", ".join(branch["rules"]),
                _number(branch.get("candidates", branch["estimated_candidates"])),
                _number(branch.get("pairs")),
            ]
            for at, branch in enumerate(branches, 1)
        ]
        heads = ["", "join", "on", "rules", "candidates", "pairs"]
        return _html.page(
            _html.table(heads, rows, [0, 4, 5]), f"<details open><summary>plan</summary>{_html.text(self.text)}</details>"
        )


def _conditions(conditions: Sequence[Any]) -> _html.Markup:
    return _html.Markup("<br>".join(f"<code>{_html.shown(condition)}</code>" for condition in conditions))


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else ""


class Why(Report):
    """Why two records are a pair, or why not: every condition with its values and by how much it missed."""

    def __init__(self, text: str, full: str, facts: str) -> None:
        super().__init__(text, facts)
        self._full = full

    @property
    def full(self) -> str:
        """The answer with long conditions and values in full."""
        return self._full

    @property
    def is_pair(self) -> bool:
        """Whether the two records are a pair."""
        return self.record["match_key"] is not None

    @property
    def match_key(self) -> str | None:
        """The rule that owns the pair, if it is one."""
        key: str | None = self.record["match_key"]
        return key

    def __bool__(self) -> bool:
        return self.is_pair

    def _repr_html_(self) -> str:
        record = self.record
        verdict = self.text.split("\n\n", 1)[0]
        parts = [f"<p>{_html.shown(verdict)}</p>", self._records(record)]
        parts += [_inspection(rule, "Rule") for rule in record["rules"]]
        parts += [_inspection(never, "Never") for never in record["nevers"]]
        if any(record.get(kind) for kind in ("score", "weighted", "outside")):
            parts.append(_html.heading("Score") + _html.text(self.text.rsplit("\nScore\n", 1)[-1].split("\n\n", 1)[0]))
        return _html.page(*parts)

    def _records(self, record: Mapping[str, Any]) -> str:
        """The two records, with what differs marked."""
        rows = []
        for field in record.get("records", []):
            left, right = (_value(value) for value in field["values"])
            name = f"{field['name']} (derived)" if field["is_derived"] else field["name"]
            marked = _html.differences(left, right) if left != right else (left, right)
            rows.append([name, *marked])
        return _html.table(["", *record["ids"]], rows) if rows else ""


def _value(value: Mapping[str, Any] | None) -> str:
    """A value of a record, as text."""
    if value is None or value.get("type") == "null":
        return "null"
    held = value.get("value")
    return ", ".join(map(str, held)) if isinstance(held, list) else str(held)


def _inspection(rule: Mapping[str, Any], kind: str) -> str:
    """A rule, with the conditions of every way in which it could hold."""
    holds = _html.badge("holds", "good") if rule["holds"] else _html.badge("does not hold", "bad")
    parts = [f"<h4>{_html.shown(kind)} {_html.shown(rule['name'])} {holds.html}</h4>"]
    parts += [_html.table(["", "condition", "l", "r", "measured"], [_finding(one) for one in way], [4]) for way in rule["ways"]]
    return "".join(parts)


def _finding(finding: Mapping[str, Any]) -> list[object]:
    truth = finding.get("truth")
    word = "null" if truth is None else "true" if finding["holds"] else "false"
    values = [_value(named["value"]) for named in finding.get("values", [])]
    sides: tuple[object, object]
    if len(values) == 2:
        sides = _html.differences(*values) if values[0] != values[1] else (values[0], values[1])
    else:
        sides = (", ".join(values), "")
    measured = finding.get("measured")
    missed = finding.get("missed_by")
    said = "" if measured is None else f"{measured:.4g}" + (f", missed by {missed:.4g}" if missed else "")
    condition = finding["condition"]
    text = condition if isinstance(condition, str) else condition["predicate"]
    negated = not isinstance(condition, str) and not condition.get("want", True)
    code = _html.Markup(f"<code>{'not ' if negated else ''}{_html.shown(text)}</code>")
    return [_html.badge(word, {"true": "good", "false": "bad"}.get(word, "soft")), code, *sides, said]


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
        return _html.page(*parts)


def _figure(value: int | float | None) -> str:
    return "unknown" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


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
        self._table, self._facts = _sameas.model(toml)

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

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes it into a file, which the command ``sameas`` takes, too."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self._toml)

    def __str__(self) -> str:
        return self._table

    def __repr__(self) -> str:
        return self._table.rstrip("\n")

    def _repr_html_(self) -> str:
        rows = [
            [comparison["name"] if at == 0 else "", level.get("when") or "else", f"{level['m']:.3g}", f"{level['u']:.3g}"]
            for comparison in self.record["comparison"]
            for at, level in enumerate([*comparison["level"], comparison["else"]])
        ]
        return _html.page(_html.table(["comparison", "level", "m", "u"], rows, [2, 3]))
