"""Versions of a wiki: find, compare, roll back, pin.

A wiki whose readers see an older version than the newest is *held*: somebody rolled it
back. Runs that follow an index on their own do not change what readers see, until
somebody asks for a wiki or rolls forward to the newest version.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.wiki.models import Page, Version, Wiki
from devrag.wiki.publishing.difference import PageDifference, PageText, compare_pages
from devrag.wiki.publishing.search_index import index_shown_version
from devrag.wiki.publishing.versions import carry_saved_answers


def may_write(principal: Principal, product: Product) -> bool:
    """Return whether somebody may change the product's wiki. Queries: 0 or 1."""
    maintained = Product.objects.maintained_by(principal).filter(pk=product.pk)
    return principal.may("wiki") and maintained.exists()


def check_may_write(principal: Principal, product: Product) -> None:
    """Raise PermissionDenied for who may not change the product's wiki."""
    if not may_write(principal, product):
        raise PermissionDenied(
            gettext(
                "%(principal)s is not allowed to change the wiki of '%(product)s'. "
                "Ask a maintainer, or use a token with the scope 'wiki'."
            )
            % {"principal": principal.name, "product": product.name}
        )


def versions_of(product: Product, language: str = "en") -> QuerySet[Version]:
    """Return the kept versions, newest first."""
    found = Version.objects.filter(wiki__product=product, wiki__language=language)
    return found.select_related("wiki__product").order_by("-number")


def find_version(product: Product, number: int, language: str = "en") -> Version:
    """Return a version by its number; NotFound names the ones that are kept."""
    version = versions_of(product, language).filter(number=number).first()
    if version is None:
        kept = versions_of(product, language).values_list("number", flat=True)
        said = ", ".join(map(str, kept)) or gettext("none")
        raise NotFound(
            gettext(
                "The wiki of '%(product)s' has no version %(number)s. Stored "
                "versions: %(kept)s."
            )
            % {"product": product.name, "number": number, "kept": said}
        )
    return version


def version_before(version: Version) -> Version | None:
    """Return the kept version that was published before this one."""
    older = Version.objects.filter(wiki=version.wiki_id, number__lt=version.number)
    return older.order_by("-number").first()


def diff_versions(before: Version, after: Version) -> list[PageDifference]:
    """Return what differs between two versions. Queries: 2."""
    return compare_pages(_texts(before), _texts(after))


def _texts(version: Version) -> dict[str, PageText]:
    pages = Page.objects.filter(version=version).written().order_by("ordinal")
    rows = pages.values_list("path", "title", "markdown")
    return {path: PageText(title, markdown) for path, title, markdown in rows}


def is_held(wiki: Wiki) -> bool:
    """Return whether readers see an older version than the newest.

    It was rolled back.
    """
    current = wiki.current
    return current is not None and (
        Version.objects.filter(wiki=wiki, number__gt=current.number).exists()
    )


def held_version(product: Product) -> Version | None:
    """Return the version that the product's wiki is held at, None if it is not."""
    wikis = Wiki.objects.filter(product=product).select_related("current")
    return next((wiki.current for wiki in wikis if is_held(wiki)), None)


@transaction.atomic
def show_version(
    *, principal: Principal, product: Product, number: int, language: str = "en"
) -> Version:
    """Make a kept version the one that readers see: roll back, or forward again.

    No version is lost or renumbered; the next run publishes under the next number.
    """
    check_may_write(principal, product)
    version = find_version(product, number, language)
    wiki = Wiki.objects.select_for_update().get(pk=version.wiki_id)
    # It may have been forgotten while a run that published held the lock.
    version = find_version(product, number, language)
    found = {"version": number, "language": language}
    record_event(
        "wiki.version_shown", principal=principal, product=product, details=found
    )
    wiki.current = version
    wiki.save(update_fields=["current"])
    carry_saved_answers(version)
    index_shown_version(version)
    return version


@transaction.atomic
def pin_version(
    *,
    principal: Principal,
    product: Product,
    number: int,
    is_pinned: bool = True,
    language: str = "en",
) -> Version:
    """Keep a version for good, or let it go with the others of its age again."""
    check_may_write(principal, product)
    version = find_version(product, number, language)
    version.is_pinned = is_pinned
    version.save(update_fields=["is_pinned"])
    found = {"version": number, "language": language, "isPinned": is_pinned}
    record_event(
        "wiki.version_pinned", principal=principal, product=product, details=found
    )
    return version
