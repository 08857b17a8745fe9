"""Values as HTML, for light and dark notebooks. Everything that comes from data goes through `shown`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

#: Colours for both kinds of pages. `color-scheme` follows the page; JupyterLab says on its body which it is.
_STYLE = """<style>
.sameas { color-scheme: light dark; font-size: 13px; line-height: 1.45; max-width: 72em;
  --line: light-dark(#d8dee4, #3d444d); --soft: light-dark(#57606a, #9198a1);
  --good: light-dark(#dafbe1, #12361f); --bad: light-dark(#ffebe9, #4a1a1c); --mark: light-dark(#fff1c2, #574a12); }
body[data-jp-theme-light="true"] .sameas { color-scheme: light; }
body[data-jp-theme-light="false"] .sameas { color-scheme: dark; }
.sameas table { border-collapse: collapse; margin: 0.4em 0 0.8em 0; }
.sameas th, .sameas td { border: 0; border-bottom: 1px solid var(--line); padding: 2px 10px 2px 0; text-align: left;
  vertical-align: top; background: none; }
.sameas td.number, .sameas th.number { text-align: right; font-variant-numeric: tabular-nums; }
.sameas .soft { color: var(--soft); }
.sameas .good { background: var(--good); padding: 0 4px; border-radius: 3px; }
.sameas .bad { background: var(--bad); padding: 0 4px; border-radius: 3px; }
.sameas mark { background: var(--mark); color: inherit; }
.sameas code, .sameas pre { font-size: 12px; background: none; color: inherit; white-space: pre-wrap; }
.sameas h4 { margin: 0.8em 0 0.2em 0; }
.sameas details > summary { cursor: pointer; }
</style>"""


def shown(value: object) -> str:
    """A value of the data, or of the user, as HTML: it is shown, and never means anything to the page."""
    return escape("" if value is None else str(value), quote=True)


def page(*parts: str) -> str:
    """Parts of HTML, with the style that they need."""
    return f'{_STYLE}<div class="sameas">{"".join(parts)}</div>'


def text(content: str) -> str:
    """Text of the program, as it is."""
    return f"<pre>{shown(content)}</pre>"


def heading(content: str) -> str:
    """A small heading."""
    return f"<h4>{shown(content)}</h4>"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], numbers: Iterable[int] = ()) -> str:
    """A table; the columns at `numbers` are aligned to the right. Cells that are `Markup` stay as they are."""
    right = set(numbers)

    def cell(tag: str, at: int, value: object) -> str:
        content = value.html if isinstance(value, Markup) else shown(value)
        kind = ' class="number"' if at in right else ""
        return f"<{tag}{kind}>{content}</{tag}>"

    def row(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(cell(tag, at, value) for at, value in enumerate(cells)) + "</tr>"

    return f"<table><thead>{row('th', heads)}</thead><tbody>{''.join(row('td', one) for one in rows)}</tbody></table>"


class Markup:
    """HTML that was made here, of parts that were escaped."""

    def __init__(self, html: str) -> None:
        self.html = html


def badge(content: str, kind: str) -> Markup:
    """A word on a colour: `good`, `bad` or `soft`."""
    return Markup(f'<span class="{kind}">{shown(content)}</span>')


def differences(left: str, right: str) -> tuple[Markup, Markup]:
    """Two texts, with what differs marked in each."""
    from difflib import SequenceMatcher

    marked: tuple[list[str], list[str]] = ([], [])
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for out, part in zip(marked, (left[a:b], right[c:d]), strict=True):
            if part:
                out.append(shown(part) if tag == "equal" else f"<mark>{shown(part)}</mark>")
    return Markup("".join(marked[0])), Markup("".join(marked[1]))
