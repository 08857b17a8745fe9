"""The measures of the rule language, for two values and for whole columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, overload

from . import _sameas
from ._arguments import mapping, whole
from ._errors import UsageError
from ._inputs import ArrowArray, ArrowStream, column_values
from ._optional import imported

#: What the package takes from here.
__all__ = [
    "Values",
    "collapse_spaces",
    "compute",
    "cosine",
    "damerau_levenshtein",
    "damerau_similarity",
    "dice",
    "digits",
    "hamming",
    "haversine_km",
    "indel_similarity",
    "jaccard",
    "jaro",
    "jaro_winkler",
    "lcs_similarity",
    "levenshtein",
    "levenshtein_similarity",
    "metaphone",
    "metaphone_alternate",
    "monge_elkan",
    "osa",
    "osa_similarity",
    "overlap",
    "overlap_coefficient",
    "qgrams",
    "soundex",
    "strip_accents",
    "strip_punctuation",
    "words",
]

#: A column: a series of pandas or Polars, an array of PyArrow or NumPy, or a list of values.
ColumnLike: TypeAlias = "ArrowStream | ArrowArray | Sequence[Any]"

#: A set: of words, q-grams, ...
SetLike: TypeAlias = "Sequence[str] | set[str] | frozenset[str]"


class Values:
    """A column of values. It has ``__arrow_c_array__``: ``pl.Series(values)``, ``pa.array(values)``."""

    def __init__(self, column: _sameas.Column) -> None:
        self._column = column

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """The values, by Arrow's C data interface."""
        return self._column.array()

    def __len__(self) -> int:
        """The number of values."""
        return len(self._column)

    def __getitem__(self, at: int) -> Any:
        """A value."""
        place = at + len(self) if at < 0 else at
        if not 0 <= place < len(self):
            raise IndexError(at)
        return self._column.values(place, 1)[0]

    def to_list(self) -> list[Any]:
        """All values."""
        return self._column.values(0, len(self))

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self._column.values(0, 10)))
        return f"Values([{shown}{', ...' if len(self) > 10 else ''}])"


def compute(expression: str, columns: Mapping[str, Any]) -> Any:
    """The value of an expression of the rule language for every row of some columns.

    >>> compute("lower(strip_accents(name))", {"name": ["Zoé", "Ann"]})
    ['zoe', 'ann']

    The answer is of the kind of the first column: a series, an array, or a list.
    """
    given = dict(mapping("columns", columns, "columns by their names"))
    if not given:
        raise UsageError("an expression needs columns")
    made = _sameas.Expression(expression, [(name, _column(name, values)) for name, values in given.items()])
    return _like(next(iter(given.values())), Values(made.column()))


def _column(name: str, column: Any) -> Any:
    """A column as the module takes it."""
    if hasattr(column, "__arrow_c_stream__"):
        try:
            return column.__arrow_c_stream__()
        except ImportError:
            # A series of pandas, where there is no PyArrow.
            pass
    if hasattr(column, "__arrow_c_array__"):
        return column.__arrow_c_array__()
    values = column.to_numpy() if hasattr(column, "to_numpy") else column
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise UsageError(f"`{name}` is not a column: a value of type {type(values).__name__} was given")
    return column_values(name, values)


def _like(column: Any, values: Values) -> Any:
    """The values in the kind of a column."""
    library = type(column).__module__.partition(".")[0]
    if library == "polars":
        return imported("polars").Series(values)
    if library == "pandas":
        return imported("pandas").Series(values.to_list(), index=column.index)
    if library == "numpy":
        return imported("numpy").array(values.to_list(), dtype=_dtype(values))
    if library == "pyarrow":
        return imported("pyarrow").array(values)
    return values.to_list() if isinstance(column, (list, tuple)) else values


def _dtype(values: Values) -> Any:
    first = next((value for value in values.to_list() if value is not None), None)
    return float if isinstance(first, float) else object


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))


