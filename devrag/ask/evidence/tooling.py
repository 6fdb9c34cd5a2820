"""Leave out the code that builds a site of documents: readers ask about the documents.

What stands in hidden folders (`.vitepress/`, `.github/`) is tooling in any product; in
one that is mostly documents all code is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from django.db.models import Sum

from devrag.core.identifiers import words_of
from devrag.core.principal import Principal
from devrag.parsing.path_roles import is_hidden
from devrag.search.types import Hit
from devrag.sources.models import File, GitRef, RefFile, Source

_ABOUT_CODE = re.compile(
    r"\b(?:scripts?|source code|implementation|implemented|workflows?|pipelines?)\b"
    r"|ソースコード|スクリプト|実装|ワークフロー",
    re.IGNORECASE,
)
_LEAST_WORD = 4
# Lines of documents for one of code from which on a product is of documents.
_MOSTLY = 2


def without_tooling(
    hits: Sequence[Hit], question: str, principal: Principal
) -> tuple[Hit, ...]:
    """Return results without tooling, unless they are nothing else or it is asked for.

    Queries: 1 where documents and code were found, 1 for a version's first question.
    """
    code = [hit for hit in hits if hit.file_kind == "code"]
    has_documents = any(hit.file_kind == "doc" for hit in hits)
    if not (code and has_documents) or _ABOUT_CODE.search(question):
        return tuple(hits)
    written = _written_sources({hit.source_name for hit in code}, principal)
    asked = {word.lower() for word in words_of(question)}
    return tuple(
        hit
        for hit in hits
        if hit.file_kind != "code"
        or not (is_hidden(hit.path) or hit.source_name in written)
        or _is_named(hit.path, asked)
    )


def _is_named(path: str, asked: set[str]) -> bool:
    """Return whether a question has a word of a path's folders or name."""
    own = (word.lower() for word in words_of(path))
    return any(len(word) >= _LEAST_WORD and word in asked for word in own)


def _written_sources(names: set[str], principal: Principal) -> set[str]:
    """Return the sources that are mostly documents. Queries: 1."""
    visible = Source.objects.visible_to(principal).filter(name__in=names)
    refs = GitRef.objects.filter(source__in=visible, is_current=True)
    rows = refs.values_list("source__name", "pk", "sequence")
    return {name for name, ref, sequence in rows if _is_of_documents(ref, sequence)}


@lru_cache(maxsize=1_024)
def _is_of_documents(ref: int, sequence: int) -> bool:
    """Return whether a version has more documents than code. Queries: 1."""
    manifest = RefFile.objects.filter(
        ref=ref, since__lte=sequence, until=None, file__is_generated=False
    )
    rows = manifest.values_list("file__kind").annotate(Sum("file__lines")).order_by()
    lines = dict(rows)
    code = lines.get(File.Kind.CODE, 0)
    return bool(lines.get(File.Kind.DOC, 0) > _MOSTLY * code)
