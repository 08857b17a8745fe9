"""Values as HTML, for light and dark notebooks. Everything that comes from data goes through `shown`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

#: Text has the colour of the page, and colours are translucent, so that they suit light and dark pages alike, whatever
#: makes a page dark. No colour says anything that a word, a sign or a line does not say too. Selectors count twice, to come
#: before those of notebooks.
_STYLE = """<style>
.sameas.sameas { font-size: 13px; line-height: 1.45; max-width: 100%; overflow-x: auto; }
.sameas.sameas table { border: 0; border-collapse: collapse; display: table; margin: 0.3em 0 0.9em 0; table-layout: auto; width: auto; }
.sameas.sameas tr { background: none; border: 0; }
.sameas.sameas th, .sameas.sameas td { background: none; border: 0; border-bottom: 1px solid rgba(128, 128, 128, 0.35);
  font-size: 13px; max-width: 36em; min-width: 0; overflow-wrap: break-word; padding: 2px 14px 2px 0; text-align: left;
  vertical-align: top; white-space: pre-wrap; }
.sameas.sameas th { font-weight: 600; }
.sameas.sameas .number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.sameas.sameas .word { white-space: nowrap; }
.sameas.sameas .scroll { max-height: 14em; overflow-y: auto; }
.sameas.sameas .soft { opacity: 0.7; }
.sameas.sameas .good, .sameas.sameas .bad { border-radius: 3px; padding: 0 4px; white-space: nowrap; }
.sameas.sameas .good { background: rgba(46, 160, 67, 0.25); }
.sameas.sameas .bad { background: rgba(248, 81, 73, 0.25); }
.sameas.sameas mark { background: rgba(227, 160, 8, 0.35); color: inherit; text-decoration: underline; text-decoration-thickness: 2px; }
.sameas.sameas .bar { display: inline-block; position: relative; height: 0.8em; width: 14em; }
.sameas.sameas .bar span { display: block; height: 100%; }
.sameas.sameas .plus { background: rgba(46, 160, 67, 0.65); }
.sameas.sameas .minus { background: rgba(248, 81, 73, 0.65); }
.sameas.sameas code, .sameas.sameas pre { background: none; border: 0; color: inherit; font-family: ui-monospace, Menlo, Consolas,
  "DejaVu Sans Mono", monospace; font-size: 12px; margin: 0; padding: 0; }
.sameas.sameas code { white-space: pre-wrap; }
.sameas.sameas pre { line-height: 1.4; overflow-x: auto; white-space: pre; }
.sameas.sameas h4 { font-size: 13px; font-weight: 600; margin: 0.7em 0 0.2em 0; }
.sameas.sameas p { margin: 0.2em 0 0.5em 0; }
.sameas.sameas details > summary { cursor: pointer; }
</style>"""

#: Characters of two texts up to which their differences are looked for one by one, which takes as long as their product.
_LONG = 4_000


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


def paragraph(content: str, kind: str = "") -> str:
    """A paragraph; of kind `soft` it says less than others."""
    return f'<p class="{kind}">{shown(content)}</p>' if kind else f"<p>{shown(content)}</p>"


def folded(title: str, content: str) -> str:
    """Text of the program that a click shows."""
    return f'<details><summary class="soft">{shown(title)}</summary>{text(content)}</details>'


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], numbers: Iterable[int] = ()) -> str:
    """A table; the columns at `numbers` are aligned to the right. Cells that are `Markup` stay as they are. A table whose
    heads are empty has none."""
    right = set(numbers)

    def cell(tag: str, at: int, value: object) -> str:
        content = value.html if isinstance(value, Markup) else shown(value)
        kind = ' class="number"' if at in right else ""
        # A text of many lines gets a place of its own, in which it can be scrolled.
        placed = content if len(content) < 1_000 else f'<div class="scroll">{content}</div>'
        return f"<{tag}{kind}>{placed}</{tag}>"

    def row(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(cell(tag, at, value) for at, value in enumerate(cells)) + "</tr>"

    head = f"<thead>{row('th', heads)}</thead>" if any(heads) else ""
    # Pages style tables that have no class.
    return f'<table class="rows">{head}<tbody>{"".join(row("td", one) for one in rows)}</tbody></table>'


class Markup:
    """HTML that was made here, of parts that were escaped."""

    def __init__(self, html: str) -> None:
        self.html = html


def badge(content: str, kind: str) -> Markup:
    """A word on a colour: `good`, `bad` or `soft`."""
    return Markup(f'<span class="{kind}">{shown(content)}</span>')


def code(content: str) -> Markup:
    """A condition or expression."""
    return Markup(f"<code>{shown(content)}</code>")


def bar(value: float, most: float) -> Markup:
    """A number as a bar, from the middle to the right or, below zero, to the left. `most` fills a half."""
    width = min(abs(value) / most, 1.0) * 50 if most else 0.0
    start, kind = (50.0, "plus") if value >= 0 else (50.0 - width, "minus")
    return Markup(f'<span class="bar"><span class="{kind}" style="margin-left: {start:.1f}%; width: {width:.1f}%"></span></span>')


def differences(left: str, right: str) -> tuple[Markup, Markup]:
    """Two texts, with what differs marked in each."""
    marked: tuple[list[str], list[str]] = ([], [])
    for is_equal, parts in _parts(left, right):
        for out, part in zip(marked, parts, strict=True):
            if part:
                out.append(shown(part) if is_equal else f"<mark>{shown(part)}</mark>")
    return Markup("".join(marked[0])), Markup("".join(marked[1]))


def _parts(left: str, right: str) -> list[tuple[bool, tuple[str, str]]]:
    """What the texts have in common and what not, in order."""
    from difflib import SequenceMatcher

    if len(left) + len(right) > _LONG:
        return _ends(left, right)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if matcher.ratio() < 0.5:
        # They share letters, as any two texts do, and nothing that could be called a part.
        return [(False, (left, right))]
    return [(tag == "equal", (left[a:b], right[c:d])) for tag, a, b, c, d in matcher.get_opcodes()]


def _ends(left: str, right: str) -> list[tuple[bool, tuple[str, str]]]:
    """What both texts begin with and end with; all between differs."""
    from os.path import commonprefix

    start = len(commonprefix([left, right]))
    rest = left[start:], right[start:]
    end = len(commonprefix([rest[0][::-1], rest[1][::-1]]))
    middle, ends = zip(*((one[: len(one) - end], one[len(one) - end :]) for one in rest), strict=True)
    return [(True, (left[:start], right[:start])), (False, (middle[0], middle[1])), (True, (ends[0], ends[1]))]
