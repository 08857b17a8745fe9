"""What the drawn rule files are drawn from: computed columns, equalities with the share of pairs they keep, and measures.

A share is that of all pairs of a million generated people, or of DBLP against Google Scholar, that agree in the column. It
only keeps a drawn rule's equalities within bounds, so two digits are enough. Columns of one group say nearly the same: a
rule takes one of them at most. A measure's thresholds go from loose to tight; every one of them holds for most true pairs.
Measures that decide are tight enough for a rule of few predicates not to pair all records with each other.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pool:
    """The columns and predicates of one data set. `bands` bound the pairs that a rule's equalities leave, in turn."""

    derive: dict
    nominal: float
    bands: tuple
    equal: tuple
    similar: tuple
    deciding: tuple
    one_sided: tuple
    slow: tuple
    coarse: tuple
    sharp: tuple


def _grams(measure, column, size, *thresholds):
    return (column, f"{measure}(qgrams(l.{column}, {size}), qgrams(r.{column}, {size})) >= {{}}", thresholds)


def _words(measure, column, *thresholds):
    return (column, f"{measure}(words(l.{column}), words(r.{column})) >= {{}}", thresholds)


def _similar(measure, column, *thresholds):
    return (column, f"{measure}(l.{column}, r.{column}) >= {{}}", thresholds)


def _edits(measure, column, *thresholds):
    return (column, f"{measure}(l.{column}, r.{column}) <= {{}}", thresholds)


def _near(column, *thresholds):
    return (column, f"abs(l.{column} - r.{column}) <= {{}}", thresholds)


def _lengths(column, *thresholds):
    return (column, f"abs(length(l.{column}) - length(r.{column})) <= {{}}", thresholds)


