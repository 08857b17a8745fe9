"""What notebooks show: values are shown, and never run."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
import sameas

EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'&"


class Tags(HTMLParser):
    """The tags of a page, which must be closed."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in ("br", "progress"):
            self.open.append(tag)
        assert all(not name.startswith("on") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


ALLOWED = {"style", "div", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "span", "mark", "details", "summary", "p", "h4", "br"}


def tags(shown: Any) -> Tags:
    page = Tags()
    page.feed(shown._repr_html_())
    assert not page.open and page.seen <= ALLOWED, page.seen - ALLOWED
    return page


def everything() -> list[Any]:
    people = {
        "id": [EVIL, "2", "3"],
        EVIL: ["a", "a", "b"],
        "name": [EVIL, EVIL + "!", "<b>"],
        "age": [1, 1, 1],
    }
    column = '"' + EVIL.replace('"', '""') + '"'
    rules = sameas.Rules({EVIL: f"l.{column} = r.{column} and jaro(l.name, r.name) > 0.5"}, never={EVIL: "l.name = '<i>'"})
    run = sameas.dedupe(people, rules, near=0.1)
    scored = sameas.Rules(compare={EVIL: ["l.name = r.name"], "age": ["l.age = r.age"]}, score={"threshold": 0.9, "prior": 0.1}, train={"rules": ["l.age = r.age"]})
    evaluation = sameas.evaluate(run, run.pairs)
    return [
        rules, run, run.pairs, run.clusters, run.near, run.why(EVIL, "2"), run.why(EVIL, "3"),
        sameas.explain(people, rules), sameas.explain(people, rules, analyze=True), sameas.profile(people),
        evaluation, sameas.train(people, scored), sameas.devices(),
        sameas.closure({EVIL: [EVIL], "b": ["c"]}),
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore::sameas.RulesWarning")
def test_values_are_shown_and_never_run() -> None:
    for shown in everything():
        page = tags(shown)
        assert "script" not in page.seen and "img" not in page.seen, type(shown)


def test_differences_are_marked() -> None:
    run = sameas.dedupe({"id": [1, 2], "name": ["Ann Smith", "Anne Smyth"]}, "jaro(l.name, r.name) > 0.5")
    html = run.why(1, 2)._repr_html_()
    assert "<mark>e</mark>" in html and "<mark>i</mark>" in html and "<mark>y</mark>" in html
    assert "light-dark(" in html and "holds" in html


def test_tables_have_previews() -> None:
    run = sameas.dedupe({"id": list(range(30)), "a": ["x"] * 30}, "l.a = r.a")
    page = tags(run.pairs)
    assert page.text.rstrip().endswith("... 435 rows")
    assert repr(run.pairs).splitlines()[0].split() == ["unique_id_l", "unique_id_r", "match_key"]
    assert repr(run.pairs).splitlines()[-1] == "... 435 rows"
