"""sameas finds the records that mean the same thing: every pair that satisfies a rule, the clusters those pairs form, and
the reason for each.

>>> import sameas
>>> run = sameas.dedupe("people.csv", sameas.Rules({"same phone": "l.phone = r.phone"}))  # doctest: +SKIP
>>> run.pairs.to_polars()  # doctest: +SKIP

Tables are frames of pandas or Polars, tables of PyArrow, relations of DuckDB, dictionaries of columns, or files. Results are
Arrow streams, which all of these take.
"""

from __future__ import annotations

from . import _native  # isort: skip  # noqa: F401  the compiled module is chosen before anything imports it
from ._errors import (
    CancelledError,
    DataError,
    Error,
    InternalError,
    ResourceError,
    RulesError,
    RulesWarning,
    UsageError,
)
from ._functions import FunctionInfo, functions
from ._inputs import TableLike
from ._jobs import (
    Closure,
    Related,
    candidates,
    check,
    closure,
    dedupe,
    devices,
    evaluate,
    explain,
    explain_relate,
    link,
    profile,
    relate,
    train,
)
from ._measures import (
    Values,
    collapse_spaces,
    compute,
    cosine,
    damerau_levenshtein,
    damerau_similarity,
    dice,
    digits,
    hamming,
    haversine_km,
    jaccard,
    jaro,
    jaro_winkler,
    levenshtein,
    levenshtein_similarity,
    metaphone,
    metaphone_alternate,
    osa,
    osa_similarity,
    overlap,
    overlap_coefficient,
    qgrams,
    soundex,
    strip_accents,
    strip_punctuation,
    words,
)
from ._reports import ClosurePlan, Devices, Evaluation, Explanation, Model, Profile, RelateExplanation, Why
from ._rules import Rules, RulesLike
from ._run import Run
from ._sameas import __version__
from ._splink import SplinkJob, SplinkNote, from_splink
from ._tables import Batch, Clusters, Table

__all__ = [
    "Batch",
    "CancelledError",
    "Closure",
    "ClosurePlan",
    "Clusters",
    "DataError",
    "Devices",
    "Error",
    "Evaluation",
    "Explanation",
    "FunctionInfo",
    "InternalError",
    "Model",
    "Profile",
    "RelateExplanation",
    "Related",
    "ResourceError",
    "Rules",
    "RulesError",
    "RulesLike",
    "RulesWarning",
    "Run",
    "SplinkJob",
    "SplinkNote",
    "Table",
    "TableLike",
    "UsageError",
    "Values",
    "Why",
    "__version__",
    "candidates",
    "check",
    "closure",
    "collapse_spaces",
    "compute",
    "cosine",
    "damerau_levenshtein",
    "damerau_similarity",
    "dedupe",
    "devices",
    "dice",
    "digits",
    "evaluate",
    "explain",
    "explain_relate",
    "from_splink",
    "functions",
    "hamming",
    "haversine_km",
    "jaccard",
    "jaro",
    "jaro_winkler",
    "levenshtein",
    "levenshtein_similarity",
    "link",
    "metaphone",
    "metaphone_alternate",
    "osa",
    "osa_similarity",
    "overlap",
    "overlap_coefficient",
    "profile",
    "qgrams",
    "relate",
    "soundex",
    "strip_accents",
    "strip_punctuation",
    "train",
    "words",
]
