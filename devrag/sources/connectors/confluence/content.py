"""What the API tells of a page, attachment or comment. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from devrag.sources.connectors.pages.names import file_name

_MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Content:
    """A page, blog post, attachment or comment.

    ancestors: ids and titles of the pages above it, outermost first. container: the id
    of the page that an attachment or comment belongs to. body: in storage format, None
    where it was not asked for. is_restricted: some people of the space cannot view it;
    so is one of which the server does not tell.
    """

    content_id: str
    kind: str
    title: str
    number: int = 0
    changed: str = ""
    created: str = ""
    author: str = ""
    labels: tuple[str, ...] = ()
    ancestors: tuple[tuple[str, str], ...] = ()
    is_restricted: bool = False
    container: str = ""
    address: str = ""
    download: str = ""
    media_type: str = ""
    size: int = 0
    body: str | None = None


def read_content(data: Mapping[str, Any]) -> Content | None:
    """Return what an answer holds of one content; None for what has no id."""
    content_id = str(data.get("id") or "")
    if not content_id:
        return None
    version, history = _part(data, "version"), _part(data, "history")
    creator = _part(history, "createdBy") or _part(version, "by")
    extensions, links = _part(data, "extensions"), _part(data, "_links")
    return Content(
        content_id,
        str(data.get("type") or "page"),
        str(data.get("title") or ""),
        number=_number(version.get("number")),
        changed=str(version.get("when") or ""),
        created=str(history.get("createdDate") or ""),
        author=str(creator.get("displayName") or ""),
        labels=tuple(_labels(data)),
        ancestors=tuple(_ancestors(data, content_id)),
        is_restricted=_is_restricted(data),
        container=str(_part(data, "container").get("id") or ""),
        address=str(links.get("webui") or ""),
        download=str(links.get("download") or ""),
        media_type=str(extensions.get("mediaType") or ""),
        size=_number(extensions.get("fileSize")),
        body=_body(data),
    )


def page_folder(content: Content, space_key: str, home_id: str) -> str:
    """Return the path of a page without its ending: where its attachments lie.

    The home page of the space is above all others and says nothing.
    """
    if content.kind == "blogpost":
        above = ["Blog"]
    else:
        above = [title for each, title in content.ancestors if each != home_id]
    names = [file_name(title) for title in (*above, content.title)]
    return "/".join([file_name(space_key), *names])


def _part(data: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    found: Any = data
    for name in names:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _results(found: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    results = found.get("results")
    return [each for each in results or () if isinstance(each, Mapping)]


def _labels(data: Mapping[str, Any]) -> list[str]:
    found = _results(_part(data, "metadata", "labels"))
    return sorted({str(each["name"]) for each in found if each.get("name")})


def _ancestors(data: Mapping[str, Any], content_id: str) -> list[tuple[str, str]]:
    """Return the pages above, each once: a tree that runs in a circle ends."""
    found: dict[str, str] = {}
    for each in data.get("ancestors") or ():
        if isinstance(each, Mapping) and each.get("id"):
            found[str(each["id"])] = str(each.get("title") or "")
    found.pop(content_id, None)
    return list(found.items())[:_MAX_DEPTH]


def _is_restricted(data: Mapping[str, Any]) -> bool:
    if "restrictions" not in data:
        # Asked for of pages alone; of these, what is not told counts as restricted.
        return data.get("type") in {"page", "blogpost"}
    read = _part(data, "restrictions", "read", "restrictions")
    return any(_names_some(read.get(each)) for each in ("user", "group"))


def _names_some(found: object) -> bool:
    """Return whether a list of people has some, or is not told."""
    if not isinstance(found, Mapping):
        return True
    results, size = found.get("results"), found.get("size")
    if not isinstance(results, list) and not isinstance(size, int):
        return True
    return bool(results) or (size is not None and size != 0)


def _body(data: Mapping[str, Any]) -> str | None:
    storage = _part(data, "body", "storage")
    return str(storage.get("value") or "") if storage else None


def _number(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        return 0
