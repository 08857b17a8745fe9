"""A job of scored pairs, `scores/*.json`, as rules of ours; and a model of Splink's as a model of ours.

    score_rules.py JOB.json RULES.toml [--threshold 0.5 | --every] [--splink MODEL.json MODEL.toml]

RULES.toml has the comparisons, the blocking rules, and what a model is learned from. With --splink, the m, u and prior that
Splink has saved become a model that `sameas dedupe --model` scores by: then both only do arithmetic, on the same numbers.
"""

import argparse
import json
from pathlib import Path


def text(value):
    """A string of TOML: what JSON writes is one."""
    return json.dumps(value, ensure_ascii=False)


def texts(values):
    return "[" + ", ".join(text(value) for value in values) + "]"


def rules(facts, threshold):
    """The lines of a rule file."""
    for key, head in (("derive", "derive"), ("derive_left", "derive.left"), ("derive_right", "derive.right")):
        if facts.get(key):
            yield f"[{head}]"
            yield from (f"{name} = {text(made)}" for name, made in facts[key].items())
    for each in facts["comparisons"]:
        yield f"\n[[compare]]\nname = {text(each['name'])}\nlevels = {texts(each['levels'])}"
        if "term_frequency" in each:
            yield f"term_frequency = {text(each['term_frequency'])}"
    for place, rule in enumerate(facts["blocking"]):
        yield f"\n[[rule]]\nname = {text(f'block {place + 1}')}\nwhen = {text(rule)}"
    if "training" in facts:
        yield f"\n[train]\nrules = {texts(facts['training'])}\ndeterministic = {texts(facts['deterministic'])}"
        yield f"recall = {float(facts['recall'])}"
    least = "threshold_weight = -1000.0" if threshold is None else f"threshold = {threshold}"
    yield f"\n[score]\n{least}\nlevels = true"


def model(facts, theirs):
    """The lines of a model with Splink's numbers."""
    yield f"prior = {theirs['probability_two_random_records_match']!r}"
    for each, of in zip(facts["comparisons"], theirs["comparisons"], strict=True):
        levels = [one for one in of["comparison_levels"] if not one.get("is_null_level")]
        yield f"\n[[comparison]]\nname = {text(each['name'])}"
        if "term_frequency" in each:
            yield f"term_frequency_weight = {float(each.get('term_frequency_weight', 1.0))}"
        for when, one in zip([*each["levels"], None], levels, strict=True):
            yield "\n[[comparison.level]]" if when else "\n[comparison.else]"
            if when:
                yield f"when = {text(when)}"
            yield f"m = {one['m_probability']!r}\nu = {one['u_probability']!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", type=Path)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--threshold", type=float, default=0.5)
    parser.add_argument("--every", action="store_true", help="keep every pair, whatever its score")
    parser.add_argument("--splink", nargs=2, type=Path, metavar=("MODEL.json", "MODEL.toml"))
    options = parser.parse_args()
    facts = json.loads(options.job.read_text(encoding="utf-8"))
    options.rules.write_text("\n".join(rules(facts, None if options.every else options.threshold)) + "\n", encoding="utf-8")
    if options.splink:
        theirs = json.loads(options.splink[0].read_text(encoding="utf-8"))
        options.splink[1].write_text("\n".join(model(facts, theirs)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
