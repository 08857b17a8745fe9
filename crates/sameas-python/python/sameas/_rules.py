"""Rules: what makes a pair of two records."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from . import _html, _sameas, _toml
from ._arguments import mapping, wrong
from ._errors import RulesError, UsageError

#: Rules: a condition, several, conditions by their names, or tables with ``when``, ``name`` and ``certain``.
Conditions: TypeAlias = "str | Sequence[str | Mapping[str, Any]] | Mapping[str, str | Mapping[str, Any]]"

#: Comparisons: levels by the name of the comparison, or tables as rule files have them.
Comparisons: TypeAlias = "Mapping[str, Sequence[str] | Mapping[str, Any]] | Sequence[Mapping[str, Any]]"


#: Columns of entities: what each takes, or tables with ``take`` and what belongs to it.
Entity: TypeAlias = "Mapping[str, str | Mapping[str, Any]]"


class Rules:
    """What makes a pair of two records, in the language of rule files.

    >>> rules = Rules({"same phone": "l.phone = r.phone"}, derive={"phone": "right(digits(telephone), 9)"})

    Everything that a rule file can say can be said here; ``str(rules)`` is the file. A mistake is a `RulesError`, whose
    text underlines the place.
    """

    def __init__(
        self,
        rules: Conditions | None = None,
        *,
        derive: Mapping[str, str | Mapping[str, str]] | None = None,
        never: Conditions | None = None,
        compare: Comparisons | None = None,
        score: Mapping[str, Any] | None = None,
        train: Mapping[str, Any] | None = None,
        columns: Mapping[str, str] | None = None,
        entity: Entity | None = None,
        link_type: str | None = None,
        unique_id: str | Mapping[str, str] | None = None,
        encoding: str | None = None,
        null: Sequence[str] | None = None,
        blank_is_null: bool | None = None,
        skip_null_ids: bool | None = None,
    ) -> None:
        """Rules of Python values.

        :param rules: conditions such as ``"l.email = r.email"``, alone, in a list, or by name.
        :param derive: columns that are computed once per record: expressions by name; by input where only one has it.
        :param never: conditions of pairs that are never results.
        :param compare: comparisons for scores: lists of levels by name, or tables with ``levels`` or ``similarity``.
        :param score: ``threshold`` or ``threshold_weight``, ``prior``, ``levels``, ``pairs``, ``column``.
        :param train: ``rules``, ``deterministic``, ``recall``: what a model is learned from.
        :param columns: expressions of two records that pairs are written with, by name.
        :param entity: how the records of a cluster become one: for each column ``"most_frequent"``, ``"longest"`` or the like, or a
            table with ``take``, ``by``, ``sources``, ``where``, ``value`` or ``columns``; ``"*"`` is for all other columns.
        :param link_type: ``"dedupe_only"``, ``"link_only"`` or ``"link_and_dedupe"``.
        :param unique_id: the column with the ids, or columns by input.
        :param encoding: the encoding of text files.
        :param null: texts that stand for a missing value.
        :param blank_is_null: whether a text of white space alone does.
        :param skip_null_ids: whether records without an id are left out.
        """
        top = {
            "link_type": link_type,
            "unique_id": unique_id,
            "encoding": encoding,
            "null": null,
            "blank_is_null": blank_is_null,
            "skip_null_ids": skip_null_ids,
        }
        try:
            parts = ["".join(f"{key} = {_toml.text(value)}\n" for key, value in top.items() if value is not None)]
            parts += _by_column("derive", derive)
            parts += [_toml.table("rule", entry, "[[]]") for entry in _entries("rules", rules)]
            parts += [_toml.table("never", entry, "[[]]") for entry in _entries("never", never)]
            parts += [_toml.table("compare", entry, "[[]]") for entry in _comparisons(compare)]
            parts += [*_table("train", train), *_table("score", score), *_by_column("columns", columns)]
            parts += _by_column("entity", entity, "rule")
        except TypeError as error:
            raise UsageError(str(error)) from error
        self._file = _parsed("\n".join(part for part in parts if part))

    @classmethod
    def _of(cls, file: _sameas.RuleFile) -> Rules:
        rules = cls.__new__(cls)
        rules._file = file
        return rules

    @classmethod
    def read(cls, *paths: str | os.PathLike[str]) -> Rules:
        """Reads rule files (TOML), several as if they were one."""
        if not paths:
            raise UsageError("no rule file was given")
        return cls._of(_sameas.RuleFile.read([os.fspath(path) for path in paths]))

    @classmethod
    def parse(cls, text: str, name: str = "rules") -> Rules:
        """Parses the text of a rule file; `name` is what messages call it."""
        return cls._of(_sameas.RuleFile.parse(text, name))

    @property
    def names(self) -> list[str]:
        """The names of the rules, ``rule_1``, ``rule_2``, ... where none was given."""
        return self._file.names()

    @property
    def text(self) -> str:
        """The rules as the text of a rule file."""
        return "\n".join(text for _, text in self._file.files())

    def check(self) -> list[str]:
        """Checks the language of the rules without a table, and says which conditions are most likely mistakes.

        `sameas.check` checks them against the columns of tables, too.
        """
        return warnings_or_mistakes(self._file.check_syntax())

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the rules into a file, which the command ``sameas`` takes, too."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return _html.page(_html.text(self.text))


#: Rules, or what makes them: a condition, conditions, or the path of a rule file (``.toml``).
RulesLike: TypeAlias = "Rules | Conditions | os.PathLike[str]"


def rule_file(rules: RulesLike | None) -> _sameas.RuleFile:
    """The rules that were given."""
    if isinstance(rules, Rules):
        return rules._file
    if isinstance(rules, os.PathLike) or isinstance(rules, str) and rules.endswith(".toml"):
        return Rules.read(rules)._file
    return Rules(rules)._file


def warnings_or_mistakes(doubts: Sequence[tuple[bool, str]]) -> list[str]:
    """Conditions that are most likely mistakes; one that can never hold is an error."""
    mistakes = [text for is_mistake, text in doubts if is_mistake]
    if mistakes:
        raise RulesError("\n\n".join(mistakes))
    return [text for _, text in doubts]


def _parsed(text: str) -> _sameas.RuleFile:
    return _sameas.RuleFile.parse(text, "rules")


def _table(name: str, entries: object) -> list[str]:
    """A table of a rule file, if something is said in it."""
    given: Mapping[str, Any] = {} if entries is None else mapping(name, entries, "settings by their names")
    return [_toml.table(name, given)] if given else []


def _by_column(name: str, entries: object, what: str = "expression") -> list[str]:
    """A table of columns. One that is None would be left out, as a setting is."""
    given: Mapping[str, Any] = {} if entries is None else mapping(name, entries, f"{what}s by their names")
    missing = next((column for column, entry in given.items() if entry is None), None)
    if missing is not None:
        raise UsageError(f"{name}: `{missing}` has no {what}", "give one, or leave the column out")
    return [_toml.table(name, given)] if given else []


def _entries(what: str, rules: object) -> list[Mapping[str, Any]]:
    """Rules as tables of a rule file."""
    if rules is None:
        return []
    if isinstance(rules, str):
        return [{"when": rules}]
    if isinstance(rules, Mapping):
        return [_named(what, name, _entry(what, rule)) for name, rule in rules.items()]
    if not isinstance(rules, Iterable):
        raise wrong(what, rules, "a condition, a list of them, or conditions by name", f'for example {what}="l.email = r.email"')
    return [_entry(what, rule) for rule in rules]


def _named(what: str, name: object, entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """A table with the name that it has outside."""
    if entry.get("name", name) != name:
        raise UsageError(f"{what}: `{name}` is called `{entry['name']}` inside", "leave out one of the two names")
    return {"name": name, **entry}


def _entry(what: str, rule: object) -> Mapping[str, Any]:
    if isinstance(rule, str):
        return {"when": rule}
    if isinstance(rule, Mapping):
        return rule
    raise UsageError(f"{what}: a condition is a text, and a value of type {type(rule).__name__} was given")


def _comparisons(compare: object) -> list[Mapping[str, Any]]:
    if compare is None:
        return []
    if isinstance(compare, Mapping):
        return [_named("compare", name, _comparison(levels)) for name, levels in compare.items()]
    wanted = "levels by the names of comparisons, or a list of tables"
    if isinstance(compare, str) or not isinstance(compare, Iterable):
        raise wrong("compare", compare, wanted)
    return [mapping("compare", entry, wanted) for entry in compare]


def _comparison(levels: object) -> Mapping[str, Any]:
    return levels if isinstance(levels, Mapping) else {"levels": [levels] if isinstance(levels, str) else levels}
