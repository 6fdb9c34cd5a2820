"""Add a repository or folder to a product and start indexing it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.core.principal import Principal
from devrag.core.text import slugify_ascii
from devrag.jobs.models import Job
from devrag.products.models import Product, Visibility
from devrag.products.services import (
    check_product_name,
    check_visibility,
    check_wiki_language,
    create_product,
    find_product_to_add_to,
    get_maintained_product,
)
from devrag.sources.addresses import parse_git_url, split_login
from devrag.sources.api import (
    ServerAccess,
    access_at,
    access_to_add,
    check_source_type,
    checked_settings,
    open_connector,
    store_credentials,
    widest_access,
)
from devrag.sources.connectors.types import NO_CREDENTIALS, Credentials
from devrag.sources.models import Source
from devrag.sources.schedule import set_schedule
from devrag.sources.services import (
    address_rules,
    check_movable,
    connector_context,
    find_source,
    https_credentials,
    location_key,
    register_source,
    update_source,
)
from devrag.use_cases.index import request_index
from devrag.use_cases.locations import UnderstoodLocation, understand_location
from devrag.use_cases.source_limits import limit_source


def add_repository(
    *,
    principal: Principal,
    location: str,
    product_name: str | None = None,
    source_name: str | None = None,
    source_type: str | None = None,
    ref: str | None = None,
    credentials: Credentials = NO_CREDENTIALS,
    settings: Mapping[str, Any] | None = None,
    members: Sequence[str] | None = None,
    is_ref_default: bool = False,
    is_full: bool = False,
    is_wiki_wanted: bool = True,
    wiki_language: str = "",
    visibility: str = "",
    index_every_minutes: int | None = None,
    is_local_user: bool = False,
) -> Job:
    """Check everything that can be checked at once, then register and enqueue.

    Nothing is created when the location, the ref, a name or the credentials are wrong.
    is_ref_default: the source follows ref from now on. settings: of the source, as
    `metadata.py` knows them. members: who alone may see it, None for all readers.
    Of a new product: wiki_language, '' for that of the request; visibility, '' for
    everyone. index_every_minutes: None leaves it as it is.
    """
    if not is_local_user:  # on a command line a secret would stay in the history
        location, credentials = without_login(location, credentials)
    kind = checked_kind(source_type)
    target = find_target(principal, location, product_name, is_local_user, kind)
    used = credentials if credentials.secret else known_credentials(principal, target)
    chosen = checked_settings(settings or {})
    check_wiki_language(target.product, wiki_language)
    check_visibility(target.product, visibility)
    probe(target.place, ref, credentials=used, access=target.access)
    with transaction.atomic():
        product = _product(principal, target, wiki_language, visibility)
        source = _register(principal, target, product, source_name)
        _keep(source, credentials, chosen, ref if is_ref_default else None)
        _limit(principal, source, members)
        _schedule(principal, source, index_every_minutes, is_wiki_wanted)
        return request_index(
            principal=principal,
            source=source,
            ref=None if is_ref_default else ref,
            is_full=is_full,
            is_wiki_wanted=is_wiki_wanted,
            is_product_new=target.product is None,
        )


def checked_kind(source_type: str | None) -> str:
    """Return the kind of what has a location, '' where none is asked for."""
    if source_type == Source.Type.UPLOAD:
        raise InvalidInput(
            gettext(
                "Files cannot be added by location. Upload them: devrag source upload "
                "FILE."
            )
        )
    return check_source_type(source_type) if source_type else ""


def _limit(principal: Principal, source: Source, members: Sequence[str] | None) -> None:
    """Let only some members see a source; None leaves it as it is."""
    if members is not None:
        limit_source(principal=principal, source=source, members=members)


def _schedule(
    principal: Principal, source: Source, minutes: int | None, is_wiki_wanted: bool
) -> None:
    """Index a source every so many minutes; None leaves its schedule as it is."""
    if minutes is not None:
        set_schedule(
            principal=principal,
            source=source,
            every_minutes=minutes,
            is_wiki_wanted=is_wiki_wanted,
        )


@dataclass(frozen=True, slots=True)
class Target:
    """Where to add what. product: None when it is to be made by that name."""

    place: UnderstoodLocation
    name: str
    product: Product | None
    access: ServerAccess


def find_target(
    principal: Principal,
    location: str,
    product_name: str | None,
    is_local_user: bool,
    kind: str,
) -> Target:
    """Check the product before the place: who may not add must not ask around."""
    if product_name is not None:
        name = check_product_name(product_name)
        known = find_product_to_add_to(name, principal)
        access = access_to_add(principal, known, is_local_user=is_local_user)
        place = _of_kind(understand_location(location, access, kind), kind)
        access = access_at(access, known, place.location)
        return Target(place, name, known, access)
    widest = widest_access(principal, is_local_user=is_local_user)
    place = _of_kind(understand_location(location, widest, kind), kind)
    name = check_product_name(_default_name(place))
    known = find_product_to_add_to(name, principal)
    access = access_to_add(principal, known, is_local_user=is_local_user)
    return Target(place, name, known, access_at(access, known, place.location))


def _product(
    principal: Principal, target: Target, wiki_language: str, visibility: str
) -> Product:
    """Return the product of a target, made where it is new."""
    return target.product or create_product(
        name=target.name,
        principal=principal,
        wiki_language=wiki_language,
        visibility=visibility or Visibility.EVERYONE,
    )


def _register(
    principal: Principal, target: Target, product: Product, name: str | None
) -> Source:
    """Return the source of a target in a product, made where it is new."""
    place = target.place
    return register_source(
        product=product,
        name=name or _free_name(place, product),
        source_type=place.source_type,
        location=place.location,
        access=target.access,
        principal=principal,
    )


def _of_kind(place: UnderstoodLocation, kind: str) -> UnderstoodLocation:
    """Return a place as the kind that was asked for, '' for what was found there."""
    return replace(place, source_type=kind) if kind else place


def move_source(*, principal: Principal, source: Source, url: str) -> None:
    """Follow a repository to its new address, if it answers there.

    Its credentials go to another host only when they are given again.
    """
    get_maintained_product(source.product.name, principal)
    check_movable(source)
    address = parse_git_url(url, address_rules())
    stays = address.host == parse_git_url(source.location, address_rules()).host
    used = https_credentials(source) if stays else NO_CREDENTIALS
    place = UnderstoodLocation(source.source_type, address.url, source.name)
    access = access_to_add(principal, source.product)
    probe(place, None, credentials=used, access=access)
    with transaction.atomic():
        update_source(source=source, settings={}, url=url, access=access)
        if not stays:
            store_credentials(source=source, changes={"username": "", "token": ""})


def probe(
    place: UnderstoodLocation,
    ref: str | None,
    *,
    credentials: Credentials,
    access: ServerAccess,
) -> None:
    """Ask a location for its refs; raise what whoever names it should know at once."""
    context = connector_context(access, credentials)
    metadata = {location_key(place.location): place.location}
    connector = open_connector(place.source_type, metadata, context)
    with contextlib.closing(connector):
        connector.probe(ref)


def without_login(location: str, given: Credentials) -> tuple[str, Credentials]:
    """Return an address without the login in it, which counts unless one is given."""
    url, username, secret = split_login(location)
    return url, given if given.secret or not secret else Credentials(username, secret)


def known_credentials(principal: Principal, target: Target) -> Credentials:
    """Return the credentials of the source that a caller sees at a place, if any."""
    if target.product is None:
        return NO_CREDENTIALS
    known = find_source(
        product=target.product,
        source_type=target.place.source_type,
        location=target.place.location,
        principal=principal,
    )
    return https_credentials(known) if known else NO_CREDENTIALS


def _keep(
    source: Source,
    credentials: Credentials,
    settings: Mapping[str, Any],
    ref: str | None,
) -> None:
    if credentials.secret:
        changes = {"username": credentials.username, "token": credentials.secret}
        store_credentials(source=source, changes=changes)
    followed = {"default_branch": ref} if ref else {}
    if settings or followed:
        update_source(source=source, settings={**settings, **followed})


def _free_name(place: UnderstoodLocation, product: Product) -> str:
    """Source names are unique in the instance: a taken one gets its product's name."""
    taken = Source.objects.filter(name=place.name).exclude(product=product)
    return f"{product.name}-{place.name}" if taken.exists() else place.name


def _default_name(place: UnderstoodLocation) -> str:
    return slugify_ascii(place.name, "product")[:64].rstrip("-")
