"""What notebooks show: values are shown, and never run."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser
from typing import Any

import pytest
import sameas

BAR = re.compile(r"margin-left: [0-9.]+%; width: [0-9.]+%")

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
        self.open.append(tag)
        # No attribute can come from data, or run anything.
        for name, value in attrs:
            assert name == "class" or name == "style" and value is not None and BAR.fullmatch(value), (name, value)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


ALLOWED = {
    "style", "div", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "span", "mark", "details", "summary", "p", "h4",
}  # fmt: skip


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
    model = sameas.train(people, scored)
    by_score = sameas.dedupe(people, scored, model=model, all_pairs=True)
    linked = sameas.link(people, people, rules, names=["<a>", "b"])
    evaluation = sameas.evaluate(run, run.pairs)
    labels = {"unique_id_l": [EVIL], "unique_id_r": ["2"], "judgement": ["same"], "stratum": [EVIL]}
    alone = {"unique_id": [EVIL, "2", "3"], "cluster_id": [1, 2, 3]}
    return [
        rules, run, run.pairs, run.clusters, run.near, run.why(EVIL, "2"), run.why(EVIL, "3"),
        sameas.explain(people, rules), sameas.explain(people, rules, analyze=True), sameas.profile(people),
        evaluation, model, by_score, by_score.why(EVIL, "2"), sameas.explain(people, scored, model=model, all_pairs=True),
        linked, linked.clusters, linked.why(f"<a>:{EVIL}", "b:2"), sameas.devices(),
        sameas.closure({EVIL: [EVIL], "b": ["c"]}),
        sameas.evaluate(run, run.clusters, kind="clusters"), sameas.estimate(run, labels), sameas.compare_clusters(alone, run),
        sameas.sweep(run, truth=run.pairs),
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore::sameas.RulesWarning")
def test_values_are_shown_and_never_run() -> None:
    for shown in everything():
        page = tags(shown)
        assert "script" not in page.seen and "img" not in page.seen, type(shown)
        if isinstance(shown, (sameas.Why, sameas.Clusters)):
            assert EVIL in page.text, type(shown)


def why(left: object, right: object, **options: Any) -> sameas.Why:
    run = sameas.dedupe({"id": [1, 2], "name": [left, right]}, "jaro(l.name, r.name) > 0.5", **options)
    return run.why(1, 2)


def test_differences_are_marked() -> None:
    html = why("Ann Smith", "Anne Smyth")._repr_html_()
    assert "<mark>e</mark>" in html and "<mark>i</mark>" in html and "<mark>y</mark>" in html
    # By a line and a sign as well as by a colour.
    assert re.search(r"mark \{[^}]*underline", html) and "<td>\u2260</td>" in html and ">holds<" in html
    assert "<mark>Zoe</mark>" in why("Ann", "Zoe")._repr_html_()
    assert "<mark>" not in why("Ann", "Ann")._repr_html_()
    assert "<mark>" not in why("null", None)._repr_html_()


def test_pages_give_the_colours_of_text() -> None:
    """A page knows whether it is dark; what is shown must not."""
    html = why("Ann Smith", "Anne Smyth")._repr_html_()
    style = html[html.index("<style>") : html.index("</style>")]
    colours = re.findall(r"(?:color|background|border[a-z-]*): *([^;]+);", style)
    assert colours and all(re.search(r"none|inherit|collapse|^0$|^[0-9]px$|rgba\([^)]*, 0\.[0-9]+\)", one) for one in colours), colours
    assert "prefers-color-scheme" not in style and "#" not in style


def test_long_texts_take_no_time_and_can_be_scrolled() -> None:
    start = time.monotonic()
    html = why("a" * 30_000 + "x" + "b" * 30_000, "a" * 30_000 + "y" + "b" * 30_000)._repr_html_()
    assert time.monotonic() - start < 10
    assert "<mark>x</mark>" in html and '<td><div class="scroll">aaa' in html


def test_a_plan_has_its_joins_and_checks() -> None:
    people = {"id": [1, 2, 3], "name": ["Ann", "Anne", "Bob"], "city": ["A", "A", "B"]}
    rules = sameas.Rules({"near": "l.city = r.city and jaro(l.name, r.name) > 0.5"}, never="l.name = r.city")
    before, after = (tags(sameas.explain(people, rules, analyze=analyze)).text for analyze in (False, True))
    assert "1. Join on l.city = r.city" in before and "rules: near; 1 candidate (33.3 % of all pairs)" in before
    assert "jaro(l.name, r.name) > 0.5" in before and "Then no pair for which l.name = r.city holds." in before
    assert "tried" not in before and "tried" in after and "; 1 pair" in after


def test_a_run_has_rules_with_their_counts_and_its_notes() -> None:
    people = {"id": [1, 2, 3], "born": ["1990-01-01", "1990-01-01", "soon"], "city": ["A", "A", "B"]}
    rules = sameas.Rules({"born": "l.born = r.born", "city": "l.city = r.city"}, never={"old": "abs(year(l.born) - year(r.born)) > 9"})
    html = sameas.dedupe(people, rules)._repr_html_()
    numbers = '<td class="number">1</td><td class="number">0</td><td class="number">1</td>'
    assert f"<td>city</td><td><code>l.city = r.city</code></td>{numbers}" in html
    assert "<td>pairs</td><td>1</td>" in html and re.search("<td>note</td><td>1 value is not a number or date.*`born`", html)
    assert "<td>old</td>" in html and "cluster size" in html


def test_clusters_are_shown_with_their_records() -> None:
    people = {"id": list(range(60)), "a": [n if n < 20 else 20 for n in range(60)]}
    page = tags(sameas.dedupe(people, "l.a = r.a").clusters)
    assert "20, 21, 22," in page.text and "... 20 more" in page.text and "cluster size" in page.text
    linked = sameas.link(people, people, "l.id = r.id", names=["x", "y"])
    page = tags(linked.clusters)
    assert "x:0, y:0" in page.text and "... 60 clusters of two or more records" in page.text


def test_scores_are_shown_as_bars_with_signs() -> None:
    people = {"id": [1, 2, 3, 4], "name": ["Ann", "Ann", "Bob", "Cy"], "age": [1, 1, 1, 2]}
    rules = sameas.Rules(
        compare={"name": ["l.name = r.name"], "age": ["l.age = r.age"]},
        score={"threshold": 0.1, "prior": 0.1},
        train={"rules": ["l.age = r.age", "l.name = r.name"]},
    )
    model = sameas.train(people, rules)
    # The weight, its error, and the bar.
    assert re.search(r"\+[0-9.]+</td><td class=\"number\">[0-9.]+</td><td><span class=\"bar\">", model._repr_html_())
    run = sameas.dedupe(people, rules, model=model, all_pairs=True)
    text = tags(run.why(1, 2)).text
    assert "match_probability" in text and "prior" in text and "threshold" in text
    # Whether the probabilities are true, where there is a truth.
    evaluation = sameas.evaluate(run, run.pairs)
    assert "match probability" in tags(evaluation).text and evaluation.record["reliability"][0]["true_share"] == 1.0


def test_tables_have_previews() -> None:
    run = sameas.dedupe({"id": list(range(30)), "a": ["x"] * 30}, "l.a = r.a")
    page = tags(run.pairs)
    assert page.text.rstrip().endswith("... 435 rows")
    assert repr(run.pairs).splitlines()[0].split() == ["unique_id_l", "unique_id_r", "match_key"]
    assert repr(run.pairs).splitlines()[-1] == "... 435 rows"
