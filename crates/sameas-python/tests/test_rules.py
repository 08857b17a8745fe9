"""Rules of Python values are rule files."""

from __future__ import annotations

from pathlib import Path

import pytest
import sameas

EVERYTHING = """\
link_type = "dedupe_only"
unique_id = "id"
encoding = "windows-1252"
null = ["-", "n/a"]
blank_is_null = true
skip_null_ids = false

[derive]
name = "lower(name)"

[[rule]]
name = "same phone"
when = "l.phone = r.phone"
certain = true

[[never]]
when = '''l.name = 'x' and r."odd column" = 1'''

[train]
recall = 0.6

[score]
threshold = 0.9

[columns]
"both names" = "l.name || ' / ' || r.name"

[entity]
name = "most_frequent"
mail = { take = "newest", by = "updated", where = "mail like '%@%'" }
address = { columns = ["street", "city"], take = "priority", sources = ["crm", "web"] }
"*" = "none"
"""


def test_everything_that_a_file_can_say() -> None:
    rules = sameas.Rules(
        {"same phone": {"when": "l.phone = r.phone", "certain": True}},
        derive={"name": "lower(name)"},
        never=["""l.name = 'x' and r."odd column" = 1"""],
        train={"recall": 0.6},
        score={"threshold": 0.9},
        columns={"both names": "l.name || ' / ' || r.name"},
        entity={
            "name": "most_frequent",
            "mail": {"take": "newest", "by": "updated", "where": "mail like '%@%'"},
            "address": {"columns": ("street", "city"), "take": "priority", "sources": ["crm", "web"]},
            "*": "none",
        },
        link_type="dedupe_only",
        unique_id="id",
        encoding="windows-1252",
        null=["-", "n/a"],
        blank_is_null=True,
        skip_null_ids=False,
    )
    assert str(rules) == repr(rules) == rules.text == EVERYTHING
    assert rules.names == ["same phone"] and sameas.Rules.parse(EVERYTHING).text == EVERYTHING


@pytest.mark.parametrize(
    "condition",
    [
        "l.a = r.a",
        "l.a = 'it''s'",
        'l."a b" = r."a b"',
        """l."a" = 'b\\c'""",
        "l.a = '''''' and r.\"x\" = 1",
        "l.a = r.a\n  and l.b = r.b",
        'l.a = r.a\n and l."b" = \'\\\'',
        "l.a = 'tab\tand\x01'",
        "l.a = 'ends'",
        'l.a = r."b"',
    ],
)
def test_conditions_stay_as_they_are(condition: str, tmp_path: Path) -> None:
    rules = sameas.Rules({"näme \"1\"": condition})
    assert rules.names == ['näme "1"']
    rules.write(tmp_path / "rules.toml")
    again = sameas.Rules.read(tmp_path / "rules.toml")
    assert (again.names, again.text) == (rules.names, rules.text)
    error = None
    try:
        sameas.dedupe({"id": [1], "zz": [1]}, rules)
    except sameas.RulesError as caught:
        error = str(caught)
    # Whatever the quotes, the place that is underlined is the one of the column.
    assert error is not None and "unknown column `l." in error


def test_rules_from_what_is_at_hand(tmp_path: Path) -> None:
    people = {"id": [1, 2, 3], "a": ["x", "x", "y"], "b": [1, 2, 2]}
    sameas.Rules("l.a = r.a").write(tmp_path / "rules.toml")
    for rules in ("l.a = r.a", ["l.a = r.a"], {"rule_1": "l.a = r.a"}, tmp_path / "rules.toml", str(tmp_path / "rules.toml")):
        assert sameas.dedupe(people, rules).pairs.to_dicts() == [{"unique_id_l": 1, "unique_id_r": 2, "match_key": "rule_1"}]
    both = sameas.dedupe(people, ["l.a = r.a", "l.b = r.b"])
    assert [row["match_key"] for row in both.pairs.to_dicts()] == ["rule_1", "rule_2"]
    assert both.rules.names == ["rule_1", "rule_2"]


def test_functions_of_the_language() -> None:
    functions = sameas.functions()
    assert functions["levenshtein"].signature == "levenshtein(a, b)" and len(functions) > 40
