"""The rules of `rules/people_*.toml` as SQL for DuckDB, for the hand-written queries and for Splink.

A rule is its equalities and its further conditions. Measures get their cutoff where DuckDB has one, and are in the
order that is cheap first: its fastest form. The harness checks that the pairs are the same as ours.
"""

DERIVED = """
  select id, given, family, given || ' ' || family as name, lower(email) as mail, numbers,
         nullif(right(numbers, 4), '') as last_four, lower(street) as road, city, state, postcode,
         left(postcode, 4) as area, left(postcode, 3) as district,
         birth_date, left(birth_date, 7) as birth_month,
         left(given, 1) as given_initial
  from (
    select *, replace(lower(strip_accents(given_name)), 'ø', 'o') as given,
              replace(lower(strip_accents(surname)), 'ø', 'o') as family,
              nullif(regexp_replace(phone, '[^0-9]', '', 'g'), '') as numbers
    from read_parquet('{input}')
  )
"""

DERIVED_SIMILAR = """
  select id, replace(lower(strip_accents(given_name || ' ' || surname)), 'ø', 'o') as name,
         lower(street || ', ' || city || ', ' || state || ' ' || postcode) as address
  from read_parquet('{input}')
"""


def similar(column, threshold):
    """Jaro-Winkler at least `threshold`."""
    return f"jaro_winkler_similarity(l.{column}, r.{column}, {threshold}) >= {threshold}"


def edits(column, most):
    """Levenshtein at most `most`; lengths are compared first, because DuckDB's measure has no cutoff."""
    return (
        f"abs(length(l.{column}) - length(r.{column})) <= {most}"
        f" and levenshtein(l.{column}, r.{column}) <= {most}"
    )


ROAD = "1 - levenshtein(l.road, r.road) / greatest(length(l.road), length(r.road))::double >= 0.7001"

TEN = [
    (["numbers"], [similar("name", 0.8001)]),
    (["mail"], [similar("family", 0.8501)]),
    (["birth_date"], [similar("name", 0.9201)]),
    (["postcode"], [similar("name", 0.8801), ROAD]),
    (["name"], [edits("birth_date", 1)]),
    (["given", "city", "state"], [similar("family", 0.9001), edits("birth_date", 2)]),
    (["given", "district"], [edits("family", 2), edits("numbers", 2)]),
    (["area", "given_initial"], [similar("name", 0.9001), edits("road", 3)]),
    (["last_four"], [similar("name", 0.9501), edits("birth_date", 3)]),
    (["birth_month", "given_initial"], [similar("name", 0.9301), edits("birth_date", 1)]),
]

def condition(rule):
    """A rule as one SQL condition over `l` and `r`."""
    keys, tests = rule
    return " and ".join([f"l.{key} = r.{key}" for key in keys] + tests)


def nominal_candidates(rules, table):
    """SQL for the number of pairs that share the key of each rule, one row per rule."""
    counts = []
    for number, (keys, _) in enumerate(rules):
        known = " and ".join(f"{key} is not null" for key in keys)
        groups = f"select count(*) as n from {table} where {known} group by {', '.join(keys)}"
        counts.append(f"select {number} as rule, coalesce(sum(n * (n - 1) // 2), 0)::bigint as pairs from ({groups})")
    return " union all ".join(counts) + " order by rule"


def pairs_digest(pairs):
    """SQL for the number of pairs and a hash of their set; `pairs` has columns `a` and `b`, ids in any order."""
    mixed = "md5_number_lower(least(a, b) || '|' || greatest(a, b))"
    return f"select count(*), lower(hex((sum({mixed}::hugeint) % 18446744073709551616)::ubigint)) from {pairs}"
