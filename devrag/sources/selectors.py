"""Find sources, within what the caller may see and change."""

from __future__ import annotations

from django.utils.translation import gettext

from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.models import File, Source

# What stands in addresses for the version that is indexed now.
CURRENT_VERSION = "current"


def get_visible_source(principal: Principal, *, name: str) -> Source:
    """Return a source by its name; NotFound when the caller may not see it."""
    rows = Source.objects.visible_to(principal).select_related("product")
    source = rows.filter(name=name).first()
    if source is None:
        raise NotFound(gettext("There is no source '%(name)s'.") % {"name": name})
    return source


def check_may_change(principal: Principal, source: Source) -> None:
    """Raise PermissionDenied for who does not maintain the source's product."""
    maintained = Product.objects.maintained_by(principal)
    if not principal.may("index") or not maintained.filter(pk=source.product_id):
        raise PermissionDenied(
            gettext(
                "%(who)s is not allowed to change '%(name)s'. Ask a maintainer of "
                "'%(product)s', or use a token with the scope 'index'."
            )
            % {
                "who": principal.name,
                "name": source.name,
                "product": source.product.name,
            }
        )


def has_files_below(source_name: str, folder: str) -> bool:
    """Return whether the source's current manifest has files in a folder."""
    return File.objects.filter(
        source__name=source_name,
        path__startswith=f"{folder}/",
        manifests__until=None,
        manifests__ref__is_current=True,
    ).exists()
