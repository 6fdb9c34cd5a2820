"""Names of code that its own comments and documents have, and the code no longer.

`req.accepted`, where the code has an object `req` and nothing that is `accepted`. The
name of a file, such as `config.yml`, is none.
"""

from __future__ import annotations

import re

from devrag.parsing.language import UNKNOWN, detect_language
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis

_DOTTED = re.compile(r"(?<![\w.$/])(?P<owner>[A-Za-z_$]\w*)\.(?P<name>[A-Za-z_]\w*)\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SPAN = re.compile(r"`([^`]+)`")
_COMMENT = re.compile(r"^\s*(?://|/?\*|#|--)")
_FEWEST_MEMBERS = 3  # of what surely is an object of the code


def has_stale_name(analysis: Analysis, sentence: str) -> bool:
    """Return whether a sentence has the name of a member that no code has."""
    spans = _SPAN.findall(sentence)
    found = (m for span in spans for m in _DOTTED.finditer(span))
    names = [match for match in found if not _is_file(analysis, match[0])]
    if not names:
        return False
    owners, words = _owners(analysis), _words(analysis)
    return any(
        match["owner"] in owners and match["name"] not in words for match in names
    )


def _is_file(analysis: Analysis, name: str) -> bool:
    """Return whether a name is that of a file, of the product or by its ending."""
    return detect_language(name) is not UNKNOWN or name in _file_names(analysis)


@cached_by_analysis
def _file_names(analysis: Analysis) -> frozenset[str]:
    return frozenset(f.path.rpartition("/")[2] for f in analysis.survey.files)


@cached_by_analysis
def _owners(analysis: Analysis) -> frozenset[str]:
    """Return the objects and classes of the code that have several members."""
    counts: dict[str, int] = {}
    for symbol in analysis.survey.symbols:
        owner = symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]
        if owner and analysis.roles[symbol.file] == "code":
            counts[owner] = counts.get(owner, 0) + 1
    return frozenset(o for o, count in counts.items() if count >= _FEWEST_MEMBERS)


@cached_by_analysis
def _words(analysis: Analysis) -> frozenset[str]:
    """Return all words of the code outside of its comments."""
    found: set[str] = set()
    for file in analysis.with_role("code"):
        for line in analysis.lines.of(file.id):
            if not _COMMENT.match(line):
                found.update(_WORD.findall(line))
    return frozenset(found)
