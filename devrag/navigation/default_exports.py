"""Who imports a definition under the name of its file: CommonJS's `module.exports = f`.

Such an import names the file and never the definition, and other files may pass it on:
`module.exports = require("./lib/f")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from devrag.navigation.stored_references import WrittenUse, read_uses, uses_of
from devrag.navigation.types import family
from devrag.parsing.path_roles import is_test
from devrag.sources.models import File, GitRef, Symbol

# Files that pass it on to each other, and imports of each that are read.
_MOST_HOPS, _MOST_IMPORTS = 4, 500
_EXPORTED = r"(?m)^[^/*\n]*\bmodule\.exports\s*=\s*{name}\s*;?\s*$"
_PASSED_ON = re.compile(r"\bmodule\.exports\s*=\s*require\s*\(")


def imports_of_default(ref: GitRef, symbol: Symbol) -> list[WrittenUse]:
    """Return the imports of files that are nothing but a definition of JavaScript.

    Queries: 1, and where it is exported 2 for each file that passes it on.
    """
    if family(symbol.file.language) != "javascript" or "." in symbol.qualified_name:
        return []
    files = File.objects.filter(pk=symbol.file_id)
    text, module = files.values_list("text", "module").get()
    exported = _EXPORTED.format(name=re.escape(symbol.name))
    if not module or not re.search(exported, text):
        return []
    found: dict[WrittenUse, None] = {}
    waiting = [module]
    for module in waiting:  # it grows
        imports = _imports_of(ref, module)
        found |= dict.fromkeys(imports)
        onward = [each for each in _passed_on(imports) if each not in waiting]
        waiting += onward[: _MOST_HOPS - len(waiting)]
    return list(found)


def _imports_of(ref: GitRef, module: str) -> list[WrittenUse]:
    last = module.rpartition(".")[2]
    rows = uses_of(ref).filter(kind="import", via="import", last_name=last)
    uses = read_uses(rows.order_by("pk")[:_MOST_IMPORTS])
    return [use for use in uses if (use.usage.target or use.usage.name) == module]


def _passed_on(imports: Iterable[WrittenUse]) -> Iterable[str]:
    """Yield the modules that import something only to export it as it is."""
    outside = [u for u in imports if u.ordinal is None and not is_test(u.path)]
    rows = File.objects.filter(pk__in={use.usage.file for use in outside})
    texts = {pk: text.split("\n") for pk, text in rows.values_list("pk", "text")}
    for use in outside:
        lines = texts.get(use.usage.file, [])
        if use.line <= len(lines) and _PASSED_ON.search(lines[use.line - 1]):
            yield use.usage.module
