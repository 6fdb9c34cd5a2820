"""Find definitions in the current versions of sources, by id or by name."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.functions import Length
from django.utils.translation import gettext

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
            gettext(
                "There is no definition '%(uuid)s' in the current version. It may"
                " have been renamed, moved or removed: look for its name."
            )
            % {"uuid": uuid}
        )
    ref = GitRef.objects.get(source=symbol.file.source_id, is_current=True)
    return ref, symbol


def find_symbols(
    source_ids: Collection[int], name: str, *, kind: str = "", limit: int
) -> list[Symbol]:
    """Return definitions of that name, else of its last part, else that contain it.

    `Cart.add` means an `add` of something that ends in `Cart`, then any `add`, as what
    is inherited stands elsewhere. Queries: 1 to 3.
    """
    wanted = name.strip().replace("::", ".").replace("#", ".").strip(".()")
    last = wanted.rpartition(".")[2]
    rows = current_symbols(source_ids).filter(**({"kind": kind} if kind else {}))
    named = rows.filter(name=last)
    ways = [named, rows.filter(qualified_name__icontains=last)]
    if last != wanted:
        ways.insert(0, named.filter(qualified_name__endswith=wanted))
    order = (Length("qualified_name"), F("file__path"), F("start_line"))
    found = (list(way.order_by(*order)[:limit]) for way in ways)
    return next(filter(None, found), [])
