"""Upload files as a source, and in the place of those of a source that is there."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.http import HttpRequest, HttpResponse
from ninja import Field, File, Form, Router, Status
from ninja.files import UploadedFile as SentFile

from devrag.api.errors import describe_errors
from devrag.api.operations import (
    NO_NUL,
    UPLOAD,
    JobAccepted,
    ProductName,
    Request,
    accept_job,
    caller,
)
from devrag.api.sample_values import JOB_ID
from devrag.api.source_fields import WIKI_LANGUAGE, WikiLanguage
from devrag.api.sources import UserName, find_source
from devrag.core.errors import InvalidInput
from devrag.sources.api import UploadedFile
from devrag.use_cases.api import Upload, add_upload, replace_upload

router = Router(tags=["sources"], by_alias=True)
_FAILURES = describe_errors(404, 409, 413, 415, 503)


class NewUpload(Request):
    """Fields beside the files, all of `multipart/form-data`."""

    product_name: ProductName | None = Field(
        None, min_length=1, description="Default: the name of the first file."
    )
    source_name: str | None = Field(None, min_length=1, max_length=100, pattern=NO_NUL)
    members: list[UserName] = Field(
        [],
        max_length=200,
        description="Users who can see it; default: everyone who can read its product.",
    )
    is_wiki_wanted: bool = Field(False, alias="generateWiki")
    wiki_language: WikiLanguage | None = WIKI_LANGUAGE

    EXAMPLE: ClassVar = {"productName": "shop", "generateWiki": True}


class UploadAccepted(JobAccepted):
    """fileCount, bytes: what was stored. leftOutCount: links and the like."""

    source_id: int
    source_name: str
    file_count: int
    bytes: int
    left_out_count: int

    EXAMPLE: ClassVar = {
        "jobID": JOB_ID,
        "status": "pending",
        "sourceID": 7,
        "sourceName": "handbook",
        "fileCount": 120,
        "bytes": 4_200_000,
        "leftOutCount": 1,
    }


Files = Annotated[
    list[SentFile],
    File(
        description="One zip or tar archive, or one or more PDFs, Office files, "
        "Markdown and other text files."
    ),
]


@router.post("/upload", auth=UPLOAD, response={202: UploadAccepted, **_FAILURES})
def upload_source(
    request: HttpRequest, response: HttpResponse, file: Files, fields: Form[NewUpload]
) -> Status[dict[str, Any]]:
    """Upload files as a new source and start indexing it."""
    _check_fields(request, *(f.alias for f in NewUpload.model_fields.values()))
    done = add_upload(
        principal=caller(request),
        files=_files(file),
        product_name=fields.product_name,
        source_name=fields.source_name,
        members=fields.members or None,
        is_wiki_wanted=fields.is_wiki_wanted,
        wiki_language=fields.wiki_language or "",
    )
    return Status(202, _describe(done, response))


@router.post(
    "/{int:sourceID}/upload", auth=UPLOAD, response={202: UploadAccepted, **_FAILURES}
)
def upload_again(
    request: HttpRequest, response: HttpResponse, sourceID: int, file: Files
) -> Status[dict[str, Any]]:
    """Replace the files of an uploaded source and index the changes."""
    _check_fields(request)
    principal = caller(request)
    done = replace_upload(
        principal=principal,
        source=find_source(principal, sourceID),
        files=_files(file),
    )
    return Status(202, _describe(done, response))


def _check_fields(request: HttpRequest, *known: str | None) -> None:
    """Raise InvalidInput for a field that nobody reads, such as one with a typo."""
    if unknown := sorted({*request.POST} - {*known}):
        raise InvalidInput(f"Unknown field {unknown[0][:100]!r}.")


def _files(sent: list[SentFile]) -> list[UploadedFile]:
    return [
        UploadedFile(each.name or "", each.file, each.size or 0)  # type: ignore[arg-type]
        for each in sent
    ]


def _describe(done: Upload, response: HttpResponse) -> dict[str, Any]:
    return {
        **accept_job(done.job, response),
        "sourceID": done.source.pk,
        "sourceName": done.source.name,
        "fileCount": done.unpacked.files,
        "bytes": done.unpacked.bytes,
        "leftOutCount": done.unpacked.left_out,
    }
