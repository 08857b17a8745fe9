"""Coming from Splink: its settings as rules and a model."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _html, _sameas
from ._errors import UsageError
from ._reports import Model
from ._rules import Rules


@dataclass(frozen=True)
class SplinkNote:
    """Something in Splink's settings that the rules do not have, or have in another way."""

    #: ``"not_taken"`` where the rules do not have it, ``"differs"`` where it may be another for some records.
    kind: str
    #: Where it stands in the settings.
    place: str
    #: What is so.
    what: str
    #: What to do next.
    next: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}; {self.next}"


@dataclass(frozen=True, repr=False)
class SplinkJob:
    """Rules and a model that were settings of Splink."""

    #: Blocking rules and comparisons.
    rules: Rules
    #: m, u and the prior, where the settings have them.
    model: Model | None
    #: What is not in the rules, or may be another for some records.
    notes: list[SplinkNote]
    #: ``"dedupe_only"``, ``"link_only"`` or ``"link_and_dedupe"``.
    link_type: str

    def __str__(self) -> str:
        notes = "".join(f"# Note: {line}\n" for note in self.notes for line in str(note).splitlines())
        return notes + self.rules.text

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return _html.page(_html.text(str(self)))


def from_splink(
    settings: Mapping[str, Any] | str | os.PathLike[str],
    *,
    skip: bool = False,
) -> SplinkJob:
    """Turns settings of Splink 4 or 5 into rules and a model that give the same ``match_probability`` for the same levels.

    >>> job = sameas.from_splink("model.json")  # doctest: +SKIP
    >>> run = sameas.dedupe(people, job.rules, model=job.model)  # doctest: +SKIP

    :param settings: the dictionary of settings, its JSON as a text, or the path of a file that Splink has saved.
    :param skip: leaves out what cannot be taken over, with a note for each, instead of raising a `RulesError` that lists it.
    """
    text, link_type, model, notes = _sameas.from_splink(_json(settings), skip)
    made = [SplinkNote(**note) for note in json.loads(notes)]
    return SplinkJob(Rules.parse(text, "rules"), Model(model) if model is not None else None, made, link_type)


#: Characters of settings that are read: more than the module takes. A device or a pipe may never end.
_MOST = (16 << 20) + 1


def _json(settings: Mapping[str, Any] | str | os.PathLike[str]) -> str:
    if isinstance(settings, Mapping):
        try:
            return json.dumps(settings)
        except (TypeError, ValueError, RecursionError) as error:
            # A value of another type, one that contains itself, and one that is too deep.
            raise UsageError(f"the settings are not plain values: {error}", "give what `save_model_to_json` returns") from error
    if isinstance(settings, str) and settings.lstrip().startswith("{"):
        return settings
    path = os.fspath(settings)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(_MOST)
    except OSError as error:
        raise UsageError(f"the settings `{path}` cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"the settings `{path}` cannot be read: {error}", "give the JSON as UTF-8") from error
