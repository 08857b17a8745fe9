"""The exceptions of the package, by who can do something about them."""

from __future__ import annotations


class Error(Exception):
    """What went wrong, where, and what to do next.

    The text shows the place in a rule where a mistake is one of a rule.
    """

    def __init__(self, message: str, help: str | None = None, code: str = "other") -> None:
        super().__init__(message, help, code)
        #: What went wrong.
        self.message = message
        #: What to do next.
        self.help = help
        #: What exactly went wrong, for programs: ``memory_limit``, ``no_id_column``, ``bad_id``, ...
        self.code = code

    def __str__(self) -> str:
        return self.message if self.help is None else f"{self.message}\n  help: {self.help}"


class UsageError(Error, ValueError):
    """Arguments that make no sense, alone or together."""


class RulesError(Error, ValueError):
    """Mistakes in rules, each with its place underlined."""


class DataError(Error, ValueError):
    """A table that cannot be read as what it claims to be."""


class ResourceError(Error, RuntimeError):
    """Memory, disk, device or operating system said no."""


class CancelledError(Error):
    """The job was cancelled."""


class InternalError(Error, RuntimeError):
    """A defect of sameas itself."""


class RulesWarning(UserWarning):
    """A condition that is most likely a mistake, or a rule that is expensive to run."""


_CLASSES: dict[str, type[Error]] = {
    "usage": UsageError,
    "rules": RulesError,
    "data": DataError,
    "resource": ResourceError,
    "cancelled": CancelledError,
    "internal": InternalError,
}

#: Which arguments help against an error: the library knows none of them.
_ARGUMENTS = {
    "memory_limit": "memory= sets the limit",
    "candidate_limit": "max_pairs= sets the limit",
    "no_id_column": 'id= names the column, or the columns of a link: id={"left": ..., "right": ...}; id="row" takes row numbers',
    "bad_id": 'id="row" takes row numbers',
    "missing_id": 'id="row" takes row numbers, skip_null_ids=True leaves such records out',
    "wrong_encoding": 'for example encoding="windows-1252"',
    "no_such_id": "id= names the column",
    "link_type_mismatch": "use the function that fits: dedupe(...), link(...) or link(..., dedupe=True)",
    "no_model": "sameas.train(...) learns one, model= takes it",
    "threshold_too_low": "all_pairs=True looks at all pairs",
    "no_rules": 'write one, as in sameas.Rules("l.email = r.email")',
    "records_not_given": "give the tables after the description: sameas.run(spec, table)",
    "output_not_empty": "overwrite=True replaces it",
    "holds_clusters": 'say kind="clusters"',
    "holds_pairs": 'say kind="pairs"',
    "sources_differ": "use across=True for that",
    "device_unavailable": 'use device="cpu" or device="auto"',
    "does_not_fit_device": 'device_memory= sets the limit; device="cpu" uses no GPU',
    "device_failed": 'device="cpu" uses no GPU',
}


def error(kind: str, code: str, message: str, help: str | None) -> Error:
    """The exception of an error of the library."""
    arguments = _ARGUMENTS.get(code)
    if arguments is not None:
        help = arguments if help is None else f"{help}; {arguments}"
    return _CLASSES.get(kind, Error)(message, help, code)
