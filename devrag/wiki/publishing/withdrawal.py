"""Take away the versions that were written from a source not all readers may see."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from devrag.labels.api import label_pages
from devrag.products.models import Product
from devrag.search.api import forget_wiki_sections
from devrag.sources.models import Source
from devrag.wiki.models import Page, Wiki
from devrag.wiki.publishing.search_index import index_shown_version
from devrag.wiki.publishing.versions import carry_saved_answers


@transaction.atomic
def withdraw_versions(product: Product, source_name: str) -> int:
    """Delete what was written from a source; return how many versions were.

    Readers see the newest version without it, or none. Saved answers that cite it go,
    too; others go along with the last version. A version that names a source which is
    not there, or has another name now, counts as written from it.
    """
    others = Source.objects.filter(product=product).exclude(name=source_name)
    known = set(others.values_list("name", flat=True))
    wikis = Wiki.objects.select_for_update().filter(product=product)
    return sum(_withdraw(wiki, source_name, known) for wiki in wikis.order_by("pk"))


def _withdraw(wiki: Wiki, source_name: str, known: Collection[str]) -> int:
    rows = wiki.versions.values_list("pk", "sources")
    written = [pk for pk, sources in rows if not sources.keys() <= set(known)]
    notes = Page.objects.filter(version__wiki=wiki, kind=Page.NOTE)
    notes.filter(claims__source_name=source_name).delete()
    if wiki.current_id in written:
        _show_before(wiki, written)
    wiki.versions.filter(pk__in=written).delete()
    return len(written)


def _show_before(wiki: Wiki, written: Collection[int]) -> None:
    """Let readers see the newest version that is not among these, or none."""
    left = wiki.versions.exclude(pk__in=written).order_by("-number").first()
    wiki.current = left
    wiki.save(update_fields=["current"])
    if left is not None:
        carry_saved_answers(left)
        index_shown_version(left)
        return
    forget_wiki_sections(wiki.product_id, wiki.language)
    label_pages(wiki.product_id, wiki.language, {})
