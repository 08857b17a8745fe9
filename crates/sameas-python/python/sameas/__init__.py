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
from . import _measures
from ._again import report, run
from ._datasets import Dataset
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
    candidates,
    check,
    compare_clusters,
    dedupe,
    devices,
    estimate,
    evaluate,
    explain,
    link,
    profile,
    term_frequencies,
    train,
)
from ._measures import *  # noqa: F403
from ._pair_clusters import PairClusters, cluster_pairs
from ._relations import Closure, Related, closure, explain_relate, relate
from ._reports import (
    ClosurePlan,
    Cluster,
    ClusterComparison,
    Devices,
    Estimates,
    Evaluation,
    Explanation,
    Model,
    Profile,
    RelateExplanation,
    Sweep,
    Why,
)
from ._rules import Rules, RulesLike
from ._run import Run
from ._sameas import __version__
from ._splink import SplinkJob, SplinkNote, from_splink
from ._sweep import sweep
from ._tables import Batch, Clusters, Table

__all__ = [
    "Batch",
    "CancelledError",
    "Closure",
    "ClosurePlan",
    "Cluster",
    "ClusterComparison",
    "Clusters",
    "DataError",
    "Dataset",
    "Devices",
    "Error",
    "Estimates",
    "Evaluation",
    "Explanation",
    "FunctionInfo",
    "InternalError",
    "Model",
    "PairClusters",
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
    "Sweep",
    "Table",
    "TableLike",
    "UsageError",
    "Why",
    "__version__",
    "candidates",
    "check",
    "closure",
    "cluster_pairs",
    "compare_clusters",
    "dedupe",
    "devices",
    "estimate",
    "evaluate",
    "explain",
    "explain_relate",
    "from_splink",
    "functions",
    "link",
    "profile",
    "relate",
    "report",
    "run",
    "sweep",
    "term_frequencies",
    "train",
]
__all__ += _measures.__all__
