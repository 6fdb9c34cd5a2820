"""Add uploaded files as a source, and replace those of a source that is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings as installation
from django.db import transaction
from django.utils.translation import gettext

from devrag.core.errors import Conflict, InvalidInput, PermissionDenied
from devrag.core.principal import Principal
from devrag.core.text import slugify_ascii
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.products.services import (
    check_product_name,
    check_wiki_language,
    create_product,
    find_product_to_add_to,
)
from devrag.sources.addresses import source_name_from_url
from devrag.sources.api import (
    NewUpload,
    Unpacked,
    UploadedFile,
    delete_upload,
    new_upload,
    unpack,
    upload_folder,
    upload_name,
    upload_stem,
)
from devrag.sources.models import Source
from devrag.sources.selectors import check_may_change
from devrag.sources.services import register_upload, replace_files, upload_limits
from devrag.use_cases.index import request_index
from devrag.use_cases.source_limits import limit_source


@dataclass(frozen=True, slots=True)
class Upload:
    """What was stored, of which source, and the job that indexes it."""

    source: Source
    job: Job
    unpacked: Unpacked


def check_uploads_allowed() -> None:
    """Raise PermissionDenied where uploads are turned off."""
    if not installation.MAX_UPLOAD_BYTES:
        raise PermissionDenied(
            gettext(
                "Uploads are disabled on this server. Ask an administrator to enable "
                "them (setting MAX_UPLOAD_BYTES)."
            )
        )


def add_upload(
    *,
    principal: Principal,
    files: Sequence[UploadedFile],
    product_name: str | None = None,
    source_name: str | None = None,
    members: Sequence[str] | None = None,
    is_wiki_wanted: bool = True,
    wiki_language: str = "",
) -> Upload:
    """Store files as a new source and start indexing it.

    Nothing is created or kept when the files, a name or the members are wrong.
    members: who alone may see it, None for all readers. wiki_language: of a new
    product's wiki, '' for that of the request.
    """
    check_uploads_allowed()
    if not files:
        raise InvalidInput(gettext("Choose a file to upload."))
    # The product first: who may not add must not have files unpacked.
    name = check_product_name(product_name or _default_name(files))
    known = find_product_to_add_to(name, principal)
    check_wiki_language(known, wiki_language)
    wanted = source_name or _free_name(files, name, known)
    with _stored(files) as (made, unpacked), transaction.atomic():
        product = known or create_product(
            name=name, principal=principal, wiki_language=wiki_language
        )
        source = register_upload(
            product=product,
            name=wanted,
            upload_id=made.id,
            file_name=upload_name(files),
            principal=principal,
        )
        if members is not None:
            limit_source(principal=principal, source=source, members=members)
        job = request_index(
            principal=principal,
            source=source,
            is_wiki_wanted=is_wiki_wanted,
            is_product_new=known is None,
        )
    return Upload(source, job, unpacked)


def replace_upload(
    *,
    principal: Principal,
    source: Source,
    files: Sequence[UploadedFile],
    is_wiki_wanted: bool | None = None,
) -> Upload:
    """Store files in the place of a source's and start indexing what differs.

    is_wiki_wanted: None: as the source's scheduled runs.
    """
    check_uploads_allowed()
    check_may_change(principal, source)
    if source.source_type != Source.Type.UPLOAD:
        raise InvalidInput(
            gettext(
                "'%(name)s' is not a source of uploaded files. Upload the files as a "
                "new source."
            )
            % {"name": source.name}
        )
    if is_wiki_wanted is None:
        is_wiki_wanted = source.is_wiki_scheduled
    with _stored(files) as (made, unpacked), transaction.atomic():
        before = replace_files(
            source=source, upload_id=made.id, file_name=upload_name(files)
        )
        job = request_index(
            principal=principal, source=source, is_wiki_wanted=is_wiki_wanted
        )
    # What a job reads at this moment goes at the next housekeeping.
    delete_upload(upload_folder(installation.UPLOADS_DIR, before))
    return Upload(source, job, unpacked)


@contextmanager
def _stored(
    files: Sequence[UploadedFile],
) -> Iterator[tuple[NewUpload, Unpacked]]:
    """Unpack files into a folder that stays only if the block ends well."""
    with new_upload(installation.UPLOADS_DIR) as made:
        yield made, unpack(files, made.folder, upload_limits())
        made.is_kept = True


def _default_name(files: Sequence[UploadedFile]) -> str:
    return slugify_ascii(upload_stem(files), "product")[:64].rstrip("-")


def _free_name(
    files: Sequence[UploadedFile], product_name: str, product: Product | None
) -> str:
    """Return the file's name; with that of the product where it is taken elsewhere."""
    name = source_name_from_url(upload_stem(files))
    if product and Source.objects.filter(name=name, product=product).exists():
        raise Conflict(
            gettext(
                "'%(product)s' already has a source '%(name)s'. To replace its files, "
                "upload them on its page; to add a new source, choose another name."
            )
            % {"product": product_name, "name": name}
        )
    is_taken = Source.objects.filter(name=name).exists()
    return f"{product_name}-{name}" if is_taken else name
