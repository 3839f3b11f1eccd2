"""Notebooks: pages of Markdown whose Python is executed, shown with what it gave.

A page is a notebook without its answers, so it is read and reviewed as text; `make docs` executes it, and
writes it once as a page and once as an `.ipynb` with every answer in it. Nothing of Jupyter is needed.
"""

import ast
import io
import json
import re
from contextlib import redirect_stdout
from html import escape
from typing import Any, NamedTuple

FENCED = re.compile(r"^```python\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


class Cell(NamedTuple):
    """Text; or code, what it printed and what its last line came to, as text and, where it can, as HTML."""

    source: str
    code: bool = False
    printed: str = ""
    text: str = ""
    html: str = ""


def execute(page: str) -> list[Cell]:
    """The cells of a page in their order, all in one namespace; an error ends it, with its traceback."""
    cells, names, end = [], {"__name__": "__main__"}, 0
    for found in FENCED.finditer(page):
        cells += [Cell(page[end : found.start()].strip("\n")), _executed(found[1], names)]
        end = found.end()
    cells.append(Cell(page[end:].strip("\n")))
    return [cell for cell in cells if cell.source]


def _executed(source: str, names: dict[str, Any]) -> Cell:
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    value: Any = None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, "<notebook>", "exec"), names)  # noqa: S102 - our own page
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<notebook>", "eval"), names)  # noqa: S307
    html = value._repr_html_() if hasattr(value, "_repr_html_") else ""
    return Cell(source, True, printed.getvalue(), "" if value is None else repr(value), html)  # noqa: FBT003


def as_page(cells: list[Cell]) -> str:
    """Markdown with the answers under the code."""
    return "\n\n".join(_shown(cell) if cell.code else cell.source for cell in cells) + "\n"


def _shown(cell: Cell) -> str:
    shown = [f"```python\n{cell.source}```"]
    told = cell.printed + ("" if cell.html else cell.text)
    if told:
        shown.append(f'<pre class="answer">{escape(told.rstrip())}</pre>')
    if cell.html:
        shown.append(f'<div class="answer">{cell.html}</div>')
    return "\n\n".join(shown)


def as_notebook(cells: list[Cell]) -> str:
    """The same as Jupyter keeps it (nbformat 4.5)."""
    made: list[dict[str, Any]] = []
    for at, cell in enumerate(cells):
        about = {"id": f"cell-{at}", "metadata": {}, "source": cell.source.rstrip("\n")}
        if not cell.code:
            made.append({"cell_type": "markdown", **about})
            continue
        count = 1 + sum(one["cell_type"] == "code" for one in made)
        outputs: list[dict[str, Any]] = []
        if cell.printed:
            outputs.append({"output_type": "stream", "name": "stdout", "text": cell.printed})
        if cell.text:
            data = {"text/plain": cell.text} | ({"text/html": cell.html} if cell.html else {})
            result = {"output_type": "execute_result", "execution_count": count}
            outputs.append({**result, "metadata": {}, "data": data})
        made.append({"cell_type": "code", "execution_count": count, "outputs": outputs, **about})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about_all = {"kernelspec": kernel, "language_info": {"name": "python"}}
    book = {"cells": made, "metadata": about_all, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"
