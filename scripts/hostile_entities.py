"""Hostile inputs for entities, records, and columns beside pairs."""

from hostile_commands import small
from hostile_inputs import case, dedupe, packed, path_of, people


def entities(folder, records, entity, rule="l.a = r.a", options=()):
    text = f"[[rule]]\nwhen = '''{rule}'''\n[entity]\n{entity}\n"
    rules = path_of(folder, "entities.toml", text)
    return ["dedupe", records, "--rules", rules, "--what", "entities", "--provenance", *options]


def long_rows(folder, records, size=200):
    """Two records of each name, with a text of some size."""
    filler = ("lorem ipsum " * (size // 12 + 1))[:size]
    rows = "".join(f"{row},name{row // 2},{filler}{row},{row % 7}\n" for row in range(records))
    return path_of(folder, "rows.csv", "id,a,text,b\n" + rows)


@small
def entities_of_more_than_the_memory(folder):
    return entities(folder, long_rows(folder, 300_000), 'text = { take = "newest", by = "b" }\nb = "union"')


@small
def one_entity_of_more_than_the_memory(folder):
    rows = "".join(f"{row},{row // 2},{(row + 1) // 2},{'x' * 1_000}{row}\n" for row in range(100_000))
    records = path_of(folder, "chain.csv", "id,a,b,text\n" + rows)
    return entities(folder, records, 'text = "union"', rule="l.a = r.a or l.b = r.b")


@small
def a_union_of_two_thousand_values(folder):
    rows = "".join(f"{row},same,v{row}\n" for row in range(2_000))
    entity = 'b = "union"\nsize = { take = "max", value = "length(b)" }'
    return entities(folder, path_of(folder, "one.csv", "id,a,b\n" + rows), entity, options=["--with", "all"])


@case
def entities_of_ten_thousand_columns(folder):
    names = ",".join(f"c{at}" for at in range(10_000))
    rows = "".join(f"{row},n{row % 5}{f',{row % 3}' * 10_000}\n" for row in range(20))
    return entities(folder, path_of(folder, "wide.csv", f"id,a,{names}\n{rows}"), '"*" = "most_complete"')


@case
def ten_thousand_entries(folder):
    entries = "".join(f"new{at} = {{ take = \"longest\", value = \"a || '{at}'\" }}\n" for at in range(10_000))
    return entities(folder, people(folder), entries)


@case
def ten_thousand_entries_with_mistakes(folder):
    entries = "".join(f'new{at} = {{ take = "first", by = "nothing{at}" }}\n' for at in range(10_000))
    return entities(folder, people(folder), entries)


@case
def a_group_of_a_hundred_thousand_columns(folder):
    columns = ", ".join(f'"c{at}"' for at in range(100_000))
    return entities(folder, people(folder), f'all = {{ take = "first", columns = [{columns}] }}')


@case
def a_hundred_thousand_sources(folder):
    sources = ", ".join(f'"s{at}"' for at in range(100_000))
    return entities(folder, people(folder), f'a = {{ take = "priority", sources = [{sources}] }}')


@case
def a_condition_of_a_hundred_thousand_parentheses(folder):
    condition = "(" * 100_000 + "b = '1'" + ")" * 100_000
    return entities(folder, people(folder), f'a = {{ take = "first", where = "{condition}" }}')


@case
def entries_of_control_characters(folder):
    return entities(folder, people(folder), r'"\u001b[31m" = { take = "\u001b[31m", where = "\u0007" }')


@case
def a_column_called_like_one_of_entities(folder):
    rows = "".join(f"{row},n{row % 5},{row}\n" for row in range(20))
    return entities(folder, path_of(folder, "ids.csv", "id,a,entity_id\n" + rows), 'a = "first"')


@case
def texts_of_thirty_megabytes_in_entities(folder):
    row = b"%d,n," + b"x" * (30 << 20) + b"\n"
    records = packed(folder, "texts.csv", b"id,a,b\n" + row % 1, row % 2, 1, row % 3)
    return entities(folder, records, 'b = "union"')


@case
def entities_of_inputs_of_other_types(folder):
    lines = "".join(f'{{"id":{row},"a":"name{row % 17} surname{row % 13}","b":[{row}],"c":{{"d":{row}}}}}\n' for row in range(50))
    rules = path_of(folder, "rules.toml", '[[rule]]\nwhen = "l.a = r.a"\n[entity]\nb = "union"\n')
    return ["link", people(folder), path_of(folder, "others.jsonl", lines), "--rules", rules]


@small
def records_of_more_than_the_memory(folder):
    return dedupe(long_rows(folder, 300_000), options=["--what", "records"])


@small
def the_best_of_more_than_the_memory(folder):
    return dedupe(long_rows(folder, 300_000), options=["--what", "records", "--keep", "best"])


@small
def columns_beside_two_million_pairs(folder):
    rows = "".join(f"{row},name{row // 40},{'lorem ipsum ' * 4}{row}\n" for row in range(100_000))
    return dedupe(path_of(folder, "rows.csv", "id,a,text\n" + rows), options=["--with", "all"])


@small
def texts_of_a_hundred_kilobytes_beside_pairs(folder):
    rows = "".join(f"{row},n,{'x' * 100_000}{row}\n" for row in range(100))
    return dedupe(path_of(folder, "long.csv", "id,a,text\n" + rows), options=["--with", "text"])


@case
def columns_beside_pairs_that_are_not_there(folder):
    return dedupe(people(folder), options=["--with", "a,\x1b[31m," + "b" * 50_000])


@case
def columns_beside_pairs_twice(folder):
    return dedupe(people(folder), options=["--with", "a,b,a"])


@case
def tables_that_are_not_there(folder):
    return dedupe(people(folder), options=["--what", "entities,\x1b[31m"])
