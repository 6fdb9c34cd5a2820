"""Sources: add, change, delete and index one, make its push hook's secret."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Status
from pydantic import SecretStr

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import (
    ADMIN,
    INDEX,
    NO_NUL,
    TEST,
    JobAccepted,
    ProductName,
    Request,
    SourceName,
    accept_job,
    caller,
)
from devrag.api.paging import Page, cut_page
from devrag.api.sample_values import COMMIT
from devrag.api.source_fields import (
    WIKI_LANGUAGE,
    SourceOut,
    SourceSettings,
    WikiLanguage,
    describe_source,
    describe_sources,
)
from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.sources.api import renew_hook_secret
from devrag.sources.connectors.types import Credentials
from devrag.sources.models import Source
from devrag.sources.schedule import MAX_MINUTES, set_schedule
from devrag.sources.selectors import check_may_change, get_visible_source
from devrag.sources.services import update_source
from devrag.use_cases.api import (
    HOSTS,
    add_repository,
    check_connection,
    check_source,
    limit_source,
    move_source,
    remove_token,
    replace_token,
    request_index,
)
from devrag.use_cases.deletion.request import delete_source

router = Router(tags=["sources"], by_alias=True)


class IndexRequest(Request):
    """What CI sends after a merge."""

    source_name: SourceName = Field(min_length=1)
    ref: str | None = Field(None, max_length=255)
    commit_hash: str | None = Field(None, pattern=r"^[0-9a-fA-F]{40}$")
    is_wiki_wanted: bool = Field(False, alias="generateWiki")
    is_full: bool = Field(False, alias="fullIndex")

    EXAMPLE: ClassVar = {
        "sourceName": "backend-api",
        "ref": "main",
        "commitHash": COMMIT,
        "generateWiki": True,
    }


_USERNAME: Any = Field(
    "",
    max_length=200,
    pattern=NO_NUL,
    description="User name for the token, if the host requires one.",
)
UserName = Annotated[str, Field(min_length=1, max_length=150, pattern=NO_NUL)]
_MEMBERS: Any = Field(
    None,
    max_length=200,
    description="Users who can see it; null: everyone who can read its product. When "
    "a source is limited, wiki content based on it is deleted.",
)
_TOKEN: Any = Field(
    SecretStr(""), max_length=4000, description="Stored encrypted, never returned."
)


class NewSource(Request):
    """A repository or folder to add; the product is made when it is new."""

    source_url: str = Field(
        min_length=1,
        max_length=2000,
        pattern=NO_NUL,
        description="A git URL, optionally with a login, or a path below SOURCE_ROOTS.",
    )
    product_name: ProductName = Field(min_length=1)
    source_name: str | None = Field(None, min_length=1, max_length=100, pattern=NO_NUL)
    source_type: str | None = Field(
        None,
        max_length=20,
        pattern=NO_NUL,
        description="git, local, pdf, confluence, redmine, notion, github or gitlab "
        "(issues and pull or merge requests); default: detected.",
    )
    ref: str | None = Field(None, max_length=255)
    username: str = _USERNAME
    token: SecretStr = _TOKEN
    settings: SourceSettings | None = None
    members: list[UserName] | None = _MEMBERS
    is_wiki_wanted: bool = Field(False, alias="generateWiki")
    wiki_language: WikiLanguage | None = WIKI_LANGUAGE
    visibility: Literal["everyone", "members"] | None = Field(
        None, description="Of a new product; default: everyone."
    )
    is_full: bool = Field(
        False,
        alias="fullIndex",
        description="For an existing source: read everything again.",
    )

    EXAMPLE: ClassVar = {
        "sourceURL": "https://git.example/shop/backend-api.git",
        "productName": "shop",
        "sourceName": "backend-api",
        "sourceType": "git",
        "generateWiki": True,
    }


class TestedSource(Request):
    """A place to ask what it would give; nothing of it is stored."""

    source_url: str = Field(
        min_length=1,
        max_length=2000,
        pattern=NO_NUL,
        description="Same as when adding a source.",
    )
    product_name: ProductName = Field(min_length=1)
    source_type: str | None = Field(None, max_length=20, pattern=NO_NUL)
    username: str = _USERNAME
    token: SecretStr = _TOKEN
    settings: SourceSettings | None = None

    EXAMPLE: ClassVar = {
        "sourceURL": "https://example.atlassian.net/wiki/spaces/ENG",
        "productName": "shop",
        "sourceType": "confluence",
        "username": "reader@example.com",
        "token": "…",
    }


class CountOut(JsonSchema):
    """A count; null if unknown."""

    name: str
    count: int | None

    EXAMPLE: ClassVar = {"name": "pages", "count": 412}


class ConnectionOut(JsonSchema):
    """The result of a test. title: name of the space, project or repository."""

    source_type: str
    source_url: str
    source_name: str = Field(
        description="Name of the source, or the name it would get."
    )
    title: str
    counts: list[CountOut]
    notes: list[str]

    EXAMPLE: ClassVar = {
        "sourceType": "confluence",
        "sourceURL": "https://example.atlassian.net/wiki/display/ENG",
        "sourceName": "ENG",
        "title": "Engineering",
        "counts": [CountOut.EXAMPLE],
        "notes": ["Pages with view restrictions are skipped."],
    }


class SourceChange(Request):
    """What can be changed of a source; what is left out stays as it is."""

    source_name: str | None = Field(None, min_length=1, max_length=100, pattern=NO_NUL)
    source_url: str | None = Field(
        None,
        min_length=1,
        max_length=2000,
        pattern=NO_NUL,
        description="New URL of the same repository.",
    )
    index_every_minutes: int | None = Field(
        None, ge=1, le=MAX_MINUTES, description="null: only on request."
    )
    is_wiki_wanted: bool | None = Field(
        None,
        alias="generateWiki",
        description="Whether scheduled runs and pushes also generate the wiki.",
    )
    settings: SourceSettings | None = Field(
        None,
        description=(
            "null, '' or [] resets a setting. Changes take effect with the next run."
        ),
    )
    username: str = _USERNAME
    token: SecretStr | None = Field(
        None,
        max_length=4000,
        description="New token: stored if the source accepts it, never returned. '' "
        "removes the stored token.",
    )

    members: list[UserName] | None = _MEMBERS

    EXAMPLE: ClassVar = {
        "indexEveryMinutes": 30,
        "settings": {"exclude": ["vendor/**"]},
    }


class HookOut(JsonSchema):
    """The secret of a push hook, returned once, and its URL for each kind of host."""

    source_id: int
    secret: str
    hook_urls: dict[str, str]

    EXAMPLE: ClassVar = {
        "sourceID": 7,
        "secret": "whsec_…",
        "hookURLs": {"github": "https://devrag.example/api/v1/hooks/github/7"},
    }


def find_source(principal: Principal, source_id: int) -> Source:
    """Return a source by its id; NotFound when the caller may not see it."""
    rows = Source.objects.visible_to(principal).select_related("product")
    source = rows.filter(pk=source_id).first()
    if source is None:
        raise NotFound(f"There is no source {source_id}.")
    return source


@router.post(
    "/index",
    auth=INDEX,
    response={202: JobAccepted, **describe_errors(404, 413, 415)},
)
def index_source(
    request: HttpRequest, body: IndexRequest, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Start indexing a source; returns the job ID immediately."""
    principal = caller(request)
    job = request_index(
        principal=principal,
        source=get_visible_source(principal, name=body.source_name),
        ref=body.ref,
        commit=body.commit_hash.lower() if body.commit_hash else None,
        is_full=body.is_full,
        is_wiki_wanted=body.is_wiki_wanted,
    )
    return Status(202, accept_job(job, response))


