"""Add a repository or folder to a product and start indexing it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from devrag.core.errors import InvalidInput
from devrag.core.principal import Principal
from devrag.core.text import slugify_ascii
from devrag.flows.index import request_index
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.products.services import (
    check_may_add_products,
    check_product_name,
    create_product,
    get_maintained_product,
)
from devrag.sources.addresses import check_path, parse_git_url, source_name_from_url
from devrag.sources.connectors.registry import open_connector
from devrag.sources.models import Source
from devrag.sources.services import (
    address_rules,
    connector_context,
    register_source,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A location as people give it, understood: its kind, form and a name for it."""

    source_type: str
    location: str
    name: str


def add_repository(
    *,
    principal: Principal,
    location: str,
    product_name: str | None = None,
    source_name: str | None = None,
    ref: str | None = None,
    is_full: bool = False,
    is_wiki_wanted: bool = True,
    is_local_user: bool = False,
) -> Job:
    """Check everything that can be checked at once, then register and enqueue.

    Nothing is created when the location, the ref or a name is wrong.
    """
    place = understand_location(location, is_local_user=is_local_user)
    name = check_product_name(
        _default_name(place) if product_name is None else product_name
    )
    known = Product.objects.filter(name=name).first()
    # Who may not add it must not make this machine ask around.
    if known is not None:
        known = get_maintained_product(name, principal)
    else:
        check_may_add_products(principal)
    _probe(place, ref, is_local_user=is_local_user)
    with transaction.atomic():
        product = known or create_product(name=name, principal=principal)
        source = register_source(
            product=product,
            name=source_name or _free_name(place, product),
            source_type=place.source_type,
            location=place.location,
            is_local_user=is_local_user,
        )
        return request_index(
            principal=principal,
            source=source,
            ref=ref,
            is_full=is_full,
            is_wiki_wanted=is_wiki_wanted,
        )


def understand_location(location: str, *, is_local_user: bool) -> Place:
    """Tell a git URL, a repository on disk and a plain folder apart."""
    text = location.strip()
    if not text:
        raise InvalidInput("Give a git URL or the path of a folder on the server.")
    if _looks_like_path(text):
        expanded = str(Path(text).expanduser()) if is_local_user else text
        path = check_path(expanded, settings.SOURCE_ROOTS, is_local_user=is_local_user)
        kind = Source.Type.GIT if is_repository(path) else Source.Type.LOCAL
        return Place(kind, str(path), source_name_from_url(str(path)))
    url = parse_git_url(text, address_rules()).url
    return Place(Source.Type.GIT, url, source_name_from_url(url))


def is_repository(path: Path) -> bool:
    """Say whether a folder is a git work tree's top or a bare repository."""
    return (path / ".git").exists() or (
        (path / "HEAD").is_file() and (path / "objects").is_dir()
    )


def _looks_like_path(text: str) -> bool:
    return text.startswith(("/", "./", "../", "~")) or text in (".", "..")


def _probe(place: Place, ref: str | None, *, is_local_user: bool) -> None:
    key = "path" if Path(place.location).is_absolute() else "url"
    context = connector_context(is_local_user=is_local_user)
    connector = open_connector(place.source_type, {key: place.location}, context)
    with contextlib.closing(connector):
        connector.probe(ref)


def _free_name(place: Place, product: Product) -> str:
    """Source names are unique in the instance: a taken one gets its product's name."""
    taken = Source.objects.filter(name=place.name).exclude(product=product)
    return f"{product.name}-{place.name}" if taken.exists() else place.name


def _default_name(place: Place) -> str:
    return slugify_ascii(place.name, "product")[:64].rstrip("-")
