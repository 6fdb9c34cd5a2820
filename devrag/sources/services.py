"""Register sources and open their connectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings as installation
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM, Principal
from devrag.products.models import Product
from devrag.products.names import refuse_name
from devrag.sources.addresses import check_source_name, parse_git_url
from devrag.sources.chunking import source_chunking
from devrag.sources.connectors.registry import open_connector
from devrag.sources.connectors.types import (
    NO_CREDENTIALS,
    Connector,
    ConnectorContext,
    Credentials,
)
from devrag.sources.credentials import load_credentials
from devrag.sources.hosts import AddressRules
from devrag.sources.metadata import checked_settings
from devrag.sources.models import Source
from devrag.sources.selection import Selection, read_selection
from devrag.sources.server_access import ServerAccess, access_of
from devrag.sources.uploads.limits import UploadLimits


def address_rules() -> AddressRules:
    """Return which hosts and schemes sources may use."""
    return AddressRules(
        allow_http=installation.GIT_ALLOW_HTTP,
        public_only=installation.SOURCES_PUBLIC_ONLY,
    )


def upload_limits() -> UploadLimits:
    """Return how much may be uploaded as a source."""
    return UploadLimits(
        max_bytes=installation.MAX_UPLOAD_BYTES,
        max_unpacked_bytes=installation.MAX_UPLOAD_UNPACKED_BYTES,
        max_files=installation.MAX_UPLOAD_FILES,
        max_ratio=installation.MAX_UPLOAD_RATIO,
    )


def connector_context(
    access: ServerAccess, credentials: Credentials = NO_CREDENTIALS
) -> ConnectorContext:
    """Return the settings a connector works under."""
    return ConnectorContext(
        repos_dir=installation.GIT_CLONE_DIR,
        source_roots=access.roots,
        is_local_user=access.is_local_user,
        address_rules=address_rules(),
        credentials=credentials,
        is_ssh_key_allowed=access.is_ssh_key_allowed,
        ssh_key_path=installation.GIT_SSH_KEY_PATH,
        known_hosts_path=installation.GIT_KNOWN_HOSTS_PATH,
        max_files=installation.MAX_FILES,
        uploads_dir=installation.UPLOADS_DIR,
    )


def open_source(
    source: Source,
    *,
    on_progress: Callable[[str], None] | None = None,
    checkpoint: Callable[[], None] | None = None,
) -> Connector:
    """Open a registered source, if it may still use what it needs of this machine.

    checkpoint: called between steps of long reading; it may raise.
    """
    context = connector_context(access_of(source), https_credentials(source))
    context = replace(
        context, selection=source_selection(source), on_progress=on_progress
    )
    if checkpoint is not None:
        context = replace(context, checkpoint=checkpoint)
    return open_connector(source.source_type, source.metadata, context)


def source_selection(source: Source) -> Selection:
    """Return which files of a source its owner wants, within the installation's sizes.

    Raises InvalidInput for metadata of another form.
    """
    return selection_of(source.metadata)


def selection_of(metadata: Mapping[str, Any]) -> Selection:
    """Return which files settings of a source choose; raises as source_selection."""
    return read_selection(
        metadata,
        max_bytes=installation.MAX_FILE_BYTES,
        max_document_bytes=installation.MAX_PDF_BYTES,
    )


def https_credentials(source: Source) -> Credentials:
    """Return the user name and token that the source's host is given."""
    found = load_credentials(source)
    return Credentials(found.get("username", ""), found.get("token", ""))


@transaction.atomic
def register_source(
    *,
    product: Product,
    name: str,
    source_type: str,
    location: str,
    access: ServerAccess,
    principal: Principal = SYSTEM,
) -> Source:
    """Return the product's source of this location, registering it when new.

    access: of whoever adds it; the source keeps what an administrator grants so.
    Raises Conflict when the name belongs to another location or product.
    """
    key = location_key(location)
    known = find_source(
        product=product,
        source_type=source_type,
        location=location,
        principal=principal,
    )
    if known is not None:
        return _grant(known, access, principal)
    check_source_name(name)
    try:
        with transaction.atomic():
            source = Source.objects.create(
                product=product,
                name=name,
                source_type=source_type,
                host=installation.HOST_NAME if key == "path" else "",
                metadata={key: location, **_marks(access)},
            )
    except IntegrityError as error:
        raise refuse_name(name, principal) from error
    found = {"type": source_type, "location": location}
    record_event("source.added", principal=principal, source=source, details=found)
    return source


