"""A hook of mkdocs: every notebook of this folder becomes a page of the guide, with the output that it has."""

import json
from pathlib import Path

from mkdocs.structure.files import File

HERE = Path(__file__).parent


def on_files(files, config):
    for path in sorted(HERE.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page(notebook, path.name)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links lead to the page of a notebook, which a reader of the repository finds as a file."""
    return markdown.replace(".ipynb)", ".md)") if page.file.src_uri == "notebooks.md" else markdown


def page(notebook, name):
    """The notebook as Markdown."""
    parts = [part for cell in notebook["cells"] for part in parts_of(cell)]
    parts.append(f"[Download this notebook]({name})")
    return "\n\n".join(parts) + "\n"


def parts_of(cell):
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    language = "console" if source.startswith("!") else "python"
    shown = "$ " + source[1:] if source.startswith("!") else source
    return [f"```{language}\n{shown}\n```", *(part for output in cell["outputs"] for part in shown_of(output))]


def shown_of(output):
    """What a cell gave: HTML where there is some, else text. Progress, on standard error, is left out."""
    if output["output_type"] == "stream":
        return [fenced(output["text"])] if output["name"] == "stdout" else []
    data = output.get("data", {})
    if "text/html" in data:
        # Without blank lines, at which Markdown would take it for ended.
        lines = "".join(data["text/html"]).splitlines()
        return ['<div class="output">\n' + "\n".join(line for line in lines if line.strip()) + "\n</div>"]
    return [fenced(data["text/plain"])] if "text/plain" in data else []


def fenced(text):
    return "```text\n" + "".join(text).rstrip("\n") + "\n```"