def _literal(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    # A float of NumPy is one of Python, and shows itself in another way.
    return repr(float(value)) if isinstance(value, float) else repr(value)


def _measure(name: str, values: Sequence[Any], scalar: type | None = None) -> Any:
    """A function of values, of which some may be columns."""
    if all(map(_is_scalar, values)):
        columns = [(f"c{at}", [value]) for at, value in enumerate(values)]
        result = _sameas.Expression(_call(name, [column for column, _ in columns]), columns).value()
        return result if result is None or scalar is None else scalar(result)
    columns = [(f"c{at}", _column(f"argument {at + 1}", value)) for at, value in enumerate(values) if not _is_scalar(value)]
    arguments = [_literal(value) if _is_scalar(value) else f"c{at}" for at, value in enumerate(values)]
    made = _sameas.Expression(_call(name, arguments), columns)
    return _like(next(value for value in values if not _is_scalar(value)), Values(made.column()))


def _call(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({', '.join(arguments)})"


def _sets(name: str, a: object, b: object, scalar: type | None = None) -> Any:
    """A measure of two sets of texts, or of columns of sets."""
    if _is_set(a) and _is_set(b):
        columns = [("a", [_set(a)]), ("b", [_set(b)])]
        result = _sameas.Expression(_call(name, ["a", "b"]), columns).value()
        return result if result is None or scalar is None else scalar(result)
    made = _sameas.Expression(_call(name, ["a", "b"]), [("a", _column("argument 1", a)), ("b", _column("argument 2", b))])
    return _like(a, Values(made.column()))


def _is_set(value: object) -> bool:
    if isinstance(value, (set, frozenset)) or value is None:
        return True
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _set(value: Any) -> list[str] | None:
    return None if value is None else sorted(value)


@overload
def levenshtein(a: str | None, b: str | None) -> int | None: ...
@overload
def levenshtein(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def levenshtein(a: object, b: object) -> Any:
    """The number of characters inserted, deleted or replaced to make one text of the other.

    Null if an argument is null or empty.
    """
    return _measure("levenshtein", (a, b), int)


@overload
def osa(a: str | None, b: str | None) -> int | None: ...
@overload
def osa(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def osa(a: object, b: object) -> Any:
    """As `levenshtein`, and exchanging two neighbours counts once (optimal string alignment).

    Null if an argument is null or empty.
    """
    return _measure("osa", (a, b), int)


@overload
def damerau_levenshtein(a: str | None, b: str | None) -> int | None: ...
@overload
def damerau_levenshtein(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def damerau_levenshtein(a: object, b: object) -> Any:
    """As `osa`, also where more is edited between two exchanged characters.

    Null if an argument is null or empty.
    """
    return _measure("damerau_levenshtein", (a, b), int)


@overload
def hamming(a: str | None, b: str | None) -> int | None: ...
@overload
def hamming(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def hamming(a: object, b: object) -> Any:
    """The number of places in which two texts of the same length differ; null for others.

    Null if an argument is null or empty.
    """
    return _measure("hamming", (a, b), int)


@overload
def levenshtein_similarity(a: str | None, b: str | None) -> float | None: ...
@overload
def levenshtein_similarity(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def levenshtein_similarity(a: object, b: object) -> Any:
    """1 less the edits of `levenshtein` as a share of the longer text, from 0 to 1.

    Null if an argument is null or empty.
    """
    return _measure("levenshtein_similarity", (a, b))


@overload
def osa_similarity(a: str | None, b: str | None) -> float | None: ...
@overload
def osa_similarity(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def osa_similarity(a: object, b: object) -> Any:
    """1 less the edits of `osa` as a share of the longer text, from 0 to 1.

    Null if an argument is null or empty.
    """
    return _measure("osa_similarity", (a, b))


@overload
def damerau_similarity(a: str | None, b: str | None) -> float | None: ...
@overload
def damerau_similarity(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def damerau_similarity(a: object, b: object) -> Any:
    """1 less the edits of `damerau_levenshtein` as a share of the longer text, from 0 to 1.

    Null if an argument is null or empty.
    """
    return _measure("damerau_similarity", (a, b))


@overload
def lcs_similarity(a: str | None, b: str | None) -> float | None: ...
@overload
def lcs_similarity(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def lcs_similarity(a: object, b: object) -> Any:
    """The length of the longest common subsequence as a share of the longer text, from 0 to 1.

    Null if an argument is null or empty.
    """
    return _measure("lcs_similarity", (a, b))


@overload
def indel_similarity(a: str | None, b: str | None) -> float | None: ...
@overload
def indel_similarity(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def indel_similarity(a: object, b: object) -> Any:
    """1 less the characters inserted or deleted as a share of both lengths, from 0 to 1: the `ratio` of RapidFuzz.

    Null if an argument is null or empty.
    """
    return _measure("indel_similarity", (a, b))


@overload
def jaro(a: str | None, b: str | None) -> float | None: ...
@overload
def jaro(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def jaro(a: object, b: object) -> Any:
    """Jaro's similarity of two texts, from 0 to 1.

    Null if an argument is null or empty.
    """
    return _measure("jaro", (a, b))


@overload
def jaro_winkler(a: str | None, b: str | None) -> float | None: ...
@overload
def jaro_winkler(a: str | ColumnLike, b: str | ColumnLike) -> Any: ...
def jaro_winkler(a: object, b: object) -> Any:
    """Jaro's similarity, with more for texts that begin alike, from 0 to 1.

    Null if an argument is null or empty.
    """
    return _measure("jaro_winkler", (a, b))


@overload
def jaccard(a: SetLike | None, b: SetLike | None) -> float | None: ...
@overload
def jaccard(a: ColumnLike, b: ColumnLike) -> Any: ...
def jaccard(a: object, b: object) -> Any:
    """Elements in both sets as a share of those in either, from 0 to 1.

    Sets are lists or sets of texts, such as those of `words` and `qgrams`. Null if one is null or empty.
    """
    return _sets("jaccard", a, b)


@overload
def dice(a: SetLike | None, b: SetLike | None) -> float | None: ...
@overload
def dice(a: ColumnLike, b: ColumnLike) -> Any: ...
def dice(a: object, b: object) -> Any:
    """Twice the elements in both sets as a share of the sum of both sizes, from 0 to 1.

    Sets are lists or sets of texts, such as those of `words` and `qgrams`. Null if one is null or empty.
    """
    return _sets("dice", a, b)


@overload
def cosine(a: SetLike | None, b: SetLike | None) -> float | None: ...
@overload
def cosine(a: ColumnLike, b: ColumnLike) -> Any: ...
def cosine(a: object, b: object) -> Any:
    """Elements in both sets by the square root of the product of both sizes, from 0 to 1.

    Sets are lists or sets of texts, such as those of `words` and `qgrams`. Null if one is null or empty.
    """
    return _sets("cosine", a, b)


@overload
def overlap_coefficient(a: SetLike | None, b: SetLike | None) -> float | None: ...
@overload
def overlap_coefficient(a: ColumnLike, b: ColumnLike) -> Any: ...
def overlap_coefficient(a: object, b: object) -> Any:
    """Elements in both sets as a share of the smaller one, from 0 to 1.

    Sets are lists or sets of texts, such as those of `words` and `qgrams`. Null if one is null or empty.
    """
    return _sets("overlap_coefficient", a, b)


@overload
def overlap(a: SetLike | None, b: SetLike | None) -> int | None: ...
@overload
def overlap(a: ColumnLike, b: ColumnLike) -> Any: ...
def overlap(a: object, b: object) -> Any:
    """The number of elements in both sets.

    Sets are lists or sets of texts, such as those of `words` and `qgrams`. Null if one is null or empty.
    """
    return _sets("overlap", a, b, int)


@overload
def monge_elkan(a: SetLike | None, b: SetLike | None) -> float | None: ...
@overload
def monge_elkan(a: ColumnLike, b: ColumnLike) -> Any: ...
def monge_elkan(a: object, b: object) -> Any:
    """The mean over the elements of the first set of the greatest `jaro_winkler` with an element of the second, from 0 to 1.

    The sets cannot be exchanged. They are lists or sets of texts, such as those of `words` and `qgrams`. Null if one is null or
    empty.
    """
    return _sets("monge_elkan", a, b)


@overload
def soundex(a: str | None) -> str | None: ...
@overload
def soundex(a: ColumnLike) -> Any: ...
def soundex(a: object) -> Any:
    """The Soundex code of a text."""
    return _measure("soundex", (a,))


@overload
def metaphone(a: str | None) -> str | None: ...
@overload
def metaphone(a: ColumnLike) -> Any: ...
def metaphone(a: object) -> Any:
    """The primary code of Double Metaphone: how a text sounds."""
    return _measure("metaphone", (a,))


@overload
def metaphone_alternate(a: str | None) -> str | None: ...
@overload
def metaphone_alternate(a: ColumnLike) -> Any: ...
def metaphone_alternate(a: object) -> Any:
    """The alternate code of Double Metaphone: how else a text may sound."""
    return _measure("metaphone_alternate", (a,))


@overload
def strip_accents(a: str | None) -> str | None: ...
@overload
def strip_accents(a: ColumnLike) -> Any: ...
def strip_accents(a: object) -> Any:
    """A text without accents."""
    return _measure("strip_accents", (a,))


@overload
def strip_punctuation(a: str | None) -> str | None: ...
@overload
def strip_punctuation(a: ColumnLike) -> Any: ...
def strip_punctuation(a: object) -> Any:
    """A text without punctuation."""
    return _measure("strip_punctuation", (a,))


@overload
def digits(a: str | None) -> str | None: ...
@overload
def digits(a: ColumnLike) -> Any: ...
def digits(a: object) -> Any:
    """The digits of a text."""
    return _measure("digits", (a,))


@overload
def collapse_spaces(a: str | None) -> str | None: ...
@overload
def collapse_spaces(a: ColumnLike) -> Any: ...
def collapse_spaces(a: object) -> Any:
    """A text with one blank for each run of white space, and none at its ends."""
    return _measure("collapse_spaces", (a,))


@overload
def words(a: str | None) -> list[str] | None: ...
@overload
def words(a: ColumnLike) -> Any: ...
def words(a: object) -> Any:
    """The set of words of a text: its longest runs of letters and digits."""
    return _measure("words", (a,))


@overload
def qgrams(a: str | None, q: int) -> list[str] | None: ...
@overload
def qgrams(a: ColumnLike, q: int) -> Any: ...
def qgrams(a: object, q: int) -> Any:
    """The set of all substrings of `q` characters."""
    characters = whole("q", q)
    if _is_scalar(a):
        result = _sameas.Expression(f"qgrams(a, {characters})", [("a", [a])]).value()
        return result
    return _measure("qgrams", (a, characters))


@overload
def haversine_km(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float | None: ...
@overload
def haversine_km(latitude: ColumnLike, longitude: ColumnLike, other_latitude: Any, other_longitude: Any) -> Any: ...
def haversine_km(latitude: object, longitude: object, other_latitude: object, other_longitude: object) -> Any:
    """The distance of two places on a sphere, in kilometres; places are in degrees."""
    return _measure("haversine_km", (latitude, longitude, other_latitude, other_longitude))
