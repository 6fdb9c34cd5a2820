"""Register sources and open their connectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, transaction

from devrag.core.errors import Conflict
from devrag.products.models import Product
from devrag.sources.addresses import check_source_name
from devrag.sources.connectors.registry import open_connector
from devrag.sources.connectors.types import Connector, ConnectorContext
from devrag.sources.hosts import AddressRules
from devrag.sources.models import Source


def address_rules() -> AddressRules:
    """Return which hosts and schemes sources may use (DESIGN §6, Outgoing)."""
    return AddressRules(
        allow_http=settings.GIT_ALLOW_HTTP, public_only=settings.SOURCES_PUBLIC_ONLY
    )


def connector_context(
    *, is_local_user: bool, on_progress: Callable[[str], None] | None = None
) -> ConnectorContext:
    """Return the settings a connector works under."""
    return ConnectorContext(
        repos_dir=settings.GIT_CLONE_DIR,
        source_roots=tuple(settings.SOURCE_ROOTS),
        is_local_user=is_local_user,
        address_rules=address_rules(),
        ssh_key_path=settings.GIT_SSH_KEY_PATH,
        on_progress=on_progress,
    )


def open_source(
    source: Source, on_progress: Callable[[str], None] | None = None
) -> Connector:
    """Open a registered source; a path was checked when it was registered."""
    context = connector_context(
        is_local_user=bool(source.metadata.get("isLocalUser")), on_progress=on_progress
    )
    return open_connector(source.source_type, source.metadata, context)


@transaction.atomic
def register_source(
    *,
    product: Product,
    name: str,
    source_type: str,
    location: str,
    is_local_user: bool,
) -> Source:
    """Return the product's source of this location, registering it when new.

    Raises Conflict when the name belongs to another location or product.
    """
    key = "path" if source_type == Source.Type.LOCAL or _is_path(location) else "url"
    known = Source.objects.filter(
        product=product, source_type=source_type, **{f"metadata__{key}": location}
    ).first()
    if known is not None:
        return _grant_path(known) if is_local_user else known
    check_source_name(name)
    try:
        with transaction.atomic():
            return Source.objects.create(
                product=product,
                name=name,
                source_type=source_type,
                host=settings.HOST_NAME if key == "path" else "",
                metadata={key: location, "isLocalUser": is_local_user},
            )
    except IntegrityError as error:
        raise Conflict(
            f"A source named '{name}' exists already with another location. "
            "Give this one its own name with --source."
        ) from error


def _grant_path(source: Source) -> Source:
    """Let a path that the operator gives now be read outside SOURCE_ROOTS too."""
    if not source.metadata.get("isLocalUser"):
        source.metadata = {**source.metadata, "isLocalUser": True}
        source.save(update_fields=["metadata"])
    return source


def _is_path(location: str) -> bool:
    return Path(location).is_absolute()