@transaction.atomic
def register_upload(
    *,
    product: Product,
    name: str,
    upload_id: str,
    file_name: str,
    principal: Principal,
) -> Source:
    """Return a new source of uploaded files; raises Conflict for a name in use."""
    check_source_name(name)
    try:
        with transaction.atomic():
            source = Source.objects.create(
                product=product,
                name=name,
                source_type=Source.Type.UPLOAD,
                host=installation.HOST_NAME,
                metadata={"upload": upload_id, "file": file_name},
            )
    except IntegrityError as error:
        raise refuse_name(name, principal) from error
    found = {"type": source.source_type, "location": file_name}
    record_event("source.added", principal=principal, source=source, details=found)
    return source


@transaction.atomic
def replace_files(*, source: Source, upload_id: str, file_name: str) -> str:
    """Let a source have the files of another upload; return the id of the former."""
    locked = Source.objects.select_for_update(no_key=True).get(pk=source.pk)
    before = str(locked.metadata["upload"])
    source.metadata = {**locked.metadata, "upload": upload_id, "file": file_name}
    source.host = installation.HOST_NAME
    source.save(update_fields=["metadata", "host", "updated_at"])
    record_event("source.files_replaced", source=source, details={"file": file_name})
    return before


def find_source(
    *,
    product: Product,
    source_type: str,
    location: str,
    principal: Principal = SYSTEM,
) -> Source | None:
    """Return the product's source of a location, if it has one that a caller sees."""
    return (
        Source.objects.within_limits(principal)
        .filter(
            product=product,
            source_type=source_type,
            **{f"metadata__{location_key(location)}": location},
        )
        .first()
    )


def location_key(location: str) -> str:
    """Return the name in a source's metadata of what a location is."""
    return "path" if Path(location).is_absolute() else "url"


def _grant(source: Source, access: ServerAccess, principal: Principal) -> Source:
    """Let a source that somebody adds again keep the wider access of the two."""
    wider = {key: True for key, is_set in _marks(access).items() if is_set}
    if not wider.items() <= source.metadata.items():
        source.metadata = {**source.metadata, **wider}
        source.save(update_fields=["metadata"])
        found = {"changed": sorted(wider)}
        record_event(
            "source.changed", principal=principal, source=source, details=found
        )
    return source


def _marks(access: ServerAccess) -> dict[str, bool]:
    return {"isLocalUser": access.is_local_user, "isGranted": access.is_granted}


@transaction.atomic
def update_source(
    *,
    source: Source,
    settings: Mapping[str, Any],
    name: str | None = None,
    url: str | None = None,
    access: ServerAccess | None = None,
    principal: Principal = SYSTEM,
) -> None:
    """Change a source; settings: see `metadata.py`, empty values remove them.

    url: where the same repository is now; what was indexed stays. access: with a url,
    of whoever moves it: another place has only what they may use.
    """
    locked = Source.objects.select_for_update(no_key=True).get(pk=source.pk)
    metadata = {**locked.metadata, **checked_settings(settings)}
    if url is not None:
        check_movable(source)
        moved = parse_git_url(url, address_rules()).url
        if moved != metadata["url"]:
            metadata |= {"url": moved, **_marks(access or ServerAccess())}
    source.metadata = {
        key: value for key, value in metadata.items() if value not in (None, "", [])
    }
    source_chunking(source)  # its sizes must fit together
    source.name = check_source_name(source.name if name is None else name)
    if Source.objects.filter(name=source.name).exclude(pk=source.pk).exists():
        raise refuse_name(source.name, principal)
    source.save(update_fields=["metadata", "name", "updated_at"])
    _record_change(locked, source, principal)


def _record_change(before: Source, source: Source, principal: Principal) -> None:
    """Record which settings are other than before, and the two names."""
    names = before.metadata.keys() | source.metadata.keys()
    found: dict[str, Any] = {
        "changed": sorted(
            name
            for name in names
            if before.metadata.get(name) != source.metadata.get(name)
        )
    }
    if before.name != source.name:
        found["name"] = {"from": before.name, "to": source.name}
    if found["changed"] or "name" in found:
        record_event(
            "source.changed", principal=principal, source=source, details=found
        )


def check_movable(source: Source) -> None:
    """Raise InvalidInput for a source that has no URL to change."""
    if "url" not in source.metadata:
        raise InvalidInput(
            gettext(
                "The path of '%(source)s' cannot be changed. Add the new location as "
                "a new source."
            )
            % {"source": source.name}
        )
