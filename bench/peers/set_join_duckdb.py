"""Jaccard self-join in DuckDB: common tokens counted by a join on the token, between sets whose sizes allow a match.

    set_join_duckdb.py INPUT TOKENS THRESHOLD THREADS

The prefix filter in SQL, with `list_intersect` to verify, was tried and is slower than this on titles.
"""

import sys

import duckdb
from common import Clock, digest, read_lines, report

WORDS = "list_distinct(list_filter(regexp_split_to_array(text, '[^\\pL\\pN]+'), lambda x: x <> ''))"
QGRAMS = "list_distinct([substr(text, i, {q}) for i in range(1, length(text) - {q} + 2)])"

TOKENS = """
create table token as select row, unnest({tokens}) as token from texts;
create table rank as select token, (row_number() over (order by count(*), token))::int as rank from token group by token;
create table sets as select row, rank, (count(*) over (partition by row))::int as size from token join rank using (token);
"""

JOIN = """
create table pairs as
select l.row as a, r.row as b, count(*) as common, any_value(l.size) as x, any_value(r.size) as y
from sets l join sets r on l.rank = r.rank and l.row < r.row
  and l.size >= {t} * r.size - 1e-6 and r.size >= {t} * l.size - 1e-6
group by l.row, r.row
having common / (x + y - common)::double >= {t}
"""


def main(source, tokens, threshold, threads):
    base = duckdb.connect(config={"threads": int(threads), "preserve_insertion_order": False})
    base.execute("create table texts (row int, text varchar)")
    base.execute("insert into texts select unnest(range(len($1))), unnest($1)", [read_lines(source)])
    clock = Clock()
    expression = WORDS if tokens == "words" else QGRAMS.format(q=int(tokens.removesuffix("grams")))
    base.execute(TOKENS.format(tokens=expression))
    tokenising = clock.lap()
    base.execute(JOIN.format(t=float(threshold)))
    joined = clock.lap()
    found = base.execute("select a, b from pairs").fetchnumpy()
    report(
        seconds=tokenising + joined,
        join_seconds=joined,
        pairs=len(found["a"]),
        digest=digest(found["a"], found["b"]),
        version=duckdb.__version__,
    )


main(*sys.argv[1:])
