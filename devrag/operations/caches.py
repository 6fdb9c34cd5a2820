"""Remove caches: what devrag builds again by itself when it is needed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext

from devrag.core.errors import ServiceError
from devrag.llm.local_model import delete_models
from devrag.operations.consistency_checks.keyword import empty_index
from devrag.search.api import announce_activation, forget_answers
from devrag.search.models import QueryRewrite
from devrag.sources.api import folder_bytes


@dataclass(frozen=True, slots=True)
class ClearedCache:
    """A cache that was cleared. entries: 0 where only bytes are known.

    rebuilt: when it is filled again.
    """

    name: str
    entries: int
    bytes: int
    rebuilt: str

    def __str__(self) -> str:
        size = f"{self.bytes / 1e6:,.1f} MB" if self.bytes else f"{self.entries:,}"
        is_empty = not (self.bytes or self.entries)
        return f"{self.name}: {'was empty' if is_empty else size}; {self.rebuilt}"


def clear_cache(name: str) -> ClearedCache:
    """Clear one of CACHES; return what went.

    Raises ServiceError for a file that cannot be removed, and Conflict while a follower
    writes the keyword index.
    """
    try:
        return CACHES[name]()
    except OSError as error:
        raise ServiceError(
            gettext(
                "Cannot clear the cache '%(name)s': %(reason)s. Check the owner of "
                "the files in DEVRAG_HOME."
            )
            % {"name": name, "reason": error}
        ) from error


def _clear_pages() -> ClearedCache:
    """Remove highlighted source code (DEVRAG_HOME/cache)."""
    size = _remove(settings.DEVRAG_HOME / "cache")
    return ClearedCache("pages", 0, size, "a page is rendered again when it is opened")


def _clear_rewrites() -> ClearedCache:
    """Remove rewritten queries: the next of each asks the model again."""
    count, _ = QueryRewrite.objects.all().delete()
    return ClearedCache(
        "rewrites", count, 0, "a query is rewritten again when it is used"
    )


def _clear_query_vectors() -> ClearedCache:
    """Remove the vectors of queries in this process; others keep theirs."""
    count = forget_answers()
    rebuilt = "a running server keeps its own until `devrag server restart`"
    return ClearedCache("query-vectors", count, 0, rebuilt)


def _clear_keyword_index() -> ClearedCache:
    """Remove this host's keyword index; the follower builds it from the database."""
    size = folder_bytes([settings.LEXICAL_DIR])
    if size:
        empty_index()
        announce_activation()
    return ClearedCache("keyword-index", 0, size, "the follower is now rebuilding it")


def _clear_models() -> ClearedCache:
    """Remove the local embedding model, which is made from the installed weights."""
    size = delete_models(settings.MODELS_DIR)
    return ClearedCache("models", 0, size, "the model is rebuilt when it is needed")


def _remove(folder: Path) -> int:
    """Remove a folder; return the bytes of its files.

    It is renamed first, so that a running server writes no files into it meanwhile.
    """
    aside = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        folder.rename(aside)
    except FileNotFoundError:
        return 0
    size = folder_bytes([aside])
    shutil.rmtree(aside)
    return size


CACHES: dict[str, Callable[[], ClearedCache]] = {
    "pages": _clear_pages,
    "rewrites": _clear_rewrites,
    "query-vectors": _clear_query_vectors,
    "keyword-index": _clear_keyword_index,
    "models": _clear_models,
}