@router.get("", response={200: list[SourceOut], **describe_errors()})
def list_sources(
    request: HttpRequest, response: HttpResponse, page: Page
) -> list[dict[str, Any]]:
    """List the sources this token can read."""
    rows = Source.objects.visible_to(caller(request)).select_related("product")
    return describe_sources(cut_page(request, response, rows, page, by=["name"]))


@router.post(
    "",
    auth=INDEX,
    response={202: JobAccepted, **describe_errors(404, 409, 413, 415, 502)},
)
def add_source(
    request: HttpRequest, body: NewSource, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Add a repository or folder to a product and start indexing it."""
    job = add_repository(
        principal=caller(request),
        location=body.source_url,
        product_name=body.product_name,
        source_name=body.source_name,
        source_type=body.source_type,
        ref=body.ref,
        credentials=Credentials(body.username, body.token.get_secret_value()),
        settings=_settings(body.settings),
        members=body.members,
        is_full=body.is_full,
        is_wiki_wanted=body.is_wiki_wanted,
        wiki_language=body.wiki_language or "",
        visibility=body.visibility or "",
    )
    return Status(202, accept_job(job, response))


def _settings(given: SourceSettings | None) -> dict[str, Any]:
    return given.model_dump(exclude_unset=True) if given else {}


@router.post(
    "/test",
    auth=TEST,
    response={200: ConnectionOut, **describe_errors(404, 409, 413, 415, 502)},
)
def test_connection(request: HttpRequest, body: TestedSource) -> dict[str, Any]:
    """Test a location without storing anything."""
    found = check_connection(
        principal=caller(request),
        location=body.source_url,
        product_name=body.product_name,
        source_type=body.source_type,
        credentials=Credentials(body.username, body.token.get_secret_value()),
        settings=_settings(body.settings),
    )
    return found.to_json()


@router.post(
    "/{int:sourceID}/test",
    auth=TEST,
    response={200: ConnectionOut, **describe_errors(404, 502)},
)
def test_source(request: HttpRequest, sourceID: int) -> dict[str, Any]:
    """Test the location of a source with its stored token."""
    principal = caller(request)
    found = check_source(principal=principal, source=find_source(principal, sourceID))
    return found.to_json()


@router.get("/{int:sourceID}", response={200: SourceOut, **describe_errors(404)})
def get_source(request: HttpRequest, sourceID: int) -> dict[str, Any]:
    """Return a source."""
    return describe_source(find_source(caller(request), sourceID))


@router.patch(
    "/{int:sourceID}",
    auth=INDEX,
    response={200: SourceOut, **describe_errors(404, 409, 413, 415, 502)},
)
def change_source(
    request: HttpRequest, sourceID: int, body: SourceChange
) -> dict[str, Any]:
    """Change the name, URL, token, settings or schedule of a source."""
    principal = caller(request)
    source = find_source(principal, sourceID)
    check_may_change(principal, source)
    with transaction.atomic():
        _change(principal, source, body)
    return describe_source(find_source(principal, sourceID))


def _change(principal: Principal, source: Source, body: SourceChange) -> None:
    if body.source_url is not None:
        move_source(principal=principal, source=source, url=body.source_url)
    if body.token is not None:
        _change_token(principal, source, body.username, body.token.get_secret_value())
    if body.source_name is not None or body.settings is not None:
        given = _settings(body.settings)
        update_source(
            principal=principal,
            source=source,
            settings=given,
            name=body.source_name,
        )
    if "members" in body.model_fields_set:
        limit_source(principal=principal, source=source, members=body.members)
    if body.model_fields_set & {"index_every_minutes", "is_wiki_wanted"}:
        _schedule(principal, source, body)


def _change_token(
    principal: Principal, source: Source, username: str, token: str
) -> None:
    source.refresh_from_db()  # it may have moved just now
    if token:
        given = Credentials(username, token)
        replace_token(principal=principal, source=source, credentials=given)
    else:
        remove_token(principal=principal, source=source)


def _schedule(principal: Principal, source: Source, body: SourceChange) -> None:
    is_given = "index_every_minutes" in body.model_fields_set
    every = body.index_every_minutes if is_given else source.index_every_minutes
    set_schedule(
        principal=principal,
        source=source,
        every_minutes=every,
        is_wiki_wanted=body.is_wiki_wanted,
    )


@router.delete(
    "/{int:sourceID}",
    auth=ADMIN,
    response={202: JobAccepted, **describe_errors(404, 409)},
)
def remove_source(
    request: HttpRequest, sourceID: int, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Delete a source with its index, as a job; it is hidden immediately."""
    principal = caller(request)
    job = delete_source(principal=principal, source=find_source(principal, sourceID))
    return Status(202, accept_job(job, response))


@router.post(
    "/{int:sourceID}/hook",
    auth=INDEX,
    response={201: HookOut, **describe_errors(404)},
)
def renew_hook(
    request: HttpRequest, sourceID: int, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Create a secret for push hooks; the previous one becomes invalid immediately."""
    principal = caller(request)
    source = find_source(principal, sourceID)
    secret = renew_hook_secret(principal=principal, source=source)
    urls = {
        kind: request.build_absolute_uri(f"/api/v1/hooks/{kind}/{source.pk}")
        for kind in HOSTS
    }
    response["Location"] = f"/api/v1/sources/{source.pk}"
    response["Cache-Control"] = "no-store"
    return Status(201, {"sourceID": source.pk, "secret": secret, "hookURLs": urls})
