"""Results: one JSON file and one table per day and machine; rows measured again replace the older ones."""

import datetime
import json

from . import machine
from .rows import all_rows
from .settings import RESULTS


def paths(facts):
    name = f"{datetime.date.today().isoformat()}-{machine.slug(facts)}{machine.gpu_slug(facts)}"
    return RESULTS / f"{name}.json", RESULTS / f"{name}.md"


def merge(row, cases, facts, versions, settings):
    """Puts a row into today's results and writes both files."""
    RESULTS.mkdir(exist_ok=True)
    json_path, table_path = paths(facts)
    if settings.quick:
        json_path, table_path = (path.with_name("quick-" + path.name) for path in (json_path, table_path))
    found = json.loads(json_path.read_text()) if json_path.exists() else {"rows": {}}
    found |= {"machine": facts, "versions": versions, "quick": settings.quick}
    stated = {"title": row.title, "bar": row.bar, "threads": settings.threads, "revision": facts["revision"]}
    rows = found["rows"] | {row.name: stated | {"load": machine.load(), "cases": cases}}
    found["rows"] = {name: rows[name] for name in [known.name for known in all_rows()] if name in rows}
    json_path.write_text(json.dumps(found, indent=1) + "\n")
    table_path.write_text(table(found))
    return table_path


def number(value):
    """A count as a reader wants it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value:,}" if value < 10_000_000 else f"{value:.3g}".replace("e+", "e").replace("e0", "e")


def seconds(facts):
    """Median (least to most; runs)."""
    if facts is None:
        return ""
    if "median" not in facts:
        return facts.get("failed", "")
    text = f"{facts['median']:.4g} s ({facts['least']:.4g} to {facts['most']:.4g}; {facts['runs']})"
    return f"{text}, then {facts['failed']}" if "failed" in facts else text


def _header(found):
    facts = found["machine"]
    lines = [
        "# Benchmark results" + (" (quick: small inputs, to test the harness only)" if found["quick"] else ""),
        "",
        f"- Machine: {facts['cpu']}, {facts['cores']} cores, {facts['memory_gib']} GiB, {facts['system']}",
        f"- Instructions: {', '.join(facts['instructions']) or 'none of those looked for'}",
        *([f"- GPU: {facts['gpu']}"] if facts.get("gpu") else []),
        f"- Versions: sameas at {facts['revision']}, {facts['rustc']}, Python {facts['python']}; "
        + (", ".join(f"{name} {version}" for name, version in found["versions"].items()) or "no peers"),
        "- Times: median (least to most; number of runs). `ratio` is the peer's median over ours; with `>` the peer did not"
        " finish, and its time limit is used instead. `load` is the machine's load in the minute before the row ended.",
        "",
    ]
    return lines


def _peers(case):
    texts = []
    for peer in case["peers"]:
        label = f", {peer['label']}" if peer.get("label") else ""
        texts.append(f"{peer['name']}: {seconds(peer)}{label}")
    return "<br>".join(texts)


def _case(case):
    ours = case.get("ours")
    cells = [
        case["case"],
        number(case.get("nominal")),
        number(case.get("candidates")),
        number(case.get("pairs")),
        seconds(ours),
        _peers(case),
        case.get("ratio", ""),
        f"{ours['peak_mb']} MB" if ours and ours.get("peak_mb") else "",
        case.get("agree", ""),
        case.get("verdict", ""),
    ]
    return "| " + " | ".join(cells) + " |"


def table(found):
    """The table for people."""
    lines = _header(found)
    for name, row in found["rows"].items():
        lines += [f"## {name}: {row['title']}", "", f"Bar: {row['bar']}. {row['threads']} threads, load {row['load']}, "
                  f"sameas at {row['revision']}.", ""]
        lines += ["| case | nominal pairs | candidates | pairs | sameas | peers | ratio | peak memory | answers | verdict |",
                  "|---|---|---|---|---|---|---|---|---|---|"]
        lines += [_case(case) for case in row["cases"]]
        lines += ["", *(f"- {case['case']}: {note}" for case in row["cases"] for note in case.get("notes", [])), ""]
    return "\n".join(lines)
