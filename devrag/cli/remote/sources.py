"""Sources of another devrag."""

from __future__ import annotations

from urllib.parse import urlsplit

from devrag.cli.interfaces import (
    SOURCE_SETTINGS,
    Deletable,
    Document,
    IndexRequest,
    SourceChanges,
    SourceRequest,
    UploadRequest,
)
from devrag.cli.remote.address_check import check_address, check_trust
from devrag.cli.remote.connection import Connection
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.json_names import json_name
from devrag.core.locations import make_absolute


class RemoteSources:
    """Sources at a server. See `devrag.cli.interfaces.Sources`."""

    def __init__(self, server: Connection) -> None:
        self._server = server

    def index(self, request: IndexRequest) -> str:
        location = check_address(self._server, make_absolute(request.location))
        body = {
            "sourceURL": location,
            "productName": request.product,
            "sourceName": request.source,
            "ref": request.ref,
            "generateWiki": request.is_wiki_wanted,
            "wikiLanguage": request.wiki_language,
            "fullIndex": request.is_full or None,
        }
        return str(self._server.post("/sources", _given(body))["jobID"])

    def list(self) -> list[Document]:
        return list(map(_row, self._server.get_all("/sources")))

    def get(self, name: str) -> Document:
        return _row(self._find(name))

    def add(self, request: SourceRequest) -> Document:
        if not request.product:
            raise InvalidInput("--product NAME is required.")
        body = {
            **self._place(request),
            "sourceName": request.name,
            "ref": request.ref,
            "members": request.members and list(request.members),
            "wikiLanguage": request.wiki_language,
            "visibility": request.visibility,
        }
        job_id = self._server.post("/sources", _given(body))["jobID"]
        name = self._server.get(f"/jobs/{job_id}")["sourceName"]
        if request.ref:
            found = self._find(name)
            followed = {"settings": {"defaultBranch": request.ref}}
            self._server.patch(f"/sources/{found['sourceID']}", followed)
        return {"name": name, "jobID": job_id}

    def test(self, request: SourceRequest) -> Document:
        rows = self._server.get_all("/sources")
        known = (row for row in rows if row["sourceName"] == request.location)
        if source := next(known, None):
            place = f"/sources/{source['sourceID']}/test"
            return dict(self._server.post(place, {}))
        if not request.product:
            raise InvalidInput("--product NAME is required.")
        return dict(self._server.post("/sources/test", _given(self._place(request))))

    def upload(self, request: UploadRequest) -> Document:
        check_trust(self._server, "the files")
        place, fields = "/sources/upload", _upload_fields(request)
        if request.replaced is not None:
            place = f"/sources/{self._find(request.replaced)['sourceID']}/upload"
            fields = []
        done = self._server.post_files(place, fields, request.files)
        return {
            "name": done["sourceName"],
            "jobID": done["jobID"],
            "files": done["fileCount"],
            "bytes": done["bytes"],
            "leftOut": done["leftOutCount"],
        }

    def update(self, name: str, changes: SourceChanges) -> Document:
        check_address(self._server, changes.url or "")
        found = self._find(name)
        changed = self._server.patch(f"/sources/{found['sourceID']}", _body(changes))
        return _row(changed)

    def measure(self, name: str) -> Deletable:
        found = self._find(name)
        counts = {"files": found["fileCount"], "chunks": found["chunkCount"]}
        lost = [f"{count:,} {noun}" for noun, count in counts.items() if count]
        return Deletable(found["sourceID"], lost, counts)

    def delete(self, source: Deletable) -> str:
        return str(self._server.delete(f"/sources/{source.id}")["jobID"])

    def _find(self, name: str) -> Document:
        rows = self._server.get_all("/sources")
        found = next((row for row in rows if row["sourceName"] == name), None)
        if found is None:
            raise NotFound(f"There is no source '{name}' at {self._server.url}.")
        return found

    def _place(self, request: SourceRequest) -> Document:
        """Return what names a place and opens it, for one that is added or tested."""
        location = check_address(self._server, make_absolute(request.location))
        body: Document = {
            "sourceURL": location,
            "productName": request.product,
            "sourceType": request.type,
        }
        if request.read_token is not None:
            check_trust(self._server, "the token")
            if urlsplit(location).scheme != "https":
                raise InvalidInput(
                    "A token requires an address that begins with https://."
                )
            body |= {"username": request.username, "token": request.read_token()}
        return body


def _upload_fields(request: UploadRequest) -> list[tuple[str, str]]:
    given = {
        "productName": request.product,
        "sourceName": request.name,
        "wikiLanguage": request.wiki_language,
    }
    fields = [(key, value) for key, value in given.items() if value is not None]
    fields += [("members", name) for name in request.members or ()]
    wiki = [("generateWiki", "true")] if request.is_wiki_wanted else []
    return [*fields, *wiki]


def _given(body: Document) -> Document:
    return {key: value for key, value in body.items() if value is not None}


def _body(changes: SourceChanges) -> Document:
    """Return what is to be changed, as the request names it."""
    body = _given(
        {
            "sourceName": changes.name,
            "sourceURL": changes.url,
            "generateWiki": changes.is_wiki_wanted,
        }
    )
    if changes.members is not None:
        body["members"] = list(changes.members) or None
    if changes.every_minutes is not None:
        body["indexEveryMinutes"] = changes.every_minutes or None
    # An empty number is null there, and so is an empty text.
    settings = {
        json_name(key): None if value == "" else value
        for key, value in changes.settings.items()
    }
    return {**body, "settings": settings} if settings else body


def _row(row: Document) -> Document:
    """Return the fields that commands have in process; no host."""
    settings = {key: row["settings"].get(json_name(key)) for key in SOURCE_SETTINGS}
    return {
        "name": row["sourceName"],
        "product": row["productName"],
        "type": row["sourceType"],
        "location": row["sourceURL"],
        "settings": _given(settings),
        "indexEveryMinutes": row["indexEveryMinutes"],
        "generateWiki": row["generateWiki"],
        "hasCredentials": row["hasCredentials"],
        "members": row["members"],
        "indexed": {row["ref"]: row["commitHash"]} if row["ref"] else {},
    }
