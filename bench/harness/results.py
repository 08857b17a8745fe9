"""Results: one JSON file and one table per day and machine; rows measured again replace the older ones of such a machine."""

import datetime
import json
import re

from . import machine
from .figures.measured import KINDS
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
    found["rows"] = in_order(found["rows"] | {row.name: stated | {"load": machine.load(), "cases": cases}})
    json_path.write_text(json.dumps(found, indent=1) + "\n")
    table_path.write_text(table(found))
    if not settings.quick:
        forget(row.name, facts, json_path)
    return table_path


def in_order(rows):
    """The rows as the benchmark lists them, and then those of other measurements."""
    names = [known.name for known in all_rows()] + list(rows)
    return {name: rows[name] for name in names if name in rows}


def take(folder, kept=RESULTS):
    """Takes results that were measured on another machine, where they replace older ones; gives the files they are in."""
    taken = []
    for path in sorted(folder.glob("[0-9]*.json")):
        found, to = json.loads(path.read_text()), kept / path.name
        names = list(found["rows"])
        if to.exists():
            found["rows"] = in_order(json.loads(to.read_text())["rows"] | found["rows"])
        to.write_text(json.dumps(found, indent=1) + "\n")
        to.with_suffix(".md").write_text(table(found))
        for name in names:
            forget(name, found["machine"], to)
        taken.append(to)
    return taken


def kinds(facts):
    """The kinds that a machine is of, where the newest result of a row is the one that counts."""
    return {kind for kind, holds in KINDS.items() if kind != "any" and holds(facts)}


def forget(name, facts, kept):
    """Removes what a row has been before on machines of the same kind, and files that have nothing else."""
    for path in sorted(kept.parent.glob("*.json")):
        found = json.loads(path.read_text())
        if path != kept and not found.get("quick") and kinds(found["machine"]) & kinds(facts) and name in found["rows"]:
            del found["rows"][name]
            _write_or_remove(path, json.dumps(found, indent=1) + "\n", found["rows"])
            text = path.with_suffix(".md")
            if text.exists():
                section = rf"^## {re.escape(name)}: .*?(?=^## |\Z)"
                _write_or_remove(text, re.sub(section, "", text.read_text(), flags=re.M | re.S), found["rows"])


def _write_or_remove(path, text, rows):
    if rows:
        path.write_text(text)
    else:
        path.unlink()


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
