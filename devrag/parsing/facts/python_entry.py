"""Entry points of Python: `if __name__ == "__main__"` and `__main__.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.paths import file_name
from devrag.parsing.types import FactFacts

_GUARD = re.compile(
    r"__name__\s*==\s*['\"]__main__['\"]|['\"]__main__['\"]\s*==\s*__name"
)


def entry_points(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield what `python -m module` or `python file.py` would start."""
    source = analysis.source
    if file_name(source.path) == "__main__.py":
        package = analysis.module.removesuffix(".__main__")
        data = {"type": "module", "command": f"python -m {package}"}
        yield FactFacts("entry_point", package, 1, max(len(source.lines), 1), data)
        return
    for condition in analysis.captures.get("main", ()):
        statement = condition.parent
        if statement is not None and _GUARD.search(node_text(source, condition)):
            yield FactFacts(
                "entry_point",
                analysis.module,
                statement.start_point.row + 1,
                statement.end_point.row + 1,
                {"type": "script", "command": f"python {source.path}"},
            )
