"""A table as Markdown: its lines, and below them where, when and of what its figures were measured."""

from string import Formatter

from . import facts, missing
from .measured import newest, row
from .tables import TABLES


def table(name, folder, tables=TABLES):
    """The lines of a table, made of the results in a folder."""
    if name not in tables:
        raise missing("table", name, tables)
    asked = tables[name]
    known = newest(folder, asked.machine)
    used = [row(known, entry.row) for entry in asked.entries]
    heads = [head.format(cores=used[0].machine["cores"]) for head in asked.heads]
    lines = [_line(heads), "|" + "---|" * len(heads)]
    lines += [line for entry, measured in zip(asked.entries, used) for line in _entry(entry, measured)]
    return [*lines, "", _source(asked, used)]


def _entry(entry, measured):
    """The lines of an entry: one for each of its cases."""
    others = {name: measured.case(case) for name, case in entry.others.items()}
    for case in measured.cases(entry.case):
        figures = facts.of_case(case, measured.machine["cores"], others)
        yield _line(column.format_map(figures) for column in (entry.work, *entry.columns))


def _line(cells):
    """A line of a table; what a failed peer has said may have any character."""
    escaped = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in escaped)}|"


def _source(asked, used):
    """Where the figures come from."""
    where, dates, commits = (_different(values) for values in (
        (each.where() for each in used), sorted(each.date for each in used), (each.commit() for each in used),
    ))
    versions = _versions(asked, used)
    return f"{'; '.join(where)}. Measured {' and '.join(dates)}, sameas at {', '.join(commits)}{versions}."


def _different(values):
    return list(dict.fromkeys(values))


def _versions(asked, used):
    """The versions of the peers that the table names; a package has the name with which that of its peer begins."""
    columns = [column for entry in asked.entries for column in entry.columns]
    fields = [field for column in columns for _, field, _, _ in Formatter().parse(column) if field]
    peers = [part.lower().replace("_", "-") for field in fields for part in field.split(".")]
    versions = {name: version for each in used for name, version in each.versions.items()}
    named = [f"{name} {versions[name]}" for name in sorted(versions) if any(peer.startswith(name) for peer in peers)]
    return "".join(f", {version}" for version in named)
