"""Find definitions in the current versions of sources, by id or by name."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.functions import Length

from devrag.core.errors import NotFound
from devrag.sources.models import GitRef, Symbol


def current_symbols(source_ids: Collection[int] | None = None) -> QuerySet[Symbol]:
    """Return the definitions of current manifests, their files without text.

    source_ids: only of these sources.
    """
    rows = Symbol.objects.filter(
        file__manifests__until=None, file__manifests__ref__is_current=True
    )
    if source_ids is not None:
        rows = rows.filter(file__source__in=source_ids)
    return rows.select_related("file__source").defer("file__text")


def get_current_symbol(
    source_ids: Collection[int], uuid: UUID
) -> tuple[GitRef, Symbol]:
    """Return a definition with the ref that holds it. Queries: 2."""
    symbol = current_symbols(source_ids).filter(uuid=uuid).order_by("pk").first()
    if symbol is None:
        raise NotFound(
            f"There is no definition '{uuid}' in the current version. It may have been "
            "renamed, moved or removed: look for its name."
        )
    ref = GitRef.objects.get(source=symbol.file.source_id, is_current=True)
    return ref, symbol


def find_symbols(
    source_ids: Collection[int], name: str, *, kind: str = "", limit: int
) -> list[Symbol]:
    """Return definitions of that name, qualified or not; else those that contain it.

    `Cart.add` means an `add` of something that ends in `Cart`; of equal ones those of
    the most prominent files come first. Queries: 1 or 2.
    """
    wanted = name.strip().replace("::", ".").replace("#", ".").strip(".()")
    last = wanted.rpartition(".")[2]
    rows = current_symbols(source_ids).filter(**({"kind": kind} if kind else {}))
    exact = rows.filter(name=last)
    if last != wanted:
        exact = exact.filter(qualified_name__endswith=wanted)
    order = (Length("qualified_name"), F("file__path"), F("start_line"))
    found = list(exact.order_by(*order)[:limit])
    if found:
        return found
    return list(rows.filter(qualified_name__icontains=wanted).order_by(*order)[:limit])
