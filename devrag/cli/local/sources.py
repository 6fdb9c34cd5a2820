"""Sources of this machine; folders and repositories on its disk may be any."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict

from devrag.cli.interfaces import (
    SOURCE_SETTINGS,
    Deletable,
    Document,
    IndexRequest,
    SourceChanges,
    SourceRequest,
    UploadRequest,
)
from devrag.core.errors import NotFound
from devrag.core.principal import SYSTEM
from devrag.products.limits import members_by_source
from devrag.sources.api import UploadedFile
from devrag.sources.connectors.types import Credentials
from devrag.sources.models import GitRef, Source
from devrag.sources.schedule import set_schedule
from devrag.sources.services import update_source
from devrag.use_cases.api import (
    Upload,
    add_repository,
    add_upload,
    check_connection,
    check_source,
    limit_source,
    move_source,
    replace_upload,
)
from devrag.use_cases.deletion.request import delete_source
from devrag.use_cases.deletion.size import measure_source


class LocalSources:
    """Sources in the database. See `devrag.cli.interfaces.Sources`."""

    def index(self, request: IndexRequest) -> str:
        job = add_repository(
            principal=SYSTEM,
            location=request.location,
            product_name=request.product,
            source_name=request.source,
            ref=request.ref,
            is_full=request.is_full,
            is_wiki_wanted=request.is_wiki_wanted,
            wiki_language=request.wiki_language or "",
            is_local_user=True,
        )
        return str(job.pk)

    def list(self) -> list[Document]:
        return list(map(describe_source, Source.objects.select_related("product")))

    def get(self, name: str) -> Document:
        return describe_source(find_source(name))

    def add(self, request: SourceRequest) -> Document:
        token = request.read_token() if request.read_token else ""
        job = add_repository(
            principal=SYSTEM,
            location=request.location,
            product_name=request.product,
            source_name=request.name,
            source_type=request.type,
            ref=request.ref,
            is_ref_default=True,
            credentials=Credentials(request.username, token),
            members=request.members,
            is_wiki_wanted=False,
            wiki_language=request.wiki_language or "",
            visibility=request.visibility or "",
            is_local_user=True,
        )
        return {"name": job.source_name, "jobID": str(job.pk)}

    def test(self, request: SourceRequest) -> Document:
        known = Source.objects.select_related("product").filter(name=request.location)
        if source := known.first():
            return check_source(principal=SYSTEM, source=source).to_json()
        token = request.read_token() if request.read_token else ""
        found = check_connection(
            principal=SYSTEM,
            location=request.location,
            product_name=request.product,
            source_type=request.type,
            credentials=Credentials(request.username, token),
            is_local_user=True,
        )
        return found.to_json()

    def upload(self, request: UploadRequest) -> Document:
        with ExitStack() as opened:
            files = [
                UploadedFile(
                    path.name,
                    opened.enter_context(path.open("rb")),
                    path.stat().st_size,
                )
                for path in request.files
            ]
            done = _upload(request, files)
        return {
            "name": done.source.name,
            "jobID": str(done.job.pk),
            "files": done.unpacked.files,
            "bytes": done.unpacked.bytes,
            "leftOut": done.unpacked.left_out,
        }

    def update(self, name: str, changes: SourceChanges) -> Document:
        source = find_source(name)
        if changes.url is not None:
            move_source(principal=SYSTEM, source=source, url=changes.url)
        update_source(source=source, settings=changes.settings, name=changes.name)
        if changes.members is not None:
            members = changes.members or None
            limit_source(principal=SYSTEM, source=source, members=members)
        _set_schedule(source, changes.every_minutes, changes.is_wiki_wanted)
        return describe_source(source)

    def measure(self, name: str) -> Deletable:
        source = find_source(name)
        size = measure_source(source)
        return Deletable(source.pk, size.lines(), asdict(size))

    def delete(self, source: Deletable) -> str:
        found = Source.objects.select_related("product").filter(pk=source.id).first()
        if found is None:
            raise NotFound("This source was deleted in the meantime.")
        return str(delete_source(principal=SYSTEM, source=found).pk)


def _upload(request: UploadRequest, files: Sequence[UploadedFile]) -> Upload:
    if request.replaced is not None:
        source = find_source(request.replaced)
        return replace_upload(
            principal=SYSTEM,
            source=source,
            files=files,
            is_wiki_wanted=request.is_wiki_wanted or None,
        )
    return add_upload(
        principal=SYSTEM,
        files=files,
        product_name=request.product,
        source_name=request.name,
        members=request.members,
        is_wiki_wanted=request.is_wiki_wanted,
        wiki_language=request.wiki_language or "",
    )


def find_source(name: str) -> Source:
    """Return the source of that name; raises NotFound."""
    source = Source.objects.select_related("product").filter(name=name).first()
    if source is None:
        raise NotFound(
            f"There is no source {name!r}. Run `devrag source list` to see all sources."
        )
    return source


def describe_source(source: Source) -> Document:
    """Return a source with its settings and what is indexed of it."""
    refs = GitRef.objects.filter(source=source).select_related("snapshot")
    return {
        "name": source.name,
        "product": source.product.name,
        "type": source.source_type,
        "location": source.location,
        "host": source.host,
        "settings": {k: v for k, v in source.metadata.items() if k in SOURCE_SETTINGS},
        "indexEveryMinutes": source.index_every_minutes,
        "generateWiki": source.is_wiki_scheduled,
        "hasCredentials": bool(source.credentials),
        "members": members_by_source([source.pk]).get(source.pk),
        "indexed": {r.name: r.snapshot and r.snapshot.version_identifier for r in refs},
    }


def _set_schedule(source: Source, every: int | None, wiki: bool | None) -> None:
    if every is None and wiki is None:
        return
    set_schedule(
        principal=SYSTEM,
        source=source,
        every_minutes=source.index_every_minutes if every is None else every or None,
        is_wiki_wanted=wiki,
    )
