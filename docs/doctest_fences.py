"""Examples in docstrings, shown as code: what begins with `>>>` is fenced before a docstring is rendered."""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n(?=\S).*|\n\s*\S.*)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """For mkdocstrings."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401 - as griffe calls it
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