PEOPLE = Pool(
    derive={
        "given": "replace(lower(strip_accents(given_name)), 'ø', 'o')",
        "family": "replace(lower(strip_accents(surname)), 'ø', 'o')",
        "name": "given || ' ' || family",
        "given_initial": "left(given, 1)",
        "family_initial": "left(family, 1)",
        "sound": "soundex(family)",
        "mail": "lower(email)",
        "host": "split_part(mail, '@', 2)",
        "numbers": "digits(phone)",
        "area_code": "left(numbers, 3)",
        "last_four": "right(numbers, 4)",
        "road": "lower(street)",
        "house": "split_part(street, ' ', 1)",
        "town": "lower(city)",
        "address": "road || ', ' || town || ', ' || state || ' ' || postcode",
        "card": "name || ', ' || address || ', ' || coalesce(mail, '')",
        "area": "left(postcode, 4)",
        "district": "left(postcode, 3)",
        "birth_year": "left(birth_date, 4)",
        "birth_month": "left(birth_date, 7)",
        "birthday": "right(birth_date, 5)",
        "feast": "birthday || family_initial",
        "corner": "district || given_initial",
    },
    nominal=5e11,
    bands=((1e4, 1e6), (1e6, 1e7), (1e6, 1e7), (1e7, 6e7), (6e7, 3e8)),
    equal=(
        ("name", 1.9e-5, "name"), ("given", 7.5e-3, "name"), ("given_initial", 7.4e-2, "name"),
        ("family", 2.4e-3, "family"), ("family_initial", 5.9e-2, "family"), ("sound", 5e-3, "family"),
        ("mail", 6.8e-7, "mail"), ("host", 5.6e-2, "mail"),
        ("numbers", 3.7e-7, "phone"), ("area_code", 1e-3, "phone"), ("last_four", 8e-5, "phone"),
        ("road", 7.9e-7, "road"), ("house", 2.3e-4, "road"),
        ("postcode", 6.6e-5, "place"), ("area", 6.6e-4, "place"), ("district", 6.4e-3, "place"),
        ("town", 5.4e-3, "place"), ("state", 3.6e-2, "place"),
        ("birth_date", 3.5e-5, "birth"), ("birth_month", 9.7e-4, "birth"), ("birth_year", 1.2e-2, "birth"),
        ("birthday", 2.8e-3, "birth"),
    ),
    similar=(
        _similar("jaro_winkler", "name", 0.7, 0.8, 0.85, 0.9), _similar("jaro", "name", 0.5, 0.7, 0.8),
        _similar("jaro_winkler", "family", 0.6, 0.8, 0.9), _similar("jaro", "given", 0.5, 0.7, 0.8),
        _edits("levenshtein", "name", 3, 5, 8), _edits("osa", "family", 1, 2, 4),
        _edits("damerau_levenshtein", "given", 2, 4), _similar("levenshtein_similarity", "name", 0.4, 0.6, 0.8),
        _grams("dice", "name", 2, 0.3, 0.5, 0.7), _words("overlap_coefficient", "name", 0.5),
        _edits("levenshtein", "birth_date", 1, 2, 4), _similar("osa_similarity", "birth_date", 0.5, 0.8),
        _near("birth_year", 1, 5, 20), _edits("hamming", "birth_month", 1, 3),
        ("birth_date", "abs(date_diff_days(l.birth_date, r.birth_date)) <= {}", (31, 400, 4000)),
        _edits("levenshtein", "numbers", 1, 2, 4), _edits("hamming", "numbers", 2, 4),
        _edits("levenshtein", "mail", 2, 5, 10), _similar("jaro_winkler", "mail", 0.6, 0.8),
        _grams("jaccard", "mail", 3, 0.2, 0.5),
        _edits("osa", "road", 4, 8, 14), _similar("levenshtein_similarity", "road", 0.4, 0.6, 0.8),
        _grams("overlap_coefficient", "road", 2, 0.3, 0.6), _lengths("road", 8, 12),
        _grams("jaccard", "address", 3, 0.2, 0.4, 0.6), _words("dice", "address", 0.3, 0.5, 0.7),
        _edits("damerau_levenshtein", "road", 5, 10), _similar("jaro_winkler", "town", 0.6, 0.8, 0.9),
        _edits("levenshtein", "postcode", 1, 2, 3), _grams("cosine", "card", 3, 0.3, 0.5, 0.6),
    ),
    deciding=(
        _similar("jaro_winkler", "name", 0.95), _similar("levenshtein_similarity", "name", 0.85), _edits("osa", "name", 2),
        _edits("levenshtein", "numbers", 1, 2), _edits("levenshtein", "mail", 1, 2), _edits("osa", "road", 2, 4),
        _grams("jaccard", "address", 3, 0.6, 0.7), _words("dice", "address", 0.8), _grams("cosine", "card", 3, 0.6, 0.7),
        _grams("dice", "mail", 2, 0.8, 0.9), _similar("levenshtein_similarity", "road", 0.85),
    ),
    one_sided=(
        "length(l.family) > 3", "length(r.given) > 2", "length(l.road) >= 12", "r.birth_year >= 1930", "l.birth_year < 2005",
        "l.state <> 'CA'", "r.host <> 'aol.com'", "length(r.name) between 8 and 24",
    ),
    slow=(
        _grams("jaccard", "card", 3, 0.1, 0.2), _edits("damerau_levenshtein", "name", 15, 20),
        _grams("overlap_coefficient", "address", 3, 0.1), _edits("damerau_levenshtein", "road", 20, 25),
        _similar("osa_similarity", "card", 0.2, 0.3), _words("cosine", "card", 0.2),
        _lengths("card", 25, 40), ("mail", "not contains(lower(l.card || r.card), 'example.org')", ("",)),
    ),
    coarse=("area", "house", "feast", "corner", "last_four", "house", "feast", "last_four", "house", "last_four"),
    sharp=(
        _edits("levenshtein", "mail", 1), _edits("levenshtein", "numbers", 1), _grams("jaccard", "address", 3, 0.8),
        _edits("osa", "mail", 1), _edits("levenshtein", "name", 1), _words("jaccard", "address", 0.8),
        _edits("osa", "road", 1), _similar("levenshtein_similarity", "mail", 0.9), _grams("dice", "card", 3, 0.9),
        _near("numbers", 9),
    ),
)

SCHOLAR = Pool(
    derive={
        "plain": "trim(collapse_spaces(regexp_replace(lower(strip_accents(title)), '[^a-z0-9]', ' ', 'g')))",
        "letters": "replace(plain, ' ', '')",
        "head": "left(letters, 12)",
        "start": "left(letters, 4)",
        "initial": "left(letters, 1)",
        "tail": "right(letters, 12)",
        "ending": "right(letters, 3)",
        "last_letter": "right(letters, 1)",
        "first_word": "split_part(plain, ' ', 1)",
        "second_word": "split_part(plain, ' ', 2)",
        "people": "regexp_replace(lower(strip_accents(nullif(authors, 'N/A'))), '[^a-z0-9]', ' ', 'g')",
        "names": "trim(collapse_spaces(regexp_replace(people, '\\\\b[a-z]{1,2}\\\\b', ' ', 'g')))",
        "first_author": "split_part(names, ' ', 1)",
        "author_initial": "left(names, 1)",
        "author_start": "left(names, 3)",
        "place": "trim(collapse_spaces(regexp_replace(lower(strip_accents(venue)), '[^a-z0-9]', ' ', 'g')))",
        "place_initial": "left(place, 1)",
        "decade": "left(year, 3)",
        "entry": "plain || ', ' || coalesce(people, '')",
    },
    nominal=1.68e8,
    bands=((1e3, 3e4), (3e4, 3e5), (3e4, 3e5), (3e5, 3e6), (3e6, 2e7)),
    equal=(
        ("letters", 2.3e-5, "title"), ("head", 9.9e-5, "title"), ("start", 2e-3, "title"), ("initial", 6.8e-2, "title"),
        ("first_word", 9.6e-3, "title"), ("second_word", 7.2e-3, "second"),
        ("tail", 4.4e-4, "end"), ("ending", 1.6e-2, "end"), ("last_letter", 1.8e-1, "end"),
        ("names", 4.9e-5, "author"), ("first_author", 3.9e-4, "author"), ("author_initial", 5.3e-2, "author"),
        ("author_start", 1.8e-3, "author"), ("place", 8.3e-3, "place"), ("place_initial", 4.9e-2, "place"),
        ("year", 2.5e-2, "year"), ("decade", 1.8e-1, "year"),
    ),
    similar=(
        _similar("jaro_winkler", "plain", 0.5, 0.7, 0.8), _similar("jaro", "letters", 0.5, 0.7),
        _edits("levenshtein", "letters", 5, 12, 25), _edits("osa", "plain", 6, 15, 30),
        _edits("damerau_levenshtein", "letters", 10, 25), _similar("levenshtein_similarity", "plain", 0.3, 0.5, 0.7),
        _grams("jaccard", "plain", 3, 0.1, 0.3, 0.6), _grams("dice", "letters", 2, 0.3, 0.5, 0.7),
        _grams("overlap_coefficient", "plain", 3, 0.3, 0.6), _words("jaccard", "plain", 0.2, 0.4, 0.6),
        _words("overlap_coefficient", "plain", 0.3, 0.6, 0.8), _words("cosine", "plain", 0.3, 0.5),
        _words("overlap", "plain", 1, 2, 3), _lengths("plain", 10, 30), _lengths("letters", 20),
        _similar("jaro_winkler", "names", 0.5, 0.7), _grams("dice", "names", 3, 0.2, 0.4),
        _words("overlap", "names", 1), _words("overlap_coefficient", "names", 0.3, 0.5), _lengths("names", 10, 25),
        _edits("levenshtein", "first_author", 1, 2, 4), _similar("jaro", "first_author", 0.5, 0.7),
        _similar("levenshtein_similarity", "names", 0.2, 0.4), _near("year", 1, 3, 8),
        _similar("jaro", "place", 0.3, 0.5), _grams("overlap_coefficient", "place", 2, 0.1, 0.3),
        _grams("cosine", "entry", 3, 0.2, 0.4, 0.6), _edits("damerau_levenshtein", "entry", 30, 50),
        _similar("levenshtein_similarity", "head", 0.3, 0.6), _edits("osa", "tail", 3, 8),
    ),
    deciding=(
        _edits("levenshtein", "letters", 2, 4, 8), _grams("jaccard", "plain", 3, 0.5, 0.6, 0.7),
        _words("jaccard", "plain", 0.5, 0.6, 0.8), _similar("levenshtein_similarity", "letters", 0.7, 0.8),
        _similar("jaro_winkler", "letters", 0.9), _grams("dice", "entry", 3, 0.6, 0.7), _words("cosine", "entry", 0.6, 0.7),
    ),
    one_sided=(
        "length(l.letters) >= 20", "length(r.plain) > 15", "l.year >= 1994", "length(l.names) > 5",
        "r.first_word <> 'editorial'", "l.place <> 'sigmod record'", "length(r.names) between 4 and 60",
        "r.authors is not null",
    ),
    slow=(
        _grams("jaccard", "entry", 3, 0.05, 0.1), _edits("damerau_levenshtein", "names", 20, 30),
        _grams("overlap_coefficient", "plain", 3, 0.1), _edits("damerau_levenshtein", "plain", 40, 60),
        _similar("osa_similarity", "entry", 0.1, 0.2), _words("cosine", "entry", 0.1),
        _lengths("entry", 40, 70), ("year", "not contains(lower(l.entry || r.entry), 'retracted')", ("",)),
    ),
    coarse=(
        "year", "initial", "ending", "author_initial", "place_initial", "year", "first_word", "ending", "place",
        "second_word",
    ),
    sharp=(
        _edits("levenshtein", "letters", 2), _grams("jaccard", "plain", 3, 0.8), _words("jaccard", "plain", 0.8),
        _edits("osa", "plain", 2), _similar("levenshtein_similarity", "letters", 0.9), _grams("dice", "entry", 3, 0.8),
        _words("cosine", "plain", 0.85), _edits("levenshtein", "plain", 3), _grams("cosine", "letters", 3, 0.8),
        _words("dice", "entry", 0.85),
    ),
)
